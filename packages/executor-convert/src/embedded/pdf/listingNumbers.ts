import { channelsOf } from "./colouredTitles.ts"
import { runsOf } from "./runs.ts"
import type { Word } from "./Word.ts"

/** Shares of the size: baselines of one line, and how much smaller than the code its number is. */
const sameLineMax = 0.35
const smallerMax = 0.85
/** The same: the mark of a footnote stands further up. */
const raisedMin = 0.15
/** Points: the numbers end below one another. */
const sameEnd = 1.5
/** Fewer may be the rows of a table. */
const linesMin = 3

/** A number that may be that of a line of code. */
interface Numbered {
  readonly word: Word
  readonly value: number
  /** Code stands behind it; else nothing does, as in an empty line. */
  readonly hasCode: boolean
}

/**
 * The words without the numbers of the lines of a listing: small or grey ones before code in a font of equal widths, which
 * go up by one, as LaTeX sets them. They are no part of the code.
 */
export const withoutListingNumbers = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const found = words.flatMap((word, index) => numberedAt(word, words[index - 1], words[index + 1]))
  const listings = runsOf(found, (run, each) => isNext(run.at(-1), each)).filter(
    (run) => run.filter(({ hasCode }) => hasCode).length >= linesMin,
  )
  const numbers = new Set(listings.flat().map(({ word }) => word))
  return numbers.size === 0 ? words : words.filter((word) => !numbers.has(word))
}

const numberedAt = (
  word: Word,
  before: Word | undefined,
  next: Word | undefined,
): ReadonlyArray<Numbered> => {
  if (!/^\d{1,4}$/.test(word.text) || word.mono || (before !== undefined && areInLine(before, word)))
    return []
  const value = Number(word.text)
  if (next === undefined || !areInLine(word, next)) return [{ word, value, hasCode: false }]
  const isRaised = next.baseline - (word.drawn ?? word.baseline) > raisedMin * next.size
  const isSet = word.size < smallerMax * next.size || isGrey(word.colour)
  const isOfCode = !isRaised && next.mono && next.left > word.right && isSet
  return isOfCode ? [{ word, value, hasCode: true }] : []
}

/** A light colour without a hue. */
const isGrey = (colour = 0): boolean => {
  const channels = channelsOf(colour)
  const least = Math.min(...channels)
  return least >= greyMin && Math.max(...channels) - least <= hueMax
}

/** Of 255. */
const greyMin = 0x60
const hueMax = 0x18

const areInLine = (one: Word, other: Word): boolean =>
  Math.abs(one.baseline - other.baseline) < sameLineMax * Math.max(one.size, other.size)

const isNext = (last: Numbered | undefined, next: Numbered): boolean =>
  last !== undefined &&
  next.value === last.value + 1 &&
  next.word.size === last.word.size &&
  next.word.baseline > last.word.baseline &&
  Math.abs(next.word.right - last.word.right) < sameEnd
