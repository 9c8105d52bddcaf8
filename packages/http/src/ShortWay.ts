import { Authentication, TasksGroup } from "@atelier/api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest, type ParsedSearchParams } from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Admission } from "./Admission.ts"
import { refusal, respond } from "./Answer.ts"
import { TaskAnswers } from "./TaskAnswers.ts"

/** The most frequent request, because clients poll it. */
const polled = TasksGroup.endpoints.get

/**
 * A router whose `GET /v1/tasks/{id}` is answered without the work that the contract's endpoint does for every
 * request of its group: it admits and answers with the same services. One with parameters goes the endpoint's way,
 * which checks them.
 */
export const layer = Layer.effect(
  HttpRouter.HttpRouter,
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const { admit } = yield* Admission
    const answers = yield* TaskAnswers
    const credential = HttpApiBuilder.securityDecode(Authentication.security.apiKey)

    const read = (request: HttpServerRequest, id: string) =>
      Effect.flatMap(credential, (token) =>
        Effect.matchEffect(admit(request, Redacted.value(token)), {
          onFailure: (failure) => refusal(failure, "tools"),
          onSuccess: (principal) => respond(polled, answers.get(principal, id, request)),
        }),
      )
    const shortened = <E, R>(endpoint: Answering<E, R>): Answering<E, R | Provided> =>
      Effect.withFiber(({ context }): Answering<E, R | Provided> => {
        const request = Context.getUnsafe(context, HttpServerRequest)
        const { params } = Context.getUnsafe(context, HttpRouter.RouteContext)
        return request.url.includes("?") ? endpoint : read(request, params["task_id"] ?? "")
      })
    const shorten = <E, R>(route: HttpRouter.Route<E, R>): HttpRouter.Route<E, R | Provided> =>
      route.method === polled.method && route.path === polled.path
        ? { ...route, handler: shortened(route.handler) }
        : route
    return HttpRouter.HttpRouter.of({
      ...router,
      // Routes need no more than before: every route is given what `Provided` names.
      addAll: (routes) => router.addAll(routes.map(shorten) as unknown as typeof routes),
    })
  }),
)

type Answering<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
type Provided = HttpServerRequest | ParsedSearchParams
