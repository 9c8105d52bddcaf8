import type { Word } from "./Word.ts"

/** With fewer dots in a line, none was drawn for it as a whole. */
const dotsMin = 10
/** Fewer may belong to the text. */
const coveredMin = 2
/** A share of the size: words that are nearer are one text. */
const nearMax = 1

/**
 * The words without the dots that lead through a whole row of a table, where its label covers some of them: a browser
 * draws the label on a ground of its own over them.
 */
export const withoutCoveredDots = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const dots = words.filter(isDot)
  if (dots.length < dotsMin) return words
  const heights = Map.groupBy(dots, ({ baseline }) => Math.round(baseline))
  const texts = Map.groupBy(
    words.filter((word) => !isDot(word)),
    ({ baseline }) => Math.round(baseline),
  )
  const covered = new Set<Word>()
  for (const [height, row] of heights) {
    if (row.length < dotsMin) continue
    const parts = partsOf(texts.get(height) ?? [])
    const hidden = row.filter(({ left, right }) => isWithin((left + right) / 2, parts))
    if (hidden.length >= coveredMin) for (const dot of row) covered.add(dot)
  }
  return covered.size === 0 ? words : words.filter((word) => !covered.has(word))
}

const isDot = ({ text }: Word): boolean => text === "."

interface Part {
  readonly left: number
  right: number
}

/** From left to right. */
const partsOf = (words: ReadonlyArray<Word>): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  for (const { left, right, size } of words.toSorted((a, b) => a.left - b.left)) {
    const last = parts.at(-1)
    if (last !== undefined && left - last.right < nearMax * size) last.right = Math.max(last.right, right)
    else parts.push({ left, right })
  }
  return parts
}

const isWithin = (place: number, parts: ReadonlyArray<Part>): boolean => {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((parts[middle]?.left ?? 0) <= place) low = middle + 1
    else high = middle
  }
  const part = parts[low - 1]
  return part !== undefined && place <= part.right
}
