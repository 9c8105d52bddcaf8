import type { ErrorCode, Task } from "./types.ts"

/** What an `AtelierError` is made of. */
export interface ErrorFields {
  readonly code: ErrorCode
  readonly status?: number | undefined
  readonly param?: string | null | undefined
  readonly requestId?: string | undefined
  readonly taskId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/**
 * Base of every error of this client. An aborted `AbortSignal` is not one: its own reason is thrown.
 * Read `code`, which never changes its meaning, and not `message`, which is for people.
 */
export class AtelierError extends Error {
  override readonly name: string = "AtelierError"
  /** Code of the API, or of this client: `connection_failed`, `timeout`, `unexpected_answer`, `invalid_argument`. */
  readonly code: ErrorCode
  /** HTTP status of the answer; undefined where there was none. */
  readonly status: number | undefined
  /** The offending parameter as a dotted path; null where the error is not about one. */
  readonly param: string | null
  /** Give it to the operator's support. */
  readonly requestId: string | undefined
  /** The task that the error concerns: keep it, `tasks.get(taskId)` goes on from here. */
  readonly taskId: string | undefined
  /** Idempotency key of a submission whose outcome is unknown: submit again with it, and at most one task is made. */
  readonly idempotencyKey: string | undefined
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.status = fields.status
    this.param = fields.param ?? null
    this.requestId = fields.requestId
    this.taskId = fields.taskId
    this.idempotencyKey = undefined
    this.retryAfter = fields.retryAfter
  }

  /** Whether the same call may succeed later. A submission is then repeated under the same idempotency key. */
  get retryable(): boolean {
    return false
  }
}

/** 400, 404, 405, 406, 409, 410, 413, 415, 416: the request must change, or what it asks for is not there. */
export class InvalidRequestError extends AtelierError {
  override readonly name: string = "InvalidRequestError"
  /** The first request under the key is still being processed (image-tasks 4.5). */
  override get retryable(): boolean {
    return this.status === 408 || this.code === "idempotency_request_in_progress"
  }
}

/** 401: the API key is unknown, disabled or expired. */
export class AuthenticationError extends AtelierError {
  override readonly name: string = "AuthenticationError"
}

/** 403: the key may not do this. */
export class PermissionError extends AtelierError {
  override readonly name: string = "PermissionError"
}

/** 402, and 403 for images: the wallet or the key's quota does not suffice. */
export class BillingError extends AtelierError {
  override readonly name: string = "BillingError"
}

/** 429: too many requests, files, tasks or connections; ask again after `retryAfter`. */
export class RateLimitError extends AtelierError {
  override readonly name: string = "RateLimitError"
  override get retryable(): boolean {
    return true
  }
}

/** 502 and 504 of the service: the model's vendor failed. */
export class UpstreamError extends AtelierError {
  override readonly name: string = "UpstreamError"
}

/** 500 and 503: the service failed, or sheds load. */
export class ServerError extends AtelierError {
  override readonly name: string = "ServerError"
  override get retryable(): boolean {
    return true
  }
}

/** There was no whole answer of the service: whether the request was carried out is unknown. */
export class ConnectionError extends AtelierError {
  override readonly name: string = "ConnectionError"
  override get retryable(): boolean {
    return this.code !== "redirected"
  }
}

/** The task was not final in the time given. It goes on: `tasks.wait(taskId)` waits for it again. */
export class WaitTimeoutError extends AtelierError {
  override readonly name: string = "WaitTimeoutError"
  override get retryable(): boolean {
    return true
  }
}

/** The task ended as `failed`, and its fee was given back. `code` is that of the task's `error`. */
export class TaskFailedError extends AtelierError {
  override readonly name: string = "TaskFailedError"
  readonly task: Task

  constructor(task: Task) {
    super(task.error?.message ?? "The task failed.", {
      code: task.error?.code ?? "task_failed",
      taskId: task.id,
    })
    this.task = task
  }
}

/** A webhook that is not the service's, was changed on its way, or is too old. */
export class WebhookVerificationError extends AtelierError {
  override readonly name: string = "WebhookVerificationError"
}

const kinds: Readonly<Record<string, new (message: string, fields: ErrorFields) => AtelierError>> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  billing_error: BillingError,
  rate_limit_error: RateLimitError,
  upstream_error: UpstreamError,
  server_error: ServerError,
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Seconds of a `Retry-After`, which is a number of them or a date. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const value = headers.get("retry-after")?.trim()
  if (value === undefined || value === "") return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/**
 * The error of an answer that is no success. An answer that is not of the service, such as a proxy's page, is a
 * `ConnectionError`: it says nothing of what became of the request.
 */
export const errorOf = (status: number, headers: Headers, body: unknown): AtelierError => {
  const requestId = headers.get("x-request-id") ?? undefined
  const retryAfter = retryAfterOf(headers)
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : undefined
  const [code, type] = [textOf(error?.["code"]), textOf(error?.["type"])]
  if (error === undefined || code === undefined || type === undefined) {
    const message = `The server answered ${status} without an error of the API; is baseURL right?`
    return new ConnectionError(message, { code: "unexpected_answer", status, requestId, retryAfter })
  }
  const taskId = isObject(body) ? textOf(body["task_id"]) : undefined
  const fields = { code, status, param: textOf(error["param"]), requestId, taskId, retryAfter }
  return new (kinds[type] ?? AtelierError)(textOf(error["message"]) ?? code, fields)
}

/** The same error, which now says which task or which submission it is about. */
export const about = (
  error: unknown,
  what: { readonly taskId?: string; readonly idempotencyKey?: string },
): unknown => {
  if (error instanceof AtelierError) {
    Object.assign(error, {
      taskId: error.taskId ?? what.taskId,
      idempotencyKey: error.idempotencyKey ?? what.idempotencyKey,
    })
  }
  return error
}
