import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Automatic1111 from "../../src/adapters/Automatic1111.ts"
import { countRequests } from "../../src/testing/drive.ts"
import {
  generate,
  reference,
  requestWith,
  secret,
  settingsAt,
  verdictOf,
  withClient,
} from "../../src/testing/settings.ts"
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

const txt2img = "/sdapi/v1/txt2img"
const img2img = "/sdapi/v1/img2img"
const progress = "/sdapi/v1/progress"
const base64 = (name: string) => Buffer.from(sampleBytes(name)).toString("base64")
const png = base64("png")
const made = (...images: ReadonlyArray<string>) => json({ images, parameters: {}, info: "{}" })

const channelOn = Effect.fnUntraced(function* (options?: Automatic1111.Options) {
  const vendor = yield* makeVendor
  const settings = yield* settingsAt(vendor.url, options)
  return { vendor, settings, channel: Automatic1111.make(settings) }
})

describe("automatic1111: requests", () => {
  it.effect("prompt, pixels, seed and checkpoint; images one after another", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", txt2img, made(png, base64("webp lossy")))
        const { images, seed } = yield* generate(channel, { n: 2, width: 768, height: 512, seed: 7 })
        assert.deepStrictEqual(
          images.map((image) => ("bytes" in image ? [image.contentType, image.width, image.height] : image)),
          [
            ["image/png", 37, 23],
            ["image/webp", 37, 23],
          ],
        )
        assert.strictEqual(seed, 7)
        assert.deepStrictEqual(vendor.requests[0]?.json, {
          prompt: "a lighthouse",
          width: 768,
          height: 512,
          seed: 7,
          n_iter: 2,
          batch_size: 1,
          send_images: true,
          save_images: false,
          override_settings: { sd_model_checkpoint: "up-gen-image-2" },
          override_settings_restore_afterwards: false,
        })
        const basic = Buffer.from(secret).toString("base64")
        assert.strictEqual(vendor.requests[0]?.headers.authorization, `Basic ${basic}`)
      }),
    ),
  )

  it.effect("without a checkpoint and a key it sends neither; options go along; a ratio becomes pixels", () =>
    withClient(
      Effect.gen(function* () {
        const options = Schema.decodeUnknownSync(Automatic1111.Options)({
          steps: 30,
          sampler: "DPM++ 2M",
          negative_prompt: "text",
          timeout_seconds: 60,
        })
        const { settings, vendor } = yield* channelOn(options)
        const bare = { ...settings, apiKey: Redacted.make(""), upstreamModel: (model: string) => model }
        vendor.on("POST", txt2img, made(png))
        yield* generate(Automatic1111.make(bare), {
          width: null,
          height: null,
          size: "16:9",
          resolution: "1K",
          seed: 1,
        })
        assert.deepStrictEqual(vendor.requests[0]?.json, {
          steps: 30,
          sampler_name: "DPM++ 2M",
          negative_prompt: "text",
          prompt: "a lighthouse",
          width: 1360,
          height: 768,
          seed: 1,
          n_iter: 1,
          batch_size: 1,
          send_images: true,
          save_images: false,
        })
        assert.isUndefined(vendor.requests[0]?.headers.authorization)
      }),
    ),
  )

  it.effect("the same task has the same seed, another task another: repeating makes the same images", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        assert.isTrue(channel.repeatable)
        vendor.on("POST", txt2img, made(png))
        const run = (id: typeof reference) =>
          channel.generate({
            reference: id,
            request: requestWith(),
            upstreamId: null,
            onAccepted: () => Effect.void,
            onProgress: () => Effect.void,
          })
        const first = yield* run(reference)
        const again = yield* run(reference)
        const other = yield* run("imgtask_other")
        assert.isNumber(first.seed)
        assert.strictEqual(again.seed, first.seed)
        assert.notStrictEqual(other.seed, first.seed)
        assert.deepStrictEqual(vendor.requests[1]?.json, vendor.requests[0]?.json)
      }),
    ),
  )

  it.effect("one reference image is fetched and sent along, a Data URL too; two are refused", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", img2img, made(png))
        const { url } = vendor.link(sampleBytes("jpeg"), "image/jpeg")
        yield* generate(channel, { images: [url] })
        yield* generate(channel, { images: [`data:image/png;base64,${png}`] })
        assert.deepStrictEqual(
          vendor.asked("POST", img2img).map(({ json: sent }) => Object(sent).init_images),
          [[base64("jpeg")], [png]],
        )
        const two = yield* Effect.flip(generate(channel, { images: [url, url] }))
        assert.deepStrictEqual(verdictOf(two), ["rejected"])
        const none = yield* Effect.flip(generate(channel, { images: [`${vendor.url}/nothing`] }))
        assert.deepStrictEqual(verdictOf(none), ["failed"])
        assert.strictEqual(vendor.asked("POST", img2img).length, 2)
      }),
    ),
  )
})

describe("automatic1111: progress", () => {
  it.effect("is asked for every two seconds, told only where it grows, and its failures are nothing", () =>
    withClient(
      Effect.gen(function* () {
        const { settings, vendor } = yield* channelOn()
        const { open, reply } = held(made(png))
        vendor.on("POST", txt2img, reply)
        const told = (value: unknown) => json({ progress: value, state: {} })
        vendor.on(
          "GET",
          progress,
          told(0.1),
          htmlError(500),
          told(0.05),
          cutBeforeHeaders,
          told("x"),
          told(0.5),
          ({ request, response }) => {
            open()
            return told(1)({ request, response })
          },
        )
        const { drive, http } = countRequests(settings.http, ({ method }) => method === "GET")
        const channel = Automatic1111.make({ ...settings, http })
        const seen: Array<number> = []
        yield* drive(
          channel.generate({
            reference,
            request: requestWith(),
            upstreamId: null,
            onAccepted: () => Effect.void,
            onProgress: (percent) => Effect.sync(() => void seen.push(percent)),
          }),
        )
        assert.deepStrictEqual(seen.slice(0, 2), [10, 50])
        assert.isAtMost(Math.max(...seen), 99)
        assert.isAtLeast(vendor.asked("GET", progress).length, 7)
      }),
    ),
  )
})

describe("automatic1111: answers", () => {
  it.effect("a contact sheet before the images and maps behind them are left out", () =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const images = [base64("gif"), png, `data:image/jpeg;base64,${base64("jpeg")}`, base64("gif")]
        const info = JSON.stringify({ index_of_first_image: 1, all_seeds: [1, 2] })
        vendor.on("POST", txt2img, json({ images, info }))
        assert.deepStrictEqual(
          (yield* generate(channel, { n: 2 })).images.map((image) => "bytes" in image && image.contentType),
          ["image/png", "image/jpeg"],
        )
      }),
    ),
  )

  const fault = (status: number, error: string) => json({ error, detail: "", body: "", errors: "" }, status)
  const rows: ReadonlyArray<readonly [string, Reply, ReadonlyArray<string | number>]> = [
    ["out of memory", fault(500, "OutOfMemoryError"), ["failed"]],
    ["a parameter", json({ detail: [{ loc: ["body", "width"], msg: "not an integer" }] }, 422), ["failed"]],
    ["200 without an image", made(), ["failed"]],
    ["200 with bytes that are no image", made("aGVsbG8="), ["failed"]],
    ["200 with something else", json({ images: null }), ["failed"]],
    ["200 without JSON", htmlError(200), ["failed"]],
    ["no such checkpoint", fault(404, "HTTPException"), ["unavailable"]],
    ["a wrong password", json({ detail: "Incorrect username or password" }, 401), ["unavailable"]],
    ["429 with seconds", tooManyRequests("3"), ["unavailable", 3000]],
    ["503 with JSON", fault(503, "Busy"), ["unavailable"]],
    ["500 without JSON", htmlError(500), ["ambiguous"]],
    ["502", htmlError(502), ["ambiguous"]],
    ["cut before the answer", cutBeforeHeaders, ["ambiguous"]],
    ["cut after its headers", cutAfterHeaders, ["ambiguous"]],
    ["cut inside it", cutMidBody(JSON.stringify({ images: [png] })), ["ambiguous"]],
    [
      "an answer too large",
      ({ response }) => {
        response.writeHead(200, { "content-length": 2 ** 31 })
        response.flushHeaders()
      },
      ["failed"],
    ],
  ]
  it.effect.each(rows)("%s", ([, reply, verdict]) =>
    withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        vendor.on("POST", txt2img, reply)
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(generate(channel))), verdict)
        assert.strictEqual(vendor.asked("POST", txt2img).length, 1)
      }),
    ),
  )

  it.effect("no connection: unavailable; no answer in its time: ambiguous", () =>
    withClient(
      Effect.gen(function* () {
        const unreachable = Automatic1111.make(yield* settingsAt<Automatic1111.Options>("http://127.0.0.1:1"))
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(generate(unreachable))), ["unavailable"])
        const { channel, vendor } = yield* channelOn({ timeout_seconds: 20 })
        const { reply, waiting } = held(silence)
        vendor.on("POST", txt2img, reply)
        const fiber = yield* Effect.forkChild(Effect.flip(generate(channel)))
        yield* Effect.promise(() => waiting)
        yield* TestClock.adjust("20 seconds")
        assert.deepStrictEqual(verdictOf(yield* Fiber.join(fiber)), ["ambiguous"])
      }),
    ),
  )

  it.effect("the password is in no message and no log", () => {
    const logged: Array<string> = []
    return withClient(
      Effect.gen(function* () {
        const { channel, vendor } = yield* channelOn()
        const basic = Buffer.from(secret).toString("base64")
        const echo = { error: `refused: Basic ${basic}` }
        vendor.on("POST", txt2img, json(echo, 401), json(echo, 500))
        const messages = [
          (yield* Effect.flip(generate(channel))).message,
          (yield* Effect.flip(generate(channel))).message,
        ]
        assert.strictEqual(logged.length, 1)
        for (const text of [...messages, ...logged]) {
          assert.notInclude(text, secret)
          assert.notInclude(text, basic)
        }
      }),
      logged,
    )
  })
})
