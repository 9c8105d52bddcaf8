import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AdminRole } from "../domain/AdminToken.ts"
import type { StorageError } from "../domain/CoreError.ts"
import type { Json } from "../domain/Fingerprint.ts"

/** An operator's change or a refused one, for the audit log (contract, Admin credentials). Unix milliseconds. */
export interface AuditEntry {
  readonly at: number
  readonly actor: string
  /** Null: the caller was unknown, or the entry is older than roles. */
  readonly role: AdminRole | null
  readonly ip: string | null
  readonly requestId: string | null
  readonly action: string
  readonly target: string
  /** The target before and after the change; null where it did not exist. Never a secret. */
  readonly before: Json
  readonly after: Json
  readonly outcome: "done" | "refused"
  /** Why it was refused; null where it was done. */
  readonly code: string | null
}

export interface AuditQuery {
  /** The `sequence` of the last entry of the previous page. */
  readonly after?: number
  readonly limit: number
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly requestId?: string
  readonly outcome?: AuditEntry["outcome"]
}

/**
 * `channel` holds whether an operator paused it. `secret` holds one value: the marker that tells whether a secret key
 * is the one that the database was written with.
 */
export type SettingKind = "tool" | "model" | "channel" | "secret"

/** What administrators change at run time: catalog overrides, and the log of every change. */
export class SettingsStore extends Context.Service<
  SettingsStore,
  {
    /** Override of one catalog entry, as last put. Read on every request; no restart is needed. */
    readonly get: (kind: SettingKind, id: string) => Effect.Effect<Option.Option<Json>, StorageError>
    readonly put: (kind: SettingKind, id: string, value: Json) => Effect.Effect<void, StorageError>
    readonly all: (kind: SettingKind) => Effect.Effect<ReadonlyMap<string, Json>, StorageError>
    readonly appendAudit: (entry: AuditEntry) => Effect.Effect<void, StorageError>
    /** Newest first. */
    readonly listAudit: (
      query: AuditQuery,
    ) => Effect.Effect<ReadonlyArray<AuditEntry & { readonly sequence: number }>, StorageError>
  }
>()("@atelier/core/ports/SettingsStore") {}
