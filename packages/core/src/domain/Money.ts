import * as BigDecimal from "effect/BigDecimal"
import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** Account quota units: integers, never fractions (contract, Money). */
export type Units = number

/** The largest number of units that is counted exactly: no amount and no sum of grants exceeds it. */
export const unitsMax: Units = Number.MAX_SAFE_INTEGER

/** Units that make one US dollar (contract, Money); the operator may configure another rate. */
export const UnitsPerUsd = Context.Reference<number>("@atelier/core/domain/UnitsPerUsd", {
  defaultValue: () => 500_000,
})

/** An exact decimal amount of US dollars. */
export type Usd = BigDecimal.BigDecimal

/** Parses a decimal such as `0.0495`; none for anything that is not a finite, non-negative decimal. */
export const parseUsd = (text: string): Option.Option<Usd> =>
  /^\d{1,12}(\.\d{1,12})?$/.test(text) ? BigDecimal.fromString(text) : Option.none()

/** The same, for amounts written in the source. Throws on a malformed one. */
export const usd = (text: string): Usd => {
  const parsed = parseUsd(text)
  if (Option.isNone(parsed)) throw new Error(`not a decimal amount: ${text}`)
  return parsed.value
}

/**
 * Units charged for an amount: multiplied exactly, then rounded up once (contract, Money).
 * `unitsPerUsd` is the number of units in one dollar.
 */
export const unitsFromUsd = (amount: Usd, unitsPerUsd: number): Units =>
  BigDecimal.toNumberUnsafe(
    BigDecimal.ceil(BigDecimal.multiply(amount, BigDecimal.fromBigInt(BigInt(unitsPerUsd))), 0),
  )

/** The exact dollar amount that a number of units stands for. */
export const usdFromUnits = (units: Units, unitsPerUsd: number): Usd =>
  BigDecimal.divideUnsafe(BigDecimal.fromBigInt(BigInt(units)), BigDecimal.fromBigInt(BigInt(unitsPerUsd)))

/** Plain decimal notation without trailing zeros, for messages and price displays. */
export const formatUsd = (amount: Usd): string => {
  const normal = BigDecimal.normalize(amount)
  if (normal.scale <= 0) return (normal.value * 10n ** BigInt(-normal.scale)).toString()
  const digits = normal.value.toString().padStart(normal.scale + 1, "0")
  return `${digits.slice(0, -normal.scale)}.${digits.slice(-normal.scale)}`
}

/** What a price is made of: one line per charge; the sum is rounded up once. */
export interface PriceLine {
  readonly description: string
  readonly quantity: number
  readonly unitPriceUsd: Usd
}

export const priceTotal = (lines: ReadonlyArray<PriceLine>): Usd =>
  BigDecimal.sumAll(
    lines.map((line) => BigDecimal.multiply(line.unitPriceUsd, BigDecimal.fromBigInt(BigInt(line.quantity)))),
  )
