import { repeatedCharactersMax } from "@atelier/executor/parsing"
import { byReading, stretchesOf, tightLeading } from "./Cells.ts"
import { columnGapMin } from "./drawnGrid.ts"
import { isFigure } from "./figures.ts"
import { type Spans, textOf } from "./joinWords.ts"
import type { Word } from "./Word.ts"

/** For each cell of a grid, by rows, the number of the first cell that it is merged with. */
interface Merged {
  readonly columns: number
  readonly cells: ReadonlyArray<number>
}

/** Share of the cells of a row or column that are merged with none beside them in it. */
const singleMin = 0.5

/**
 * The cells, by their numbers, whose text holds for all that is merged with them: each covers a rectangle of rows and
 * columns in which most other cells stand by themselves, or all others are of one of its rows or of all, and holds one text. A title over all columns stands once, and so
 * does one from the first column on with nothing beside it, and a number that is no head; boxes of a form, which end at
 * other places in each row, show no columns.
 */
export const repeatedCells = (
  { columns, cells }: Merged,
  words: ReadonlyMap<number, ReadonlyArray<Word>>,
): ReadonlySet<number> => {
  const rows = cells.length / columns
  const rowOf = (cell: number): number => Math.floor(cell / columns)
  const areas = new Map<number, { right: number; bottom: number; count: number }>()
  for (const [cell, first] of cells.entries()) {
    const area = areas.get(first) ?? { right: 0, bottom: 0, count: 0 }
    area.right = Math.max(area.right, cell % columns)
    area.bottom = Math.max(area.bottom, rowOf(cell))
    area.count++
    areas.set(first, area)
  }
  const singleInColumn = Array.from({ length: columns }, () => 0)
  const singleInRow = Array.from({ length: rows }, () => 0)
  /** A row that is one cell tells no columns. */
  let parted = rows
  for (const [first, { right, bottom, count }] of areas) {
    const [left, top] = [first % columns, rowOf(first)]
    if (count === columns * (bottom - top + 1)) parted -= bottom - top + 1
    if (right === left) singleInColumn[left] = (singleInColumn[left] ?? 0) + count
    if (bottom === top) singleInRow[top] = (singleInRow[top] ?? 0) + count
  }
  const areSingle = (counts: ReadonlyArray<number>, from: number, to: number, of: number): boolean =>
    counts.slice(from, to + 1).every((count) => count >= singleMin * of)
  /** Rows of a head: all that begins in the first of them ends there, or with the last. */
  const areHead = (bottom: number): boolean =>
    bottom > 0 &&
    bottom < rows - 1 &&
    cells
      .slice(0, (bottom + 1) * columns)
      .every((cell) => [rowOf(cell), bottom].includes(areas.get(cell)?.bottom ?? -1)) &&
    cells.slice(bottom * columns, (bottom + 1) * columns).some((cell) => rowOf(cell) === bottom)
  /** Every cell of these rows is of one of them or of all, and each row has one of its own. */
  const isGroup = (top: number, bottom: number): boolean => {
    const inRows = cells.slice(top * columns, (bottom + 1) * columns)
    const isOfOne = (cell: number): boolean => areas.get(cell)?.bottom === rowOf(cell)
    const isOfAll = (cell: number): boolean => rowOf(cell) === top && areas.get(cell)?.bottom === bottom
    return (
      inRows.every((cell) => isOfOne(cell) || isOfAll(cell)) &&
      singleInRow.slice(top, bottom + 1).every((count) => count > 0)
    )
  }
  const isAlone = (own: number, top: number, bottom: number): boolean =>
    cells.slice(top * columns, (bottom + 1) * columns).every((cell) => cell === own || !words.has(cell))
  const repeated = new Set<number>()
  for (const [first, { right, bottom, count }] of areas) {
    const [left, top] = [first % columns, rowOf(first)]
    const [width, height] = [right - left + 1, bottom - top + 1]
    if (count === 1 || count !== width * height || width === columns) continue
    if (left === 0 && width > 1 && isAlone(first, top, bottom)) continue
    const isIn =
      (width === 1 || areSingle(singleInColumn, left, right, parted)) &&
      (height === 1 ||
        areSingle(singleInRow, top, bottom, columns) ||
        (isGroup(top, bottom) && !holdsRows(words.get(first) ?? [])) ||
        (top === 0 && areHead(bottom)))
    const own = words.get(first) ?? []
    if (!isIn || !isOneText(own)) continue
    const below = cells.slice((bottom + 1) * columns + left, (bottom + 1) * columns + right + 1)
    const isHead = new Set(below.filter((cell) => words.has(cell))).size > 1
    if (width === 1 || isHead || !own.every(isFigure)) repeated.add(first)
  }
  return repeated
}

/** More than one line of the text is nothing but figures: rows that no line parts. */
const holdsRows = (words: ReadonlyArray<Word>): boolean =>
  byReading(words).filter((line) => line.every(isFigure)).length > 1

/** The text again, or nothing where it is no label. */
export const repeatedSpans = (spans: Spans): Spans =>
  textOf(spans).length <= repeatedCharactersMax ? spans : []

/** Its lines stand close together, and none has a gap as between columns. */
const isOneText = (words: ReadonlyArray<Word>): boolean => {
  let last: Word | undefined
  for (const line of byReading(words)) {
    const [first] = line
    if (first === undefined || stretchesOf(line, columnGapMin).length > 1) return false
    if (last !== undefined && first.baseline - last.baseline > tightLeading * first.size) return false
    last = first
  }
  return last !== undefined
}
