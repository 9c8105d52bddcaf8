import { tightLeading } from "./Cells.ts"
import { areFigures, isNumberSign, type Piece } from "./figures.ts"
import { isHeadText } from "./headsAbove.ts"

type Row = ReadonlyArray<Piece>

const columnsMin = 3
const linesMax = 8
/** Of what stands beside the label of a row. */
const figuresMin = 0.8
/** A share of the size: what stands so near the middle of all columns goes over them. */
const middleMax = 2

/**
 * The rows of a table of numbers, with the lines of its heads as one row where they end at one height: the last of them
 * has a word below each line of the others, and none of these reaches another column.
 */
export const withHeadsJoined = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const joined: Array<Row> = []
  let isInNumbers = false
  for (const row of rows) {
    const hasNumbers = isOfNumbers(row)
    if (hasNumbers && !isInNumbers) joinAtEnd(joined)
    if (row.some(({ column }) => column > 0)) isInNumbers = hasNumbers
    joined.push(row)
  }
  return joined
}

const isOfNumbers = (row: Row): boolean => {
  const cells = row.filter(({ column }) => column > 0)
  const figures = cells.filter((piece) => areFigures(piece) && !isHeadText(piece.words))
  return figures.length > 0 && figures.length >= figuresMin * cells.length
}

/** Joins the last of the rows, above labels. */
const joinAtEnd = (rows: Array<Row>): void => {
  let end = rows.length
  while (end > 0 && rows[end - 1]?.every(({ column }) => column === 0)) end--
  const last = rows[end - 1] ?? []
  if (new Set(last.map(({ column }) => column)).size < columnsMin) return
  let begin = end - 1
  while (begin > 0 && end - begin < linesMax && goesOn(rows[begin - 1] ?? [], rows[begin] ?? [], last))
    begin--
  if (begin < end - 1) rows.splice(begin, end - begin, rows.slice(begin, end).flat())
}

/** The line stands close above the next one, each piece of it above one of its column in the last line, and of no other. */
const goesOn = (line: Row, next: Row, last: Row): boolean => {
  const [top, below] = [line[0], next[0]]
  if (top === undefined || below === undefined || !areHeads(line) || !areHeads(next)) return false
  if (line.some(({ column }) => column === 0)) return false
  if (below.baseline - top.baseline > tightLeading * top.size) return false
  const isAbove = (piece: Piece): boolean => {
    const over = last.filter((other) => leftOf(other) < rightOf(piece) && rightOf(other) > leftOf(piece))
    return over.length > 0 && over.every(({ column }) => column === piece.column)
  }
  return line.every(isAbove) && !isOverAll(line, last)
}

const areHeads = (line: Row): boolean =>
  line.every(({ words }) => isHeadText(words) && !words.every(isNumberSign))

/** One piece, in the middle of all columns, or of all but the first. */
const isOverAll = ([piece, other]: Row, last: Row): boolean =>
  piece !== undefined &&
  other === undefined &&
  [0, 1].some((from) => {
    const heads = last.filter(({ column }) => column >= from)
    const [left, right] = [Math.min(...heads.map(leftOf)), Math.max(...heads.map(rightOf))]
    return Math.abs(leftOf(piece) + rightOf(piece) - left - right) < 2 * middleMax * piece.size
  })

const leftOf = ({ words }: Piece): number => words[0]?.left ?? 0
const rightOf = ({ words }: Piece): number => words.at(-1)?.right ?? 0
