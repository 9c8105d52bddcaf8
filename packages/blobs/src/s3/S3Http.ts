import { type Agent, type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type S3Failure, unanswered, unexpected } from "./S3Failure.ts"

export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

/** The text of an answer that is read whole: a page of a thousand keys of 1,024 characters fits. */
const textBytesMax = 4 * 1024 * 1024

/**
 * Sends a request; succeeds with the head of the answer, whose body is open as long as the scope. Fails where
 * the connection is silent for `idle_ms_max`: while it is made, while the body is sent, before the answer.
 */
export const send = (
  agent: Agent,
  request: HttpRequest,
  idleMsMax: number,
): Effect.Effect<IncomingMessage, S3Failure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.interruptible(exchange(agent, request, idleMsMax)),
    // Does nothing to an answer that was read to its end: its connection is kept.
    (answer) => Effect.sync(() => answer.destroy()),
  )

const exchange = (agent: Agent, { method, url, headers, body }: HttpRequest, idleMsMax: number) =>
  Effect.callback<IncomingMessage, S3Failure>((resume) => {
    const start = url.protocol === "https:" ? requestHttps : requestHttp
    const length = body === undefined ? {} : { "content-length": String(body.length) }
    const outgoing = start(url, { method, agent, headers: { ...headers, ...length } })
    outgoing.setTimeout(idleMsMax, () => outgoing.destroy(silence(idleMsMax)))
    // The listener stays: a server may answer before it has read the body, and close the connection.
    outgoing.on("error", (error) => resume(Effect.fail(unanswered(url.host, error))))
    outgoing.on("response", (answer) => {
      outgoing.setTimeout(0)
      resume(Effect.succeed(answer))
    })
    outgoing.end(body)
    return Effect.sync(() => outgoing.destroy())
  })

const silence = (idleMsMax: number): Error =>
  Object.assign(new Error(`silent for ${idleMsMax} ms`), { code: "ETIMEDOUT" })

/**
 * The chunks of an answer's body. Fails where it breaks off, or where the server is silent for `idle_ms_max`; the
 * time that the reader takes does not count.
 */
export async function* chunksOf(answer: IncomingMessage, idleMsMax: number): AsyncGenerator<Uint8Array> {
  const chunks = answer[Symbol.asyncIterator]()
  try {
    while (true) {
      const timer = setTimeout(() => answer.destroy(silence(idleMsMax)), idleMsMax)
      const next = await chunks.next().finally(() => clearTimeout(timer))
      if (next.done === true) return
      yield next.value
    }
  } finally {
    answer.destroy()
  }
}

/** The whole body as text. */
export const readText = (
  host: string,
  answer: IncomingMessage,
  idleMsMax: number,
): Effect.Effect<string, S3Failure> =>
  Effect.tryPromise({
    try: async () => {
      const chunks: Array<Uint8Array> = []
      let bytes = 0
      for await (const chunk of chunksOf(answer, idleMsMax)) {
        bytes += chunk.length
        if (bytes > textBytesMax) return undefined
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString()
    },
    catch: (error) => unanswered(host, error),
  }).pipe(
    Effect.flatMap((text) =>
      text === undefined
        ? Effect.fail(unexpected(`more than ${textBytesMax} bytes of text`, false))
        : Effect.succeed(text),
    ),
  )
