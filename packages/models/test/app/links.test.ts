import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Imagine from "../../src/adapters/Imagine.ts"
import { bytes, cutMidBody, htmlError, json, makeVendor, type Vendor } from "../../src/testing/vendor.ts"
import { sampleBytes } from "../http/samples.ts"
import {
  appWith,
  type Channels,
  customer,
  dayLater,
  moneyOf,
  now,
  runAll,
  runDue,
  submit,
} from "../support/app.ts"
import { route } from "../support/openai.ts"

describe("contract, Images: links of an upstream", () => {
  const imagine =
    (vendor: Vendor): Channels =>
    (settings) => [{ channel: Imagine.make(settings(vendor)), models: ["imagine-image-2.0"] }]
  const body = { model: "imagine-image-2.0", n: 2 }

  it.effect("downloads that fail twice then work: one generation, charged once, every image archived", () =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const [first, second] = [vendor.link(sampleBytes("png")), vendor.link(sampleBytes("webp lossy"))]
      vendor.on("POST", route, json({ data: [{ url: first.url }, { url: second.url }] }))
      vendor.on(
        "GET",
        first.path,
        htmlError(503),
        cutMidBody(sampleBytes("png"), "image/png"),
        bytes(sampleBytes("png")),
      )
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal, body)
        yield* runDue
        assert.strictEqual((yield* now(task)).state, "archiving")
        assert.deepStrictEqual(yield* moneyOf(principal), { held: task.held, spent: 0 })
        yield* runAll
        const done = yield* now(task)
        assert.deepStrictEqual(
          done.result?.assets.map(({ bytes: size, contentType, height, width }) => [
            contentType,
            width,
            height,
            size,
          ]),
          [
            ["image/png", 37, 23, sampleBytes("png").length],
            ["image/webp", 37, 23, sampleBytes("webp lossy").length],
          ],
        )
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: done.held })
        assert.strictEqual(vendor.asked("POST", route).length, 1)
        assert.deepStrictEqual(
          [vendor.asked("GET", first.path).length, vendor.asked("GET", second.path).length],
          [3, 1],
        )
      }).pipe(Effect.provide(appWith(imagine(vendor))))
    }),
  )

  it.effect("links that expired: no second generation; after 24 hours it fails and stays billed", () =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const link = vendor.link(sampleBytes("png"))
      link.expire()
      vendor.on("POST", route, json({ data: [{ url: link.url }] }))
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal, { ...body, n: 1 })
        yield* runDue
        yield* TestClock.adjust("1 hour")
        yield* runDue
        assert.strictEqual((yield* now(task)).state, "archiving")
        yield* dayLater(principal, task)
        const failed = yield* now(task)
        assert.deepStrictEqual([failed.state, failed.error?.code], ["failed", "result_archive_failed"])
        assert.notInclude(JSON.stringify(failed.error), vendor.url)
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: task.held })
        assert.strictEqual(vendor.asked("POST", route).length, 1)
      }).pipe(Effect.provide(appWith(imagine(vendor))))
    }),
  )

  it.effect("decision 14: links to addresses that may not be asked end the task at once, refunded", () =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const link = vendor.link(sampleBytes("png"))
      const privates = [
        "http://10.0.0.1/a.png",
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:192.168.0.1]/a.png",
        "file:///etc/passwd",
      ]
      vendor.on(
        "GET",
        "/moved",
        ({ response }) => void response.writeHead(302, { location: "http://10.0.0.1/a.png" }).end(),
      )
      for (const url of [...privates, `${vendor.url}/moved`]) {
        vendor.on("POST", route, json({ data: [{ url }, { url }] }))
        yield* Effect.gen(function* () {
          const principal = yield* customer()
          const task = yield* submit(principal, body)
          yield* runDue
          const failed = yield* now(task)
          assert.deepStrictEqual([failed.state, failed.error?.code], ["failed", "upstream_failed"], url)
          assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: 0 })
        }).pipe(Effect.provide(appWith(imagine(vendor))))
      }
      vendor.on("POST", route, json({ data: [{ url: privates[0] }, { url: link.url }] }))
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal, body)
        yield* runDue
        const done = yield* now(task)
        assert.deepStrictEqual([done.state, done.charged], ["completed", task.fees[0]])
      }).pipe(Effect.provide(appWith(imagine(vendor))))
    }),
  )

  it.effect("contract, Money: fewer images than asked for are charged as fewer", () =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const link = vendor.link(sampleBytes("png"))
      vendor.on("POST", route, json({ data: [{ url: link.url }, { respect_moderation: false }] }))
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal, { ...body, n: 4 })
        yield* runAll
        const done = yield* now(task)
        assert.deepStrictEqual([done.charged, done.released], [task.fees[0], task.held - (task.fees[0] ?? 0)])
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: done.charged })
      }).pipe(Effect.provide(appWith(imagine(vendor))))
    }),
  )

  it.effect("reference images are checked before acceptance, and handed on", () =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const link = vendor.link(sampleBytes("png"))
      vendor.on("GET", "/text", bytes("hello", "text/plain"))
      vendor.on("POST", "/v1/images/edits", json({ data: [{ url: link.url }] }))
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const refused = yield* Effect.flip(
          submit(principal, { ...body, n: 1, image_urls: [`${vendor.url}/text`] }),
        )
        assert.strictEqual(refused._tag === "CoreError" && refused.code, "reference_image_unavailable")
        const task = yield* submit(principal, { ...body, n: 1, image_urls: [link.url] })
        yield* runAll
        assert.strictEqual((yield* now(task)).state, "completed")
        const sent = vendor.asked("POST", /edits/).map((request) => Object(request.json).image)
        assert.deepStrictEqual(sent, [{ type: "image_url", url: link.url }])
      }).pipe(Effect.provide(appWith(imagine(vendor))))
    }),
  )
})
