import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { boundedWarnings } from "../domain/bounded.ts"
import type { StorageError } from "../domain/CoreError.ts"
import { sha256 } from "../domain/Fingerprint.ts"
import { Limits } from "../domain/Limits.ts"
import { makeMeter, metrics } from "../domain/Metrics.ts"
import {
  feeFor,
  type GeneratedSource,
  type ImageAsset,
  type ImageTask,
  imageName,
  imagesIn,
  type PendingArchive,
  type Warning,
} from "../domain/Task.ts"
import { taskFailure } from "../domain/TaskFailure.ts"
import { withSpan } from "../domain/Tracing.ts"
import { Blobs } from "../ports/Blobs.ts"
import { Downloads } from "../ports/Downloads.ts"
import type { GeneratedImage, Generation, ImageBytes } from "../ports/ImageModel.ts"
import type { Job } from "../ports/Queue.ts"
import { LeasedWrites, type WriteFailure } from "./LeasedWrites.ts"

/**
 * Delivers what an upstream made: copies images to permanent storage, and settles
 * (image-tasks 1.5, 3). A failed copy is tried again for a day; it never generates or charges again. A link that may
 * not be followed is not asked again, and not charged: no image was delivered (contract, Money; decision 14).
 */
export class Archive extends Context.Service<
  Archive,
  {
    /** For a generation that just ended. Bytes are stored before anything is written. */
    readonly deliver: (job: Job, task: ImageTask, generation: Generation) => Effect.Effect<void, WriteFailure>
    /** Goes on with a task that is archiving: one round of copying what is still missing. */
    readonly resume: (job: Job, task: ImageTask, pending: PendingArchive) => Effect.Effect<void, WriteFailure>
  }
>()("@atelier/core/workers/Archive") {
  static readonly layer = Layer.effect(
    Archive,
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const downloads = yield* Downloads
      const limits = yield* Limits
      const meter = yield* makeMeter
      const writes = yield* LeasedWrites

      const deliver = Effect.fnUntraced(function* (job: Job, before: ImageTask, generation: Generation) {
        const { images, jobId, text, seed, warnings = [] } = generation
        // Written with the step.
        const task = { ...before, warnings: [...before.warnings, ...boundedWarnings(warnings)] }
        if (images.length === 0 && text === null && seed === null) {
          const message = "The upstream finished without an image."
          yield* writes.fail(job, task, taskFailure("upstream_failed", message))
          return
        }
        const sources = yield* Effect.forEach(images, (image) => sourceOf(task, image), { concurrency: 4 })
        const pending: PendingArchive = { sources, jobId, text, seed, failures: 0 }
        const assets = archivedOf(pending)
        if (assets !== null) {
          yield* finish(job, task, pending, assets)
          return
        }
        const now = yield* Clock.currentTimeMillis
        const archiving = yield* writes.step(job, task, "generate", {
          archive: pending,
          deadlineAt: now + limits.image_archive_deadline_ms,
        })
        yield* resume(job, archiving, pending)
      }, withSpan("Archive.deliver"))

      const resume = Effect.fnUntraced(function* (job: Job, task: ImageTask, pending: PendingArchive) {
        const sources = yield* Effect.forEach(pending.sources, (source) => copy(task, source), {
          concurrency: 4,
        })
        const next: PendingArchive = { ...pending, sources }
        const assets = archivedOf(next)
        if (assets !== null) {
          yield* finish(job, task, next, assets)
          return
        }
        const failures = pending.failures + 1
        yield* writes.amend(job, task, { archive: { ...next, failures } })
        meter.add(metrics.archiveRetries, [])
        yield* writes.retry(job, Math.min(1000 * 2 ** (failures - 1), retryDelayMsMax))
      }, withSpan("Archive.resume"))

      const finish = (
        job: Job,
        task: ImageTask,
        { sources, jobId, text, seed }: PendingArchive,
        assets: ReadonlyArray<ImageAsset>,
      ): Effect.Effect<unknown, WriteFailure> =>
        assets.length === 0 && sources.length > 0
          ? writes.fail(job, task, taskFailure("upstream_failed", refusedMessage))
          : writes.step(job, task, "finish", {
              progress: 100,
              archive: null,
              result: { assets, jobId, text, seed },
              charged: feeFor(task, assets.length),
              warnings: assets.some(({ blob }) => blob === null)
                ? [...task.warnings, notArchived]
                : task.warnings,
            })

      /** Bytes are archived at once; a link is handed on, or left for the rounds of copying. */
      const sourceOf = (
        task: ImageTask,
        image: GeneratedImage,
      ): Effect.Effect<GeneratedSource, StorageError> => {
        if (!("url" in image)) return keep(task, image)
        const { url } = image
        return Effect.succeed(
          task.delivery === "archive"
            ? { _tag: "Link", url }
            : { _tag: "Archived", asset: passedThrough(url) },
        )
      }

      /** A link that cannot be copied now stays a link. */
      const copy = (task: ImageTask, source: GeneratedSource): Effect.Effect<GeneratedSource> =>
        source._tag === "Link"
          ? Effect.flatMap(downloads.image(source.url), (image) => keep(task, image)).pipe(
              Effect.catch((error) =>
                Effect.as(
                  Effect.logWarning("an image could not be copied", error),
                  error._tag === "DownloadFailed" && error.refused === true ? refused : source,
                ),
              ),
            )
          : Effect.succeed(source)

      /**
       * Storing the same bytes again changes nothing. The name is a hash of the task too: no other task has the blob, so
       * that it can be removed with its task.
       */
      const keep = ({ id }: ImageTask, image: ImageBytes): Effect.Effect<GeneratedSource, StorageError> => {
        const { bytes, contentType, width, height } = image
        const blob = `media/${imageName(id, sha256(bytes))}.${extensions[contentType] ?? "bin"}`
        const asset: ImageAsset = {
          blob,
          url: null,
          contentType,
          width,
          height,
          bytes: bytes.length,
          own: true,
        }
        return Effect.as(blobs.put(blob, bytes), { _tag: "Archived", asset })
      }

      return Archive.of({ deliver, resume })
    }),
  )
}

const retryDelayMsMax = 10 * 60 * 1000

const refused: GeneratedSource = { _tag: "Refused" }
const refusedMessage = "The upstream answered with links that may not be followed, and with no image."

const notArchived: Warning = {
  code: "result_not_archived",
  message: "The images stay on the upstream's server, whose links may expire: download them soon.",
}

/** The assets of all that was delivered, once nothing is left to copy. */
const archivedOf = (pending: PendingArchive): ReadonlyArray<ImageAsset> | null => {
  const assets = pending.sources.flatMap((source) => (source._tag === "Archived" ? [source.asset] : []))
  return assets.length === imagesIn(pending) ? assets : null
}

const passedThrough = (url: string): ImageAsset => ({
  blob: null,
  url,
  contentType: null,
  width: null,
  height: null,
  bytes: null,
})

const extensions: { readonly [contentType: string]: string } = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
}
