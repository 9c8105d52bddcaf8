import type { KeyId, UserId } from "./Ids.ts"
import type { Units } from "./Money.ts"

/** An API key as it is stored: never the key itself, only its SHA-256 digest. Times are Unix milliseconds. */
export interface ApiKey {
  readonly id: KeyId
  readonly userId: UserId
  readonly digest: string
  /** The end of validity of the secret before the last rotation; null: there is none. */
  readonly previousDigest: string | null
  readonly previousUntil: number | null
  /** First characters of the key, to tell keys apart in lists. */
  readonly hint: string
  readonly name: string
  /** Model ids or globs that the key may use; empty permits all. */
  readonly models: ReadonlyArray<string>
  /** Tool ids that the key may use; empty permits all published (document-tools 5.2). */
  readonly tools: ReadonlyArray<string>
  /** Addresses or CIDR ranges; empty permits all (document-tools 5.6). */
  readonly ipAllowlist: ReadonlyArray<string>
  readonly group: string | null
  readonly quotaUnits: Units | null
  /** Held plus spent through this key. */
  readonly usedUnits: Units
  readonly ratePerMinute: number | null
  /** As `SecretBox` stores it; likewise the one before the last rotation, which also signs until it expires. */
  readonly webhookSecret: string
  readonly previousWebhookSecret: string | null
  readonly previousWebhookUntil: number | null
  readonly disabled: boolean
  readonly expiresAt: number | null
  readonly createdAt: number
}

export interface User {
  readonly id: UserId
  readonly name: string
  readonly disabled: boolean
  readonly createdAt: number
}

/** Units of a user; `wallet + held + spent = granted`, always (contract, Money). */
export interface Balance {
  readonly wallet: Units
  readonly held: Units
  readonly spent: Units
  readonly granted: Units
}

/** The caller: an authenticated key and its user. */
export interface Principal {
  readonly user: User
  readonly key: ApiKey
}

/** True where the pattern (an id, or one with `*` for any run of characters) covers the id. */
export const globMatches = (pattern: string, id: string): boolean =>
  pattern === id ||
  (pattern.includes("*") &&
    new RegExp(
      `^${pattern
        .split("*")
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
        .join(".*")}$`,
    ).test(id))
