import { type Atelier, AtelierError } from "@atelier/node"
import express, { type ErrorRequestHandler, type Express } from "express"

/** Refusals become answers; everything else is the application's own business. */
const refused: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof AtelierError)) return next(error)
  const status = error.retryable ? 503 : error.code.endsWith("not_found") ? 404 : 400
  if (error.retryAfter !== undefined) response.set("retry-after", String(error.retryAfter))
  response.status(status).json({ code: error.code, message: error.message, param: error.param })
}

/** A backend of its own, with images for its users. `x-user` stands for your login. */
export const makeApp = (atelier: Atelier): Express => {
  const app = express()
  app.use(express.json())

  app.post("/images", async (request, response) => {
    const { prompt, order } = request.body
    const user = request.get("x-user") ?? "guest"
    await atelier.users.ensure(user, { balanceUsd: "1" })
    const task = await atelier.images.submit({
      user,
      model: "gen-image-2",
      prompt,
      size: "256x256",
      idempotencyKey: order,
    })
    response.status(202).json({ id: task.id })
  })

  app.get("/images/:id", async (request, response) => {
    const task = await atelier.tasks.get(request.params.id)
    if (task.user !== request.get("x-user")) return void response.status(404).end()
    response.json(task)
  })

  // Addresses of pictures in a task are paths below /media.
  app.get("/media/:name", async (request, response) => {
    const image = await atelier.images.read(request.path)
    if (image === undefined) return void response.status(404).end()
    response.type(image.contentType).send(Buffer.from(image.data))
  })

  app.use(refused)
  return app
}
