import type { CoreError } from "@atelier/core"

/** Codes of this package itself, beside those of the service (docs/operate/errors.md). */
export type LocalCode =
  | "storage_unavailable"
  | "internal_error"
  | "closed"
  | "invalid_setting"
  | "transaction_ended"
  | "transaction_open"
  | "transaction_timeout"

/** Why the service refuses, or this package does. Versions to come may add codes. */
export type AtelierErrorCode = CoreError["code"] | LocalCode | (string & {})

interface Fields {
  readonly param?: string | null
  readonly taskId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** Refusals that end by themselves: the same call can succeed later. */
const retryableCodes: ReadonlySet<string> = new Set([
  "storage_unavailable",
  "transaction_timeout",
  "overloaded",
  "executor_unavailable",
  "rate_limited",
  "too_many_files",
  "too_many_tasks",
  "file_in_use",
  "idempotency_request_in_progress",
  "result_not_ready",
])

/**
 * Every error of this package. Read `code`, which never changes its meaning, and not `message`, which is for people.
 * What an `AbortSignal` gives as its reason, and what a database's driver says of the application's own statements,
 * is thrown as it is.
 */
export class AtelierError extends Error {
  override readonly name: string = "AtelierError"
  readonly code: AtelierErrorCode
  /** The offending field as a dotted path; null where the error is not about one. */
  readonly param: string | null
  /** The task that the error concerns. */
  readonly taskId: string | undefined
  /** Seconds after which a repetition can succeed; undefined where that is not known. */
  readonly retryAfter: number | undefined
  /** Whether the same call can succeed later. A submission is repeated under the same idempotency key. */
  readonly retryable: boolean

  constructor(code: AtelierErrorCode, message: string, fields: Fields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = code
    this.param = fields.param ?? null
    this.taskId = fields.taskId
    this.retryAfter = fields.retryAfter
    this.retryable = retryableCodes.has(code) || fields.retryAfter !== undefined
  }
}

/** Refuses an argument of a call before anything is done. */
export const invalid = (param: string, message: string): AtelierError =>
  new AtelierError("invalid_parameter", `\`${param}\` ${message}`, { param })
