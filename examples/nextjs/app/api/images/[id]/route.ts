import { Atelier } from "@atelier/client"

const atelier = new Atelier()

/** The task at every change, one line of JSON each, until it is final. */
export const GET = async (
  request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> => {
  const { id } = await params
  const changes = atelier.tasks.watch(id, { signal: request.signal })
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value: task } = await changes.next()
      if (done || task.object !== "image.task") return controller.close()
      const { state, progress, result_url: image, error } = task
      const line = JSON.stringify({ state, progress, image, problem: error?.message })
      controller.enqueue(new TextEncoder().encode(`${line}\n`))
    },
    async cancel() {
      await changes.return()
    },
  })
  return new Response(lines, { headers: { "content-type": "application/x-ndjson" } })
}
