import { areFigures, type Piece } from "./figures.ts"
import { isLower } from "./ListMark.ts"
import type { Word } from "./Word.ts"

type Row = ReadonlyArray<Piece>

/** Lines of a label above the one with its values, and rows with values that show how far labels go. */
const linesMax = 4
const rowsMin = 3
/** Shares of the size: of an indent, of a space, of a difference, and the height between two lines of a label. */
const indentMin = 0.4
const space = 0.25
const sameSize = 0.1
const leadingMax = 1.4
/** Of the width of the labels: a line that goes on in lower case is as long. */
const longMin = 0.5
/** Points. */
const sameSide = 1

/**
 * The rows, with labels of several lines as one cell whose values stand beside the last of them: the next line begins in
 * lower case or further in, and its first word had no room in the line above. Rows below the title of a group begin alike.
 */
export const withWrappedLabels = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const lines = rows.map(lineOf)
  const ofValues = lines.flatMap((line) => (line?.hasValues === true ? [line] : []))
  if (ofValues.length < rowsMin || ofValues.length === rows.length) return rows
  const right = ofValues.reduce((most, line) => Math.max(most, line.right), Number.NEGATIVE_INFINITY)
  const joined: Array<Row> = []
  let from = 0
  for (const index of rows.keys()) {
    const [line, next] = [lines[index], lines[index + 1]]
    const isOpen = line?.isAlone === true && next !== undefined && index - from < linesMax
    if (isOpen && isWrapped(line, next, behind(lines, index + 1), right)) continue
    if (line?.hasValues === true && from < index) joined.push(rows.slice(from, index + 1).flat())
    else for (const each of rows.slice(from, index + 1)) joined.push(each)
    from = index + 1
  }
  return joined
}

/** A line in the first column. */
interface Line {
  readonly words: ReadonlyArray<Word>
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  /** Nothing stands beside it, or several cells or what dots lead to, with figures. */
  readonly isAlone: boolean
  readonly hasValues: boolean
}

/** Undefined where nothing of the row, or more than one line, stands in the first column. */
const lineOf = (row: Row): Line | undefined => {
  const [piece, none] = row.filter(({ column }) => column === 0)
  const words = piece?.words.filter(({ text }) => !leader.test(text)) ?? []
  const [first] = words
  if (piece === undefined || none !== undefined || first === undefined) return undefined
  const beside = row.filter(({ column }) => column > 0)
  return {
    words,
    left: first.left,
    right: words.at(-1)?.right ?? first.right,
    baseline: piece.baseline,
    size: piece.size,
    isAlone: beside.length === 0,
    hasValues: (beside.length > 1 || words.length < piece.words.length) && beside.some(areFigures),
  }
}

const leader = /^[.…·]+$/

/** The line in the first column below the row that the label goes on in, which may have several lines itself. */
const behind = (lines: ReadonlyArray<Line | undefined>, index: number): Line | undefined => {
  let at = index
  while (lines[at]?.isAlone === true && at - index < linesMax) at++
  return lines[at + 1]
}

const isWrapped = (line: Line, next: Line, after: Line | undefined, right: number): boolean => {
  const [first] = next.words
  if (first === undefined || line.words.at(-1)?.text.endsWith(":") === true) return false
  const isClose = next.baseline - line.baseline <= leadingMax * next.size
  if (!isClose || Math.abs(next.size - line.size) > sameSize * line.size || isBold(line) !== isBold(next))
    return false
  const isFull = line.right + space * line.size + first.right - first.left > right
  const isFurtherIn = next.left - line.left > indentMin * line.size
  // Others that begin as it does are rows of a group.
  const isAlike = after !== undefined && Math.abs(after.left - next.left) < sameSide
  if (isFurtherIn) return !isAlike && (isFull || (isLower(first) && isLong(line, right)))
  return Math.abs(next.left - line.left) < sameSide && isLower(first) && isFull
}

const isLong = ({ left, right: end }: Line, right: number): boolean => end - left > longMin * (right - left)

const isBold = ({ words }: Line): boolean => words.every(({ bold }) => bold)
