import {
  byReading,
  cellOf,
  cellsOf,
  isByColumn,
  isCellByCell,
  isOfNumbers,
  piecesOf,
  rowsOfCells,
  stretchesOf,
} from "./Cells.ts"
import { withLabelsOver } from "./centredLabels.ts"
import { columnGapMin, framedAt } from "./drawnGrid.ts"
import { areFigures, isFigure, type Piece } from "./figures.ts"
import { filledGridsIn } from "./filledGrids.ts"
import { joinedByCase } from "./joinedByCase.ts"
import { type Spans, textOf } from "./joinWords.ts"
import { isLower } from "./ListMark.ts"
import { repeatedCells, repeatedSpans } from "./mergedCells.ts"
import { nestedIn, type Rules } from "./nestedGrids.ts"
import { pairEdge } from "./pairedColumns.ts"
import { besideHeads, goesOver, numberEdges, textEdges } from "./partedColumns.ts"
import { type Area, places, type Rule, type Ruling } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** A table, where it stands, and the words that are in it. */
export interface PlacedTable extends Area {
  /** Where its columns begin and end, from left to right. */
  readonly sides: ReadonlyArray<number>
  readonly cells: ReadonlyArray<ReadonlyArray<Spans>>
  readonly words: ReadonlySet<Word>
  /** It is no table, but these lines of code. */
  readonly code?: ReadonlyArray<string>
}

const rulesMax = 1_500
/** Words that are looked at for all grids of a page: each looks at all of them. */
const looksMax = 5_000_000
const columnsMax = 100
const cellsMax = 40_000
/** Points. */
const touch = 2.5
const cellSideMin = 4
/** A line that parts two cells goes along at least this share of their side. */
const coveredMin = 0.6
/** Of the words in a grid, more than this share across its lines shows that it is no table. */
const crossedMax = 0.1
/** Words of a usual cell: with more, it is a layout of boxes. */
const cellWordsMax = 120

/** Tables whose cells are parted by lines across and down, or have a colour each. */
export const gridTables = (words: ReadonlyArray<Word>, ruling: Ruling): ReadonlyArray<PlacedTable> => {
  const found = gridsIn(groupsOf(ruling), words)
  const filled = filledGridsIn(ruling.fills, ruling.horizontal).filter(
    (area) => !found.some(({ table }) => areOver(table, area)),
  )
  const inColours = gridsIn(filled, words).filter(
    ({ table }) => !goesOnPast(table, words) && !areLinesOfCells(table),
  )
  const all = [...found, ...inColours]
  return joinedOf(withoutShared(all, words)).filter((table) => !isOfNumbersAlone(table))
}

const groupsOf = ({ horizontal, vertical }: Rules): ReadonlyArray<Rules> => {
  if (horizontal.length < 2 || vertical.length < 2) return []
  return horizontal.length > rulesMax || vertical.length > rulesMax
    ? []
    : connected(horizontal, vertical).flatMap(nestedIn)
}

const areOver = (one: Area, other: Area): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top

/**
 * A line stands as near above or below cells with a colour as their rows do: it is of the same table, as where every
 * other row has one.
 */
const goesOnPast = ({ left, right, top, bottom }: PlacedTable, words: ReadonlyArray<Word>): boolean =>
  words.some(
    (word) =>
      word.left > left &&
      word.right < right &&
      ((word.baseline > bottom && word.baseline - bottom < belowMax * word.size) ||
        (word.baseline < top && top - word.baseline < aboveMax * word.size)),
  )

/** Shares of the size. */
const belowMax = 1.35
const aboveMax = 0.7

/** Most rows are the lines of one cell, each of which has a ground of its own, or room beside the text has. */
const areLinesOfCells = ({ cells }: PlacedTable): boolean =>
  2 * cells.filter((row) => row.filter(({ length }) => length > 0).length < 2).length > cells.length ||
  cells[0]?.some((_, column) => cells.every((row) => row[column]?.length === 0)) === true

const gridsIn = (groups: ReadonlyArray<Rules>, words: ReadonlyArray<Word>): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  let looks = 0
  for (const group of groups) {
    looks += words.length
    if (looks > looksMax) break
    const whole = gridOf(belowBox(group))
    const grid = whole === undefined ? undefined : withGroupsParted(whole, words)
    const table = grid === undefined ? undefined : tableIn(grid, words)
    if (grid === undefined || table === undefined) continue
    if (!isUnseenLayout(table, group) && !areBoxes(table)) found.push({ grid, table })
  }
  return found
}

/** A column of nothing but numbers in boxes: those of the lines of a text beside it, such as the pages of a table of contents. */
const isOfNumbersAlone = ({ sides, words }: PlacedTable): boolean =>
  sides.length === 2 && words.size > 1 && [...words].every(({ text }) => /^\d{1,5}$/.test(text))

/** Tables with the same columns right below one another are one: a thick line between them is drawn as an area. */
const joinedOf = (tables: ReadonlyArray<PlacedTable>): ReadonlyArray<PlacedTable> => {
  const joined: Array<PlacedTable> = []
  for (const table of tables.toSorted((a, b) => a.top - b.top)) {
    const at = joined.findLastIndex(
      ({ bottom, sides }) =>
        Math.abs(table.top - bottom) < joinedGapMax &&
        sides.length === table.sides.length &&
        sides.every((side, index) => Math.abs(side - (table.sides[index] ?? 0)) < joinedGapMax),
    )
    const above = joined[at]
    if (above === undefined) joined.push(table)
    else {
      const cells = [...above.cells, ...table.cells]
      joined[at] = { ...above, bottom: table.bottom, cells, words: new Set([...above.words, ...table.words]) }
    }
  }
  return joined.length === tables.length ? tables : joined
}

/** Points. */
const joinedGapMax = 4

interface Found {
  readonly grid: Grid
  readonly table: PlacedTable
}

/**
 * No word is in two tables: a small one in a cell of another is a part of its text, and a larger one stands behind it.
 * Each is looked at once more at most.
 */
const withoutShared = (
  found: ReadonlyArray<Found>,
  words: ReadonlyArray<Word>,
): ReadonlyArray<PlacedTable> => {
  const own = found.filter(
    ({ table }) => isLarge(table) || !found.some(({ table: outer }) => isInside(table, outer)),
  )
  const taken = new Set<Word>()
  const kept = new Map<Found, PlacedTable>()
  for (const each of own.toSorted((one, other) => one.table.words.size - other.table.words.size)) {
    const isFree = ![...each.table.words].some((word) => taken.has(word))
    const table = isFree
      ? each.table
      : tableIn(
          each.grid,
          words.filter((word) => !taken.has(word)),
        )
    if (table === undefined) continue
    kept.set(each, table)
    for (const word of table.words) taken.add(word)
  }
  return own.flatMap((each) => kept.get(each) ?? [])
}

/** Cells with text of a table that is told in a cell of another. */
const innerCellsMax = 6

const isLarge = ({ cells }: PlacedTable): boolean =>
  cells.flat().filter(({ length }) => length > 0).length > innerCellsMax

const isInside = (inner: Area, outer: Area): boolean =>
  inner !== outer &&
  inner.left >= outer.left &&
  inner.right <= outer.right &&
  inner.top >= outer.top &&
  inner.bottom <= outer.bottom

/** Columns of text in a table without visible borders, as people make them with programs that have no columns. */
const isUnseenLayout = ({ cells }: PlacedTable, { vertical }: Rules): boolean =>
  vertical.every(({ isHidden }) => isHidden === true) &&
  cells.flat().some((cell) => textOf(cell).split(" ").length > unseenWordsMax)

const unseenWordsMax = 40

/** Boxes of text below one another, of which some begin a little further in: no row has two cells, but these are two columns. */
const areBoxes = ({ cells, sides }: PlacedTable): boolean => {
  const [left = 0, inner = 0] = sides
  const filled = cells.map((row) => row.flatMap((cell, column) => (cell.length > 0 ? [column] : [])))
  return (
    sides.length === 3 &&
    inner - left < boxIndentMax &&
    filled.every(({ length }) => length < 2) &&
    new Set(filled.flat()).size > 1
  )
}

/** Points. */
const boxIndentMax = 40

/** Lines that touch one another, directly or over others; a double line is one. */
const connected = (horizontal: ReadonlyArray<Rule>, vertical: ReadonlyArray<Rule>): ReadonlyArray<Rules> => {
  const parent = Array.from({ length: horizontal.length + vertical.length }, (_, index) => index)
  const rootOf = (index: number): number => {
    let at = index
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] ?? at] ?? at
      at = parent[at] ?? at
    }
    return at
  }
  for (const [row, across] of horizontal.entries()) {
    for (const [column, down] of vertical.entries()) {
      const meets =
        down.at >= across.from - touch &&
        down.at <= across.to + touch &&
        across.at >= down.from - touch &&
        across.at <= down.to + touch
      if (meets) parent[rootOf(row)] = rootOf(horizontal.length + column)
    }
  }
  const byHeight = [...horizontal.keys()].sort((a, b) => (horizontal[a]?.at ?? 0) - (horizontal[b]?.at ?? 0))
  for (const [place, index] of byHeight.entries()) {
    const next = byHeight[place + 1]
    if (next !== undefined && areDouble(horizontal[index], horizontal[next], vertical))
      parent[rootOf(index)] = rootOf(next)
  }
  const groups = new Map<number, { horizontal: Array<Rule>; vertical: Array<Rule> }>()
  const groupOf = (index: number) => {
    const root = rootOf(index)
    const group = groups.get(root) ?? { horizontal: [], vertical: [] }
    groups.set(root, group)
    return group
  }
  for (const [index, rule] of horizontal.entries()) groupOf(index).horizontal.push(rule)
  for (const [index, rule] of vertical.entries()) groupOf(horizontal.length + index).vertical.push(rule)
  return [...groups.values()]
}

/** A line between them goes on down behind both at the same place: they are no sides of boxes that stand close together. */
const areDouble = (
  first: Rule | undefined,
  second: Rule | undefined,
  vertical: ReadonlyArray<Rule>,
): boolean => {
  if (first === undefined || second === undefined || second.at - first.at >= doubleMax) return false
  if (Math.abs(second.from - first.from) >= touch || Math.abs(second.to - first.to) >= touch) return false
  const isIn = ({ at }: Rule): boolean => at > first.from + touch && at < first.to - touch
  const above = vertical.filter((rule) => isIn(rule) && Math.abs(rule.to - first.at) < touch)
  const below = vertical.filter((rule) => isIn(rule) && Math.abs(rule.from - second.at) < touch)
  return above.some(({ at }) => below.some((rule) => Math.abs(rule.at - at) < touch))
}

/** Points: what is nearer is one side of cells. */
const doubleMax = 4

/** The lines below a box around a text, such as the title of a page, where the table that begins at its lower side is not as wide. */
const belowBox = (rules: Rules): Rules => {
  const [first, second] = rules.horizontal.toSorted((a, b) => a.at - b.at)
  if (first === undefined || second === undefined || rules.vertical.length < boxSides) return rules
  const isBoxed = ({ at, to }: Rule): boolean =>
    to < second.at + touch && (Math.abs(at - first.from) < touch || Math.abs(at - first.to) < touch)
  const horizontal = rules.horizontal.filter(({ at }) => at > second.at + touch)
  const vertical = rules.vertical.filter(({ from }) => from > second.at - touch)
  const isBox =
    Math.abs(second.from - first.from) < touch &&
    Math.abs(second.to - first.to) < touch &&
    rules.vertical.filter(isBoxed).length === boxSides &&
    vertical.length === rules.vertical.length - boxSides
  const ends = [...horizontal.flatMap(({ from, to }) => [from, to]), ...vertical.map(({ at }) => at)]
  const isWithin = (side: number): boolean => ends.every((end) => Math.abs(end - side) > cellSideMin)
  return isBox && (isWithin(first.from) || isWithin(first.to)) ? { horizontal, vertical } : rules
}

const boxSides = 2

interface Grid {
  /** The sides of its columns and rows, from left to right and from top to bottom. */
  readonly xs: ReadonlyArray<number>
  readonly ys: ReadonlyArray<number>
  /** For each cell, by rows, the number of the first cell that it is merged with. */
  readonly cells: ReadonlyArray<number>
  /** Columns that no line parts from the one before. */
  readonly parted?: ReadonlySet<number>
}

const gridOf = ({ horizontal, vertical }: Rules): Grid | undefined => {
  if (horizontal.length < 2 || vertical.length < 1) return undefined
  const sides = (own: ReadonlyArray<Rule>, others: ReadonlyArray<Rule>): ReadonlyArray<number> =>
    places([...own.map(({ at }) => at), ...outer(own, others)], cellSideMin)
  const xs = sides(vertical, horizontal)
  const ys = sides(horizontal, vertical)
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  if (columns < 1 || rows < 1 || columns > columnsMax || columns * rows > cellsMax) return undefined
  const parent = Array.from({ length: columns * rows }, (_, index) => index)
  const firstOf = (index: number): number => {
    let at = index
    while (parent[at] !== at) at = parent[at] ?? at
    return at
  }
  const merge = (a: number, b: number): void => {
    const [first, second] = [firstOf(a), firstOf(b)]
    parent[Math.max(first, second)] = Math.min(first, second)
  }
  const across = bySide(horizontal, ys)
  const down = bySide(vertical, xs)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cell = row * columns + column
      if (column > 0 && !isCovered(down[column], ys[row], ys[row + 1])) merge(cell - 1, cell)
      if (row > 0 && !isCovered(across[row], xs[column], xs[column + 1])) merge(cell - columns, cell)
    }
  }
  return { xs, ys, cells: parent.map((_, index) => firstOf(index)) }
}

/** Where the other lines end beyond the outermost ones, a table is open at the sides. */
const outer = (own: ReadonlyArray<Rule>, others: ReadonlyArray<Rule>): ReadonlyArray<number> => {
  const least = Math.min(...own.map(({ at }) => at))
  const most = Math.max(...own.map(({ at }) => at))
  const from = Math.min(...others.map((rule) => rule.from))
  const to = Math.max(...others.map((rule) => rule.to))
  return [...(from < least - cellSideMin ? [from] : []), ...(to > most + cellSideMin ? [to] : [])]
}

const bySide = (
  rules: ReadonlyArray<Rule>,
  sides: ReadonlyArray<number>,
): ReadonlyArray<ReadonlyArray<Rule>> =>
  sides.map((side) => rules.filter(({ at }) => Math.abs(at - side) <= cellSideMin))

const isCovered = (rules: ReadonlyArray<Rule> = [], from = 0, to = 0): boolean => {
  const covered = rules.reduce(
    (sum, rule) => sum + Math.max(0, Math.min(to, rule.to) - Math.max(from, rule.from)),
    0,
  )
  return covered >= coveredMin * (to - from)
}

const between = (sides: ReadonlyArray<number>, at: number): number | undefined => {
  if (at < (sides[0] ?? 0) || at > (sides.at(-1) ?? 0)) return undefined
  let low = 0
  let high = sides.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sides[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The grid, parted further where a column holds several numbers in every line, which stand below one another, or where
 * that of a larger table holds as many texts: lines often part groups of columns alone. Text that goes over the columns of
 * its row stays in one cell.
 */
const withGroupsParted = (grid: Grid, words: ReadonlyArray<Word>): Grid => {
  const columns = grid.xs.length - 1
  const inColumns = Array.from({ length: columns }, (): Array<Word> => [])
  const rowOf = (word: Word): number | undefined => between(grid.ys, word.baseline - 0.3 * word.size)
  for (const word of words) {
    const column = between(grid.xs, (word.left + word.right) / 2)
    if (column !== undefined && rowOf(word) !== undefined) inColumns[column]?.push(word)
  }
  const isLarge = columns >= largeColumnsMin && grid.ys.length - 1 >= largeRowsMin
  const edges = inColumns.map((some, column) => {
    const ofNumbers = numberEdges(some, columnsMax)
    if (ofNumbers.length > 0) return besideHeads(ofNumbers, some, rowOf)
    const ofPairs = column === 0 ? [] : pairEdge(byReading(some))
    return ofPairs.length === 0 && isLarge ? textEdges(some, largeRowsMin) : ofPairs
  })
  const byRow = inColumns.map((some, column) =>
    edges[column]?.length === 0 ? new Map<number, Array<Word>>() : Map.groupBy(some, rowOf),
  )
  if (edges.every(({ length }) => length === 0)) return grid
  const xs = grid.xs.flatMap((x, column) => [x, ...(edges[column] ?? [])])
  if (xs.length > columnsMax || xs.length * grid.ys.length > cellsMax) return grid
  const places = grid.xs.map((_, column) => column + edges.slice(0, column).flat().length)
  const merged = new Set(grid.cells.flatMap((first, cell) => (first === cell ? [] : [first, cell])))
  const cells: Array<number> = []
  for (let row = 0; row < grid.ys.length - 1; row++) {
    for (let column = 0; column < columns; column++) {
      const cell = row * columns + column
      const first = grid.cells[cell] ?? cell
      const own = Math.floor(first / columns) * (xs.length - 1) + (places[first % columns] ?? 0)
      const parts = edges[column] ?? []
      cells.push(own)
      if (parts.length === 0) continue
      const inRow = byRow[column]?.get(row) ?? []
      const isWhole = merged.has(cell) || byReading(inRow).some((line) => goesOver(line, parts))
      for (let part = 1; part <= parts.length; part++) cells.push(isWhole ? own : own + part)
    }
  }
  const parted = places.flatMap((place, column) => (edges[column] ?? []).map((_, part) => place + part + 1))
  return { xs, ys: grid.ys, cells, parted: new Set(parted) }
}

const largeColumnsMin = 3
const largeRowsMin = 5

const tableIn = (grid: Grid, words: ReadonlyArray<Word>): PlacedTable | undefined => {
  const { xs, ys, cells } = grid
  const columns = xs.length - 1
  const inCells = new Map<number, Array<Word>>()
  const inside = new Set<Word>()
  let crossed = 0
  for (const word of words) {
    const column = between(xs, (word.left + word.right) / 2)
    const row = between(ys, word.baseline - 0.3 * word.size)
    if (column === undefined || row === undefined) continue
    const cell = cells[row * columns + column] ?? 0
    inside.add(word)
    const inCell = inCells.get(cell)
    if (inCell === undefined) inCells.set(cell, [word])
    else inCell.push(word)
    if (crosses(word, xs, cells, row * columns, column)) crossed++
  }
  const filled = [...inCells.values()]
  const framed = framedAt(cells, columns, inCells, inside.size)
  if (framed !== undefined) {
    return framed === 0
      ? undefined
      : tableIn({ ...grid, ys: ys.slice(0, framed + 1), cells: cells.slice(0, framed * columns) }, words)
  }
  if (filled.length < 2 || crossed > crossedMax * inside.size) return undefined
  if (inside.size > cellWordsMax * filled.length) return undefined
  const inLines = filled.map(byReading)
  if (isFrame(inLines)) return undefined
  const simpler = withoutBoxes(grid, inCells)
  if (simpler !== undefined) return tableIn(simpler, words)
  const table = withoutEmpty(rowsIn({ ...grid, cells: withLabels(grid, inCells) }, inCells))
  if ((table[0]?.length ?? 0) < 2 && (areRowsInColumns(inLines) || !isColumn(table, inside.size)))
    return undefined
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)]
  return { left, right, top, bottom, sides: xs, cells: table, words: inside }
}

/**
 * The grid, with one row for those that no line parts in all columns but one, such as the boxes around remarks, where the
 * others hold many lines; undefined where there are none.
 */
const withoutBoxes = (grid: Grid, words: ReadonlyMap<number, ReadonlyArray<Word>>): Grid | undefined => {
  const { xs, ys, cells } = grid
  const columns = xs.length - 1
  const groups = [...Map.groupBy(cells.keys(), (index) => cells[index] ?? 0)].map(([first, members]) => {
    const taken = new Set(members.map((index) => index % columns))
    return { first, taken, begin: Math.floor(first / columns), rows: members.length / taken.size }
  })
  const removed = new Set<number>()
  for (const own of Map.groupBy(groups, ({ begin, rows }) => `${begin} ${rows}`).values()) {
    const [{ begin, rows } = { begin: 0, rows: 0 }] = own
    const taken = new Set(own.flatMap((group) => [...group.taken]))
    if (rows < 2 || taken.size !== columns - 1) continue
    const high = own
      .map(({ first }) => byReading(words.get(first) ?? []))
      .filter(({ length }) => length >= fullRowsMin)
    if (high.length < fullColumnsMin || !high.some((lines) => lines.flat().every(isFigure))) continue
    for (let row = begin + 1; row < begin + rows; row++) removed.add(row)
  }
  if (removed.size === 0) return undefined
  let place = -1
  const rowPlaces = ys.map((_, row) => (removed.has(row) ? place : ++place))
  return {
    ...grid,
    ys: ys.filter((_, row) => !removed.has(row)),
    cells: cells.flatMap((first, cell) => {
      if (removed.has(Math.floor(cell / columns))) return []
      return [(rowPlaces[Math.floor(first / columns)] ?? 0) * columns + (first % columns)]
    }),
  }
}

/**
 * The cells, without those merged over rows in which each row has a line of its own: labels beside rows that are parted
 * in the other columns alone. Their words are moved to the cells of their rows.
 */
const withLabels = ({ xs, ys, cells }: Grid, words: Map<number, Array<Word>>): ReadonlyArray<number> => {
  const columns = xs.length - 1
  const parted = [...cells]
  const groups = Map.groupBy(cells.keys(), (index) => cells[index] ?? 0)
  for (const [first, members] of groups) {
    const isOneColumn = members.every((index) => index % columns === first % columns)
    if (members.length < labelsMin || !isOneColumn) continue
    const own = words.get(first) ?? []
    const rowOf = (word: Word): number => between(ys, word.baseline - 0.3 * word.size) ?? 0
    const lines = byReading(own)
    const rows = new Set(lines.map(([word]) => (word === undefined ? 0 : rowOf(word))))
    if (rows.size < lines.length || rows.size < labelledMin * members.length) continue
    words.delete(first)
    for (const index of members) parted[index] = index
    for (const [row, some] of Map.groupBy(own, rowOf)) words.set(row * columns + (first % columns), some)
  }
  return parted
}

const labelsMin = 3
/** Share of the rows that have a label. */
const labelledMin = 0.8

type Lines = ReadonlyArray<ReadonlyArray<Word>>

/** Within cells there are columns again, line after line: what is drawn is a frame around a layout. */
const isFrame = (cells: ReadonlyArray<Lines>): boolean => {
  const count = (some: ReadonlyArray<Lines>): number => some.reduce((sum, { length }) => sum + length, 0)
  return count(cells.filter(isLaidOut)) > laidOutMax * count(cells)
}

const isLaidOut = (cell: Lines): boolean => {
  const inColumns = cell.filter((line) => stretchesOf(line, columnGapMin).length > 1)
  return inColumns.length >= linesInColumnsMin && inColumns.length * 3 >= cell.length
}

const linesInColumnsMin = 3
/** With more of the lines in such cells, what is drawn is no table. */
const laidOutMax = 0.3

/** Boxes below one another, most of which hold a row: lines part rows alone, and what stands in columns is seen later. */
const areRowsInColumns = (cells: ReadonlyArray<Lines>): boolean => {
  const rows = cells.filter((lines) => lines.some((line) => stretchesOf(line, columnGapMin).length > 1))
  return rows.length > 0.5 * cells.length
}

/** Boxes below one another are a table of one column, if there are some of them, and each holds a few words. */
const isColumn = (table: ReadonlyArray<ReadonlyArray<Spans>>, words: number): boolean =>
  table.length >= columnRowsMin &&
  table.every(([cell]) => cell !== undefined && cell.length > 0) &&
  words <= columnWordsMax * table.length

const columnRowsMin = 3
const columnWordsMax = 15

/** The word goes over a line that parts two cells. */
const crosses = (
  { left, right }: Word,
  xs: ReadonlyArray<number>,
  cells: ReadonlyArray<number>,
  row: number,
  column: number,
): boolean => {
  const own = cells[row + column]
  const isOther = (at: number): boolean => at >= 0 && at < xs.length - 1 && cells[row + at] !== own
  return (
    (left < (xs[column] ?? 0) - touch && isOther(column - 1)) ||
    (right > (xs[column + 1] ?? 0) + touch && isOther(column + 1))
  )
}

/** The cells that begin in a row, by columns, and the texts that hold for others of it, too. */
interface Row {
  readonly cells: ReadonlyArray<Spans | undefined>
  readonly repeated?: ReadonlyArray<Spans | undefined>
}

/** Rows that no line parts, in all columns, are told by their text. */
const rowsIn = (
  { xs, ys, cells, parted: inGroups = new Set() }: Grid,
  words: ReadonlyMap<number, ReadonlyArray<Word>>,
): ReadonlyArray<Row> => {
  const columns = xs.length - 1
  const repeating = repeatedCells({ columns, cells }, words)
  const repeated = new Map<number, Spans>()
  const edges = xs.slice(1, -1)
  const byColumn = isByColumn(piecesOf([...words.values()].flat(), edges))
  const lower = [...words.values()].filter(([first]) => first !== undefined && isLower(first))
  const beginUpper = lower.length < lowerMax * words.size
  const isParted = isPartedByLines({ xs, ys, cells }, words)
  const rows: Array<Row> = []
  for (let row = 0; row < ys.length - 1; row++) {
    const own = cells.slice(row * columns, (row + 1) * columns)
    const below = cells.slice((row + 1) * columns, (row + 2) * columns)
    const isFirst = (cell: number, column: number): boolean => cell === row * columns + column
    const begins = own.flatMap((cell, column) => (isFirst(cell, column) ? [column] : []))
    // Cells may be merged within the row.
    const isLevel = own.every((cell) => cell >= row * columns && !below.includes(cell))
    const isPlain = begins.length === columns || (isLevel && begins.length >= levelCellsMin)
    const inRow = [...new Set(own)].flatMap((cell) => words.get(cell) ?? [])
    const ownEdges = begins.slice(1).map((column) => xs[column] ?? 0)
    const pieces = piecesOf(inRow, ownEdges)
    const lines = isPlain && columns > 1 ? rowsOfCells(pieces, byColumn || isCellByCell(pieces), true) : []
    const parted = withLabelsOver(beginUpper ? joinedByCase(lines) : lines)
    const isWrapped = isParted && parted.length <= wrappedLinesMax
    const isCounted = begins.length === columns || haveFigures(parted)
    const isRows = isCounted && ((!isWrapped && isTable(parted, begins.length)) || isOfNumbers(parted.flat()))
    if (parted.length > 1 && isRows) {
      for (const each of cellsOf(parted, begins.length)) {
        rows.push({ cells: own.map((_, column) => each[begins.indexOf(column)]) })
      }
    } else {
      const spans = spansIn(own, below, row * columns, inGroups)
      const layersOf = ({ from, to }: Span) =>
        layersIn(words.get(own[from] ?? 0) ?? [], xs.slice(from + 1, to))
      const layered = spans.map((span) => layersOf(span))
      // With more than one layer, the row is as many; what stands beside them is of the first, or of all in a head.
      const most = layered.reduce((sum, layers) => Math.max(sum, layers.length), 1)
      const isHead = row === 0 && most <= headLayersMax
      for (let layer = 0; layer < most; layer++) {
        const placed = new Map(
          spans.flatMap(({ from }, index) =>
            (layered[index]?.[layer] ?? []).map((piece) => [from + piece.column, piece.words] as const),
          ),
        )
        const isLayered = (column: number): boolean =>
          spans.some(({ from, to }, index) => column >= from && column < to && layered[index]?.length !== 0)
        const written = own.map((cell, column) => {
          const inColumn = placed.get(column)
          if (inColumn !== undefined) return cellOf(inColumn)
          if ((layer > 0 && !isHead) || !isFirst(cell, column) || isLayered(column)) return undefined
          const text = cellOf(words.get(cell) ?? [])
          if (text !== undefined && repeating.has(cell)) repeated.set(cell, repeatedSpans(text))
          return layer === 0 || text === undefined ? text : repeatedSpans(text)
        })
        rows.push({
          cells: written,
          ...(layer === 0 && { repeated: own.map((cell) => repeated.get(cell)) }),
        })
      }
    }
  }
  return rows
}

/** A head has few rows. */
const headLayersMax = 3

/** Nearly every row has one line of text in each of its cells: lines part all rows, and what has more was wrapped. */
const isPartedByLines = (
  { xs, ys, cells }: Grid,
  words: ReadonlyMap<number, ReadonlyArray<Word>>,
): boolean => {
  const columns = xs.length - 1
  let single = 0
  let filled = 0
  for (let row = 0; row < ys.length - 1; row++) {
    const own = [...new Set(cells.slice(row * columns, (row + 1) * columns))]
    const ends = (cell: number): boolean =>
      !cells.slice((row + 1) * columns, (row + 2) * columns).includes(cell)
    const inRow = own.filter((cell) => cell >= row * columns && ends(cell) && words.has(cell))
    if (inRow.length === 0) continue
    filled++
    if (inRow.every((cell) => byReading(words.get(cell) ?? []).length === 1)) single++
  }
  return single >= singleRowsMin && single >= singleShareMin * filled
}

const singleRowsMin = 4
const singleShareMin = 0.75
/** With more, a cell holds rows that no line parts. */
const wrappedLinesMax = 3

/** Share of cells that begin in lower case, where that says that a line goes on with the one above. */
const lowerMax = 0.15

interface Span {
  readonly from: number
  /** Of the column after it. */
  readonly to: number
}

/** Cells that are merged over several columns of this row alone. */
const spansIn = (
  own: ReadonlyArray<number>,
  below: ReadonlyArray<number>,
  first: number,
  inGroups: ReadonlySet<number>,
): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (let from = 0; from < own.length; ) {
    let to = from + 1
    while (to < own.length && own[to] === own[from]) to++
    const isGroup = to - from > 1 && inGroups.has(to - 1)
    const isLong = to - from >= spanMin || isGroup
    if (own[from] === first + from && isLong && !below.includes(first + from)) spans.push({ from, to })
    from = to
  }
  return spans
}

const spanMin = 3
const levelCellsMin = 4
const filledInSpanMin = 0.5

/**
 * The lines of a cell that goes over several columns, where one or more of them stand in these columns: a title over a row
 * that no line parts from it. None where all of its text goes over them.
 */
const layersIn = (
  words: ReadonlyArray<Word>,
  edges: ReadonlyArray<number>,
): ReadonlyArray<ReadonlyArray<Piece>> => {
  const layers: Array<ReadonlyArray<Piece>> = []
  let text: Array<Word> = []
  let inColumns = 0
  const endText = (): void => {
    const [first] = text
    if (first !== undefined)
      layers.push([{ words: text, column: 0, baseline: first.baseline, size: first.size }])
    text = []
  }
  for (const line of byReading(words)) {
    const pieces = columnsIn(line, edges)
    if (pieces.length === 0) for (const word of line) text.push(word)
    else {
      endText()
      layers.push(pieces)
      inColumns++
    }
  }
  endText()
  return inColumns > 0 ? layers : []
}

/** What stands in the columns of other rows, where no line parts them in this one: a line of text goes over them. */
const columnsIn = (words: ReadonlyArray<Word>, edges: ReadonlyArray<number>): ReadonlyArray<Piece> => {
  const pieces = piecesOf(words, edges)
  const isAcross = ({ words: some, column }: Piece): boolean =>
    (some.at(-1)?.right ?? 0) > (edges[column] ?? Number.POSITIVE_INFINITY) + touch ||
    (some[0]?.left ?? 0) < (edges[column - 1] ?? Number.NEGATIVE_INFINITY) - touch
  const filled = new Set(pieces.map(({ column }) => column)).size
  const isParted =
    filled === pieces.length &&
    filled >= Math.max(Math.min(spanMin, edges.length + 1), filledInSpanMin * (edges.length + 1)) &&
    !pieces.some(isAcross)
  return isParted ? pieces : []
}

/** Several columns have a number in more than one of the rows. */
const haveFigures = (rows: ReadonlyArray<ReadonlyArray<Piece>>): boolean => {
  const figures = Map.groupBy(rows.flat().filter(areFigures), ({ column }) => column)
  return [...figures.values()].filter(({ length }) => length > 1).length > 1
}

/** Rows within one row of the grid are believed where most of them fill most columns. */
const isTable = (rows: ReadonlyArray<ReadonlyArray<Piece>>, columns: number): boolean => {
  const filled = rows.reduce((sum, row) => sum + new Set(row.map(({ column }) => column)).size, 0)
  if (rows.length === 2 && columns === 2) return filled === 4
  return filled > 0.6 * rows.length * columns || haveFullColumns(rows)
}

/** Nearly all of many rows hold something in the same columns, of which one has figures alone: few have more. */
const haveFullColumns = (rows: ReadonlyArray<ReadonlyArray<Piece>>): boolean => {
  const full = [...Map.groupBy(rows.flat(), ({ column }) => column).values()].filter(
    (pieces) => pieces.length <= rows.length && pieces.length >= fullMin * rows.length,
  )
  return (
    rows.length >= fullRowsMin &&
    full.length >= fullColumnsMin &&
    full.some((pieces) => pieces.every(areFigures))
  )
}

const fullMin = 0.8
const fullRowsMin = 6
const fullColumnsMin = 3

/** Without rows and columns in which no cell begins: lines that stand close together, or rows of a merged cell. */
const withoutEmpty = (table: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Spans>> => {
  const begins = (column: number): boolean => table.some(({ cells }) => cells[column] !== undefined)
  const kept = (table[0]?.cells ?? []).map((_, column) => column).filter(begins)
  return table
    .filter(({ cells }) => cells.some((cell) => cell !== undefined))
    .map(({ cells, repeated }) => kept.map((column) => cells[column] ?? repeated?.[column] ?? []))
}
