import type { RequestBody } from "@atelier/core"
import { Dream } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as ArkImages from "../../src/adapters/ArkImages.ts"
import { generate, secret, settingsAt, verdictOf, withClient } from "../../src/testing/settings.ts"
import {
  cutAfterHeaders,
  cutBeforeHeaders,
  cutMidBody,
  held,
  htmlError,
  json,
  makeVendor,
  type Reply,
  silence,
  tooManyRequests,
} from "../../src/testing/vendor.ts"
import { sampleBytes } from "../http/samples.ts"
import { modelIn, requestOf } from "../support.ts"

const path = "/api/v3/images/generations"
const url = "https://ark.example.com/1.jpeg?X-Tos-Expires=86400"
const image = (index: number) => ({ url: `https://ark.example.com/${index}.jpeg`, size: "2048x2048" })
const fault = (code: string, message = "No. Request id: 02") => ({ error: { code, message, param: "" } })
const refusal = (status: number, code: string, message?: string) => json(fault(code, message), status)

const channelOn = Effect.fnUntraced(function* () {
  const vendor = yield* makeVendor
  const channel = ArkImages.make(yield* settingsAt<ArkImages.Options>(`${vendor.url}/api/v3`))
  return { vendor, channel }
})

const dream = modelIn(Dream.family.models, "dream-4.5")
/** What a request of a customer becomes upstream. */
const sentFor = (body: RequestBody) =>
  withClient(
    Effect.gen(function* () {
      const { channel, vendor } = yield* channelOn()
      vendor.on("POST", path, json({ data: [{ url }] }))
      yield* generate(channel, requestOf(dream, { prompt: "a fox", ...body }))
      return vendor.requests[0]
    }),
  )

const plain = {
  model: "up-dream-4.5",
  prompt: "a fox",
  sequential_image_generation: "disabled",
  response_format: "url",
  stream: false,
  watermark: false,
}

describe("ark-images: requests", () => {
  const rows: ReadonlyArray<readonly [string, RequestBody, object]> = [
    ["nothing but a prompt", {}, { ...plain, size: "2K" }],
    ["a tier", { size: "4K" }, { ...plain, size: "4K" }],
    ["a ratio", { size: "16:9" }, { ...plain, size: "2560x1440" }],
    ["pixels", { size: "1024x1536" }, { ...plain, size: "1024x1536" }],
    ["a seed", { seed: 7 }, { ...plain, size: "2K", seed: 7 }],
    [
      "the fast quality",
      { quality: "fast" },
      { ...plain, size: "2K", optimize_prompt_options: { mode: "fast" } },
    ],
    [
      "a set",
      { n: 4 },
      {
        ...plain,
        size: "2K",
        sequential_image_generation: "auto",
        sequential_image_generation_options: { max_images: 4 },
      },
    ],
    ["one reference", { images: [url] }, { ...plain, size: "2K", image: url }],
    ["two references", { images: [url, url] }, { ...plain, size: "2K", image: [url, url] }],
  ]
  it.effect.each(rows)("%s", ([, body, sent]) =>
    Effect.gen(function* () {
      const request = yield* sentFor(body)
      assert.deepStrictEqual(request?.json, sent)
      assert.strictEqual(request?.headers.authorization, `Bearer ${secret}`)
    }),
  )

  it.effect("takes no client-side key, so that nothing is repeated", () =>
    withClient(Effect.map(channelOn(), ({ channel }) => assert.isFalse(channel.repeatable))),
  )
})

describe("ark-images: answers", () => {
  it.effect("links are handed on; an image of a set that failed is missing, and never more than n", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const data = [image(0), fault("OutputImageSensitiveContentDetected"), image(2)]
        vendor.on(
          "POST",
          path,
          json({ data, usage: { generated_images: 2 } }),
          json({ data: [image(0), image(1)] }),
        )
        const made = yield* generate(channel, { n: 3 })
        assert.deepStrictEqual(made, {
          images: [{ url: image(0).url }, { url: image(2).url }],
          jobId: null,
          text: null,
          seed: null,
        })
        assert.strictEqual((yield* generate(channel, { n: 1 })).images.length, 1)
      }),
    ),
  )

  it.effect("bytes that a gateway sends are read; what is no image and no public link is left out", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const b64Json = Buffer.from(sampleBytes("jpeg")).toString("base64")
        const data = [{ b64_json: b64Json }, { b64_json: "aGVsbG8=" }, { url: "http://10.1.2.3/x.jpeg" }]
        vendor.on("POST", path, json({ data }))
        const { images } = yield* generate(channel, { n: 3 })
        assert.deepStrictEqual(
          images.map((made) => ("bytes" in made ? [made.contentType, made.width, made.height] : made.url)),
          [["image/jpeg", 37, 23]],
        )
      }),
    ),
  )

  const oversize: Reply = ({ response }) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 2 ** 30 })
    response.flushHeaders()
  }
  const rows: ReadonlyArray<readonly [string, Reply, ReadonlyArray<string | number>]> = [
    ["a prompt refused", refusal(400, "InputTextSensitiveContentDetected"), ["rejected"]],
    ["a violent prompt", refusal(400, "SensitiveContentDetected.Violence"), ["rejected"]],
    [
      "a reference refused",
      refusal(400, "InputImageSensitiveContentDetected.PrivacyInformation"),
      ["rejected"],
    ],
    ["a refused risk", refusal(400, "InputTextRiskDetection"), ["rejected"]],
    ["a result refused", refusal(400, "OutputImageSensitiveContentDetected"), ["rejected"]],
    [
      "every image refused",
      json({ data: [fault("InternalServiceError"), fault("OutputImageSensitiveContentDetected")] }),
      ["rejected"],
    ],
    ["refused with status 200", json(fault("OutputImageSensitiveContentDetected")), ["rejected"]],
    ["every image failed", json({ data: [fault("InternalServiceError")] }), ["failed"]],
    ["an unpaid account with status 200", json(fault("AccountOverdueError")), ["unavailable"]],
    ["200 without an image", json({ data: [] }), ["failed"]],
    ["200 without JSON", htmlError(200), ["failed"]],
    ["200 with other JSON", json([1]), ["failed"]],
    ["an answer too large", oversize, ["failed"]],
    ["a parameter", refusal(400, "InvalidParameter"), ["failed"]],
    ["a reference that cannot be had", refusal(400, "InvalidImageURL.InvalidFormat"), ["failed"]],
    ["a closed endpoint", refusal(400, "InvalidEndpoint.ClosedEndpoint"), ["unavailable"]],
    ["a wrong key", refusal(401, "AuthenticationError"), ["unavailable"]],
    ["an unpaid account", refusal(403, "AccountOverdueError"), ["unavailable"]],
    ["an unknown model", refusal(404, "InvalidEndpointOrModel.NotFound"), ["unavailable"]],
    ["a spent quota", refusal(429, "QuotaExceeded"), ["unavailable"]],
    ["a paused model", refusal(429, "SetLimitExceeded"), ["unavailable"]],
    ["429 with seconds", tooManyRequests("20"), ["unavailable", 20_000]],
    ["429 without", refusal(429, "ModelAccountIpmRateLimitExceeded"), ["unavailable"]],
    ["429 overloaded", refusal(429, "ServerOverloaded"), ["unavailable"]],
    ["500 with JSON", refusal(500, "InternalServiceError"), ["failed"]],
    ["500 without", htmlError(500), ["ambiguous"]],
    ["502", htmlError(502), ["ambiguous"]],
    ["503 with JSON", refusal(503, "ServerOverloaded"), ["unavailable"]],
    ["504", htmlError(504), ["ambiguous"]],
    ["cut before the answer", cutBeforeHeaders, ["ambiguous"]],
    ["cut after its headers", cutAfterHeaders, ["ambiguous"]],
    ["cut inside it", cutMidBody(JSON.stringify({ data: [{ url }] })), ["ambiguous"]],
  ]
  it.effect.each(rows)("%s", ([, reply, verdict]) =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", path, reply)
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(generate(channel, { n: 2 }))), verdict)
        assert.strictEqual(vendor.requests.length, 1)
      }),
    ),
  )

  it.effect("no connection: unavailable; no answer in a quarter of an hour: ambiguous", () =>
    withClient(
      Effect.gen(function* () {
        const unreachable = ArkImages.make(yield* settingsAt<ArkImages.Options>("http://127.0.0.1:1/api/v3"))
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(generate(unreachable))), ["unavailable"])
        const { channel, vendor } = yield* channelOn()
        const { reply, waiting } = held(silence)
        vendor.on("POST", path, reply)
        const fiber = yield* Effect.forkChild(Effect.flip(generate(channel)))
        yield* Effect.promise(() => waiting)
        yield* TestClock.adjust("899 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(verdictOf(yield* Fiber.join(fiber)), ["ambiguous"])
      }),
    ),
  )

  it.effect("the key is in no message and no log; a refusal of content is told in our own words", () => {
    const logged: Array<string> = []
    return withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const echo = `The API key ${secret} is not valid.`
        vendor.on(
          "POST",
          path,
          refusal(401, "AuthenticationError", echo),
          refusal(400, "InvalidParameter", echo),
          json(fault("AccountOverdueError", echo)),
          refusal(400, "InputTextSensitiveContentDetected", echo),
        )
        const messages: Array<string> = []
        for (let count = 0; count < 4; count++) messages.push((yield* Effect.flip(generate(channel))).message)
        assert.strictEqual(logged.length, 2)
        assert.match(messages[1] ?? "", /The API key … is not valid/)
        assert.strictEqual(
          messages[3],
          "The upstream refused the prompt or an image under its content policy.",
        )
        for (const text of [...messages, ...logged]) assert.notInclude(text, secret)
      }),
      logged,
    )
  })
})
