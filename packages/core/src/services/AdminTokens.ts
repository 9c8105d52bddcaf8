import { hash, timingSafeEqual } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Actor, AdminRole, AdminToken } from "../domain/AdminToken.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { sha256 } from "../domain/Fingerprint.ts"
import { type AdminTokenId, makeId } from "../domain/Ids.ts"
import { AdminTokenStore } from "../ports/AdminTokenStore.ts"
import { quote } from "./Access.ts"
import { Audit } from "./Audit.ts"
import { makeOverlap } from "./rotation.ts"

type Failure = CoreError | StorageError

/** Admin tokens are `sk-atladm-` and 43 characters base64url: 32 random bytes (contract, Admin credentials). */
const tokenPattern = /^sk-atladm-[A-Za-z0-9_-]{43}$/
const hintCharacters = 14

export interface NewAdminToken {
  readonly id?: AdminTokenId
  readonly name: string
  readonly role: AdminRole
  /** Unix milliseconds; null or absent: never. */
  readonly expiresAt?: number | null
}

/** Named credentials of operators. A token is shown in the answer that creates or rotates it, and nowhere else. */
export class AdminTokens extends Context.Service<
  AdminTokens,
  {
    /**
     * Whose credential it is: a named token's, or `first`, the token of the settings, which is an owner. Refuses
     * with `invalid_api_key`, `api_key_disabled`, `api_key_expired`.
     */
    readonly authenticate: (
      token: string,
      first: Redacted.Redacted | null,
    ) => Effect.Effect<{ readonly id: Actor["id"]; readonly role: AdminRole }, Failure>
    readonly create: (
      token: NewAdminToken,
    ) => Effect.Effect<{ readonly token: AdminToken; readonly secret: string }, Failure>
    readonly get: (id: string) => Effect.Effect<AdminToken, Failure>
    readonly list: AdminTokenStore["Service"]["list"]
    readonly setDisabled: (id: string, disabled: boolean) => Effect.Effect<AdminToken, Failure>
    /** A new secret; the old one stays valid for `overlapMs`; absent: it is void at once. */
    readonly rotate: (
      id: string,
      overlapMs?: number,
    ) => Effect.Effect<{ readonly token: AdminToken; readonly secret: string }, Failure>
  }
>()("@atelier/core/services/AdminTokens") {
  static readonly layer = Layer.effect(
    AdminTokens,
    Effect.gen(function* () {
      const audit = yield* Audit
      const random = yield* SecureRandom
      const overlapEnd = yield* makeOverlap
      const store = yield* AdminTokenStore

      const newSecret = Effect.map(random.randomBytes(32), (bytes) => `sk-atladm-${Base64Url.encode(bytes)}`)

      const required = (id: string) => (found: Option.Option<AdminToken>) =>
        Option.isSome(found)
          ? Effect.succeed(found.value)
          : Effect.fail(refuse("not_found", `There is no admin token ${quote(id)}.`))

      const authenticate = Effect.fnUntraced(function* (given: string, first: Redacted.Redacted | null) {
        if (first !== null && isSame(given, Redacted.value(first))) {
          return { id: "ATELIER_ADMIN_TOKEN", role: "owner" } as const
        }
        const now = yield* Clock.currentTimeMillis
        const found = tokenPattern.test(given)
          ? yield* store.findByDigest(sha256(given), now)
          : Option.none<AdminToken>()
        if (Option.isNone(found)) {
          return yield* refuse("invalid_api_key", "The admin token is missing or not valid.")
        }
        const { id, role, disabled, expiresAt } = found.value
        if (disabled) return yield* refuse("api_key_disabled", "This admin token is disabled.")
        if (expiresAt !== null && expiresAt <= now) {
          const expired = new Date(expiresAt).toISOString()
          return yield* refuse("api_key_expired", `This admin token expired at ${expired}.`)
        }
        return { id, role }
      })

      const create = Effect.fn("AdminTokens.create")(function* (given: NewAdminToken) {
        const secret = yield* newSecret
        const token: AdminToken = {
          id: given.id ?? (yield* Effect.provideService(makeId("adm"), SecureRandom, random)),
          name: given.name,
          role: given.role,
          digest: sha256(secret),
          hint: secret.slice(0, hintCharacters),
          previousDigest: null,
          previousUntil: null,
          disabled: false,
          expiresAt: given.expiresAt ?? null,
          createdAt: yield* Clock.currentTimeMillis,
        }
        yield* audit.change(
          "token.create",
          token.id,
          Effect.as(store.insert(token), { value: undefined, before: null, after: auditOf(token) }),
        )
        return { token, secret }
      })

      /** Reads, changes and writes a token, with its entry in the audit log. */
      const change = (action: string, id: string, changed: (token: AdminToken) => AdminToken) =>
        audit.change(
          action,
          id,
          Effect.gen(function* () {
            const before = yield* Effect.flatMap(store.lock(id), required(id))
            const token = changed(before)
            yield* store.update(token)
            return { value: token, before: auditOf(before), after: auditOf(token) }
          }),
        )

      const rotate = Effect.fnUntraced(function* (id: string, overlapMs = 0) {
        const until = yield* overlapEnd(overlapMs)
        const secret = yield* newSecret
        const token = yield* change("token.rotate", id, (before) => ({
          ...before,
          digest: sha256(secret),
          hint: secret.slice(0, hintCharacters),
          previousDigest: until === null ? null : before.digest,
          previousUntil: until,
        }))
        return { token, secret }
      })

      return AdminTokens.of({
        authenticate,
        create,
        get: (id) => Effect.flatMap(store.get(id), required(id)),
        list: store.list,
        setDisabled: (id, disabled) => change("token.update", id, (token) => ({ ...token, disabled })),
        rotate,
      })
    }),
  )
}

/** Compares in constant time. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"))

/** A token as the audit log shows it; times in Unix seconds. */
const auditOf = (token: AdminToken) => ({
  name: token.name,
  role: token.role,
  hint: token.hint,
  previous_until: secondsOf(token.previousUntil),
  disabled: token.disabled,
  expires_at: secondsOf(token.expiresAt),
})

export const secondsOf = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : Math.floor(milliseconds / 1000)
