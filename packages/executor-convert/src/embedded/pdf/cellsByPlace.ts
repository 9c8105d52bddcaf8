import { edgesOf, piecesOf } from "./Cells.ts"
import { isFigure, isNumberSign } from "./figures.ts"
import { columnsOf, columnsOver, headRows } from "./headRows.ts"
import { isHeadText } from "./headsAbove.ts"
import type { Word } from "./Word.ts"

/** The words of a cell, none for an empty one. */
type CellWords = ReadonlyArray<Word>

const cellsMax = 5_000
const columnsMin = 2
/** Of the rows above the first one with numbers. */
const headsMax = 6

/**
 * The rows of cells in the columns that they stand in on the page, where their numbers of cells do not tell it: empty cells
 * are left out, and it is not told how far others reach. A sign of a currency or a share is a part of its number. Undefined
 * where two cells of a row stand in one column.
 */
export const cellsByPlace = (
  told: ReadonlyArray<ReadonlyArray<CellWords>>,
): ReadonlyArray<ReadonlyArray<CellWords>> | undefined => {
  const rows = told.map((row) => row.filter(({ length }) => length > 0)).filter(({ length }) => length > 0)
  if (rows.flat().length > cellsMax) return undefined
  const boxes = rows.map((row, at) => row.map((words) => boxOf(words, at)).sort((a, b) => a.left - b.left))
  const first = Math.max(0, boxes.findIndex(hasNumbers))
  if (first > headsMax) return undefined
  const edges = edgesOf(boxes.slice(first))
  if (edges.length + 1 < columnsMin) return undefined
  const within = boxes
    .slice(first)
    .flat()
    .filter((box) => !edges.some((edge) => goesOver(box, edge)))
  const columns = columnsOf(within, edges)
  const body = boxes.slice(first).map((row) => row.map((box) => inFirstOf(box, edges, columns)))
  const placed: Array<ReadonlyArray<CellWords>> = []
  for (const row of body) {
    const cells = columns.map((): Array<Word> => [])
    for (const { words, column } of piecesOf(row, edges)) {
      const own = cells[column]
      const texts = [...(own ?? []), ...words].filter((word) => !isMark(word))
      if (own === undefined || texts.length > 1) return undefined
      for (const word of words) own.push(word)
    }
    placed.push(cells.map((cell) => cell.flatMap((box) => wordsOf(box))))
  }
  const heads = headsOf(rows.slice(0, first), boxes.slice(0, first), columns)
  return heads === undefined ? undefined : [...heads, ...placed]
}

/** The cell as one word. */
interface Box extends Word {
  readonly own: CellWords
}

/** Rows stand apart from one another, whatever the height of their cells. */
const rowHeight = 1_000

const boxOf = (own: CellWords, row: number): Box => {
  const [first] = own
  if (first === undefined) throw new Error("An empty cell has no box.")
  return {
    ...first,
    text: own.map(({ text }) => text).join(" "),
    left: own.reduce((least, { left }) => Math.min(least, left), first.left),
    right: own.reduce((most, { right }) => Math.max(most, right), first.right),
    baseline: row * rowHeight,
    own,
  }
}

/** A text that goes over several columns, such as the title of a group, as if it ended in the first. */
const inFirstOf = (box: Box, edges: ReadonlyArray<number>, columns: Columns): Box => {
  const edge = edges.find((each) => goesOver(box, each))
  const isOverOthers = edge !== undefined && columnsOver(box, columns).length > 1 && !isFigure(box)
  return isOverOthers ? { ...box, right: edge } : box
}

const goesOver = ({ left, right }: Box, edge: number): boolean => left < edge && right > edge

const wordsOf = (word: Word): CellWords => ("own" in word ? (word as Box).own : [word])

/** The sign of a number, or that of a note. */
const isMark = (word: Word): boolean => isNumberSign(word) || /^[^\p{L}\p{N}–—-]$/u.test(word.text)

/** Numbers that are no years, beside a label or another number. */
const hasNumbers = (row: ReadonlyArray<Box>): boolean => {
  const numbers = row.filter((box) => isFigure(box) && !isNumberSign(box) && !isHeadText(box.own))
  return row.length > 1 && numbers.length > 0
}

type Columns = ReturnType<typeof columnsOf>

/** The heads, each in the columns that it goes over, or in the first of these; undefined where two stand in one column. */
const headsOf = (
  told: ReadonlyArray<ReadonlyArray<CellWords>>,
  boxes: ReadonlyArray<ReadonlyArray<Box>>,
  columns: Columns,
): ReadonlyArray<ReadonlyArray<CellWords>> | undefined => {
  const groups = boxes.map((row) => overGroups(row, columns))
  const areGroups = groups.some((cells) => cells !== undefined)
  const levels = areGroups ? undefined : headRows(told.flat(2), columns)
  if (levels !== undefined) {
    return levels.map((pieces) => {
      const cells = columns.map((): Array<Word> => [])
      for (const { words, column } of pieces) for (const word of words) cells[column]?.push(word)
      return cells
    })
  }
  const rows: Array<ReadonlyArray<CellWords>> = []
  for (const [at, row] of boxes.entries()) {
    const cells = groups[at] ?? inFirst(row, columns)
    if (cells === undefined) return undefined
    rows.push(cells)
  }
  return rows
}

/** Each head of a row of two or more in all columns of its group, where it stands over the middle of one of as many groups. */
const overGroups = (row: ReadonlyArray<Box>, columns: Columns): ReadonlyArray<CellWords> | undefined => {
  const begin = columns[0]?.right ?? 0
  const [labels, heads] = [row.filter(({ left }) => left < begin), row.filter(({ left }) => left >= begin)]
  const count = (columns.length - 1) / heads.length
  if (heads.length < 2 || count < 2 || !Number.isInteger(count)) return undefined
  const cells: Array<CellWords> = [labels.flatMap(({ own }) => own)]
  for (const [index, { left, right, size, own }] of heads.entries()) {
    const [first, last] = [columns[1 + index * count], columns[(index + 1) * count]]
    const off = left + right - (first?.left ?? 0) - (last?.right ?? 0)
    if (Math.abs(off) > 2 * offCentreMax * size) return undefined
    for (let column = 0; column < count; column++) cells.push(own)
  }
  return cells
}

/** A share of the size: how far a head may stand from the middle of its columns. */
const offCentreMax = 2

const inFirst = (row: ReadonlyArray<Box>, columns: Columns): ReadonlyArray<CellWords> | undefined => {
  const cells = columns.map((): CellWords => [])
  for (const box of row) {
    const [over] = columnsOver(box, columns)
    const column = over ?? columns.findIndex(({ right }) => right > box.left)
    if (column < 0 || (cells[column]?.length ?? 0) > 0) return undefined
    cells[column] = box.own
  }
  return cells
}
