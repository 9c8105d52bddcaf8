import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StorageError } from "../domain/CoreError.ts"
import type { UserId } from "../domain/Ids.ts"
import type { Transfer, TransferKind } from "../domain/Ledger.ts"
import type { Balance } from "../domain/Principal.ts"

/**
 * A hold that the wallet or the key's quota does not cover, or a grant (`granted`) that would take what was granted
 * above `unitsMax`. `available` is what there is, in units.
 */
export class HoldRefused extends Schema.TaggedError<HoldRefused>()("HoldRefused", {
  account: Schema.Literals(["wallet", "key", "granted"]),
  needed: Schema.Number,
  available: Schema.Number,
}) {}

/** A time in which transfers are added up, Unix milliseconds, `until` excluded, and how many are read at most. */
export interface Period {
  readonly userId?: UserId
  readonly from: number
  readonly until: number
  readonly rowsMax: number
}

export interface Spender {
  readonly userId: UserId
  readonly amount: number
  readonly count: number
}

export class LedgerStore extends Context.Service<
  LedgerStore,
  {
    /**
     * Appends one transfer and moves the balances with it, in the enclosing transaction. The unique id and
     * the unique (task, phase) make a repetition a StorageError. A hold also counts against the key's
     * quota, a release gives it back. Gives the `imageTasks` of the user as they are then: no other transaction
     * changes them until the enclosing one ends.
     */
    readonly post: (transfer: Transfer) => Effect.Effect<number, HoldRefused | StorageError>
    readonly openAccount: (userId: UserId) => Effect.Effect<void, StorageError>
    readonly balance: (userId: UserId) => Effect.Effect<Balance, StorageError>
    /** Image tasks of the user whose hold is open: the unfinished ones. */
    readonly imageTasks: (userId: UserId) => Effect.Effect<number, StorageError>
    readonly balances: (
      userIds: ReadonlyArray<UserId>,
    ) => Effect.Effect<ReadonlyMap<UserId, Balance>, StorageError>
    /** Newest first; `after` is the `sequence` of the last row of the previous page. */
    readonly list: (query: {
      readonly userId?: UserId
      /** Only the transfers of this task. */
      readonly taskId?: string
      readonly after?: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Transfer & { readonly sequence: number }>, StorageError>
    /**
     * Transfers made at or after `from` and before `until`, Unix milliseconds, added up by kind and by periods of
     * `periodMillis`. It reads the newest `rowsMax` of them at most.
     */
    readonly activity: (query: Period & { readonly periodMillis: number }) => Effect.Effect<
      ReadonlyArray<{
        /** Its start is `period * periodMillis`. */
        readonly period: number
        readonly kind: TransferKind
        readonly count: number
        readonly amount: number
      }>,
      StorageError
    >
    /** Who was charged most, the most first: settled units and tasks. It reads `rowsMax` transfers at most. */
    readonly spenders: (
      query: Period & { readonly limit: number },
    ) => Effect.Effect<ReadonlyArray<Spender>, StorageError>
    /**
     * Users whose balances or count of image tasks differ from what their transfers come to, or whose wallet, held
     * and spent do not add up to what was granted. Should always be empty.
     */
    readonly audit: Effect.Effect<ReadonlyArray<UserId>, StorageError>
  }
>()("@atelier/core/ports/LedgerStore") {}
