import type { IncomingMessage } from "node:http"
import { annotateSpan, traceparent, withSpan } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { makeAddressPolicy } from "./AddressPolicy.ts"
import { type ConnectionKind, makeAgents } from "./Agents.ts"
import { excerptOf } from "./Excerpt.ts"
import { exchange, failure, type Hop } from "./Exchange.ts"
import { afterRedirect, nextStep, type Step } from "./Redirects.ts"
import { checkedLookup, type Resolve, resolveSystem } from "./Resolver.ts"
import { bodyOf } from "./ResponseBody.ts"
import { type EncodedBody, encodeBody, type UpstreamBody } from "./UpstreamBody.ts"
import { UpstreamHttpError } from "./UpstreamHttpError.ts"
import type { UpstreamHeaders, UpstreamRequest, UpstreamResponse } from "./UpstreamRequest.ts"
import { parseTarget, type Target, type UrlPolicy } from "./UrlPolicy.ts"

/** A response's body as it comes. Failures are of the phase `body`. */
export type BodyStream = Stream.Stream<Uint8Array, UpstreamHttpError>

/**
 * The only way in which Atelier's server makes outgoing requests: to upstreams, to the addresses in their
 * answers, to reference images and to callbacks. Never to an address that is not public, unless
 * `network.allow_private` permits it: not after DNS, not after a redirect (contract, Waiting). Every request
 * is bounded in time and bytes, ends with its fiber, uses no proxy from the environment and keeps no cookie.
 */
export class UpstreamHttp extends Context.Service<
  UpstreamHttp,
  {
    /** A request, and its whole body in memory. */
    readonly request: (
      request: UpstreamRequest,
    ) => Effect.Effect<UpstreamResponse<Uint8Array>, UpstreamHttpError>
    /** A request, and its body as a stream that lives as long as the scope. */
    readonly stream: (
      request: UpstreamRequest,
    ) => Effect.Effect<UpstreamResponse<BodyStream>, UpstreamHttpError, Scope.Scope>
    /** Refuses a URL that no look-up could make acceptable, such as a `callback_url` at submission. */
    readonly checkUrl: (url: string, policy: UrlPolicy) => Effect.Effect<void, UpstreamHttpError>
  }
>()("@atelier/models/http/UpstreamHttp") {
  static readonly layer = (options: UpstreamHttpOptions): Layer.Layer<UpstreamHttp, never, SecureRandom> =>
    Layer.effect(UpstreamHttp, make(options))
}

export interface UpstreamHttpOptions {
  /** `network.allow_private` of the configuration: addresses and CIDR ranges. */
  readonly allowPrivate: ReadonlyArray<string>
  /** Instead of DNS. */
  readonly resolve?: Resolve
}

const connectTimeoutMsDefault = 10_000
const idleTimeoutMsDefault = 30_000
const boundaryBytes = 16
/** Enough for an excerpt of a refusal. */
const refusalBytesMax = 4096

/** They belong to the connection, and are set by this file. */
const reservedHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-type",
  "cookie",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

const make = Effect.fnUntraced(function* (options: UpstreamHttpOptions) {
  const addresses = makeAddressPolicy(options.allowPrivate)
  const resolve = options.resolve ?? resolveSystem
  const random = yield* SecureRandom
  const agents = yield* makeAgents

  const hopTo = (request: UpstreamRequest, step: Step, target: Target, deadline: number) =>
    Effect.map(
      encode(random, request.body),
      (body): Hop => ({
        target,
        method: request.method,
        headers: headersOf(step.headers, body),
        body,
        agent: agents.pick(target, connectionKind(request, step)),
        lookup: (signal) => checkedLookup(resolve, step.policy, addresses, signal),
        connectTimeout: request.connectTimeoutMillis ?? connectTimeoutMsDefault,
        headersTimeout: request.headersTimeoutMillis ?? request.timeoutMillis,
        deadline,
      }),
    )

  /** One step: checks the URL again, sends the request, and returns where to go next. */
  const take = Effect.fnUntraced(function* (request: UpstreamRequest, given: Step, deadline: number) {
    const step = given.policy === "operator" ? yield* traced(given) : given
    const target = yield* Effect.fromResult(parseTarget(step.url, step.policy, addresses))
    yield* requireHeaders(target, step.headers)
    const hop = yield* hopTo(request, step, target, deadline)
    yield* annotateSpan({ "server.address": target.hostname })
    const response = yield* exchange(hop)
    yield* annotateSpan({ "http.response.status_code": response.statusCode })
    const next = yield* Effect.fromResult(nextStep(request, given, target, response))
    return { hop, response, next }
  })

  const stream = Effect.fnUntraced(function* (request: UpstreamRequest) {
    const deadline = (yield* Clock.currentTimeMillis) + request.timeoutMillis
    const redirects = request.redirects ?? 0
    let step: Step = { url: request.url, policy: request.policy, headers: request.headers ?? {} }
    for (let followed = 0; ; followed++) {
      const taken = withSpan(request.method, () => ({
        kind: "client",
        attributes: { "http.request.method": request.method },
      }))(take(request, step, deadline))
      const { hop, next, response } = yield* followed === 0 ? taken : Effect.mapError(taken, afterRedirect)
      if (next === undefined) return yield* answerOf(request, hop, response)
      response.destroy()
      if (followed === redirects) {
        return yield* failure(hop, "TooManyRedirects", "headers", true, `more than ${redirects} redirects`)
      }
      step = next
    }
  })

  return UpstreamHttp.of({
    stream,
    request: (request) =>
      Effect.scoped(
        Effect.flatMap(stream(request), (response) =>
          Effect.map(collectBody(response.body), (body) => ({ ...response, body })),
        ),
      ),
    checkUrl: (url, policy) => Effect.asVoid(Effect.fromResult(parseTarget(url, policy, addresses))),
  })
})

/** The bytes of a stream; a response's body is bounded already. */
export const collectBody = <E, R>(stream: Stream.Stream<Uint8Array, E, R>): Effect.Effect<Uint8Array, E, R> =>
  Effect.map(Stream.runCollect(stream), (chunks) =>
    chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
  )

/** The operator's own upstreams see the trace; strangers' servers learn nothing from a request but the request. */
const traced = (step: Step): Effect.Effect<Step> =>
  Effect.map(traceparent, (place) =>
    place === null ? step : { ...step, headers: { ...step.headers, traceparent: place } },
  )

const connectionKind = ({ reuseConnection }: UpstreamRequest, { policy }: Step): ConnectionKind =>
  policy !== "operator" ? "single" : reuseConnection === false ? "fresh" : "pooled"

const requireHeaders = (target: Target, headers: UpstreamHeaders): Effect.Effect<void, UpstreamHttpError> => {
  const wrong = Object.keys(headers).find((name) => reservedHeaders.has(name.toLowerCase()))
  return wrong === undefined
    ? Effect.void
    : Effect.fail(
        failure({ target }, "InvalidRequest", "connect", false, `the header ${wrong} is not the caller's`),
      )
}

/** No compression is asked for: what is fetched is images, which are compressed, or short. */
const headersOf = (
  headers: UpstreamHeaders,
  body: EncodedBody | undefined,
): { readonly [name: string]: string } => ({
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "Atelier",
  ...Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Redacted.isRedacted(value) ? Redacted.value(value) : value,
    ]),
  ),
  ...(body === undefined ? {} : { "content-type": body.contentType }),
})

const encode = (
  random: SecureRandom["Service"],
  body: UpstreamBody | undefined,
): Effect.Effect<EncodedBody | undefined> => {
  if (body === undefined) return Effect.succeed(undefined)
  if (body._tag === "Content") return Effect.succeed(encodeBody(body, ""))
  return Effect.map(random.randomBytes(boundaryBytes), (bytes) =>
    encodeBody(body, `atelier-${Buffer.from(bytes).toString("hex")}`),
  )
}

const answerOf = Effect.fnUntraced(function* (
  request: UpstreamRequest,
  hop: Hop,
  response: IncomingMessage,
): Effect.fn.Return<UpstreamResponse<BodyStream>, UpstreamHttpError> {
  const status = response.statusCode ?? 0
  const refused = request.successOnly === true && (status < 200 || status > 299)
  const body = bodyOf(response, {
    target: hop.target,
    method: hop.method,
    deadline: hop.deadline,
    bytesMax: request.maxResponseBytes,
    idleTimeout: request.idleTimeoutMillis ?? idleTimeoutMsDefault,
  })
  if (refused) return yield* badStatus(hop, status, request.headers, Stream.unwrap(body))
  return {
    status,
    headers: readableHeaders(response),
    body: yield* body,
    finalUrl: hop.target.url.href,
  }
})

/** A body that cannot be read adds nothing to the status. */
const badStatus = Effect.fnUntraced(function* (
  hop: Hop,
  status: number,
  headers: UpstreamHeaders | undefined,
  body: BodyStream,
) {
  let begin: Uint8Array = new Uint8Array()
  yield* Stream.runForEachWhile(body, (chunk) =>
    Effect.sync(() => {
      begin = Buffer.concat([begin, chunk])
      return begin.length < refusalBytesMax
    }),
  ).pipe(Effect.ignore)
  const excerpt = excerptOf(begin, headers)
  return yield* new UpstreamHttpError({
    reason: "BadStatus",
    phase: "body",
    sent: true,
    status,
    message: `${hop.target.url.host} answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}`,
  })
})

const readableHeaders = (response: IncomingMessage): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      typeof value === "string" && name !== "set-cookie" ? [[name, value]] : [],
    ),
  )
