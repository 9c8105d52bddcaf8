import { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

/**
 * The idempotency key of a request by the first of `names` that it carries, null without one. Two values that
 * differ, under one name or two, are 400 `invalid_idempotency_key`; core checks the value itself.
 */
export const idempotencyKey = (
  request: HttpServerRequest.HttpServerRequest,
  names: ReadonlyArray<string>,
): Effect.Effect<string | null, HttpRefusal> => {
  const values = new Set(names.flatMap((name) => valuesOf(request, name)))
  const [first = null] = values
  return values.size <= 1
    ? Effect.succeed(first)
    : Effect.fail(
        refuseHttp(
          "invalid_idempotency_key",
          `The request names ${values.size} different idempotency keys; send one.`,
        ),
      )
}

/** Whether the caller wants the task in place of the finished answer (RFC 7240, 4.1). */
export const prefersAsync = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["prefer"] ?? "").split(",").some((each) => each.trim().toLowerCase() === "respond-async")

/** image-tasks 4.5: the legacy name is accepted too. */
export const imageKeyNames: ReadonlyArray<string> = ["idempotency-key", "x-idempotency-key"]
export const toolKeyNames: ReadonlyArray<string> = ["idempotency-key"]

/** Node joins repeated headers by a comma, which a key may contain: the values are read apart. */
const valuesOf = (request: HttpServerRequest.HttpServerRequest, name: string): ReadonlyArray<string> => {
  const joined = request.headers[name]
  if (joined === undefined) return []
  return request.source instanceof IncomingMessage
    ? (request.source.headersDistinct[name] ?? [joined])
    : [joined]
}
