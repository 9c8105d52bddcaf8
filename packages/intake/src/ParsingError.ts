import * as Schema from "effect/Schema"

/** The job did not end within its time, counted from when a process took it; the process was killed. */
export class Timeout extends Schema.TaggedError<Timeout>()("Timeout", { timeoutMillis: Schema.Number }) {}

/**
 * The process ended during the job (by a fault, a signal, or out of memory), or the module threw
 * something that is no `Refusal`. `detail` is for logs: it may hold paths.
 */
export class Crashed extends Schema.TaggedError<Crashed>()("Crashed", {
  exitCode: Schema.NullOr(Schema.Number),
  signal: Schema.NullOr(Schema.String),
  detail: Schema.String,
}) {}

/** The module refused the document: code and message are for its owner. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", {
  code: Schema.String,
  message: Schema.String,
}) {}

/** No process could be started; the document was not looked at. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  detail: Schema.String,
}) {}

/** Why a call of the parsing pool gave no result. */
export class ParsingError extends Schema.TaggedError<ParsingError>()("ParsingError", {
  reason: Schema.Union([Timeout, Crashed, Failed, Unavailable]),
}) {}
