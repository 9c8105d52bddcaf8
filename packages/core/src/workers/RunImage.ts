import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Limits } from "../domain/Limits.ts"
import type { Units } from "../domain/Money.ts"
import type { ImageTask } from "../domain/Task.ts"
import { type Generation, type ImageChannel, ImageModels, UpstreamError } from "../ports/ImageModel.ts"
import type { Job } from "../ports/Queue.ts"
import { Archive } from "./Archive.ts"
import { Outcome, type WriteFailure } from "./Outcome.ts"

/** Runs image tasks: starts or resumes the upstream generation, archives what it made, settles. */
export class RunImage extends Context.Service<
  RunImage,
  { readonly run: (job: Job, task: ImageTask) => Effect.Effect<void, WriteFailure> }
>()("@atelier/core/workers/RunImage") {
  static readonly layer = Layer.effect(
    RunImage,
    Effect.gen(function* () {
      const archive = yield* Archive
      const limits = yield* Limits
      const models = yield* ImageModels
      const outcome = yield* Outcome

      const run = Effect.fnUntraced(function* (job: Job, task: ImageTask) {
        const channel =
          task.upstream === null
            ? models.channelFor(task.request.model)
            : models.channel(task.upstream.channel)
        if (channel === undefined) {
          const message = "The channel on which the task began is not configured any more."
          return yield* outcome.fail(job, task, { code: "upstream_failed", message })
        }
        if (task.state !== "queued" && !mayResume(channel, task)) return yield* lose(job, task)
        const started =
          task.state === "queued"
            ? yield* outcome.step(job, task, "start", {
                upstream: { channel: channel.id, upstreamId: null },
              })
            : task
        yield* generate(job, started, channel)
      })

      const generate = (job: Job, started: ImageTask, channel: ImageChannel) =>
        Effect.gen(function* () {
          let task = started
          const generation = yield* channel
            .generate({
              reference: task.id,
              request: task.request,
              upstreamId: task.upstream?.upstreamId ?? null,
              onAccepted: (upstreamId) =>
                outcome.amend(job, task, { upstream: { channel: channel.id, upstreamId } }).pipe(
                  Effect.map((next) => {
                    task = next
                  }),
                  Effect.mapError(
                    (cause) => new UpstreamError({ reason: "ambiguous", message: cause.message }),
                  ),
                ),
              onProgress: (progress) =>
                outcome.amend(job, task, { progress }).pipe(
                  Effect.map((next) => {
                    task = next
                  }),
                  Effect.ignore,
                ),
            })
            .pipe(
              Effect.catchTag("UpstreamError", (error) => Effect.as(failed(job, task, channel, error), null)),
            )
          if (generation === null) return
          yield* deliver(job, task, generation)
        })

      const deliver = (job: Job, task: ImageTask, generation: Generation) =>
        Effect.gen(function* () {
          if (generation.images.length === 0 && generation.text === null && generation.seed === null) {
            const message = "The upstream finished without an image."
            return yield* outcome.fail(job, task, { code: "upstream_failed", message })
          }
          const assets = yield* archive.keep(generation.images)
          const { jobId, text, seed } = generation
          yield* outcome.end(job, task, "finish", {
            progress: 100,
            result: { assets, jobId, text, seed },
            charged: chargeFor(task, assets.length),
          })
        })

      const failed = (job: Job, task: ImageTask, channel: ImageChannel, error: UpstreamError) => {
        switch (error.reason) {
          case "rejected":
            return outcome.fail(job, task, { code: "upstream_rejected", message: error.message })
          case "failed":
            return outcome.fail(job, task, { code: "upstream_failed", message: error.message })
          case "unavailable":
            return outcome.retry(job)
          case "ambiguous":
            return channel.repeatable ? outcome.retry(job) : lose(job, task)
        }
      }

      /** Nobody can tell whether the upstream works on it: it is not sent again (contract, Images). */
      const lose = (job: Job, task: ImageTask): Effect.Effect<void, WriteFailure> =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.asVoid(
            outcome.end(job, task, "lose", { deadlineAt: now + limits.image_unknown_deadline_ms }),
          ),
        )

      return RunImage.of({ run })
    }),
  )
}

/** An interrupted run goes on where the upstream is known, or where asking again makes nothing twice. */
const mayResume = (channel: ImageChannel, task: ImageTask): boolean =>
  channel.repeatable || (task.upstream?.upstreamId ?? null) !== null

/** Only delivered images are charged; a result of words alone is a full delivery (contract, Money). */
const chargeFor = (task: ImageTask, delivered: number): Units =>
  delivered === 0 ? task.held : (task.fees[delivered - 1] ?? task.held)
