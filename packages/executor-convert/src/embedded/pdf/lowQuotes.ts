import { keepOnly, type Word } from "./Word.ts"

/** Shares of the size: how far below its word a closing quotation mark stands as an opening one, and the gap behind it. */
const fallMin = 0.35
const fallMax = 0.85
const gapMax = 0.15

const lowOf: ReadonlyMap<string, string> = new Map([
  ["”", "„"],
  ["’", "‚"],
])

/** Joins closing quotation marks with the words that they are drawn before, lowered: fonts lack the opening ones of German. */
export const joinLowQuotes = (words: Array<Word>): void => {
  const kept = words.filter((word, index) => {
    const low = lowOf.get(word.text)
    const next = words[index + 1]
    if (low === undefined || next === undefined || !isBefore(word, next)) return true
    next.text = low + next.text
    if (next.marked !== undefined) next.marked = low + next.marked
    next.left = word.left
    return false
  })
  if (kept.length < words.length) keepOnly(words, kept)
}

const isBefore = ({ right, baseline, size }: Word, next: Word): boolean => {
  const fall = baseline - next.baseline
  return (
    fall > fallMin * size &&
    fall < fallMax * size &&
    Math.abs(next.left - right) < gapMax * size &&
    /^[\p{L}\p{N}]/u.test(next.text)
  )
}
