import { answering, atelier } from "../../lib/atelier.ts"

/** Submits, and answers the task's id at once. `x-user` stands for your login. */
export const POST = answering(async (request) => {
  const { prompt, order }: { prompt: string; order: string } = Object(await request.json())
  const user = request.headers.get("x-user") ?? "guest"
  const { images, users } = await atelier()
  await users.ensure(user, { balanceUsd: "1" })
  const task = await images.submit({
    user,
    model: "gen-image-2",
    prompt,
    size: "256x256",
    idempotencyKey: order,
  })
  return Response.json({ id: task.id }, { status: 202 })
})
