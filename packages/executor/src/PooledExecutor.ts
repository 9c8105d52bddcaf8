import { basename, join } from "node:path"
import {
  type Content,
  CurrentDocumentSettings,
  type DocumentSettings,
  ExecutorFailed,
  type ExecutorJob,
  type ExecutorOutput,
  ExecutorUnavailable,
  FileRefused,
  Limits,
  type LimitValues,
  type LocalDocument,
  type ToolDefinition,
  type ToolExecutor,
} from "@atelier/core"
import {
  Crashed,
  locateModule,
  type ParsingCall,
  ParsingError,
  ParsingPool,
  parseHere,
  Written,
} from "@atelier/intake"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DocumentInput, ParseInput } from "./Results.ts"

/** What crosses the process boundary is untrusted: it is decoded by a schema first. */
const Inspected = Schema.Struct({ contentType: Schema.String })
const Parsed = Schema.Struct({
  warnings: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String })),
})

/** Names and types of results; a parsing process has no say in them. */
const kinds = {
  markdown: { file: "result.md", contentType: "text/markdown; charset=utf-8" },
  json: { file: "result.json", contentType: "application/json" },
} as const

/** Where and how a parsing module is called. */
export interface Parsing {
  readonly pool: ParsingPool["Service"]
  readonly limits: LimitValues
  readonly documents: DocumentSettings
  readonly definition: ToolDefinition
  /** A URL, by `siblingModule`. */
  readonly module: string
  /** Documents in memory up to this size are read in this process; none by default. */
  readonly hereBytesMax?: number
}

/**
 * The executor of a tool whose `module` (a URL, by `siblingModule`) exports `inspect(DocumentInput)`, which
 * returns `{ contentType }`, and `parse(ParseInput)`, which returns a `DocumentOutput`. Both run in the parsing
 * pool. A refusal by the module concerns the file; a crash or a time-out fails only that task, and for good; if
 * no process could be started, the task is retried.
 *
 * `hereBytesMax` is for a module that parses nothing: whose time and memory are bounded by a small number of bytes,
 * whatever they are. Its functions then run in this process on documents up to that size.
 */
export const make = Effect.fnUntraced(function* (
  definition: ToolDefinition,
  module: string,
  options: Pick<Parsing, "hereBytesMax"> = {},
): Effect.fn.Return<ToolExecutor, never, ParsingPool> {
  const parsing = yield* parsingOf(definition, module, options)
  if (options.hereBytesMax !== undefined) yield* Effect.promise(() => import(parsing.module))
  return {
    definition,
    inspect: (document) => inspect(parsing, document),
    run: (job) => parse(parsing, job),
  }
})

/** What a parsing module is called in the folder `workerModules` of a bundle: `text-md-json.parse`. */
export const moduleName = ({ id }: Pick<ToolDefinition, "id">, module: string): string =>
  `${id}.${basename(new URL(module).pathname).replace(/\.[cm]?[jt]s$/, "")}`

/** What `parse` and `step` need; the pool's processes have the module loaded before they take a job. */
export const parsingOf = Effect.fnUntraced(function* (
  definition: ToolDefinition,
  module: string,
  options: Pick<Parsing, "hereBytesMax"> = {},
): Effect.fn.Return<Parsing, never, ParsingPool> {
  const pool = yield* ParsingPool
  const located = yield* locateModule(moduleName(definition, module), module)
  pool.prepare(located)
  return {
    pool,
    limits: yield* Limits,
    documents: yield* CurrentDocumentSettings,
    definition,
    module: located,
    ...options,
  }
})

const isReadHere = ({ hereBytesMax = -1 }: Parsing, content: Content): boolean =>
  "data" in content && content.data.length <= hereBytesMax

const inspect = Effect.fnUntraced(function* (parsing: Parsing, document: LocalDocument) {
  const { definition, documents, module } = parsing
  const { owner } = document
  const input = {
    ...commonInput(parsing, document),
    textLayerNeeded: documents.refuse_without_text_layer ?? false,
  } satisfies Omit<DocumentInput, "document">
  const job = { owner, kind: "check", module, function: "inspect", input, reads: { document } } as const
  return yield* call(parsing, Inspected, job, isReadHere(parsing, document)).pipe(
    Effect.mapError((error) => toRefusal(error, definition)),
  )
})

/**
 * The second half of such an executor alone: `parse` of the module, for a tool whose documents are read
 * elsewhere and whose results are written in the pool. `more` is input beyond that of every `parse`, and
 * `reads` are files beyond the document.
 */
export const parse = Effect.fnUntraced(function* (
  parsing: Parsing,
  job: ExecutorJob,
  more: { readonly [name: string]: Schema.Json } = {},
  reads: Readonly<Record<string, Content>> = {},
): Effect.fn.Return<ExecutorOutput, ExecutorFailed> {
  const { definition, documents, limits, module } = parsing
  const { owner, outputDirectory, outputFormats } = job
  const resultBytesMax = limits.tool_result_bytes_max
  const pageOffsets = documents.page_offsets ?? false
  const common = { ...commonInput(parsing, job), outputFormats, resultBytesMax, pageOffsets }
  const outputs = outputFormats.map((format) => {
    const place = async () => join(await Effect.runPromise(outputDirectory), kinds[format].file)
    return { format, written: new Written(place, limits.small_document_bytes_max) }
  })
  const task: Omit<ParsingCall, "timeoutMillis"> = {
    owner,
    kind: "parse",
    module,
    function: "parse",
    input: { ...common, ...more } satisfies Omit<ParseInput, "document" | "write">,
    reads: { document: job, ...reads },
    writes: Object.fromEntries(outputs.map(({ format, written }) => [format, written])),
    writeBytesMax: resultBytesMax,
  }
  const { warnings } = yield* call(parsing, Parsed, task, isReadHere(parsing, job)).pipe(
    Effect.mapError((error) => toFailure(error, definition)),
  )
  const results = outputs.map(({ format, written: { content, bytes } }) => {
    const { contentType } = kinds[format]
    return { ...content, format, bytes, contentType }
  })
  return { results, warnings }
})

const commonInput = ({ definition }: Parsing, { filename, recognizer }: LocalDocument) => ({
  filename,
  fileBytesMax: definition.maxFileBytes,
  ...(recognizer === undefined ? {} : { recognizer }),
})

/**
 * One job of an executor that reads a document in several, within the tool's time-out. What it answers is decoded by the
 * schema; failures are those of `parse`.
 */
export const step = <A>(
  parsing: Parsing,
  schema: Schema.Decoder<A>,
  job: Omit<ParsingCall, "timeoutMillis">,
): Effect.Effect<A, ExecutorFailed> =>
  call(parsing, schema, job, false).pipe(Effect.mapError((error) => toFailure(error, parsing.definition)))

const call = <A>(
  { pool, definition: { id, timeoutSeconds } }: Parsing,
  schema: Schema.Decoder<A>,
  job: Omit<ParsingCall, "timeoutMillis">,
  here: boolean,
): Effect.Effect<A, ParsingError> =>
  (here ? parseHere(job) : pool.call({ ...job, timeoutMillis: timeoutSeconds * 1000 })).pipe(
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

/** A file that cannot be checked is not accepted, for whatever reason the check failed. */
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

/** A document that killed its process would most likely kill the next one too. */
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
