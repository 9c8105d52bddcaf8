import { assert, layer as shared, type Vitest } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import type { RatePolicy } from "../domain/TokenBuckets.ts"
import { RateLimiter } from "../ports/RateLimiter.ts"
import { aKeyId } from "./fixtures.ts"

/** The limiter as another process on the same storage has it; the same one where there is none. */
class Other extends Context.Service<Other, RateLimiter["Service"]>()(
  "@atelier/core/testing/RateLimiter/Other",
) {}

type Methods = Vitest.MethodsNonLive<RateLimiter | Other>

/** How time passes for a limiter. */
interface Time {
  readonly pass: (milliseconds: number) => Effect.Effect<void>
  /** The most that one wait of the property takes, in milliseconds. */
  readonly waitMsMax: number
  /** How far the limiter's clock may be from the test's, in milliseconds. */
  readonly inexactMs: number
  readonly runs: number
}

const virtual: Time = { pass: TestClock.adjust, waitMsMax: 5000, inexactMs: 0, runs: 100 }
const real: Time = { pass: Effect.sleep, waitMsMax: 20, inexactMs: 2, runs: 10 }

/**
 * What every adapter of `RateLimiter` holds. `other` is a second process on the same storage, for those that have
 * one. An adapter that keeps time by a clock of its own is `realTime`: then time passes by waiting.
 */
export const rateLimiterSuite = (
  name: string,
  layer: Layer.Layer<RateLimiter, unknown>,
  options: { readonly other?: Layer.Layer<RateLimiter, unknown>; readonly realTime?: boolean } = {},
): void => {
  const other = Layer.effect(Other, RateLimiter)
  const another = options.other === undefined ? other : Layer.provide(other, Layer.fresh(options.other))
  const { realTime = false } = options
  shared(Layer.provideMerge(another, layer), { excludeTestServices: realTime })(
    `${name}: contract of RateLimiter`,
    (it) => {
      bursts(it)
      refills(it, realTime ? real : virtual)
      policies(it, realTime ? real : virtual)
      bounds(it, realTime ? real : virtual)
    },
  )
}

/** So slow that nothing comes back while a test runs. */
const perMinute = 1
const secondsPerToken = 60

const takeTimes = (
  limiter: RateLimiter["Service"],
  policy: RatePolicy,
  count: number,
  keyId: ReturnType<typeof aKeyId>,
) => Effect.forEach(Array.from({ length: count }), () => limiter.take(keyId, policy))

const bursts = (it: Methods): void => {
  it.effect("a key has its burst at once, and is told what is left", () =>
    Effect.gen(function* () {
      const start = yield* Clock.currentTimeMillis
      const taken = yield* takeTimes(yield* RateLimiter, { perMinute, burst: 3 }, 4, aKeyId())
      const elapsed = ((yield* Clock.currentTimeMillis) - start) / 1000
      assert.deepStrictEqual(
        taken.map(({ allowed, remaining }) => ({ allowed, remaining })),
        [
          { allowed: true, remaining: 2 },
          { allowed: true, remaining: 1 },
          { allowed: true, remaining: 0 },
          { allowed: false, remaining: 0 },
        ],
      )
      const tells = (seconds: number | undefined, most: number) => {
        assert.isAtMost(seconds ?? 0, most)
        assert.isAtLeast(seconds ?? 0, Math.ceil(most - elapsed - 1))
      }
      for (const [index, tokensGone] of [1, 2, 3, 3].entries()) {
        tells(taken[index]?.fullAfterSeconds, tokensGone * secondsPerToken)
      }
      tells(taken[3]?.retryAfterSeconds, secondsPerToken)
    }),
  )

  it.effect("each key has a bucket of its own", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const policy = { perMinute, burst: 1 }
      const [one, two] = [aKeyId(), aKeyId()]
      const allowed = yield* Effect.forEach([one, one, two, two], (key) => limiter.take(key, policy))
      assert.deepStrictEqual(
        allowed.map((decision) => decision.allowed),
        [true, false, true, false],
      )
    }),
  )

  it.effect(
    "takes that are made at once, by two processes, are as many as the burst, each with its own rest",
    () =>
      Effect.gen(function* () {
        const [here, there, keyId] = [yield* RateLimiter, yield* Other, aKeyId()]
        const limiters = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? here : there))
        const decisions = yield* Effect.forEach(
          limiters,
          (limiter) => limiter.take(keyId, { perMinute, burst: 10 }),
          { concurrency: "unbounded" },
        )
        const rests = decisions.flatMap(({ allowed, remaining }) => (allowed ? [remaining] : []))
        assert.deepStrictEqual(
          rests.toSorted((a, b) => a - b),
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        )
      }),
  )
}

const refills = (it: Methods, time: Time): void => {
  it.effect("after the seconds that a refusal names a request is taken", () =>
    Effect.gen(function* () {
      const [limiter, keyId, policy] = [yield* RateLimiter, aKeyId(), { perMinute: 90, burst: 2 }]
      let decision = yield* limiter.take(keyId, policy)
      while (decision.allowed) decision = yield* limiter.take(keyId, policy)
      yield* time.pass(decision.retryAfterSeconds * 1000)
      assert.isTrue((yield* limiter.take(keyId, policy)).allowed)
    }),
  )

  it.effect("after the seconds that are named the whole burst is there, and never more", () =>
    Effect.gen(function* () {
      const [limiter, keyId, policy] = [yield* RateLimiter, aKeyId(), { perMinute: 180, burst: 3 }]
      const [decision] = yield* takeTimes(limiter, policy, 3, keyId)
      const { fullAfterSeconds } = decision ?? assert.fail("three were taken")
      yield* time.pass(fullAfterSeconds * 1000)
      yield* time.pass(1000)
      assert.strictEqual((yield* limiter.take(keyId, policy)).remaining, 2)
    }),
  )
}

const policies = (it: Methods, time: Time): void => {
  it.effect("what a key has left stays when its policy changes, up to the new burst", () =>
    Effect.gen(function* () {
      const [limiter, keyId] = [yield* RateLimiter, aKeyId()]
      yield* takeTimes(limiter, { perMinute, burst: 5 }, 2, keyId)
      assert.strictEqual((yield* limiter.take(keyId, { perMinute, burst: 100 })).remaining, 2)
      assert.strictEqual((yield* limiter.take(keyId, { perMinute, burst: 1 })).remaining, 0)
      assert.isFalse((yield* limiter.take(keyId, { perMinute, burst: 100 })).allowed)
      yield* time.pass(10)
      assert.isTrue((yield* limiter.take(keyId, { perMinute: 60_000, burst: 100 })).allowed)
    }),
  )
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const bounds = (it: Methods, time: Time): void => {
  const waits = Schema.Array(between(0, time.waitMsMax)).check(Schema.isMinLength(20), Schema.isMaxLength(60))
  it.effect.prop(
    "over every stretch of time a key gets at most its burst and what came back",
    [between(1, 6000), between(1, 8), waits],
    ([perMinute, burst, waits]) => stretchesHold(time, { perMinute, burst }, waits),
    { arbitrary: { runs: time.runs } },
  )
}

const stretchesHold = Effect.fnUntraced(function* (
  time: Time,
  policy: RatePolicy,
  waits: ReadonlyArray<number>,
) {
  const [limiter, keyId] = [yield* RateLimiter, aKeyId()]
  const allowed: Array<{ readonly from: number; readonly to: number }> = []
  for (const wait of waits) {
    yield* time.pass(wait)
    const from = yield* Clock.currentTimeMillis
    const decision = yield* limiter.take(keyId, policy)
    if (decision.allowed) allowed.push({ from, to: yield* Clock.currentTimeMillis })
  }
  for (const [index, { from }] of allowed.entries()) {
    for (const [more, { to }] of allowed.slice(index).entries()) {
      const cameBack = ((to - from + time.inexactMs) * policy.perMinute) / 60_000
      assert.isAtMost(more + 1, policy.burst + cameBack + 1e-6)
    }
  }
})
