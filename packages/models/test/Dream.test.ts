import { formatUsd, priceTotal, type RequestBody } from "@atelier/core"
import { Catalog, Dream } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import fc from "fast-check"
import { modelIn, parsed, refusalOf, requestOf } from "./support.ts"

const dream = modelIn(Dream.family.models, "dream-4.5")
const url = "https://example.com/a.png"
const urls = (count: number) => Array.from({ length: count }, (_, index) => `${url}?${index}`)
const sizeOf = (size: string, resolution = "2K") => {
  const request = requestOf(dream, { prompt: "a", size, resolution })
  return `${request.width}x${request.height}`
}

/** Tiers of the family in pixels, written a second time. */
const budgets: { readonly [tier: string]: number } = { "1K": 1_048_576, "2K": 4_194_304, "4K": 16_777_216 }

describe("image-tasks 2.2, 4.3: dream-* and alt-dream-*", () => {
  it("every model of the families is archived, whatever an operator says, and gives URLs alone", () => {
    const named = Dream.family.named?.("alt-dream-9") ?? []
    for (const model of [...Dream.family.models, named].flat()) {
      assert.strictEqual(model.delivery, "archive")
      assert.isTrue(model.deliveryFixed)
      assert.deepStrictEqual(model.synchronous, { b64Json: false })
      assert.deepStrictEqual(model.endpoints, ["/v1/images/tasks", "/v1/images/generations"])
    }
  })

  it("size: a ratio becomes the largest size of the tier, exact where that fills it well", () => {
    assert.strictEqual(sizeOf("1:1"), "2048x2048")
    assert.strictEqual(sizeOf("16:9"), "2560x1440")
    assert.strictEqual(sizeOf("4:3"), "2304x1728")
    assert.strictEqual(sizeOf("2:3"), "1664x2496")
    assert.strictEqual(sizeOf("16:9", "1K"), "1280x720")
    assert.strictEqual(sizeOf("1:1", "4K"), "4096x4096")
  })

  it("size: every ratio up to 4:1 gives a size within its tier, near to the ratio", () => {
    const side = fc.integer({ min: 1, max: 9999 })
    const ratio = fc
      .tuple(side, side)
      .filter(([across, down]) => Math.max(across, down) <= 4 * Math.min(across, down))
    fc.assert(
      fc.property(ratio, fc.constantFrom("1K", "2K", "4K"), ([across, down], resolution) => {
        const { height, width } = requestOf(dream, { prompt: "a", size: `${across}:${down}`, resolution })
        if (width === null || height === null) throw new Error("no pixels")
        assert.isAtMost(width * height, budgets[resolution] ?? 0)
        assert.isAtLeast(width * height, (budgets[resolution] ?? 0) * 0.8)
        assert.isBelow(Math.abs((width / height / across) * down - 1), 0.04)
        assert.deepStrictEqual([width % 16, height % 16], [0, 0])
      }),
      { numRuns: 1000 },
    )
  })

  it("size: auto leaves the ratio to the upstream; a tier as size is that tier", () => {
    const auto = requestOf(dream, { prompt: "a" })
    assert.deepStrictEqual([auto.width, auto.size, auto.resolution], [null, "auto", "2K"])
    const tier = requestOf(dream, { prompt: "a", size: "4K" })
    assert.deepStrictEqual([tier.width, tier.size, tier.resolution], [null, "4K", "4K"])
  })

  it("size: WIDTHxHEIGHT is used unchanged, and refused beyond the limits", () => {
    assert.strictEqual(sizeOf("1281x721", "4K"), "1281x721")
    assert.strictEqual(sizeOf("4096x4096"), "4096x4096")
    for (const size of ["1280x719", "4096x4097", "8200x2050", "3840x256", "5000x1000", "5:1", "3K", "", "x"])
      assert.strictEqual(refusalOf(dream, { prompt: "a", size }).param, "size", size)
  })

  it("n: 1 to 10 images in sequence, at most 15 together with up to 10 reference images", () => {
    assert.strictEqual(requestOf(dream, { prompt: "a", n: 10, images: urls(5) }).n, 10)
    assert.strictEqual(requestOf(dream, { prompt: "a", n: 5, image_urls: urls(10) }).images.length, 10)
    assert.strictEqual(refusalOf(dream, { prompt: "a", n: 6, images: urls(10) }).param, "n")
    assert.strictEqual(refusalOf(dream, { prompt: "a", images: urls(11) }).param, "images")
    assert.strictEqual(refusalOf(dream, { prompt: "a", n: 11 }).param, "n")
    assert.strictEqual(
      refusalOf(dream, { prompt: "a", images: ["data:image/png;base64,AAAA"] }).param,
      "images.0",
    )
  })

  it("the price is that of the model times n, exactly", () => {
    const table: { readonly [id: string]: number } = { "dream-4.5": 45, "dream-4.0": 35, "alt-dream-3": 30 }
    fc.assert(
      fc.property(
        fc.constantFrom(...Dream.family.models),
        fc.integer({ min: 1, max: 10 }),
        fc.constantFrom("2K", "4K"),
        (model, n, size) => {
          const cost = formatUsd(priceTotal(model.price(requestOf(model, { prompt: "a", n, size }))))
          assert.strictEqual(Math.round(Number(cost) * 1e6), (table[model.id] ?? 0) * 1000 * n)
          assert.strictEqual(Number(model.pricing.table[0]?.["usd"]) * 1000, table[model.id])
        },
      ),
    )
  })

  it("whatever the body, parsing gives a request within the bounds or invalid_parameter", () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.stringMatching(/^\d{1,5}[x:]\d{1,5}$/),
      fc.integer({ min: -1, max: 12 }),
    )
    const names = fc.constantFrom("size", "resolution", "quality", "n", "seed", "images")
    fc.assert(
      fc.property(fc.dictionary(names, value), (body) => {
        const result = parsed(dream, { prompt: "a", ...body } as RequestBody)
        if (Result.isFailure(result)) {
          assert.strictEqual(result.failure.code, "invalid_parameter")
          return
        }
        const { height, width } = result.success
        if (width !== null && height !== null) assert.isAtMost(width * height, 16_777_216)
      }),
      { numRuns: 2000 },
    )
  })
})

describe("names of dream-* and alt-dream-*", () => {
  const channel = {
    id: "one",
    repeatable: false,
    generate: () => Effect.die("not used"),
  }
  const live = (...models: ReadonlyArray<string>) =>
    Catalog.make({ families: Catalog.families, channels: [{ channel, models }] }).models.map(({ id }) => id)

  it("a glob brings the listed names", () => {
    assert.deepStrictEqual(live("dream-*"), ["dream-4.5", "dream-4.0"])
    assert.deepStrictEqual(live("alt-dream-*"), ["alt-dream-3"])
  })

  it("another name is live where a channel names it, once, and found like the others", () => {
    assert.deepStrictEqual(live("dream-5.0-lite", "dream-4.0", "dream-5.0-lite"), [
      "dream-4.0",
      "dream-5.0-lite",
    ])
    const models = Catalog.make({
      families: Catalog.families,
      channels: [{ channel, models: ["alt-dream-9"] }],
    })
    const found = models.find("alt-dream-9")
    assert.strictEqual(requestOf(found ?? dream, { prompt: "a" }).model, "alt-dream-9")
  })

  it("a name of no family is not live", () => {
    assert.deepStrictEqual(live("dream-", "adream-4", "dream-A B", "dream", "gen-image-9", "nightmare-1"), [])
  })
})
