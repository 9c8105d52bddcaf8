import type { Word } from "./Word.ts"

/** Of each column, and of a usual line of it. */
const linesMin = 8
const wordsMin = 4

/**
 * One of the edges parts two columns of text: the document writes all of the left one before the right one, in many long
 * lines. The cells of a table are written row by row, or are short.
 */
export const haveTextColumns = (words: ReadonlyArray<Word>, edges: ReadonlyArray<number>): boolean => {
  const sorted = words.toSorted((a, b) => a.left - b.left)
  const least: Array<number> = []
  for (let index = sorted.length - 1; index >= 0; index--)
    least[index] = Math.min(sorted[index]?.order ?? 0, least[index + 1] ?? Number.POSITIVE_INFINITY)
  let at = 0
  let most = Number.NEGATIVE_INFINITY
  const edge = edges.findIndex((place) => {
    for (; (sorted[at]?.left ?? place) < place; at++) most = Math.max(most, sorted[at]?.order ?? 0)
    return at > 0 && at < sorted.length && most < (least[at] ?? 0)
  })
  return edge >= 0 && isLong(sorted.slice(0, at)) && isLong(sorted.slice(at))
}

const isLong = (words: ReadonlyArray<Word>): boolean => {
  const lines = new Set(words.map(({ baseline }) => Math.round(baseline))).size
  return lines >= linesMin && words.length >= wordsMin * lines
}
