import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../domain/CoreError.ts"

/** Transactions that have not begun: how many, and how long the first of them has waited, in milliseconds. */
export interface Waiting {
  readonly count: number
  readonly millis: number
}

/**
 * One atomic, durable change of storage. Bodies only read and write stores: no network, no blobs, no waiting.
 * `run` returns after the commit is durable; a failing body leaves nothing behind. Bodies nest.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
    /** Runs after the enclosing transaction's commit; at once outside of one. Lost if the process dies. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
    /**
     * The queue in front of storage in this process: for the writer of SQLite, for a connection of Postgres. It is
     * how overload of storage is seen before work is begun.
     */
    readonly waiting: () => Waiting
    /**
     * Fails while the disk is full: after a transaction has failed for that reason it tries a write larger than a
     * submission's, until that succeeds; otherwise it does nothing.
     */
    readonly writable: Effect.Effect<void, StorageError>
  }
>()("@atelier/core/ports/Transaction") {}
