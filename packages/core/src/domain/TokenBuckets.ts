/** A token bucket: `burst` requests at once, at least 1, and `perMinute` in the long run. */
export interface RatePolicy {
  readonly perMinute: number
  readonly burst: number
}

export interface RateDecision {
  readonly allowed: boolean
  /** Whole requests that are left. */
  readonly remaining: number
  /** Seconds until the next request is allowed, at least 1 where this one is not. */
  readonly retryAfterSeconds: number
  /** Seconds until the whole burst is available again. */
  readonly fullAfterSeconds: number
}

/**
 * Token buckets in memory. One that is full again is dropped; beyond `max`, the least recently used
 * are dropped.
 */
export class TokenBuckets<Name extends string> {
  readonly #buckets = new Map<Name, Bucket>()
  readonly #max: number
  #sweepAt = bucketsBeforeSweep

  constructor(max: number) {
    this.#max = max
  }

  take(name: Name, policy: RatePolicy, now: number): RateDecision {
    const bucket = this.#buckets.get(name)
    const before = bucket === undefined ? policy.burst : tokensAt({ ...bucket, policy }, now)
    const allowed = before >= 1
    const tokens = allowed ? before - 1 : before
    if (bucket === undefined) this.#makeRoom(now)
    // The order of insertion is the order of use.
    else this.#buckets.delete(name)
    this.#buckets.set(name, { tokens, at: now, policy })
    return rateDecision(allowed, tokens, policy)
  }

  /** How many are kept. */
  get size(): number {
    return this.#buckets.size
  }

  #makeRoom(now: number): void {
    if (this.#buckets.size >= this.#sweepAt) {
      for (const [name, bucket] of this.#buckets) {
        if (tokensAt(bucket, now) >= bucket.policy.burst) this.#buckets.delete(name)
      }
      this.#sweepAt = Math.max(bucketsBeforeSweep, 2 * this.#buckets.size)
    }
    if (this.#buckets.size < this.#max) return
    // A tenth at once: finding the first entry of a map with many deleted ones is slow.
    let count = Math.ceil(this.#max / 10)
    for (const name of this.#buckets.keys()) {
      if (count-- === 0) break
      this.#buckets.delete(name)
    }
  }
}

/** The decision for a bucket with this many tokens left after a take. */
export const rateDecision = (allowed: boolean, tokens: number, policy: RatePolicy): RateDecision => {
  const perSecond = policy.perMinute / 60
  return {
    allowed,
    remaining: Math.floor(tokens),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
    fullAfterSeconds: Math.ceil((policy.burst - tokens) / perSecond),
  }
}

/** The number of buckets beyond which full ones are swept. */
const bucketsBeforeSweep = 1024

interface Bucket {
  readonly tokens: number
  readonly at: number
  readonly policy: RatePolicy
}

const tokensAt = ({ tokens, at, policy }: Bucket, now: number): number =>
  Math.min(policy.burst, tokens + (Math.max(0, now - at) * policy.perMinute) / 60_000)
