import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { TaskId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
import type { Task } from "../domain/Task.ts"
import type { TaskKind } from "../domain/TaskState.ts"
import { type Job, type JobKind, Queue } from "../ports/Queue.ts"
import { RunJob } from "./RunJob.ts"

/**
 * Takes queued jobs and runs them, up to a number of each kind at once; keeps their leases alive, and gives
 * back on shutdown what it cannot finish. What a dead process held comes here when its lease runs out.
 * Callbacks are of every kind of task, and every worker's.
 */
const make = Effect.fnUntraced(function* (kinds: ReadonlyArray<TaskKind>) {
  const limits = yield* Limits
  const queue = yield* Queue
  const runJob = yield* RunJob
  const concurrency: { readonly [K in JobKind]: number } = {
    image: limits.image_jobs_concurrent_max,
    tool: limits.tool_jobs_concurrent_max,
    callback: limits.callback_jobs_concurrent_max,
  }

  const running = yield* FiberMap.make<TaskId, void, never>()
  /** A job that is leased runs to its end, or until the worker is drained. */
  const begin = (job: Job, task?: Task) =>
    Effect.map(runJob.begin(job, task), ({ giveBack, run }) => ({
      run: Effect.flatMap(FiberMap.run(running, job.taskId, run), (fiber) =>
        Effect.asVoid(Fiber.await(fiber)),
      ),
      giveBack,
    }))

  /** Jobs that were taken over meanwhile are stopped, because they may no longer write. */
  const keepLeases = Effect.suspend(() => {
    const taskIds = Array.from(running, ([taskId]) => taskId)
    return Effect.flatMap(queue.heartbeat(taskIds), (held) =>
      Effect.forEach(
        taskIds.filter((taskId) => !held.has(taskId)),
        (taskId) => FiberMap.remove(running, taskId),
        { discard: true },
      ),
    )
  }).pipe(
    Effect.catchCause((cause) => Effect.logError("extending leases failed", cause)),
    Effect.repeat(Schedule.spaced(Duration.millis(limits.job_lease_ms / 3))),
  )

  const drain = Effect.andThen(
    Effect.timeoutOption(FiberMap.awaitEmpty(running), Duration.millis(limits.drain_ms)),
    FiberMap.clear(running),
  )

  // Ended in reverse order: no more jobs are leased, then what runs is drained under leases that are still kept.
  yield* Effect.forkScoped(keepLeases)
  yield* Effect.addFinalizer(() => drain)
  for (const kind of [...kinds, "callback"] as const) {
    yield* Effect.forkScoped(queue.serve(kind, concurrency[kind], begin))
  }
})

export const layer = (kinds: ReadonlyArray<TaskKind>) => Layer.effectDiscard(make(kinds))
