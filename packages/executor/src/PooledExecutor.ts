import {
  ExecutorFailed,
  type ExecutorOutput,
  ExecutorUnavailable,
  FileRefused,
  Limits,
  type ToolDefinition,
  type ToolExecutor,
} from "@atelier/core"
import { type ParsingCall, type ParsingError, ParsingPool } from "@atelier/intake"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DocumentInput, ParseInput } from "./Results.ts"

const Inspected = Schema.Struct({ contentType: Schema.String })

/** What crosses the process boundary is data: it is decoded before it is believed. */
const Parsed = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      format: Schema.Literals(["markdown", "json"]),
      path: Schema.String,
      bytes: Schema.Number,
      contentType: Schema.String,
    }),
  ),
  warnings: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String })),
})

/**
 * The executor of a tool whose `module` (a URL, by `siblingModule`) exports `inspect(DocumentInput)`, which
 * returns `{ contentType }`, and `parse(ParseInput)`, which returns a `DocumentOutput`. Both run in the parsing
 * pool. What the module refuses is the file's fault; a crash or a time-out fails that task alone, finally; that
 * no process could be started is tried again.
 */
export const make = Effect.fnUntraced(function* (
  definition: ToolDefinition,
  module: string,
): Effect.fn.Return<ToolExecutor, never, ParsingPool> {
  const pool = yield* ParsingPool
  const limits = yield* Limits
  return {
    definition,
    inspect: ({ owner, path, filename }) =>
      inspect(pool, definition, { owner, module, input: { ...inputOf(definition, path, filename) } }),
    run: ({ owner, path, filename, outputDirectory, outputFormats }) =>
      parse(pool, definition, {
        owner,
        module,
        input: {
          ...inputOf(definition, path, filename),
          outputDirectory,
          outputFormats,
          resultBytesMax: limits.tool_result_bytes_max,
        },
      }),
  }
})

const inputOf = ({ maxFileBytes }: ToolDefinition, path: string, filename: string): DocumentInput => ({
  path,
  filename,
  fileBytesMax: maxFileBytes,
})

const inspect = Effect.fnUntraced(function* (
  pool: ParsingPool["Service"],
  definition: ToolDefinition,
  job: Pick<ParsingCall, "owner" | "module" | "input">,
) {
  const found = yield* call(pool, definition, { ...job, kind: "check", function: "inspect" }).pipe(
    Effect.mapError((error) => toRefusal(error, definition)),
  )
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Inspected)(found))
})

/**
 * The second half of such an executor alone: `parse` of the module with an input of its own, for a tool whose
 * documents are read elsewhere and whose results are written in the pool.
 */
export const parse = Effect.fnUntraced(function* (
  pool: ParsingPool["Service"],
  definition: ToolDefinition,
  job: Pick<ParsingCall, "owner" | "module"> & {
    readonly input: ParseInput & { readonly [name: string]: Schema.Json }
  },
): Effect.fn.Return<ExecutorOutput, ExecutorFailed> {
  const output = yield* call(pool, definition, { ...job, kind: "parse", function: "parse" }).pipe(
    Effect.mapError((error) => toFailure(error, definition)),
  )
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Parsed)(output))
})

const call = (
  pool: ParsingPool["Service"],
  { id, timeoutSeconds }: ToolDefinition,
  job: Omit<ParsingCall, "timeoutMillis">,
) =>
  pool
    .call({ ...job, timeoutMillis: timeoutSeconds * 1000 })
    .pipe(Effect.tapError(({ reason }) => log(id, job.function, reason)))

/** The details of a crash are for operators only: they may hold paths. */
const log = (tool: string, step: string, reason: ParsingError["reason"]): Effect.Effect<void> =>
  reason._tag === "Crashed" || reason._tag === "Unavailable"
    ? Effect.logWarning(`${tool}: a parsing process gave no answer`).pipe(
        Effect.annotateLogs({ ...reason, step }),
      )
    : Effect.void

const isRefusalCode = Schema.is(FileRefused.fields.code)

/** A file that cannot be checked is not accepted, whatever the check died of. */
const toRefusal = (
  { reason }: ParsingError,
  { id, timeoutSeconds }: ToolDefinition,
): FileRefused | ExecutorUnavailable => {
  switch (reason._tag) {
    case "Failed":
      return new FileRefused({
        code: isRefusalCode(reason.code) ? reason.code : "invalid_file",
        message: reason.message,
      })
    case "Timeout":
      return new FileRefused({
        code: "invalid_file",
        message: `The file could not be checked within ${timeoutSeconds} s.`,
      })
    case "Crashed":
      return new FileRefused({
        code: "invalid_file",
        message: "The file could not be checked: the check ended unexpectedly.",
      })
    case "Unavailable":
      return new ExecutorUnavailable({
        code: "executor_unavailable",
        message: `${id} cannot check files at the moment; send the file again later.`,
      })
  }
}

/** A document whose process died would most likely kill the next one too. */
const toFailure = ({ reason }: ParsingError, { timeoutSeconds }: ToolDefinition): ExecutorFailed => {
  switch (reason._tag) {
    case "Failed":
      return new ExecutorFailed({ code: reason.code, message: reason.message, retryable: false })
    case "Timeout":
      return new ExecutorFailed({
        code: "timeout",
        message: `Reading the document took longer than ${timeoutSeconds} s.`,
        retryable: false,
      })
    case "Crashed":
      return new ExecutorFailed({
        code: "executor_crashed",
        message:
          "The document could not be read: the process that read it ended unexpectedly. Nothing is charged.",
        retryable: false,
      })
    case "Unavailable":
      return new ExecutorFailed({
        code: "executor_unavailable",
        message: "No process could be started to read the document.",
        retryable: true,
      })
  }
}
