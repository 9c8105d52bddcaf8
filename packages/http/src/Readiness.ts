import { Blobs, isDiskFull, KeyStore, type StorageError, Transaction } from "@atelier/core"
import * as Effect from "effect/Effect"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

/** Concurrent checks share an answer, because one may take a write. */
const shared = "1 second"

/**
 * Succeeds if storage answers and accepts writes. While a disk is full reads still work, but no submission does: then
 * it fails with 503 `storage_unavailable` and says so, until a write succeeds again.
 */
export const makeReady = Effect.gen(function* () {
  const blobs = yield* Blobs
  const keys = yield* KeyStore
  const transaction = yield* Transaction
  const check = Effect.gen(function* () {
    yield* keys.isEmpty
    yield* Effect.mapError(transaction.writable, saying("The disk of the database is full."))
    yield* Effect.mapError(blobs.writable, saying("The disk of the blobs is full."))
  })
  return yield* Effect.cachedWithTTL(check, shared)
})

const saying =
  (message: string) =>
  (error: StorageError): StorageError | HttpRefusal =>
    isDiskFull(error) ? refuseHttp("storage_unavailable", message) : error
