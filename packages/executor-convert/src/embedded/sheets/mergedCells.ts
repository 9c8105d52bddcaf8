import { repeatedText } from "@atelier/executor/parsing"
import { firstWhere } from "../firstWhere.ts"
import { columnsMax } from "./cellReference.ts"

/** From 0, the last row and column included. */
export interface MergedRange {
  readonly firstRow: number
  readonly firstColumn: number
  readonly lastRow: number
  readonly lastColumn: number
}

/** Cells of a sheet, row by row; a row has its place in the sheet, and where its cells begin and end in the lists. */
interface Cells<Row> {
  readonly columns: ReadonlyArray<number>
  readonly texts: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
}

interface Place {
  readonly index: number
  readonly start: number
  readonly end: number
}

/**
 * The cells with those that repeat what they are merged with, in rows and columns that hold something of their own. Text
 * that is all its row holds, from where the rows beside it begin, is a title or a note: it stands once, and its row
 * `isAcross`. Undefined where they would be more than `cellsMax`. Rows are in their order.
 */
export const withMerged = <Row extends Place>(
  { columns, texts, rows }: Cells<Row>,
  ranges: ReadonlyArray<MergedRange>,
  cellsMax: number,
): Cells<Row> | undefined => {
  const used = new Uint8Array(columnsMax)
  for (const column of columns) used[column] = 1
  const added = new Map<number, Map<number, string>>()
  let visited = columns.length
  const repeat = ({ firstColumn, lastColumn }: MergedRange, index: number, text: string): boolean => {
    visited += lastColumn - firstColumn + 1
    if (visited > cellsMax) return false
    const cells = added.get(index) ?? new Map<number, string>()
    for (let column = firstColumn; column <= lastColumn; column++) {
      if (used[column] === 1) added.set(index, cells.set(column, text))
    }
    return true
  }
  const alone: Array<{ readonly range: MergedRange; readonly index: number; readonly text: string }> = []
  for (const range of ranges) {
    const first = rowAt(rows, range.firstRow)
    const row = rows[first]
    if (row === undefined || row.index !== range.firstRow) continue
    let at = row.start
    while (at < row.end && columns[at] !== range.firstColumn) at++
    visited += at - row.start + 1
    if (visited > cellsMax) return undefined
    const own = at < row.end ? (texts[at] ?? "") : ""
    const text = repeatedText(own)
    if (isOneRow(range) && isTitle(own) && row.end - row.start === 1) {
      alone.push({ range, index: first, text })
      continue
    }
    if (text === "") continue
    for (let index = first; (rows[index]?.index ?? Number.POSITIVE_INFINITY) <= range.lastRow; index++) {
      if (!repeat(range, index, text)) return undefined
    }
  }
  const across = new Set<number>()
  for (const { range, index, text } of alone) {
    const besides = [rows[index - 1], rows[index + 1]].filter((row) => isBeside(row, range.firstRow))
    visited += besides.reduce((sum, row) => sum + (row?.end ?? 0) - (row?.start ?? 0), 0)
    if (visited > cellsMax) return undefined
    const isIndented = besides.some((row) =>
      columns.slice(row?.start, row?.end).some((column) => column < range.firstColumn),
    )
    if (!isIndented && !added.has(index)) across.add(index)
    else if (text !== "" && !repeat(range, index, text)) return undefined
  }
  return added.size + across.size === 0
    ? { columns, texts, rows }
    : withAdded({ columns, texts, rows }, added, across)
}

const isOneRow = ({ firstRow, lastRow, firstColumn, lastColumn }: MergedRange): boolean =>
  firstRow === lastRow && firstColumn < lastColumn

/** A number stands over columns as their head. */
export const isTitle = (text: string): boolean => /\p{L}/u.test(text)

const isBeside = (row: Place | undefined, index: number): boolean =>
  row !== undefined && Math.abs(row.index - index) === 1

const withAdded = <Row extends Place>(
  { columns, texts, rows }: Cells<Row>,
  added: ReadonlyMap<number, ReadonlyMap<number, string>>,
  across: ReadonlySet<number>,
): Cells<Row> => {
  const allColumns: Array<number> = []
  const allTexts: Array<string> = []
  const allRows = rows.map((row, index) => {
    const start = allColumns.length
    const own = new Set<number>()
    for (let at = row.start; at < row.end; at++) {
      allColumns.push(columns[at] ?? 0)
      allTexts.push(texts[at] ?? "")
      if (added.has(index)) own.add(columns[at] ?? 0)
    }
    for (const [column, text] of added.get(index) ?? []) {
      if (own.has(column)) continue
      allColumns.push(column)
      allTexts.push(text)
    }
    return { ...row, start, end: allColumns.length, isAcross: across.has(index) }
  })
  return { columns: allColumns, texts: allTexts, rows: allRows }
}

/** The number of the first row that is not above this one. */
const rowAt = (rows: ReadonlyArray<Place>, index: number): number =>
  firstWhere(rows.length, (at) => (rows[at]?.index ?? 0) >= index)
