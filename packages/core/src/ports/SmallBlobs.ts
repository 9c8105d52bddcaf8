import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../domain/CoreError.ts"

/**
 * Small documents and results in the database, each under the key that it would have in `Blobs`: they are durable
 * with the transaction that puts them, and cost no file. Anything that is not here is in `Blobs`.
 */
export class SmallBlobs extends Context.Service<
  SmallBlobs,
  {
    /** In the enclosing transaction; putting a key again replaces it. */
    readonly put: (key: string, bytes: Uint8Array) => Effect.Effect<void, StorageError>
    readonly get: (key: string) => Effect.Effect<Option.Option<Uint8Array>, StorageError>
    /** Removes one, or all below a key that ends in a slash; false if there are none. */
    readonly remove: (key: string) => Effect.Effect<boolean, StorageError>
  }
>()("@atelier/core/ports/SmallBlobs") {}
