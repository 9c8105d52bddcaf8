import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { RateLimiter } from "../src/index.ts"

const policy = { perMinute: 600, burst: 120 }

describe("contract, Limits and rates: a token bucket for each key", () => {
  it.effect("takes the burst at once, then one request for each tenth of a second", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const take = limiter.take("key_a", policy)
      for (let n = 0; n < 120; n++) assert.isTrue((yield* take).allowed)
      const refused = yield* take
      assert.isFalse(refused.allowed)
      assert.strictEqual(refused.retryAfterSeconds, 1)
      assert.isTrue((yield* limiter.take("key_b", policy)).allowed)
      yield* TestClock.adjust("100 millis")
      assert.isTrue((yield* take).allowed)
      assert.isFalse((yield* take).allowed)
      yield* TestClock.adjust("1 hour")
      const full = yield* take
      assert.strictEqual(full.remaining, 119)
    }).pipe(Effect.provide(RateLimiter.layerMemory)),
  )

  it.effect("tells the truth: after the seconds that it names a request is taken", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const slow = { perMinute: 7, burst: 2 }
      for (let n = 0; n < 2; n++) yield* limiter.take("key_c", slow)
      const { allowed, retryAfterSeconds } = yield* limiter.take("key_c", slow)
      assert.isFalse(allowed)
      yield* TestClock.adjust(`${retryAfterSeconds} seconds`)
      assert.isTrue((yield* limiter.take("key_c", slow)).allowed)
    }).pipe(Effect.provide(RateLimiter.layerMemory)),
  )

  it("never lets more through than burst and rate allow", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 60 }),
        (perMinute, burst, waits) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const limiter = yield* RateLimiter
              let taken = 0
              for (const wait of waits) {
                yield* TestClock.adjust(wait)
                if ((yield* limiter.take("key_d", { perMinute, burst })).allowed) taken += 1
              }
              const elapsed = waits.slice(1).reduce((sum, wait) => sum + wait, 0)
              assert.isAtMost(taken, burst + (elapsed * perMinute) / 60_000 + 1e-6)
            }).pipe(Effect.provide(RateLimiter.layerMemory), Effect.provide(TestClock.layer())),
          ),
      ),
      { numRuns: 100 },
    ))
})
