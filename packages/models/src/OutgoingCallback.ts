import { Callback, CallbackFailed } from "@atelier/core"
import * as Context from "effect/Context"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { contentBody } from "./http/UpstreamBody.ts"
import { type BodyStream, UpstreamHttp } from "./http/UpstreamHttp.ts"
import type { UpstreamHeaders } from "./http/UpstreamRequest.ts"
import { namesThisMachine } from "./http/UrlPolicy.ts"

/** contract, Waiting: 2xx within 15 s is success. */
const callbackTimeoutMs = 15_000
/** Moved hosts; a POST is repeated only where 307 or 308 ask for it. */
const redirectsMax = 3
/** The receiver's answer body does not matter: this much of it is read, then the connection is closed. */
const answerBytesMax = 64 * 1024
const answerIdleMs = 1000

/** Where an address is delivered: over which client, with how many redirects. */
interface Route {
  readonly http: UpstreamHttp["Service"]
  readonly redirects: number
}

const make = (routeOf: (url: string) => Effect.Effect<Route, CallbackFailed>) =>
  Callback.of({
    check: (url) =>
      Effect.flatMap(routeOf(url), ({ http }) =>
        Effect.mapError(http.checkUrl(url, "public"), ({ message }) => new CallbackFailed({ message })),
      ),
    post: Effect.fnUntraced(
      function* (url, headers, body) {
        const { http, redirects } = yield* routeOf(url)
        const response = yield* http.stream({
          method: "POST",
          url,
          policy: "public",
          headers: withoutContentType(headers),
          body: contentBody(Buffer.from(body), headers["content-type"] ?? "application/json"),
          timeoutMillis: callbackTimeoutMs,
          idleTimeoutMillis: answerIdleMs,
          maxResponseBytes: Number.MAX_SAFE_INTEGER,
          redirects,
        })
        yield* takeSome(response.body)
        return response.status
      },
      Effect.scoped,
      Effect.catchTag("UpstreamHttpError", ({ message }) => new CallbackFailed({ message })),
    ),
  })

const publicRoute = (http: UpstreamHttp["Service"]) => (url: string) =>
  Effect.as(requireHttps(url), { http, redirects: redirectsMax })

/**
 * Callbacks over HTTPS to a public address, also after DNS and after redirects (contract, Waiting). The status
 * alone counts, even if the body is cut short or endless.
 */
export const layer: Layer.Layer<Callback, never, UpstreamHttp> = Layer.effect(
  Callback,
  Effect.map(UpstreamHttp, (http) => make(publicRoute(http))),
)

/**
 * As `layer`, and also to addresses that name this machine, over HTTP too: for a server to try things with. No
 * redirect and no name in DNS leads there.
 */
export const layerWithLoopback: Layer.Layer<Callback, never, UpstreamHttp | SecureRandom> = Layer.effect(
  Callback,
  Effect.gen(function* () {
    const toPublic = publicRoute(yield* UpstreamHttp)
    const own = Context.get(yield* Layer.build(UpstreamHttp.layer({ allowPrivate: loopback })), UpstreamHttp)
    return make((url) =>
      namesThisMachine(url) ? Effect.succeed({ http: own, redirects: 0 }) : toPublic(url),
    )
  }),
)

const loopback = ["127.0.0.0/8", "::1"]

const requireHttps = (url: string): Effect.Effect<void, CallbackFailed> =>
  /^https:/i.test(url)
    ? Effect.void
    : Effect.fail(new CallbackFailed({ message: "The callback address is not an https URL." }))

/** The body decides the type. */
const withoutContentType = (headers: { readonly [name: string]: string }): UpstreamHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type"))

const takeSome = (body: BodyStream): Effect.Effect<void> =>
  Effect.suspend(() => {
    let taken = 0
    return Effect.ignore(
      Stream.runForEachWhile(body, (chunk) =>
        Effect.sync(() => {
          taken += chunk.length
          return taken < answerBytesMax
        }),
      ),
    )
  })
