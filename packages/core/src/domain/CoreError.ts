import * as Schema from "effect/Schema"

/** Every reason for which the service refuses a request (contract, Errors); core knows no HTTP status. */
export const ErrorCode = Schema.Literals([
  "invalid_parameter",
  "unknown_parameter",
  "unsupported_parameter",
  "max_cost_exceeded",
  "model_not_found",
  "model_not_supported_on_endpoint",
  "reference_image_unavailable",
  "invalid_idempotency_key",
  "invalid_file",
  "file_type_not_accepted",
  "file_encrypted",
  "file_macro",
  "file_not_utf8",
  "file_corrupt",
  "archive_limit_exceeded",
  "no_text_layer",
  "invalid_api_key",
  "api_key_disabled",
  "api_key_expired",
  "insufficient_balance",
  "key_quota_exhausted",
  "model_not_allowed",
  "group_not_allowed",
  "tool_not_allowed",
  "ip_not_allowed",
  "role_not_allowed",
  "account_disabled",
  "not_found",
  "task_not_found",
  "file_not_found",
  "tool_not_found",
  "format_not_requested",
  "idempotency_request_in_progress",
  "idempotency_key_reused",
  "result_not_ready",
  "task_failed",
  "task_not_cancelable",
  "result_expired",
  "file_expired",
  "file_too_large",
  "rate_limited",
  "too_many_files",
  "too_many_tasks",
  "file_in_use",
  "overloaded",
  "storage_unavailable",
  "executor_unavailable",
  "result_archive_failed",
  "upstream_rejected",
  "upstream_failed",
  "generation_timeout",
])
export type ErrorCode = typeof ErrorCode.Type

/**
 * A refusal that the caller can act on. `message` names the offending value and what is allowed; `param` is
 * the dotted path of the field at fault; `taskId` is there when the refusal concerns an existing or reserved
 * task; `retryAfterSeconds` says when a repetition can succeed.
 */
export class CoreError extends Schema.TaggedError<CoreError>()("CoreError", {
  code: ErrorCode,
  message: Schema.String,
  param: Schema.optionalKey(Schema.String),
  taskId: Schema.optionalKey(Schema.String),
  retryAfterSeconds: Schema.optionalKey(Schema.Number),
  /** The refusal is a replay: it was already given under the same idempotency key (image-tasks 4.5). */
  replayed: Schema.optionalKey(Schema.Boolean),
}) {}

export const refuse = (
  code: ErrorCode,
  message: string,
  more: {
    readonly param?: string
    readonly taskId?: string
    readonly retryAfterSeconds?: number
    readonly replayed?: boolean
  } = {},
): CoreError => new CoreError({ code, message, ...more })

/** Storage did not answer, or gave an impossible answer. `operation` names what was attempted. */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  operation: Schema.String,
  cause: Schema.Defect(),
}) {}

/**
 * The task was not in a state that allows the event, or was moved concurrently (compare-and-set).
 * Nothing was written.
 */
export class StepRefused extends Schema.TaggedError<StepRefused>()("StepRefused", {
  taskId: Schema.String,
  event: Schema.String,
}) {}

/** The job was given to another worker meanwhile: the holder of the old lease writes nothing. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { jobId: Schema.String }) {}
