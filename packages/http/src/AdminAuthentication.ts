import { AdminAuthentication } from "@atelier/api"
import { type Actor, AdminTokens, CurrentActor, type RatePolicy, TokenBuckets } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Exchange, refusal } from "./Answer.ts"
import { makeRemember } from "./admin/auditRefusal.ts"
import { requireKnownQuery } from "./admin/knownQuery.ts"
import { mayUse } from "./admin/roles.ts"
import { clientAddress } from "./ClientAddress.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { isRefusal, RefusedCredentials } from "./RefusedCredentials.ts"
import { Settings } from "./ServerSettings.ts"
import { sessionCookie, sessionOf } from "./sessionCookie.ts"

/** Limits the unknown tokens and sessions in the audit log, from all addresses together: the log is never emptied. */
const kept: RatePolicy = { perMinute: 1, burst: 60 }

/**
 * Authenticates operators. Refuses with 404 `not_found` where the admin API is off, then with 401 (429 after many), 403
 * `role_not_allowed`, and 400 `unknown_parameter` for an unknown query parameter. Enclosed effects have
 * its `CurrentActor`.
 */
export const layer = Layer.effect(
  AdminAuthentication,
  Effect.gen(function* () {
    const { adminToken, publicUrl } = yield* Settings
    const remember = yield* makeRemember
    const refused = yield* RefusedCredentials
    const tokens = yield* AdminTokens
    const entries = new TokenBuckets<"entries">(1)

    const identify = Effect.fnUntraced(function* (token: string) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const exchange = yield* Exchange
      const { requestId } = exchange
      if (adminToken === null) return yield* refuseHttp("not_found", "The admin API is off.")
      const session = token === "" ? sessionOf(request) : undefined
      if (token === "" && session === undefined) {
        return yield* refuseHttp(
          "invalid_api_key",
          "The header `Authorization: Bearer <admin token>` is missing.",
        )
      }
      const ip = clientAddress(request)
      const credential =
        session === undefined
          ? tokens.authenticate(token, adminToken)
          : tokens.authenticateSession(session, adminToken)
      const known = Effect.catchIf(credential, isRefusal, (failure) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const answered = yield* refused.refuse("admin", ip, failure)
          if (answered !== failure) return yield* Effect.fail(answered)
          // A browser forgets the cookie of a session that is over: it leaves one refusal, not one with every sign-in.
          if (session !== undefined) exchange.headers["set-cookie"] = sessionCookie("", 0, publicUrl)
          if (entries.take("entries", kept, now).allowed) {
            const actor: Actor = { id: "unknown", role: null, ip, requestId }
            yield* Effect.provideService(remember("authenticate", failure.code), CurrentActor, actor)
          }
          return yield* Effect.fail(failure)
        }),
      )
      const actor = { ...(yield* known), ip, requestId }
      exchange.caller = actor.id
      return actor
    })

    const admit = Effect.fnUntraced(function* (token: string, endpoint: HttpApiEndpoint.Top) {
      const actor = yield* identify(token)
      if (!mayUse(actor.role, endpoint)) {
        const message = `The role ${actor.role} may not use ${endpoint.method} ${endpoint.path.replace(":id", "{id}")}.`
        const failure = refuseHttp("role_not_allowed", message)
        const answered = yield* refused.refuse("admin", actor.id, failure)
        if (answered === failure) {
          yield* Effect.provideService(remember(endpoint.identifier, failure.code), CurrentActor, actor)
        }
        return yield* answered
      }
      yield* requireKnownQuery(endpoint)
      return actor
    })

    return AdminAuthentication.of({
      adminToken: (route, { credential, endpoint }) =>
        Effect.matchEffect(admit(Redacted.value(credential), endpoint), {
          onFailure: (failure) => refusal(failure, "tools"),
          onSuccess: (actor) => Effect.provideService(route, CurrentActor, actor),
        }),
    })
  }),
)
