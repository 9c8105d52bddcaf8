import { stat } from "node:fs/promises"
import { join } from "node:path"
import {
  ExecutorFailed,
  type ExecutorOutput,
  ExecutorUnavailable,
  FileRefused,
  Limits,
  type LocalDocument,
  type ToolDefinition,
  type ToolExecutor,
} from "@atelier/core"
import { Crashed, type ParsingCall, ParsingError, ParsingPool } from "@atelier/intake"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DocumentInput, ParseInput } from "./Results.ts"

/** What crosses the process boundary is data: it is decoded before it is believed. */
const Inspected = Schema.Struct({ contentType: Schema.String })
const Parsed = Schema.Struct({
  warnings: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String })),
})

/** Names and types of results; what a parsing process says of them does not count. */
const kinds = {
  markdown: { file: "result.md", contentType: "text/markdown; charset=utf-8" },
  json: { file: "result.json", contentType: "application/json" },
} as const

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
  const { tool_result_bytes_max: resultBytesMax } = yield* Limits
  return {
    definition,
    inspect: (document) => inspect(pool, definition, module, document),
    run: (job) => parse(pool, definition, module, job, { resultBytesMax }),
  }
})

const inspect = Effect.fnUntraced(function* (
  pool: ParsingPool["Service"],
  definition: ToolDefinition,
  module: string,
  { owner, path, filename }: LocalDocument,
) {
  const input = { filename, fileBytesMax: definition.maxFileBytes } satisfies Omit<DocumentInput, "document">
  const reads = { document: path }
  const job = { owner, kind: "check", module, function: "inspect", input, reads } as const
  return yield* call(pool, definition, Inspected, job).pipe(
    Effect.mapError((error) => toRefusal(error, definition)),
  )
})

/**
 * The second half of such an executor alone: `parse` of the module, for a tool whose documents are read
 * elsewhere and whose results are written in the pool. `more` is input beyond that of every `parse`, and
 * `reads` are files beyond the document.
 */
export const parse = Effect.fnUntraced(function* (
  pool: ParsingPool["Service"],
  definition: ToolDefinition,
  module: string,
  { owner, path, filename, outputDirectory, outputFormats }: Parameters<ToolExecutor["run"]>[0],
  more: { readonly resultBytesMax: number; readonly [name: string]: Schema.Json },
  reads: Readonly<Record<string, string>> = {},
): Effect.fn.Return<ExecutorOutput, ExecutorFailed> {
  const common = { filename, fileBytesMax: definition.maxFileBytes, outputFormats }
  const writes = Object.fromEntries(
    outputFormats.map((format) => [format, join(outputDirectory, kinds[format].file)]),
  )
  const { warnings } = yield* call(pool, definition, Parsed, {
    owner,
    kind: "parse",
    module,
    function: "parse",
    input: { ...common, ...more } satisfies Omit<ParseInput, "document" | "write">,
    reads: { document: path, ...reads },
    writes,
    writeBytesMax: more.resultBytesMax,
  }).pipe(Effect.mapError((error) => toFailure(error, definition)))
  const results = yield* Effect.forEach(outputFormats, (format) =>
    Effect.promise(async () => {
      const result = join(outputDirectory, kinds[format].file)
      const { size: bytes } = await stat(result)
      return { format, path: result, bytes, contentType: kinds[format].contentType }
    }),
  )
  return { results, warnings }
})

const call = <A>(
  pool: ParsingPool["Service"],
  { id, timeoutSeconds }: ToolDefinition,
  schema: Schema.Decoder<A>,
  job: Omit<ParsingCall, "timeoutMillis">,
): Effect.Effect<A, ParsingError> =>
  pool.call({ ...job, timeoutMillis: timeoutSeconds * 1000 }).pipe(
    Effect.flatMap((value) =>
      Effect.mapError(
        Schema.decodeUnknownEffect(schema)(value),
        ({ message }) =>
          new ParsingError({ reason: new Crashed({ exitCode: null, signal: null, detail: message }) }),
      ),
    ),
    Effect.tapError(({ reason }) => log(id, job.function, reason)),
  )

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
