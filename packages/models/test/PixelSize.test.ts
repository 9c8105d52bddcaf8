import { GenImage, PixelSize } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { modelIn, refusalOf, requestOf } from "./support.ts"

const gen = modelIn(GenImage.family.models, "gen-image-2")
const sizeOf = (size: string, resolution: string): string => {
  const { height, width } = requestOf(gen, { prompt: "a", size, resolution })
  return `${width}x${height}`
}

/** The budgets of the contract, written a second time. */
const budgets = { "1K": 1_048_576, "2K": 4_194_304, "4K": 8_294_400 } as const
const tier = fc.constantFrom(...PixelSize.tiers)
const side = fc.integer({ min: 1, max: 400 })
const ratio = fc
  .tuple(side, side)
  .filter(([across, down]) => Math.max(across, down) <= 3 * Math.min(across, down))

describe("contract, Images: gen-image-* sizes", () => {
  it("the sizes that the contract names", () => {
    assert.strictEqual(sizeOf("16:9", "4K"), "3840x2160")
    assert.strictEqual(sizeOf("9:16", "4K"), "2160x3840")
    assert.strictEqual(sizeOf("1:1", "4K"), "2880x2880")
    assert.strictEqual(sizeOf("1:1", "1K"), "1024x1024")
    assert.strictEqual(sizeOf("1:1", "2K"), "2048x2048")
  })

  it("auto is the square of the tier, and 1K square is the default", () => {
    assert.strictEqual(sizeOf("auto", "4K"), "2880x2880")
    const { height, resolution, size, width } = requestOf(gen, { prompt: "a" })
    assert.deepStrictEqual(
      { height, resolution, size, width },
      { height: 1024, resolution: "1K", size: "auto", width: 1024 },
    )
  })

  it("every ratio at every tier keeps all bounds, and its shape to the nearest step", () => {
    fc.assert(
      fc.property(ratio, tier, ([across, down], tier) => {
        const { height, width } = PixelSize.largestSize({ across, down }, tier)
        assert.strictEqual(width % 16, 0)
        assert.strictEqual(height % 16, 0)
        assert.isAtMost(Math.max(width, height), 3840)
        assert.isAtMost(Math.max(width, height), 3 * Math.min(width, height))
        assert.isAtMost(width * height, budgets[tier])
        const [long, short] = across >= down ? [across, down] : [down, across]
        assert.isAtMost(Math.abs(Math.min(width, height) - (Math.max(width, height) * short) / long), 8)
        if (across !== down) assert.isTrue(across > down ? width >= height : height >= width)
      }),
      { numRuns: 3000 },
    )
  })

  it("no larger valid size has that ratio, against every size that there is", () => {
    fc.assert(
      fc.property(ratio, tier, ([across, down], tier) => {
        const [long, short] = across >= down ? [across, down] : [down, across]
        let most = 0
        for (let a = 16; a <= 3840; a += 16) {
          for (let b = 16; b <= a; b += 16) {
            const isOfRatio = Math.abs(b * long - a * short) <= 8 * long
            if (isOfRatio && a <= 3 * b && a * b <= budgets[tier]) most = Math.max(most, a * b)
          }
        }
        const { height, width } = PixelSize.largestSize({ across, down }, tier)
        assert.strictEqual(width * height, most)
      }),
      { numRuns: 300 },
    )
  })

  it("a ratio and its inverse give one size and its transpose", () => {
    fc.assert(
      fc.property(ratio, tier, ([across, down], tier) => {
        const one = PixelSize.largestSize({ across, down }, tier)
        const other = PixelSize.largestSize({ across: down, down: across }, tier)
        assert.deepStrictEqual([one.width, one.height], [other.height, other.width])
      }),
    )
  })

  it("ratios up to 3:1 in whole or decimal numbers are taken, all others refused", () => {
    for (const size of ["3:1", "1:3", "19.5:9", "2.39:1", "100:100"]) assert.isNotEmpty(sizeOf(size, "1K"))
    for (const size of [
      "3.01:1",
      "1:4",
      "0:1",
      "1:0",
      "0:0",
      "-1:1",
      "1:1:1",
      "a:b",
      "16:9 ",
      "square",
      "",
      "1/1",
    ]) {
      assert.strictEqual(refusalOf(gen, { prompt: "a", size }).param, "size")
    }
  })

  it("a size in pixels stands as it is, whatever the tier, and is refused where it breaks a bound", () => {
    assert.strictEqual(sizeOf("1024x1536", "1K"), "1024x1536")
    assert.strictEqual(sizeOf("3840x2160", "1K"), "3840x2160")
    assert.strictEqual(sizeOf("256x256", "4K"), "256x256")
    for (const size of [
      "1000x1000",
      "3856x2160",
      "3840x2176",
      "3072x1008",
      "0x0",
      "16x0",
      "8x8",
      "1024X1024",
    ]) {
      assert.strictEqual(refusalOf(gen, { prompt: "a", size }).param, "size")
    }
  })
})
