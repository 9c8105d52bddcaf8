import { isCaption } from "./captions.ts"
import type { Row, Segment } from "./Lines.ts"
import type { Word } from "./Word.ts"

/** A form that is not filled in: its rows, where its columns after the first begin, and the index of the page's row after its last. */
export interface BlankForm {
  /** Each the words of its lines. */
  readonly rows: ReadonlyArray<ReadonlyArray<Word>>
  readonly edges: ReadonlyArray<number>
  readonly end: number
}

const headLinesMax = 3
/** Lines of the title of a table. */
const linesAbove = 2
const rowsMin = 3
const rowsMax = 100
/** Points. */
const sameLeft = 2
const indentMin = 4
/** A share of the size. */
const sameSize = 0.03
/** Shares of the size: the least distance between rows, and how far distances may differ. */
const pitchMin = 1.5
const samePitch = 0.2

/**
 * The table whose head has cells beside one another, above rows that have their first cell only: these stand equally
 * far apart, further than lines of a text, end before the second column begins, and are told from the text above them by
 * the title of a table, or by their size and place.
 */
export const blankForm = (rows: ReadonlyArray<Row>, begin: number): BlankForm | undefined => {
  const head = headAt(rows, begin)
  const [first] = head
  const label = rows[begin + head.length]?.segments[0]
  if (
    first === undefined ||
    label === undefined ||
    !isToldApart(rows.slice(Math.max(0, begin - linesAbove), begin), label)
  )
    return undefined
  const beside = first.segments.filter(({ left }) => left > label.left + sameLeft)
  const [second] = beside
  if (second === undefined || (first.segments[0]?.left ?? 0) < label.left - sameLeft) return undefined
  const cells: Array<Array<Word>> = []
  let pitch: number | undefined
  let last: Row | undefined = head.at(-1)
  let end = begin + head.length
  for (
    let row = rows[end];
    row !== undefined && last !== undefined && cells.length <= rowsMax;
    row = rows[++end]
  ) {
    const [cell, none] = row.segments
    if (cell === undefined || none !== undefined || !isLabel(cell, label, second)) break
    const distance = row.baseline - last.baseline
    const above = last.segments[0]?.words.at(-1)?.order ?? Number.NaN
    last = row
    if (distance < pitchMin * row.size) {
      if (cell.words[0]?.order !== above + 1 || cells.length === 0) return undefined
      for (const word of cell.words) cells.at(-1)?.push(word)
      continue
    }
    pitch ??= distance
    if (Math.abs(distance - pitch) > samePitch * row.size) break
    cells.push([...cell.words])
  }
  if (cells.length < rowsMin || cells.length > rowsMax) return undefined
  return {
    rows: [head.flatMap(({ segments }) => segments.flatMap(({ words }) => words)), ...cells],
    edges: beside.map(({ left }) => left - 1),
    end,
  }
}

/** The lines of the head: cells beside one another, close below each other. */
const headAt = (rows: ReadonlyArray<Row>, begin: number): ReadonlyArray<Row> => {
  const lines: Array<Row> = []
  for (const row of rows.slice(begin, begin + headLinesMax)) {
    const last = lines.at(-1)
    const isClose = last === undefined || row.baseline - last.baseline < pitchMin * row.size
    if (row.segments.length < 2 || row.segments.some(({ table }) => table !== undefined) || !isClose) break
    lines.push(row)
  }
  return lines
}

const isLabel = (cell: Segment, label: Segment, second: Segment): boolean =>
  cell.table === undefined &&
  Math.abs(cell.left - label.left) < sameLeft &&
  isAsLarge(cell, second) &&
  cell.right < second.left - cell.size

const isAsLarge = (one: Segment, other: Segment): boolean =>
  Math.abs(one.size - other.size) <= sameSize * other.size

/** The title of a table stands above, or a text of another size that begins further to the left. */
const isToldApart = (above: ReadonlyArray<Row>, label: Segment): boolean => {
  const near = above.map(({ segments }) => segments)
  const [text] = near.at(-1) ?? []
  return (
    near.some((segments) => isCaption(segments.flatMap(({ words }) => words))) ||
    (text !== undefined && !isAsLarge(text, label) && text.left < label.left - indentMin)
  )
}
