import type { ImageChannel, RequestBody } from "@atelier/core"
import { FaultyChannel, TestImage } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { generate, modelIn, requestOf } from "./support.ts"

const test = modelIn(TestImage.family.models, "test-image")
const bodyOf = (prompt: string, more: RequestBody = {}) => requestOf(test, { prompt, ...more })

/** Makes `n` images of nothing. */
const inner: ImageChannel = {
  id: "inner",
  repeatable: true,
  generate: ({ request }) =>
    Effect.succeed({
      images: Array.from({ length: request.n }, () => ({
        bytes: new Uint8Array(1),
        contentType: "image/png",
        width: 1,
        height: 1,
      })),
      jobId: null,
      text: null,
      seed: 1,
    }),
}

describe("contract, Running it: the faulty adapter", () => {
  it.effect("without a directive it makes what the inner channel makes", () =>
    Effect.gen(function* () {
      const { images } = yield* generate(FaultyChannel.make(inner), bodyOf("a boat", { n: 3 }))
      assert.strictEqual(images.length, 3)
    }),
  )

  it.effect("[fail] fails, [reject] is refused for its content", () =>
    Effect.gen(function* () {
      const channel = FaultyChannel.make(inner)
      assert.strictEqual((yield* Effect.flip(generate(channel, bodyOf("a [fail]")))).reason, "failed")
      assert.strictEqual((yield* Effect.flip(generate(channel, bodyOf("[REJECT] b")))).reason, "rejected")
    }),
  )

  it.effect("[drop] is ambiguous, and the same reference is answered when it is repeated", () =>
    Effect.gen(function* () {
      const channel = FaultyChannel.make(inner)
      const dropped = generate(channel, bodyOf("[drop]"), "imgtask_one")
      assert.strictEqual((yield* Effect.flip(dropped)).reason, "ambiguous")
      assert.strictEqual((yield* dropped).images.length, 1)
      const other = generate(channel, bodyOf("[drop]"), "imgtask_other")
      assert.strictEqual((yield* Effect.flip(other)).reason, "ambiguous")
    }),
  )

  it.effect("[partial 2] delivers two, and never more than asked for", () =>
    Effect.gen(function* () {
      const channel = FaultyChannel.make(inner)
      const counts: Array<number> = []
      for (const [prompt, n] of [
        ["[partial 2]", 4],
        ["[partial 2]", 1],
        ["[partial 0]", 4],
      ] as const) {
        counts.push((yield* generate(channel, bodyOf(prompt, { n }))).images.length)
      }
      assert.deepStrictEqual(counts, [2, 1, 0])
    }),
  )

  it.effect("[slow 3s] waits three seconds, after the upstream's id is known", () =>
    Effect.gen(function* () {
      const accepted: Array<string> = []
      const fiber = yield* Effect.forkChild(
        FaultyChannel.make(inner).generate({
          reference: "imgtask_slow",
          request: bodyOf("[slow 3s]"),
          upstreamId: null,
          onAccepted: (id) => Effect.sync(() => void accepted.push(id)),
          onProgress: () => Effect.void,
        }),
      )
      yield* TestClock.adjust(2_999)
      assert.deepStrictEqual(accepted, ["faulty-imgtask_slow"])
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(fiber)).images.length, 1)
    }),
  )

  it("directives are read anywhere in the prompt, and everything else is text", () => {
    const { directivesOf } = FaultyChannel
    assert.strictEqual(directivesOf("a [slow 250ms] b").slowMillis, 250)
    assert.strictEqual(directivesOf("[slow 1.5m]").slowMillis, 90_000)
    assert.strictEqual(directivesOf("[slow 999999h]").slowMillis, 86_400_000)
    assert.strictEqual(directivesOf("[archive-fail 2]").archiveFail, 2)
    assert.deepStrictEqual(directivesOf("[slow] [failing] [partial] (drop)"), directivesOf("nothing"))
  })
})
