import type { AdminGroup } from "@atelier/api"
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { Bodies } from "../Bodies.ts"

type Endpoints = (typeof AdminGroup)["endpoints"]

/** The handlers of some endpoints of the admin API, by their names. */
export type AdminHandlersOf<Names extends keyof Endpoints> = {
  readonly [Name in Names]: (
    request: HttpApiEndpoint.RequestRaw<Endpoints[Name]>,
  ) => Effect.Effect<HttpServerResponse, never, HttpServerRequest | Bodies>
}
