import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApi from "effect/http-api/HttpApi"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { unhandled } from "effect/Types"
import { Exchange, errorResponse, securityHeaders } from "./Answer.ts"
import { crossOrigin } from "./Cors.ts"
import { Drain } from "./Drain.ts"
import * as FailureLog from "./FailureLog.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { newRequestId, requestIdHeader } from "./RequestId.ts"
import { queryProblem } from "./SchemaProblem.ts"
import { Settings } from "./ServerSettings.ts"
import { toApiError } from "./toApiError.ts"
import { type Known, type KnownMethods, methodsOf, unknownRoute } from "./UnknownRoute.ts"

/**
 * The outermost wrapper of every path. Whatever happens inside, the answer has the one error shape, the request's
 * id and the security headers (contract, Errors): unknown paths (404), known ones under another method (405 with
 * `Allow`), parameters that a schema refused (400), and defects (500, logged, not revealed). Known are
 * the paths of `api`, and those of `more`, each under one method.
 */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  more: ReadonlyArray<Known> = [],
) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const random = yield* SecureRandom
      const { leaving } = yield* Drain
      const metrics = yield* HttpMetrics
      const crossing = crossOrigin((yield* Settings).corsOrigins)
      const known = methodsOf(api, more)
      const report = FailureLog.make()
      return (
        route,
      ): Effect.Effect<
        HttpServerResponse.HttpServerResponse,
        unhandled,
        HttpServerRequest.HttpServerRequest
      > =>
        Effect.flatMap(
          Effect.zip(newRequestId(random), HttpServerRequest.HttpServerRequest),
          ([requestId, request]) => {
            const arrivedAt = performance.now()
            const crossed = crossing(request)
            const exchange: Exchange = {
              requestId,
              headers: { ...securityHeaders, [requestIdHeader]: requestId, ...crossed?.headers },
              report: (fault) => report(exchange, fault),
              caller: "",
            }
            const answered = crossed?.preflight === undefined ? route : Effect.succeed(crossed.preflight)
            return answered.pipe(
              Effect.catchCause((cause) => failed(cause, exchange, known)),
              Effect.flatMap((response) =>
                Effect.withFiber(({ context }) => {
                  // The router left it: it is there from routing until the request is over.
                  const route = Context.getOrUndefined(context, HttpRouter.RouteContext)?.route.path
                  const seconds = (performance.now() - arrivedAt) / 1000
                  metrics.count(request.method, route, response.status, seconds)
                  // The rest of a refused request is not waited for.
                  if (leaving.isOpen() || (response.status >= 400 && isUnread(request))) {
                    exchange.headers["connection"] = "close"
                  }
                  return Effect.succeed(withHeaders(response, exchange.headers))
                }),
              ),
              Effect.provideService(Exchange, exchange),
            )
          },
        )
    }),
    { global: true },
  )

/**
 * The response with the exchange's headers, which become its own; what the route said stands. As
 * `HttpServerResponse.setHeaders`, which copies them four times over.
 */
const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  given: Record<string, string>,
): HttpServerResponse.HttpServerResponse => {
  const headers = Headers.fromRecordUnsafe(Object.assign(given, response.headers))
  return Object.assign(Object.create(Object.getPrototypeOf(response)), response, { headers })
}

/** Whether more of the request's body may arrive. */
const isUnread = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers
  return (
    (length !== "0" || encoding !== undefined) && !NodeHttpServerRequest.toIncomingMessage(request).complete
  )
}

const failed = (
  cause: Cause.Cause<unknown>,
  { requestId, report }: Exchange,
  known: KnownMethods,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const error = Cause.squash(cause)
    if (error instanceof HttpServerError.HttpServerError && error.reason._tag === "RouteNotFound") {
      return errorResponse(toApiError(unknownRoute(request, known), "tools"), requestId)
    }
    if (HttpApiSchemaError.is(error) && error.kind === "Query") {
      return errorResponse(toApiError(queryProblem(error, request), "tools"), requestId)
    }
    if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause as Cause.Cause<never>)
    const path = `${request.method} ${request.url.split("?")[0]}`
    yield* report({ code: "internal_error", status: 500, path, cause })
    const refusal = refuseHttp(
      "internal_error",
      "The service failed; the failure was logged with this request's id.",
    )
    return errorResponse(toApiError(refusal, "tools"), requestId)
  })
