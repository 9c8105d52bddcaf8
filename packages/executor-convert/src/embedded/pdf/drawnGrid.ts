import { byReading, stretchesOf } from "./Cells.ts"
import { type Spans, textOf } from "./joinWords.ts"
import type { Word } from "./Word.ts"

const cellsMin = 40
/** Shares of the cells, and of those of a row. */
const filledMax = 0.15
const headMin = 0.5
/** Cells that hold something, for each row: a form with room for answers has a label in nearly every one. */
const labelsMin = 0.75

type Rows = ReadonlyArray<ReadonlyArray<Spans>>

/** What lines part is no table: they are those of a drawing, or of a chart. */
export const isDrawn = (rows: Rows): boolean => {
  const cells = rows.reduce((sum, { length }) => sum + length, 0)
  const filled = rows.reduce((sum, row) => sum + filledIn(row), 0)
  return isPlan(rows, cells, filled) || isChart(rows, cells, filled)
}

const filledIn = (row: ReadonlyArray<Spans>): number => row.filter(({ length }) => length > 0).length

/**
 * The lines of a drawing, such as a plan with the names of its rooms: nearly all cells are empty, few rows hold something,
 * and none has heads, as a form that is not filled in has them.
 */
const isPlan = (rows: Rows, cells: number, filled: number): boolean =>
  cells >= cellsMin &&
  filled < labelsMin * rows.length &&
  filled <= filledMax * cells &&
  rows.every((row) => filledIn(row) < headMin * row.length)

/**
 * The lines behind the bars and points of a chart: most cells are empty, the others hold numbers or a few words, and there
 * are no heads above them and no column of labels, as sparse tables and forms have them.
 */
const isChart = (rows: Rows, cells: number, filled: number): boolean => {
  if (cells < chartCellsMin || filled > chartFilledMax * cells) return false
  const texts = rows.map((row) => row.map(textOf))
  if (texts.some((row) => row.some((text) => text.split(" ").length > wordsMax))) return false
  const words = texts.reduce((sum, row) => sum + row.filter(isWord).length, 0)
  if (words > chartWordsMax * filled && filled > filledMax * cells) return false
  const inColumns = (texts[0] ?? []).map(
    (_, column) => texts.filter((row) => isWord(row[column] ?? "")).length,
  )
  return (
    !texts.slice(0, headRowsMax).some((row) => row.filter(isWord).length > headMin * row.length) &&
    inColumns.every((count) => count <= headMin * texts.length)
  )
}

/** No number, and neither a variable nor what it is. */
const isWord = (text: string): boolean => /\p{L}{2}|^\p{L}\s?[\p{L}\d]/u.test(text) && !text.includes("=")

const chartCellsMin = 9
const chartFilledMax = 0.45
/** Share of the cells that hold something, unless nearly all are empty. */
const chartWordsMax = 0.6
const headRowsMax = 3
/** Of a label, or of several on one line. */
const wordsMax = 8

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
