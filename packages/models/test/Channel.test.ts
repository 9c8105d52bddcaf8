import { type Generation, type ImageChannel, UpstreamError } from "@atelier/core"
import { Catalog, Channel, GenImage } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import { TestClock } from "effect/testing"
import { generate, modelIn, requestOf } from "./support.ts"

const request = requestOf(modelIn(GenImage.family.models, "gen-image-2"), { prompt: "a" })
const nothing: Generation = { images: [], jobId: null, text: "done", seed: null }
const error = (reason: UpstreamError["reason"], retryAfterMillis?: number) =>
  new UpstreamError({
    reason,
    message: reason,
    ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }),
  })

/** A channel that does what it is told, and counts. */
const scripted = (answer: Effect.Effect<Generation, UpstreamError>) => {
  const script = { answer, calls: 0 }
  const channel: ImageChannel = {
    id: "scripted",
    repeatable: true,
    generate: () =>
      Effect.suspend(() => {
        script.calls += 1
        return script.answer
      }),
  }
  return { script, channel }
}

const idle = (id: string): ImageChannel => ({ ...scripted(Effect.succeed(nothing)).channel, id })
const breaker = { failures: 3, pauseMillis: 30_000 }

/** How often each channel comes first in `draws` orders of one catalog. */
const firsts = (routes: ReadonlyArray<Channel.ChannelRoute>, draws: number) =>
  Effect.gen(function* () {
    const models = Catalog.make({ families: [GenImage.family], channels: routes })
    const counts: Record<string, number> = {}
    for (let draw = 0; draw < draws; draw++) {
      const [first] = yield* models.channelsFor("gen-image-2")
      counts[first?.id ?? ""] = (counts[first?.id ?? ""] ?? 0) + 1
    }
    return counts
  }).pipe(Random.withSeed("routes"))

describe("contract, Running it: channels of a model", () => {
  it.effect("a lower priority is tried first, and a channel that does not serve the model is not tried", () =>
    Effect.gen(function* () {
      const models = Catalog.make({
        families: [GenImage.family],
        channels: [
          { channel: idle("third"), models: ["*"], priority: 2 },
          { channel: idle("other"), models: ["dream-*"] },
          { channel: idle("second"), models: ["gen-image-*"], priority: 1, weight: 1000 },
          { channel: idle("first"), models: ["gen-image-2"] },
        ],
      })
      for (let draw = 0; draw < 50; draw++) {
        const channels = yield* models.channelsFor("gen-image-2")
        assert.deepStrictEqual(
          channels.map(({ id }) => id),
          ["first", "second", "third"],
        )
      }
    }),
  )

  it.effect("among equals the first is drawn by weight, and the others stay to fail over to", () =>
    Effect.gen(function* () {
      const routes = [
        { channel: idle("heavy"), models: ["*"], weight: 3 },
        { channel: idle("light"), models: ["*"] },
      ]
      const { heavy = 0, light = 0 } = yield* firsts(routes, 4000)
      assert.strictEqual(heavy + light, 4000)
      assert.isTrue(heavy > 2900 && heavy < 3100, `${heavy} of 4000`)
      const models = Catalog.make({ families: [GenImage.family], channels: routes })
      assert.strictEqual((yield* models.channelsFor("gen-image-2")).length, 2)
    }),
  )

  it.effect("weight 0 comes after its equals, and is tried when they are gone", () =>
    Effect.gen(function* () {
      const drained = { channel: idle("drained"), models: ["*"], weight: 0 }
      const counts = yield* firsts(
        [drained, { channel: idle("one"), models: ["*"] }, { channel: idle("two"), models: ["*"] }],
        300,
      )
      assert.sameMembers(Object.keys(counts), ["one", "two"])
      assert.deepStrictEqual(yield* firsts([drained], 3), { drained: 3 })
    }),
  )

  it("models: the upstream's name is that of the id, else of the longest glob; * is the public name", () => {
    const nameOf = Channel.upstreamModelFor({
      "*": "*",
      "dream-*": "sea",
      "dream-4.*": "sea-4",
      "dream-4.5": "sea-4-5-251128",
      "alt-*": "*",
    })
    assert.deepStrictEqual(["dream-4.5", "dream-4.0", "dream-3", "alt-dream-3", "artgen"].map(nameOf), [
      "sea-4-5-251128",
      "sea-4",
      "sea",
      "alt-dream-3",
      "artgen",
    ])
    assert.strictEqual(Channel.upstreamModelFor({})("toString"), "toString")
  })
})

describe("a channel's concurrency", () => {
  it.effect("without a free place it is unavailable for 250 ms, and nothing is sent", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<Generation>()
      const { channel, script } = scripted(Deferred.await(gate))
      const guarded = yield* Channel.guard(channel, { concurrency: 2, breaker })
      const running = [
        yield* Effect.forkChild(generate(guarded, request)),
        yield* Effect.forkChild(generate(guarded, request)),
      ]
      yield* Effect.yieldNow
      const refused = yield* Effect.flip(generate(guarded, request))
      assert.deepStrictEqual([refused.reason, refused.retryAfterMillis], ["unavailable", 250])
      assert.strictEqual(script.calls, 2)
      yield* Deferred.succeed(gate, nothing)
      for (const fiber of running) yield* Fiber.join(fiber)
      assert.strictEqual((yield* generate(guarded, request)).text, "done")
    }),
  )

  it.effect("a place is free again after an interruption, and busy answers do not open the circuit", () =>
    Effect.gen(function* () {
      const { channel, script } = scripted(Effect.never)
      const guarded = yield* Channel.guard(channel, { concurrency: 1, breaker })
      const fiber = yield* Effect.forkChild(generate(guarded, request))
      yield* Effect.yieldNow
      for (let call = 0; call < 10; call++) yield* Effect.flip(generate(guarded, request))
      yield* Fiber.interrupt(fiber)
      script.answer = Effect.succeed(nothing)
      assert.strictEqual((yield* generate(guarded, request)).text, "done")
    }),
  )
})

describe("a channel's calls", () => {
  it.effect("are counted while they are under way, an interrupted one no longer", () =>
    Effect.gen(function* () {
      const { channel } = scripted(Effect.never)
      const models = Catalog.make({
        families: [GenImage.family],
        channels: [{ channel, models: ["*"] }],
      })
      const calls = Effect.suspend(() => models.channels[0]?.calls ?? Effect.die("no channel"))
      const [first = channel] = yield* models.channelsFor("gen-image-2")
      const running = yield* Effect.forkChild(generate(first, request))
      yield* Effect.yieldNow
      assert.deepStrictEqual(yield* calls, { inUse: 1, limit: null, errors: [] })
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(yield* calls, { inUse: 0, limit: null, errors: [] })
    }),
  )

  it.effect(
    "the last ten errors are kept, the newest first; neither cancellations nor what the guard refuses",
    () =>
      Effect.gen(function* () {
        const { channel, script } = scripted(Effect.succeed(nothing))
        const guarded = yield* Channel.guard(channel, {
          concurrency: 4,
          breaker: { ...breaker, failures: 12 },
        })
        const { channels } = Catalog.make({
          families: [GenImage.family],
          channels: [{ channel: guarded, models: ["*"] }],
        })
        const fail = (given: UpstreamError) => {
          script.answer = Effect.fail(given)
          return Effect.flip(generate(guarded, request))
        }
        for (let call = 1; call <= 12; call++) {
          yield* TestClock.adjust(1000)
          yield* fail(new UpstreamError({ reason: "unavailable", message: `${call} ${"x".repeat(1000)}` }))
        }
        yield* fail(error("unavailable"))
        assert.strictEqual(script.calls, 12)
        const { errors, inUse, limit } = yield* channels[0]?.calls ?? Effect.die("no channel")
        assert.deepStrictEqual([inUse, limit], [0, 4])
        assert.deepStrictEqual(
          errors.map(({ at, message }) => [at, message.length, Number.parseInt(message, 10)]),
          Array.from({ length: 10 }, (_, n) => [12_000 - n * 1000, 300, 12 - n]),
        )
        const canceled = yield* Channel.guard(channel, { concurrency: null, breaker })
        yield* TestClock.adjust(60_000)
        script.answer = Effect.fail(error("canceled"))
        yield* Effect.flip(generate(canceled, request))
        assert.deepStrictEqual((yield* canceled.calls ?? Effect.die("not watched")).errors, [])
      }),
  )
})

describe("a channel's circuit breaker", () => {
  const failing = Effect.fnUntraced(function* (reason: UpstreamError["reason"], retryAfterMillis?: number) {
    const { channel, script } = scripted(Effect.fail(error(reason, retryAfterMillis)))
    const guarded = yield* Channel.guard(channel, { concurrency: null, breaker })
    for (let call = 0; call < 3; call++) yield* Effect.flip(generate(guarded, request))
    return { guarded, script }
  })

  it.effect.each(["unavailable", "ambiguous"] as const)(
    "%s in a row opens it; nothing is sent meanwhile",
    (reason) =>
      Effect.gen(function* () {
        const { guarded, script } = yield* failing(reason)
        yield* TestClock.adjust(10_000)
        const refused = yield* Effect.flip(generate(guarded, request))
        assert.deepStrictEqual([refused.reason, refused.retryAfterMillis], ["unavailable", 20_000])
        assert.strictEqual(script.calls, 3)
      }),
  )

  it.effect.each(["rejected", "failed"] as const)("%s is an answer: it stays closed", (reason) =>
    Effect.gen(function* () {
      const { guarded, script } = yield* failing(reason)
      yield* Effect.flip(generate(guarded, request))
      assert.strictEqual(script.calls, 4)
    }),
  )

  it.effect("a generation in between resets the count", () =>
    Effect.gen(function* () {
      const { channel, script } = scripted(Effect.succeed(nothing))
      const guarded = yield* Channel.guard(channel, { concurrency: null, breaker })
      for (const fails of [true, true, false, true, true, false]) {
        script.answer = fails ? Effect.fail(error("unavailable")) : Effect.succeed(nothing)
        yield* Effect.exit(generate(guarded, request))
      }
      assert.strictEqual(script.calls, 6)
    }),
  )

  it.effect("after the pause one generation tries: it closes the circuit, or opens it again", () =>
    Effect.gen(function* () {
      const { guarded, script } = yield* failing("unavailable")
      yield* TestClock.adjust(30_000)
      yield* Effect.flip(generate(guarded, request))
      assert.strictEqual(script.calls, 4)
      yield* Effect.flip(generate(guarded, request))
      assert.strictEqual(script.calls, 4)
      yield* TestClock.adjust(30_000)
      const gate = yield* Deferred.make<Generation>()
      script.answer = Deferred.await(gate)
      const trial = yield* Effect.forkChild(generate(guarded, request))
      yield* Effect.yieldNow
      const meanwhile = yield* Effect.flip(generate(guarded, request))
      assert.deepStrictEqual([meanwhile.reason, meanwhile.retryAfterMillis], ["unavailable", 5_000])
      yield* Deferred.succeed(gate, nothing)
      yield* Fiber.join(trial)
      yield* generate(guarded, request)
      yield* generate(guarded, request)
      assert.strictEqual(script.calls, 7)
    }),
  )

  it.effect("a longer pause that the upstream asks for is kept, up to ten minutes", () =>
    Effect.gen(function* () {
      const { guarded } = yield* failing("unavailable", 120_000)
      assert.strictEqual((yield* Effect.flip(generate(guarded, request))).retryAfterMillis, 120_000)
      const { guarded: other } = yield* failing("unavailable", 10 * 60 * 60 * 1000)
      assert.strictEqual((yield* Effect.flip(generate(other, request))).retryAfterMillis, 600_000)
    }),
  )
})
