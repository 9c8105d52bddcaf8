import { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import { isKey } from "./BlobKey.ts"

/** A file operation that has started is never abandoned: an interruption waits for its end. */
export const attempt = <A>(operation: string, run: () => Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.uninterruptible(
    Effect.tryPromise({ try: run, catch: (cause) => new StorageError({ operation, cause }) }),
  )

/** Fails if the key is invalid, before anything is attempted. */
export const requireKey = (operation: string, key: string): Effect.Effect<void, StorageError> =>
  isKey(key)
    ? Effect.void
    : Effect.fail(new StorageError({ operation, cause: new Error(`not a blob key: ${JSON.stringify(key)}`) }))
