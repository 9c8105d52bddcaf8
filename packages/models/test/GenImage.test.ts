import { Catalog, GenImage, ImagineImage } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import { artgenBody, modelIn, refusalOf, requestOf } from "./support.ts"

const url = "https://example.com/a.png"

describe("image-tasks 2.2: gen-image-2 and gen-image-2.5", () => {
  for (const model of GenImage.family.models) {
    const request = (size?: string, resolution?: string) =>
      requestOf(model, {
        prompt: "a",
        ...(size === undefined ? {} : { size }),
        ...(resolution === undefined ? {} : { resolution }),
      })
    const pixels = (...given: Parameters<typeof request>) => {
      const { height, width } = request(...given)
      return `${width}x${height}`
    }

    it(`${model.id}, resolution: 1K, 2K, 4K; default 1K`, () => {
      assert.deepStrictEqual(model.parameters["resolution"]?.enum, ["1K", "2K", "4K"])
      assert.strictEqual(request().resolution, "1K")
      assert.strictEqual(refusalOf(model, { prompt: "a", resolution: "8K" }).param, "resolution")
    })

    it(`${model.id}, size: resolution and quality are independent`, () => {
      for (const quality of ["low", "medium", "high"]) {
        const chosen = requestOf(model, { prompt: "a", size: "3:2", resolution: "2K", quality })
        assert.deepStrictEqual([chosen.resolution, chosen.quality], ["2K", quality])
        assert.strictEqual(`${chosen.width}x${chosen.height}`, pixels("3:2", "2K"))
      }
    })

    it(`${model.id}, size auto with a resolution chosen is the square preset`, () => {
      for (const tier of ["1K", "2K", "4K"]) assert.strictEqual(pixels("auto", tier), pixels("1:1", tier))
    })

    it(`${model.id}, size given as WIDTHxHEIGHT is used unchanged`, () => {
      assert.strictEqual(pixels("1536x1024", "4K"), "1536x1024")
    })

    it(`${model.id}, conversion: 4K landscape is 3840x2160, 4K square is 2880x2880`, () => {
      assert.strictEqual(pixels("16:9", "4K"), "3840x2160")
      assert.strictEqual(pixels("1:1", "4K"), "2880x2880")
    })
  }
})

describe("image-tasks 2.2: imagine-image-2.0", () => {
  const imagine = modelIn(ImagineImage.family.models, "imagine-image-2.0")

  it("image_urls: omitted is text to image, 1 to 3 are references; Base64 and Data URLs are refused", () => {
    assert.deepStrictEqual(requestOf(imagine, { prompt: "a" }).images, [])
    for (const count of [1, 2, 3]) {
      const imageUrls = Array.from({ length: count }, (_, index) => `${url}?${index}`)
      assert.deepStrictEqual(requestOf(imagine, { prompt: "a", image_urls: imageUrls }).images, imageUrls)
    }
    assert.strictEqual(
      refusalOf(imagine, { prompt: "a", image_urls: [url, url, url, url] }).param,
      "image_urls",
    )
    for (const bad of ["iVBORw0KGgo=", "data:image/png;base64,iVBORw0KGgo=", "ftp://example.com/a.png"])
      assert.strictEqual(refusalOf(imagine, { prompt: "a", image_urls: [bad] }).param, "image_urls.0")
  })

  it("size, resolution, quality and n have the documented values and defaults", () => {
    const { extra: _, ...request } = requestOf(imagine, { prompt: "a" })
    assert.deepStrictEqual(
      [request.size, request.resolution, request.quality, request.n],
      ["auto", "1K", "medium", 1],
    )
    assert.deepStrictEqual(imagine.parameters["resolution"]?.enum, ["1K", "2K"])
    assert.deepStrictEqual(imagine.parameters["quality"]?.enum, ["low", "medium"])
    assert.strictEqual(imagine.parameters["size"]?.enum?.length, 14)
    assert.deepStrictEqual([imagine.parameters["n"]?.minimum, imagine.parameters["n"]?.maximum], [1, 10])
  })
})

describe("contract, Waiting: callback_url", () => {
  const callbackUrl = "https://example.com/hook"
  const models = Catalog.families.flatMap((family) => family.models)

  it.each(models.map((model) => [model.id, model] as const))("%s takes it", (_, model) => {
    assert.strictEqual(requestOf(model, { prompt: "a", callback_url: callbackUrl }).callbackUrl, callbackUrl)
    assert.isDefined(model.parameters["callback_url"])
  })

  it("every operation of artgen takes it", () => {
    const artgen = modelIn(models, "artgen")
    for (const operation of artgen.parameters["generation_type"]?.enum ?? [])
      assert.strictEqual(
        requestOf(artgen, { ...artgenBody(operation), callback_url: callbackUrl }).callbackUrl,
        callbackUrl,
      )
  })
})
