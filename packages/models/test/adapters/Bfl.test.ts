import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Bfl from "../../src/adapters/Bfl.ts"
import { channelContract } from "../../src/testing/channelContract.ts"
import { samplePng } from "../../src/testing/samples.ts"
import {
  generate,
  reference,
  requestWith,
  secret,
  settingsAt,
  withClient,
} from "../../src/testing/settings.ts"
import { json, makeVendor } from "../../src/testing/vendor.ts"

const id = "db0b5a9c-2d0e-4f3e-9e0e-4d4e3a2b1c0d"

channelContract({
  name: "bfl",
  make: Bfl.make,
  submit: { method: "POST", path: "/up-gen-image-2" },
  accepted: () => ({ id, polling_url: "https://api.eu1.bfl.ai/v1/get_result?id=x" }),
  poll: {
    method: "GET",
    path: "/get_result",
    id,
    pending: { id, status: "Pending", progress: 0.5 },
    finished: (image) => ({ id, status: "Ready", result: { sample: image, seed: 7 } }),
    failed: { id, status: "Error" },
  },
  rejections: [json({ detail: "Request Moderated" }, 400)],
})

describe("bfl: requests", () => {
  it.effect("prompt, pixels, seed and reference images, by its own header; seed and link come back", () =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        const settings = yield* settingsAt(vendor.url, { input: { safety_tolerance: 2 } })
        const { url } = vendor.link(samplePng)
        vendor.on("POST", "/up-gen-image-2", json({ id }))
        vendor.on("GET", "/get_result", json({ id, status: "Ready", result: { sample: url, seed: 9 } }))
        const images = ["https://example.com/a.png", "https://example.com/b.png"]
        const generation = yield* generate(Bfl.make(settings), { seed: 9, images })
        assert.deepStrictEqual([generation.images, generation.seed], [[{ url }], 9])
        assert.deepStrictEqual(vendor.requests[0]?.json, {
          safety_tolerance: 2,
          prompt: "a lighthouse",
          seed: 9,
          width: 1024,
          height: 1024,
          input_image: images[0],
          input_image_2: images[1],
        })
        assert.strictEqual(vendor.requests[0]?.headers["x-key"], secret)
      }),
    ),
  )

  it.effect.each(["Request Moderated", "Content Moderated"])("%s is rejected", (status) =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        vendor.on("GET", "/get_result", json({ id, status }))
        const resume = Bfl.make(yield* settingsAt<Bfl.Options>(vendor.url)).generate({
          reference,
          request: requestWith(),
          upstreamId: id,
          onAccepted: () => Effect.void,
          onProgress: () => Effect.void,
        })
        assert.strictEqual((yield* Effect.flip(resume)).reason, "rejected")
      }),
    ),
  )
})
