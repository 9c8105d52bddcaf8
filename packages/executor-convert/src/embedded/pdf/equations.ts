import { type Spans, textOf } from "./joinWords.ts"

/** The cells are the lines of equations, whose numbers stand at the right: nothing else is in the last column. */
export const areEquations = (cells: ReadonlyArray<ReadonlyArray<Spans>>): boolean => {
  const texts = cells.map((row) => row.map(textOf))
  const last = texts.map((row) => row.at(-1) ?? "").filter((text) => text !== "")
  return (
    last.length > 0 &&
    last.every((text) => /^\([A-Z]?\.?\d{1,3}(?:\.\d{1,3})?[a-z]?\)$/.test(text)) &&
    texts.some((row) => row.slice(0, -1).some((text) => /[=≈≃∼≡≤≥<>∝→⇌∈]/u.test(text)))
  )
}
