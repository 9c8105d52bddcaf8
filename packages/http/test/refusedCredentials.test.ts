import { defaultLimits, refuse, TokenBuckets } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { HeldRefusals } from "../src/HeldRefusals.ts"
import { HttpMetrics } from "../src/HttpMetrics.ts"
import { RefusedCredentials } from "../src/RefusedCredentials.ts"
import { metricsText, ownMetrics } from "./harness.ts"

const { auth_failures_burst: burst, auth_failures_per_minute: perMinute } = defaultLimits
const wrong = refuse("invalid_api_key", "The API key is not valid.")

/** What was logged, and the service that logs it. */
const watched = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => {
    lines.push(String(message))
  })
  const held = Layer.provide(HeldRefusals.layer, HttpMetrics.layer)
  return {
    lines,
    layer: RefusedCredentials.layer.pipe(
      Layer.provide(held),
      Layer.provideMerge(Logger.layer([logger])),
      Layer.provideMerge(ownMetrics),
    ),
  }
}

const attempt = (address: string, times = 1) =>
  Effect.flatMap(RefusedCredentials, ({ refuse }) =>
    Effect.forEach(Array.from({ length: times }), () =>
      Effect.map(refuse("admin", address, wrong), ({ code }) => code),
    ),
  )

describe("refused credentials", () => {
  it.effect("an address that waited as long as it was told is told the truth again", () => {
    const { layer } = watched()
    return Effect.gen(function* () {
      const codes = yield* attempt("203.0.113.1", burst + 1)
      assert.strictEqual(codes[burst - 1], "invalid_api_key")
      assert.strictEqual(codes[burst], "rate_limited")
      yield* TestClock.adjust(60_000 / perMinute)
      assert.deepStrictEqual(yield* attempt("203.0.113.1", 2), ["invalid_api_key", "rate_limited"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("addresses of one IPv6 network are one client, and those of the next are another", () => {
    const { layer } = watched()
    return Effect.gen(function* () {
      yield* attempt("2001:db8::1", burst)
      assert.deepStrictEqual(yield* attempt("2001:db8::ffff:1:2:3"), ["rate_limited"])
      assert.deepStrictEqual(yield* attempt("2001:db8:0:1::1"), ["invalid_api_key"])
      assert.deepStrictEqual(yield* attempt("fe80::1%eth0"), ["invalid_api_key"])
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "each is a log line, up to a number from all addresses together, and every one is counted",
    () => {
      const { layer, lines } = watched()
      return Effect.gen(function* () {
        yield* attempt("203.0.113.1")
        assert.deepStrictEqual(lines, ["an admin token was refused"])
        for (let n = 0; n < 1000; n++) yield* attempt(`198.51.${n >> 8}.${n & 255}`)
        assert.strictEqual(lines.length, 120)
        assert.include(
          yield* metricsText,
          'atelier_refused_credentials_total{surface="admin",code="invalid_api_key"} 1001\n',
        )
      }).pipe(Effect.provide(layer))
    },
  )

  it("however many sources there are, a bounded number is remembered, those that were used last", () => {
    const buckets = new TokenBuckets<string>(1000)
    const policy = { perMinute: 1, burst: 2 }
    buckets.take("busy", policy, 0)
    buckets.take("busy", policy, 0)
    let most = 0
    for (let n = 0; n < 100_000; n++) {
      buckets.take(`source ${n}`, policy, 0)
      most = Math.max(most, buckets.size)
      if (n % 500 === 0) assert.isFalse(buckets.take("busy", policy, 0).allowed)
    }
    assert.isAtMost(most, 1000)
    assert.isTrue(buckets.take("source 0", policy, 0).allowed)
  })
})
