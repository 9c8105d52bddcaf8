import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { verifyWebhook, type WebhookEvent } from "@atelier/client"

/** Deliveries that were handled: a table of your database, since a delivery may come twice. */
const handled = new Set<string>()

const handle = ({ data: task }: WebhookEvent): void => {
  if (handled.has(task.id)) return
  handled.add(task.id)
  console.log(`${task.id} ${task.state} ${task.result_url ?? task.error?.code}`)
}

const server = createServer(async (request, response) => {
  try {
    // The bytes as they came: a parser that rewrites them would break the signature.
    const body = Uint8Array.from(await buffer(request))
    const secret = process.env["ATELIER_WEBHOOK_SECRET"] ?? ""
    handle(await verifyWebhook({ headers: request.headers, body, secret }))
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end() // not from the service, or too old
  }
})

server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
  console.log(`listening at http://127.0.0.1:${Object(server.address()).port}`)
})
