import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { fingerprint } from "../domain/Fingerprint.ts"
import { makeId, requireRequestId, type ToolTaskId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
import { UnitsPerUsd, unitsFromUsd } from "../domain/Money.ts"
import { newObjectName } from "../domain/ObjectName.ts"
import type { Principal } from "../domain/Principal.ts"
import type { OutputFormat, Task, ToolResult, ToolTask } from "../domain/Task.ts"
import type { ToolFile } from "../domain/ToolFile.ts"
import { withSpan } from "../domain/Tracing.ts"
import { Blobs } from "../ports/Blobs.ts"
import { FileStore } from "../ports/FileStore.ts"
import { SmallBlobs } from "../ports/SmallBlobs.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { quote } from "./Access.ts"
import { Idempotency, type Outcome, replayTask } from "./Idempotency.ts"
import { requireToolIdempotencyKey } from "./idempotencyKeys.ts"
import { readableBy, Tasks } from "./Tasks.ts"
import { ToolCatalog, type ToolEntry } from "./ToolCatalog.ts"
import { Transitions } from "./Transitions.ts"

type Failure = CoreError | StorageError

/** document-tools 2.3. `outputFormats` absent: both. */
export interface Invocation {
  readonly principal: Principal
  readonly toolId: string
  readonly fileId: string
  readonly outputFormats?: ReadonlyArray<OutputFormat>
  readonly idempotencyKey: string | null
  readonly requestId?: string | null
}

/** Where a result lies, and its bytes. */
export interface OpenedResult {
  readonly result: ToolResult
  readonly content: Stream.Stream<Uint8Array, StorageError>
}

/** Submission of parse tasks, their results and their accounting (document-tools 4.3, 4.5, 4.8). */
export class ToolTasks extends Context.Service<
  ToolTasks,
  {
    /**
     * Accepts a task with its fee pre-deducted. Refuses, in this order: `invalid_idempotency_key`,
     * `invalid_parameter` (request id), the record under the key, `tool_not_found`, `tool_not_allowed`,
     * `invalid_parameter` (formats), `file_not_found`, `invalid_file` (another tool's), `file_expired`,
     * `insufficient_balance` or `key_quota_exhausted`, `too_many_tasks`. A replay returns the task's current state.
     */
    readonly invoke: (invocation: Invocation) => Effect.Effect<Outcome<ToolTask>, Failure>
    /**
     * Where the result is stored. `format` absent: markdown if it was requested, else json. Refuses, in this
     * order: as `Tasks.get`, `format_not_requested`, `task_failed`, `result_not_ready`, `result_expired`.
     */
    readonly result: (
      principal: Principal,
      id: string,
      format?: OutputFormat,
    ) => Effect.Effect<ToolResult, Failure>
    /** The result with its bytes. Refuses as `result`; also if cleanup has just removed them. */
    readonly openResult: (
      principal: Principal,
      id: string,
      format?: OutputFormat,
    ) => Effect.Effect<OpenedResult, Failure>
    /** For operators: `openResult` for a task of any key. */
    readonly openAnyResult: (id: string, format?: OutputFormat) => Effect.Effect<OpenedResult, Failure>
    /**
     * The key's most recent tool tasks, newest first, without those of tools that it may no longer use
     * (document-tools 4.8, 5.5).
     */
    readonly recent: (principal: Principal) => Effect.Effect<ReadonlyArray<ToolTask>, Failure>
  }
>()("@atelier/core/services/ToolTasks") {
  static readonly layer = Layer.effect(
    ToolTasks,
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const catalog = yield* ToolCatalog
      const files = yield* FileStore
      const idempotency = yield* Idempotency
      const limits = yield* Limits
      const random = yield* SecureRandom
      const small = yield* SmallBlobs
      const store = yield* TaskStore
      const tasks = yield* Tasks
      const transitions = yield* Transitions
      const unitsPerUsd = yield* UnitsPerUsd

      /** The file that this invocation may use; checked again inside the transaction. */
      const requireFile = Effect.fnUntraced(function* (
        { principal, fileId, toolId }: Invocation,
        found: Option.Option<ToolFile>,
      ) {
        const param = "input.file_id"
        const missing = refuse("file_not_found", `There is no file ${quote(fileId)} of this API key.`, {
          param,
        })
        if (Option.isNone(found) || found.value.status === "uploading") return yield* missing
        const file = found.value
        if (file.keyId !== principal.key.id) return yield* missing
        if (file.toolId !== toolId) {
          return yield* refuse(
            "invalid_file",
            `The file ${quote(fileId)} was uploaded for ${file.toolId} and cannot be used with ${toolId}.`,
            { param },
          )
        }
        const now = yield* Clock.currentTimeMillis
        if (file.status !== "ready" || file.expiresAt <= now) {
          return yield* refuse("file_expired", `The file ${quote(fileId)} expired or was deleted.`, { param })
        }
        return file
      })

      const prepare = Effect.fnUntraced(function* (invocation: Invocation) {
        const tool = yield* catalog.resolve(invocation.principal, invocation.toolId)
        const outputFormats = yield* requireFormats(tool, invocation.outputFormats)
        yield* requireFile(invocation, yield* files.get(invocation.fileId))
        return { tool, outputFormats }
      })

      const commit = Effect.fnUntraced(function* (
        invocation: Invocation,
        id: ToolTaskId,
        resultPrefix: string,
        prepared: { readonly tool: ToolEntry; readonly outputFormats: ReadonlyArray<OutputFormat> },
      ) {
        const { principal, toolId, idempotencyKey, requestId = null } = invocation
        const file = yield* requireFile(invocation, yield* files.getForUpdate(invocation.fileId))
        const now = yield* Clock.currentTimeMillis
        const { task } = yield* transitions.submit<ToolTask>({
          kind: "tool",
          id,
          state: "queued",
          userId: principal.user.id,
          keyId: principal.key.id,
          version: 0,
          idempotencyKey,
          requestId,
          held: unitsFromUsd(prepared.tool.unitPrice, unitsPerUsd),
          charged: 0,
          released: 0,
          error: null,
          warnings: [],
          history: [],
          createdAt: now,
          startedAt: null,
          finishedAt: null,
          deadlineAt: now + limits.tool_task_deadline_ms,
          expiresAt: now + limits.tool_result_retention_ms,
          toolId,
          fileId: file.id,
          outputFormats: prepared.outputFormats,
          resultPrefix,
          results: [],
          purged: false,
        })
        // Counted after the hold: that row serialises the submissions of one user.
        const unfinished = yield* store.countUnfinished(principal.user.id, "tool")
        if (unfinished > limits.tool_tasks_per_user_max) {
          return yield* refuse(
            "too_many_tasks",
            `This user has ${unfinished - 1} queued or running tool tasks; at most ${limits.tool_tasks_per_user_max} are allowed.`,
            { retryAfterSeconds: 2 },
          )
        }
        return task
      })

      const invoke = Effect.fnUntraced(function* (invocation: Invocation) {
        const idempotencyKey = yield* requireToolIdempotencyKey(invocation.idempotencyKey)
        yield* requireRequestId(invocation.requestId ?? null)
        const id: ToolTaskId = yield* Effect.provideService(makeId("tooltask"), SecureRandom, random)
        const resultPrefix = `${yield* newObjectName(random, "results")}/`
        return yield* idempotency.once({
          keyId: invocation.principal.key.id,
          idempotencyKey,
          operation: `/v1/tools/${invocation.toolId}/invoke`,
          fingerprint: fingerprint({
            file_id: invocation.fileId,
            output_formats: [...new Set(invocation.outputFormats ?? bothFormats)].sort(),
          }),
          taskId: id,
          reserve: false,
          recordRefusals: false,
          prepare: prepare(invocation),
          commit: (prepared) => commit(invocation, id, resultPrefix, prepared),
          replay: (taskId) => replayTask(store, "tool", taskId),
        })
      }, withSpan("ToolTasks.invoke"))

      const result = Effect.fnUntraced(function* (principal: Principal, id: string, format?: OutputFormat) {
        return yield* resultOf(yield* tasks.get(principal, id), format)
      }, withSpan("ToolTasks.result"))

      const resultOf = Effect.fnUntraced(function* (task: Task, format: OutputFormat | undefined) {
        const { id } = task
        if (task.kind !== "tool") {
          return yield* refuse("task_not_found", `${quote(id)} is an image task; its images are in the task.`)
        }
        const wanted = format ?? (task.outputFormats.includes("markdown") ? "markdown" : "json")
        if (!task.outputFormats.includes(wanted)) {
          return yield* refuse(
            "format_not_requested",
            `The task was submitted for ${task.outputFormats.join(", ")}, not for ${wanted}.`,
            { param: "format", taskId: id },
          )
        }
        if (task.state === "failed") {
          const why = task.error === null ? "" : `: ${task.error.code}`
          return yield* refuse("task_failed", `The task failed${why}; it has no result.`, { taskId: id })
        }
        if (task.state !== "succeeded") {
          return yield* refuse("result_not_ready", `The task is ${task.state}.`, {
            taskId: id,
            retryAfterSeconds: 2,
          })
        }
        const now = yield* Clock.currentTimeMillis
        const found = task.results.find((candidate) => candidate.format === wanted)
        if (task.expiresAt <= now || task.purged || found === undefined) {
          const at = new Date(task.expiresAt).toISOString()
          return yield* refuse("result_expired", `The result expired at ${at}.`, { taskId: id })
        }
        return found
      })

      const openResult = Effect.fnUntraced(function* (
        principal: Principal,
        id: string,
        format?: OutputFormat,
      ): Effect.fn.Return<OpenedResult, Failure> {
        return yield* open(yield* result(principal, id, format))
      })

      const open = Effect.fnUntraced(function* (found: ToolResult): Effect.fn.Return<OpenedResult, Failure> {
        const kept = yield* small.get(found.blob)
        if (Option.isSome(kept)) return { result: found, content: Stream.succeed(kept.value) }
        if (Option.isSome(yield* blobs.stat(found.blob))) {
          return { result: found, content: blobs.read(found.blob) }
        }
        return yield* refuse("result_expired", "The result expired.")
      })

      const openAnyResult = (id: string, format?: OutputFormat) =>
        Effect.flatMap(
          Effect.flatMap(tasks.getAny(id), (task) => resultOf(task, format)),
          open,
        )

      const recent = (principal: Principal) =>
        Effect.map(
          store.list({ ...readableBy(principal), kind: "tool", limit: limits.tool_task_list_max }),
          (page) => page.filter((task) => task.kind === "tool"),
        )

      return ToolTasks.of({ invoke, result, openResult, openAnyResult, recent })
    }),
  )
}

const bothFormats: ReadonlyArray<OutputFormat> = ["markdown", "json"]

/** document-tools 2.3: values the tool offers, each once; absent means both. */
const requireFormats = (
  tool: ToolEntry,
  given: ReadonlyArray<OutputFormat> | undefined,
): Effect.Effect<ReadonlyArray<OutputFormat>, CoreError> => {
  const offered = tool.executor.definition.outputFormats
  const wanted = given ?? offered
  const param = "options.output_formats"
  const unknown = wanted.find((format) => !offered.includes(format))
  if (wanted.length > 0 && unknown === undefined) {
    return Effect.succeed(offered.filter((format) => wanted.includes(format)))
  }
  const found = unknown === undefined ? "an empty list" : quote(unknown)
  return Effect.fail(
    refuse(
      "invalid_parameter",
      `\`${param}\` must name one or more of ${offered.join(", ")}; got ${found}.`,
      {
        param,
      },
    ),
  )
}
