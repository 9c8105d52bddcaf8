import type { ServerResponse } from "node:http"
import { Limits } from "@atelier/core"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { Exchange } from "./Answer.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

/** A slot becomes free when its reader is answered, which can take a minute. */
const retryLater = { "retry-after": "5" }

/**
 * Requests of this process whose answer waits for a task: event streams, `?wait=` and the synchronous endpoint.
 * Limits them by process and by key (contract, Later decisions: `too_many_connections`).
 */
export class Readers extends Context.Service<
  Readers,
  {
    /** Takes a slot until the request is answered. Refuses with 429 `too_many_connections`, 503 `overloaded`. */
    readonly enter: Effect.Effect<void, HttpRefusal, HttpServerRequest.HttpServerRequest>
  }
>()("@atelier/http/Readers") {
  static readonly layer = Layer.effect(
    Readers,
    Effect.gen(function* () {
      const { readers_max, readers_per_key_max } = yield* Limits
      const metrics = yield* HttpMetrics
      const byKey = new Map<string, number>()
      let all = 0
      yield* metrics.watch("readers", () => all)
      const leave = (caller: string) => {
        all--
        const left = (byKey.get(caller) ?? 1) - 1
        if (left === 0) byKey.delete(caller)
        else byKey.set(caller, left)
      }
      return Readers.of({
        enter: Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { caller } = yield* Exchange
          const mine = byKey.get(caller) ?? 0
          if (mine >= readers_per_key_max) {
            metrics.refused("key_readers")
            return yield* refuseHttp(
              "too_many_connections",
              `This API key has ${mine} event streams and waiting requests open; the limit readers_per_key_max is ${readers_per_key_max}.`,
              { headers: retryLater },
            )
          }
          if (all >= readers_max) {
            metrics.refused("readers")
            return yield* refuseHttp(
              "overloaded",
              "The service has too many event streams and waiting requests open.",
              { headers: retryLater },
            )
          }
          all++
          byKey.set(caller, mine + 1)
          const response = NodeHttpServerRequest.toServerResponse(request) as ServerResponse
          response.once("close", () => leave(caller))
        }),
      })
    }),
  )
}
