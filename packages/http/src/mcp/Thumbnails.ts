import { basename } from "node:path"
import { type ImageAsset, Media } from "@atelier/core"
import { ParsingPool, siblingModule, Written } from "@atelier/intake"
import * as Cache from "effect/Cache"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { ThumbnailInput } from "./thumbnail.ts"

/** Larger images have no thumbnail: their bytes, and the pixels that they decode to, are in memory at once. */
const sourceBytesMax = 20 * 1024 * 1024
const sourcePixelsMax = 50_000_000
/** A thumbnail's longest side, in pixels; a smaller one where its PNG would be larger than a result takes. */
const sides = [512, 384, 256, 128]
/** Processor time is given to nothing longer: a picture of `sourcePixelsMax` takes about a second. */
const timeoutMillis = 8_000
/** Thumbnails that are made at once: the bytes of their images are in the server's memory until they are done. */
const concurrentMax = 2
/** How long a result waits for a thumbnail, with its turn. */
const waitAtMost = "12 seconds"
/** Thumbnails that are kept: a task that is asked for again costs nothing. */
const keptMax = 50
/** An image that could not be read, or found no process, is tried again after this. */
const failureKept = "1 minute"

const types: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])
const module = siblingModule("thumbnail", import.meta.url)

class Wanted extends Data.Class<{
  readonly owner: string
  readonly blob: string
  readonly contentType: string
  readonly width: number
  readonly height: number
}> {}

/**
 * Small pictures of archived images, as PNG of at most `bytesMax`: made by the parsing processes, where no image can
 * take the server's memory or time, and in the turn of its owner; only `concurrentMax` images are read at once. None
 * where an image is too large or cannot be read, nor where there are no such processes.
 */
export const makeThumbnails = Effect.fnUntraced(function* (bytesMax: number) {
  const media = yield* Media
  const pool = Option.getOrUndefined(yield* Effect.serviceOption(ParsingPool))
  if (pool === undefined) return () => Effect.succeedNone
  pool.prepare(module)
  const places = yield* Semaphore.make(concurrentMax)

  const make = Effect.fnUntraced(function* ({ owner, blob, contentType, height, width }: Wanted) {
    const stored = yield* media.find(basename(blob))
    if (Option.isNone(stored)) return Option.none<Uint8Array>()
    const image = Buffer.concat([...(yield* Stream.runCollect(stored.value.read()))])
    const written = new Written(
      () => Promise.reject(new RangeError("a thumbnail is held in memory")),
      bytesMax,
    )
    yield* pool.call({
      owner,
      kind: "parse",
      module,
      function: "thumbnail",
      input: { contentType, width, height, sides, bytesMax } satisfies Omit<
        ThumbnailInput,
        "image" | "write"
      >,
      reads: { image: { data: image } },
      writes: { thumbnail: written },
      writeBytesMax: bytesMax,
      timeoutMillis,
    })
    return "data" in written.content && written.bytes > 0
      ? Option.some(written.content.data)
      : Option.none<Uint8Array>()
  })

  const lookup = (wanted: Wanted) =>
    places.withPermit(make(wanted)).pipe(
      Effect.timeout(waitAtMost),
      Effect.tapError((error) => Effect.logDebug("an image has no thumbnail", error)),
      Effect.orElseSucceed(() => Option.none<Uint8Array>()),
    )
  const cache = yield* Cache.makeWith(lookup, {
    capacity: keptMax,
    timeToLive: (exit) =>
      exit._tag === "Success" && Option.isSome(exit.value) ? Number.POSITIVE_INFINITY : failureKept,
  })

  return (owner: string, { blob, bytes, contentType, height, width }: ImageAsset) =>
    blob === null ||
    contentType === null ||
    !types.has(contentType) ||
    (bytes ?? Number.POSITIVE_INFINITY) > sourceBytesMax ||
    width === null ||
    height === null ||
    width * height > sourcePixelsMax
      ? Effect.succeed(Option.none<Uint8Array>())
      : Cache.get(cache, new Wanted({ owner, blob, contentType, width, height }))
})
