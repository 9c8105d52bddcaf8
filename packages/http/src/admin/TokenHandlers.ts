import { type AdminTokenId, AdminTokens, makeId } from "@atelier/core"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { reply } from "../Answer.ts"
import { pageOf } from "../Page.ts"
import { toWireToken } from "../toWireAdmin.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { bodies, jsonOf, rotation } from "./bodies.ts"
import { makeChange, shown } from "./change.ts"

/** Admin tokens. */
export const makeTokenHandlers = Effect.gen(function* () {
  const random = yield* SecureRandom
  const tokens = yield* AdminTokens
  const { change, once } = yield* makeChange

  const shownBefore = (id: string) =>
    Effect.map(tokens.get(id), (token) => shown(toWireToken(token), { token: null }))

  const create = Effect.gen(function* () {
    const sent = yield* bodies.token
    const expiresAt = sent.expires_at == null ? null : sent.expires_at * 1000
    return yield* once({
      operation: "token.create",
      sent: jsonOf(sent),
      id: yield* Effect.provideService(makeId("adm"), SecureRandom, random),
      commit: (id) =>
        Effect.map(tokens.create({ id, name: sent.name, role: sent.role, expiresAt }), ({ token, secret }) =>
          shown(toWireToken(token), { token: secret }),
        ),
      replay: shownBefore,
    })
  })

  const rotate = Effect.fnUntraced(function* (id: string) {
    const { sent, overlapMs } = yield* rotation
    return yield* once({
      operation: "token.rotate",
      sent: [id, jsonOf(sent)],
      id: id as AdminTokenId,
      commit: (tokenId) =>
        Effect.map(tokens.rotate(tokenId, overlapMs), ({ token, secret }) =>
          shown(toWireToken(token), { token: secret }),
        ),
      replay: shownBefore,
    })
  })

  const handlers: AdminHandlersOf<"createToken" | "tokens" | "token" | "updateToken" | "rotateToken"> = {
    createToken: ({ endpoint }) => change(endpoint, create),
    tokens: ({ endpoint, query: { cursor, limit } }) =>
      reply(
        endpoint,
        pageOf(
          limit,
          (limit) => tokens.list({ limit, ...(cursor === undefined ? {} : { after: cursor }) }),
          ({ id }) => id,
          toWireToken,
        ),
      ),
    token: ({ endpoint, params }) => reply(endpoint, Effect.map(tokens.get(params.id), toWireToken)),
    updateToken: ({ endpoint, params }) =>
      change(
        endpoint,
        Effect.flatMap(bodies.tokenChange, ({ disabled }) =>
          Effect.map(tokens.setDisabled(params.id, disabled), toWireToken),
        ),
      ),
    rotateToken: ({ endpoint, params }) => change(endpoint, rotate(params.id)),
  }
  return handlers
})
