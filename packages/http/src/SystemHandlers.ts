import { Api } from "@atelier/api"
import { AdminTokens, Storage } from "@atelier/core"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import { reply, respond } from "./Answer.ts"
import { clientAddress, isLoopback } from "./ClientAddress.ts"
import { makeOpenApi, makeReference } from "./Documents.ts"
import { Drain } from "./Drain.ts"
import { withMinimalContext } from "./Group.ts"
import { makeHome } from "./Home.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { makeMetrics } from "./Metrics.ts"
import { isRefusal, RefusedCredentials } from "./RefusedCredentials.ts"
import { Settings } from "./ServerSettings.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { adminToken, pages } = yield* Settings
    const home = makeHome(pages !== null && adminToken !== null)
    const adminTokens = yield* AdminTokens
    const { leaving } = yield* Drain
    const refused = yield* RefusedCredentials
    const metrics = yield* makeMetrics
    const { ready } = yield* Storage
    const openapi = yield* makeOpenApi
    const reference = yield* makeReference

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
                const text = yield* metrics
                return HttpServerResponse.text(text, {
                  contentType: "text/plain; version=0.0.4; charset=utf-8",
                })
              }),
            ),
          )
          .handleRaw("openapi", ({ request }) => openapi(request))
          .handleRaw("docs", ({ request }) => reference(request)),
      ),
    )
  }),
)
