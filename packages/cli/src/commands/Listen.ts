import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@atelier/client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed, exitCodes, wrongUsage } from "../CommandFailed.ts"
import { reasonOf } from "../failureOf.ts"
import { webAddress } from "../Login.ts"
import { costOf, stateOf } from "../Progress.ts"
import { stopSignal } from "../stopSignal.ts"

interface ListenInput {
  readonly port: number
  readonly forward: Option.Option<string>
  readonly secret: Option.Option<string>
  readonly once: boolean
  readonly json: boolean
}

/** A task with its images; more is no callback. */
const bodyBytesMax = 4 * 1024 * 1024
/** The service counts an answer after 15 s as none. */
const forwardMsMax = 14_000
/** What a receiver needs to verify the signature itself. */
const forwardedHeaders = ["content-type", "webhook-id", "webhook-timestamp", "webhook-signature"]

/**
 * Receives callbacks on a port of this machine, verifies and prints each, and hands it on to an address, whose
 * status is the answer: what the receiver refuses is delivered again by the service.
 */
export const listen = Effect.fnUntraced(function* (input: ListenInput) {
  const secret = Option.getOrUndefined(input.secret) ?? process.env["ATELIER_WEBHOOK_SECRET"]
  if (!secret?.startsWith("whsec_")) {
    return yield* wrongUsage(
      "expected the webhook secret of the API key, whsec_…, in --secret or ATELIER_WEBHOOK_SECRET",
    )
  }
  const forward = yield* Effect.try({
    try: () => Option.getOrUndefined(Option.map(input.forward, webAddress)),
    catch: (error) => (error instanceof CommandFailed ? error : wrongUsage(String(error))),
  })
  const received = Effect.callback<void, CommandFailed>((resume) => {
    const server = createServer((request, response) => {
      const closed = new Promise((resolve) => response.on("close", resolve))
      receive(request, response, { secret, forward, json: input.json })
        .then(async (isGood) => {
          await closed
          if (isGood && input.once) resume(close)
        })
        .catch(() => response.destroy())
    })
    server.on("error", (error: NodeJS.ErrnoException) => {
      const message = `cannot listen on 127.0.0.1:${input.port}: ${error.code ?? error.message}`
      resume(Effect.fail(new CommandFailed({ message, exitCode: exitCodes.usage })))
    })
    server.listen(input.port, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : input.port
      const onward = forward === undefined ? "" : `, handed on to ${forward}`
      process.stderr.write(`Listening; give as callback_url: http://127.0.0.1:${port}/${onward}\n`)
    })
    const close = Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
    return close
  })
  yield* Effect.raceFirst(received, stopSignal)
})

interface Receiver {
  readonly secret: string
  readonly forward: string | undefined
  readonly json: boolean
}

/** Whether it was a callback of the service. */
const receive = async (
  request: IncomingMessage,
  response: ServerResponse,
  { secret, forward, json }: Receiver,
): Promise<boolean> => {
  const body = request.method === "POST" ? await bodyOf(request) : undefined
  if (body === undefined) {
    response.writeHead(request.method === "POST" ? 413 : 405, { connection: "close" }).end()
    return false
  }
  let event: WebhookEvent
  try {
    event = await verifyWebhook({ headers: request.headers, body, secret })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    process.stderr.write(`refused: ${error.message} (${error.code})\n`)
    response.writeHead(400).end()
    return false
  }
  const status = forward === undefined ? 204 : await handOn(forward, request, body)
  if (json) console.log(JSON.stringify(event))
  else console.log(lineOf(event, forward === undefined ? "" : `, handed on: ${status}`))
  response.writeHead(status).end()
  return true
}

const lineOf = ({ type, data }: WebhookEvent, onward: string): string =>
  `${type} ${data.id} ${stateOf(data)}, ${costOf(data)}${onward}`

/** Undefined where it is too long. */
const bodyOf = async (request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** The receiver's status; 502 where it does not answer, so that the service delivers again. */
const handOn = async (
  forward: string,
  request: IncomingMessage,
  body: Uint8Array<ArrayBuffer>,
): Promise<number> => {
  const headers = forwardedHeaders.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === "string" ? [[name, value] as const] : []
  })
  try {
    const signal = AbortSignal.timeout(forwardMsMax)
    const answer = await fetch(forward, {
      method: "POST",
      headers: Object.fromEntries(headers),
      body,
      signal,
      redirect: "manual",
    })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    process.stderr.write(`${forward} does not answer: ${reasonOf(error)}\n`)
    return 502
  }
}
