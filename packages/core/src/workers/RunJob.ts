import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { SpanOptionsNoTrace } from "effect/Tracer"
import type { StepRefused, StorageError } from "../domain/CoreError.ts"
import { Limits } from "../domain/Limits.ts"
import { makeMeter, metrics } from "../domain/Metrics.ts"
import { logAnnotationsOf, subjectOf, type Task } from "../domain/Task.ts"
import { taskFailure } from "../domain/TaskFailure.ts"
import { isFinal } from "../domain/TaskState.ts"
import { annotateSpan, spanOf, withSpan } from "../domain/Tracing.ts"
import { type Job, Queue } from "../ports/Queue.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Transitions } from "../services/Transitions.ts"
import { Archive } from "./Archive.ts"
import { overdueFailure } from "./Deadlines.ts"
import { LeasedWrites, type WriteFailure } from "./LeasedWrites.ts"
import { RunCallback } from "./RunCallback.ts"
import { type Entry, RunImage } from "./RunImage.ts"
import { RunTool } from "./RunTool.ts"

/** The task of a leased job. */
interface Opened {
  /** When, in Unix milliseconds: the lease ends `job_lease_ms` later, unless it is kept. */
  readonly at: number
  readonly task: Task | undefined
  readonly entry: Entry
}

/** A job whose task could not be read. */
const unopened: Opened = { at: 0, task: undefined, entry: { isUnsent: false } }

const releasePause = Schedule.spaced("500 millis")

/**
 * Runs one leased job. Nothing that goes wrong in it reaches another: it runs again later, or was taken over,
 * and an interrupted one is handed back at once.
 */
export class RunJob extends Context.Service<
  RunJob,
  {
    /** For `Queue.serve`: starts a queued task, in the transaction that leases its job. */
    readonly begin: Parameters<Queue["Service"]["serve"]>[2]
  }
>()("@atelier/core/workers/RunJob") {
  static readonly layerNoDeps = Layer.effect(
    RunJob,
    Effect.gen(function* () {
      const limits = yield* Limits
      const meter = yield* makeMeter
      const writes = yield* LeasedWrites
      const queue = yield* Queue
      const runCallback = yield* RunCallback
      const runImage = yield* RunImage
      const runTool = yield* RunTool
      const tasks = yield* TaskStore
      const transaction = yield* Transaction
      const transitions = yield* Transitions

      const wasLost = ({ lost }: Job) => lost >= limits.job_losses_max
      const isOverdue = ({ deadlineAt }: Task, now: number) => deadlineAt <= now

      const open = Effect.fnUntraced(function* (job: Job, given: Task | undefined) {
        const at = yield* Clock.currentTimeMillis
        const task = given ?? Option.getOrUndefined(yield* tasks.get(job.taskId))
        const starts =
          task?.state === "queued" && job.kind !== "callback" && !wasLost(job) && !isOverdue(task, at)
        const started = starts ? yield* start(task) : undefined
        return { at, task: started ?? task, entry: { isUnsent: started?.kind === "image" } }
      })

      const start = (task: Task) =>
        task.kind === "image" ? runImage.enter(task) : transitions.apply(task, "start")

      /** A task that cannot be read, or not be started, is its own job's failure, not that of the transaction. */
      const opened = (
        job: Job,
        task: Task | undefined,
      ): Effect.Effect<Effect.Effect<Opened, StepRefused | StorageError>, StorageError> =>
        open(job, task).pipe(
          Effect.map((found) => Effect.succeed(found)),
          Effect.catchTag("StepRefused", (refused) => Effect.succeed(Effect.fail(refused))),
          Effect.catchDefect((defect) => Effect.succeed(Effect.die(defect))),
        )

      // Not `Effect.fn`: the annotations of the logs would end with it, before its failure is logged.
      const dispatch = Effect.fnUntraced(function* (job: Job, it: Opened) {
        const { at, entry, task } = it
        // The process was frozen since, or the commit took as long: another one may run it.
        if ((yield* Clock.currentTimeMillis) - at >= limits.job_lease_ms) return yield* giveBack(job, it)
        if (task === undefined) return yield* transaction.run(queue.complete(job))
        yield* Effect.annotateLogsScoped(logAnnotationsOf(task))
        yield* annotateSpan({
          "atelier.request_id": task.requestId ?? "",
          [task.kind === "image" ? "atelier.model" : "atelier.tool"]: subjectOf(task),
        })
        if (job.kind === "callback") return yield* runCallback.run(job, task)
        if (isFinal(task.state)) return yield* transaction.run(queue.complete(job))
        if (task.state === "queued" && isOverdue(task, at)) {
          return yield* writes.step(job, task, "expire", { error: overdueFailure(task) })
        }
        // Images that exist are billed: their copying goes on until its own deadline.
        const archiving = task.kind === "image" && task.archive !== null
        if (wasLost(job) && !archiving) {
          const message = `The task was given up: the process that ran it died ${job.lost} times.`
          return yield* writes.fail(job, task, taskFailure("worker_failed", message))
        }
        yield* task.kind === "image" ? runImage.run(job, task, entry) : runTool.run(job, task)
      })

      const handBack = (job: Job) => Effect.flatMap(Clock.currentTimeMillis, (now) => queue.release(job, now))

      /**
       * Ends the run of a job that is released. Where nothing was sent to the channel, the task is free for any: it
       * would end as unknown otherwise, so that this is tried for as long as the lease holds.
       */
      const released = ({ entry, task }: Opened, release: Effect.Effect<void, WriteFailure>) =>
        entry.isUnsent && task?.kind === "image"
          ? transaction.run(Effect.andThen(release, transitions.amend(task, { upstream: null }))).pipe(
              Effect.retry({
                schedule: Schedule.upTo(releasePause, { duration: Duration.millis(limits.job_lease_ms) }),
                while: ({ _tag }) => _tag === "StorageError",
              }),
            )
          : transaction.run(release)

      const giveBack = (job: Job, it: Opened) => released(it, handBack(job))

      const measured = (kind: Job["kind"], run: Effect.Effect<void>) =>
        Effect.map(Effect.timed(run), ([duration]) =>
          meter.observe(metrics.runs, [kind], Duration.toSeconds(duration)),
        )

      const run = (job: Job, found: Effect.Effect<Opened, StepRefused | StorageError>) =>
        Effect.matchCauseEffect(found, {
          onSuccess: (it) => guarded(job, it, dispatch(job, it)),
          onFailure: (cause) => guarded(job, unopened, Effect.failCause(cause)),
        }).pipe(
          Effect.annotateLogs({ task_id: job.taskId, attempt: job.attempt }),
          Effect.scoped,
          withSpan("RunJob.run", () => spanOptions(job)),
          (running) => measured(job.kind, running),
        )

      const guarded = <R>(job: Job, it: Opened, running: Effect.Effect<void, WriteFailure, R>) =>
        running.pipe(
          Effect.catchTag("LeaseLost", () => Effect.logDebug("job taken over")),
          Effect.catchTag("StepRefused", () => Effect.logDebug("task was moved meanwhile")),
          Effect.onInterrupt(() => Effect.ignore(giveBack(job, it))),
          Effect.catchCause((cause) =>
            Effect.andThen(
              Effect.logError("job failed, it will run again", cause),
              Effect.ignore(released(it, writes.retry(job))),
            ),
          ),
        )

      return RunJob.of({
        begin: (job, task) =>
          Effect.map(opened(job, task), (found) => ({
            run: run(job, found),
            giveBack: Effect.ignore(
              Effect.matchCauseEffect(found, {
                onSuccess: (it) => giveBack(job, it),
                onFailure: () => giveBack(job, unopened),
              }),
            ),
          })),
      })
    }),
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([RunCallback.layer, RunImage.layer, RunTool.layer]),
    Layer.provide(Archive.layer),
    Layer.provide(LeasedWrites.layer),
  )
}

/** The run goes on with the trace of what added the job, in whichever process that was. */
const spanOptions = ({ attempt, kind, taskId, traceparent }: Job): SpanOptionsNoTrace => ({
  kind: "consumer",
  parent: spanOf(traceparent),
  attributes: { "atelier.task_id": taskId, "atelier.kind": kind, "atelier.attempt": attempt },
})
