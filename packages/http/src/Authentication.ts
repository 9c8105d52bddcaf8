import { Authentication, CurrentPrincipal } from "@atelier/api"
import {
  Access,
  type ApiKey,
  Limits,
  type LimitValues,
  type RateDecision,
  RateLimiter,
  type RatePolicy,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Exchange, type Headers, refusal } from "./Answer.ts"
import { clientAddress } from "./ClientAddress.ts"
import { HeldRefusals } from "./HeldRefusals.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"
import { isRefusal, RefusedCredentials } from "./RefusedCredentials.ts"

/**
 * Who asks, and whether not too often. Refuses, in this order: 401 `invalid_api_key` (429 after many),
 * `api_key_disabled`, `api_key_expired`, 403 `account_disabled`, `ip_not_allowed`, 429 `rate_limited`. Answers to an authenticated
 * request say in `RateLimit` and `RateLimit-Policy` what is left.
 */
export const layer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const access = yield* Access
    const limits = yield* Limits
    const limiter = yield* RateLimiter
    const refused = yield* RefusedCredentials
    const held = yield* HeldRefusals

    const admit = Effect.fnUntraced(function* (token: string) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (token === "") {
        return yield* refuseHttp(
          "invalid_api_key",
          "The header `Authorization: Bearer <API_KEY>` is missing.",
        )
      }
      const address = clientAddress(request)
      const principal = yield* Effect.catchIf(access.authenticate(token, address), isRefusal, (failure) =>
        Effect.flatMap(refused.refuse("key", address, failure), Effect.fail),
      )
      const exchange = yield* Exchange
      exchange.caller = principal.key.id
      const policy = policyOf(principal.key, limits)
      const decision = yield* limiter.take(principal.key.id, policy)
      Object.assign(exchange.headers, rateHeaders(policy, decision))
      if (decision.allowed) return principal
      yield* held.wait(principal.key.id)
      return yield* rateLimited(policy, decision)
    })

    return Authentication.of({
      apiKey: (route, { credential }) =>
        Effect.matchEffect(admit(Redacted.value(credential)), {
          onFailure: (failure) => refusal(failure, "tools"),
          onSuccess: (principal) => Effect.provideService(route, CurrentPrincipal, principal),
        }),
    })
  }),
)

/** A key with a rate of its own has the same share of it as burst. */
const policyOf = ({ ratePerMinute }: ApiKey, limits: LimitValues): RatePolicy =>
  ratePerMinute === null
    ? { perMinute: limits.rate_per_minute, burst: limits.rate_burst }
    : {
        perMinute: ratePerMinute,
        burst: Math.max(1, Math.ceil((ratePerMinute * limits.rate_burst) / limits.rate_per_minute)),
      }

/** Structured fields of the IETF draft: requests left of the burst, and seconds until it is whole again. */
const rateHeaders = (policy: RatePolicy, decision: RateDecision): Headers => ({
  ratelimit: `"key";r=${decision.remaining};t=${decision.fullAfterSeconds}`,
  "ratelimit-policy": `"key";q=${policy.perMinute};w=60`,
})

const rateLimited = (policy: RatePolicy, decision: RateDecision): HttpRefusal =>
  refuseHttp(
    "rate_limited",
    `This API key may make ${policy.perMinute} requests a minute, ${policy.burst} at once; retry after ${decision.retryAfterSeconds} s.`,
    { headers: { "retry-after": String(decision.retryAfterSeconds) } },
  )
