import { cellsOf, piecesOf } from "./Cells.ts"
import { numbersDistanceMax } from "./Columns.ts"
import { isCaption } from "./captions.ts"
import { areFigures, type Piece } from "./figures.ts"
import { headInColumns } from "./headInColumns.ts"
import { type Column, columnsOf, columnsOver } from "./headRows.ts"
import type { Spans } from "./joinWords.ts"
import type { Row } from "./Lines.ts"
import { largerMin } from "./outerRows.ts"
import { leadingMax } from "./TextLine.ts"
import type { Word } from "./Word.ts"

/** The words of a table; `sides` are where its columns begin and end. */
export interface WordsInColumns {
  readonly sides: ReadonlyArray<number>
  readonly words: Iterable<Word>
}

interface Found extends WordsInColumns {
  readonly top: number
}

/** What stands above a table and is a part of it: the number of these rows, and their cells. */
export interface Heads {
  readonly lines: number
  readonly cells: ReadonlyArray<ReadonlyArray<Spans>>
}

const headSegmentsMin = 3

/** The row right above a table between lines, where it holds the heads of its columns. */
export const headAbove = (rows: ReadonlyArray<Row>, { sides, top, words }: Found): Heads | undefined => {
  const row = rows.at(-1)
  if (row === undefined || row.segments.length < headSegmentsMin) return undefined
  if (top - row.baseline > leadingMax * row.size) return undefined
  const columns = columnsOf([...words], sides.slice(1, -1))
  const cells = headInColumns(row, columns)
  return cells && { lines: 1, cells: cellsOf([cells], columns.length) }
}

const columnsMax = 100
/** Rows of heads, and labels between them and the first row of numbers. */
const headLinesMax = 4
const labelsMax = 3
const wordsMax = 12
/** A share of the size: how far labels stand apart. */
const labelDistanceMax = 3
/** The same, of rows of heads that lines may part. */
const headDistanceMax = 2.2
/** Of what stands in a column of numbers. */
const figuresMin = 0.75
const figureRowsMin = 2

/** The columns of a table all of which but the first hold numbers, and its first baseline; undefined where its first row is a head. */
const numbersOf = ({
  sides,
  words,
}: WordsInColumns): { readonly columns: ReadonlyArray<Column>; readonly top: number } | undefined => {
  const edges = sides.slice(1, -1)
  const inside = [...words]
  const columns = columnsOf(inside, edges)
  if (columns.length < 2 || columns.length > columnsMax) return undefined
  const pieces = piecesOf(inside, edges)
  const isOfFigures = (column: number): boolean => {
    const own = pieces.filter((piece) => piece.column === column)
    const figures = own.filter(areFigures).length
    return figures >= figureRowsMin && figures >= figuresMin * own.length
  }
  if (!columns.every((_, column) => column === 0 || isOfFigures(column))) return undefined
  const begin = pieces.find(({ column }) => column > 0)?.baseline
  const first = pieces.filter(({ column, baseline }) => column > 0 && baseline === begin)
  return first.every(({ words: own }) => isHeadText(own))
    ? undefined
    : { columns, top: pieces[0]?.baseline ?? 0 }
}

/**
 * The heads of columns of numbers, above them and the labels of their first rows: one row of them has heads for most of
 * these columns, and what is near it, above or below, goes over some of them.
 */
export const headsOfNumbers = (rows: ReadonlyArray<Row>, table: WordsInColumns): Heads | undefined => {
  const last = rows.at(-1)
  if (last === undefined || last.segments.some((segment) => segment.table !== undefined)) return undefined
  const { columns = [], top = 0 } = numbersOf(table) ?? {}
  if (columns.length === 0 || top < last.baseline) return undefined
  const labels = labelsAbove(rows, columns, top)
  const [above, labelled] = [rows.slice(0, rows.length - labels), rows.slice(rows.length - labels)]
  const lines = headLinesOf(above, columns, labelled[0]?.baseline ?? top)
  if (lines.length === 0) return undefined
  const cells = cellsOf([...rowsOf(lines), ...labelled.map(asLabel)], columns.length)
  return { lines: lines.length + labels, cells }
}

/**
 * The rows between two tables of numbers that end at the same places, where they are nothing but labels, no larger than
 * these: both are one.
 */
export const labelsBetween = (
  rows: ReadonlyArray<Row>,
  above: WordsInColumns,
  below: WordsInColumns,
): Heads["cells"] | undefined => {
  if (rows.length === 0 || rows.length > labelsMax || above.sides.length !== below.sides.length)
    return undefined
  const [size = 0] = [...below.words].map((word) => word.size)
  if (rows.some((row) => row.size > largerMin * size || isCaption(row.segments[0]?.words ?? [])))
    return undefined
  const { columns = [], top = 0 } = numbersOf(below) ?? {}
  const others = columnsOf([...above.words], above.sides.slice(1, -1))
  const areSame = columns.every(
    ({ right }, index) => index === 0 || Math.abs(right - (others[index]?.right ?? 0)) < sameEnd,
  )
  if (columns.length === 0 || !areSame || labelsAbove(rows, columns, top) < rows.length) return undefined
  return cellsOf(rows.map(asLabel), columns.length)
}

/** Points. */
const sameEnd = 2

/** How many rows right above the table are labels, left of all numbers. */
const labelsAbove = (rows: ReadonlyArray<Row>, columns: ReadonlyArray<Column>, top: number): number => {
  let below = top
  let count = 0
  for (const { segments, baseline, size } of rows.slice(-labelsMax).toReversed()) {
    const [label, none] = segments
    if (label === undefined || none !== undefined || label.table !== undefined) break
    if (label.right > (columns[1]?.left ?? 0) || label.words.length > wordsMax) break
    if (below - baseline > labelDistanceMax * size) break
    below = baseline
    count++
  }
  return count
}

const asLabel = ({ segments, baseline, size }: Row): ReadonlyArray<Piece> => [
  { words: segments.flatMap(({ words }) => words), column: 0, baseline, size },
]

interface Head {
  /** The first column that it goes over, and the last. */
  readonly from: number
  readonly to: number
  /** Of these columns. */
  readonly width: number
  readonly words: ReadonlyArray<Word>
}

interface HeadLine extends Pick<Row, "baseline" | "size"> {
  readonly heads: ReadonlyArray<Head>
}

/** The lines of heads at the end of the rows: none where no line of them has heads for most columns of numbers. */
const headLinesOf = (
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<Column>,
  below: number,
): ReadonlyArray<HeadLine> => {
  const lines: Array<HeadLine> = []
  let whole: HeadLine | undefined
  for (const row of rows.slice(-headLinesMax).toReversed()) {
    const { baseline, size } = row
    const distance = (lines[0]?.baseline ?? below) - baseline
    if (distance > (lines.length === 0 ? numbersDistanceMax : headDistanceMax) * size) break
    const heads = headsIn(row, columns)
    const isWhole = heads !== undefined && coverMost(heads, columns.length)
    if (heads === undefined || (!isWhole && heads.some(({ from }) => from === 0))) break
    const line = { heads, baseline, size }
    lines.unshift(line)
    if (isWhole) whole ??= line
  }
  return whole === undefined ? [] : lines.map((line) => overGroups(line, whole?.heads ?? []))
}

/** The line, as one of groups of as many heads each where each of its own stands over the middle of such a group. */
const overGroups = (line: HeadLine, whole: ReadonlyArray<Head>): HeadLine => {
  const count = whole.length / line.heads.length
  if (count < 2 || !Number.isInteger(count)) return line
  const heads = line.heads.flatMap((head, index) => {
    const [first, last] = [whole[index * count], whole[index * count + count - 1]]
    if (first === undefined || last === undefined) return []
    const isCentred = Math.abs(2 * middleOf(head) - middleOf(first) - middleOf(last)) < 2 * line.size
    return isCentred ? [{ ...head, from: first.from, to: last.to }] : []
  })
  return heads.length === line.heads.length ? { ...line, heads } : line
}

const middleOf = ({ words }: Head): number => ((words[0]?.left ?? 0) + (words.at(-1)?.right ?? 0)) / 2

/** What the row has above columns, each above others. Undefined where it has something else. */
const headsIn = ({ segments }: Row, columns: ReadonlyArray<Column>): ReadonlyArray<Head> | undefined => {
  const heads: Array<Head> = []
  for (const { left, right, words, table } of segments) {
    const over = columnsOver({ left, right }, columns)
    // Beside all of them it belongs to the next one, whose numbers end at its right.
    const beside = columns.findIndex((column) => column.right > right)
    const [from, to] = [over[0] ?? beside, over.at(-1) ?? beside]
    const isFree = from > (heads.at(-1)?.to ?? -1)
    if (table !== undefined || words.length > wordsMax || from < 0 || !isFree || !isHeadText(words))
      return undefined
    heads.push({ from, to, width: (columns[to]?.right ?? 0) - (columns[from]?.left ?? 0), words })
  }
  return heads
}

/** Beside a head, the column of a share may have none. */
const coveredMin = 0.6

const coverMost = (heads: ReadonlyArray<Head>, columns: number): boolean => {
  const covered = heads.reduce((sum, { from, to }) => sum + to - Math.max(from, 1) + 1, 0)
  const isFirst = heads[0] !== undefined && heads[0].from < 2
  return isFirst && heads.length > 1 && covered >= coveredMin * (columns - 1)
}

/** Years, words, or a sign: no numbers of a table. */
export const isHeadText = (words: ReadonlyArray<Word>): boolean =>
  words.every(({ text }) => year.test(text) || sign.test(text)) ||
  words.some(({ text }) => /\p{L}/u.test(text))

const year = /^(?:19|20)\d\d$/
const sign = /^[%#\p{Sc}]$/u

/** The rows of these lines: those of one head stand close together, above the same columns. */
const rowsOf = (lines: ReadonlyArray<HeadLine>): ReadonlyArray<ReadonlyArray<Piece>> => {
  const rows: Array<Array<Piece>> = []
  let last: HeadLine | undefined
  for (const line of lines) {
    const row = rows.at(-1)
    const pieces = line.heads.map(({ words, from }) => ({
      words,
      column: from,
      baseline: line.baseline,
      size: line.size,
    }))
    if (row !== undefined && last !== undefined && goesOn(last, line))
      for (const piece of pieces) row.push(piece)
    else rows.push(pieces)
    last = line
  }
  return rows
}

/** Each head of the line with fewer of them is one of the others' columns, and no wider than what it goes on with. */
const goesOn = (above: HeadLine, line: HeadLine): boolean => {
  // One alone goes over others that it does not reach.
  if (above.heads.length === 1 && line.heads.length >= headSegmentsMin) return false
  const [fewer, more] = [above.heads, line.heads].toSorted((a, b) => a.length - b.length)
  const isPart = (head: Head) => (other: Head) =>
    head.from === other.from &&
    head.to === other.to &&
    widthOf(head) <= widerMax * Math.max(widthOf(other), head.width)
  return fewer?.every((head) => more?.some(isPart(head))) === true
}

const widerMax = 1.5

const widthOf = ({ words }: Head): number => (words.at(-1)?.right ?? 0) - (words[0]?.left ?? 0)
