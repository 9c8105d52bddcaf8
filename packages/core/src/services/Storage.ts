import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { isDiskFull } from "../domain/diskFull.ts"
import { Blobs } from "../ports/Blobs.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { Queue } from "../ports/Queue.ts"
import { Transaction, type Waiting } from "../ports/Transaction.ts"

/** Concurrent checks share an answer, because one may take a write. */
const shared = "1 second"

/** What callers may know of the storage below the services. */
export class Storage extends Context.Service<
  Storage,
  {
    /**
     * Succeeds if storage answers and accepts writes. While a disk is full reads still work, but no submission does:
     * then it refuses with `storage_unavailable` and says so, until a write succeeds again.
     */
    readonly ready: Effect.Effect<void, CoreError | StorageError>
    /** The queue in front of storage in this process: how its overload is seen before work is begun. */
    readonly waiting: () => Waiting
    /** How long the longest-waiting due job of each kind has waited, in milliseconds. */
    readonly oldestJobs: Queue["Service"]["oldest"]
  }
>()("@atelier/core/services/Storage") {
  static readonly layer = Layer.effect(
    Storage,
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const keys = yield* KeyStore
      const queue = yield* Queue
      const transaction = yield* Transaction
      const check = Effect.gen(function* () {
        yield* keys.isEmpty
        yield* Effect.mapError(transaction.writable, saying("The disk of the database is full."))
        yield* Effect.mapError(blobs.writable, saying("The disk of the blobs is full."))
      })
      return Storage.of({
        ready: yield* Effect.cachedWithTTL(check, shared),
        waiting: transaction.waiting,
        oldestJobs: queue.oldest,
      })
    }),
  )
}

const saying =
  (message: string) =>
  (error: StorageError): CoreError | StorageError =>
    isDiskFull(error) ? refuse("storage_unavailable", message) : error
