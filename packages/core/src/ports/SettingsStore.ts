import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../domain/CoreError.ts"
import type { Json } from "../domain/Fingerprint.ts"

/** An administrator's change, for the audit log (contract, Admin API). Unix milliseconds. */
export interface AuditEntry {
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly detail: Json
}

/** What administrators change at run time: catalog overrides, and the log of every change. */
export class SettingsStore extends Context.Service<
  SettingsStore,
  {
    /** Override of one catalog entry, as last put. Asked on every request; no restart is needed. */
    readonly get: (kind: "tool" | "model", id: string) => Effect.Effect<Option.Option<Json>, StorageError>
    readonly put: (kind: "tool" | "model", id: string, value: Json) => Effect.Effect<void, StorageError>
    readonly all: (kind: "tool" | "model") => Effect.Effect<ReadonlyMap<string, Json>, StorageError>
    readonly appendAudit: (entry: AuditEntry) => Effect.Effect<void, StorageError>
    /** Newest first. */
    readonly listAudit: (limit: number) => Effect.Effect<ReadonlyArray<AuditEntry>, StorageError>
  }
>()("@atelier/core/ports/SettingsStore") {}
