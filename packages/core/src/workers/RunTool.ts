import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { boundedWarnings } from "../domain/bounded.ts"
import { Limits } from "../domain/Limits.ts"
import type { TaskFailure, ToolResult, ToolTask } from "../domain/Task.ts"
import type { ToolFile } from "../domain/ToolFile.ts"
import { Blobs } from "../ports/Blobs.ts"
import { ExecutorFailed, type ExecutorOutput, type ToolExecutor } from "../ports/Executor.ts"
import { FileStore } from "../ports/FileStore.ts"
import type { Job } from "../ports/Queue.ts"
import { ToolCatalog } from "../services/ToolCatalog.ts"
import { Outcome, type WriteFailure } from "./Outcome.ts"

/** Runs tool tasks: hands the document to its executor, keeps the results, settles. */
export class RunTool extends Context.Service<
  RunTool,
  { readonly run: (job: Job, task: ToolTask) => Effect.Effect<void, WriteFailure> }
>()("@atelier/core/workers/RunTool") {
  static readonly layer = Layer.effect(
    RunTool,
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const catalog = yield* ToolCatalog
      const files = yield* FileStore
      const limits = yield* Limits
      const outcome = yield* Outcome

      const run = Effect.fnUntraced(function* (job: Job, task: ToolTask) {
        const executor = catalog.executor(task.toolId)
        const file = yield* files.get(task.fileId)
        if (executor === undefined || Option.isNone(file)) {
          const message = `The tool ${task.toolId} or its file is not there any more.`
          return yield* outcome.fail(job, task, { code: "tool_unavailable", message })
        }
        const started = task.state === "queued" ? yield* outcome.step(job, task, "start") : task
        const parsed = yield* parse(executor, file.value, started).pipe(
          Effect.catchTag("ExecutorFailed", (error) =>
            Effect.as(
              error.retryable
                ? outcome.retry(job, error.retryAfterMillis)
                : outcome.fail(job, started, failureOf(error)),
              null,
            ),
          ),
        )
        if (parsed !== null) yield* outcome.step(job, started, "finish", parsed)
      })

      /** Parses and stores the results; repeated after a crash, it overwrites its own. */
      const parse = (executor: ToolExecutor, file: ToolFile, task: ToolTask) =>
        Effect.scoped(
          Effect.gen(function* () {
            const path = yield* blobs.localPath(file.blob)
            const outputDirectory = yield* blobs.scratch
            const now = yield* Clock.currentTimeMillis
            const output = yield* executor
              .run({
                owner: task.userId,
                path,
                filename: file.filename,
                bytes: file.bytes,
                outputDirectory,
                outputFormats: task.outputFormats,
              })
              .pipe(
                Effect.timeoutOrElse({
                  duration: Duration.millis(Math.max(0, task.deadlineAt - now)),
                  orElse: () => Effect.fail(pastDeadline(limits.tool_task_deadline_ms)),
                }),
              )
            yield* requireResultSizes(output, limits.tool_result_bytes_max)
            const results = yield* Effect.forEach(output.results, (result) => {
              const blob = `${task.resultPrefix}result.${result.format === "markdown" ? "md" : "json"}`
              const { format, bytes, contentType } = result
              const kept: ToolResult = { format, blob, bytes, contentType }
              return Effect.as(blobs.putFile(blob, result.path), kept)
            })
            return { results, warnings: boundedWarnings(output.warnings) }
          }),
        )

      return RunTool.of({ run })
    }),
  )
}

const failureOf = ({ code, message }: ExecutorFailed): TaskFailure => ({ code, message })

const pastDeadline = (deadline_ms: number) =>
  new ExecutorFailed({
    code: "timeout",
    message: `The task was not done ${deadline_ms / 1000} seconds after its acceptance.`,
    retryable: false,
  })

/** document-tools 8: a single result is at most 20 MiB. */
const requireResultSizes = (output: ExecutorOutput, bytesMax: number) => {
  const large = output.results.find(({ bytes }) => bytes > bytesMax)
  return large === undefined
    ? Effect.void
    : Effect.fail(
        new ExecutorFailed({
          code: "result_too_large",
          message: `The ${large.format} result has ${large.bytes} bytes; at most ${bytesMax} are allowed.`,
          retryable: false,
        }),
      )
}
