import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stability from "../../src/adapters/Stability.ts"
import { channelContract } from "../../src/testing/channelContract.ts"
import { samplePng } from "../../src/testing/samples.ts"
import { generate, secret, settingsAt, withClient } from "../../src/testing/settings.ts"
import { json, makeVendor } from "../../src/testing/vendor.ts"

/** A name that is neither `core` nor `ultra` is a model of `sd3`. */
const path = "/v2beta/stable-image/generate/sd3"
const base64 = Buffer.from(samplePng).toString("base64")
const moderated = { id: "1", name: "content_moderation", errors: ["Your request was flagged."] }

channelContract({
  name: "stability",
  make: Stability.make,
  submit: { method: "POST", path },
  accepted: (image) => ({ image, finish_reason: "SUCCESS", seed: 42 }),
  inBytes: true,
  rejections: [json(moderated, 403), json({ image: base64, finish_reason: "CONTENT_FILTERED" })],
})

describe("stability: requests", () => {
  it.effect("the prompt, the model, the nearest ratio and the seed, as a form", () =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        vendor.on("POST", path, json({ image: base64, finish_reason: "SUCCESS", seed: 7 }))
        const channel = Stability.make(yield* settingsAt<Stability.Options>(vendor.url))
        const { images, seed } = yield* generate(channel, { width: 1920, height: 1088, seed: 7 })
        assert.lengthOf(images, 1)
        assert.strictEqual(seed, 7)
        const [asked] = vendor.asked("POST", path)
        const form = yield* Effect.promise(async () => asked?.form())
        assert.deepStrictEqual(Object.fromEntries(form ?? []), {
          prompt: "a lighthouse",
          output_format: "png",
          model: "up-gen-image-2",
          aspect_ratio: "16:9",
          seed: "7",
        })
        assert.strictEqual(asked?.headers["authorization"], `Bearer ${secret}`)
        assert.strictEqual(asked?.headers["accept"], "application/json")
      }),
    ),
  )

  it.effect("a reference image goes along with how far the result may go from it, and without a ratio", () =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        const { url } = vendor.link(samplePng)
        vendor.on("POST", path, json({ image: base64, finish_reason: "SUCCESS" }))
        const channel = Stability.make(yield* settingsAt(vendor.url, { strength: 0.4 }))
        yield* generate(channel, { images: [url] })
        const form = yield* Effect.promise(async () => vendor.asked("POST", path)[0]?.form())
        assert.strictEqual(form?.get("mode"), "image-to-image")
        assert.strictEqual(form?.get("strength"), "0.4")
        assert.strictEqual(form?.has("aspect_ratio"), false)
        assert.instanceOf(form?.get("image"), File)
      }),
    ),
  )
})
