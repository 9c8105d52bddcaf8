import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { StorageError } from "../domain/CoreError.ts"
import { sha256 } from "../domain/Fingerprint.ts"
import type { ImageAsset } from "../domain/Task.ts"
import { Blobs } from "../ports/Blobs.ts"
import type { GeneratedImage } from "../ports/ImageModel.ts"

/** Copies generated images to permanent storage under the hash of their bytes (image-tasks 1.5). */
export class Archive extends Context.Service<
  Archive,
  {
    /** Stores every image; storing the same bytes again changes nothing. */
    readonly keep: (
      images: ReadonlyArray<GeneratedImage>,
    ) => Effect.Effect<ReadonlyArray<ImageAsset>, StorageError>
  }
>()("@atelier/core/workers/Archive") {
  static readonly layer = Layer.effect(
    Archive,
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const keepOne = (image: GeneratedImage) => {
        const blob = `media/${sha256(image.bytes)}.${extensionFor(image.contentType)}`
        const asset: ImageAsset = {
          blob,
          url: null,
          contentType: image.contentType,
          width: image.width,
          height: image.height,
          bytes: image.bytes.length,
        }
        return Effect.as(Effect.retry(blobs.put(blob, image.bytes), retries), asset)
      }
      return Archive.of({ keep: (images) => Effect.forEach(images, keepOne, { concurrency: 4 }) })
    }),
  )
}

const retries = Schedule.exponential("200 millis").pipe(Schedule.upTo({ times: 4 }))

const extensions: { readonly [contentType: string]: string } = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
}

const extensionFor = (contentType: string): string => extensions[contentType] ?? "bin"
