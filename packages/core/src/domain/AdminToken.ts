import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { AdminTokenId } from "./Ids.ts"

/**
 * What an operator's credential may do: everything; read and help customers; only read (contract, Admin
 * credentials).
 */
export const AdminRole = Schema.Literals(["owner", "support", "read"])
export type AdminRole = typeof AdminRole.Type

/**
 * A named admin token as it is stored: never the token itself, only its SHA-256 digest. Times are Unix
 * milliseconds.
 */
export interface AdminToken {
  readonly id: AdminTokenId
  readonly name: string
  readonly role: AdminRole
  readonly digest: string
  /** First characters of the token, to tell tokens apart in lists. */
  readonly hint: string
  /** The end of validity of the secret before the last rotation; null: there is none. */
  readonly previousDigest: string | null
  readonly previousUntil: number | null
  readonly disabled: boolean
  readonly expiresAt: number | null
  readonly createdAt: number
}

/**
 * A browser's session: as good as the admin token that it was opened with, for a while. Neither its own secret nor the
 * token is stored, only their SHA-256 digests. Times are Unix milliseconds.
 */
export interface AdminSession {
  readonly digest: string
  readonly tokenDigest: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** Who changes something, for the audit log: the credential, the client's address and the request. */
export interface Actor {
  /** `adm_…`, the name of the setting that holds the credential, or how the change was made without one. */
  readonly id: string
  /** Null where the caller is unknown. */
  readonly role: AdminRole | null
  readonly ip: string | null
  readonly requestId: string | null
}

/** The actor of the enclosed effects; code in the same process acts without a credential. */
export const CurrentActor = Context.Reference<Actor>("@atelier/core/domain/CurrentActor", {
  defaultValue: () => ({ id: "process", role: "owner", ip: null, requestId: null }),
})
