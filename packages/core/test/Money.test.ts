import { formatUsd, parseUsd, priceTotal, unitsFromUsd, usd, usdFromUnits } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as fc from "fast-check"

/** A decimal as digits and scale, and its exact value over 10^12, independent of the code under test. */
const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, scale]) => {
    const text = digits.toString().padStart(scale + 1, "0")
    const whole = text.slice(0, text.length - scale)
    return {
      text: scale === 0 ? whole : `${whole}.${text.slice(-scale)}`,
      scaled: digits * 10n ** BigInt(12 - scale),
    }
  })

const ceilUnits = (scaled: bigint, unitsPerUsd: number): number =>
  Number((scaled * BigInt(unitsPerUsd) + 10n ** 12n - 1n) / 10n ** 12n)

describe("contract, Money", () => {
  it("rounds a charge up once, after multiplying exactly", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(decimal, fc.integer({ min: 0, max: 20 })), { maxLength: 5 }),
        fc.constantFrom(1, 100, 500_000, 1_000_000),
        (charges, unitsPerUsd) => {
          const lines = charges.map(([price, quantity]) => ({
            description: "",
            quantity,
            unitPriceUsd: usd(price.text),
          }))
          const exact = charges.reduce((sum, [price, quantity]) => sum + price.scaled * BigInt(quantity), 0n)
          assert.strictEqual(unitsFromUsd(priceTotal(lines), unitsPerUsd), ceilUnits(exact, unitsPerUsd))
        },
      ),
    )
  })

  it("charges 0.0001 USD as 50 units, and 0.2145 USD as 107,250", () => {
    assert.strictEqual(unitsFromUsd(usd("0.0001"), 500_000), 50)
    assert.strictEqual(unitsFromUsd(usd("0.2145"), 500_000), 107_250)
  })

  it("never charges a fraction as nothing", () => {
    assert.strictEqual(unitsFromUsd(usd("0.000000000001"), 500_000), 1)
  })

  it("prints amounts as plain decimals that parse to the same amount", () => {
    fc.assert(
      fc.property(decimal, ({ text }) => {
        const printed = formatUsd(usd(text))
        assert.match(printed, /^\d+(\.\d*[1-9])?$/)
        assert.strictEqual(formatUsd(usd(printed)), printed)
        assert.strictEqual(unitsFromUsd(usd(printed), 10 ** 6), unitsFromUsd(usd(text), 10 ** 6))
      }),
    )
  })

  it("shows units as the dollars that they stand for", () => {
    assert.strictEqual(formatUsd(usdFromUnits(107_250, 500_000)), "0.2145")
  })

  it.each(["", "-1", "1e3", "0x10", "1.", ".5", "NaN", "Infinity", "1,5", " 1", "1".repeat(13)])(
    "takes no amount written as %j",
    (text) => assert.ok(Option.isNone(parseUsd(text))),
  )
})
