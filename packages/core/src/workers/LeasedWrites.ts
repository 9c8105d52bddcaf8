import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { boundedFailure } from "../domain/bounded.ts"
import type { LeaseLost, StepRefused, StorageError } from "../domain/CoreError.ts"
import { Limits, retryDelayMillisMax } from "../domain/Limits.ts"
import type { ImageTask, TaskFailure, ToolTask } from "../domain/Task.ts"
import type { TaskEvent } from "../domain/TaskState.ts"
import { type Job, Queue } from "../ports/Queue.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Transitions } from "../services/Transitions.ts"

/** What may end a write of a worker: the lease is gone, the task was moved by others, storage is down. */
export type WriteFailure = LeaseLost | StepRefused | StorageError

type Patch<T extends ImageTask | ToolTask> = Parameters<typeof Transitions.Service.apply<T>>[2]

/** The writes of a running job: each in one transaction that first proves the job's lease. */
export class LeasedWrites extends Context.Service<
  LeasedWrites,
  {
    /** A step and its money; a final one also ends the job. */
    readonly step: <T extends ImageTask | ToolTask>(
      job: Job,
      task: T,
      event: TaskEvent,
      patch?: Patch<T>,
    ) => Effect.Effect<T, WriteFailure>
    /** Changed fields without a step. */
    readonly amend: <T extends ImageTask | ToolTask>(
      job: Job,
      task: T,
      patch: NonNullable<Patch<T>>,
    ) => Effect.Effect<T, WriteFailure>
    readonly fail: (
      job: Job,
      task: ImageTask | ToolTask,
      error: TaskFailure,
    ) => Effect.Effect<void, WriteFailure>
    /**
     * It is unknown whether the upstream accepted the task: it is not sent again, and its job ends
     * (contract, Images).
     */
    readonly markUnknown: (job: Job, task: ImageTask) => Effect.Effect<void, WriteFailure>
    /** The job runs again after `delayMillis`, an hour at most; by default 1 s to 60 s, doubling with its attempts. */
    readonly retry: (job: Job, delayMillis?: number) => Effect.Effect<void, WriteFailure>
  }
>()("@atelier/core/workers/LeasedWrites") {
  static readonly layer = Layer.effect(
    LeasedWrites,
    Effect.gen(function* () {
      const limits = yield* Limits
      const queue = yield* Queue
      const transaction = yield* Transaction
      const transitions = yield* Transitions
      return LeasedWrites.of({
        step: (job, task, event, patch) =>
          transaction.run(Effect.andThen(queue.verify(job), transitions.apply(task, event, patch))),
        amend: (job, task, patch) =>
          transaction.run(Effect.andThen(queue.verify(job), transitions.amend(task, patch))),
        fail: (job, task, error) =>
          Effect.asVoid(
            transaction.run(
              Effect.andThen(
                queue.verify(job),
                transitions.apply(task, "fail", { error: boundedFailure(error) }),
              ),
            ),
          ),
        markUnknown: Effect.fnUntraced(function* (job, task) {
          const now = yield* Clock.currentTimeMillis
          const deadlineAt = now + limits.image_unknown_deadline_ms
          yield* transaction.run(
            Effect.andThen(queue.complete(job), transitions.apply(task, "markUnknown", { deadlineAt })),
          )
        }),
        retry: Effect.fnUntraced(function* (job, delayMillis) {
          const now = yield* Clock.currentTimeMillis
          const own = Math.min(1000 * 2 ** (job.attempt - 1), 60_000)
          const asked = delayMillis === undefined || Number.isNaN(delayMillis) ? own : delayMillis
          const delay = Math.ceil(Math.min(Math.max(asked, 0), retryDelayMillisMax))
          yield* transaction.run(queue.release(job, now + delay))
        }),
      })
    }),
  )
}
