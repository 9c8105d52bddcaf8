import { firstWhere } from "../firstWhere.ts"
import { beginsCell, interleavedMax, median, roomMin, tightLeading } from "./Cells.ts"
import { isFigure, isNumberSign, type Piece, signBefore, signBehind } from "./figures.ts"
import { isEntry, isLeader } from "./Leaders.ts"
import type { Row, Segment } from "./Lines.ts"
import { beginsParagraph, isSign, mayBeMark } from "./ListMark.ts"
import type { Word } from "./Word.ts"

/** Rows that stand in columns, and the places between these. */
export interface NarrowColumns {
  /** None where they are no table. */
  readonly edges: ReadonlyArray<number>
  readonly columns: ReadonlyArray<Column>
  /** Two of the columns, or more, stand no further apart than words. */
  readonly areNarrow: boolean
  /** The index of the row after the last. */
  readonly end: number
  /** The same after the last that was looked at. */
  readonly seen: number
}

/** A line of a cell. */
interface CellLine {
  readonly words: Array<Word>
  readonly left: number
  right: number
}

/** The cells of rows. */
type CellLines = ReadonlyArray<ReadonlyArray<CellLine>>

interface Column {
  readonly left: number
  readonly right: number
  /** The rows that have a cell in it, by their indices. */
  readonly rows: Set<number>
}

const columnsMax = 100
/** Without a row of several cells between them, more lines are none of one cell. */
const waitingMax = 40

/**
 * Rows whose columns stand no further apart than words do, as those of tables without a style in a browser: no space is
 * written between their cells, on a page that writes them between words, and no row has anything across the room between
 * two of them. Undefined where the row at the index begins none. `hasHead`: it may be the head of those below it.
 */
export const narrowColumns = (
  rows: ReadonlyArray<Row>,
  begin: number,
  isEnd: (row: Row, last: Row, leading: number) => boolean,
  hasHead = true,
): NarrowColumns | undefined => {
  const first = rows[begin]
  if (first === undefined || cellLinesOf(first).length < 2 || isOfList(first)) return undefined
  let seen = begin + 1
  let columns = columnsWith([], cellLinesOf(first), begin, first.size)
  if (columns === undefined) return undefined
  let sides = columns
  let [end, fullRows] = [begin + 1, 1]
  let last = first
  let leading = 0
  for (let index = end; index < rows.length && index - end < waitingMax; index++) {
    const row = rows[index]
    seen = index + 1
    if (row === undefined || isEnd(row, last, leading) || isOfList(row)) break
    const cells = cellLinesOf(row)
    const widened = columnsWith(columns, cells, index, row.size)
    if (widened === undefined) break
    const below = row.baseline - last.baseline
    const isInterleaved = below < interleavedMax * row.size
    const isFull = cells.length > 1
    const goesOn = below < tightLeading * row.size && areWrittenOn(cellLinesOf(last), cells)
    if (isFull || isInterleaved) fullRows++
    leading = Math.max(leading, below)
    columns = widened
    if (isFull || isInterleaved || goesOn) [end, sides] = [index + 1, widened]
    last = row
  }
  const inside = rows.slice(begin, end)
  const lines = inside.map(cellLinesOf)
  const edges = sides.slice(1).map(({ left }, index) => ((sides[index]?.right ?? left) + left) / 2)
  const isTable =
    fullRows >= (hasHead ? fullRowsMin : bodyRowsMin) &&
    areColumns(lines, edges, hasHead) &&
    !areClauses(lines) &&
    !areFull(lines)
  return {
    edges: isTable ? edges : [],
    columns: sides,
    areNarrow: isTable && inside.some(isNarrow),
    end,
    seen,
  }
}

/**
 * Each column has lines below one another, most heads stand at one of its sides or over its middle, and the first column
 * is more than the marks of what stands beside it.
 */
const areColumns = (lines: CellLines, edges: ReadonlyArray<number>, hasHead: boolean): boolean => {
  const columnOf = ({ left, right }: CellLine): number =>
    firstWhere(edges.length, (index) => (edges[index] ?? 0) >= (left + right) / 2)
  const heads = hasHead ? (lines[0] ?? []) : []
  const below = hasHead ? lines.slice(1) : lines
  const columns = Map.groupBy(below.flat(), columnOf)
  if (columns.size <= edges.length) return false
  const isFit = ({ left, right }: CellLine, lines: ReadonlyArray<CellLine>): boolean => {
    const side = lines.reduce((least, each) => Math.min(least, each.left), left)
    const end = lines.reduce((most, each) => Math.max(most, each.right), right)
    return [left - side, end - right, (side + end - left - right) / 2].some(
      (distance) => Math.abs(distance) < headMax,
    )
  }
  const fit = heads.filter((head) => isFit(head, columns.get(columnOf(head)) ?? []))
  const marks = new Set(columns.get(0)?.map(({ words }) => words.map(({ text }) => text).join(" ")))
  return (
    fit.length * 2 >= heads.length &&
    marks.size > 1 &&
    [...columns.values()].every((lines) => lines.length > 1 && areAligned(lines))
  )
}

/** Some programs write no space behind the points and commas of a text. */
const areClauses = (lines: CellLines): boolean => {
  const before = lines.flatMap((cells) => cells.slice(0, -1))
  const ended = before.filter(({ words }) => /[.,;:!?]["”’)]?$/.test(words.at(-1)?.text ?? ""))
  return 2 * ended.length >= before.length
}

/**
 * Lines of a text that end below one another and go on in lower case in the next one, as justified ones do. Amounts end so,
 * too.
 */
const areFull = (lines: CellLines): boolean => {
  const right = lines.reduce(
    (most, cells) => Math.max(most, cells.at(-1)?.right ?? most),
    Number.NEGATIVE_INFINITY,
  )
  const going = lines.slice(1).filter((cells, index) => {
    const last = lines[index]?.at(-1)
    return (
      last !== undefined &&
      right - last.right < fullMax &&
      last.words.length > 1 &&
      !last.words.some(hasFigure) &&
      /^\p{Ll}/u.test(cells[0]?.words[0]?.text ?? "")
    )
  })
  return 2 * going.length >= lines.length - 1
}

/** Points. */
const fullMax = 3

/** Most lines begin or have their middles below one another, or end so, as numbers do and the lines of a justified text. */
const areAligned = (lines: ReadonlyArray<CellLine>): boolean => {
  const least = alignedMin * lines.length
  const areAt = (placeOf: (line: CellLine) => number): boolean => {
    const places = lines.map(placeOf)
    const middle = median(places)
    return places.filter((place) => Math.abs(place - middle) < alignedMax).length >= least
  }
  // Lines that are all as wide have their middles so, too.
  const widths = lines.map(({ left, right }) => right - left)
  const widest = widths.reduce((most, width) => Math.max(most, width), 0)
  const areOfWidths = widths.some((width) => widest - width > widthsMin)
  return (
    areAt(({ left }) => left) ||
    (areOfWidths && areAt(({ left, right }) => (left + right) / 2)) ||
    (lines.filter(({ words }) => words.some(hasFigure)).length >= least && areAt(({ right }) => right))
  )
}

/** Dates and amounts have figures, too. */
const hasFigure = (word: Word): boolean => /\d/.test(word.text) || isFigure(word)

/** Points, and a share of the lines. */
const headMax = 1.5
const alignedMax = 0.75
const widthsMin = 3
const alignedMin = 0.7
const fullRowsMin = 3
const bodyRowsMin = 2

/** What is asked of a row each time that a table may go over it, computed once. */
const once = <A>(compute: (row: Row) => A): ((row: Row) => A) => {
  const known = new WeakMap<Row, { readonly value: A }>()
  return (row) => {
    const found = known.get(row) ?? { value: compute(row) }
    known.set(row, found)
    return found.value
  }
}

/** An item, a numbered paragraph, or an entry of a table of contents or an index. */
const isOfList = once(({ segments }): boolean => {
  const words = segments.flatMap((segment) => segment.words)
  if (isSign(words[0]?.text ?? "") || beginsParagraph(words) || isEntry(words)) return true
  return words.some(({ text }) => isLeader(text))
})

/** The document writes them right behind cells of the row above: their next lines. */
const areWrittenOn = (above: ReadonlyArray<CellLine>, cells: ReadonlyArray<CellLine>): boolean =>
  cells.every(({ words: [first] }) =>
    above.some(({ words }) => (words.at(-1)?.order ?? Number.NaN) + 1 === first?.order),
  )

/** A part of the row that is no cell of its own by the room beside it is one as no space is written before it. */
const isNarrow = ({ segments }: Row): boolean => segments.some((segment) => partsOf(segment).length > 1)

/** A sign of a currency, a share or a loss is a part of the number beside it, however far away it stands. */
const cellLinesOf = once(({ segments }): ReadonlyArray<CellLine> => {
  const cells: Array<CellLine> = []
  const endsInSign = signBefore.test(segments.at(-1)?.words.at(-1)?.text ?? "")
  for (const part of segments.flatMap(partsOf)) {
    const last = cells.at(-1)
    const [first] = part.words
    const isBehind = areAll(part, signBehind) || (endsInSign && areAll(part, signBefore))
    const isOfLast =
      last !== undefined &&
      first !== undefined &&
      (isBehind || (areAll(last, signBefore) && isFigure(first) && !isNumberSign(first)))
    if (isOfLast) {
      for (const word of part.words) last.words.push(word)
      last.right = part.right
    } else cells.push(part)
  }
  return cells
})

const areAll = ({ words }: CellLine, sign: RegExp): boolean => words.every(({ text }) => sign.test(text))

const partsOf = ({ words }: Segment): ReadonlyArray<CellLine> => {
  const parts: Array<CellLine> = []
  let before: Word | undefined
  for (const word of words) {
    const part = parts.at(-1)
    const isBehindMark = before !== undefined && before === words[0] && isMark(before)
    if (part === undefined || before === undefined || (beginsCell(word, before) && !isBehindMark))
      parts.push({ words: [word], left: word.left, right: word.right })
    else {
      part.words.push(word)
      part.right = Math.max(part.right, word.right)
    }
    before = word
  }
  return parts
}

const isMark = ({ text }: Word): boolean => isSign(text) || mayBeMark(text)

/**
 * The columns with the cells of a row, or undefined where one goes over several of them. Those that no row has cells in
 * side by side are one: a head may be centred over a wide column that has short cells.
 */
const columnsWith = (
  columns: ReadonlyArray<Column>,
  cells: ReadonlyArray<CellLine>,
  row: number,
  size: number,
): ReadonlyArray<Column> | undefined => {
  if (cells.length > columnsMax || columns.length > columnsMax) return undefined
  const room = roomMin * size
  let found = columns
  for (const cell of cells) {
    const touched = found.filter((each) => cell.left < each.right + room && cell.right > each.left - room)
    const rows = rowsOf(touched)
    if (rows === undefined || rows.has(row)) return undefined
    rows.add(row)
    const [one, another] = touched
    if (one !== undefined && another === undefined && one.left <= cell.left && one.right >= cell.right)
      continue
    const column = {
      left: touched.reduce((least, { left }) => Math.min(least, left), cell.left),
      right: touched.reduce((most, { right }) => Math.max(most, right), cell.right),
      rows,
    }
    found = [...found.filter((each) => !touched.includes(each)), column]
  }
  return found === columns ? columns : found.toSorted((a, b) => a.left - b.left)
}

/** The rows of several columns, or undefined where one has cells in two of them. */
const rowsOf = (columns: ReadonlyArray<Column>): Set<number> | undefined => {
  const [first, ...others] = columns.map(({ rows }) => rows)
  const rows = first ?? new Set<number>()
  for (const row of others.flatMap((other) => [...other])) {
    if (rows.has(row)) return undefined
    rows.add(row)
  }
  return rows
}

/**
 * A row of heads, one for each column, which may stand beside all that is in it, as those of numbers do in a spreadsheet:
 * each stands behind the column before, and begins before the end of its own, or ends before the next one. Undefined
 * where the row is none.
 */
export const headsBeside = (
  row: Row,
  columns: ReadonlyArray<Pick<Column, "left" | "right">>,
): Heads | undefined => {
  const cells = cellLinesOf(row)
  if (cells.length !== columns.length) return undefined
  const areHeads = cells.every(({ left, right, words }, index) => {
    const before = columns[index - 1]?.right ?? Number.NEGATIVE_INFINITY
    const next = columns[index + 1]?.left ?? Number.POSITIVE_INFINITY
    const isOfColumn = left > before && (left < (columns[index]?.right ?? left) || right < next)
    return isOfColumn && !words.every(isFigure)
  })
  if (!areHeads) return undefined
  return {
    pieces: cells.map(({ words }, column) => ({ words, column, baseline: row.baseline, size: row.size })),
    areOver: cells.every(({ left, right }, index) => {
      const column = columns[index]
      return column !== undefined && left < column.right && right > column.left
    }),
  }
}

export interface Heads {
  readonly pieces: ReadonlyArray<Piece>
  /** All of them stand over some of their columns. */
  readonly areOver: boolean
}
