import { gzipSync } from "node:zlib"
import { type CoreError, ReferenceImages } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as ReferenceImageCheck from "../../src/http/ReferenceImageCheck.ts"
import { sampleBytes, samples } from "./samples.ts"
import { clientLayer, serve, signal } from "./support.ts"

const limit = 20 * 1024 * 1024
const png = sampleBytes("png")

const use = <E>(
  run: Effect.Effect<void, E, ReferenceImages | Scope.Scope>,
  options: Parameters<typeof clientLayer>[0] = {},
) => Effect.provide(Effect.scoped(run), ReferenceImageCheck.layer.pipe(Layer.provide(clientLayer(options))))

const check = (urls: ReadonlyArray<string>) => Effect.flatMap(ReferenceImages, (images) => images.check(urls))

const refusal = (urls: ReadonlyArray<string>): Effect.Effect<CoreError, void, ReferenceImages> =>
  Effect.flip(check(urls))

const dataUrl = (bytes: Uint8Array, type = "image/png") =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`

describe("contract, Images: reference images are checked before acceptance", () => {
  it.effect("accepts every kind of image by its signature, whatever the content type says", () =>
    use(
      Effect.gen(function* () {
        const { url } = yield* serve((request, response) => {
          const name = decodeURIComponent((request.url ?? "").slice(1))
          response.writeHead(200, { "content-type": "text/html" }).end(sampleBytes(name))
        })
        yield* check(samples.map(({ name }) => `${url}/${encodeURIComponent(name)}`))
        yield* check([])
      }),
    ),
  )

  it.effect("accepts an image behind redirects, without a length, and compressed", () =>
    use(
      Effect.gen(function* () {
        const { url } = yield* serve((request, response) => {
          if (request.url === "/moved") response.writeHead(302, { location: "/chunked" }).end()
          else if (request.url === "/chunked") {
            for (const byte of png) response.write(Uint8Array.of(byte))
            response.end()
          } else response.setHeader("content-encoding", "gzip").end(gzipSync(png))
        })
        yield* check([`${url}/moved`, `${url}/gzip`])
      }),
    ),
  )

  it.effect("refuses each failure with its place, its URL without secrets, and the reason", () =>
    use(
      Effect.gen(function* () {
        const { url } = yield* serve((request, response) => {
          if (request.url?.startsWith("/404")) response.writeHead(404).end(png)
          else if (request.url === "/svg") response.setHeader("content-type", "image/png").end("<svg/>")
          else if (request.url === "/empty") response.end()
          else if (request.url === "/short") response.end(png.subarray(0, 4))
          else if (request.url === "/cut")
            response.setHeader("content-length", 100).write(png.subarray(0, 30))
          else if (request.url === "/inside") response.writeHead(302, { location: "http://10.0.0.1/" }).end()
          else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end()
          else response.end(png)
          if (request.url === "/cut") response.destroy()
        })
        const cases = [
          [`${url}/404?sig=secret`, "the server answered 404"],
          [`${url}/svg`, "not a PNG"],
          [`${url}/empty`, "not a PNG"],
          [`${url}/short`, "not a PNG"],
          [`${url}/cut`, "cut"],
          [`${url}/inside`, "after a redirect: the URL is not at a public address"],
          [`${url}/loop`, "more than 3 redirects"],
          ["http://10.0.0.1/a?b=secret", "not at a public address"],
          ["http://user:secret@example.com/", "user name or password"],
          ["http://inside.example/", "not at a public address"],
          ["http://gone.example/", "no address"],
          ["ftp://example.com/", "neither an http nor an https URL"],
          ["secret", "not an absolute URL"],
        ] as const
        for (const [bad, reason] of cases) {
          const error = yield* refusal([`${url}/good`, bad, `${url}/good`])
          assert.strictEqual(error.code, "reference_image_unavailable")
          assert.strictEqual(error.param, "images.1")
          assert.include(error.message, reason)
          assert.match(error.message, /^`images\.1`: .+ cannot be used: .+\.$/)
          assert.notInclude(error.message, "secret")
        }
        assert.include((yield* refusal([`${url}/404?sig=secret`])).message, `${url}/404?…`)
      }),
      { resolve: async (name) => (name === "inside.example" ? ["192.168.0.1"] : []) },
    ),
  )

  it.effect("names the first of several failures, whichever came first", () =>
    use(
      Effect.gen(function* () {
        const { url } = yield* serve((request, response) => {
          if (request.url === "/late") setTimeout(() => response.writeHead(500).end(), 30)
          else response.end(png)
        })
        const error = yield* refusal([`${url}/good`, `${url}/late`, "http://10.0.0.1/"])
        assert.strictEqual(error.param, "images.1")
      }),
    ),
  )

  it.effect("asks all at once", () => {
    let waiting: Array<() => void> = []
    return use(
      Effect.gen(function* () {
        const { url } = yield* serve((_, response) => {
          waiting.push(() => response.end(png))
          if (waiting.length === 5) for (const answer of waiting.splice(0)) answer()
        })
        yield* check(Array.from({ length: 5 }, (_, index) => `${url}/${index}`))
        waiting = []
      }),
    )
  })

  it.effect("gives each 3 s, all of it", () => {
    const arrived = signal()
    return use(
      Effect.gen(function* () {
        const { url } = yield* serve((request, response) => {
          if (request.url === "/good") response.end(png)
          else arrived.fire()
        })
        const fiber = yield* Effect.forkChild(refusal([`${url}/good`, `${url}/slow`]))
        yield* arrived.wait
        yield* TestClock.adjust(3000)
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error.param, "images.1")
        assert.include(error.message, "in time")
      }),
    )
  })

  it.effect("refuses more than 20 MiB, by its length or counted", () =>
    use(
      Effect.gen(function* () {
        const { url } = yield* serve((request, response) => {
          const [, framing, bytes] = (request.url ?? "").split("/")
          const body = Buffer.alloc(Number(bytes))
          body.set(png)
          if (framing === "length") response.setHeader("content-length", body.length).end(body)
          else if (framing === "gzip") response.setHeader("content-encoding", "gzip").end(gzipSync(body))
          else {
            response.write(body.subarray(0, 100))
            response.end(body.subarray(100))
          }
        })
        for (const framing of ["length", "chunked", "gzip"]) {
          yield* check([`${url}/${framing}/${limit}`])
          const error = yield* refusal([`${url}/${framing}/${limit + 1}`])
          assert.include(error.message, `more than ${limit} bytes`, framing)
        }
      }),
    ),
  )

  it.effect("reads of an image of known length only its beginning", () => {
    const cut = signal()
    return use(
      Effect.gen(function* () {
        const { url } = yield* serve((_, response) => {
          response.setHeader("content-length", limit)
          response.write(png)
          response.once("close", cut.fire)
        })
        yield* check([url])
        yield* cut.wait
      }),
    )
  })

  it.effect("checks Data URLs by form, signature and size, and fetches nothing", () =>
    use(
      Effect.gen(function* () {
        yield* check(samples.map(({ bytes, type }) => dataUrl(bytes, type)))
        yield* check([dataUrl(png, "text/plain;charset=utf-8"), dataUrl(png).replace("data:", "DATA:")])
        const large = Buffer.alloc(limit + 1)
        large.set(png)
        yield* check([dataUrl(large.subarray(0, limit))])
        const cases = [
          [dataUrl(large), `more than ${limit} bytes`],
          [dataUrl(Buffer.from("<svg/>"), "image/svg+xml"), "holds no PNG"],
          ["data:image/png;base64,", "holds no PNG"],
          ["data:image/png,abc", "not base64"],
          ["data:image/png;base64", "not base64"],
          ["data:image/png;base64,@@@@", "not base64"],
          ["data:image/png;base64,iVBOR", "not base64"],
          [`data:${"x".repeat(300)};base64,AAAA`, "not base64"],
        ] as const
        for (const [bad, reason] of cases) {
          const error = yield* refusal([dataUrl(png), bad])
          assert.deepStrictEqual([error.code, error.param], ["reference_image_unavailable", "images.1"])
          assert.include(error.message, reason)
          assert.isBelow(error.message.length, 200)
        }
      }),
      { resolve: () => Promise.reject(new Error("asked")) },
    ),
  )
})
