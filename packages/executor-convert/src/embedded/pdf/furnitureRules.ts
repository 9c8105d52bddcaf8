import { middleOf } from "./outerRows.ts"
import type { Rule } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Shares of the size: how far from a header its line stands, and from a footer. */
const belowMax = 1.2
const aboveMax = 1.8
/** More lines are beyond the text for another reason. */
const rulesMax = 20

/** The lines without those that part a header above the text `kept`, or a footer below it, which are left out. */
export const withoutFurnitureRules = (
  rules: ReadonlyArray<Rule>,
  kept: ReadonlyArray<Word>,
  leftOut: ReadonlyArray<Word>,
): ReadonlyArray<Rule> => {
  if (leftOut.length === 0 || kept.length === 0) return rules
  const top = kept.reduce((least, word) => Math.min(least, middleOf(word)), Number.POSITIVE_INFINITY)
  const bottom = kept.reduce((most, { baseline }) => Math.max(most, baseline), Number.NEGATIVE_INFINITY)
  const beyond = rules.filter(({ at }) => at < top || at > bottom)
  if (beyond.length > rulesMax) return rules
  const isOfFurniture = ({ at, from, to }: Rule): boolean =>
    leftOut.some(({ left, right, baseline, size }) => {
      if (left > to || right < from) return false
      const below = at - baseline
      return at < top ? below >= -1 && below < belowMax * size : below <= 0 && -below < aboveMax * size
    })
  const furniture = new Set(beyond.filter(isOfFurniture))
  return furniture.size === 0 ? rules : rules.filter((rule) => !furniture.has(rule))
}
