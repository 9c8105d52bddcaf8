import { Access, type Principal, type RateDecision, type RatePolicy, RequestRates } from "@atelier/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { Exchange } from "./Answer.ts"
import { clientAddress } from "./ClientAddress.ts"
import { HeldRefusals } from "./HeldRefusals.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"
import { isRefusal, RefusedCredentials } from "./RefusedCredentials.ts"
import type { Failure } from "./toApiError.ts"

/**
 * Authenticates the caller and applies its rate limit. Refuses, in this order: 401 `invalid_api_key` (429 after
 * many), `api_key_disabled`, `api_key_expired`, 403 `account_disabled`, `ip_not_allowed`, 429 `rate_limited`.
 * Answers to an authenticated request say in `RateLimit` and `RateLimit-Policy` how many requests are left.
 */
export class Admission extends Context.Service<
  Admission,
  {
    /** The principal of the request's bearer token; empty: the request has none. */
    readonly admit: (
      request: HttpServerRequest.HttpServerRequest,
      token: string,
    ) => Effect.Effect<Principal, Failure>
  }
>()("@atelier/http/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const access = yield* Access
      const rates = yield* RequestRates
      const refused = yield* RefusedCredentials
      const held = yield* HeldRefusals

      const count = (principal: Principal): Effect.Effect<Principal, Failure> =>
        Effect.flatMap(Exchange, (exchange) => {
          const { key } = principal
          exchange.caller = key.id
          return Effect.flatMap(rates.count(key), (decision) => {
            exchange.headers["ratelimit"] = rateLimitOf(decision)
            exchange.headers["ratelimit-policy"] = `"key";q=${decision.policy.perMinute};w=60`
            return decision.allowed
              ? Effect.succeed(principal)
              : Effect.andThen(held.wait(key.id), Effect.fail(rateLimited(decision.policy, decision)))
          })
        })

      return Admission.of({
        admit: (request, token) => {
          if (token === "") return Effect.fail(missing)
          const address = clientAddress(request)
          return Effect.catchIf(access.authenticate(token, address), isRefusal, (failure) =>
            Effect.flatMap(refused.refuse("key", address, failure), Effect.fail),
          ).pipe(Effect.flatMap(count))
        },
      })
    }),
  )
}

const missing = refuseHttp("invalid_api_key", "The header `Authorization: Bearer <API_KEY>` is missing.")

/** A structured field of the IETF draft: requests left of the burst, and seconds until it is whole again. */
const rateLimitOf = ({ remaining, fullAfterSeconds }: RateDecision): string =>
  `"key";r=${remaining};t=${fullAfterSeconds}`

const rateLimited = (policy: RatePolicy, decision: RateDecision): HttpRefusal =>
  refuseHttp(
    "rate_limited",
    `This API key may make ${policy.perMinute} requests a minute, ${policy.burst} at once; retry after ${decision.retryAfterSeconds} s.`,
    { headers: { "retry-after": String(decision.retryAfterSeconds) } },
  )
