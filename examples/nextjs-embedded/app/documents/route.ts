import { answering, atelier } from "../../lib/atelier.ts"

/** Submits the document of a form, waits, and answers with its Markdown. */
export const POST = answering(async (request) => {
  const form = await request.formData()
  const file = form.get("file")
  if (!(file instanceof File)) return new Response("The form has no file.", { status: 400 })
  const user = request.headers.get("x-user") ?? "guest"
  const { documents, tasks, users } = await atelier()
  await users.ensure(user, { balanceUsd: "1" })
  const tool = String(form.get("tool") ?? "text-md-json")
  const idempotencyKey = String(form.get("order"))
  const { id } = await documents.submit({ user, tool, file, idempotencyKey })
  await tasks.wait(id, { signal: request.signal })
  const result = await tasks.result(id)
  return Response.json({ id, markdown: "markdown" in result ? result.markdown : null })
})
