import { AdminTokens, CurrentActor, UnitsPerUsd } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { reply } from "../Answer.ts"
import { refuseHttp } from "../HttpRefusal.ts"
import { Settings } from "../ServerSettings.ts"
import { sessionCookie, sessionOf } from "../sessionCookie.ts"
import { seconds } from "../toWire.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { makeChange } from "./change.ts"

/** Browsers that are signed in. */
export const makeSessionHandlers = Effect.gen(function* () {
  const { adminToken, publicUrl } = yield* Settings
  const tokens = yield* AdminTokens
  const unitsPerUsd = yield* UnitsPerUsd
  const { change } = yield* makeChange

  const current = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { id, role } = yield* CurrentActor
    if (role === null) return yield* refuseHttp("invalid_api_key", "The caller is unknown.")
    const secret = bearerOf(request) === undefined ? sessionOf(request) : undefined
    const session = secret === undefined ? undefined : yield* tokens.authenticateSession(secret, adminToken)
    return {
      actor: id,
      role,
      expires_at: session === undefined ? null : seconds(session.expiresAt),
      units_per_usd: unitsPerUsd,
    }
  })

  const open = Effect.gen(function* () {
    const token = bearerOf(yield* HttpServerRequest.HttpServerRequest)
    if (token === undefined) {
      return yield* refuseHttp(
        "invalid_api_key",
        "The header `Authorization: Bearer <admin token>` is missing.",
      )
    }
    const { id, role, secret, expiresAt, lastsMillis } = yield* tokens.openSession(token, adminToken)
    return HttpApiSchema.withHeaders({
      body: { actor: id, role, expires_at: seconds(expiresAt), units_per_usd: unitsPerUsd },
      headers: { "set-cookie": sessionCookie(secret, lastsMillis / 1000, publicUrl) },
    })
  })

  const close = Effect.gen(function* () {
    const body = yield* current
    const secret = sessionOf(yield* HttpServerRequest.HttpServerRequest)
    if (secret !== undefined) yield* tokens.closeSession(secret)
    return HttpApiSchema.withHeaders({ body, headers: { "set-cookie": sessionCookie("", 0, publicUrl) } })
  })

  const handlers: AdminHandlersOf<"session" | "openSession" | "closeSession"> = {
    session: ({ endpoint }) => reply(endpoint, current),
    openSession: ({ endpoint }) => change(endpoint, open),
    closeSession: ({ endpoint }) => change(endpoint, close),
  }
  return handlers
})

const bearerOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
