import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../domain/CoreError.ts"
import { Limits, type Limits as LimitValues } from "../domain/Limits.ts"
import type { ApiKey } from "../domain/Principal.ts"
import type { RateDecision, RatePolicy } from "../domain/TokenBuckets.ts"
import { RateLimiter } from "../ports/RateLimiter.ts"

/** The requests of each key, by its own rate or the configured one (contract, Limits and rates). */
export class RequestRates extends Context.Service<
  RequestRates,
  {
    /** Counts one request of the key. */
    readonly count: (
      key: ApiKey,
    ) => Effect.Effect<RateDecision & { readonly policy: RatePolicy }, StorageError>
  }
>()("@atelier/core/services/RequestRates") {
  static readonly layer = Layer.effect(
    RequestRates,
    Effect.gen(function* () {
      const limits = yield* Limits
      const limiter = yield* RateLimiter
      return RequestRates.of({
        count: (key) => {
          const policy = policyOf(key, limits)
          return Effect.map(limiter.take(key.id, policy), (decision) => ({ ...decision, policy }))
        },
      })
    }),
  )
}

/** A key with its own rate gets a proportional burst. */
const policyOf = ({ ratePerMinute }: ApiKey, limits: LimitValues): RatePolicy =>
  ratePerMinute === null
    ? { perMinute: limits.rate_per_minute, burst: limits.rate_burst }
    : {
        perMinute: ratePerMinute,
        burst: Math.max(1, Math.ceil((ratePerMinute * limits.rate_burst) / limits.rate_per_minute)),
      }
