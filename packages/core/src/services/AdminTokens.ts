import { hash, timingSafeEqual } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Actor, AdminRole, AdminSession, AdminToken } from "../domain/AdminToken.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { sha256 } from "../domain/Fingerprint.ts"
import { type AdminTokenId, makeId } from "../domain/Ids.ts"
import { adminSessionsMax, Limits } from "../domain/Limits.ts"
import { type RatePolicy, TokenBuckets } from "../domain/TokenBuckets.ts"
import { withSpan } from "../domain/Tracing.ts"
import { AdminTokenStore } from "../ports/AdminTokenStore.ts"
import { quote } from "./Access.ts"
import { Audit } from "./Audit.ts"
import { makeOverlap } from "./rotation.ts"

type Failure = CoreError | StorageError

/** Admin tokens are `sk-atladm-` and 43 characters base64url: 32 random bytes (contract, Admin credentials). */
const tokenPattern = /^sk-atladm-[A-Za-z0-9_-]{43}$/
const hintCharacters = 14
/** Each session is an entry of the audit log, which is never emptied. By admin token, in each process. */
const sessionRate: RatePolicy = { perMinute: 10, burst: 30 }
const bucketsMax = 1000
/** 32 random bytes in base64url. */
const sessionPattern = /^[A-Za-z0-9_-]{43}$/

export interface NewAdminToken {
  readonly id?: AdminTokenId
  readonly name: string
  readonly role: AdminRole
  /** Unix milliseconds; null or absent: never. */
  readonly expiresAt?: number | null
}

/** Whose credential it is. */
interface Identity {
  readonly id: Actor["id"]
  readonly role: AdminRole
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
    ) => Effect.Effect<Identity, Failure>
    /**
     * A session for a browser, as good as the token that it is opened with, for `admin_session_ms`. Its secret is in
     * this answer alone. Refuses as `authenticate`.
     */
    readonly openSession: (
      token: string,
      first: Redacted.Redacted | null,
    ) => Effect.Effect<
      Identity & { readonly secret: string; readonly expiresAt: number; readonly lastsMillis: number },
      Failure
    >
    /** As `authenticate`, by the secret of a session. Refuses with `invalid_api_key` once it is over. */
    readonly authenticateSession: (
      secret: string,
      first: Redacted.Redacted | null,
    ) => Effect.Effect<Identity & { readonly expiresAt: number }, Failure>
    readonly closeSession: (secret: string) => Effect.Effect<void, Failure>
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
      const { admin_session_ms } = yield* Limits
      const opened = new TokenBuckets<string>(bucketsMax)

      const newSecret = Effect.map(random.randomBytes(32), (bytes) => `sk-atladm-${Base64Url.encode(bytes)}`)

      const required = (id: string) => (found: Option.Option<AdminToken>) =>
        Option.isSome(found)
          ? Effect.succeed(found.value)
          : Effect.fail(refuse("not_found", `There is no admin token ${quote(id)}.`))

      const authenticate = Effect.fnUntraced(function* (given: string, first: Redacted.Redacted | null) {
        const isFirst = first !== null && isSame(given, Redacted.value(first))
        return yield* identify(isFirst || tokenPattern.test(given) ? sha256(given) : null, first)
      })

      /** The owner of the token with a digest; null: of a text that is no token. */
      const identify = Effect.fnUntraced(function* (
        digest: string | null,
        first: Redacted.Redacted | null,
      ): Effect.fn.Return<Identity, Failure> {
        if (digest !== null && first !== null && isSame(digest, sha256(Redacted.value(first)))) {
          return { id: "ATELIER_ADMIN_TOKEN", role: "owner" }
        }
        const now = yield* Clock.currentTimeMillis
        const found = digest === null ? Option.none<AdminToken>() : yield* store.findByDigest(digest, now)
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

      const openSession = Effect.fnUntraced(function* (token: string, first: Redacted.Redacted | null) {
        const identity = yield* authenticate(token, first)
        const { allowed, retryAfterSeconds } = opened.take(
          identity.id,
          sessionRate,
          yield* Clock.currentTimeMillis,
        )
        if (!allowed) {
          const message = `This admin token opened ${sessionRate.burst} sessions within a short time; at most ${sessionRate.perMinute} a minute are allowed.`
          return yield* refuse("rate_limited", message, { retryAfterSeconds })
        }
        const secret = Base64Url.encode(yield* random.randomBytes(32))
        const createdAt = yield* Clock.currentTimeMillis
        const expiresAt = createdAt + admin_session_ms
        const session = { digest: sha256(secret), tokenDigest: sha256(token), createdAt, expiresAt }
        yield* audit.change(
          "session.open",
          identity.id,
          Effect.as(store.insertSession(session, adminSessionsMax), {
            value: undefined,
            before: null,
            after: { expires_at: secondsOf(expiresAt) },
          }),
        )
        return { ...identity, secret, expiresAt, lastsMillis: admin_session_ms }
      }, withSpan("AdminTokens.openSession"))

      const authenticateSession = Effect.fnUntraced(function* (
        secret: string,
        first: Redacted.Redacted | null,
      ) {
        const now = yield* Clock.currentTimeMillis
        const session = sessionPattern.test(secret)
          ? yield* store.findSession(sha256(secret), now)
          : Option.none<AdminSession>()
        if (Option.isNone(session)) {
          return yield* refuse("invalid_api_key", "This session is over: sign in again.")
        }
        const { tokenDigest, expiresAt } = session.value
        return { ...(yield* identify(tokenDigest, first)), expiresAt }
      })

      const create = Effect.fnUntraced(function* (given: NewAdminToken) {
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
      }, withSpan("AdminTokens.create"))

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
        openSession,
        authenticateSession,
        closeSession: (secret) =>
          audit.change(
            "session.close",
            sessionPattern.test(secret) ? sha256(secret).slice(0, hintCharacters) : "",
            Effect.as(store.removeSession(sha256(secret)), { value: undefined, before: null, after: null }),
          ),
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
