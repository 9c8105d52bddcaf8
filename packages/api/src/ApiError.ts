import type { ErrorCode } from "@atelier/core"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

/** The service that refuses: insufficient funds are 403 for images and 402 for everything else (contract, Money). */
export type Surface = "images" | "tools"

/** The surface of an endpoint, an annotation of it. */
export const EndpointSurface = Context.Reference<Surface>("@atelier/api/EndpointSurface", {
  defaultValue: () => "tools",
})

/** Reasons that only a server has: everything that happens before and around core's services. */
export type HttpErrorCode =
  | "invalid_json"
  | "method_not_allowed"
  | "origin_not_allowed"
  | "request_timeout"
  | "request_too_large"
  | "too_many_connections"
  | "unsupported_media_type"
  | "range_not_satisfiable"
  | "internal_error"
  | "storage_unavailable"
  | "shutting_down"

export type ApiErrorCode = ErrorCode | HttpErrorCode

export const ApiErrorType = Schema.Literals([
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "billing_error",
  "rate_limit_error",
  "upstream_error",
  "server_error",
])
export type ApiErrorType = typeof ApiErrorType.Type

export type ApiErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 406
  | 408
  | 409
  | 410
  | 413
  | 415
  | 416
  | 429
  | 500
  | 502
  | 503
  | 504

export interface ErrorClass {
  readonly status: ApiErrorStatus
  readonly type: ApiErrorType
}

const of = (status: ApiErrorStatus, type: ApiErrorType): { readonly [S in Surface]: ErrorClass } => ({
  images: { status, type },
  tools: { status, type },
})
const invalid = (status: ApiErrorStatus) => of(status, "invalid_request_error")
const denied = of(403, "permission_error")
const unauthenticated = of(401, "authentication_error")
const tooMany = of(429, "rate_limit_error")

/** The one table of errors: code to HTTP status and type, with a column for each surface (contract, Errors). */
const table: { readonly [C in ApiErrorCode]: { readonly [S in Surface]: ErrorClass } } = {
  invalid_json: invalid(400),
  invalid_parameter: invalid(400),
  unknown_parameter: invalid(400),
  unsupported_parameter: invalid(400),
  max_cost_exceeded: invalid(400),
  model_not_found: invalid(400),
  model_not_supported_on_endpoint: invalid(400),
  reference_image_unavailable: invalid(400),
  invalid_idempotency_key: invalid(400),
  upstream_rejected: invalid(400),
  invalid_file: invalid(400),
  file_type_not_accepted: invalid(400),
  file_encrypted: invalid(400),
  file_macro: invalid(400),
  file_not_utf8: invalid(400),
  file_corrupt: invalid(400),
  archive_limit_exceeded: invalid(400),
  no_text_layer: invalid(400),
  invalid_api_key: unauthenticated,
  api_key_disabled: unauthenticated,
  api_key_expired: unauthenticated,
  insufficient_balance: {
    images: { status: 403, type: "billing_error" },
    tools: { status: 402, type: "billing_error" },
  },
  key_quota_exhausted: of(402, "billing_error"),
  model_not_allowed: denied,
  group_not_allowed: denied,
  tool_not_allowed: denied,
  ip_not_allowed: denied,
  role_not_allowed: denied,
  origin_not_allowed: denied,
  account_disabled: denied,
  not_found: invalid(404),
  task_not_found: invalid(404),
  file_not_found: invalid(404),
  tool_not_found: invalid(404),
  method_not_allowed: invalid(405),
  format_not_requested: invalid(406),
  request_timeout: invalid(408),
  idempotency_request_in_progress: invalid(409),
  idempotency_key_reused: invalid(409),
  result_not_ready: invalid(409),
  task_failed: invalid(409),
  task_not_cancelable: invalid(409),
  result_expired: invalid(410),
  file_expired: invalid(410),
  file_too_large: invalid(413),
  request_too_large: invalid(413),
  unsupported_media_type: invalid(415),
  range_not_satisfiable: invalid(416),
  rate_limited: tooMany,
  too_many_files: tooMany,
  too_many_tasks: tooMany,
  too_many_connections: tooMany,
  file_in_use: tooMany,
  internal_error: of(500, "server_error"),
  result_archive_failed: of(502, "upstream_error"),
  upstream_failed: of(502, "upstream_error"),
  overloaded: of(503, "server_error"),
  executor_unavailable: of(503, "server_error"),
  storage_unavailable: of(503, "server_error"),
  shutting_down: of(503, "server_error"),
  generation_timeout: of(504, "upstream_error"),
}

/** HTTP status and type of an error code on a surface. */
export const classOf = (code: ApiErrorCode, surface: Surface): ErrorClass => table[code][surface]

/** Every code, for tests and documentation. */
export const apiErrorCodes = Object.keys(table) as ReadonlyArray<ApiErrorCode>

const fields = {
  error: Schema.Struct({
    /** What is wrong, with the offending value and what is allowed. */
    message: Schema.String,
    type: ApiErrorType,
    code: Schema.String,
    /** Dotted path of the field at fault. */
    param: Schema.NullOr(Schema.String),
  }),
  /** Equal to the header `x-request-id`. */
  request_id: Schema.String,
  data: Schema.optionalKey(Schema.Struct({ task_id: Schema.String })),
  task_id: Schema.optionalKey(Schema.String),
}

/** The body of every error, on every path (contract, Errors). */
export const ApiErrorBody = Schema.Struct(fields)
export type ApiErrorBody = typeof ApiErrorBody.Type

export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(fields, {
  httpApiStatus: 400,
  description: "The request is malformed, or a parameter, a file or the idempotency key is not valid.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(fields, {
  httpApiStatus: 401,
  description: "The API key is missing, not valid, disabled or expired.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class PaymentRequired extends Schema.Error<PaymentRequired>("PaymentRequired")(fields, {
  httpApiStatus: 402,
  description: "The wallet or the key's quota does not cover the fee.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(fields, {
  httpApiStatus: 403,
  description: "The key may not do this, the account is disabled, or (images) the balance is too low.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class NotFound extends Schema.Error<NotFound>("NotFound")(fields, {
  httpApiStatus: 404,
  description: "There is no such thing, or it belongs to another key.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class NotAcceptable extends Schema.Error<NotAcceptable>("NotAcceptable")(fields, {
  httpApiStatus: 406,
  description: "The format was not requested at submission.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class Conflict extends Schema.Error<Conflict>("Conflict")(fields, {
  httpApiStatus: 409,
  description: "The idempotency key was used for another request, or the task is in another state.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class Gone extends Schema.Error<Gone>("Gone")(fields, {
  httpApiStatus: 410,
  description: "The file or the result expired.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class ContentTooLarge extends Schema.Error<ContentTooLarge>("ContentTooLarge")(fields, {
  httpApiStatus: 413,
  description: "The file or the request body is over its limit.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("UnsupportedMediaType")(fields, {
  httpApiStatus: 415,
  description: "The request body has another media type than the endpoint takes.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequests")(fields, {
  httpApiStatus: 429,
  description:
    "Too many requests, files, tasks or connections, or the file is in use. `Retry-After` says when to retry.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class InternalError extends Schema.Error<InternalError>("InternalError")(fields, {
  httpApiStatus: 500,
  description: "An internal error of the service.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class BadGateway extends Schema.Error<BadGateway>("BadGateway")(fields, {
  httpApiStatus: 502,
  description: "The upstream failed, or its images could not be copied (`result_archive_failed`).",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class Unavailable extends Schema.Error<Unavailable>("Unavailable")(fields, {
  httpApiStatus: 503,
  description: "The service is overloaded, or its storage does not answer. `Retry-After` says when to retry.",
}) {
  override get message(): string {
    return this.error.message
  }
}

export class GatewayTimeout extends Schema.Error<GatewayTimeout>("GatewayTimeout")(fields, {
  httpApiStatus: 504,
  description: "The generation takes longer than the synchronous endpoint waits; the task goes on.",
}) {
  override get message(): string {
    return this.error.message
  }
}
