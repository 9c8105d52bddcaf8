import { defaultLimits, Limits } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { HeldRefusals } from "../src/HeldRefusals.ts"
import { HttpMetrics } from "../src/HttpMetrics.ts"
import { metricsText, ownMetrics } from "./harness.ts"

const { refusal_hold_ms: hold } = defaultLimits
const withLimits = (limits: Partial<typeof defaultLimits> = {}) =>
  HeldRefusals.layer.pipe(
    Layer.provideMerge(HttpMetrics.layer),
    Layer.provideMerge(ownMetrics),
    Layer.provide(Layer.succeed(Limits, { ...defaultLimits, ...limits })),
  )

const held = Effect.map(metricsText, (text) => Number(/^atelier_http_refusals_held (\d+)$/m.exec(text)?.[1]))

/** How many of a number of refusals of a source are sent at once; the others are abandoned. */
const sentAtOnce = Effect.fnUntraced(function* (source: string, count: number) {
  const { wait } = yield* HeldRefusals
  const before = yield* held
  const fibers = yield* Effect.forEach(Array.from({ length: count }), () => Effect.forkChild(wait(source)))
  yield* Effect.yieldNow
  const sent = count - ((yield* held) - before)
  yield* Fiber.interruptAll(fibers)
  return sent
})

describe("refusals that are held", () => {
  it.effect("a source that has many waits for each further one, and others do not", () =>
    Effect.gen(function* () {
      const { wait } = yield* HeldRefusals
      assert.strictEqual(yield* sentAtOnce("a", 60), 60)
      const late = yield* Effect.forkChild(wait("a"), { startImmediately: true })
      assert.strictEqual(yield* held, 1)
      yield* TestClock.adjust(hold - 1)
      assert.isUndefined(late.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.isDefined(late.pollUnsafe())
      assert.strictEqual(yield* sentAtOnce("b", 1), 1)
    }).pipe(Effect.provide(withLimits())),
  )

  it.effect("who leaves makes room, and past `refusals_held_max` they are sent at once", () =>
    Effect.gen(function* () {
      yield* sentAtOnce("a", 60)
      assert.strictEqual(yield* sentAtOnce("a", 5), 3)
      assert.strictEqual(yield* held, 0)
    }).pipe(Effect.provide(withLimits({ refusals_held_max: 2 }))),
  )

  it.effect("refused submissions past a hundred at once are sent later, but for those given up", () =>
    Effect.gen(function* () {
      const { send } = yield* HeldRefusals
      const sent: Array<number> = []
      const giveUp = Array.from({ length: 103 }, (_, index) => send(() => sent.push(index)))
      assert.strictEqual(sent.length, 100)
      giveUp[101]?.()
      giveUp[101]?.()
      giveUp[0]?.()
      assert.strictEqual(yield* held, 2)
      yield* Effect.repeat(held, { until: (count) => count === 0 })
      assert.deepStrictEqual(sent.slice(100), [100, 102])
    }).pipe(Effect.provide(withLimits({ refusal_hold_ms: 20 }))),
  )

  it.effect("a burst of refused submissions leaves the event loop to others in between", () =>
    Effect.gen(function* () {
      const { send } = yield* HeldRefusals
      let sent = 0
      const seen = new Set<number>()
      const refusal = () => {
        sent += 1
        const until = performance.now() + 1
        while (performance.now() < until);
      }
      for (let index = 0; index < 140; index++) send(refusal)
      yield* Effect.repeat(
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
        {
          until: () => {
            seen.add(sent)
            return sent === 140
          },
        },
      )
      // Some thirty are delayed, each for a millisecond or more, and few are sent in one turn.
      assert.isAbove(seen.size, 8)
    }).pipe(Effect.provide(withLimits({ refusal_hold_ms: 300 }))),
  )
})
