import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Imagine from "../../src/adapters/Imagine.ts"
import { generate, reference, secret, settingsAt, verdictOf, withClient } from "../../src/testing/settings.ts"
import {
  cutBeforeHeaders,
  htmlError,
  json,
  makeVendor,
  type Reply,
  tooManyRequests,
} from "../../src/testing/vendor.ts"

const channelOn = Effect.fnUntraced(function* (options: Imagine.Options = {}) {
  const vendor = yield* makeVendor
  const channel = Imagine.make(yield* settingsAt(`${vendor.url}/v1`, options))
  return { vendor, channel }
})

const asked = {
  model: "imagine-image-2.0",
  width: null,
  height: null,
  size: "19.5:9",
  resolution: "2K",
  quality: "low",
}
const url = "https://images.example.org/tmp/1.jpeg"
const one = json({ data: [{ url, mime_type: "image/jpeg", revised_prompt: "" }], usage: { cost: 1 } })
const denied = (status: number, error: string) =>
  json({ code: "The caller does not have permission to execute the specified operation", error }, status)

describe("imagine: requests", () => {
  it.effect("text to image: ratio, resolution, quality and n as JSON, links asked for", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", "/v1/images/generations", json({ data: [{ url }, { url }] }))
        const { images } = yield* generate(channel, { ...asked, n: 2 })
        assert.deepStrictEqual(images, [{ url }, { url }])
        assert.deepStrictEqual(vendor.requests[0]?.json, {
          model: "up-imagine-image-2.0",
          prompt: "a lighthouse",
          n: 2,
          response_format: "url",
          aspect_ratio: "19.5:9",
          resolution: "2k",
          quality: "low",
        })
        assert.strictEqual(vendor.requests[0]?.headers.authorization, `Bearer ${secret}`)
        assert.isFalse(channel.repeatable)
      }),
    ),
  )

  it.effect("editing: one image as `image`, several or a named one as `images`, by their URLs", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn({ quality: false, idempotency_key: true })
        vendor.on("POST", "/v1/images/edits", one)
        const [a, b] = ["https://example.org/a.png", "https://example.org/b.png"] as const
        const image = (address: string) => ({ type: "image_url", url: address })
        const of = { ...asked, size: "auto", resolution: "1K" }
        yield* generate(channel, { ...of, images: [a] })
        yield* generate(channel, { ...of, images: [a, b] })
        yield* generate(channel, { ...of, images: [a], prompt: "put a hat on <IMAGE_0>" })
        const common = {
          model: "up-imagine-image-2.0",
          prompt: "a lighthouse",
          n: 1,
          response_format: "url",
          resolution: "1k",
        }
        assert.deepStrictEqual(
          vendor.requests.map((request) => request.json),
          [
            { ...common, image: image(a) },
            { ...common, images: [image(a), image(b)] },
            { ...common, prompt: "put a hat on <IMAGE_0>", images: [image(a)] },
          ],
        )
        assert.isTrue(vendor.requests.every(({ headers }) => headers["idempotency-key"] === reference))
        assert.isTrue(channel.repeatable)
      }),
    ),
  )
})

describe("imagine: answers", () => {
  it.effect("an image that was withheld is left out; an answer of such alone is rejected", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const withheld = { url: "", respect_moderation: false }
        const given = { url, respect_moderation: true }
        vendor.on("POST", /generations/, json({ data: [withheld, given] }), json({ data: [withheld] }))
        assert.deepStrictEqual((yield* generate(channel, { ...asked, n: 2 })).images, [{ url }])
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(generate(channel, asked))), ["rejected"])
      }),
    ),
  )

  const rows: ReadonlyArray<readonly [string, Reply, ReadonlyArray<string | number>]> = [
    ["403 for content", denied(403, "Content violates usage guidelines. Failed check: …"), ["rejected"]],
    ["403 by a safety check", denied(403, "Failed check: SAFETY_CHECK_TYPE_BIO"), ["rejected"]],
    ["400 for content", denied(400, "Generated image rejected by content moderation."), ["rejected"]],
    ["403 of another kind", denied(403, "Your team has no credits."), ["unavailable"]],
    ["400 for the key", denied(400, "Incorrect API key provided: sk…"), ["unavailable"]],
    ["400 of another kind", denied(400, "Argument not supported: size"), ["failed"]],
    ["401", denied(401, "no"), ["unavailable"]],
    ["429", tooManyRequests("3"), ["unavailable", 3000]],
    ["500 with a JSON error", denied(500, "Internal error."), ["failed"]],
    ["502", htmlError(502), ["ambiguous"]],
    ["cut before the answer", cutBeforeHeaders, ["ambiguous"]],
    ["200 without JSON", htmlError(200), ["failed"]],
  ]
  it.effect.each(rows)("%s", ([, reply, verdict]) =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", "/v1/images/generations", reply)
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(generate(channel, asked))), verdict)
        assert.strictEqual(vendor.requests.length, 1)
      }),
    ),
  )
})
