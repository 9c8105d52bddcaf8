import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { boundedWarnings } from "../domain/bounded.ts"
import type { StorageError } from "../domain/CoreError.ts"
import { Limits } from "../domain/Limits.ts"
import { makeMeter, metrics } from "../domain/Metrics.ts"
import type { ToolResult, ToolTask } from "../domain/Task.ts"
import { type TaskFailure, taskFailure } from "../domain/TaskFailure.ts"
import { extensionOf, type ToolFile } from "../domain/ToolFile.ts"
import { annotateSpan, withSpan } from "../domain/Tracing.ts"
import { Blobs } from "../ports/Blobs.ts"
import {
  ExecutorFailed,
  type ExecutorOutput,
  type ExecutorResult,
  type LocalDocument,
  type ToolExecutor,
} from "../ports/Executor.ts"
import { FileStore } from "../ports/FileStore.ts"
import type { Job } from "../ports/Queue.ts"
import { SmallBlobs } from "../ports/SmallBlobs.ts"
import { Transaction } from "../ports/Transaction.ts"
import { ToolCatalog } from "../services/ToolCatalog.ts"
import { LeasedWrites, type WriteFailure } from "./LeasedWrites.ts"

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
      const meter = yield* makeMeter
      const writes = yield* LeasedWrites
      const small = yield* SmallBlobs
      const transaction = yield* Transaction

      const run = Effect.fnUntraced(
        function* (job: Job, task: ToolTask) {
          const executor = catalog.executor(task.toolId)
          const file = yield* files.get(task.fileId)
          if (executor === undefined || Option.isNone(file)) {
            const message = `The tool ${task.toolId} or its file is not there any more.`
            return yield* writes.fail(job, task, taskFailure("tool_unavailable", message))
          }
          const document = yield* local(file.value)
          const parsed = yield* measured(task.toolId, Effect.result(parse(executor, document, task)))
          yield* Result.isSuccess(parsed)
            ? finish(job, task, parsed.success)
            : giveUp(job, task, parsed.failure)
        },
        Effect.scoped,
        withSpan("RunTool.run"),
      )

      const measured = <A>(
        toolId: string,
        parsing: Effect.Effect<Result.Result<A, ExecutorFailed>, StorageError, Scope.Scope>,
      ) =>
        Effect.map(Effect.timed(parsing), ([duration, result]) => {
          const outcome = Result.isSuccess(result) ? "ok" : result.failure.code
          meter.observe(metrics.parses, [toolId, outcome], Duration.toSeconds(duration))
          return result
        }).pipe(
          Effect.tap((result) =>
            annotateSpan({ "atelier.outcome": Result.isSuccess(result) ? "ok" : result.failure.code }),
          ),
          withSpan("Executor.run", () => ({ attributes: { "atelier.tool": toolId } })),
        )

      /** For as long as the scope lasts. */
      const local = Effect.fnUntraced(function* ({ blob, bytes, filename, userId: owner }: ToolFile) {
        const kept = yield* small.get(blob)
        const content = Option.isSome(kept) ? { data: kept.value } : { path: yield* blobs.localPath(blob) }
        const recognizer = yield* catalog.recognizer(extensionOf(filename))
        const document: LocalDocument = {
          ...content,
          owner,
          filename,
          bytes,
          ...(recognizer === undefined ? {} : { recognizer }),
        }
        return document
      })

      const parse = Effect.fnUntraced(function* (
        executor: ToolExecutor,
        document: LocalDocument,
        task: ToolTask,
      ) {
        const scope = yield* Effect.scope
        const outputDirectory = yield* Effect.cached(Effect.orDie(Scope.provide(blobs.scratch, scope)))
        const now = yield* Clock.currentTimeMillis
        const output = yield* executor
          .run({ ...document, outputDirectory, outputFormats: task.outputFormats })
          .pipe(
            Effect.timeoutOrElse({
              duration: Duration.millis(Math.max(0, task.deadlineAt - now)),
              orElse: () => Effect.fail(pastDeadline(limits.tool_task_deadline_ms)),
            }),
          )
        yield* requireResultSizes(output, limits.tool_result_bytes_max)
        return output
      })

      /**
       * Keeps the results and settles; repeated after a crash, it overwrites its own. Large results are there before
       * the task says so, small ones in the same transaction.
       */
      const finish = Effect.fnUntraced(function* (job: Job, task: ToolTask, output: ExecutorOutput) {
        const keptOf = (result: ExecutorResult): ToolResult => ({
          format: result.format,
          blob: `${task.resultPrefix}result.${result.format === "markdown" ? "md" : "json"}`,
          bytes: result.bytes,
          contentType: result.contentType,
        })
        const puts: Array<Effect.Effect<void, StorageError>> = []
        for (const result of output.results) {
          const { blob } = keptOf(result)
          if ("path" in result) yield* blobs.putFile(blob, result.path)
          else if (result.data.length > limits.small_document_bytes_max) yield* blobs.put(blob, result.data)
          else puts.push(small.put(blob, result.data))
        }
        const patch = { results: output.results.map(keptOf), warnings: boundedWarnings(output.warnings) }
        yield* transaction.run(
          Effect.gen(function* () {
            yield* Effect.all(puts, { discard: true })
            yield* writes.step(job, task, "finish", patch)
          }),
        )
      })

      const giveUp = (job: Job, task: ToolTask, error: ExecutorFailed) =>
        error.retryable ? writes.retry(job, error.retryAfterMillis) : writes.fail(job, task, failureOf(error))

      return RunTool.of({ run })
    }),
  )
}

const failureOf = ({ code, message }: ExecutorFailed): TaskFailure => ({ code, message })

const pastDeadline = (deadlineMs: number) =>
  new ExecutorFailed({
    ...taskFailure("timeout", `The task was not done ${deadlineMs / 1000} seconds after its acceptance.`),
    retryable: false,
  })

/** document-tools 8: a single result is at most 20 MiB. */
const requireResultSizes = (output: ExecutorOutput, bytesMax: number) => {
  const large = output.results.find(({ bytes }) => bytes > bytesMax)
  return large === undefined
    ? Effect.void
    : Effect.fail(
        new ExecutorFailed({
          ...taskFailure(
            "result_too_large",
            `The ${large.format} result has ${large.bytes} bytes; at most ${bytesMax} are allowed.`,
          ),
          retryable: false,
        }),
      )
}
