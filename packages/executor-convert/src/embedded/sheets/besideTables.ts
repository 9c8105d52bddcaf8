import { isTitle } from "./mergedCells.ts"

/** Columns from the first to the last, from 0. */
export interface Range {
  readonly first: number
  readonly last: number
}

interface Place {
  readonly index: number
  readonly repeated: number
  readonly start: number
  readonly end: number
}

const rangesMax = 20
const rowsMin = 2
const columnsMin = 2
/** Share of the cells that hold something. */
const filledMin = 0.8
/** Tables that begin, or end, in rows so far apart are none of one table with an empty column. */
const apartMin = 3
/** More rows with nothing but text in the first column are rows of a table. */
export const titleLinesMax = 4

/**
 * The columns of tables that stand side by side in rows that follow one another, with empty columns between them; none
 * where it is one table: each has two rows and columns or more, a full head and few empty cells, and it begins or ends
 * elsewhere than the one beside it, or has the same head.
 */
export const besideTables = (
  columns: ReadonlyArray<number>,
  texts: ReadonlyArray<string>,
  rows: ReadonlyArray<Place>,
): ReadonlyArray<Range> => {
  if (rows.length < rowsMin) return []
  const ranges = rangesOf(columns, rows)
  if (ranges.length < 2 || ranges.length > rangesMax) return []
  const tables = tablesOf(columns, texts, rows, ranges)
  const areApart = tables.slice(1).every((table, at) => tables[at] !== undefined && areOwn(tables[at], table))
  return tables.every(isTable) && areApart ? ranges : []
}

/** The columns that hold something, taken together where no empty one is between them. */
const rangesOf = (columns: ReadonlyArray<number>, rows: ReadonlyArray<Place>): ReadonlyArray<Range> => {
  const used = new Set<number>()
  for (const { start, end } of rows) for (let at = start; at < end; at++) used.add(columns[at] ?? 0)
  const ranges: Array<{ first: number; last: number }> = []
  for (const column of [...used].sort((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range !== undefined && column === range.last + 1) range.last = column
    else ranges.push({ first: column, last: column })
  }
  return ranges
}

/** What stands in a range, but for titles above it. */
interface Content extends Range {
  titles: number
  /** The texts of its first row by their columns, counted from the range's first. */
  head: ReadonlyMap<number, string> | undefined
  begin: number
  end: number
  rows: number
  filled: number
}

const tablesOf = (
  columns: ReadonlyArray<number>,
  texts: ReadonlyArray<string>,
  rows: ReadonlyArray<Place>,
  ranges: ReadonlyArray<Range>,
): ReadonlyArray<Content> => {
  const tables = ranges.map(
    ({ first, last }): Content => ({
      first,
      last,
      titles: 0,
      head: undefined,
      begin: 0,
      end: 0,
      rows: 0,
      filled: 0,
    }),
  )
  const tableOf = new Map(
    tables.flatMap((table) =>
      Array.from({ length: table.last - table.first + 1 }, (_, at) => [table.first + at, table] as const),
    ),
  )
  for (const { index, repeated, start, end } of rows) {
    const counts = new Map<Content, number>()
    for (let at = start; at < end; at++) {
      const table = tableOf.get(columns[at] ?? 0)
      if (table !== undefined) counts.set(table, (counts.get(table) ?? 0) + 1)
    }
    for (const [table, count] of counts) {
      if (table.head === undefined) {
        const head = cellsIn(table, columns, texts, start, end)
        const isLine = count === 1 && isTitle(head.get(0) ?? "")
        if (isLine && table.titles++ < titleLinesMax) continue
        table.head = head
        table.begin = index
      }
      table.end = index + repeated
      table.rows++
      table.filled += count
    }
  }
  return tables
}

const cellsIn = (
  { first, last }: Range,
  columns: ReadonlyArray<number>,
  texts: ReadonlyArray<string>,
  start: number,
  end: number,
): ReadonlyMap<number, string> => {
  const cells = new Map<number, string>()
  for (let at = start; at < end; at++) {
    const column = columns[at] ?? 0
    if (column >= first && column <= last) cells.set(column - first, texts[at] ?? "")
  }
  return cells
}

const isTable = ({ first, last, head, rows, filled }: Content): boolean => {
  const width = last - first + 1
  return rows >= rowsMin && width >= columnsMin && head?.size === width && filled >= filledMin * rows * width
}

/** The tables are two. */
const areOwn = (left: Content, right: Content): boolean =>
  Math.abs(left.begin - right.begin) >= apartMin ||
  Math.abs(left.end - right.end) >= apartMin ||
  (left.head?.size === right.head?.size &&
    [...(left.head ?? [])].every(([column, text]) => isTitle(text) && right.head?.get(column) === text))
