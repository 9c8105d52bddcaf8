import type { Word } from "./Word.ts"

/** What the document writes in one go: lines below one another that begin at one place. */
interface Cell {
  readonly left: number
  readonly size: number
  readonly lines: Array<Array<Word>>
}

type CellRow = ReadonlyArray<Cell>

/**
 * The cells of a row that stand at the middle of its tallest one begin on the first line of that, as they are read. The
 * row is told by its order: the document writes each cell to its end, and the next one beside it, at the same height. It
 * is believed where others are alike, with their cells at the same places.
 */
export const setCentredOnTop = (words: ReadonlyArray<Word>): void => {
  const rows = Map.groupBy(rowsOf(words).filter(isCentred), (row) =>
    row.map(({ left }) => Math.round(left)).join(" "),
  )
  for (const alike of rows.values()) if (alike.length >= rowsMin) for (const row of alike) setOnTop(row)
}

const rowsOf = (words: ReadonlyArray<Word>): ReadonlyArray<CellRow> => {
  const rows: Array<Array<Cell>> = []
  for (const cell of cellsOf(words)) {
    const row = rows.at(-1)
    const [last, first] = [row?.at(-1), row?.[0]]
    if (row !== undefined && last !== undefined && first !== undefined && isBeside(last, first, cell))
      row.push(cell)
    else rows.push([cell])
  }
  return rows
}

const cellsOf = (words: ReadonlyArray<Word>): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  for (const word of words.toSorted((a, b) => a.order - b.order)) {
    const cell = cells.at(-1)
    const line = cell?.lines.at(-1)
    if (cell !== undefined && line !== undefined && goesOn(line, word)) line.push(word)
    else if (cell !== undefined && line !== undefined && isBelow(cell, line, word)) cell.lines.push([word])
    else cells.push({ left: word.left, size: word.size, lines: [[word]] })
  }
  return cells
}

const goesOn = (line: ReadonlyArray<Word>, { left, baseline, size }: Word): boolean => {
  const last = line.at(-1)
  if (last === undefined) return false
  const gap = left - last.right
  return Math.abs(baseline - last.baseline) <= sameLine * size && gap > -size && gap < gapMin * size
}

const isBelow = (cell: Cell, [first]: ReadonlyArray<Word>, { left, baseline, size }: Word): boolean => {
  const leading = baseline - (first?.baseline ?? baseline)
  return leading > sameLine * size && leading <= leadingMax * size && Math.abs(left - cell.left) <= sameLeft
}

/** The cell stands to the right of the last one of its row, and its middle at the height of that of the first. */
const isBeside = (last: Cell, first: Cell, cell: Cell): boolean => {
  const size = Math.max(first.size, cell.size)
  return (
    Math.min(first.size, cell.size) >= sizeShareMin * size &&
    cell.left - rightOf(last) >= gapMin * size &&
    Math.abs(middleOf(first) - middleOf(cell)) <= sameMiddle * size
  )
}

/** Cells of different heights, with words: a fraction has fewer, and numbers in its lines, and columns of text have more lines. */
const isCentred = (row: CellRow): boolean => {
  const words = row.reduce((sum, { lines }) => sum + lines.reduce((all, { length }) => all + length, 0), 0)
  return (
    words >= wordsMin &&
    row.some(({ lines }) => lines.length !== row[0]?.lines.length) &&
    row.every((cell) => cell.lines.length <= linesMax && isText(cell)) &&
    row.filter(isNumber).length < numbersMin
  )
}

/** Columns of numbers show by themselves where the rows are. */
const isNumber = ({ lines }: Cell): boolean =>
  lines.flat().length === 1 && /^[-+−]?\d[\d.,]*%?$/.test(lines[0]?.[0]?.text ?? "")

const isText = ({ lines }: Cell): boolean => {
  const least = lines.length > 1 ? /\p{L}{2}/u : /[\p{L}\p{N}]/u
  return lines.every((line) => line.some(({ text }) => least.test(text)))
}

const setOnTop = (row: CellRow): void => {
  const tallest = row.reduce<Cell | undefined>(
    (most, cell) => (most !== undefined && most.lines.length >= cell.lines.length ? most : cell),
    undefined,
  )
  for (const { lines } of row) {
    if (lines.length === tallest?.lines.length) continue
    for (const [index, line] of lines.entries()) {
      const baseline = tallest?.lines[index]?.[0]?.baseline
      for (const word of line) word.baseline = baseline ?? word.baseline
    }
  }
}

const rightOf = ({ lines }: Cell): number =>
  lines.reduce((most, line) => Math.max(most, line.at(-1)?.right ?? most), Number.NEGATIVE_INFINITY)

const middleOf = ({ lines }: Cell): number =>
  ((lines[0]?.[0]?.baseline ?? 0) + (lines.at(-1)?.[0]?.baseline ?? 0)) / 2

/** Shares of the size: of one line, between cells, between lines, of cells in one row, and between their middles. */
const sameLine = 0.1
const gapMin = 0.65
const leadingMax = 1.8
const sizeShareMin = 0.7
const sameMiddle = 0.2
/** Points. */
const sameLeft = 2
const wordsMin = 6
const linesMax = 8
const rowsMin = 2
const numbersMin = 2
