import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SpanOptionsNoTrace } from "effect/Tracer"
import { Limits } from "../domain/Limits.ts"
import { makeMeter, metrics } from "../domain/Metrics.ts"
import { logAnnotationsOf, subjectOf } from "../domain/Task.ts"
import { isFinal } from "../domain/TaskState.ts"
import { annotateSpan, spanOf, withSpan } from "../domain/Tracing.ts"
import { type Job, Queue } from "../ports/Queue.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Archive } from "./Archive.ts"
import { LeasedWrites } from "./LeasedWrites.ts"
import { RunCallback } from "./RunCallback.ts"
import { RunImage } from "./RunImage.ts"
import { RunTool } from "./RunTool.ts"

/**
 * Runs one leased job. Nothing that goes wrong in it reaches another: it runs again later, or was taken over,
 * and an interrupted one is handed back at once.
 */
export class RunJob extends Context.Service<RunJob, { readonly run: (job: Job) => Effect.Effect<void> }>()(
  "@atelier/core/workers/RunJob",
) {
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

      // Not `Effect.fn`: the annotations of the logs would end with it, before its failure is logged.
      const dispatch = Effect.fnUntraced(function* (job: Job) {
        const found = yield* tasks.get(job.taskId)
        if (Option.isNone(found)) return yield* transaction.run(queue.complete(job))
        const task = found.value
        yield* Effect.annotateLogsScoped(logAnnotationsOf(task))
        yield* annotateSpan({
          "atelier.request_id": task.requestId ?? "",
          [task.kind === "image" ? "atelier.model" : "atelier.tool"]: subjectOf(task),
        })
        if (job.kind === "callback") return yield* runCallback.run(job, task)
        if (isFinal(task.state)) return yield* transaction.run(queue.complete(job))
        // Images that exist are billed: their copying goes on until its own deadline.
        const archiving = task.kind === "image" && task.archive !== null
        if (job.lost >= limits.job_losses_max && !archiving) {
          const message = `The task was given up: the process that ran it died ${job.lost} times.`
          return yield* writes.fail(job, task, { code: "worker_failed", message })
        }
        yield* task.kind === "image" ? runImage.run(job, task) : runTool.run(job, task)
      })

      const handBack = (job: Job) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.ignore(transaction.run(queue.release(job, now))),
        )

      const measured = (kind: Job["kind"], run: Effect.Effect<void>) =>
        Effect.map(Effect.timed(run), ([duration]) =>
          meter.observe(metrics.runs, [kind], Duration.toSeconds(duration)),
        )

      return RunJob.of({
        run: (job) =>
          dispatch(job).pipe(
            Effect.catchTag("LeaseLost", () => Effect.logDebug("job taken over")),
            Effect.catchTag("StepRefused", () => Effect.logDebug("task was moved meanwhile")),
            Effect.onInterrupt(() => handBack(job)),
            Effect.catchCause((cause) =>
              Effect.andThen(
                Effect.logError("job failed, it will run again", cause),
                Effect.ignore(writes.retry(job)),
              ),
            ),
            Effect.annotateLogs({ task_id: job.taskId, attempt: job.attempt }),
            Effect.scoped,
            withSpan("RunJob.run", () => spanOptions(job)),
            (run) => measured(job.kind, run),
          ),
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
