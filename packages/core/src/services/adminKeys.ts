import * as Clock from "effect/Clock"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { type Json, sha256 } from "../domain/Fingerprint.ts"
import { type KeyId, makeId, type UserId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
import {
  formatUsd,
  type Units,
  UnitsPerUsd,
  type Usd,
  unitsFromUsd,
  unitsMax,
  usdFromUnits,
} from "../domain/Money.ts"
import type { ApiKey, User } from "../domain/Principal.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { SecretBox, sealedBy } from "../ports/SecretBox.ts"
import { isAddressRange, quote } from "./Access.ts"
import { secondsOf } from "./AdminTokens.ts"
import { Audit } from "./Audit.ts"
import { makeOverlap } from "./rotation.ts"

type Failure = CoreError | StorageError

/** What an administrator may set on a key; absent leaves it as it is, or at its default for a new key. */
export interface KeySettings {
  readonly name?: string
  /** Ids or globs; in one text they are separated by commas. Empty: all. */
  readonly models?: ReadonlyArray<string> | string
  /** Ids; in one text they are separated by commas. Empty: all published tools (document-tools 5.2). */
  readonly tools?: ReadonlyArray<string> | string
  readonly ipAllowlist?: ReadonlyArray<string>
  readonly group?: string | null
  readonly quotaUsd?: Usd | null
  readonly ratePerMinute?: number | null
  /** Unix milliseconds; null: never. */
  readonly expiresAt?: number | null
  readonly disabled?: boolean
}

/** A key with a secret that is shown once: the key itself, or its webhook secret. */
export interface ShownKey {
  readonly key: ApiKey
  readonly secret: string
}

/** The part of `Admin` that creates and changes API keys. */
export interface AdminKeys {
  /** The plain key and the webhook secret are in this answer and nowhere else (contract, Names). */
  readonly createKey: (
    userId: string,
    settings: KeySettings,
    id?: KeyId,
  ) => Effect.Effect<ShownKey & { readonly webhookSecret: string }, Failure>
  readonly getKey: (id: string) => Effect.Effect<ApiKey, Failure>
  readonly updateKey: (id: string, settings: KeySettings) => Effect.Effect<ApiKey, Failure>
  /** A new secret; the old one stays valid for `overlapMs`; absent: `rotation_overlap_ms`. */
  readonly rotateKey: (id: string, overlapMs?: number) => Effect.Effect<ShownKey, Failure>
  /** Encrypts the webhook secrets of a user's keys with the current secret key; returns how many were rewritten. */
  readonly sealSecrets: (userId: UserId) => Effect.Effect<number, Failure>
  /** A new webhook secret; both sign for `overlapMs`; absent: `rotation_overlap_ms`. */
  readonly rotateWebhookSecret: (id: string, overlapMs?: number) => Effect.Effect<ShownKey, Failure>
}

const hintCharacters = 11

/** An operator's amount in units; refuses one that cannot be counted exactly, naming `param`. */
export const requireUnits = (amount: Usd, unitsPerUsd: number, param: string) =>
  Effect.suspend((): Effect.Effect<Units, CoreError> => {
    const units = unitsFromUsd(amount, unitsPerUsd)
    if (units <= unitsMax) return Effect.succeed(units)
    const most = formatUsd(usdFromUnits(unitsMax, unitsPerUsd))
    const message = `\`${param}\` may be at most ${most} (${unitsMax} units); got ${formatUsd(amount)}.`
    return Effect.fail(refuse("invalid_parameter", message, { param }))
  })

export const makeAdminKeys = Effect.fnUntraced(function* (
  requireUser: (id: string) => Effect.Effect<User, Failure>,
) {
  const audit = yield* Audit
  const box = yield* SecretBox
  const keys = yield* KeyStore
  const { rotation_overlap_ms: overlapDefault } = yield* Limits
  const overlapEnd = yield* makeOverlap
  const random = yield* SecureRandom
  const unitsPerUsd = yield* UnitsPerUsd

  const newSecret = Effect.map(random.randomBytes(32), (bytes) => `sk-atl-${Base64Url.encode(bytes)}`)
  const newWebhookSecret = Effect.map(random.randomBytes(24), (bytes) => `whsec_${Base64.encode(bytes)}`)

  const required = (id: string) => (found: Option.Option<ApiKey>) =>
    Option.isSome(found)
      ? Effect.succeed(found.value)
      : Effect.fail(refuse("not_found", `There is no key ${quote(id)}.`))

  /**
   * The settings as a key stores them; refuses invalid lists and addresses, and a quota that cannot be counted
   * exactly.
   */
  const checked = Effect.fnUntraced(function* ({ quotaUsd, models, tools, ...others }: KeySettings) {
    yield* requireAddresses(others)
    const rest = {
      ...others,
      ...(models === undefined ? {} : { models: yield* entriesOf(models, "models") }),
      ...(tools === undefined ? {} : { tools: yield* entriesOf(tools, "tools") }),
    }
    if (quotaUsd === undefined) return rest
    const units = quotaUsd === null ? null : yield* requireUnits(quotaUsd, unitsPerUsd, "quota_usd")
    return { ...rest, quotaUnits: units }
  })

  const createKey: AdminKeys["createKey"] = Effect.fnUntraced(function* (userId, given, givenId) {
    const settings = yield* checked(given)
    const id = givenId ?? (yield* Effect.provideService(makeId("key"), SecureRandom, random))
    const secret = yield* newSecret
    const webhookSecret = yield* newWebhookSecret
    const blank: Omit<ApiKey, "userId"> = {
      id,
      digest: sha256(secret),
      hint: secret.slice(0, hintCharacters),
      previousDigest: null,
      previousUntil: null,
      name: "",
      models: [],
      tools: [],
      ipAllowlist: [],
      group: null,
      quotaUnits: null,
      usedUnits: 0,
      ratePerMinute: null,
      webhookSecret: yield* box.seal(webhookSecret, id),
      previousWebhookSecret: null,
      previousWebhookUntil: null,
      disabled: false,
      expiresAt: null,
      createdAt: yield* Clock.currentTimeMillis,
    }
    const key = yield* audit.change(
      "key.create",
      id,
      Effect.gen(function* () {
        const user = yield* requireUser(userId)
        const key: ApiKey = { ...blank, userId: user.id, ...settings }
        yield* keys.insertKey(key)
        return { value: key, before: null, after: auditOf(key) }
      }),
    )
    return { key, secret, webhookSecret }
  })

  /** Reads and changes a key and writes it with `write`, with its entry in the audit log. */
  const change = <E extends Failure>(
    action: string,
    id: string,
    changed: (key: ApiKey) => Effect.Effect<ApiKey, E>,
    write: (key: ApiKey) => Effect.Effect<boolean, StorageError>,
  ) =>
    audit.change(
      action,
      id,
      Effect.gen(function* () {
        const before = yield* Effect.flatMap(keys.lockKey(id), required(id))
        const key = yield* changed(before)
        yield* write(key)
        return { value: key, before: auditOf(before), after: auditOf(key) }
      }),
    )

  /** A secret that is not encrypted with the current secret key is encrypted with it. */
  const resealed = (stored: string, id: KeyId) =>
    sealedBy(stored) === (box.keyIds[0] ?? null)
      ? Effect.succeed(stored)
      : Effect.matchEffect(box.open(stored, id), {
          onFailure: () => Effect.succeed(stored),
          onSuccess: (secret) => box.seal(secret, id),
        })

  const withSealed = Effect.fnUntraced(function* (key: ApiKey) {
    const { id, webhookSecret, previousWebhookSecret: previous } = key
    return {
      ...key,
      webhookSecret: yield* resealed(webhookSecret, id),
      previousWebhookSecret: previous === null ? null : yield* resealed(previous, id),
    }
  })

  const sealSecrets: AdminKeys["sealSecrets"] = Effect.fnUntraced(function* (userId) {
    const wanted = box.keyIds[0] ?? null
    const stale = (yield* keys.listKeys(userId)).filter(
      ({ webhookSecret, previousWebhookSecret }) =>
        sealedBy(webhookSecret) !== wanted ||
        (previousWebhookSecret !== null && sealedBy(previousWebhookSecret) !== wanted),
    )
    yield* Effect.forEach(stale, ({ id }) => change("key.seal", id, withSealed, keys.updateKey), {
      discard: true,
    })
    return stale.length
  })

  const updateKey: AdminKeys["updateKey"] = Effect.fnUntraced(function* (id, given) {
    const settings = yield* checked(given)
    return yield* change("key.update", id, (key) => withSealed({ ...key, ...settings }), keys.updateKey)
  })

  const rotateKey: AdminKeys["rotateKey"] = Effect.fnUntraced(function* (id, overlapMs = overlapDefault) {
    const until = yield* overlapEnd(overlapMs)
    const secret = yield* newSecret
    const key = yield* change(
      "key.rotate",
      id,
      (before) =>
        Effect.succeed({
          ...before,
          digest: sha256(secret),
          hint: secret.slice(0, hintCharacters),
          previousDigest: until === null ? null : before.digest,
          previousUntil: until,
        }),
      keys.updateDigest,
    )
    return { key, secret }
  })

  const rotateWebhookSecret: AdminKeys["rotateWebhookSecret"] = Effect.fnUntraced(function* (
    id,
    overlapMs = overlapDefault,
  ) {
    const until = yield* overlapEnd(overlapMs)
    const secret = yield* newWebhookSecret
    const key = yield* change(
      "key.rotate_webhook_secret",
      id,
      Effect.fnUntraced(function* (before) {
        const previous = until === null ? null : yield* resealed(before.webhookSecret, before.id)
        const webhookSecret = yield* box.seal(secret, before.id)
        return {
          ...before,
          webhookSecret,
          previousWebhookSecret: previous,
          previousWebhookUntil: until,
        }
      }),
      keys.updateKey,
    )
    return { key, secret }
  })

  const work: AdminKeys = {
    createKey,
    getKey: (id) => Effect.flatMap(keys.getKey(id), required(id)),
    updateKey,
    rotateKey,
    rotateWebhookSecret,
    sealSecrets,
  }
  return work
})

/** A key as the audit log shows it, in the names of the admin API; times in Unix seconds. No secret, no digest. */
const auditOf = (key: ApiKey): { readonly [name: string]: Json } => ({
  user_id: key.userId,
  hint: key.hint,
  previous_until: secondsOf(key.previousUntil),
  previous_webhook_until: secondsOf(key.previousWebhookUntil),
  name: key.name,
  models: key.models,
  tools: key.tools,
  ip_allowlist: key.ipAllowlist,
  group: key.group,
  quota_units: key.quotaUnits,
  rate_per_minute: key.ratePerMinute,
  disabled: key.disabled,
  expires_at: secondsOf(key.expiresAt),
})

/** Entries of one list of a key, and characters of one. */
const entriesMax = 200

/**
 * A key's list without the white space around its entries. An empty entry is refused, since a list of nothing else
 * would permit everything; an empty text is the empty list.
 */
const entriesOf = (
  given: ReadonlyArray<string> | string,
  param: "models" | "tools",
): Effect.Effect<ReadonlyArray<string>, CoreError> => {
  const listed = typeof given === "string" ? (given.trim() === "" ? [] : given.split(",")) : given
  const entries = listed.map((entry) => entry.trim())
  const wrong = entries.findIndex((entry) => entry === "" || entry.length > entriesMax || entry.includes(","))
  if (wrong < 0 && entries.length <= entriesMax) return Effect.succeed([...new Set(entries)])
  const message = `\`${param}\` takes ids as an array, or in one text separated by commas: at most ${entriesMax}, each of 1 to ${entriesMax} characters; got ${wrong < 0 ? entries.length : quote(listed[wrong] ?? "")}.`
  return Effect.fail(refuse("invalid_parameter", message, { param }))
}

const requireAddresses = ({ ipAllowlist = [] }: KeySettings): Effect.Effect<void, CoreError> => {
  const wrong = ipAllowlist.find((entry) => !isAddressRange(entry))
  return wrong === undefined
    ? Effect.void
    : Effect.fail(
        refuse(
          "invalid_parameter",
          `\`ip_allowlist\` takes IPv4 and IPv6 addresses and CIDR ranges; got ${quote(wrong)}.`,
          { param: "ip_allowlist" },
        ),
      )
}
