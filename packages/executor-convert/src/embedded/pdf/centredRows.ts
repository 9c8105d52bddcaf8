import type { Piece } from "./figures.ts"

/** Shares of the size; lines of code and room around paragraphs move the middle of a high cell by a share of its height. */
const offMiddleMax = 0.4
const lineMin = 0.9
const offHeightMax = 0.06
/** Lines of a cell beside which others stand in the middle, so that it is seen. */
const linesMin = 3

/**
 * Rows whose cells stand in the middle of the highest one, as HTML sets them, where the document writes them cell by cell
 * and row by row, without lines between rows. Undefined where one of the cells stands elsewhere, or the rows interleave.
 */
export const rowsOfCentred = (
  pieces: ReadonlyArray<Piece>,
): ReadonlyArray<ReadonlyArray<Piece>> | undefined => {
  const rows: Array<ReadonlyArray<Cell>> = []
  let row: Array<Cell> = []
  for (const cell of cellsAsWritten(pieces)) {
    if (row.length > 0 && cell.column <= (row.at(-1)?.column ?? 0)) {
      rows.push(row)
      row = []
    }
    row.push(cell)
  }
  rows.push(row)
  if (rows.length < 2 || rows.some(({ length }) => length < 2)) return undefined
  if (!rows.every(areInMiddle) || !rows.some(hasHigherCell)) return undefined
  const areApart = rows.every(
    (cells, index) =>
      index === 0 || topOf(cells) - bottomOf(rows[index - 1] ?? []) > lineMin * (cells[0]?.size ?? 0),
  )
  return areApart ? rows.map((cells) => cells.flatMap((cell) => cell.pieces)) : undefined
}

interface Cell {
  readonly column: number
  readonly pieces: Array<Piece>
  readonly size: number
  /** Baselines. */
  top: number
  bottom: number
}

/** What the document writes of one column in one go. */
const cellsAsWritten = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Cell> => {
  const orders = new Map(
    pieces.map((piece) => [
      piece,
      piece.words.reduce((least, { order }) => Math.min(least, order), Number.POSITIVE_INFINITY),
    ]),
  )
  const cells: Array<Cell> = []
  for (const piece of [...pieces].sort((a, b) => (orders.get(a) ?? 0) - (orders.get(b) ?? 0))) {
    const { column, size, baseline } = piece
    const last = cells.at(-1)
    if (last?.column === column) {
      last.pieces.push(piece)
      last.top = Math.min(last.top, baseline)
      last.bottom = Math.max(last.bottom, baseline)
    } else cells.push({ column, pieces: [piece], size, top: baseline, bottom: baseline })
  }
  return cells
}

const topOf = (cells: ReadonlyArray<Cell>): number =>
  cells.reduce((least, { top }) => Math.min(least, top), Number.POSITIVE_INFINITY)

const bottomOf = (cells: ReadonlyArray<Cell>): number =>
  cells.reduce((most, { bottom }) => Math.max(most, bottom), Number.NEGATIVE_INFINITY)

const areInMiddle = (cells: ReadonlyArray<Cell>): boolean => {
  const [top, bottom] = [topOf(cells), bottomOf(cells)]
  return cells.every(
    (cell) =>
      Math.abs(cell.top + cell.bottom - top - bottom) / 2 <
      Math.max(offMiddleMax * cell.size, offHeightMax * (bottom - top)),
  )
}

const hasHigherCell = (cells: ReadonlyArray<Cell>): boolean =>
  cells.some(({ pieces }) => pieces.length >= linesMin) &&
  cells.some(({ top, size }) => top - topOf(cells) > lineMin * size)
