import { type Spans, textOf } from "./joinWords.ts"

/**
 * The cells are the labels of a chart: every column with numbers counts up or down in equal steps, as axes do, and most
 * rows have nothing else. Those of a table have a head each.
 */
export const areAxes = (cells: ReadonlyArray<ReadonlyArray<Spans>>): boolean => {
  const texts = cells.map((row) => row.map(textOf).filter((text) => text !== ""))
  const [head = []] = texts
  if (head.length >= headsMin && head.length === cells[0]?.length && !head.some(isLabel)) return false
  const withText = texts.filter((row) => !row.every(isLabel))
  if (withText.length * 2 > cells.length) return false
  const columns = (cells[0] ?? []).map((_, column) =>
    cells
      .map((row) => textOf(row[column] ?? []))
      .filter(isLabel)
      .map(valueOf),
  )
  const withNumbers = columns.filter(({ length }) => length > 1)
  return withNumbers.some(({ length }) => length >= labelsMin) && withNumbers.every(isInSteps)
}

const labelsMin = 4
const headsMin = 3

const isLabel = (text: string): boolean => /^\p{Sc}?[-−–]?\d[\d,]*(?:\.\d+)?%?$/u.test(text)

const valueOf = (text: string): number => Number(text.replace(/[−–]/g, "-").replace(/[^\d.-]/g, ""))

const isInSteps = (values: ReadonlyArray<number>): boolean => {
  const [first = 0, second = 0] = values
  const step = second - first
  return (
    step !== 0 &&
    values.every((value, index) => Math.abs(value - first - index * step) < 1e-6 * (1 + Math.abs(value)))
  )
}
