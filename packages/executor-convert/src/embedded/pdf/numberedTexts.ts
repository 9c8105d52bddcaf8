import { type Spans, textOf } from "./joinWords.ts"

const textsMin = 2
/** Of a usual text. */
const wordsMin = 4

/** Two columns of nothing but numbers that count by one, and a text beside each: the items of a list, or notes. */
export const areNumberedTexts = (cells: ReadonlyArray<ReadonlyArray<Spans>>): boolean => {
  if (cells.length < textsMin || cells.some(({ length }) => length !== 2)) return false
  const rows = cells.map((row) => row.map(textOf))
  const numbers = rows.map(([mark = ""]) =>
    Number(/^(?:\((\d{1,2})\)|(\d{1,2})[.)])$/.exec(mark)?.slice(1).join("")),
  )
  const words = rows.reduce((sum, [, text = ""]) => sum + text.split(" ").length, 0)
  return (
    numbers.every((number, index) => number === (numbers[0] ?? 0) + index) &&
    rows.every(([, text = ""]) => /\p{L}{2}/u.test(text)) &&
    words >= wordsMin * rows.length
  )
}
