import { type Row, rowsOf, type Segment } from "./Lines.ts"

type Segments = ReadonlyArray<Segment>

const linesMin = 2
const linesMax = 16
/** Of the text below. */
const textLinesMin = 6
/** Of the lines: others are as long as the column is wide. */
const centredMin = 0.6
/** Shares of the size. */
const sameMargin = 2
const marginMin = 1
const gapMin = 1.7
const roomMin = 1
const sameMiddle = 0.5

/**
 * Two columns with what stands centred above each of them apart, such as the authors of a paper beside one another: both
 * end at one height, with room below. Undefined where there is none.
 */
export const withHeads = (
  columns: ReadonlyArray<Segments>,
): { readonly heads: ReadonlyArray<Segments>; readonly rests: ReadonlyArray<Segments> } | undefined => {
  const [left, right, none] = columns.map((segments) => ({
    rows: rowsOf(segments),
    sides: sidesOf(segments),
  }))
  if (left === undefined || right === undefined || none !== undefined) return undefined
  const height = Math.min(headOf(left), headOf(right))
  // The head of one column ends between lines of the other.
  if (![left, right].every((column) => endsAt(column.rows, height))) return undefined
  const at = (isHead: boolean): ReadonlyArray<Segments> =>
    columns.map((segments) => segments.filter(({ baseline }) => baseline <= height === isHead))
  const [heads, rests] = [at(true), at(false)]
  return heads.every((head) => rowsOf(head).length >= linesMin) ? { heads, rests } : undefined
}

interface Sides {
  readonly left: number
  readonly right: number
}

interface Column {
  readonly rows: ReadonlyArray<Row>
  readonly sides: Sides
}

const sidesOf = (segments: Segments): Sides => ({
  left: segments.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY),
  right: segments.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
})

/** The height of the last line of the head that has room below it; less than any where there is none. */
const headOf = ({ rows, sides }: Column): number => {
  let centred = 0
  let height = Number.NEGATIVE_INFINITY
  for (const [index, row] of rows.slice(0, linesMax).entries()) {
    const next = rows[index + 1]
    const margins = marginsOf(row, sides)
    if (next === undefined || margins === undefined || isEntry(row, margins)) break
    if (!isCentred(margins, row.size) && !(isInside(margins, row.size) && sharesMiddle(row, rows[0]))) break
    if (margins.left > marginMin * row.size) centred++
    const isEnd = next.baseline - row.baseline > gapMin * next.size
    const isText = rows.length - index - 1 >= textLinesMin
    if (isEnd && isText && centred >= centredMin * (index + 1)) height = row.baseline
  }
  return height
}

const isCentred = ({ left, right }: Sides, size: number): boolean =>
  Math.abs(left - right) <= sameMargin * size

/** Authors may stand nearer to one another than the middles of the columns do: each of their lines has room at both sides. */
const isInside = ({ left, right }: Sides, size: number): boolean => Math.min(left, right) > roomMin * size

const sharesMiddle = (row: Row, first: Row | undefined): boolean =>
  first !== undefined && Math.abs(middleOf(row) - middleOf(first)) < sameMiddle * row.size

const middleOf = ({ segments }: Row): number => ((segments[0]?.left ?? 0) + (segments.at(-1)?.right ?? 0)) / 2

/** It begins at the side with a number, or ends with one, as an entry of a table of contents does. */
const isEntry = ({ segments, size }: Row, { left }: Sides): boolean => {
  const words = segments.flatMap((segment) => segment.words)
  const isNumbered = left < marginMin * size && /^\d/.test(words[0]?.text ?? "")
  return isNumbered || /^\d+$/.test(words.at(-1)?.text ?? "")
}

const marginsOf = ({ segments }: Row, sides: Sides): Sides | undefined => {
  const [first, second] = segments
  if (first === undefined || second !== undefined || first.table !== undefined) return undefined
  return { left: first.left - sides.left, right: sides.right - first.right }
}

/** No two lines at both sides of the height are those of one text. */
const endsAt = (rows: ReadonlyArray<Row>, height: number): boolean => {
  const below = rows.findIndex(({ baseline }) => baseline > height)
  const [last, next] = [rows[below - 1], rows[below]]
  return last !== undefined && next !== undefined && next.baseline - last.baseline > gapMin * next.size
}
