import { type AdminRole, type AdminToken, AdminTokens } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { withDatabase } from "../Operator.ts"
import { print, table, time } from "../Output.ts"
import { millis, seconds, secondsOrNull, until } from "./Keys.ts"

const pageTokens = 100
const dayMs = 24 * 60 * 60 * 1000

export const create = (input: {
  readonly name: string
  readonly role: AdminRole
  readonly expiresInDays: Option.Option<number>
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const { name, role, expiresInDays } = input
      const now = yield* Clock.currentTimeMillis
      const expiresAt = Option.getOrNull(Option.map(expiresInDays, (days) => now + days * dayMs))
      const { token, secret } = yield* (yield* AdminTokens).create({ name, role, expiresAt })
      yield* print(input.json, { ...toJson(token), token: secret }, () => [
        `token  ${secret}`,
        `id     ${token.id}`,
        `role   ${token.role}`,
        "The token is shown once: only its digest is stored.",
      ])
    }),
  )

export const list = (input: { readonly json: boolean }) =>
  withDatabase(
    Effect.gen(function* () {
      const store = yield* AdminTokens
      const tokens: Array<AdminToken> = []
      for (;;) {
        const after = tokens.at(-1)?.id
        const page = yield* store.list({ limit: pageTokens, ...(after === undefined ? {} : { after }) })
        tokens.push(...page)
        if (page.length < pageTokens) break
      }
      yield* print(input.json, tokens.map(toJson), () =>
        tokens.length === 0
          ? ["There are no admin tokens but ATELIER_ADMIN_TOKEN: atelier tokens create NAME --role support"]
          : table(
              ["ID", "TOKEN", "NAME", "ROLE", "EXPIRES", "CREATED", ""],
              tokens.map((token) => [
                token.id,
                `${token.hint}…`,
                token.name,
                token.role,
                token.expiresAt === null ? "-" : time(token.expiresAt / 1000),
                time(token.createdAt / 1000),
                token.disabled ? "disabled" : "",
              ]),
            ),
      )
    }),
  )

export const rotate = (input: {
  readonly token: string
  readonly overlapSeconds: Option.Option<number>
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const tokens = yield* AdminTokens
      const { token, secret } = yield* tokens.rotate(input.token, millis(input.overlapSeconds))
      yield* print(input.json, { ...toJson(token), token: secret }, () => [
        `token  ${secret}`,
        `id     ${token.id}`,
        until("The token before", token.previousUntil),
      ])
    }),
  )

export const setDisabled = (input: {
  readonly token: string
  readonly disabled: boolean
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const token = yield* (yield* AdminTokens).setDisabled(input.token, input.disabled)
      yield* print(input.json, toJson(token), () => [
        `${token.id} is ${token.disabled ? "disabled" : "enabled"}`,
      ])
    }),
  )

/** A token without its secret, in the names of the admin API. */
const toJson = (token: AdminToken) => ({
  id: token.id,
  name: token.name,
  role: token.role,
  hint: token.hint,
  disabled: token.disabled,
  expires_at: secondsOrNull(token.expiresAt),
  created_at: seconds(token.createdAt),
  previous_expires_at: secondsOrNull(token.previousUntil),
})
