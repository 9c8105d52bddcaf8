import type { KeyId } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

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

/** Requests of a key in a time (contract, Limits and rates). A store shared between processes can take its place. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  { readonly take: (keyId: KeyId, policy: RatePolicy) => Effect.Effect<RateDecision> }
>()("@atelier/http/RateLimiter") {
  /** Token buckets in the memory of this process. A bucket that is full again is forgotten. */
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
      const perSecond = policy.perMinute / 60
      return {
        allowed,
        remaining: Math.floor(tokens),
        retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
        fullAfterSeconds: Math.ceil((policy.burst - tokens) / perSecond),
      }
    }

    return RateLimiter.of({
      take: (keyId, policy) => Effect.map(Clock.currentTimeMillis, (now) => take(keyId, policy, now)),
    })
  })
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
