import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { TaskId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
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
  const counts: { [K in JobKind]: number } = { image: 0, tool: 0, callback: 0 }
  const slots: { readonly [K in JobKind]: Latch.Latch } = {
    image: yield* Latch.make(true),
    tool: yield* Latch.make(true),
    callback: yield* Latch.make(true),
  }

  const start = (job: Job) => {
    const { kind } = job
    counts[kind] += 1
    const ended = Effect.suspend(() => {
      counts[kind] -= 1
      return slots[kind].open
    })
    return FiberMap.run(running, job.taskId, Effect.ensuring(runJob.run(job), ended))
  }

  /** Claims what there are free slots for; what was claimed is started even if the loop is stopped here. */
  const takeJobs = (kind: JobKind, free: number) =>
    Effect.uninterruptible(
      Effect.tap(queue.claim(kind, free), (jobs) => Effect.forEach(jobs, start, { discard: true })),
    )

  const turn = Effect.fnUntraced(function* (kind: JobKind) {
    const free = concurrency[kind] - counts[kind]
    if (free <= 0) {
      yield* slots[kind].close
      return yield* slots[kind].await
    }
    const jobs = yield* takeJobs(kind, free)
    if (jobs.length === 0) yield* queue.awaitWork(kind)
  })

  const loop = (kind: JobKind) =>
    turn(kind).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logError("claiming jobs failed", cause), Effect.sleep("1 second")),
      ),
      Effect.forever,
    )

  /** Jobs that were taken over meanwhile are stopped: they may not write any more. */
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

  // Ended in reverse order: no more claims, then what runs is drained under leases that are still kept.
  yield* Effect.forkScoped(keepLeases)
  yield* Effect.addFinalizer(() => drain)
  for (const kind of [...kinds, "callback"] as const) yield* Effect.forkScoped(loop(kind))
})

export const layer = (kinds: ReadonlyArray<TaskKind>) => Layer.effectDiscard(make(kinds))
