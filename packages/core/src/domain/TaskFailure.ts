/** Codes that the service itself gives to tasks that fail (contract, Errors). A tool's executor may give others. */
export type TaskFailureCode =
  /** A caller or an administrator canceled it. */
  | "canceled"
  /** It was not done in time (document-tools 8). */
  | "timeout"
  /** The process that ran it died repeatedly. */
  | "worker_failed"
  /** The upstream refused its content. */
  | "upstream_rejected"
  /** The upstream failed, or delivered nothing. */
  | "upstream_failed"
  /** Whether the upstream accepted it could not be learned. */
  | "upstream_unknown"
  /** The images exist, and copying them was given up: the fee stays charged. */
  | "result_archive_failed"
  /** Its tool or its file is not there any more. */
  | "tool_unavailable"
  /** A result is larger than the limit (document-tools 8). */
  | "result_too_large"

/** Why a task failed, for its caller. */
export interface TaskFailure {
  readonly code: TaskFailureCode | (string & {})
  readonly message: string
}

/** A failure that the service itself gives; `message` is one sentence for the caller. */
export const taskFailure = (code: TaskFailureCode, message: string): TaskFailure => ({ code, message })
