import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as OpenAiImages from "../../src/adapters/OpenAiImages.ts"
import { generate, reference, secret, settingsAt, verdictOf, withClient } from "../../src/testing/settings.ts"
import {
  bytes,
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

const png = sampleBytes("png")
const b64 = Buffer.from(png).toString("base64")
const jpeg = sampleBytes("jpeg")

const refusal = (status: number, code: string | null, message = "No.") =>
  json({ error: { message, type: "invalid_request_error", param: null, code } }, status)

/** A vendor, and a channel on it. */
const channelOn = Effect.fnUntraced(function* (options: OpenAiImages.Options = {}) {
  const vendor = yield* makeVendor
  const channel = OpenAiImages.make(yield* settingsAt(`${vendor.url}/v1/`, options))
  return { vendor, channel }
})

const generations = "/v1/images/generations"
const edits = "/v1/images/edits"

describe("openai-images: requests", () => {
  it.effect("sends model, prompt, n, pixels and quality, under the key, once", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", generations, json({ created: 1, data: [{ b64_json: b64 }, { b64_json: b64 }] }))
        const generation = yield* generate(channel, { n: 2, width: 1536, height: 1024, seed: 7 })
        assert.deepStrictEqual(generation, {
          images: Array(2).fill({
            bytes: Buffer.from(png),
            contentType: "image/png",
            width: 37,
            height: 23,
          }),
          jobId: null,
          text: null,
          seed: null,
        })
        const [request, ...more] = vendor.requests
        assert.strictEqual(more.length, 0)
        assert.deepStrictEqual(request?.json, {
          model: "up-gen-image-2",
          prompt: "a lighthouse",
          n: 2,
          size: "1536x1024",
          quality: "medium",
        })
        assert.strictEqual(request?.headers.authorization, `Bearer ${secret}`)
        assert.notProperty(request?.headers ?? {}, "idempotency-key")
        assert.isFalse(channel.repeatable)
      }),
    ),
  )

  it.effect("options: another name of a quality, added fields, the task's id as idempotency key", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn({
          quality: { medium: "standard" },
          body: { moderation: "low" },
          idempotency_key: true,
        })
        vendor.on("POST", generations, json({ data: [{ b64_json: b64 }] }))
        yield* generate(channel, { width: null, height: null })
        assert.deepStrictEqual(vendor.requests[0]?.json, {
          model: "up-gen-image-2",
          prompt: "a lighthouse",
          n: 1,
          quality: "standard",
          moderation: "low",
        })
        assert.strictEqual(vendor.requests[0]?.headers["idempotency-key"], reference)
        assert.isTrue(channel.repeatable)
      }),
    ),
  )

  it.effect("reference images go along as files, in their order", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const images = [vendor.link(png).url, vendor.link(jpeg, "application/octet-stream").url]
        vendor.on("POST", edits, json({ data: [{ b64_json: b64 }] }))
        yield* generate(channel, { images, quality: null })
        const [request] = vendor.asked("POST", edits)
        const form = yield* Effect.promise(async () => request?.form())
        assert.deepStrictEqual(
          [...(form?.entries() ?? [])].flatMap(([name, value]) =>
            typeof value === "string" ? [[name, value]] : [[name, value.name, value.type, value.size]],
          ),
          [
            ["model", "up-gen-image-2"],
            ["prompt", "a lighthouse"],
            ["n", "1"],
            ["size", "1024x1024"],
            ["image[]", "image-0.png", "image/png", png.length],
            ["image[]", "image-1.jpeg", "image/jpeg", jpeg.length],
          ],
        )
        assert.isTrue(
          vendor.asked("GET", /files/).every(({ headers }) => headers.authorization === undefined),
        )
      }),
    ),
  )

  it.effect(
    "a reference that cannot be had now is tried again; one that is gone fails, nothing is sent",
    () =>
      withClient(
        Effect.gen(function* () {
          const { channel, vendor } = yield* channelOn()
          vendor.on("POST", edits, json({ data: [{ b64_json: b64 }] }))
          vendor.on("GET", "/flaky", htmlError(503), cutBeforeHeaders, bytes(png))
          vendor.on("GET", "/text", bytes("hello", "image/png"))
          const flaky = yield* Effect.forkChild(generate(channel, { images: [`${vendor.url}/flaky`] }))
          yield* passing(flaky)
          assert.strictEqual((yield* Fiber.join(flaky)).images.length, 1)
          for (const path of ["/gone?token=hidden", "/text"]) {
            const error = yield* Effect.flip(generate(channel, { images: [`${vendor.url}${path}`] }))
            assert.deepStrictEqual(verdictOf(error), ["failed"])
            assert.match(
              error.message,
              /^The reference image cannot be used. http:.*(answered 404|not a whole)/,
            )
            assert.notInclude(error.message, "hidden")
          }
          assert.strictEqual(vendor.asked("POST", edits).length, 1)
        }),
      ),
  )
})

/** Time goes by until the fiber ends. */
const passing = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function* () {
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
    }
  })

describe("openai-images: answers", () => {
  it.effect("links are handed on; what is neither image nor link is left out, and never more than n", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const url = "https://example.org/1.png?sig=a"
        const data = [
          { url },
          { b64_json: "aGVsbG8=" },
          { url: "file:///etc/passwd" },
          { url: "http://10.0.0.1/x.png" },
          {},
        ]
        vendor.on("POST", generations, json({ data }))
        assert.deepStrictEqual((yield* generate(channel, { n: 10 })).images, [{ url }])
        vendor.on("POST", generations, json({ data: [{ url }, { url }] }))
        assert.strictEqual((yield* generate(channel, { n: 1 })).images.length, 1)
      }),
    ),
  )

  const rows: ReadonlyArray<readonly [string, Reply, ReadonlyArray<string | number>]> = [
    ["cut before the answer", cutBeforeHeaders, ["ambiguous"]],
    ["cut after the answer's headers", cutAfterHeaders, ["ambiguous"]],
    ["cut inside the answer", cutMidBody(JSON.stringify({ data: [{ b64_json: b64 }] })), ["ambiguous"]],
    ["200 without JSON", bytes("ok", "text/plain"), ["failed"]],
    ["200 without an image", json({ data: [] }), ["failed"]],
    ["200 with bytes that are no image", json({ data: [{ b64_json: "aGVsbG8=" }] }), ["failed"]],
    ["400 content_policy_violation", refusal(400, "content_policy_violation"), ["rejected"]],
    ["400 moderation_blocked", refusal(400, "moderation_blocked"), ["rejected"]],
    ["400 of another kind", refusal(400, "invalid_value"), ["failed"]],
    ["400 billing_hard_limit_reached", refusal(400, "billing_hard_limit_reached"), ["unavailable"]],
    ["401", refusal(401, "invalid_api_key"), ["unavailable"]],
    ["403", refusal(403, null), ["unavailable"]],
    ["404", refusal(404, "model_not_found"), ["unavailable"]],
    ["a redirect", json({}, 308, { location: "/elsewhere" }), ["unavailable"]],
    ["409", refusal(409, null), ["ambiguous"]],
    ["413", htmlError(413), ["failed"]],
    ["422", refusal(422, null), ["failed"]],
    ["429", tooManyRequests(), ["unavailable"]],
    ["429 with seconds", tooManyRequests("20"), ["unavailable", 20_000]],
    ["429 with a date", tooManyRequests("Thu, 01 Jan 1970 00:01:30 GMT"), ["unavailable", 90_000]],
    ["429 that asks for years", tooManyRequests("99999999"), ["unavailable", 3_600_000]],
    ["429 insufficient_quota", refusal(429, "insufficient_quota"), ["unavailable"]],
    ["500 with a JSON error", refusal(500, "server_error"), ["failed"]],
    ["500 without one", htmlError(500), ["ambiguous"]],
    ["502", htmlError(502), ["ambiguous"]],
    ["502 with a JSON error", refusal(502, null), ["ambiguous"]],
    ["503 with a JSON error", refusal(503, "overloaded"), ["unavailable"]],
    ["503 of a proxy", htmlError(503), ["ambiguous"]],
    ["504", htmlError(504), ["ambiguous"]],
    ["524", htmlError(524), ["ambiguous"]],
  ]
  it.effect.each(rows)("%s", ([, reply, verdict]) =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", generations, reply)
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(generate(channel))), verdict)
        assert.strictEqual(vendor.requests.length, 1)
      }),
    ),
  )

  it.effect("no connection: unavailable; no answer in ten minutes: ambiguous", () =>
    withClient(
      Effect.gen(function* () {
        const unreachable = OpenAiImages.make(yield* settingsAt("http://127.0.0.1:1/v1"))
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(generate(unreachable))), ["unavailable"])
        const { channel, vendor } = yield* channelOn()
        const { reply, waiting } = held(silence)
        vendor.on("POST", generations, reply)
        const fiber = yield* Effect.forkChild(Effect.flip(generate(channel)))
        yield* Effect.promise(() => waiting)
        yield* TestClock.adjust("599 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(verdictOf(yield* Fiber.join(fiber)), ["ambiguous"])
      }),
    ),
  )

  it.effect("a stopped task cuts the connection", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const closed = Promise.withResolvers<void>()
        const { reply, waiting } = held(silence)
        vendor.on("POST", generations, (exchange) => {
          exchange.response.once("close", () => closed.resolve())
          return reply(exchange)
        })
        const fiber = yield* Effect.forkChild(generate(channel))
        yield* Effect.promise(() => waiting)
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => closed.promise)
      }),
    ),
  )
})

describe("openai-images: what is reported of a failure", () => {
  it.effect("the operator's faults are logged; the key is in no message and no log", () => {
    const logged: Array<string> = []
    return withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const echo = `Incorrect API key provided: ${secret}. Bearer ${secret}`
        vendor.on("POST", generations, refusal(401, "invalid_api_key", echo), refusal(400, null, echo))
        const unauthorized = yield* Effect.flip(generate(channel))
        const invalid = yield* Effect.flip(generate(channel))
        assert.strictEqual(invalid.message, "The upstream answered 400: Incorrect API key provided: …. …")
        assert.strictEqual(logged.length, 1)
        assert.match(logged[0] ?? "", /^Error .*base_url, key and models.*"channel":"under-test"/)
        for (const text of [unauthorized.message, invalid.message, ...logged]) assert.notInclude(text, secret)
      }),
      logged,
    )
  })

  it.effect("a refusal of content is told in our own words", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", generations, refusal(400, "moderation_blocked", "org-123 was flagged"))
        const { message } = yield* Effect.flip(generate(channel))
        assert.strictEqual(message, "The upstream refused the prompt or an image under its content policy.")
      }),
    ),
  )
})
