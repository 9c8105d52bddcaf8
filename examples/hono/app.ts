import { type Atelier, AtelierError } from "@atelier/node"
import { Hono } from "hono"

/** A backend of its own, with images for its users. `x-user` stands for your login. */
export const makeApp = (atelier: Atelier): Hono => {
  const app = new Hono()

  app.post("/images", async (context) => {
    const { prompt, order }: { prompt: string; order: string } = await context.req.json()
    const user = context.req.header("x-user") ?? "guest"
    await atelier.users.ensure(user, { balanceUsd: "1" })
    const task = await atelier.images.submit({
      user,
      model: "gen-image-2",
      prompt,
      size: "256x256",
      idempotencyKey: order,
    })
    return context.json({ id: task.id }, 202)
  })

  app.get("/images/:id", async (context) => {
    const task = await atelier.tasks.get(context.req.param("id"))
    return task.user === context.req.header("x-user") ? Response.json(task) : context.notFound()
  })

  // Addresses of pictures in a task are paths below /media.
  app.get("/media/:name", async (context) => {
    const image = await atelier.images.read(context.req.path)
    if (image === undefined) return context.notFound()
    return context.body(Buffer.from(image.data), 200, { "content-type": image.contentType })
  })

  // Refusals become answers; everything else is the application's own business.
  app.onError((error, context) => {
    if (!(error instanceof AtelierError)) throw error
    const status = error.retryable ? 503 : error.code.endsWith("not_found") ? 404 : 400
    if (error.retryAfter !== undefined) context.header("retry-after", String(error.retryAfter))
    const { code, message, param } = error
    return context.json({ code, message, param }, status)
  })
  return app
}
