import { type Atelier, AtelierError } from "@atelier/node"
import fastify, { type FastifyInstance } from "fastify"

interface Order {
  readonly Body: { readonly prompt: string; readonly order: string }
  readonly Headers: { readonly "x-user"?: string }
}
interface ById {
  readonly Params: { readonly id: string }
  readonly Headers: { readonly "x-user"?: string }
}

/** A backend of its own, with images for its users. `x-user` stands for your login. */
export const makeApp = (atelier: Atelier): FastifyInstance => {
  const app = fastify()
  app.addHook("onClose", () => atelier.close())

  app.post<Order>("/images", async ({ body: { order, prompt }, headers }, reply) => {
    const user = headers["x-user"] ?? "guest"
    await atelier.users.ensure(user, { balanceUsd: "1" })
    const submission = { user, model: "gen-image-2", prompt, size: "256x256", idempotencyKey: order } as const
    const { id } = await atelier.images.submit(submission)
    return reply.code(202).send({ id })
  })

  app.get<ById>("/images/:id", async ({ headers, params: { id } }, reply) => {
    const task = await atelier.tasks.get(id)
    return task.user === headers["x-user"] ? task : reply.code(404).send()
  })

  // Addresses of pictures in a task are paths below /media.
  app.get("/media/:name", async ({ url }, reply) => {
    const image = await atelier.images.read(url)
    if (image === undefined) return reply.code(404).send()
    return reply.type(image.contentType).send(Buffer.from(image.data))
  })

  // Refusals become answers; everything else is the application's own business.
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof AtelierError)) return reply.send(error)
    const status = error.retryable ? 503 : error.code.endsWith("not_found") ? 404 : 400
    if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter)
    const { code, message, param } = error
    return reply.code(status).send({ code, message, param })
  })
  return app
}
