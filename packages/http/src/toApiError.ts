import {
  type ApiErrorBody,
  type ApiErrorCode,
  type ApiErrorStatus,
  classOf,
  type Surface,
} from "@atelier/api"
import type { CoreError, StorageError } from "@atelier/core"
import type { HttpRefusal } from "./HttpRefusal.ts"

/** Everything that a handler may refuse or fail with. */
export type Failure = CoreError | StorageError | HttpRefusal

/** An error as it is sent, except for the request's id. */
export interface ApiError {
  readonly status: ApiErrorStatus
  readonly body: Omit<ApiErrorBody, "request_id">
  readonly headers: { readonly [name: string]: string }
}

/**
 * The one place where refusals of core and of this package become HTTP (contract, Errors). `surface` decides what
 * insufficient funds are: 403 for images, 402 for tools.
 */
export const toApiError = (failure: Failure, surface: Surface): ApiError => {
  switch (failure._tag) {
    case "CoreError":
      return render(failure.code, surface, failure.message, failure.param, failure.taskId, {
        ...(failure.retryAfterSeconds === undefined
          ? {}
          : { "retry-after": String(Math.ceil(failure.retryAfterSeconds)) }),
        ...(failure.replayed === true ? { "idempotency-replayed": "true" } : {}),
      })
    case "HttpRefusal":
      return render(failure.code, surface, failure.message, failure.param, undefined, failure.headers)
    case "StorageError":
      return render("storage_unavailable", surface, "The service cannot reach its storage; try again later.")
  }
}

/** Seconds after which a refusal without its own delay may be retried. */
const retryAfterDefault = "2"

const render = (
  code: ApiErrorCode,
  surface: Surface,
  message: string,
  param?: string,
  taskId?: string,
  headers: { readonly [name: string]: string } = {},
): ApiError => {
  const { status, type } = classOf(code, surface)
  const always =
    status === 401
      ? { "www-authenticate": "Bearer" }
      : status === 429 || status === 503
        ? { "retry-after": retryAfterDefault }
        : // The synchronous endpoint's: a repetition would be another paid generation. OpenAI's clients ask this
          // header before they repeat by themselves.
          status === 502 || status === 504
          ? { "x-should-retry": "false" }
          : {}
  const body = { error: { message, type, code, param: param ?? null } }
  return {
    status,
    body: taskId === undefined ? body : { ...body, data: { task_id: taskId }, task_id: taskId },
    headers: { ...always, ...headers },
  }
}
