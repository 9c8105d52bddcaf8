import { ExecutorFailed, FileRefused, type ToolExecutor } from "@atelier/core"
import { type ParsingError, ParsingPool, siblingModule } from "@atelier/intake"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as module from "./parse.ts"
import { definition } from "./subtitles.ts"

/** What crosses the process boundary is data: it is decoded before it is believed. */
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

/** The executor of `subtitles-md-json`; documents are read in the parsing pool only. */
export const make: Effect.Effect<ToolExecutor, never, ParsingPool> = Effect.gen(function* () {
  const pool = yield* ParsingPool
  const call = (name: keyof typeof module, input: Schema.Json) =>
    pool.call({
      module: siblingModule("parse", import.meta.url),
      function: name,
      input,
      timeoutMillis: definition.timeoutSeconds * 1000,
    })
  return {
    definition,
    inspect: ({ path }) =>
      call("inspect", { path }).pipe(
        Effect.catch(refused),
        Effect.flatMap((found) => Effect.orDie(Schema.decodeUnknownEffect(Inspected)(found))),
      ),
    run: ({ path, outputDirectory, outputFormats }) =>
      call("parse", { path, outputDirectory, outputFormats: [...outputFormats] }).pipe(
        Effect.mapError(failed),
        Effect.flatMap((output) => Effect.orDie(Schema.decodeUnknownEffect(Parsed)(output))),
      ),
  }
})

/** Only what the module refused is the file's fault; a pool that cannot work is a fault of the service. */
const refused = ({ reason }: ParsingError): Effect.Effect<never, FileRefused> => {
  if (reason._tag !== "Failed") return Effect.die(reason)
  const code = Schema.is(FileRefused.fields.code)(reason.code) ? reason.code : "invalid_file"
  return Effect.fail(new FileRefused({ code, message: reason.message }))
}

/** `retryable`: the cause lies outside of the document, and another run within the task's time can succeed. */
const failed = ({ reason }: ParsingError): ExecutorFailed =>
  reason._tag === "Failed"
    ? new ExecutorFailed({ code: reason.code, message: reason.message, retryable: false })
    : reason._tag === "Timeout"
      ? new ExecutorFailed({ code: "timeout", message: "Reading took too long.", retryable: false })
      : new ExecutorFailed({ code: "executor_crashed", message: "Reading ended early.", retryable: true })
