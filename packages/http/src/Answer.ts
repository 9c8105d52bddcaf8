import type { Door } from "@atelier/api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ApiError, type Failure, toApiError } from "./toApiError.ts"

/** One request and what every answer to it carries, whichever it is; made by the guard. */
export interface Exchange {
  readonly requestId: string
  readonly headers: Record<string, string>
}

export const Exchange = Context.Reference<Exchange>("@atelier/http/Exchange", {
  defaultValue: () => ({ requestId: "req_00000000000000000000000000", headers: {} }),
})

export type Headers = { readonly [name: string]: string }

export const json = (
  body: unknown,
  options: { readonly status?: number; readonly headers?: Headers } = {},
): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe(body, options)

/** 202 for a task that was accepted, now or before under the same key (contract, Errors). */
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

/** The answer to a failure; a fault of storage is logged, the caller learns nothing of it. */
export const refusal = (failure: Failure, door: Door): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(Exchange, ({ requestId }) => {
    const response = Effect.succeed(errorResponse(toApiError(failure, door), requestId))
    return failure._tag === "StorageError"
      ? Effect.andThen(
          Effect.logError(`${requestId}: storage failed: ${failure.operation}`, failure.cause),
          response,
        )
      : response
  })

/** Runs a handler's work; what it refuses becomes its answer. */
export const answer = <R>(
  door: Door,
  work: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(work, (failure) => refusal(failure, door))
