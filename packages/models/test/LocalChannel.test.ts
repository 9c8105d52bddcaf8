import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { GenImage, ImagineImage, LocalChannel, TestImage } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { firstOf, generate, hashesOf, modelIn, readPng, requestOf } from "./support.ts"

const gen = modelIn(GenImage.family.models, "gen-image-2")
const imagine = modelIn(ImagineImage.family.models, "imagine-image-2.0")
const test = modelIn(TestImage.family.models, "test-image")

/** What another process draws for the same request. */
const program = `
import { LocalChannel } from "@atelier/models"
import { sha256 } from "@atelier/core"
import * as Effect from "effect/Effect"
const request = JSON.parse(process.argv[1])
const run = Effect.flatMap(LocalChannel.make, (channel) => channel.generate({
  reference: "imgtask_x", request, upstreamId: null, onAccepted: () => Effect.void, onProgress: () => Effect.void,
}))
const { images } = await Effect.runPromise(Effect.scoped(run))
console.log(JSON.stringify(images.map(({ bytes }) => sha256(bytes))))
`

describe("contract, Running it: the embedded local adapter", () => {
  it.effect("images are PNG of exactly the asked size, from 16 to 3840 pixels, without metadata", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      for (const size of ["16x16", "16x48", "256x256", "1024x1024", "1776x592", "592x1776", "3840x2160"]) {
        const request = requestOf(gen, { prompt: "A boat on the sea", size })
        const image = firstOf(yield* generate(channel, request))
        const png = readPng(image.bytes)
        assert.strictEqual(`${png.width}x${png.height}`, size)
        assert.strictEqual(`${image.width}x${image.height}`, size)
        assert.strictEqual(image.contentType, "image/png")
        assert.deepStrictEqual(png.chunks, ["IHDR", "IDAT", "IEND"])
      }
    }),
  )

  it.effect("a model of ratios and tiers gets the pixels of its ratio", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const request = requestOf(imagine, { prompt: "A boat", size: "2:1", resolution: "1K" })
      const image = firstOf(yield* generate(channel, request))
      const { height, width } = readPng(image.bytes)
      assert.isAtMost(Math.abs(width / height - 2), 0.03)
    }),
  )

  it.effect("the same request gives the same bytes in another process; images of one request differ", () =>
    Effect.gen(function* () {
      const request = requestOf(gen, { prompt: "Wind over the dunes", n: 3, size: "512x512" })
      const here = hashesOf(yield* generate(yield* LocalChannel.make, request))
      const again = hashesOf(yield* generate(yield* LocalChannel.make, request))
      assert.deepStrictEqual(again, here)
      assert.strictEqual(new Set(here).size, 3)
      const { stdout } = yield* Effect.promise(() =>
        promisify(execFile)(
          process.execPath,
          ["--conditions=atelier:source", "--input-type=module", "-e", program, JSON.stringify(request)],
          { cwd: import.meta.dirname },
        ),
      )
      assert.deepStrictEqual(JSON.parse(stdout), here)
    }),
  )

  it.effect("another seed gives another image, and the seed that is answered repeats the image", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const body = { prompt: "Wind over the dunes", size: "256x256" }
      const first = yield* generate(channel, requestOf(gen, body))
      const other = yield* generate(channel, requestOf(gen, { ...body, seed: 5 }))
      const repeated = yield* generate(channel, requestOf(gen, { ...body, seed: first.seed }))
      assert.notDeepEqual(hashesOf(other), hashesOf(first))
      assert.deepStrictEqual(hashesOf(repeated), hashesOf(first))
    }),
  )

  it.effect(
    "any prompt is drawn: markup, control characters, scripts and emoji that no font has, great length",
    () =>
      Effect.gen(function* () {
        const channel = yield* LocalChannel.make
        const prompts = [
          "</text><script>alert(1)</script> & \"quotes\" 'n' <![CDATA[",
          "\u0001\u0007\u001b[31m\ufffe\uffff",
          "一只红色的狐狸 🦊🏽‍🚀 عربى हिन्दी",
          "👾",
          "a".repeat(4000),
          "word ".repeat(799),
          "&amp;#x0;",
        ]
        for (const prompt of prompts) {
          const image = firstOf(yield* generate(channel, requestOf(test, { prompt, size: "512x512" })))
          assert.strictEqual(readPng(image.bytes).width, 512)
        }
      }),
  )

  it.effect("words in a script that no font has are left out, and the task says so", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const codesOf = Effect.fnUntraced(function* (prompt: string, size = "256x256") {
        const { warnings = [] } = yield* generate(channel, requestOf(gen, { prompt, size }))
        return warnings.map(({ code, message }) => `${code}: ${message.split(" ", 1)[0]}`)
      })
      assert.deepStrictEqual(yield* codesOf("一只红色的狐狸"), ["text_not_drawn: The"])
      assert.deepStrictEqual(yield* codesOf("A poster that says 狐狸, a fox in Chinese"), [
        "text_not_drawn: Some",
      ])
      for (const prompt of ["A red fox", "Zwölf Boxkämpfer, ça va", "Красная лиса", "👾", "A fox 🦊"]) {
        assert.deepStrictEqual(yield* codesOf(prompt), [], prompt)
      }
      // A picture that is too small for words is the one that was asked for.
      assert.deepStrictEqual(yield* codesOf("一只红色的狐狸", "64x64"), [])
    }),
  )

  it.effect("a run that is interrupted leaves the channel in order", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const request = requestOf(gen, { prompt: "A boat", size: "256x256", n: 4 })
      yield* Effect.raceFirst(generate(channel, request), Effect.yieldNow)
      assert.strictEqual((yield* generate(channel, request)).images.length, 4)
    }),
  )
})
