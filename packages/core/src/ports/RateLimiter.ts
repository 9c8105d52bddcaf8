import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../domain/CoreError.ts"
import type { KeyId } from "../domain/Ids.ts"

/** A token bucket: `burst` requests at once, at least 1, and `perMinute` in the long run. */
export interface RatePolicy {
  readonly perMinute: number
  readonly burst: number
}

export interface RateDecision {
  readonly allowed: boolean
  /** Whole requests that are left now. */
  readonly remaining: number
  /** Seconds until the next request is allowed, at least 1 where this one is not. */
  readonly retryAfterSeconds: number
  /** Seconds until the whole burst is there again. */
  readonly fullAfterSeconds: number
}

/**
 * Requests of a key in a time (contract, Limits and rates). A take is exact, however many are made at once; a
 * refused one costs nothing. What a key has left stays when its policy changes, up to the new burst.
 */
export class RateLimiter extends Context.Service<
  RateLimiter,
  { readonly take: (keyId: KeyId, policy: RatePolicy) => Effect.Effect<RateDecision, StorageError> }
>()("@atelier/core/ports/RateLimiter") {
  /** Buckets in the memory of this process. One that is full again is forgotten. */
  static readonly layerMemory = Layer.sync(RateLimiter, () => {
    const buckets = new Map<KeyId, Bucket>()
    let sweepAt = bucketsBeforeSweep

    const sweep = (now: number): void => {
      for (const [keyId, bucket] of buckets) {
        if (tokensAt(bucket, now) >= bucket.policy.burst) buckets.delete(keyId)
      }
      sweepAt = Math.max(bucketsBeforeSweep, 2 * buckets.size)
    }

    const take = (keyId: KeyId, policy: RatePolicy, now: number): RateDecision => {
      const bucket = buckets.get(keyId)
      const before = bucket === undefined ? policy.burst : tokensAt({ ...bucket, policy }, now)
      const allowed = before >= 1
      const tokens = allowed ? before - 1 : before
      if (bucket === undefined && buckets.size >= sweepAt) sweep(now)
      buckets.set(keyId, { tokens, at: now, policy })
      return rateDecision(allowed, tokens, policy)
    }

    return RateLimiter.of({
      take: (keyId, policy) => Effect.map(Clock.currentTimeMillis, (now) => take(keyId, policy, now)),
    })
  })
}

/** What a bucket with so many tokens left after a take tells. */
export const rateDecision = (allowed: boolean, tokens: number, policy: RatePolicy): RateDecision => {
  const perSecond = policy.perMinute / 60
  return {
    allowed,
    remaining: Math.floor(tokens),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
    fullAfterSeconds: Math.ceil((policy.burst - tokens) / perSecond),
  }
}

/** Buckets that may be kept before the full ones among them are looked for. */
const bucketsBeforeSweep = 1024

interface Bucket {
  readonly tokens: number
  readonly at: number
  readonly policy: RatePolicy
}

const tokensAt = ({ tokens, at, policy }: Bucket, now: number): number =>
  Math.min(policy.burst, tokens + (Math.max(0, now - at) * policy.perMinute) / 60_000)
