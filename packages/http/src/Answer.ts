import type { Door } from "@atelier/api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { type Fault, faultOf } from "./FailureLog.ts"
import { type ApiError, type Failure, toApiError } from "./toApiError.ts"

/** One request and the headers that every answer to it carries; made by the guard. */
export interface Exchange {
  readonly requestId: string
  readonly headers: Record<string, string>
  /** The id of the caller's API key, as soon as it is known; empty before, and for operators. */
  caller: string
  /** Logs a failure with this request's id. */
  readonly report: (fault: Fault) => Effect.Effect<void>
}

export const Exchange = Context.Reference<Exchange>("@atelier/http/Exchange", {
  defaultValue: () => ({
    requestId: "req_00000000000000000000000000",
    headers: {},
    caller: "",
    report: () => Effect.void,
  }),
})

export type Headers = { readonly [name: string]: string }

/**
 * Headers of every answer, unless the route sets them itself. Answers are private and not cached, unless
 * it does.
 */
export const securityHeaders: Headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
}

export const json = (
  body: unknown,
  options: { readonly status?: number; readonly headers?: Headers } = {},
): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe(body, options)

/** `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
export const holds = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((entry) => ["*", etag, `W/${etag}`].includes(entry.trim()))

/** 202 for a task that was accepted, now or earlier under the same key (contract, Errors). */
export const accepted = (
  body: { readonly task_id: string },
  replayed: boolean,
): HttpServerResponse.HttpServerResponse =>
  json(body, {
    status: 202,
    headers: {
      location: `/v1/tasks/${body.task_id}`,
      "retry-after": "2",
      ...(replayed ? { "idempotency-replayed": "true" } : {}),
    },
  })

/** An error in the shape that every error has (contract, Errors). */
export const errorResponse = (error: ApiError, requestId: string): HttpServerResponse.HttpServerResponse => {
  const { error: reason, ...task } = error.body
  return json(
    { error: reason, request_id: requestId, ...task },
    { status: error.status, headers: error.headers },
  )
}

/** Logs failures that are not the caller's fault (5xx), and no others. */
const reported = (failure: Failure, { status, body }: ApiError, { report }: Exchange): Effect.Effect<void> =>
  status < 500 ? Effect.void : report(faultOf(failure, body.error.code, status))

/** The answer to a failure; the cause of an internal error is not revealed to the caller. */
export const refusal = (failure: Failure, door: Door): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(Exchange, (exchange) => {
    const error = toApiError(failure, door)
    return Effect.as(reported(failure, error, exchange), errorResponse(error, exchange.requestId))
  })

/** An answer whose body is read while it is sent; if reading breaks off, that is logged like a failed answer. */
export const streamed = (
  body: Stream.Stream<Uint8Array, Failure>,
  options: NonNullable<Parameters<typeof HttpServerResponse.stream>[1]>,
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(Exchange, (exchange) =>
    HttpServerResponse.stream(
      Stream.tapError(body, (failure) => reported(failure, toApiError(failure, "images"), exchange)),
      options,
    ),
  )

/** Runs a handler; a refusal becomes its answer. */
export const answer = <R>(
  door: Door,
  work: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(work, (failure) => refusal(failure, door))
