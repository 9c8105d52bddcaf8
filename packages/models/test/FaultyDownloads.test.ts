import { Downloads, type Generation } from "@atelier/core"
import { FaultyChannel, FaultyDownloads, LocalChannel, TestImage } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { generate, hashesOf, modelIn, readPng, requestOf } from "./support.ts"

const test = modelIn(TestImage.family.models, "test-image")
const request = (prompt: string, n = 1) => requestOf(test, { prompt, n, size: "64x48" })
const urlsOf = ({ images }: Generation) => images.map((image) => ("url" in image ? image.url : "bytes"))

const beneath = Layer.succeed(Downloads, {
  image: (url) => Effect.succeed({ bytes: Buffer.from(url), contentType: "image/png", width: 1, height: 1 }),
})
const downloads = FaultyDownloads.layer.pipe(Layer.provide(beneath))
const download = (url: string) => Effect.flatMap(Downloads, ({ image }) => image(url))

describe("contract, Running it: [archive-fail 2] of the test vendor", () => {
  const links = Effect.fnUntraced(function* (prompt: string, n = 1, reference = "imgtask_one" as const) {
    const channel = FaultyChannel.make(yield* LocalChannel.make)
    return yield* generate(channel, request(prompt, n), reference)
  })

  it.effect("each image comes as a link of its own, whose download fails twice and then works for good", () =>
    Effect.gen(function* () {
      const urls = urlsOf(yield* links("a boat [archive-fail 2]", 2))
      assert.strictEqual(new Set(urls).size, 2)
      for (const url of urls) {
        assert.isTrue(url.startsWith("faulty:"))
        for (let attempt = 0; attempt < 2; attempt++)
          assert.strictEqual((yield* Effect.flip(download(url)))._tag, "DownloadFailed")
        const image = yield* download(url)
        assert.deepStrictEqual(readPng(image.bytes).width, 64)
        assert.deepStrictEqual([image.width, image.height, image.contentType], [64, 48, "image/png"])
        assert.deepStrictEqual(yield* download(url), image)
      }
    }).pipe(Effect.provide(downloads)),
  )

  it.effect("without the directive images are bytes; two tasks have links of their own", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(urlsOf(yield* links("a boat")), ["bytes"])
      const prompt = "a boat [archive-fail 1]"
      assert.notDeepEqual(
        urlsOf(yield* links(prompt)),
        urlsOf(yield* links(prompt, 1, "imgtask_two" as never)),
      )
    }),
  )

  it.effect("a restarted process serves the links of the previous one: the same image", () =>
    Effect.gen(function* () {
      const [url = ""] = urlsOf(yield* links("a boat [archive-fail 1]"))
      const fetched = Effect.gen(function* () {
        yield* Effect.flip(download(url))
        return yield* download(url)
      })
      const one = yield* Effect.provide(fetched, downloads, { local: true })
      const other = yield* Effect.provide(fetched, downloads, { local: true })
      assert.deepStrictEqual(other, one)
      const drawn = yield* generate(yield* LocalChannel.make, request("a boat [archive-fail 1]"))
      const expected = hashesOf(drawn)
      assert.deepStrictEqual(hashesOf({ ...drawn, images: [one] }), expected)
    }),
  )

  it.effect("other links go to the downloads beneath, and a broken faulty link fails", () =>
    Effect.gen(function* () {
      const image = yield* download("https://example.com/a.png")
      assert.strictEqual(Buffer.from(image.bytes).toString(), "https://example.com/a.png")
      for (const url of ["faulty:", "faulty:x", "faulty:e30"])
        assert.strictEqual((yield* Effect.flip(download(url)))._tag, "DownloadFailed")
    }).pipe(Effect.provide(downloads)),
  )
})
