import { formatUsd, priceTotal, type RequestBody, unitsFromUsd } from "@atelier/core"
import { GenImage, ImagineImage, TestImage } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { modelIn, refusalOf, requestOf } from "./support.ts"

const imagine = modelIn(ImagineImage.family.models, "imagine-image-2.0")
const url = (index: number) => `https://example.com/${index}.png`
const urls = (count: number) => Array.from({ length: count }, (_, index) => url(index))

/** The price table of image-tasks 2.2 in hundred-thousandths of a dollar, written a second time. */
const table: { readonly [key: string]: bigint } = {
  "1K low": 3300n,
  "1K medium": 4950n,
  "2K low": 4950n,
  "2K medium": 6600n,
}
const input = 825n

const ratios = "1:1 16:9 9:16 4:3 3:4 3:2 2:3 2:1 1:2 19.5:9 9:19.5 20:9 9:20".split(" ")

describe("image-tasks 2.2: imagine-image-2.0", () => {
  it("the price is that of the table times n, and each input image once", () => {
    const anyOf = <A>(...values: ReadonlyArray<A>) => fc.constantFrom(...values)
    const request = fc.record(
      {
        n: fc.integer({ min: 1, max: 10 }),
        size: anyOf("auto", ...ratios),
        resolution: anyOf("1K", "2K"),
        quality: anyOf("low", "medium"),
        images: fc.integer({ min: 0, max: 3 }).map(urls),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(request, (given) => {
        const total = priceTotal(imagine.price(requestOf(imagine, { prompt: "a", ...given } as RequestBody)))
        const each = table[`${given.resolution ?? "1K"} ${given.quality ?? "medium"}`] ?? 0n
        const expected = each * BigInt(given.n ?? 1) + input * BigInt(given.images?.length ?? 0)
        assert.strictEqual(unitsFromUsd(total, 100_000), Number(expected))
        assert.strictEqual(unitsFromUsd(total, 500_000), Number(expected * 5n))
      }),
      { numRuns: 1000 },
    )
  })

  it("three images at 2K medium with two inputs cost 0.2145 USD", () => {
    const request = requestOf(imagine, {
      prompt: "a",
      n: 3,
      resolution: "2K",
      quality: "medium",
      images: urls(2),
    })
    assert.strictEqual(formatUsd(priceTotal(imagine.price(request))), "0.2145")
  })

  it("sizes are auto and the 13 ratios; pixels and other ratios are refused", () => {
    assert.deepStrictEqual(imagine.parameters["size"]?.enum, ["auto", ...ratios])
    for (const size of ["1024x1024", "21:9", "3:1"])
      assert.strictEqual(refusalOf(imagine, { prompt: "a", size }).param, "size")
    for (const [name, value] of [
      ["resolution", "4K"],
      ["quality", "high"],
      ["quality", "auto"],
    ] as const) {
      assert.strictEqual(refusalOf(imagine, { prompt: "a", [name]: value }).param, name)
    }
  })

  it("a placeholder names a given image, counted from zero", () => {
    const prompt = "put <IMAGE_0> beside <IMAGE_1>"
    assert.strictEqual(requestOf(imagine, { prompt, images: urls(2) }).prompt, prompt)
    assert.strictEqual(refusalOf(imagine, { prompt, images: urls(1) }).param, "prompt")
    assert.include(refusalOf(imagine, { prompt, images: urls(1) }).message, "<IMAGE_1>")
    assert.strictEqual(refusalOf(imagine, { prompt: "<IMAGE_0>" }).param, "prompt")
    assert.strictEqual(
      refusalOf(imagine, { prompt: `<IMAGE_${"9".repeat(400)}>`, images: urls(3) }).param,
      "prompt",
    )
    assert.strictEqual(requestOf(imagine, { prompt: "<IMAGE_n> and <image_9>" }).images.length, 0)
  })
})

describe("gen-image-* and test-image prices", () => {
  const costOf = (id: string, body: RequestBody): string => {
    const model = modelIn([...GenImage.family.models, ...TestImage.family.models], id)
    return formatUsd(priceTotal(model.price(requestOf(model, { prompt: "a", ...body }))))
  }

  it("a size in pixels costs what the tier that holds it costs", () => {
    assert.strictEqual(
      costOf("gen-image-2", { size: "3840x2160" }),
      costOf("gen-image-2", { size: "16:9", resolution: "4K" }),
    )
    assert.strictEqual(
      costOf("gen-image-2", { size: "512x512", resolution: "4K" }),
      costOf("gen-image-2", {}),
    )
  })

  it("auto quality is medium; images multiply by n, inputs count once", () => {
    assert.strictEqual(
      costOf("gen-image-2", { quality: "auto" }),
      costOf("gen-image-2", { quality: "medium" }),
    )
    assert.strictEqual(costOf("gen-image-2", { n: 3, quality: "high", images: urls(2) }), "0.49")
    assert.strictEqual(costOf("gen-image-2.5", { n: 2, quality: "low", resolution: "2K" }), "0.048")
  })

  it("contract, Running it: the test vendor's model is free", () => {
    assert.strictEqual(costOf("test-image", { n: 10, resolution: "4K" }), "0")
  })
})
