import type { RequestBody } from "@atelier/core"
import { Catalog, GenImage, ImagineImage, type ModelFamily, TestImage } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import fc from "fast-check"
import { artgenBody, modelIn, parsed, refusalOf, requestOf } from "./support.ts"

const gen = modelIn(GenImage.family.models, "gen-image-2")
const imagine = modelIn(ImagineImage.family.models, "imagine-image-2.0")
const families: ReadonlyArray<ModelFamily> = [...Catalog.families, TestImage.family]
const everyModel = families.flatMap(({ models }) => models)
const url = "https://example.com/a.png"

describe("image-tasks 2.1: fields of a submission", () => {
  it("contract, Errors: a refusal names the field, the value and what is allowed", () => {
    const error = refusalOf(gen, { prompt: "a", n: 11 })
    assert.strictEqual(error.code, "invalid_parameter")
    assert.strictEqual(error.param, "n")
    assert.strictEqual(error.message, "`n` must be an integer from 1 to 10; got 11.")
  })

  it("the prompt is a non-empty string of bounded length that every store keeps as it is", () => {
    for (const prompt of [undefined, null, "", " \n", 7, ["a"], "a\0b", "\ud800", "a".repeat(32_001)]) {
      assert.strictEqual(refusalOf(gen, prompt === undefined ? {} : { prompt }).param, "prompt")
    }
    assert.strictEqual(requestOf(gen, { prompt: "  kept as given\n" }).prompt, "  kept as given\n")
    assert.strictEqual(requestOf(gen, { prompt: "a".repeat(32_000) }).prompt.length, 32_000)
  })

  it("n is a JSON integer of 1 to 10", () => {
    for (const n of [0, 11, -1, 1.5, "2", true, [], 1e300]) {
      for (const model of everyModel) assert.strictEqual(refusalOf(model, { prompt: "a", n }).param, "n")
    }
    assert.strictEqual(requestOf(gen, { prompt: "a", n: 10 }).n, 10)
    assert.strictEqual(requestOf(gen, { prompt: "a" }).n, 1)
  })

  it("null is absence in optional fields", () => {
    const body = {
      prompt: "a",
      n: null,
      size: null,
      images: null,
      callback_url: null,
      seed: null,
      quality: null,
    }
    assert.deepStrictEqual(requestOf(gen, body), requestOf(gen, { prompt: "a" }))
  })

  it("contract, Images: images and image_urls are one field; different values are refused", () => {
    assert.deepStrictEqual(requestOf(gen, { prompt: "a", images: [url] }).images, [url])
    assert.deepStrictEqual(requestOf(gen, { prompt: "a", image_urls: [url] }).images, [url])
    assert.deepStrictEqual(requestOf(gen, { prompt: "a", images: [url], image_urls: [url] }).images, [url])
    assert.strictEqual(
      refusalOf(gen, { prompt: "a", images: [url], image_urls: [`${url}?2`] }).param,
      "image_urls",
    )
    assert.strictEqual(refusalOf(gen, { prompt: "a", images: [], image_urls: [url] }).param, "image_urls")
  })

  it("reference images are public http or https URLs, as many as the model takes", () => {
    for (const bad of [
      "data:image/png;base64,AAAA",
      "ftp://a/b",
      "a.png",
      "https://user:pw@a.example/b",
      "",
      5,
    ]) {
      assert.strictEqual(refusalOf(gen, { prompt: "a", image_urls: [url, bad] }).param, "image_urls.1")
    }
    assert.strictEqual(refusalOf(gen, { prompt: "a", images: url }).param, "images")
    assert.strictEqual(refusalOf(imagine, { prompt: "a", images: [url, url, url, url] }).param, "images")
    assert.strictEqual(
      requestOf(gen, { prompt: "a", images: Array.from({ length: 16 }, () => url) }).images.length,
      16,
    )
  })

  it("image-tasks 8: callback_url is an HTTPS address of at most 2048 characters, for every image model", () => {
    const long = `https://example.com/${"a".repeat(2048 - 20)}`
    for (const model of everyModel) {
      assert.strictEqual(requestOf(model, { prompt: "a", callback_url: long }).callbackUrl, long)
      for (const bad of ["http://example.com/", `${long}a`, "", "https://", "example.com", 1, {}]) {
        assert.strictEqual(refusalOf(model, { prompt: "a", callback_url: bad }).param, "callback_url")
      }
    }
  })

  it.effect("contract, Images: unknown fields are ignored and listed in a warning", () =>
    Effect.gen(function* () {
      const known = {
        max_cost_usd: 1,
        user: "u",
        stream: false,
        response_format: "url",
        model: "gen-image-2",
      }
      assert.deepStrictEqual((yield* gen.parse({ prompt: "a", ...known })).warnings, [])
      const { request, warnings } = yield* gen.parse({ prompt: "a", style: "vivid", mode: "fast" })
      assert.deepStrictEqual(request, requestOf(gen, { prompt: "a" }))
      assert.deepStrictEqual(warnings, [
        {
          code: "unknown_parameter_ignored",
          message: 'gen-image-2 has no such parameter; ignored: "style", "mode".',
        },
      ])
      const many = Object.fromEntries(
        Array.from({ length: 5000 }, (_, index) => [`${"x".repeat(99)}${index}`, 1]),
      )
      const [warning] = (yield* gen.parse({ prompt: "a", ...many })).warnings
      assert.isBelow(warning?.message.length ?? 0, 2000)
      assert.include(warning?.message ?? "", "and 4980 more")
    }),
  )

  it("what the listing says is what parsing takes: every enum value, default and bound", () => {
    for (const model of everyModel) {
      for (const [name, spec] of Object.entries(model.parameters)) {
        for (const value of spec.enum ?? []) {
          const needs = name === "generation_type" ? artgenBody(value) : { prompt: "a" }
          assert.isTrue(Result.isSuccess(parsed(model, { ...needs, [name]: value })))
        }
        if (spec.enum !== undefined)
          assert.strictEqual(refusalOf(model, { prompt: "a", [name]: "no such" }).param, name)
        if (spec.default !== undefined) {
          assert.deepStrictEqual(
            requestOf(model, { prompt: "a", [name]: spec.default }),
            requestOf(model, { prompt: "a" }),
          )
        }
        if (spec.type !== "integer") continue
        for (const value of [spec.minimum ?? 0, spec.maximum ?? 0]) {
          assert.isTrue(Result.isSuccess(parsed(model, { prompt: "a", [name]: value })))
        }
        assert.strictEqual(refusalOf(model, { prompt: "a", [name]: (spec.maximum ?? 0) + 1 }).param, name)
        assert.strictEqual(refusalOf(model, { prompt: "a", [name]: (spec.minimum ?? 0) - 1 }).param, name)
      }
      assert.strictEqual(model.parameters["n"]?.maximum, model.limits.n)
      assert.strictEqual(model.parameters["images"]?.maximum, model.limits.reference_images)
    }
  })

  it("whatever the body, parsing gives a request or invalid_parameter with a field, and a price", () => {
    const names = [
      "prompt",
      "n",
      "size",
      "resolution",
      "quality",
      "images",
      "image_urls",
      "seed",
      "callback_url",
      "mode",
      "generation_type",
      "metadata",
      "__proto__",
    ]
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom("16:9", "auto", "1024x1024", "0:0", "1K", "low", "1:999999", "99999x99999", url),
      fc.constantFrom<unknown>("blend", "inpaint", "upscale2", "2K", "hd", "data:image/png;base64,iVBO"),
      fc.constantFrom<unknown>({ job_id: "j" }, { job_id: "j", mask: "x" }, { job_id: 7 }, { mask: [] }),
    )
    const body = fc.tuple(
      fc.dictionary(fc.constantFrom(...names), value),
      fc.dictionary(fc.string(), fc.jsonValue()),
    )
    fc.assert(
      fc.property(fc.constantFrom(...everyModel), body, (model, [some, others]) => {
        const result = parsed(
          model,
          JSON.parse(JSON.stringify({ prompt: "a", ...others, ...some })) as RequestBody,
        )
        if (Result.isFailure(result)) {
          assert.strictEqual(result.failure.code, "invalid_parameter")
          assert.isString(result.failure.param)
          assert.isBelow(result.failure.message.length, 700)
        } else assert.isAbove(model.price(result.success).length, 0)
      }),
      { numRuns: 2000 },
    )
  })

  it("a value nested a hundred thousand deep is refused like any other", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as RequestBody
    for (const name of ["prompt", "n", "size", "images", "callback_url"]) {
      assert.strictEqual(refusalOf(gen, { prompt: "a", [name]: deep }).param?.split(".")[0], name)
    }
  })
})
