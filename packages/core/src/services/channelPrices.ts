import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import type { ModelPrice } from "../domain/CatalogOverrides.ts"
import { parseUsd, type Usd } from "../domain/Money.ts"
import { globMatches } from "../domain/Principal.ts"
import type { ImageModel, PricingDisplay } from "../ports/ImageModel.ts"
import { withPrice } from "./modelPrice.ts"

/** What an image of a model is sold for, and what a channel's upstream takes for it, from its lowest tier to its highest. */
export interface ChannelPrice {
  readonly model: string
  readonly price: readonly [least: Usd, most: Usd]
  /** Null: the configuration gives no cost. */
  readonly cost: readonly [least: Usd, most: Usd] | null
  /** The least that a tier's price leaves of its cost; negative where a tier is sold below it. */
  readonly marginLeast: Usd | null
}

/** A row of a price table that prices an image; those of reference images are left out. */
interface Tier {
  readonly columns: { readonly [column: string]: string | number }
  readonly amount: Usd
}

const tiersOf = ({ table }: PricingDisplay): ReadonlyArray<Tier> =>
  table
    .filter((row) => row["input_image"] === undefined)
    .flatMap(({ usd, ...columns }) =>
      Option.match(parseUsd(String(usd)), { onNone: () => [], onSome: (amount) => [{ columns, amount }] }),
    )

const least = (amounts: ReadonlyArray<Usd>): Usd => amounts.reduce((a, b) => BigDecimal.min(a, b))
const most = (amounts: ReadonlyArray<Usd>): Usd => amounts.reduce((a, b) => BigDecimal.max(a, b))
const rangeOf = (tiers: ReadonlyArray<Tier>) => {
  const amounts = tiers.map(({ amount }) => amount)
  return [least(amounts), most(amounts)] as const
}

/** The cost of a tier: of the rows that contradict it in no column and share the most with it, the highest. */
const costOf = (costs: ReadonlyArray<Tier>, tier: Tier): Usd | undefined => {
  const shared = ({ columns }: Tier) =>
    Object.keys(columns).filter((name) => Object.hasOwn(tier.columns, name))
  const fitting = costs.filter((cost) =>
    shared(cost).every((name) => cost.columns[name] === tier.columns[name]),
  )
  const sharedMost = Math.max(...fitting.map((cost) => shared(cost).length))
  const nearest = fitting.filter((cost) => shared(cost).length === sharedMost)
  return nearest.length === 0 ? undefined : most(nearest.map(({ amount }) => amount))
}

/** A model's own entry before that of the longest glob, as with the `models` of a channel. */
const entryFor = (costs: { readonly [modelOrGlob: string]: ModelPrice }, id: string) => {
  if (Object.hasOwn(costs, id)) return costs[id]
  const globs = Object.keys(costs).filter((glob) => globMatches(glob, id))
  const longest = globs.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined ? undefined : costs[longest]
}

/**
 * `sold` is the model at the operator's price, `own` at its family's: a cost that is a factor is one on the family's
 * prices, so that it stays when a price changes.
 */
export const channelPrice = (
  costs: { readonly [modelOrGlob: string]: ModelPrice },
  { own, sold }: { readonly own: ImageModel; readonly sold: ImageModel },
): ChannelPrice | undefined => {
  const tiers = tiersOf(sold.pricing)
  if (tiers.length === 0) return undefined
  const entry = entryFor(costs, own.id)
  const taken = entry === undefined ? [] : tiersOf(withPrice(own, entry).pricing)
  const margins = tiers.flatMap((tier) => {
    const cost = costOf(taken, tier)
    return cost === undefined ? [] : [BigDecimal.subtract(tier.amount, cost)]
  })
  return {
    model: own.id,
    price: rangeOf(tiers),
    cost: taken.length === 0 ? null : rangeOf(taken),
    marginLeast: margins.length === 0 ? null : least(margins),
  }
}
