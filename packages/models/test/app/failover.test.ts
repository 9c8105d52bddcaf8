import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OpenAiImages from "../../src/adapters/OpenAiImages.ts"
import { cutBeforeHeaders, json, makeVendor, tooManyRequests } from "../../src/testing/vendor.ts"
import { appWith, type Channels, customer, moneyOf, now, runAll, runDue, submit } from "../support/app.ts"
import { route, studioOf } from "../support/openai.ts"

describe("channels of one model", () => {
  it.effect("a vendor that did not accept is passed over; the other one makes the only generation", () =>
    Effect.gen(function* () {
      const [down, up] = [yield* makeVendor, yield* makeVendor]
      const paid = studioOf(false)
      down.on("POST", route, json({ error: { message: "No.", code: "invalid_api_key" } }, 401))
      up.on("POST", route, paid.deliver())
      const channels: Channels = (settings) => [
        { channel: OpenAiImages.make(settings(down, "down")), models: ["gen-image-*"], priority: 0 },
        { channel: OpenAiImages.make(settings(up, "up")), models: ["gen-image-*"], priority: 1 },
      ]
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal)
        yield* runDue
        const done = yield* now(task)
        assert.deepStrictEqual([done.state, done.upstream?.channel], ["completed", "up"])
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: task.held })
        assert.deepStrictEqual([down.requests.length, up.requests.length, paid.made.length], [1, 1, 1])
      }).pipe(Effect.provide(appWith(channels)))
    }),
  )

  it.effect("a vendor whose answer was lost is never followed by another one", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* makeVendor, yield* makeVendor]
      const paid = studioOf(false)
      first.on(
        "POST",
        route,
        paid.deliver(() => cutBeforeHeaders),
      )
      second.on("POST", route, paid.deliver())
      const channels: Channels = (settings) => [
        { channel: OpenAiImages.make(settings(first, "first")), models: ["gen-image-*"], priority: 0 },
        { channel: OpenAiImages.make(settings(second, "second")), models: ["gen-image-*"], priority: 1 },
      ]
      yield* Effect.gen(function* () {
        const task = yield* submit(yield* customer())
        yield* runAll
        assert.strictEqual((yield* now(task)).state, "unknown")
        assert.deepStrictEqual([first.requests.length, second.requests.length, paid.made.length], [1, 0, 1])
      }).pipe(Effect.provide(appWith(channels)))
    }),
  )

  it.effect("the same where the reference is honoured, and its repetition meets a busy vendor", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* makeVendor, yield* makeVendor]
      const paid = studioOf(true)
      first.on(
        "POST",
        route,
        paid.deliver(() => cutBeforeHeaders),
        tooManyRequests("1"),
        tooManyRequests("1"),
        paid.deliver(),
      )
      second.on("POST", route, paid.deliver())
      const options = { idempotency_key: true }
      const channels: Channels = (settings) => [
        {
          channel: OpenAiImages.make({ ...settings(first, "first"), options }),
          models: ["gen-image-*"],
          priority: 0,
        },
        {
          channel: OpenAiImages.make({ ...settings(second, "second"), options }),
          models: ["gen-image-*"],
          priority: 1,
        },
      ]
      yield* Effect.gen(function* () {
        const task = yield* submit(yield* customer())
        yield* runAll
        assert.strictEqual((yield* now(task)).state, "completed")
        assert.deepStrictEqual([first.requests.length, second.requests.length, paid.made.length], [4, 0, 1])
      }).pipe(Effect.provide(appWith(channels)))
    }),
  )
})
