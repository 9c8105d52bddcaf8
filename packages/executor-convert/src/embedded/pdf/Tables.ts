import { joinSpans, joinWords, type Spans } from "./joinWords.ts"
import type { Row } from "./Lines.ts"

/** The cells of a table by rows and columns, and the index of the page's row after its last. */
export interface Table {
  readonly cells: ReadonlyArray<ReadonlyArray<Spans>>
  readonly end: number
}

interface Column {
  left: number
  right: number
}

const columnsMax = 100
/** Heights from row to row: at most this share of the size, and of the largest height before. */
const leadingMax = 3.2
const leadingGrowthMax = 2.2
/** Lines of one cell are closer than this share of the size. */
const tightLeading = 1.4
/** Share of cells that hold something. */
const filledMin = 0.5

/** The table that begins with the row at `begin`, if there is one: text that stands in columns. */
export const tableAt = (rows: ReadonlyArray<Row>, begin: number): Table | undefined => {
  const first = rows[begin]
  if (first === undefined || first.segments.length < 2 || first.segments.length > columnsMax) return undefined
  let columns: ReadonlyArray<Column> = first.segments.map(({ left, right }) => ({ left, right }))
  let last = first
  let leading = 0
  let fullRows = 1
  let end = begin + 1
  for (let index = end; index < rows.length; index++) {
    const row = rows[index]
    if (row === undefined || endsTable(row, last, leading)) break
    const widened = columnsWith(columns, row)
    if (widened === undefined) break
    const goesOn = row.segments.length === 1 && end === index && isTight(row, last) && !isFirst(columns, row)
    if (row.segments.length > 1) fullRows++
    if (row.segments.length > 1 || goesOn) end = index + 1
    leading = Math.max(leading, row.baseline - last.baseline)
    columns = widened
    last = row
  }
  if (fullRows < (columns.length < 3 ? 3 : 2)) return undefined
  const cells = cellsOf(rows.slice(begin, end), columns)
  const filled = cells.flat().filter(({ length }) => length > 0).length
  return cells.length > 1 && filled >= filledMin * cells.length * columns.length ? { cells, end } : undefined
}

/** The row is too far below the last, or looks like a heading. */
const endsTable = (row: Row, last: Row, leading: number): boolean => {
  const below = row.baseline - last.baseline
  if (below > leadingMax * Math.max(row.size, last.size)) return true
  if (leading > 0 && below > leadingGrowthMax * leading) return true
  if (row.segments.length > 1) return row.segments.length > columnsMax
  return row.size > 1.1 * last.size || (isBold(row) && !isBold(last))
}

const isBold = ({ segments }: Row): boolean => segments.every(({ words }) => words.every(({ bold }) => bold))

const isTight = (row: Row, above: Row): boolean => row.baseline - above.baseline < tightLeading * row.size

const isFirst = (columns: ReadonlyArray<Column>, { segments }: Row): boolean =>
  (segments[0]?.left ?? 0) < (columns[0]?.right ?? 0)

/** The columns with room for the row, or undefined where it does not keep to them. */
const columnsWith = (columns: ReadonlyArray<Column>, row: Row): ReadonlyArray<Column> | undefined => {
  const widened = columns.map((column) => ({ ...column }))
  const taken = new Set<Column>()
  const margin = 0.3 * row.size
  for (const { left, right } of row.segments) {
    const [column, next] = widened.filter((each) => left < each.right + margin && right > each.left - margin)
    if (column === undefined) widened.push({ left, right })
    // A second one below the first is a sign that what stands above goes across several columns.
    else if (taken.has(column)) return undefined
    else if (next === undefined) {
      taken.add(column)
      column.left = Math.min(column.left, left)
      column.right = Math.max(column.right, right)
    } else if (row.segments.length === 1 && !isFirst(columns, row)) taken.add(column)
    else return undefined
  }
  if (taken.size * 2 < row.segments.length || widened.length > columnsMax) return undefined
  return widened.sort((a, b) => a.left - b.left)
}

const cellsOf = (
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<ReadonlyArray<Spans>> => {
  const lines = rows.map(({ segments }) =>
    columns.map(({ left, right }) =>
      joinWords(segments.filter((segment) => segment.left >= left && segment.left < right)),
    ),
  )
  const wraps = wrappedLines(rows, lines)
  const table: Array<Array<Spans>> = []
  for (const [index, line] of lines.entries()) {
    const above = table.at(-1)
    if (above === undefined || !wraps(index)) table.push(line)
    else {
      for (const [column, cell] of line.entries()) {
        above[column] = joinSpans(above[column] ?? [], cell)
      }
    }
  }
  return table
}

/**
 * Which lines go on with the cells above them: one that fills a single cell, not the first; and where lines
 * stand closer than rows do, leave the first cell empty, and were written cell by cell, all of those.
 */
const wrappedLines = (
  rows: ReadonlyArray<Row>,
  lines: ReadonlyArray<ReadonlyArray<Spans>>,
): ((index: number) => boolean) => {
  const leadings = rows.map((row, index) => row.baseline - (rows[index - 1]?.baseline ?? row.baseline))
  const closest = leadings.reduce(
    (least, each, index) => (index > 0 ? Math.min(least, each) : least),
    Infinity,
  )
  const widest = leadings.reduce((most, each) => Math.max(most, each), 0)
  const isClose = (index: number): boolean => index > 0 && (leadings[index] ?? 0) <= 1.15 * closest
  const goesOn = ({ segments }: Row, [first]: ReadonlyArray<Spans>): boolean =>
    first?.length === 0 &&
    segments.every(({ order }, at) => at === 0 || order !== (segments[at - 1]?.order ?? 0) + 1)
  const closeOnesWrap =
    widest >= 1.3 * closest && rows.every((row, at) => !isClose(at) || goesOn(row, lines[at] ?? []))
  return (index) => {
    const [row, above, line] = [rows[index], rows[index - 1], lines[index]]
    if (row === undefined || above === undefined || line?.[0]?.length !== 0 || !isTight(row, above))
      return false
    return line.filter(({ length }) => length > 0).length === 1 || (closeOnesWrap && isClose(index))
  }
}
