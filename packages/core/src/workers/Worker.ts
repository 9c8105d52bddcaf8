import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { TaskId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
import { isFinal } from "../domain/TaskState.ts"
import { type Job, type JobKind, Queue } from "../ports/Queue.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Outcome } from "./Outcome.ts"
import { RunImage } from "./RunImage.ts"
import { RunTool } from "./RunTool.ts"

/**
 * Takes queued jobs and runs them, up to a number of each kind at once; keeps their leases alive, and gives
 * back on shutdown what it cannot finish. What a dead process held comes here when its lease runs out.
 */
const make = Effect.gen(function* () {
  const limits = yield* Limits
  const outcome = yield* Outcome
  const queue = yield* Queue
  const runImage = yield* RunImage
  const runTool = yield* RunTool
  const tasks = yield* TaskStore
  const transaction = yield* Transaction
  const concurrency: { readonly [K in JobKind]: number } = {
    image: limits.image_jobs_concurrent_max,
    tool: limits.tool_jobs_concurrent_max,
  }

  const dispatch = Effect.fnUntraced(function* (job: Job) {
    const found = yield* tasks.get(job.taskId)
    if (Option.isNone(found) || isFinal(found.value.state)) {
      return yield* transaction.run(queue.complete(job))
    }
    const task = found.value
    if (job.lost >= limits.job_losses_max) {
      const message = `The task was given up: the process that ran it died ${job.lost} times.`
      return yield* outcome.fail(job, task, { code: "worker_failed", message })
    }
    yield* task.kind === "image" ? runImage.run(job, task) : runTool.run(job, task)
  })

  /** Nothing that goes wrong in one job reaches another: the job is run again, or was taken over. */
  const runJob = (job: Job) =>
    dispatch(job).pipe(
      Effect.catchTag("LeaseLost", () => Effect.logDebug("job taken over")),
      Effect.catchTag("StepRefused", () => Effect.logDebug("task was moved meanwhile")),
      Effect.onInterrupt(() => handBack(job)),
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logError("job failed, it will run again", cause),
          Effect.ignore(outcome.retry(job)),
        ),
      ),
      Effect.annotateLogs({ task_id: job.taskId, attempt: job.attempt }),
    )

  const handBack = (job: Job) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.ignore(transaction.run(queue.release(job, now))))

  const running = yield* FiberMap.make<TaskId, void, never>()
  const counts: { [K in JobKind]: number } = { image: 0, tool: 0 }
  const slots: { readonly [K in JobKind]: Latch.Latch } = {
    image: yield* Latch.make(true),
    tool: yield* Latch.make(true),
  }

  const start = (job: Job) => {
    const { kind } = job
    counts[kind] += 1
    const ended = Effect.suspend(() => {
      counts[kind] -= 1
      return slots[kind].open
    })
    return FiberMap.run(running, job.taskId, Effect.ensuring(runJob(job), ended))
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
  yield* Effect.forkScoped(loop("image"))
  yield* Effect.forkScoped(loop("tool"))
})

export const layer = Layer.effectDiscard(make)
