import { ExecutorFailed, FileRefused, Limits, type ToolExecutor } from "@atelier/core"
import { type ParsingError, ParsingPool, siblingModule } from "@atelier/intake"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { definition } from "./definition.ts"
import type { InspectInput, ParseInput } from "./parse.ts"

const module = siblingModule("parse", import.meta.url)
const timeoutMillis = definition.timeoutSeconds * 1000

const Inspected = Schema.Struct({ contentType: Schema.String })

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

/** The executor of text-md-json: every byte of a document is read in the parsing pool. */
export const make: Effect.Effect<ToolExecutor, never, ParsingPool> = Effect.gen(function* () {
  const pool = yield* ParsingPool
  const limits = yield* Limits

  const inspect = Effect.fnUntraced(function* (document: Parameters<ToolExecutor["inspect"]>[0]) {
    const input = {
      path: document.path,
      filename: document.filename,
      fileBytesMax: definition.maxFileBytes,
    } satisfies InspectInput
    const found = yield* pool
      .call({ module, function: "inspect", input, timeoutMillis })
      .pipe(Effect.catch(refuse))
    return yield* Effect.orDie(Schema.decodeUnknownEffect(Inspected)(found))
  })

  const run = Effect.fnUntraced(function* (job: Parameters<ToolExecutor["run"]>[0]) {
    const input = {
      path: job.path,
      filename: job.filename,
      fileBytesMax: definition.maxFileBytes,
      outputDirectory: job.outputDirectory,
      outputFormats: job.outputFormats,
      resultBytesMax: limits.tool_result_bytes_max,
    } satisfies ParseInput
    const output = yield* pool
      .call({ module, function: "parse", input, timeoutMillis })
      .pipe(Effect.mapError(toFailure))
    return yield* Effect.orDie(Schema.decodeUnknownEffect(Parsed)(output))
  })

  return { definition, inspect, run }
})

const isRefusalCode = Schema.is(FileRefused.fields.code)

/** Only what the module refused is the file's fault; that the pool could not work is a fault of the service. */
const refuse = (error: ParsingError): Effect.Effect<never, FileRefused> => {
  const { reason } = error
  if (reason._tag !== "Failed") return Effect.die(error)
  const code = isRefusalCode(reason.code) ? reason.code : "invalid_file"
  return Effect.fail(new FileRefused({ code, message: reason.message }))
}

/** A document cannot bring this executor down, so a crash has its cause elsewhere and may not come again. */
const toFailure = ({ reason }: ParsingError): ExecutorFailed => {
  switch (reason._tag) {
    case "Failed":
      return new ExecutorFailed({ code: reason.code, message: reason.message, retryable: false })
    case "Timeout":
      return new ExecutorFailed({ code: "timeout", message: timedOut, retryable: false })
    case "Crashed":
    case "Unavailable":
      return new ExecutorFailed({ code: "executor_crashed", message: crashed, retryable: true })
  }
}

const timedOut = `Reading the file took longer than ${definition.timeoutSeconds} s.`
const crashed = "The process that read the file ended unexpectedly."
