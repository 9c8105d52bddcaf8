import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { boundedFailure } from "../domain/bounded.ts"
import type { LeaseLost, StepRefused, StorageError } from "../domain/CoreError.ts"
import { Limits, retryDelayMillisMax } from "../domain/Limits.ts"
import type { ImageTask, Task, ToolTask } from "../domain/Task.ts"
import type { TaskFailure } from "../domain/TaskFailure.ts"
import type { TaskEvent } from "../domain/TaskState.ts"
import { type Job, Queue } from "../ports/Queue.ts"
import { TaskStore } from "../ports/TaskStore.ts"
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
      const tasks = yield* TaskStore
      const transaction = yield* Transaction
      const transitions = yield* Transitions

      /** Whoever asks to cancel writes beside the worker: then the worker's write is made on top of theirs. */
      const onTop = <T extends ImageTask | ToolTask, A>(
        task: T,
        write: (task: T) => Effect.Effect<A, WriteFailure>,
      ) =>
        Effect.catchTag(write(task), "StepRefused", (refused) =>
          Effect.flatMap(tasks.get(task.id), (found) =>
            Option.isSome(found) && wasOnlyAskedToCancel(task, found.value)
              ? write({ ...task, version: found.value.version, history: found.value.history })
              : Effect.fail(refused),
          ),
        )

      return LeasedWrites.of({
        step: (job, task, event, patch) =>
          onTop(task, (seen) =>
            transaction.run(Effect.andThen(queue.verify(job), transitions.apply(seen, event, patch))),
          ),
        amend: (job, task, patch) =>
          onTop(task, (seen) =>
            transaction.run(Effect.andThen(queue.verify(job), transitions.amend(seen, patch))),
          ),
        fail: (job, task, error) =>
          Effect.asVoid(
            onTop(task, (seen) =>
              transaction.run(
                Effect.andThen(
                  queue.verify(job),
                  transitions.apply(seen, "fail", { error: boundedFailure(error) }),
                ),
              ),
            ),
          ),
        markUnknown: Effect.fnUntraced(function* (job, task) {
          const now = yield* Clock.currentTimeMillis
          const deadlineAt = now + limits.image_unknown_deadline_ms
          yield* onTop(task, (seen) =>
            transaction.run(
              Effect.andThen(queue.complete(job), transitions.apply(seen, "markUnknown", { deadlineAt })),
            ),
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

/** Since `seen` there were requests to cancel the task, and nothing else. */
const wasOnlyAskedToCancel = (seen: Task, now: Task): boolean => {
  const asked = now.history.slice(seen.history.length)
  return (
    now.state === seen.state &&
    asked.length > 0 &&
    asked.every(({ event }) => event === "cancel") &&
    now.version === seen.version + asked.length
  )
}
