import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { StorageError } from "../domain/CoreError.ts"
import { Blobs } from "../ports/Blobs.ts"

const namePattern = /^([0-9a-f]{64})\.(png|jpg|webp|gif|avif)$/
const contentTypes: { readonly [extension: string]: string } = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
}

export interface StoredImage {
  /** What the name says: 64 hex digits of the hashes of the bytes and of the task (decision 38). */
  readonly hash: string
  readonly contentType: string
  readonly bytes: number
  /** Bytes `start` to `end`, both inclusive; all without a range. */
  readonly read: (range?: {
    readonly start: number
    readonly end: number
  }) => Stream.Stream<Uint8Array, StorageError>
}

/** Archived images, for anyone who knows their name: the hash of their bytes (image-tasks 4.3: permanent links). */
export class Media extends Context.Service<
  Media,
  { readonly find: (name: string) => Effect.Effect<Option.Option<StoredImage>, StorageError> }
>()("@atelier/core/services/Media") {
  static readonly layer = Layer.effect(
    Media,
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const find = Effect.fnUntraced(function* (name: string) {
        const [, hash, extension = ""] = namePattern.exec(name) ?? []
        if (hash === undefined) return Option.none<StoredImage>()
        const key = `media/${name}`
        return Option.map(
          yield* blobs.stat(key),
          ({ bytes }): StoredImage => ({
            hash,
            contentType: contentTypes[extension] ?? "application/octet-stream",
            bytes,
            read: (range) => (range === undefined ? blobs.read(key) : blobs.read(key, range)),
          }),
        )
      })
      return Media.of({ find })
    }),
  )
}
