import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { CoreError, StorageError } from "../domain/CoreError.ts"
import type { AdminTokenId, KeyId, TaskId, UserId } from "../domain/Ids.ts"

/** The owner of idempotency keys: an API key, or the credential of an operator. */
export type IdempotencyScope = KeyId | `admin:${string}`

/** What a request made or changed. */
export type IdempotencySubject = TaskId | UserId | KeyId | AdminTokenId | `channel:${string}`

/**
 * What is recorded under a key: `reserved` while the first request is being checked, then the accepted task or
 * the refusal. Times are Unix milliseconds; a reservation is void after `reservedUntil`.
 */
export interface IdempotencyRecord {
  readonly keyId: IdempotencyScope
  readonly idempotencyKey: string
  readonly operation: string
  readonly fingerprint: string
  readonly taskId: IdempotencySubject
  readonly outcome:
    | { readonly _tag: "Reserved"; readonly reservedUntil: number }
    | { readonly _tag: "Accepted" }
    | { readonly _tag: "Refused"; readonly error: CoreError }
  readonly createdAt: number
  readonly expiresAt: number
}

export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /** The record that is in force at `now`; expired records and void reservations do not count. */
    readonly get: (
      keyId: IdempotencyScope,
      idempotencyKey: string,
      now: number,
    ) => Effect.Effect<Option.Option<IdempotencyRecord>, StorageError>
    /**
     * Writes the record unless another one is in force; a reservation of the same `taskId` is the caller's
     * own and is replaced. False if another one is in force.
     */
    readonly put: (record: IdempotencyRecord, now: number) => Effect.Effect<boolean, StorageError>
    /** Removes the caller's own reservation; does nothing if it is gone. */
    readonly release: (
      keyId: IdempotencyScope,
      idempotencyKey: string,
      taskId: IdempotencySubject,
    ) => Effect.Effect<void, StorageError>
    /** Removes up to `limit` records that expired before `now`; answers how many. */
    readonly removeExpired: (now: number, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@atelier/core/ports/IdempotencyStore") {}
