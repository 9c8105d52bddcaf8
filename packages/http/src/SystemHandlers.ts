import { readFile } from "node:fs/promises"
import { Api, openApiFile } from "@atelier/api"
import { Admin, AdminTokens } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { json, reply, respond } from "./Answer.ts"
import { clientAddress, isLoopback } from "./ClientAddress.ts"
import { Drain } from "./Drain.ts"
import { withMinimalContext } from "./Group.ts"
import { home } from "./Home.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { renderMetrics } from "./Metrics.ts"
import { Overload } from "./Overload.ts"
import { makeReady } from "./Readiness.ts"
import { isRefusal, RefusedCredentials } from "./RefusedCredentials.ts"
import { Settings } from "./ServerSettings.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { adminToken } = yield* Settings
    const adminTokens = yield* AdminTokens
    const { leaving } = yield* Drain
    const refused = yield* RefusedCredentials
    const overload = yield* Overload
    const services = { http: yield* HttpMetrics, admin: yield* Admin, overload, refused }
    const ready = yield* makeReady
    const openapi = yield* Effect.cached(
      Effect.map(
        Effect.promise(() => readFile(openApiFile, "utf8")),
        (text) => inPieces(json(JSON.parse(text), { headers: { "cache-control": publicCache } })),
      ),
    )
    const docs = yield* makeDocs

    /** For loopback, and for every role of an admin token. */
    const requireMetrics = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const address = clientAddress(request)
      if (isLoopback(address)) return
      const [, token = ""] = /^Bearer +(\S+)$/i.exec(request.headers["authorization"] ?? "") ?? []
      if (adminToken === null || token === "") {
        return yield* refuseHttp(
          "ip_not_allowed",
          "Metrics are available from loopback, or with an admin token.",
        )
      }
      yield* Effect.catchIf(adminTokens.authenticate(token, adminToken), isRefusal, (failure) =>
        Effect.flatMap(refused.refuse("admin", address, failure), Effect.fail),
      )
    })

    return withMinimalContext(
      HttpApiBuilder.group(Api, "system", (handlers) =>
        handlers
          .handleRaw("home", () =>
            Effect.match(ready, {
              onSuccess: () => home(!leaving.isOpen()),
              onFailure: () => home(false),
            }),
          )
          .handleRaw("alive", ({ endpoint }) => reply(endpoint, Effect.succeed({ status: "ok" as const })))
          .handleRaw("ready", ({ endpoint }) =>
            reply(
              endpoint,
              leaving.isOpen()
                ? Effect.fail(refuseHttp("shutting_down", "This process is shutting down."))
                : Effect.as(ready, { status: "ready" as const }),
            ),
          )
          .handleRaw("metrics", ({ endpoint, request }) =>
            respond(
              endpoint,
              Effect.gen(function* () {
                yield* requireMetrics(request)
                const text = yield* renderMetrics(services)
                return HttpServerResponse.text(text, {
                  contentType: "text/plain; version=0.0.4; charset=utf-8",
                })
              }),
            ),
          )
          .handleRaw("openapi", () => openapi)
          .handleRaw("docs", () => docs),
      ),
    )
  }),
)

/** The documents are the same for every caller, and change only with the release. */
const publicCache = "public, max-age=300"

/** The page contains its own scripts and makes no request to other hosts. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

const nextTurn = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})
const turn = Semaphore.withPermit(Semaphore.makeUnsafe(1), nextTurn)

/** How much of a large answer is written to a connection at once. */
const pieceBytes = 64 * 1024

/**
 * A large answer that is always the same is sent from one place in memory, in pieces as its reader takes them. As text
 * it would be encoded for each request, and kept by each until it is read; whole, it would hold up everybody else
 * while the system takes it. However many ask, one piece is sent in each turn of the event loop.
 */
const inPieces = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Uint8Array") return response
  const bytes = body.body
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  const stream = Stream.mapEffect(Stream.fromIterable(pieces), (piece) => Effect.as(turn, piece))
  return HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType, bytes.length))
}

/** The page of three megabytes is built on first use, so that servers whose page is never read pay nothing. */
const makeDocs = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const page = HttpRouter.toHttpEffect(
    HttpApiScalar.layer(Api, { path: "/docs", scalar: { withDefaultFonts: false } }),
  )
  // A router of its own: the page's layer would else put its route beside the one that answers with it.
  return yield* Effect.flatten(page).pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost/docs")),
    ),
    Effect.provideService(Scope.Scope, scope),
    Effect.provideServiceEffect(Layer.CurrentMemoMap, Layer.makeMemoMap),
    Effect.map(inPieces),
    Effect.map(
      HttpServerResponse.setHeaders({
        "content-security-policy": docsPolicy,
        "cache-control": publicCache,
      }),
    ),
    Effect.orDie,
    Effect.cached,
  )
})
