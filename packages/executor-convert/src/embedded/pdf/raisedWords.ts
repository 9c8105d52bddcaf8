import { firstWhere } from "../firstWhere.ts"
import { isFarUp, raised, raisedSizeMax } from "./raisedCharacters.ts"
import { keepOnly, type Word } from "./Word.ts"
import { raisedSizeMin, riseMax, sameLine, wordCharactersMax } from "./wordGaps.ts"

/**
 * What is raised or lowered behind a word, such as the mark of a footnote, stands on the line of that word, and the rest of
 * a power in the word itself.
 */
export const setOnLine = (words: Array<Word>): void => {
  const joined = new Set<Word>()
  let base: Word | undefined
  let last: Word | undefined
  for (const word of words) {
    if (base !== undefined && last !== undefined && isRestOfPower(word, last, base)) {
      // A bracket or a point behind the power stands in its word.
      base.text += word.text.replace(/^[-+−–\d]+/, (power) =>
        [...power].map((sign) => raised(sign.codePointAt(0) ?? 0)).join(""),
      )
      base.right = Math.max(base.right, word.right)
      joined.add(word)
      last = word
      continue
    }
    const isBehind =
      base !== undefined &&
      last !== undefined &&
      word.size > raisedSizeMin * base.size &&
      (word.size < raisedSizeMax * base.size
        ? isNear(word, last, base, riseMax, behindMax) ||
          isNear(word, last, base, touchingRiseMax, touchingMax)
        : word.size < base.size &&
          isFarUp(base, word.baseline) &&
          isNear(word, last, base, riseMax, touchingMax))
    if (base !== undefined && isBehind) {
      word.drawn = word.baseline
      word.baseline = base.baseline
    } else base = word
    last = word
  }
  if (joined.size > 0)
    keepOnly(
      words,
      words.filter((word) => !joined.has(word)),
    )
}

/** A sign or a number of a power with spaces, as in 2ⁿ ⁻ ¹: it stands as high as what the word ends with. */
const isRestOfPower = (word: Word, last: Word, base: Word): boolean =>
  base.text.length < wordCharactersMax &&
  /[⁰¹²³⁴-⁹⁺⁻ⁿ]/u.test(base.text.slice(-1)) &&
  /^(?:[-+−–]\d*|\d+)[)\]},.;:]*$/.test(word.text) &&
  isFarUp(base, word.baseline) &&
  word.size < base.size &&
  isNear(word, last, base, riseMax, powerGapMax)

const powerGapMax = 0.7

/**
 * Raised marks that no word stands before, as those of pictures or in a column of references, stand on the line right
 * below them.
 */
export const setMarksOnLine = (words: ReadonlyArray<Word>): void => {
  const lines = words.filter(({ text }) => !mark.test(text)).sort((a, b) => a.baseline - b.baseline)
  for (const word of words) {
    if (!mark.test(word.text)) continue
    const top = word.baseline - sameLine
    const below = lines[firstWhere(lines.length, (index) => (lines[index]?.baseline ?? 0) >= top)]
    if (below === undefined || word.size >= raisedSizeMax * below.size) continue
    const rise = below.baseline - word.baseline
    if (rise <= sameLine || rise >= touchingRiseMax * below.size) continue
    word.drawn = word.baseline
    word.baseline = below.baseline
  }
}

const mark = /^(?:\d{1,3}|[*∗†‡§¶]{1,3})$/u

/** `rise` and `gap`: shares of the size of that word. */
const isNear = (word: Word, last: Word, base: Word, rise: number, gap: number): boolean =>
  Math.abs(word.baseline - base.baseline) < rise * base.size &&
  Math.abs(word.left - last.right) < gap * base.size

/** Shares of the size of that word; what stands at it without a gap may be raised further. */
const behindMax = 0.8
const touchingMax = 0.15
const touchingRiseMax = 0.65
