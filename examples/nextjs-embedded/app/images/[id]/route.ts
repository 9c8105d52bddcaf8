import { answering, atelier } from "../../../lib/atelier.ts"

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

/** The task, for the user whose it is. */
export const GET = answering(async (request, { params }: Context) => {
  const { id } = await params
  const task = await (await atelier()).tasks.get(id)
  return task.user === request.headers.get("x-user")
    ? Response.json(task)
    : new Response(null, { status: 404 })
})
