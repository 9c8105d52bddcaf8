import { firstWhere } from "../firstWhere.ts"
import { cellsOf, median, tightLeading } from "./Cells.ts"
import type { Piece } from "./figures.ts"
import type { PlacedTable } from "./Grid.ts"
import { type Segment, segmentsOf } from "./Lines.ts"
import type { Rule } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Lines that the document writes one after the other, each below the one before it: those of one cell. */
interface Cell {
  readonly lines: Array<Segment>
  left: number
  right: number
  readonly top: number
  bottom: number
}

interface Column {
  left: number
  right: number
}

/** Cells beside one another, each written behind the one at its left. */
interface Row {
  readonly cells: Array<Cell>
  top: number
  bottom: number
}

/** A page that people read has fewer: each line looks at those near to it. */
const rulesMax = 1_500
/** Cells that are looked at: no table may begin with any of their rows, and each is looked for in all columns. */
const looksMax = 100_000
const columnsMin = 3
const columnsMax = 100
const rowsMin = 2
/** Rows whose cells have several lines: tables without any are told by what stands below one another. */
const highRowsMin = 1
/** Shares of the size. */
const gapMin = 0.5
const rowGapMax = 3.2
/** Of the gap between most rows. */
const lastGapMax = 1.25
const indentMax = 2
/** Of the larger of two sizes: code is often smaller than the text around it. */
const lineSizeMin = 0.75
const rowSizeMin = 0.8
const ascent = 0.8
const descent = 0.25
/** Points. */
const sameSide = 2
/** Share of cells that hold something, and of these that hold a word. */
const filledMin = 0.5
const wordedMin = 0.5

/**
 * Tables of texts, whose cells have many lines: a page with few of them looks like one of columns, line by line. The
 * document writes a table cell by cell, from left to right, and row by row, which no columns of a text are. What is drawn
 * between lines parts cells.
 */
export const textTables = (
  words: ReadonlyArray<Word>,
  rules: ReadonlyArray<Rule>,
): ReadonlyArray<PlacedTable> => {
  const heights = rules.length > rulesMax ? [] : rules.toSorted((a, b) => a.at - b.at)
  const rows = rowsIn(cellsIn(linesIn(words), heights), heights)
  const tables: Array<PlacedTable> = []
  let looks = 0
  for (let index = 0; index < rows.length && looks < looksMax; ) {
    if (rows[index]?.cells.length === 1) {
      index++
      continue
    }
    const { columns, end } = columnsFrom(rows, index)
    const own = rows.slice(index, end)
    looks += own.reduce((sum, { cells }) => sum + cells.length, 1)
    const table = tableOf(own, columns)
    if (table !== undefined) tables.push(withRules(table, heights, median(own.map(sizeOf))))
    index = table === undefined ? index + 1 : end
  }
  return tables
}

/** The table as far as the lines that are drawn between its rows and around them, which are those of no other. */
const withRules = (table: PlacedTable, rules: ReadonlyArray<Rule>, size: number): PlacedTable => {
  let { left, right, top, bottom } = table
  const [highest, lowest, room] = [top - ruleMax * size, bottom + ruleMax * size, ruleSideMax * size]
  const first = firstWhere(rules.length, (index) => (rules[index]?.at ?? 0) > highest)
  for (const { at, from, to } of rules.slice(first)) {
    if (at > lowest) break
    if (from < table.left - room || to > table.right + room || to <= table.left || from >= table.right)
      continue
    left = Math.min(left, from)
    right = Math.max(right, to)
    top = Math.min(top, at)
    bottom = Math.max(bottom, at)
  }
  return { ...table, left, right, top, bottom }
}

/** Shares of the size. */
const ruleMax = 1.2
const ruleSideMax = 3

/** The segments, in two where one goes on, behind a gap, exactly where others begin: a cell may come near to the next one. */
const linesIn = (words: ReadonlyArray<Word>): ReadonlyArray<Segment> => {
  const segments = segmentsOf(words)
  const lefts = new Map<number, number>()
  for (const { left } of segments) lefts.set(Math.round(left), (lefts.get(Math.round(left)) ?? 0) + 1)
  const isBegin = (left: number): boolean => (lefts.get(Math.round(left)) ?? 0) >= beginsMin
  return segments.flatMap((segment) => {
    const at = segment.words.findIndex((word, index) => {
      const before = segment.words[index - 1]
      return before !== undefined && word.left - before.right >= gapMin * word.size && isBegin(word.left)
    })
    if (at < 0) return [segment]
    return [segment.words.slice(0, at), segment.words.slice(at)].map((part) => ({
      ...segment,
      words: part,
      left: part[0]?.left ?? segment.left,
      right: part.at(-1)?.right ?? segment.right,
      order: part[0]?.order ?? segment.order,
    }))
  })
}

const beginsMin = 3

const cellsIn = (lines: ReadonlyArray<Segment>, rules: ReadonlyArray<Rule>): ReadonlyArray<Cell> => {
  const cells: Array<Array<Segment>> = []
  for (const line of lines) {
    const last = cells.at(-1)?.at(-1)
    if (last !== undefined && isBelow(last, line) && !isParted(last, line, rules)) cells.at(-1)?.push(line)
    else cells.push([line])
  }
  return cells.map(cellOf)
}

const topOf = ({ baseline, size }: Segment): number => baseline - ascent * size
const bottomOf = ({ baseline, size }: Segment): number => baseline + descent * size

const isBelow = (last: Segment, line: Segment): boolean =>
  line.order === (last.words.at(-1)?.order ?? Number.NaN) + 1 &&
  line.baseline > last.baseline &&
  line.baseline - last.baseline <= tightLeading * line.size &&
  areAlike(line.size, last.size, lineSizeMin) &&
  (Math.abs(line.left - last.left) < indentMax * line.size ||
    Math.abs(line.right - last.right) < sameSide ||
    Math.abs(line.left + line.right - last.left - last.right) < sameSide)

/** A line is drawn between them, below what is drawn below words. `rules`: from top to bottom. */
const isParted = (last: Segment, line: Segment, rules: ReadonlyArray<Rule>): boolean => {
  const first = firstWhere(rules.length, (index) => (rules[index]?.at ?? 0) > bottomOf(last))
  for (
    let index = first;
    (rules[index]?.at ?? Number.POSITIVE_INFINITY) < line.baseline - line.size / 2;
    index++
  ) {
    const { from = 0, to = 0 } = rules[index] ?? {}
    if (from < line.right && to > line.left) return true
  }
  return false
}

const rowsIn = (cells: ReadonlyArray<Cell>, rules: ReadonlyArray<Rule>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const cell of cells) {
    const row = rows.at(-1)
    const last = row?.cells.at(-1)
    const isBeside =
      row !== undefined &&
      last !== undefined &&
      cell.left - last.right >= gapMin * (cell.lines[0]?.size ?? 0) &&
      cell.top < row.bottom &&
      cell.bottom > row.top
    if (row !== undefined && last !== undefined && row.cells.length > 1 && isParagraph(last, cell, rules)) {
      for (const line of cell.lines) last.lines.push(line)
      last.left = Math.min(last.left, cell.left)
      last.right = Math.max(last.right, cell.right)
      last.bottom = cell.bottom
      row.bottom = Math.max(row.bottom, cell.bottom)
    } else if (isBeside) {
      row.cells.push(cell)
      row.top = Math.min(row.top, cell.top)
      row.bottom = Math.max(row.bottom, cell.bottom)
    } else rows.push({ cells: [cell], top: cell.top, bottom: cell.bottom })
  }
  return rows.flatMap(withoutHead)
}

/** The next paragraph of the cell, which is not the first one of its row: after that the document writes the next row. */
const isParagraph = (last: Cell, cell: Cell, rules: ReadonlyArray<Rule>): boolean => {
  const [above, below] = [last.lines.at(-1), cell.lines[0]]
  return (
    above !== undefined &&
    below !== undefined &&
    below.order === (above.words.at(-1)?.order ?? Number.NaN) + 1 &&
    Math.abs(below.left - above.left) < sameSide &&
    below.baseline > above.baseline &&
    below.baseline - above.baseline <= rowGapMax * below.size &&
    areAlike(below.size, above.size, lineSizeMin) &&
    !isParted(above, below, rules)
  )
}

/** The row, in two where it is a head in bold whose last cell seems to go on in the text below. */
const withoutHead = (row: Row): ReadonlyArray<Row> => {
  const last = row.cells.at(-1)
  const heads = row.cells.slice(0, -1)
  const end = last?.lines.findIndex((line) => !isBold(line)) ?? -1
  if (last === undefined || heads.length === 0 || end < 1) return [row]
  if (!heads.every(({ lines }) => lines.every(isBold))) return [row]
  const [head, below] = [cellOf(last.lines.slice(0, end)), cellOf(last.lines.slice(end))]
  return [[...heads, head], [below]].map((cells) => ({
    cells,
    top: topOfAll(cells),
    bottom: bottomOfAll(cells),
  }))
}

const isBold = ({ words }: Segment): boolean => words.every(({ bold }) => bold)

const topOfAll = (cells: ReadonlyArray<Cell>): number =>
  cells.reduce((least, { top }) => Math.min(least, top), Number.POSITIVE_INFINITY)
const bottomOfAll = (cells: ReadonlyArray<Cell>): number =>
  cells.reduce((most, { bottom }) => Math.max(most, bottom), Number.NEGATIVE_INFINITY)

const cellOf = (lines: ReadonlyArray<Segment>): Cell => {
  const [first] = lines
  const last = lines.at(-1)
  return {
    lines: [...lines],
    left: lines.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY),
    right: lines.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
    top: first === undefined ? 0 : topOf(first),
    bottom: last === undefined ? 0 : bottomOf(last),
  }
}

/** The columns of the rows from one on, as far as they keep to them. */
const columnsFrom = (
  rows: ReadonlyArray<Row>,
  begin: number,
): { readonly columns: ReadonlyArray<Column>; readonly end: number } => {
  let columns: ReadonlyArray<Column> = []
  let last: Row | undefined
  let end = begin
  for (; end < rows.length; end++) {
    const row = rows[end]
    if (row === undefined || (last !== undefined && !isNext(last, row))) break
    const widened = columnsWith(columns, row)
    if (widened === undefined) break
    columns = widened
    last = row
  }
  // A text below the table, such as its source or a title, stands further below than rows do, beside their side, or in bold.
  const left = median(rows.slice(begin, end).map(({ cells: [first] }) => first?.left ?? 0))
  const isOutside = ({ cells: [cell, none] }: Row): boolean =>
    cell !== undefined &&
    none === undefined &&
    (cell.lines.every(isBold) || Math.abs(cell.left - left) >= sameSide)
  const gaps = rows.slice(begin + 1, end).map(({ top }, index) => top - (rows[begin + index]?.bottom ?? top))
  const gapMax = lastGapMax * median(gaps)
  for (let last = rows[end - 1]; end > begin && last?.cells.length === 1; last = rows[end - 1]) {
    if ((gaps[end - begin - 2] ?? gapMax) < gapMax && !isOutside(last)) break
    end--
  }
  return { columns, end }
}

const isNext = (last: Row, row: Row): boolean => {
  const size = sizeOf(row)
  return (
    row.top > last.bottom - descent * size &&
    row.top - last.bottom < rowGapMax * size &&
    areAlike(size, sizeOf(last), rowSizeMin)
  )
}

const sizeOf = ({ cells }: Row): number =>
  cells.reduce((most, { lines }) => lines.reduce((own, { size }) => Math.max(own, size), most), 0)

const areAlike = (one: number, other: number, shareMin: number): boolean =>
  Math.min(one, other) >= shareMin * Math.max(one, other)

/** The columns, made wide enough for the cells of the row; undefined where one of these stands in two of them. */
const columnsWith = (columns: ReadonlyArray<Column>, { cells }: Row): ReadonlyArray<Column> | undefined => {
  const widened = columns.map((column) => ({ ...column }))
  const taken = new Set<Column>()
  for (const { left, right } of cells) {
    const touched = widened.filter((column) => left < column.right && right > column.left)
    const [column, other] = touched
    if (other !== undefined || (column !== undefined && taken.has(column))) return undefined
    const own = column ?? { left, right }
    if (column === undefined) widened.push(own)
    if (widened.length > columnsMax) return undefined
    taken.add(own)
    own.left = Math.min(own.left, left)
    own.right = Math.max(own.right, right)
  }
  return widened.sort((a, b) => a.left - b.left)
}

/** How many cells of a column begin, end or have their middle at the same place. */
const alignedIn = (cells: ReadonlyArray<Cell>): number =>
  Math.max(
    ...[
      ({ left }: Cell) => left,
      ({ right }: Cell) => right,
      ({ left, right }: Cell) => (left + right) / 2,
    ].map((placeOf) => {
      const place = median(cells.map(placeOf))
      return cells.filter((cell) => Math.abs(placeOf(cell) - place) < sameSide).length
    }),
  )

/** Share of the cells. */
const alignedMin = 0.8

/** Labels below one another are cells, which the document writes column by column. */
const isOfLabels = ({ lines }: Cell): boolean =>
  lines.filter(({ words }) => words.at(-1)?.text.endsWith(":")).length > 1

/** What stands in a matrix has none. */
const hasWord = ({ lines }: Cell): boolean =>
  lines.some(({ words }) => words.some(({ text }) => /\p{L}{3}|\p{Lo}{2}/u.test(text)))

const tableOf = (rows: ReadonlyArray<Row>, columns: ReadonlyArray<Column>): PlacedTable | undefined => {
  const high = rows.filter(({ cells }) => cells.filter(({ lines }) => lines.length > 1).length > 1)
  if (columns.length < columnsMin || rows.length < rowsMin || high.length < highRowsMin) return undefined
  const cells = rows.flatMap((row) => row.cells)
  if (cells.length < filledMin * rows.length * columns.length) return undefined
  if (!rows.some((row) => row.cells.length === columns.length)) return undefined
  if (cells.filter(hasWord).length < wordedMin * cells.length || cells.some(isOfLabels)) return undefined
  const columnOf = (cell: Cell): number => columns.findIndex(({ right }) => right > cell.left)
  const aligned = [...Map.groupBy(cells, columnOf).values()].map(alignedIn)
  if (aligned.reduce((sum, count) => sum + count, 0) < alignedMin * cells.length) return undefined
  const pieces = rows.map(({ cells }) =>
    cells.flatMap((cell) =>
      cell.lines.map(
        ({ words, baseline, size }): Piece => ({ words: [...words], column: columnOf(cell), baseline, size }),
      ),
    ),
  )
  const edges = columns.slice(1).map(({ left }, index) => (left + (columns[index]?.right ?? left)) / 2)
  const [left, right] = [columns[0]?.left ?? 0, columns.at(-1)?.right ?? 0]
  return {
    left,
    right,
    top: rows[0]?.top ?? 0,
    bottom: rows.at(-1)?.bottom ?? 0,
    sides: [left, ...edges, right],
    cells: cellsOf(pieces, columns.length),
    words: new Set(
      rows.flatMap(({ cells }) => cells.flatMap(({ lines }) => lines.flatMap(({ words }) => words))),
    ),
  }
}
