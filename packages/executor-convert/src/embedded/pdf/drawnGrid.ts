import { byReading, stretchesOf } from "./Cells.ts"
import type { Spans } from "./joinWords.ts"
import type { Word } from "./Word.ts"

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

/** The first row of a cell that goes over all columns and holds most of the words: what is drawn is a frame around a text, below its head. */
export const framedAt = (
  cells: ReadonlyArray<number>,
  columns: number,
  words: ReadonlyMap<number, ReadonlyArray<Word>>,
  count: number,
): number | undefined => {
  if (columns < 2) return undefined
  for (const [cell, own] of words) {
    if (own.length <= framedWordsMin || own.length <= framedShareMin * count) continue
    const row = Math.floor(cell / columns)
    if (cells.slice(row * columns, (row + 1) * columns).some((each) => each !== cell)) continue
    const lines = byReading(own)
    const single = lines.filter((line) => stretchesOf(line, columnGapMin).length === 1)
    if (single.length >= framedLinesMin * lines.length) return row
  }
  return undefined
}

const framedWordsMin = 80
const framedShareMin = 0.6
/** Of its lines, those without a gap as between columns. */
const framedLinesMin = 0.8

/** As a share of the size: wider than any space between the words of a justified line. */
export const columnGapMin = 2
