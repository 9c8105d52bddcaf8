import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn, unitsOf } from "./app.ts"
import { answer } from "./vendor.ts"

let app: App
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

/** What the vendor was asked for a submission. */
const asked = async (json: object) => {
  const { prompt = newPrompt() } = json as { readonly prompt?: string }
  expect(await app.done(await app.submit({ ...json, prompt }))).toMatchObject({ state: "completed" })
  return app.vendor.asked(prompt)[0]
}
const sent = async (json: object) => (await asked(json))?.json
const refused = async (json: object) =>
  refusalIn(await app.call("/v1/images/tasks", { json: { prompt: "a boat", ...json } }))
const priced = async (json: object) =>
  (await app.call("/v1/images/quote", { json: { prompt: "a boat", ...json } })).body
const picture = (name = "a") => `${app.vendor.url}/pictures/${name}.png`

describe.each(["gen-image-2", "gen-image-2.5"])("image-tasks 2.2: %s", (model) => {
  it(`image-tasks 2.2, ${model}, resolution: 1K, 2K, 4K; default 1K`, async () => {
    expect(at(await sent({ model }), "size")).toBe("1024x1024")
    expect(at(await sent({ model, resolution: "1K" }), "size")).toBe("1024x1024")
    expect(at(await sent({ model, resolution: "2K" }), "size")).toBe("2048x2048")
    expect(at(await sent({ model, resolution: "4K" }), "size")).toBe("2880x2880")
    for (const resolution of ["8K", "1k", 1]) {
      expect(await refused({ model, resolution })).toBe("400 invalid_parameter resolution")
    }
  })

  it(`image-tasks 2.2, ${model}, size: selects the aspect ratio; resolution and quality are independent`, async () => {
    const sizes = { "1K": "1248x832", "2K": "2496x1664" }
    for (const quality of ["low", "high"]) {
      for (const [resolution, size] of Object.entries(sizes)) {
        const body = await sent({ model, size: "3:2", resolution, quality })
        const [width = 0, height = 0] = String(at(body, "size")).split("x").map(Number)
        expect(Math.abs(width / height - 1.5)).toBeLessThan(0.02)
        expect({ size: at(body, "size"), quality: at(body, "quality") }).toEqual({ size, quality })
      }
    }
  })

  it(`image-tasks 2.2, ${model}, size auto with a resolution chosen: the square preset`, async () => {
    expect(at(await sent({ model, size: "auto", resolution: "2K" }), "size")).toBe("2048x2048")
    expect(at(await sent({ model, size: "auto", resolution: "4K" }), "size")).toBe("2880x2880")
  })

  it(`image-tasks 2.2, ${model}, size given as WIDTHxHEIGHT: used unchanged`, async () => {
    expect(at(await sent({ model, size: "512x768" }), "size")).toBe("512x768")
    expect(at(await sent({ model, size: "512x768", resolution: "4K" }), "size")).toBe("512x768")
  })

  it(`image-tasks 2.2, ${model}, conversion: 4K landscape is 3840x2160, 4K square 2880x2880`, async () => {
    expect(at(await sent({ model, size: "16:9", resolution: "4K" }), "size")).toBe("3840x2160")
    expect(at(await sent({ model, size: "1:1", resolution: "4K" }), "size")).toBe("2880x2880")
    expect(at(await sent({ model, size: "9:16", resolution: "4K" }), "size")).toBe("2160x3840")
  })

  it(`image-tasks 2.2, ${model}, availability: a tier that the channel refuses fails and costs nothing`, async () => {
    const prompt = newPrompt()
    app.vendor.on(prompt, answer(400, { error: { message: "The size is not available.", code: "size" } }))
    expect(await app.done(await app.submit({ model, prompt, resolution: "4K" }))).toMatchObject({
      state: "failed",
      error: { code: "upstream_failed" },
      billing: { charged: 0 },
    })
    expect(app.vendor.asked(prompt)).toHaveLength(1)
  })
})

describe("contract, Images: sizes of gen-image-*", () => {
  it.each([
    ["1000x1000", "edges are multiples of 16"],
    ["4096x1024", "the longest edge is at most 3840"],
    ["2048x512", "the ratio is at most 3:1"],
    ["3840x3840", "at most 8,294,400 pixels"],
    ["4:1", "the ratio is at most 3:1"],
    ["0x0", "there is a picture"],
    ["large", "a known form"],
  ])("contract, Images: size %s is refused (%s)", async (size) => {
    expect(await refused({ model: "gen-image-2", size })).toBe("400 invalid_parameter size")
  })
})

describe("image-tasks 2.2: imagine-image-2.0", () => {
  const model = "imagine-image-2.0"

  it("image-tasks 2.2, imagine-image-2.0, image_urls omitted: text-to-image", async () => {
    const request = await asked({ model })
    expect(request?.path).toBe("/imagine/images/generations")
    expect(request?.json).not.toHaveProperty("image")
  })

  it("image-tasks 2.2 and 8, imagine-image-2.0, 1 to 3 image_urls: editing by reference", async () => {
    for (const count of [1, 2, 3]) {
      const imageUrls = ["a", "b", "c"].slice(0, count).map(picture)
      const request = await asked({ model, image_urls: imageUrls })
      expect(request?.path).toBe("/imagine/images/edits")
      const { image, images = [image] } = Object(request?.json)
      expect(images).toEqual(imageUrls.map((url) => ({ type: "image_url", url })))
    }
    const four = ["a", "b", "c", "d"].map(picture)
    expect(await refused({ model, image_urls: four })).toBe("400 invalid_parameter image_urls")
  })

  it("image-tasks 2.2, imagine-image-2.0, image_urls: Base64 and Data URLs are rejected", async () => {
    const base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    for (const image of [base64, `data:image/png;base64,${base64}`, "ftp://example.com/a.png"]) {
      expect(await refused({ model, image_urls: [image] })).toBe("400 invalid_parameter image_urls.0")
    }
  })

  it("image-tasks 2.2, imagine-image-2.0, prompt: <IMAGE_n> names a reference image, from zero", async () => {
    const prompt = newPrompt("<IMAGE_0> under the sky of <IMAGE_1>")
    const body = await sent({ model, prompt, image_urls: [picture("a"), picture("b")] })
    expect(at(body, "prompt")).toBe(prompt)
    expect(at(body, "images.1.url")).toBe(picture("b"))
  })

  it("contract, Images: a placeholder outside the given images is refused", async () => {
    const outside = { model, prompt: "the sky of <IMAGE_1>", image_urls: [picture()] }
    expect(await refused(outside)).toBe("400 invalid_parameter prompt")
    expect(await refused({ model, prompt: "<IMAGE_0>" })).toBe("400 invalid_parameter prompt")
  })

  it("image-tasks 2.2, imagine-image-2.0, size: auto or one of 13 ratios, no pixels", async () => {
    const ratios = "1:1 16:9 9:16 4:3 3:4 3:2 2:3 2:1 1:2 19.5:9 9:19.5 20:9 9:20".split(" ")
    expect(ratios).toHaveLength(13)
    for (const size of ["auto", ...ratios]) expect(await priced({ model, size })).toHaveProperty("usd")
    expect(at(await sent({ model, size: "9:19.5" }), "aspect_ratio")).toBe("9:19.5")
    expect(await sent({ model, size: "auto" })).not.toHaveProperty("aspect_ratio")
    for (const size of ["1024x1024", "5:4", "square", 1]) {
      expect(await refused({ model, size })).toBe("400 invalid_parameter size")
    }
  })

  it("image-tasks 2.2, imagine-image-2.0, resolution: 1K or 2K; default 1K", async () => {
    expect(at(await sent({ model }), "resolution")).toBe("1k")
    expect(at(await sent({ model, resolution: "2K" }), "resolution")).toBe("2k")
    expect(await refused({ model, resolution: "4K" })).toBe("400 invalid_parameter resolution")
  })

  it("image-tasks 2.2, imagine-image-2.0, quality: low or medium; default medium", async () => {
    expect(at(await sent({ model }), "quality")).toBe("medium")
    expect(at(await sent({ model, quality: "low" }), "quality")).toBe("low")
    expect(await refused({ model, quality: "high" })).toBe("400 invalid_parameter quality")
  })

  it("image-tasks 2.2 and 8, imagine-image-2.0, n: integer 1 to 10; default 1; the price is multiplied", async () => {
    expect(at(await sent({ model }), "n")).toBe(1)
    expect(at(await sent({ model, n: 10 }), "n")).toBe(10)
    expect(await priced({ model, n: 10 })).toMatchObject({ usd: 0.495 })
    for (const n of [0, 11, -1, 1.5, "2", true]) {
      expect(await refused({ model, n })).toBe("400 invalid_parameter n")
    }
  })

  it("image-tasks 2.2, 6 and 8, imagine-image-2.0, callback_url: public HTTPS, at most 2048 characters", async () => {
    const url = "https://example.com/hook?"
    const longest = url + "a".repeat(2048 - url.length)
    expect(await priced({ model, callback_url: longest })).toHaveProperty("usd")
    for (const callbackUrl of [`${longest}a`, "http://example.com/hook", "example.com", "", 7]) {
      expect(await refused({ model, callback_url: callbackUrl })).toBe("400 invalid_parameter callback_url")
    }
  })

  it.each([
    ["1K", "low", 0.033],
    ["1K", "medium", 0.0495],
    ["2K", "low", 0.0495],
    ["2K", "medium", 0.066],
  ])(
    "image-tasks 2.2, imagine-image-2.0, price: %s %s is %d USD per image",
    async (resolution, quality, usd) => {
      const body = await priced({ model, resolution, quality, n: 3 })
      expect(at(body, "breakdown.0")).toMatchObject({ quantity: 3, unit_price: usd })
      expect(at(body, "quota_units")).toBe(unitsOf(3 * usd))
      const { body: listed } = await app.call(`/v1/models/${model}`)
      expect(at(listed, "pricing_display.table")).toContainEqual({ resolution, quality, usd: String(usd) })
    },
  )

  it("image-tasks 2.2, imagine-image-2.0, price: each input image adds 0.00825 USD, not times n", async () => {
    const imageUrls = ["a", "b", "c"].map(picture)
    for (const [n, usd] of [
      [1, 0.07425],
      [4, 0.22275],
    ]) {
      expect(await priced({ model, n, image_urls: imageUrls })).toMatchObject({
        usd,
        quota_units: unitsOf(usd ?? 0),
      })
    }
  })

  it("image-tasks 2.2, imagine-image-2.0, price: the settlement record of the task has the final price", async () => {
    const request = { model, n: 2, image_urls: [picture()], prompt: newPrompt() }
    const units = at(await priced(request), "quota_units")
    const id = await app.submit(request)
    expect(await app.done(id)).toMatchObject({
      usage: { images: 2, input_images: 1 },
      billing: { held: units, charged: units, released: 0 },
    })
    const { body } = await app.call(`/v1/tasks/${id}/history`)
    expect(JSON.stringify(body)).toContain(`{"id":"settle:${id}","kind":"settle","amount":${units}}`)
  })
})
