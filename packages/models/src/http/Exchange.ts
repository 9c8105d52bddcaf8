import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import type { LookupFunction } from "node:net"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { isConnected } from "./ReadyConnections.ts"
import type { EncodedBody } from "./UpstreamBody.ts"
import { UpstreamHttpError, type UpstreamHttpPhase, type UpstreamHttpReason } from "./UpstreamHttpError.ts"
import type { Target } from "./UrlPolicy.ts"

/** One request to one server, redirects apart. Times are milliseconds. */
export interface Hop {
  readonly target: Target
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body: EncodedBody | undefined
  readonly agent: Agent
  readonly lookup: (signal: AbortSignal) => LookupFunction
  readonly connectTimeout: number
  readonly headersTimeout: number
  /** When the whole exchange must be over, by the clock. */
  readonly deadline: number
}

/** All headers of a response together, and how many there may be. */
const headerBytesMax = 32 * 1024
const headerCountMax = 256

/** The state of a running request; `sent` becomes true before its first byte is written. */
interface Running {
  readonly request: ClientRequest
  readonly connected: Deferred.Deferred<void, UpstreamHttpError>
  readonly answered: Deferred.Deferred<IncomingMessage, UpstreamHttpError>
  sent: boolean
}

/**
 * Connects, sends, and waits for the response's headers. The scope is the connection's: when it closes before
 * the body was read to its end, the connection is cut. Built on `node:http` because it tells when a
 * connection stands, before anything is written, and takes a look-up of its own for every request.
 */
export const exchange = Effect.fnUntraced(function* (
  hop: Hop,
): Effect.fn.Return<IncomingMessage, UpstreamHttpError, Scope.Scope> {
  const running = yield* Effect.acquireRelease(open(hop), stop)
  yield* within(Deferred.await(running.connected), hop.connectTimeout, hop.deadline, () =>
    failure(hop, "Timeout", "connect", false, "no connection in time"),
  )
  running.sent = true
  yield* send(hop, running)
  const response = yield* within(Deferred.await(running.answered), hop.headersTimeout, hop.deadline, () =>
    failure(hop, "Timeout", "headers", true, "no response in time"),
  )
  if (response.rawHeaders.length / 2 > headerCountMax) {
    return yield* failure(hop, "TooLarge", "headers", true, `more than ${headerCountMax} headers`)
  }
  return response
})

/** Limits an effect to `millis`, or to what is left until the deadline where that is less. */
export const within = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  millis: number,
  deadline: number,
  error: () => E,
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.timeoutOrElse(self, {
      duration: Math.max(0, Math.min(millis, deadline - now)),
      orElse: () => Effect.fail(error()),
    }),
  )

export const failure = (
  { target }: Pick<Hop, "target">,
  reason: UpstreamHttpReason,
  phase: UpstreamHttpPhase,
  sent: boolean,
  what: string,
): UpstreamHttpError => new UpstreamHttpError({ reason, phase, sent, message: `${target.url.host}: ${what}` })

/** A header that no request can carry is refused by Node, which names it and not its value. */
const open = (hop: Hop): Effect.Effect<Running, UpstreamHttpError> =>
  Effect.try({
    try: () => start(hop),
    catch: (cause) =>
      failure(
        hop,
        "InvalidRequest",
        "connect",
        false,
        cause instanceof Error ? cause.message : "the request cannot be sent",
      ),
  })

const start = (hop: Hop): Running => {
  const { body, headers, target } = hop
  const aborted = new AbortController()
  const request = (target.secure ? requestHttps : requestHttp)({
    method: hop.method,
    protocol: target.url.protocol,
    hostname: target.hostname,
    port: target.port,
    path: target.url.pathname + target.url.search,
    headers: { ...headers, ...lengthOf(body) },
    agent: hop.agent,
    lookup: hop.lookup(aborted.signal),
    maxHeaderSize: headerBytesMax,
  })
  const running: Running = {
    request,
    connected: Deferred.makeUnsafe(),
    answered: Deferred.makeUnsafe(),
    sent: false,
  }
  const fail = (cause?: Error) => {
    const failed = Effect.fail(errorOf(hop, running, cause))
    Deferred.doneUnsafe(running.connected, failed)
    Deferred.doneUnsafe(running.answered, failed)
  }
  request.on("error", fail)
  request.once("close", () => {
    aborted.abort()
    fail()
  })
  request.once("socket", (socket) => {
    const connected = () => Deferred.doneUnsafe(running.connected, Effect.void)
    if (isConnected(socket)) connected()
    else socket.once(target.secure ? "secureConnect" : "connect", connected)
  })
  request.once("response", (response) => {
    // The reader of the body sees the error; without a listener it would end the process.
    response.on("error", () => {})
    Deferred.doneUnsafe(running.answered, Effect.succeed(response))
  })
  return running
}

const lengthOf = (body: EncodedBody | undefined): { readonly [name: string]: string } => {
  if (body === undefined) return {}
  return body.bytes === undefined
    ? { "transfer-encoding": "chunked" }
    : { "content-length": String(body.bytes) }
}

/** A connection whose request and response were finished went back to its pool, and is left alone. */
const stop = Effect.fnUntraced(function* ({ answered, request }: Running) {
  const response = Deferred.isDoneUnsafe(answered)
    ? yield* Effect.orElseSucceed(Deferred.await(answered), () => undefined)
    : undefined
  const finished = request.writableFinished && response?.complete === true && response.readableEnded === true
  if (!finished) request.destroy()
})

/** Only the code of a cause is shown: its text holds addresses. */
const errorOf = (hop: Hop, running: Running, cause: Error | undefined): UpstreamHttpError => {
  if (cause instanceof UpstreamHttpError) return cause
  const code = codeOf(cause)
  if (!running.sent) return failure(hop, "ConnectFailed", "connect", false, `no connection${code}`)
  if (code.includes("HPE_HEADER_OVERFLOW")) {
    return failure(hop, "TooLarge", "headers", true, `more than ${headerBytesMax} bytes of headers`)
  }
  if (code.includes("HPE_")) {
    return failure(hop, "InvalidResponse", "headers", true, `not an HTTP response${code}`)
  }
  return failure(hop, "Aborted", "headers", true, `the connection was cut before a response${code}`)
}

/** ` (ECONNREFUSED)`, or nothing. */
export const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error) || !("code" in cause)) return ""
  return typeof cause.code === "string" ? ` (${cause.code})` : ""
}

const send = (hop: Hop, { request }: Running): Effect.Effect<void, never, Scope.Scope> => {
  const { body } = hop
  if (body === undefined) return Effect.sync(() => request.end())
  const { bytes, content } = body
  if (content instanceof Uint8Array) return Effect.sync(() => request.end(content))
  return Effect.asVoid(Effect.forkScoped(sendStream(hop, request, content, bytes)))
}

/** A server may answer before it has read everything; so this runs beside the wait for the response. */
const sendStream = Effect.fnUntraced(function* (
  hop: Hop,
  request: ClientRequest,
  content: Stream.Stream<Uint8Array, unknown>,
  bytes: number | undefined,
) {
  let written = 0
  const failed = (what: string) =>
    Effect.sync(() => request.destroy(failure(hop, "RequestBodyFailed", "headers", true, what)))
  yield* Stream.runForEach(content, (chunk) => {
    written += chunk.length
    if (bytes !== undefined && written > bytes) return Effect.fail("too long")
    return write(request, chunk)
  }).pipe(
    Effect.flatMap(() =>
      bytes === undefined || written === bytes
        ? Effect.sync(() => request.end())
        : failed(`the request's body has ${written} bytes and not ${bytes}`),
    ),
    Effect.catch(() => failed("the request's body could not be read to its end")),
  )
})

const write = (request: ClientRequest, chunk: Uint8Array): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const written = () => resume(Effect.void)
    if (chunk.length === 0 || request.write(chunk)) return written()
    request.once("drain", written)
    return Effect.sync(() => request.off("drain", written))
  })
