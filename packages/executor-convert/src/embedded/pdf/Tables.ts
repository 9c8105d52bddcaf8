import { areAxes } from "./axes.ts"
import { blankForm } from "./blankForm.ts"
import {
  cellsOf,
  edgesOf,
  hasAmount,
  interleavedMax,
  isByColumn,
  isProse,
  piecesOf,
  rowsOfCells,
  tightLeading,
} from "./Cells.ts"
import { headDistanceMax } from "./Columns.ts"
import { isCaption } from "./captions.ts"
import { withCentredLabels } from "./centredLabels.ts"
import { areEquations } from "./equations.ts"
import { isFigure, isNumberSign, signBefore } from "./figures.ts"
import { headInColumns } from "./headInColumns.ts"
import { columnsOf, headRows } from "./headRows.ts"
import { withHeadsJoined } from "./joinedHeads.ts"
import type { Spans } from "./joinWords.ts"
import { areContents, areEntries } from "./Leaders.ts"
import type { Row, Segment } from "./Lines.ts"
import { isSign } from "./ListMark.ts"
import { headsBeside, narrowColumns } from "./narrowColumns.ts"
import { areNumberedTexts } from "./numberedTexts.ts"
import type { Word } from "./Word.ts"

/** The cells of a table by rows and columns, and the index of the page's row after its last. */
export interface Table {
  /** Where its columns begin and end, from left to right. */
  readonly sides: ReadonlyArray<number>
  readonly cells: ReadonlyArray<ReadonlyArray<Spans>>
  readonly end: number
  /** They are the labels of a chart, equations or the entries of a table of contents. */
  readonly isLines: boolean
}

interface Column {
  left: number
  right: number
  /** The row that it stands in, where it is one. */
  only?: Row | undefined
}

const columnsMax = 100
/** Heights from row to row: at most this share of the size, and of the largest height before. */
const leadingMax = 3.2
const leadingGrowthMax = 2.2
/** Share of cells that hold something. */
const filledMin = 0.5
/** Lines of a high cell in the first row, above those that stand beside other cells. */
const leadingLinesMax = 3

/** No table begins within so many tries that found none: each looks at all the rows up to the last that may be of it. */
const triesMax = 50

/** Finds the table that begins with the row at an index, if there is one: text that stands in columns. To be asked from top to bottom. */
export const tablesIn = (rows: ReadonlyArray<Row>): ((begin: number) => Table | undefined) => {
  let failed: ReadonlyArray<number> = []
  const isTried = (begin: number): boolean => {
    failed = failed.filter((seen) => seen > begin)
    return failed.length >= triesMax
  }
  return (begin) => {
    if (isTitleAlone(rows[begin], rows[begin + 1]) || isTried(begin)) return undefined
    const [wide, narrow] = [wideTable(rows, begin), narrowTable(rows, begin)]
    const isOfNarrow =
      narrow.table !== undefined && (narrow.isHeaded === true || holdsAll(narrow.table, wide.table))
    if (!isOfNarrow && wide.table !== undefined && isTitleOfNext(rows, begin, wide.table)) return undefined
    const table = isOfNarrow ? narrow.table : wide.table
    const seen = Math.max(wide.seen, narrow.seen)
    if (table === undefined && seen > begin) failed = [...failed, seen]
    return table
  }
}

/** A table, if there is one, and the index of the row after the last that was looked at. */
interface Found {
  readonly table?: Table | undefined
  readonly seen: number
  /** Heads stand beside its columns, which other ways of looking take for columns of their own. */
  readonly isHeaded?: boolean
}

/** The table whose columns are parted by more room than words. */
const wideTable = (rows: ReadonlyArray<Row>, begin: number): Found => {
  const head = headOf(rows, begin)
  if (head === undefined && !mayBeHead(rows, begin)) return { seen: begin }
  const headed = headedTable(rows, begin)
  const own = head === undefined ? { end: begin, seen: begin, isNarrow: false } : endOf(rows, head)
  const gutter = own.isNarrow ? narrowGutterMin : gutterMin
  const table =
    headed.table ??
    (head === undefined
      ? undefined
      : (tableOf(rows, begin, own.end, undefined, gutter) ??
        belowHead(rows, begin) ??
        blankTable(rows, begin)))
  return { table, seen: Math.max(headed.seen, own.seen) }
}

/** The table whose columns stand no further apart than words do, or whose heads stand beside them. */
const narrowTable = (rows: ReadonlyArray<Row>, begin: number): Found => {
  const body = headedBody(rows, begin)
  if (body.table !== undefined) return body
  const found = narrowColumns(rows, begin, endsTable)
  if (found === undefined) return body
  const { edges, areNarrow, end } = found
  const seen = Math.max(body.seen, found.seen)
  if (edges.length === 0 || !areNarrow) return { seen }
  return { table: tableWith(rows.slice(begin, end), edges, 2, end, true), seen }
}

/** The first line of the table stands by itself above one whose heads stand beside its columns, which goes as far. */
const isTitleOfNext = (rows: ReadonlyArray<Row>, begin: number, { end }: Table): boolean => {
  if (rows[begin]?.segments.length !== 1) return false
  const { table } = headedBody(rows, begin + 1)
  return table !== undefined && table.end >= end
}

/** The table below a row of heads, of which each stands at the left of its numbers. */
const headedBody = (rows: ReadonlyArray<Row>, begin: number): Found => {
  const [head, first] = [rows[begin], rows[begin + 1]]
  if (head === undefined || first === undefined || endsTable(first, head, 0)) return { seen: begin }
  if (first.baseline - head.baseline > headDistanceMax * head.size || areTitles(head, first))
    return { seen: begin }
  const found = narrowColumns(rows, begin + 1, endsTable, false)
  if (found === undefined) return { seen: begin }
  const { edges, columns, areNarrow, end, seen } = found
  const heads = edges.length === 0 ? undefined : headsBeside(head, columns)
  if (heads === undefined || (heads.areOver && !areNarrow)) return { seen }
  const table = tableWith(rows.slice(begin + 1, end), edges, 2, end, true)
  if (table === undefined) return { seen }
  const cells = [...cellsOf([heads.pieces], columns.length), ...table.cells]
  return { table: { ...table, cells, isLines: areLines(cells) }, seen, isHeaded: true }
}

/** The table goes as far as the other one and has as many columns. */
const holdsAll = (table: Table, other: Table | undefined): boolean =>
  other === undefined || (table.end >= other.end && table.sides.length >= other.sides.length)

/** Lines of a head whose cells go over several columns. */
const headLinesMax = 12
const headColumnsMin = 3

/** A line that stands alone above cells may go over their columns. */
const mayBeHead = (rows: ReadonlyArray<Row>, begin: number): boolean => {
  const [row, below] = [rows[begin], rows[begin + 1]]
  return (
    row?.segments.length === 1 && below !== undefined && below.segments.length > 1 && row.size <= below.size
  )
}

/**
 * The table with such a head, if there is one: it begins with the row at the index, above rows that show the columns by
 * themselves. `seen` is the index of the row after the last that was looked at.
 */
const headedTable = (rows: ReadonlyArray<Row>, begin: number): Found => {
  const first = rows[begin]
  let seen = begin
  if (first === undefined) return { seen }
  for (let body = begin + 2; body <= begin + headLinesMax; body++) {
    const [above, row] = [rows[body - 1], rows[body]]
    if (above === undefined || row === undefined || endsTable(row, above, 0)) break
    const next = headOf(rows, body)
    const columns = next === undefined ? 0 : (rows[next]?.segments.length ?? 0)
    if (next === undefined || columns < headColumnsMin || columns <= first.segments.length) continue
    const { end, seen: last } = endOf(rows, next)
    seen = Math.max(seen, last)
    // Its other rows may stand on the next page.
    const table = tableOf(rows, body, end, end === rows.length ? 1 : undefined)
    const edges = table?.sides.slice(1, -1) ?? []
    if (table === undefined) continue
    const [inHead, inBody] = [rows.slice(begin, body), rows.slice(body, table.end)]
    if (goesOnIn(inHead, rows.slice(body, body + leadingLinesMax))) continue
    const head = headRows(inHead.flatMap(wordsOf), columnsOf(inBody.flatMap(wordsOf), edges))
    if (head === undefined) continue
    return { table: { ...table, cells: [...cellsOf(head, edges.length + 1), ...table.cells] }, seen }
  }
  return { seen }
}

/** The table whose heads stand in the first row, further above the others than these from one another, or closer together. */
const belowHead = (rows: ReadonlyArray<Row>, begin: number): Table | undefined => {
  const [head, next] = [rows[begin], rows[begin + 1]]
  if (head === undefined || next === undefined || head.segments.length < headColumnsMin) return undefined
  if (next.segments.length < headColumnsMin || isTitleAlone(next, rows[begin + 2])) return undefined
  if (next.baseline - head.baseline > headDistanceMax * head.size) return undefined
  const { end } = endOf(rows, begin + 1)
  const table = tableOf(rows, begin + 1, end)
  if (table === undefined || table.isLines) return undefined
  const edges = table.sides.slice(1, -1)
  const columns = columnsOf(rows.slice(begin + 1, end).flatMap(wordsOf), edges)
  const cells = headInColumns(head, columns)
  return cells && { ...table, cells: [...cellsOf([cells], columns.length), ...table.cells] }
}

const tableOf = (
  rows: ReadonlyArray<Row>,
  begin: number,
  end: number,
  rowsMin?: number,
  gutter = gutterMin,
): Table | undefined => {
  const inside = rows.slice(begin, end)
  const lines = inside.map(wordsOf)
  const edges = edgesBetween(inside, lines, gutter)
  const columns = edges.length + 1
  const fullRows = inside.filter(({ segments }) => segments.length > 1).length
  // Amounts with their sign apart are a column of a table.
  const least = columns < 3 && !lines.some(hasAmount) ? 3 : (rowsMin ?? 2)
  if (columns < 2 || fullRows < least) return undefined
  return tableWith(inside, edges, least, end, false)
}

/** The table of rows that stand in columns with these places between them, where they make one. */
const tableWith = (
  inside: ReadonlyArray<Row>,
  edges: ReadonlyArray<number>,
  least: number,
  end: number,
  areNarrow: boolean,
): Table | undefined => {
  const lines = inside.map(wordsOf)
  const columns = edges.length + 1
  if (columns < 3 && areItems(inside)) return undefined
  const pieces = piecesOf(lines.flat(), edges, areNarrow)
  // Texts beside one another stand further apart than words, and where they do not, there are no three of them.
  if (!(areNarrow && columns > 2) && isProse(pieces)) return undefined
  const inRows = withHeadsJoined(withCentredLabels(rowsOfCells(pieces, isByColumn(pieces), false)))
  const cells = cellsOf(inRows, columns)
  const filled = cells.flat().filter(({ length }) => length > 0).length
  return cells.length >= Math.min(least, 2) && filled >= filledMin * cells.length * columns
    ? {
        sides: sidesOf(lines.flat(), edges),
        cells,
        end,
        isLines: areLines(cells) || areContents(lines),
      }
    : undefined
}

const areLines = (cells: Table["cells"]): boolean =>
  areAxes(cells) || areEquations(cells) || areEntries(cells) || areNumberedTexts(cells)

/** The places between columns: narrower ones, where several rows show by their amounts that there are more. */
const edgesBetween = (
  rows: ReadonlyArray<Row>,
  lines: ReadonlyArray<ReadonlyArray<Word>>,
  gutter: number,
): ReadonlyArray<number> => {
  const edges = edgesOf(lines, gutter)
  const ofAmounts = rows.filter((row, index) => hasAmount(lines[index] ?? []) && areNumbers(row))
  const most = ofAmounts.map((row) => withSignsOf(row).length).toSorted((a, b) => b - a)[1] ?? 0
  if (edges.length + 1 >= most || gutter <= narrowGutterMin) return edges
  const narrow = edgesOf(lines, narrowGutterMin)
  return narrow.length > edges.length && narrow.length < most ? narrow : edges
}

/** Two or more numbers stand behind the label of the row. */
const areNumbers = ({ segments }: Row): boolean =>
  segments.slice(1).filter(({ words }) => words.every(isFigure) && !words.every(isNumberSign)).length > 1

/** Items with a place or a date at the other side of the column, as in a résumé. */
const areItems = (rows: ReadonlyArray<Row>): boolean => {
  const sides = rows.filter(({ segments }) => segments.length === 2)
  const right = sides.reduce((most, { segments }) => Math.max(most, segments[1]?.right ?? 0), 0)
  const left = sides.reduce((least, { segments }) => Math.min(least, segments[0]?.left ?? least), right)
  const items = sides.filter(({ segments: [item, place] }) => {
    const [mark, first] = [item?.words[0]?.text ?? "", place?.words[0]?.text ?? ""]
    return isSign(mark) && !isSign(first) && /\p{L}/u.test(first) && (item?.left ?? 0) - left < sameLeft
  })
  return items.length > 0 && sides.every(({ segments }) => right - (segments[1]?.right ?? 0) < sameRight)
}

/** Points: numbers and letters end differently. */
const sameRight = 8

const blankTable = (rows: ReadonlyArray<Row>, begin: number): Table | undefined => {
  const form = blankForm(rows, begin)
  if (form === undefined) return undefined
  const { edges, end } = form
  const cells = form.rows.map((words) => piecesOf(words, edges))
  return {
    sides: sidesOf(form.rows.flat(), edges),
    cells: cellsOf(cells, edges.length + 1),
    end,
    isLines: false,
  }
}

const sidesOf = (words: ReadonlyArray<Word>, edges: ReadonlyArray<number>): ReadonlyArray<number> => [
  words.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY),
  ...edges,
  words.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
]

/** Shares of the size: the latter where a label comes near to the values, which begin below one another. */
const gutterMin = 0.8
const narrowGutterMin = 0.5

/** The first row with several columns, which may have lines of one of its cells above it. */
const headOf = (rows: ReadonlyArray<Row>, begin: number): number | undefined => {
  for (let index = begin; index <= begin + leadingLinesMax; index++) {
    const row = rows[index]
    if (row === undefined || row.segments.length > columnsMax || row.segments[0]?.table !== undefined)
      return undefined
    if (index > begin && isTitleOf(rows[index - 1], row)) return undefined
    if (areTitles(row, rows[index + 1])) return undefined
    if (index > begin && !leadsTo(rows[index - 1], rows.slice(index, index + leadingLinesMax)))
      return undefined
    if (row.segments.length > 1 || areBeside(row, rows.slice(index + 1, index + 1 + leadingLinesMax)))
      return rows.slice(begin, index).every((each) => isInColumn(each, row)) ? index : undefined
  }
  return undefined
}

/**
 * The first line of a cell, and beside it that of another, of which one is centred from top to bottom: the document
 * writes the left one to its end, and then the right one.
 */
const areBeside = (row: Row, below: ReadonlyArray<Row>): boolean => {
  const [next] = below
  const [[one], [other, none]] = [row.segments, next?.segments ?? []]
  if (next === undefined || one === undefined || other === undefined || none !== undefined) return false
  if (next.size !== row.size || isBold(next) !== isBold(row)) return false
  if (other.baseline - one.baseline >= interleavedMax * row.size) return false
  const isRight = other.left - one.right > gutterMin * row.size
  if (!isRight && one.left - other.right <= gutterMin * row.size) return false
  const [left, right] = isRight ? [one, other] : [other, one]
  return endOfCell(left, below) + 1 === right.words[0]?.order
}

/** The place of the last word of a cell in the order of the document. */
const endOfCell = (cell: Segment, below: ReadonlyArray<Row>): number => {
  let last = cell
  for (const segment of below.flatMap(({ segments }) => segments)) if (goesOnAt(last, segment)) last = segment
  return last.words.at(-1)?.order ?? Number.NaN
}

/** The line is larger than the row below it, or bold where that is not. */
const isTitleOf = (line: Row | undefined, row: Row): boolean =>
  line !== undefined && (line.size > 1.1 * row.size || (isBold(line) && !isBold(row)))

/** The texts of the row are much larger than those of the next one, and no heads of them: one stands above none. */
const areTitles = ({ segments, size }: Row, next: Row | undefined): boolean =>
  next !== undefined &&
  size > titleSizeMin * next.size &&
  segments.some(({ left, right }) => !next.segments.some((each) => each.left < right && each.right > left))

const titleSizeMin = 1.4

/** The line stands above at most one of the columns. */
const isInColumn = (line: Row, row: Row): boolean => {
  const [segment] = line.segments
  const below = row.segments.filter(
    ({ left, right }) => segment !== undefined && left < segment.right && right > segment.left,
  )
  return below.length < 2
}

/** A cell of the upper rows goes on in the lower ones. */
const goesOnIn = (upper: ReadonlyArray<Row>, lower: ReadonlyArray<Row>): boolean => {
  const next = new Map(
    lower.flatMap(({ segments }) => segments).map((segment) => [segment.words[0]?.order, segment]),
  )
  return upper.some(({ segments }) =>
    segments.some((cell) => {
      const segment = next.get((cell.words.at(-1)?.order ?? Number.NaN) + 1)
      return segment !== undefined && goesOnAt(cell, segment)
    }),
  )
}

/** The segment is the next line of the cell. */
const goesOnAt = (cell: Segment, segment: Segment): boolean =>
  segment.words[0]?.order === (cell.words.at(-1)?.order ?? Number.NaN) + 1 &&
  segment.left < cell.right &&
  segment.right > cell.left &&
  segment.baseline - cell.baseline < tightLeading * cell.size

/** The line goes on in one of the segments of the next lines, as the document is written. */
const leadsTo = (row: Row | undefined, next: ReadonlyArray<Row>): boolean => {
  const [segment, none] = row?.segments ?? []
  if (segment === undefined || none !== undefined) return false
  const below = next
    .flatMap(({ segments }) => segments)
    .find((each) => each.left < segment.right && each.right > segment.left)
  return below !== undefined && goesOnAt(segment, below)
}

/**
 * The index of the row after the last that keeps to the columns, and after the last that was looked at; `isNarrow`: one
 * has no more than a narrow gap between columns.
 */
const endOf = (
  rows: ReadonlyArray<Row>,
  head: number,
): { readonly end: number; readonly seen: number; readonly isNarrow: boolean } => {
  const first = rows[head]
  let columns: ReadonlyArray<Column> =
    first === undefined ? [] : withSignsOf(first).map((column) => ({ ...column, only: first }))
  let last = first
  let leading = 0
  let end = head + 1
  let seen = end
  let isNarrow = false
  for (let index = end; index < rows.length; index++) {
    const whole = rows[index]
    const row = whole && partedAt(whole, columns)
    seen = index + 1
    if (row === undefined || last === undefined || endsTable(row, last, leading)) break
    const isInterleaved = row.baseline - last.baseline < interleavedMax * row.size
    const widened = isGroupTitle(rows, index, columns) ? columns : columnsWith(columns, row, isInterleaved)
    if (widened === undefined) break
    const goesOn =
      row.segments.length === 1 && isTight(row, last) && (end === index || !isFirst(columns, row))
    if (row.segments.length > 1 || isInterleaved || (goesOn && isWrittenOn(rows[index - 1], row, columns)))
      end = index + 1
    if (row !== whole) isNarrow = true
    leading = Math.max(leading, row.baseline - last.baseline)
    columns = widened
    last = row
  }
  return { end, seen, isNarrow }
}

/** The row in two where one of its words begins exactly where a column does, behind the widest gap of the line. */
const partedAt = (row: Row, columns: ReadonlyArray<Column>): Row => {
  const [segment, none] = row.segments
  if (segment === undefined || none !== undefined || segment.table !== undefined) return row
  const { words, size } = segment
  const gapAt = (at: number): number => (words[at]?.left ?? 0) - (words[at - 1]?.right ?? 0)
  let widest = 1
  for (let at = 2; at < words.length; at++) if (gapAt(at) > gapAt(widest)) widest = at
  const begin = words[widest]
  const areAmounts = words.slice(0, widest).every(isFigure)
  const isBegin = columns.some(({ left, only }, index) => {
    if (index === 0 || begin === undefined || Math.abs(left - begin.left) >= exactly) return false
    return only === undefined || areAmounts
  })
  const others = words.flatMap((_, at) => (at > 0 && at !== widest ? [gapAt(at)] : []))
  const isWide = gapAt(widest) > narrowGutterMin * size && others.every((gap) => 1.5 * gap < gapAt(widest))
  if (!isBegin || !isWide) return row
  const [left, right] = [words.slice(0, widest), words.slice(widest)].map((part) => ({
    ...segment,
    words: part,
    left: part[0]?.left ?? segment.left,
    right: part.at(-1)?.right ?? segment.right,
  }))
  return left === undefined || right === undefined ? row : { ...row, segments: [left, right] }
}

/** Points. */
const exactly = 0.5

/**
 * A short line that goes over several columns, as far from the rows above and below it as they are from one another: the
 * title of those below.
 */
const isGroupTitle = (rows: ReadonlyArray<Row>, index: number, columns: ReadonlyArray<Column>): boolean => {
  const [above, row, ...below] = rows.slice(index - 1, index + 1 + groupLinesMax)
  const [title, none] = row?.segments ?? []
  const [first, last] = [columns[0], columns.at(-1)]
  if (above === undefined || row === undefined || title === undefined || none !== undefined) return false
  if (first === undefined || last === undefined || Math.abs(title.left - first.left) > sameLeft) return false
  if (title.right - title.left > groupWidthMax * (last.right - first.left)) return false
  const [next] = below
  const full = below.find(({ segments }) => segments.length > 1)
  if (next === undefined || full === undefined || columnsWith(columns, full, false) === undefined)
    return false
  const [before, after] = [row.baseline - above.baseline, next.baseline - row.baseline]
  return Math.abs(before - after) <= sameRoom * row.size && Math.min(before, after) > row.size
}

/** Points. */
const sameLeft = 2
/** Lines of a cell below the title of a group, up to the first that has others beside it. */
const groupLinesMax = 4
/** Shares of the width of the table, and of the size. */
const groupWidthMax = 0.6
const sameRoom = 0.5

/** The line belongs to the table: it stands in a column but the first, or goes on with the cell above it. */
const isWrittenOn = (above: Row | undefined, row: Row, columns: ReadonlyArray<Column>): boolean => {
  if (!isFirst(columns, row)) return true
  const [segment] = row.segments
  return (
    above !== undefined &&
    above.segments.length > 1 &&
    segment?.words[0]?.order === (above.segments[0]?.words.at(-1)?.order ?? Number.NaN) + 1
  )
}

/** The row is the title of a figure, and none of a list of them. */
const isTitleAlone = (row: Row | undefined, beside: Row | undefined): boolean =>
  row !== undefined && isCaption(wordsOf(row)) && (beside === undefined || !isCaption(wordsOf(beside)))

const wordsOf = ({ segments }: Row): ReadonlyArray<Word> => segments.flatMap(({ words }) => words)

/** The row is too far below the last, or looks like a heading. */
const endsTable = (row: Row, last: Row, leading: number): boolean => {
  if (row.segments[0]?.table !== undefined) return true
  if (isTitleAlone(row, last)) return true
  const below = row.baseline - last.baseline
  if (below > leadingMax * Math.max(row.size, last.size)) return true
  if (leading > 0 && below > leadingGrowthMax * Math.max(leading, row.size)) return true
  if (row.segments.length > 1) return row.segments.length > columnsMax
  return row.size > 1.1 * last.size || (isBold(row) && !isBold(last))
}

const isBold = ({ segments }: Row): boolean => segments.every(({ words }) => words.every(({ bold }) => bold))

const isTight = (row: Row, above: Row): boolean => row.baseline - above.baseline < tightLeading * row.size

const isFirst = (columns: ReadonlyArray<Column>, { segments }: Row): boolean =>
  (segments[0]?.left ?? 0) < (columns[0]?.right ?? 0)

/**
 * The columns that a cell stands below, two of them as one where the one has nothing but its head, in a row in which the
 * other is empty: a head may be centred over a wide column whose cells are written from its left.
 */
const withoutHead = (columns: Array<Column>, touched: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const head = touched.find((column) => touched.every((other) => other === column || isHeadOf(column, other)))
  const kept = touched.find((column) => column !== head)
  if (head === undefined || kept === undefined) return touched
  kept.left = Math.min(kept.left, head.left)
  kept.right = Math.max(kept.right, head.right)
  columns.splice(columns.indexOf(head), 1)
  return [kept]
}

const isHeadOf = ({ only }: Column, other: Column): boolean =>
  only !== undefined && !only.segments.some(({ left, right }) => left < other.right && right > other.left)

/** How far the segments of a row go, a sign of a currency as a part of the number behind it. */
const withSignsOf = ({ segments }: Row): ReadonlyArray<{ readonly left: number; readonly right: number }> =>
  segments.flatMap(({ left, right }, index) => {
    const isSignBefore = (at: number): boolean => {
      const [sign, ...others] = segments[at]?.words ?? []
      const [number] = segments[at + 1]?.words ?? []
      if (sign === undefined || number === undefined || others.length > 0) return false
      return signBefore.test(sign.text) && isFigure(number) && !isNumberSign(number)
    }
    if (isSignBefore(index)) return []
    return [{ left: isSignBefore(index - 1) ? (segments[index - 1]?.left ?? left) : left, right }]
  })

/** The columns with room for the row, or undefined where it does not keep to them. */
const columnsWith = (
  columns: ReadonlyArray<Column>,
  row: Row,
  isInterleaved: boolean,
): ReadonlyArray<Column> | undefined => {
  const widened = columns.map((column) => ({ ...column }))
  const taken = new Set<Column>()
  const margin = 0.3 * row.size
  const segments = withSignsOf(row)
  for (const { left, right } of segments) {
    const touched = widened.filter((each) => left < each.right + margin && right > each.left - margin)
    const [column, next] = touched.length === 2 ? withoutHead(widened, touched) : touched
    if (column === undefined) widened.push({ left, right, only: row })
    // A second one below the first is a sign that what stands above goes across several columns.
    else if (taken.has(column)) return undefined
    else if (next === undefined) {
      taken.add(column)
      column.only = undefined
      column.left = Math.min(column.left, left)
      column.right = Math.max(column.right, right)
    } else if (row.segments.length === 1 && !isFirst(columns, row)) taken.add(column)
    else return undefined
  }
  if ((!isInterleaved && taken.size * 2 < segments.length) || widened.length > columnsMax) return undefined
  return widened.sort((a, b) => a.left - b.left)
}
