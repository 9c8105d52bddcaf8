import { gzipSync } from "node:zlib"
import { Downloads, defaultLimits, Limits } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import * as OutgoingDownloads from "../src/OutgoingDownloads.ts"
import {
  after,
  bytes,
  cutMidBody,
  held,
  makeVendor,
  type Reply,
  silence,
  slowly,
} from "../src/testing/vendor.ts"
import { sampleBytes, samples } from "./http/samples.ts"
import { clientLayer } from "./http/support.ts"

const png = sampleBytes("png")
const bytesMax = 4096

const use = <E>(
  run: Effect.Effect<void, E, Downloads | Scope.Scope>,
  options: Parameters<typeof clientLayer>[0] = {},
) =>
  Effect.scoped(run).pipe(
    Effect.provide(OutgoingDownloads.layer.pipe(Layer.provide(clientLayer(options)))),
    Effect.provideService(Limits, { ...defaultLimits, image_bytes_max: bytesMax }),
  )

const image = (url: string) => Effect.flatMap(Downloads, (downloads) => downloads.image(url))

/** The right signature and size, and filled up with what no reader needs. */
const filled = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])

describe("image-tasks 1.5: generated images are fetched and verified", () => {
  it.effect("every kind of image, by its bytes, whatever the server calls it", () =>
    use(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        for (const sample of samples) {
          const got = yield* image(vendor.link(sample.bytes, "application/octet-stream").url)
          assert.deepStrictEqual(
            [got.contentType, got.width, got.height, Buffer.compare(got.bytes, sample.bytes)],
            [sample.type, 37, 23, 0],
            sample.name,
          )
        }
      }),
    ),
  )

  it.effect("slow, chunked, compressed, behind redirects, and as large as may be", () =>
    use(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        vendor.on("GET", "/slow", after(1, slowly(png, 5, 1)))
        vendor.on(
          "GET",
          "/moved",
          ({ response }) => void response.writeHead(302, { location: "/chunked" }).end(),
        )
        vendor.on("GET", "/chunked", ({ response }) => {
          for (const byte of png) response.write(Uint8Array.of(byte))
          response.end()
        })
        vendor.on(
          "GET",
          "/gzip",
          ({ response }) => void response.setHeader("content-encoding", "gzip").end(gzipSync(png)),
        )
        vendor.on("GET", "/large", bytes(filled(bytesMax)))
        for (const path of ["/slow", "/moved", "/gzip"]) {
          assert.deepStrictEqual(Buffer.from((yield* image(vendor.url + path)).bytes), Buffer.from(png), path)
        }
        assert.strictEqual((yield* image(`${vendor.url}/large`)).bytes.length, bytesMax)
      }),
    ),
  )

  const broken: ReadonlyArray<readonly [string, Reply, RegExp]> = [
    ["a status that is no success", bytes(png, "image/png", 403), /answered 403/],
    ["text", bytes("<html>expired</html>", "image/png"), /not a whole PNG/],
    ["nothing", bytes(""), /not a whole PNG/],
    ["a header that is cut", bytes(png.subarray(0, 20)), /not a whole PNG/],
    ["fewer bytes than were announced", cutMidBody(png, "image/png"), /cut inside the body/],
    ["one byte too many, as announced", bytes(filled(bytesMax + 1)), /more than 4096 bytes/],
    [
      "one byte too many, not announced",
      ({ response }) => {
        response.write(filled(bytesMax))
        response.end("x")
      },
      /more than 4096 bytes/,
    ],
    [
      "a bomb",
      ({ response }) => void response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(1e6))),
      /more than 4096 bytes/,
    ],
    [
      "a redirect to a private address",
      ({ response }) => void response.writeHead(302, { location: "http://10.0.0.1/a.png" }).end(),
      /not at a public address/,
    ],
  ]
  it.effect.each(broken)("refuses %s, and tells no secret of the link", ([, reply, message]) =>
    use(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        vendor.on("GET", "/image", reply)
        const error = yield* Effect.flip(image(`${vendor.url}/image?signature=hidden`))
        assert.match(error.message, message)
        assert.notInclude(error.message, "hidden")
      }),
    ),
  )

  it.effect("refuses a private address; what is not http is no link", () =>
    use(
      Effect.gen(function* () {
        const { url } = yield* makeVendor
        assert.match((yield* Effect.flip(image(`${url}/a.png`))).message, /not at a public address/)
        assert.match((yield* Effect.flip(image("file:///etc/passwd"))).message, /neither an http/)
      }),
      { allowPrivate: [] },
    ),
  )

  it.effect("gives up a server that begins in no time, and one that does not end", () =>
    use(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        const mute = held(silence)
        vendor.on("GET", "/mute", mute.reply)
        const fiber = yield* Effect.forkChild(Effect.flip(image(`${vendor.url}/mute`)))
        yield* Effect.promise(() => mute.waiting)
        yield* TestClock.adjust("30 seconds")
        assert.match((yield* Fiber.join(fiber)).message, /no response in time/)
      }),
    ),
  )
})
