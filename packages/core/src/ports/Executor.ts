import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OutputFormat, Warning } from "../domain/Task.ts"
import type { Content } from "../domain/ToolFile.ts"

/** A document tool as its author declares it; administrators may lower or change what the catalog allows. */
export interface ToolDefinition {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Accepted extensions with the dot, lower case. */
  readonly extensions: ReadonlyArray<string>
  readonly maxFileBytes: number
  readonly timeoutSeconds: number
  readonly outputFormats: ReadonlyArray<OutputFormat>
  /** Exact decimal, US dollars for each document. */
  readonly unitPriceUsd: string
  /** Whether the tool is offered unless configuration or an administrator says otherwise; true if absent. */
  readonly publishedByDefault?: boolean
  /** Whether it reads the text in pictures of pages, so that others may name it for documents without a text layer. */
  readonly recognizesText?: boolean
}

/** The file is not accepted and not stored. Codes are those of contract, Errors (400). */
export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", {
  code: Schema.Literals([
    "invalid_file",
    "file_type_not_accepted",
    "file_encrypted",
    "file_macro",
    "file_not_utf8",
    "file_corrupt",
    "archive_limit_exceeded",
    "no_text_layer",
  ]),
  message: Schema.String,
}) {}

/** No file can be checked at the moment: this says nothing about the file, which may be sent again. */
export class ExecutorUnavailable extends Schema.TaggedError<ExecutorUnavailable>()("ExecutorUnavailable", {
  code: Schema.Literal("executor_unavailable"),
  message: Schema.String,
}) {}

/**
 * The document could not be turned into a result. `retryable`: the cause lies outside the document (an
 * outage), and a repetition within the task's time can succeed; not before `retryAfterMillis`, where it is known.
 */
export class ExecutorFailed extends Schema.TaggedError<ExecutorFailed>()("ExecutorFailed", {
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
  retryAfterMillis: Schema.optionalKey(Schema.Number),
}) {}

/** A document with the name under which it was uploaded. Sizes are bytes. */
export type LocalDocument = Content & {
  /** Opaque id of the document's owner: executors divide their capacity between owners. */
  readonly owner: string
  readonly filename: string
  readonly bytes: number
  /** A published tool that recognises text in such files, for documents that this one finds no text in. */
  readonly recognizer?: string
}

/** A result; `path` lies in the job's `outputDirectory`. */
export type ExecutorResult = Content & {
  readonly format: OutputFormat
  readonly bytes: number
  readonly contentType: string
}

export interface ExecutorOutput {
  readonly results: ReadonlyArray<ExecutorResult>
  readonly warnings: ReadonlyArray<Warning>
}

/** A document to be parsed. */
export type ExecutorJob = LocalDocument & {
  /** An empty directory, created on first use; removed once the results are stored. */
  readonly outputDirectory: Effect.Effect<string>
  readonly outputFormats: ReadonlyArray<OutputFormat>
}

/** What a contributor writes to add a document tool. */
export interface ToolExecutor {
  readonly definition: ToolDefinition
  /** Signature and structure check at upload, before anything is stored (document-tools 4.2). */
  readonly inspect: (
    document: LocalDocument,
  ) => Effect.Effect<{ readonly contentType: string }, FileRefused | ExecutorUnavailable>
  /**
   * Parses the document into one result for each wanted format, in memory or in `outputDirectory`. Has no other
   * effect, so that it can be repeated. Ends itself within the definition's time-out.
   */
  readonly run: (job: ExecutorJob) => Effect.Effect<ExecutorOutput, ExecutorFailed>
}

/** The executors that this process offers. */
export class Executors extends Context.Service<Executors, ReadonlyArray<ToolExecutor>>()(
  "@atelier/core/ports/Executor",
) {}
