import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fal from "../../src/adapters/Fal.ts"
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

const id = "764cabcf-b745-4b3e-ae38-1200304cf45b"
const policy = { detail: [{ loc: ["body", "prompt"], msg: "flagged", type: "content_policy_violation" }] }

channelContract({
  name: "fal",
  make: Fal.make,
  submit: { method: "POST", path: "/up-gen-image-2" },
  accepted: () => ({ request_id: id, status_url: "https://queue.fal.run/status", queue_position: 0 }),
  poll: {
    method: "GET",
    path: `/up-gen-image-2/requests/${id}/status`,
    id,
    pending: { status: "IN_QUEUE", queue_position: 2 },
    finished: () => ({ status: "COMPLETED" }),
    failed: { status: "COMPLETED" },
    result: {
      method: "GET",
      path: `/up-gen-image-2/requests/${id}`,
      reply: (image) => json({ images: [{ url: image, width: 37, height: 23 }], seed: 7 }),
    },
  },
  rejections: [json(policy, 422)],
})

describe("fal: requests", () => {
  const channelOn = Effect.fnUntraced(function* (options?: Fal.Options) {
    const vendor = yield* makeVendor
    const settings = yield* settingsAt(vendor.url, options)
    const channel = Fal.make({ ...settings, upstreamModel: () => "fal-ai/flux/dev" })
    vendor.on("POST", "/fal-ai/flux/dev", json({ request_id: id }))
    vendor.on("GET", `/fal-ai/flux/requests/${id}/status`, json({ status: "COMPLETED" }))
    return { vendor, channel }
  })

  it.effect("an endpoint takes the order, its app is asked for it; seed and links come back", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn({
          input: { guidance_scale: 3 },
          images_field: "image_url",
        })
        const { url } = vendor.link(samplePng)
        vendor.on(
          "GET",
          `/fal-ai/flux/requests/${id}`,
          json({ images: [{ url }, { url }, { url }], seed: 7 }),
        )
        const { images, seed } = yield* generate(channel, { n: 2, images: ["https://example.com/a.png"] })
        assert.deepStrictEqual([images, seed], [[{ url }, { url }], 7])
        assert.deepStrictEqual(vendor.requests[0]?.json, {
          guidance_scale: 3,
          prompt: "a lighthouse",
          num_images: 2,
          image_size: { width: 1024, height: 1024 },
          image_url: "https://example.com/a.png",
        })
        assert.strictEqual(vendor.requests[0]?.headers.authorization, `Key ${secret}`)
      }),
    ),
  )

  it.effect(
    "images that are flagged are left out, and rejected where all are; so is a refusal of the model",
    () =>
      withClient(
        Effect.gen(function* () {
          const { channel, vendor } = yield* channelOn()
          const { url } = vendor.link(samplePng)
          const result = `/fal-ai/flux/requests/${id}`
          const resume = channel.generate({
            reference,
            request: requestWith({ n: 2 }),
            upstreamId: id,
            onAccepted: () => Effect.void,
            onProgress: () => Effect.void,
          })
          const images = [{ url }, { url }]
          vendor.on("GET", result, json({ images, has_nsfw_concepts: [true, false] }))
          assert.lengthOf((yield* resume).images, 1)
          vendor.on("GET", result, json({ images, has_nsfw_concepts: [true, true] }))
          assert.strictEqual((yield* Effect.flip(resume)).reason, "rejected")
          vendor.on("GET", result, json(policy, 422))
          assert.strictEqual((yield* Effect.flip(resume)).reason, "rejected")
        }),
      ),
  )
})
