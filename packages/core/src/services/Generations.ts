import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { Limits } from "../domain/Limits.ts"
import type { ImageAsset, ImageTask, Task } from "../domain/Task.ts"
import { isFinal } from "../domain/TaskState.ts"
import { withSpan } from "../domain/Tracing.ts"
import { Blobs } from "../ports/Blobs.ts"
import { Downloads } from "../ports/Downloads.ts"
import { type ImageSubmission, ImageTasks } from "./ImageTasks.ts"
import { Tasks } from "./Tasks.ts"

type Failure = CoreError | StorageError

/**
 * A completed task; `bytes` are its images where they were asked for as `b64_json`. `replayed`: an earlier call with
 * the same idempotency key made it.
 */
export interface CompletedGeneration {
  readonly task: ImageTask
  readonly replayed: boolean
  readonly bytes: ReadonlyArray<Uint8Array> | null
}

/** Submitting and waiting in one call (image-tasks 4.3): the same task as any other, awaited to its end. */
export class Generations extends Context.Service<
  Generations,
  {
    /**
     * Refuses as `ImageTasks.submit`, with `unsupported_parameter` (`stream`, `response_format`) after the model;
     * then, each naming the task, with `result_archive_failed` as soon as a copy failed, `upstream_rejected`,
     * `upstream_failed`, and `generation_timeout` when the wait is over: the task goes on. Under an idempotency key
     * a repetition is answered as the task ended, and refused with `idempotency_request_in_progress` before.
     */
    readonly generate: (
      generation: Omit<ImageSubmission, "endpoint">,
    ) => Effect.Effect<CompletedGeneration, Failure>
  }
>()("@atelier/core/services/Generations") {
  static readonly layer = Layer.effect(
    Generations,
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const downloads = yield* Downloads
      const images = yield* ImageTasks
      const limits = yield* Limits
      const tasks = yield* Tasks

      const generate = Effect.fnUntraced(function* (generation: Omit<ImageSubmission, "endpoint">) {
        const { principal, body } = generation
        const submitted = images.submit({ ...generation, endpoint: "/v1/images/generations" })
        const { value, replayed } = yield* submitted
        const seconds = limits.image_sync_timeout_ms / 1000
        const task = replayed ? value : yield* tasks.wait(principal, value.id, seconds, copyFailed)
        if (replayed && !isFinal(task.state)) return yield* inProgress(task)
        if (task.kind !== "image" || task.state !== "completed") {
          return yield* unfinished(task, seconds, replayed)
        }
        const assets = task.result?.assets ?? []
        const wanted = body["response_format"] === "b64_json"
        return { task, replayed, bytes: wanted ? yield* Effect.forEach(assets, bytesOf(task)) : null }
      }, withSpan("Generations.generate"))

      const bytesOf =
        (task: ImageTask) =>
        (asset: ImageAsset): Effect.Effect<Uint8Array, Failure> =>
          asset.blob === null
            ? downloads.image(asset.url ?? "").pipe(
                Effect.map(({ bytes }) => bytes),
                Effect.mapError(({ message }) =>
                  refuse("result_archive_failed", message, { taskId: task.id }),
                ),
              )
            : Effect.map(Stream.runCollect(blobs.read(asset.blob)), (chunks) => Buffer.concat([...chunks]))

      return Generations.of({ generate })
    }),
  )
}

const copyFailed = (task: Task): boolean => task.kind === "image" && (task.archive?.failures ?? 0) > 0

const inProgress = ({ id: taskId }: Task): CoreError =>
  refuse(
    "idempotency_request_in_progress",
    `The first request with this idempotency key is under way as ${taskId}; it is answered here when it is done.`,
    { taskId, retryAfterSeconds: 2 },
  )

const unfinished = (task: Task, seconds: number, replayed: boolean): CoreError => {
  const more = { taskId: task.id, ...(replayed ? { replayed } : {}) }
  const taskId = task.id
  if (copyFailed(task) || task.error?.code === "result_archive_failed") {
    return refuse(
      "result_archive_failed",
      `The images were generated and are billed, but could not be copied yet. Poll the task ${taskId}; do not submit it again.`,
      more,
    )
  }
  if (task.error?.code === "upstream_rejected") {
    return refuse(
      "upstream_rejected",
      `The upstream refused the content; nothing is charged. ${task.error.message}`,
      more,
    )
  }
  if (task.state === "failed") {
    const reason = task.error === null ? "" : `${task.error.code}: ${task.error.message}`
    return refuse("upstream_failed", `The task failed and was not charged. ${reason}`.trim(), more)
  }
  return refuse(
    "generation_timeout",
    `The task was not done after ${seconds} seconds. It goes on: poll ${taskId}; do not submit it again.`,
    more,
  )
}
