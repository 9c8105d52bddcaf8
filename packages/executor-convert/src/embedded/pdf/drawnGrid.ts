import type { Spans } from "./joinWords.ts"

const cellsMin = 40
/** Shares of the cells, and of those of a row. */
const filledMax = 0.15
const headMin = 0.5
/** Cells that hold something, for each row: a form with room for answers has a label in nearly every one. */
const labelsMin = 0.75

/**
 * The lines of a drawing, such as a plan with the names of its rooms: nearly all cells are empty, few rows hold something,
 * and none has heads, as a form that is not filled in has them.
 */
export const isDrawn = (rows: ReadonlyArray<ReadonlyArray<Spans>>): boolean => {
  const filledIn = (row: ReadonlyArray<Spans>): number => row.filter(({ length }) => length > 0).length
  const cells = rows.reduce((sum, { length }) => sum + length, 0)
  const filled = rows.reduce((sum, row) => sum + filledIn(row), 0)
  return (
    cells >= cellsMin &&
    filled < labelsMin * rows.length &&
    filled <= filledMax * cells &&
    rows.every((row) => filledIn(row) < headMin * row.length)
  )
}
