import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../domain/CoreError.ts"
import type { KeyId } from "../domain/Ids.ts"
import { type RateDecision, type RatePolicy, TokenBuckets } from "../domain/TokenBuckets.ts"

/**
 * Limits the request rate of a key (contract, Limits and rates). A take is exact, however many are concurrent; a
 * refused one costs nothing. A key's remaining tokens survive a change of its policy, up to the new burst.
 */
export class RateLimiter extends Context.Service<
  RateLimiter,
  { readonly take: (keyId: KeyId, policy: RatePolicy) => Effect.Effect<RateDecision, StorageError> }
>()("@atelier/core/ports/RateLimiter") {
  /** Buckets in the memory of this process. */
  static readonly layerMemory = Layer.sync(RateLimiter, () => {
    const buckets = new TokenBuckets<KeyId>(Number.POSITIVE_INFINITY)
    return RateLimiter.of({
      take: (keyId, policy) => Effect.map(Clock.currentTimeMillis, (now) => buckets.take(keyId, policy, now)),
    })
  })
}
