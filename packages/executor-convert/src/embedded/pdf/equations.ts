import { type Spans, textOf } from "./joinWords.ts"

/** The cells are the lines of equations, or what stands in one of them above, below and between others. */
export const areEquations = (cells: ReadonlyArray<ReadonlyArray<Spans>>): boolean => {
  const texts = cells.map((row) => row.map(textOf))
  return areNumbered(texts) || areParts(texts)
}

/** Their numbers stand at the right: nothing else is in the last column. */
const areNumbered = (texts: ReadonlyArray<ReadonlyArray<string>>): boolean => {
  const last = texts.map((row) => row.at(-1) ?? "").filter((text) => text !== "")
  return (
    last.length > 0 &&
    last.every((text) => /^\([A-Z]?\.?\d{1,3}(?:\.\d{1,3})?[a-z]?\)$/.test(text)) &&
    texts.some((row) => row.slice(0, -1).some((text) => relation.test(text)))
  )
}

const relation = /[=≈≃∼≡≤≥<>∝→⇌∈]/u

/**
 * A few lines with a relation of two sides, or the sign of a sum or an integral, some of whose places are empty: hardly
 * any of them holds a word, as the labels of a table are.
 */
const areParts = (texts: ReadonlyArray<ReadonlyArray<string>>): boolean => {
  const places = texts.flat()
  const filled = places.filter((text) => text !== "")
  if (texts.length > linesMax || filled.length > filledMax * places.length) return false
  const words = filled.filter((text) => /\p{L}{4}/u.test(text))
  return words.length <= wordsMax * filled.length && filled.some((text) => /[=≈≤≥∑∏∫√].|.[=≈≤≥]/u.test(text))
}

const linesMax = 5
/** Shares of the places, and of those that hold something. */
const filledMax = 0.8
const wordsMax = 0.25
