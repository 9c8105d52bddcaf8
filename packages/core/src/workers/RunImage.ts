import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { boundedFailure, boundedGeneration } from "../domain/bounded.ts"
import type { StepRefused, StorageError } from "../domain/CoreError.ts"
import { upstreamIdCharsMax } from "../domain/Limits.ts"
import { makeMeter, metrics } from "../domain/Metrics.ts"
import { givenImagesOf, heldFileOf, type ImageTask, isKeptApart } from "../domain/Task.ts"
import { taskFailure } from "../domain/TaskFailure.ts"
import { annotateSpan, withSpan } from "../domain/Tracing.ts"
import { type ImageChannel, ImageModels, UpstreamError } from "../ports/ImageModel.ts"
import type { Job } from "../ports/Queue.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Channels } from "../services/Channels.ts"
import { HeldImages } from "../services/HeldImages.ts"
import { Transitions } from "../services/Transitions.ts"
import { Archive } from "./Archive.ts"
import { LeasedWrites, type WriteFailure } from "./LeasedWrites.ts"

/** What became of one try on one channel. */
type Tried =
  | { readonly _tag: "Ended" }
  | {
      readonly _tag: "Unavailable"
      readonly task: ImageTask
      readonly retryAfterMillis: number | undefined
    }

const ended: Tried = { _tag: "Ended" }

/** How far a run has come with the channel that its task entered as the job was leased. */
export interface Entry {
  /** Nothing was sent to the channel yet: whoever runs the task next may enter any. */
  isUnsent: boolean
}

/**
 * Runs image tasks. A task goes to the first channel that accepts it; from then on it stays there, because
 * asking another could make, and cost, a second generation (contract, Images: upstream duty).
 */
export class RunImage extends Context.Service<
  RunImage,
  {
    /**
     * Starts a queued task on the first of its channels, in the transaction that leases its job: after a crash the task
     * says which channel may have accepted it. Undefined where all of its channels are paused.
     */
    readonly enter: (task: ImageTask) => Effect.Effect<ImageTask | undefined, StepRefused | StorageError>
    readonly run: (job: Job, task: ImageTask, entry: Entry) => Effect.Effect<void, WriteFailure>
  }
>()("@atelier/core/workers/RunImage") {
  static readonly layer = Layer.effect(
    RunImage,
    Effect.gen(function* () {
      const archive = yield* Archive
      const channels = yield* Channels
      const held = yield* HeldImages
      const meter = yield* makeMeter
      const models = yield* ImageModels
      const writes = yield* LeasedWrites
      const tasks = yield* TaskStore
      const transitions = yield* Transitions

      const run = (job: Job, task: ImageTask, entry: Entry): Effect.Effect<void, WriteFailure> => {
        if (task.archive !== null) return archive.resume(job, task, task.archive)
        if (task.upstream === null || entry.isUnsent) return begin(job, task, entry)
        return resume(job, task, task.upstream.channel, entry)
      }

      const enter = Effect.fnUntraced(function* (task: ImageTask) {
        const [channel] = yield* openChannels(task)
        return channel === undefined
          ? undefined
          : yield* transitions.apply(task, "start", { upstream: { channel: channel.id, upstreamId: null } })
      })

      /** Tries the channel that was entered, then the others that are not paused, until one accepts. */
      const begin = Effect.fnUntraced(function* (job: Job, given: ImageTask, entry: Entry) {
        let task = given
        let retryAfterMillis: number | undefined
        const first = given.upstream === null ? undefined : models.channel(given.upstream.channel)
        const others = (yield* openChannels(given)).filter((channel) => channel !== first)
        for (const channel of first === undefined ? others : [first, ...others]) {
          const tried = yield* attempt(job, yield* entered(job, task, channel), channel, entry)
          if (tried._tag === "Ended") return
          if (wasAccepted(tried.task)) return yield* writes.retry(job, tried.retryAfterMillis)
          task = yield* leave(job, tried.task)
          retryAfterMillis = soonest(retryAfterMillis, tried.retryAfterMillis)
        }
        yield* writes.retry(job, retryAfterMillis)
      })

      const channelsFor = (task: ImageTask) => {
        const pinned = task.pinnedChannel === null ? undefined : models.channel(task.pinnedChannel)
        return pinned === undefined ? models.channelsFor(task.request.model) : Effect.succeed([pinned])
      }

      /** The model's channels in their order, without those that are paused. */
      const openChannels = Effect.fnUntraced(function* (task: ImageTask) {
        const paused = yield* channels.paused
        return (yield* channelsFor(task)).filter(({ id }) => !paused.has(id))
      })

      /** Written before anything is sent to the channel. */
      const entered = (job: Job, task: ImageTask, channel: ImageChannel) => {
        if (task.upstream?.channel === channel.id) return Effect.succeed(task)
        const upstream = { channel: channel.id, upstreamId: null }
        return task.state === "queued"
          ? writes.step(job, task, "start", { upstream })
          : writes.amend(job, task, { upstream })
      }

      /** A channel that was entered in this run and did not accept: the task is free for another. */
      const leave = (job: Job, task: ImageTask) => writes.amend(job, task, { upstream: null })

      /** The process died with the task: it goes on where that cannot make a second generation. */
      const resume = Effect.fnUntraced(function* (job: Job, task: ImageTask, id: string, entry: Entry) {
        const channel = models.channel(id)
        if (channel === undefined) {
          const message = "The channel on which the task began is not configured any more."
          return yield* writes.fail(job, task, taskFailure("upstream_failed", message))
        }
        if (!mayRepeat(channel, task)) return yield* writes.markUnknown(job, task)
        const tried = yield* attempt(job, task, channel, entry)
        // It may have accepted before the process died: no other channel is asked.
        if (tried._tag === "Unavailable") yield* writes.retry(job, tried.retryAfterMillis)
      })

      /** With the images that are kept apart from the task, or came with its request. */
      const wholeRequest = Effect.fnUntraced(function* ({ id, request }: ImageTask) {
        if (request.images.some(isKeptApart)) {
          const images = yield* tasks.images(id)
          return Option.isNone(images) ? request : { ...request, images: images.value }
        }
        if (!givenImagesOf(request).some((image) => heldFileOf(image) !== undefined)) return request
        const images = yield* Effect.forEach(request.images, held.open)
        const { mask } = request.extra
        const extra =
          typeof mask === "string" ? { ...request.extra, mask: yield* held.open(mask) } : request.extra
        return { ...request, images, extra }
      })

      const attempt = Effect.fnUntraced(function* (
        job: Job,
        given: ImageTask,
        channel: ImageChannel,
        entry: Entry,
      ) {
        yield* annotateSpan({ "atelier.channel": channel.id })
        let task = given
        const note = (patch: Partial<Pick<ImageTask, "upstream" | "progress">>) =>
          Effect.map(writes.amend(job, task, patch), (next) => {
            task = next
          })
        const request = yield* wholeRequest(task)
        const askedAt = yield* Clock.currentTimeMillis
        entry.isUnsent = false
        const generation = yield* Effect.result(
          channel.generate({
            reference: task.id,
            request,
            upstreamId: task.upstream?.upstreamId ?? null,
            onAccepted: (upstreamId) =>
              upstreamId.length > upstreamIdCharsMax
                ? Effect.fail(new UpstreamError({ reason: "failed", message: idTooLong(upstreamId) }))
                : Effect.mapError(
                    note({ upstream: { channel: channel.id, upstreamId } }),
                    ({ message }) => new UpstreamError({ reason: "ambiguous", message }),
                  ),
            onProgress: (given) =>
              Effect.suspend(() => {
                const progress = Math.floor(Math.min(given, 100))
                // An upstream that says the same again, or less, makes no write and no event.
                return progress > task.progress ? Effect.ignore(note({ progress })) : Effect.void
              }),
          }),
        )
        const outcome = generation._tag === "Failure" ? generation.failure.reason : "ok"
        const seconds = ((yield* Clock.currentTimeMillis) - askedAt) / 1000
        meter.observe(metrics.upstream, [channel.id, outcome], seconds)
        yield* annotateSpan({ "atelier.outcome": outcome })
        if (generation._tag === "Failure") return yield* failed(job, task, channel, generation.failure)
        yield* archive.deliver(job, task, boundedGeneration(generation.success))
        return ended
      }, withSpan("RunImage.attempt"))

      const failed = Effect.fnUntraced(function* (
        job: Job,
        task: ImageTask,
        channel: ImageChannel,
        { reason, message, retryAfterMillis }: UpstreamError,
      ) {
        switch (reason) {
          case "rejected":
            yield* writes.fail(job, task, taskFailure("upstream_rejected", message))
            return ended
          case "failed":
            yield* writes.fail(job, task, taskFailure("upstream_failed", message))
            return ended
          case "canceled":
            yield* writes.fail(job, task, taskFailure("canceled", "The task was canceled while it ran."))
            return ended
          case "ambiguous":
            yield* mayRepeat(channel, task) ? writes.retry(job) : writes.markUnknown(job, task)
            return ended
          case "unavailable": {
            yield* Effect.logInfo("a channel is unavailable", {
              channel: channel.id,
              reason: boundedFailure({ code: reason, message }).message,
            })
            const tried: Tried = { _tag: "Unavailable", task, retryAfterMillis }
            return tried
          }
        }
      })

      return RunImage.of({ enter, run })
    }),
  )
}

/** An interrupted run goes on where the upstream is known, or where asking again makes nothing twice. */
const mayRepeat = (channel: ImageChannel, task: ImageTask): boolean => channel.repeatable || wasAccepted(task)

const wasAccepted = (task: ImageTask): boolean => (task.upstream?.upstreamId ?? null) !== null

const idTooLong = (id: string): string =>
  `The upstream named the task by ${id.length} characters; at most ${upstreamIdCharsMax} are kept.`

const soonest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b)
