import { Admin, makeId, type UserId } from "@atelier/core"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { reply } from "../Answer.ts"
import { pageOf } from "../Page.ts"
import { toWireUser } from "../toWireAdmin.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { bodies, jsonOf, usdOf } from "./bodies.ts"
import { makeChange } from "./change.ts"

/** Users and the money in their wallets. */
export const makeUserHandlers = Effect.gen(function* () {
  const admin = yield* Admin
  const random = yield* SecureRandom
  const { change, once } = yield* makeChange

  const create = Effect.gen(function* () {
    const sent = yield* bodies.user
    const { name, balance_usd } = sent
    const balanceUsd =
      balance_usd === undefined ? {} : { balanceUsd: yield* usdOf(balance_usd, "balance_usd") }
    return yield* once({
      operation: "user.create",
      sent: jsonOf(sent),
      id: yield* Effect.provideService(makeId("usr"), SecureRandom, random),
      commit: (id) => Effect.map(admin.createUser({ id, name, ...balanceUsd }), toWireUser),
      replay: (id) => Effect.map(admin.getUser(id), toWireUser),
    })
  })

  const grant = Effect.fnUntraced(function* (id: string) {
    const sent = yield* bodies.grant
    const usd = yield* usdOf(sent.usd, "usd")
    return yield* once({
      operation: "user.grant",
      sent: [id, jsonOf(sent)],
      id: id as UserId,
      commit: (userId) => Effect.map(admin.grant({ userId, usd, reason: sent.reason }), toWireUser),
      replay: (userId) => Effect.map(admin.getUser(userId), toWireUser),
    })
  })

  const handlers: AdminHandlersOf<"createUser" | "users" | "user" | "updateUser" | "grant"> = {
    createUser: ({ endpoint }) => change(endpoint, create),
    users: ({ endpoint, query: { cursor, limit } }) =>
      reply(
        endpoint,
        pageOf(
          limit,
          (limit) => admin.listUsers({ limit, ...(cursor === undefined ? {} : { after: cursor }) }),
          ({ user }) => user.id,
          toWireUser,
        ),
      ),
    user: ({ endpoint, params }) => reply(endpoint, Effect.map(admin.getUser(params.id), toWireUser)),
    updateUser: ({ endpoint, params }) =>
      change(
        endpoint,
        Effect.flatMap(bodies.userChange, ({ disabled }) =>
          Effect.map(admin.setUserDisabled(params.id, disabled), toWireUser),
        ),
      ),
    grant: ({ endpoint, params }) => change(endpoint, grant(params.id)),
  }
  return handlers
})
