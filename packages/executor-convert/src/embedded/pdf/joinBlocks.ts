import type { Block, TableBlock, TextBlock } from "./Blocks.ts"
import { continued, joinSpans, textOf } from "./joinWords.ts"

/** Adds blocks of the next column or page; a text, or a table, that the end of the last one took apart is joined. */
export const addBlocks = (blocks: Array<Block>, next: ReadonlyArray<Block>): void => {
  let isJoining = true
  for (const block of next) {
    const last = blocks.at(-1)
    const joined: Block | undefined = isJoining && last !== undefined ? joinedOf(last, block) : undefined
    if (joined === undefined) blocks.push(block)
    else blocks[blocks.length - 1] = joined
    // Rows may follow one another.
    isJoining = joined?.kind === "table"
  }
}

const joinedOf = (last: Block, first: Block): Block | undefined => {
  if (last.kind === "table" && first.kind === "table" && agree(last, first)) return joinedTable(last, first)
  if (last.kind === "table" && first.kind === "text") return withRow(last, first)
  if (last.kind === "text" && first.kind === "text" && goesOn(last, first)) return joinedText(last, first)
  return undefined
}

const sentenceEnd = /[.!?:;…。！？][\p{Pe}\p{Pf}"']*$/u

/** The text goes on in lower case, in the same type, where the last one ended within a sentence. */
const goesOn = (last: TextBlock, first: TextBlock): boolean =>
  first.item === undefined &&
  last.bold === first.bold &&
  Math.abs(last.size - first.size) < 0.6 &&
  /^[\p{Ll}(]/u.test(first.text) &&
  !sentenceEnd.test(last.text)

const joinedText = (last: TextBlock, first: TextBlock): TextBlock => {
  const spans = continued(last.spans, first.spans)
  return { ...last, spans, text: textOf(spans), lines: last.lines + first.lines }
}

/** Points. */
const sameSide = 12

/** The columns of two tables stand at the same places. */
const agree = (last: TableBlock, first: TableBlock): boolean =>
  last.rows[0]?.length === first.rows[0]?.length &&
  last.sides.length === first.sides.length &&
  last.sides.every((side, index) => Math.abs(side - (first.sides[index] ?? 0)) <= sameSide)

/** A table that goes on, with its head left out where it is repeated; a row that was taken apart is joined. */
const joinedTable = (last: TableBlock, first: TableBlock): TableBlock => {
  const [next, ...more] = first.rows
  const texts = (row: TableBlock["rows"][number]): string => row.map(textOf).join("\n")
  const isHead = next !== undefined && last.rows[0] !== undefined && texts(next) === texts(last.rows[0])
  const rows = isHead ? more : first.rows
  const [begin, ...rest] = rows
  const end = last.rows.at(-1)
  if (begin === undefined || end === undefined || !isRest(begin))
    return { ...last, rows: [...last.rows, ...rows] }
  const whole = end.map((cell, index) => joinSpans(cell, begin[index] ?? []))
  return { ...last, rows: [...last.rows.slice(0, -1), whole, ...rest] }
}

/** The row has no first cell, and what it has goes on in lower case. */
const isRest = (row: TableBlock["rows"][number]): boolean =>
  row[0]?.length === 0 && row.every((cell) => cell.length === 0 || /^\p{Ll}/u.test(textOf(cell)))

/** The table with a row that the end of the page took apart from it: a line with something in several of its columns. */
const withRow = (last: TableBlock, { parts }: TextBlock): TableBlock | undefined => {
  if (parts.length < 2) return undefined
  const row: Array<TableBlock["rows"][number][number]> = (last.rows[0] ?? []).map(() => [])
  for (const { left, right, spans } of parts) {
    const column = last.sides.findIndex((side, index) => index > 0 && side > (left + right) / 2) - 1
    const [begin, end] = [last.sides[column] ?? 0, last.sides[column + 1] ?? 0]
    const isInside = column >= 0 && left > begin - sameSide && right < end + sameSide
    if (!isInside || row[column]?.length !== 0) return undefined
    row[column] = spans
  }
  return { ...last, rows: [...last.rows, row] }
}
