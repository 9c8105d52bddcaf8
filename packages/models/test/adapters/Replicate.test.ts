import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Replicate from "../../src/adapters/Replicate.ts"
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

const id = "gm3qorzdhgbfurvjtvhg6dckhu"
const prediction = (status: string, more: object = {}) => ({ id, status, ...more })
const submit = { method: "POST", path: "/models/up-gen-image-2/predictions" }

channelContract({
  name: "replicate",
  make: Replicate.make,
  submit,
  accepted: () => prediction("starting"),
  poll: {
    method: "GET",
    path: `/predictions/${id}`,
    id,
    pending: prediction("processing"),
    finished: (image) => prediction("succeeded", { output: [image] }),
    failed: prediction("failed", { error: "CUDA out of memory" }),
  },
  rejections: [json({ detail: "The prompt was flagged as sensitive content" }, 422)],
})

const channelOn = Effect.fnUntraced(function* (options?: Replicate.Options, model = "owner/name") {
  const vendor = yield* makeVendor
  const settings = yield* settingsAt(vendor.url, options)
  vendor.on(
    "GET",
    `/predictions/${id}`,
    json(prediction("succeeded", { output: vendor.link(samplePng).url })),
  )
  return { vendor, channel: Replicate.make({ ...settings, upstreamModel: () => model }) }
})

describe("replicate: requests", () => {
  it.effect("an official model by its path, with what the model calls its input", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn({
          input: { output_format: "png" },
          fields: { images: "image_prompts", size: "" },
        })
        vendor.on("POST", "/models/owner/name/predictions", json(prediction("starting"), 201))
        const { images } = yield* generate(channel, { n: 2, seed: 7, images: ["https://example.com/a.png"] })
        assert.lengthOf(images, 1)
        const [first] = vendor.requests
        assert.deepStrictEqual(first?.json, {
          input: {
            output_format: "png",
            prompt: "a lighthouse",
            num_outputs: 2,
            seed: 7,
            image_prompts: ["https://example.com/a.png"],
          },
        })
        assert.strictEqual(first?.headers.authorization, `Bearer ${secret}`)
      }),
    ),
  )

  it.effect("a version of a community model by its id; a ratio where the request has one", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn(undefined, "owner/name:5c7d5dc6")
        vendor.on("POST", "/predictions", json(prediction("starting"), 201))
        yield* generate(channel, { size: "16:9" })
        assert.deepStrictEqual(vendor.requests[0]?.json, {
          version: "5c7d5dc6",
          input: { prompt: "a lighthouse", aspect_ratio: "16:9" },
        })
      }),
    ),
  )

  it.effect.each([
    ["NSFW content detected. Try running it again, or try a different prompt.", "rejected"],
    ["the GPU went away", "failed"],
  ])("a prediction that failed with %s is %s", ([error, reason]) =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("GET", `/predictions/${id}`, json(prediction("failed", { error })))
        const failure = yield* Effect.flip(
          channel.generate({
            reference,
            request: requestWith(),
            upstreamId: id,
            onAccepted: () => Effect.void,
            onProgress: () => Effect.void,
          }),
        )
        assert.strictEqual(failure.reason, reason)
      }),
    ),
  )
})
