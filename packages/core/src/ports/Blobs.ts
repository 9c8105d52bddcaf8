import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { StorageError } from "../domain/CoreError.ts"

export interface BlobStat {
  readonly bytes: number
}

/**
 * Immutable byte objects under slash-separated keys. A `put` is durable when it returns, and readers see the
 * whole object or none; putting a key again replaces the whole object.
 */
export class Blobs extends Context.Service<
  Blobs,
  {
    readonly put: (key: string, bytes: Uint8Array) => Effect.Effect<void, StorageError>
    /** Takes over a local file: it is moved where that is possible, and gone afterwards. */
    readonly putFile: (key: string, path: string) => Effect.Effect<void, StorageError>
    readonly stat: (key: string) => Effect.Effect<Option.Option<BlobStat>, StorageError>
    /** Bytes `start` to `end`, both inclusive; the whole object without a range. */
    readonly read: (
      key: string,
      range?: { readonly start: number; readonly end: number },
    ) => Stream.Stream<Uint8Array, StorageError>
    /** A readable local path of the object for as long as the scope lasts; fails where it is absent. */
    readonly localPath: (key: string) => Effect.Effect<string, StorageError, Scope.Scope>
    /** A new empty directory, from which `putFile` is cheap; removed with the scope. */
    readonly scratch: Effect.Effect<string, StorageError, Scope.Scope>
    /** Removes the object, or every object below a key that ends in a slash; nothing where it is absent. */
    readonly remove: (key: string) => Effect.Effect<void, StorageError>
    /** Fails if the blobs are on a local disk that is full. */
    readonly writable: Effect.Effect<void, StorageError>
  }
>()("@atelier/core/ports/Blobs") {}
