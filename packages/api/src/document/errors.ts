import { type ApiErrorCode, ApiErrorType, apiErrorCodes, classOf } from "../ApiError.ts"
import type { Json } from "./json.ts"

/** A name for each status, and a refusal as the service answers it. */
interface Shown {
  readonly name: string
  readonly code: ApiErrorCode
  readonly param?: string
  readonly message: string
  readonly taskId?: string
}

const taskId = "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5"

/** `test/openapi/errors.test.ts` provokes those that can be, and compares. */
const shownErrors: { readonly [status: string]: Shown } = {
  400: {
    name: "BadRequest",
    code: "max_cost_exceeded",
    param: "max_cost_usd",
    message: "The request costs 0.04 USD, more than `max_cost_usd` 0.01.",
  },
  401: { name: "Unauthorized", code: "invalid_api_key", message: "The API key is not valid." },
  402: {
    name: "PaymentRequired",
    code: "insufficient_balance",
    message: "The task costs 50 units and the wallet holds 0.",
  },
  403: {
    name: "Forbidden",
    code: "model_not_allowed",
    param: "model",
    message: 'This API key may not use the model "gen-image-2".',
  },
  404: {
    name: "NotFound",
    code: "task_not_found",
    message: `There is no task "${taskId}" of this API key.`,
  },
  406: {
    name: "NotAcceptable",
    code: "format_not_requested",
    param: "format",
    message: "The task was submitted for markdown, not for json.",
    taskId: "tooltask_01k8a3v5w2x9y7z4q6r8s1t3v5",
  },
  409: {
    name: "Conflict",
    code: "idempotency_key_reused",
    message: 'The idempotency key "order-1" was used for a different request; a new request needs a new key.',
  },
  410: {
    name: "Gone",
    code: "result_expired",
    message: "The result expired at 2026-01-01T02:00:00Z.",
    taskId: "tooltask_01k8a3v5w2x9y7z4q6r8s1t3v5",
  },
  413: {
    name: "ContentTooLarge",
    code: "request_too_large",
    message: "The body may have at most 262144 bytes.",
  },
  415: {
    name: "UnsupportedMediaType",
    code: "unsupported_media_type",
    message: 'The body must be application/json; got Content-Type "text/plain".',
  },
  416: {
    name: "RangeNotSatisfiable",
    code: "range_not_satisfiable",
    message: "The image has 182044 bytes; bytes=200000- is outside of them.",
  },
  429: {
    name: "TooManyRequests",
    code: "rate_limited",
    message: "This API key may make 600 requests a minute, 120 at once; retry after 1 s.",
  },
  500: {
    name: "InternalError",
    code: "internal_error",
    message: "The service failed; the failure was logged with this request's id.",
  },
  502: {
    name: "BadGateway",
    code: "upstream_failed",
    message: "The task failed and was not charged. upstream_failed: The generation failed.",
    taskId,
  },
  503: {
    name: "Unavailable",
    code: "storage_unavailable",
    message: "The service cannot reach its storage; try again later.",
  },
  504: {
    name: "GatewayTimeout",
    code: "generation_timeout",
    message: `The task was not done after 300 seconds. It goes on: poll ${taskId}; do not submit it again.`,
    taskId,
  },
}

/** The codes of a status, on either surface. */
const codesOf = (status: number): ReadonlyArray<string> =>
  apiErrorCodes.filter((code) =>
    (["images", "tools"] as const).some((surface) => classOf(code, surface).status === status),
  )

const bodyOf = (status: number, { code, param, message, taskId }: Shown): Json => ({
  error: {
    message,
    type: classOf(code, status === 403 ? "images" : "tools").type,
    code,
    param: param ?? null,
  },
  request_id: "req_01k8a3v5w2x9y7z4q6r8s1t3v5",
  ...(taskId === undefined ? {} : { data: { task_id: taskId }, task_id: taskId }),
})

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** The one body of every error, and its codes (contract, Errors). */
export const errorSchemas: Json = {
  ErrorCode: {
    type: "string",
    enum: apiErrorCodes,
    description:
      "What went wrong, for programs. Versions to come may add codes: treat one that you do not know by its HTTP status.",
  },
  ErrorType: { type: "string", enum: ApiErrorType.literals, description: "The kind of error." },
  Error: {
    type: "object",
    description: "The body of every error, on every path.",
    required: ["error", "request_id"],
    properties: {
      error: {
        type: "object",
        required: ["message", "type", "code", "param"],
        properties: {
          message: { type: "string" },
          type: reference("ErrorType"),
          code: reference("ErrorCode"),
          param: { type: ["string", "null"] },
        },
      },
      request_id: { type: "string" },
      data: { type: "object", required: ["task_id"], properties: { task_id: { type: "string" } } },
      task_id: { type: "string" },
    },
  },
}

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

/** Headers of every answer to an authenticated request. */
export const rateHeaders: Json = {
  RateLimit: header("RateLimit"),
  "RateLimit-Policy": header("RateLimit-Policy"),
}
export const requestIdHeader: Json = { "X-Request-Id": header("X-Request-Id") }

export const headers: Json = {
  "X-Request-Id": {
    description: "Identifier of the request, on every answer; give it to whoever looks into a problem.",
    schema: { type: "string" },
    example: "req_01k8a3v5w2x9y7z4q6r8s1t3v5",
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    schema: { type: "integer", minimum: 0 },
    example: 2,
  },
  RateLimit: {
    description: "Requests that are left at once (`r`), and seconds until all are again (`t`).",
    schema: { type: "string" },
    example: '"key";r=119;t=1',
  },
  "RateLimit-Policy": {
    description: "Requests (`q`) that the key may send in a window of seconds (`w`).",
    schema: { type: "string" },
    example: '"key";q=600;w=60',
  },
}

const headersOf = (status: number): Json => ({
  ...requestIdHeader,
  ...(status === 429 || status === 503 ? { "Retry-After": header("Retry-After") } : {}),
  ...(status === 429 ? rateHeaders : {}),
})

const nameOf = (status: string): string => {
  const name = shownErrors[status]?.name
  if (name === undefined) throw new Error(`no example of an error with status ${status}`)
  return name
}

/** In place of an operation's own response of an error. */
export const errorReference = (status: string): Json => ({ $ref: `#/components/responses/${nameOf(status)}` })

/** A response for each status, from what the operations say of it. */
export const errorResponses = (descriptions: ReadonlyMap<string, string>): Json =>
  Object.fromEntries(
    [...descriptions].map(([status, description]) => {
      const shown = shownErrors[status]
      if (shown === undefined) throw new Error(`no example of an error with status ${status}`)
      const codes = codesOf(Number(status)).map((code) => `\`${code}\``)
      return [
        shown.name,
        {
          description: `${description} Codes: ${codes.join(", ")}.`,
          headers: headersOf(Number(status)),
          content: {
            "application/json": {
              schema: reference("Error"),
              examples: { [shown.code]: { summary: shown.message, value: bodyOf(Number(status), shown) } },
            },
          },
        },
      ]
    }),
  )
