import { Api, EndpointSurface, type Surface } from "@atelier/api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type Fault, faultOf } from "./FailureLog.ts"
import { type ApiError, type Failure, toApiError } from "./toApiError.ts"

/** One request and the headers that every answer to it carries; made by the guard. */
export interface Exchange {
  readonly requestId: string
  readonly headers: Record<string, string>
  /** The id of the caller's API key, or of an operator's token, as soon as it is known; empty before. */
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
export const refusal = (
  failure: Failure,
  surface: Surface,
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(Exchange, (exchange) => {
    const error = toApiError(failure, surface)
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

/** Runs the work of a route that is no endpoint of the contract, or sends its answer by itself: a stream, a kept text. */
export const respond = <R>(
  endpoint: { readonly annotations: Context.Context<never> },
  work: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(work, (failure) => refusal(failure, Context.get(endpoint.annotations, EndpointSurface)))

/** What of an endpoint of the contract its answers are made by. */
export type Endpoint = HttpApiEndpoint.Constraint & Pick<HttpApiEndpoint.Top, "annotations">

/** What an endpoint of the contract answers: its body as it is sent, with its headers where the contract names any. */
export type ReplyOf<E extends HttpApiEndpoint.Constraint> = WireOf<E["~Success"]>
type WireOf<S> =
  S extends HttpApiSchema.WithHeaders<infer Body, infer Fields>
    ? HttpApiSchema.withHeaders<Body["Type"], Fields["Type"]>
    : S extends Schema.Top
      ? S["Type"]
      : never

/**
 * Runs the work of an endpoint. What it succeeds with becomes the answer, under the endpoint's status; what it
 * refuses becomes the refusal. The endpoint's schema holds the body to the contract by type alone: nothing is
 * encoded twice. Tests decode every answer.
 */
export const reply = <E extends Endpoint, R>(
  endpoint: E,
  work: Effect.Effect<ReplyOf<E>, Failure, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  respond(
    endpoint,
    Effect.map(work, (value) => {
      const status = statuses.get(endpoint) ?? 200
      return isWithHeaders(value)
        ? json(value.body, { status, headers: value.headers })
        : json(value, { status })
    }),
  )

const isWithHeaders = (value: unknown): value is HttpApiSchema.withHeaders<unknown, Headers> =>
  Predicate.hasProperty(value, HttpApiSchema.WithHeadersValueTypeId)

/** The status of each endpoint's success, which the contract annotates its schema with. */
const statuses = new Map<unknown, number>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, successes }) => {
    const [status = 200] = successes.keys()
    statuses.set(endpoint, status)
  },
})

/** The headers of an answer to a repetition under an idempotency key (contract, Tools). */
export const replayedHeaders = (replayed: boolean): { readonly "idempotency-replayed"?: string } =>
  replayed ? { "idempotency-replayed": "true" } : {}

/** A task that was accepted, now or before under the same key (contract, Errors). */
export const accepted = <Body extends { readonly task_id: string }>(body: Body, replayed: boolean) =>
  HttpApiSchema.withHeaders({
    body,
    headers: {
      location: `/v1/tasks/${body.task_id}`,
      "retry-after": "2",
      ...replayedHeaders(replayed),
    },
  })
