import { mainSize, type TableBlock } from "./Blocks.ts"
import { cellsByPlace } from "./cellsByPlace.ts"
import { isNumberSign } from "./figures.ts"
import { joinWords, type Spans } from "./joinWords.ts"
import { repeatedCells, repeatedSpans } from "./mergedCells.ts"
import type { Tag } from "./Tags.ts"
import { linesOfRun } from "./taggedLines.ts"
import { roleOf } from "./tagTypes.ts"
import type { Word } from "./Word.ts"

/** Words of a usual cell; with more, or with a heading or a table in it, the table is a layout. */
const cellWordsMax = 120
/** Words of a usual cell of a table with one column. */
const columnWordsMax = 15
const columnsMax = 100
const rowsMax = 20_000
const cellsMax = 100_000

/** The tag has rows of cells that hold text. */
export const isTabular = (tag: Tag): boolean => {
  const rows = rowsIn(tag)
  return rows !== undefined && !areLayout(rows)
}

/** Cells that hold headings or tables make a layout, but for a small table in one of many cells. */
const areLayout = (rows: ReadonlyArray<Tag>): boolean => {
  const cells = rows.map(cellsOf).flatMap((row) => (areHeads(row) ? [] : row))
  const blocks = cells.map(blocksIn).filter(({ length }) => length > 0)
  return blocks.length * textCellsMin > cells.length || !blocks.flat().every(isSmallTable)
}

/** Nothing but a heading in each cell of a row: the heads of columns, in a style that is called so. */
const areHeads = (cells: ReadonlyArray<Tag>): boolean =>
  cells.length >= headsMin &&
  cells.every(({ children: [only, ...others] }) => {
    return typeof only === "object" && others.length === 0 && roleOf(only.type) === "heading"
  })

const headsMin = 3

/** For each cell with a table in it. */
const textCellsMin = 5
const smallCellsMax = 12

/** What is one row or one column is a box around a text. */
const isSmallTable = (block: Tag): boolean => {
  const rows = (rowsIn(block) ?? []).map(cellsOf)
  const cells = rows.flat()
  return (
    rows.length > 1 &&
    rows.every(({ length }) => length > 1) &&
    cells.length <= smallCellsMax &&
    cells.every((cell) => blocksIn(cell).length === 0)
  )
}

/**
 * The table that a tag is, or undefined where it only lays out what is in it. A text in a cell over all columns, above or
 * below the others, or between them in a table with several, is no row: its cell is told in its place.
 */
export const taggedTable = (
  tag: Tag,
  wordsOf: (content: number) => ReadonlyArray<Word>,
): ReadonlyArray<TableBlock | Tag> | undefined => {
  const rows = rowsIn(tag)
  if (rows === undefined || rows.length === 0 || rows.length > rowsMax || areLayout(rows)) return undefined
  const grid: Array<Array<Cell | undefined>> = rows.map(() => [])
  let count = 0
  for (const [at, row] of rows.entries()) {
    let column = 0
    for (const cell of row.children) {
      if (typeof cell === "number" || !isCell(cell)) continue
      while (grid[at]?.[column] !== undefined) column++
      const words = wordsIn(cell, wordsOf)
      for (let down = 0; down < cell.rows; down++) {
        for (let across = 0; across < cell.columns; across++) {
          if (++count > cellsMax || column + across >= columnsMax) return undefined
          const line = grid[at + down]
          const isWhole = cell.columns === 1 && cell.rows === 1
          if (line !== undefined)
            line[column + across] = { tag: cell, words: down + across === 0 ? words : [], isWhole }
        }
      }
      column += cell.columns
    }
  }
  const texts = textsIn(rows, grid, wordsOf)
  const parts: Array<TableBlock | Tag> = []
  for (let at = 0; at < rows.length; ) {
    const text = texts[at]
    let end = at + 1
    if (text === undefined) {
      while (end < rows.length && texts[end] === undefined) end++
      const block = blockOf(withEmptyCells(asPlaced(grid.slice(at, end))))
      if (block !== undefined) parts.push({ ...block, hasHead: isHead(rows[at]) })
      else if (end - at === rows.length) return undefined
      else for (const row of rows.slice(at, end)) for (const cell of cellsOf(row)) parts.push(cell)
    } else parts.push(text)
    at = end
  }
  return parts
}

/** The cells over all columns that hold a text which is no row, by the index of their row. */
const textsIn = (
  rows: ReadonlyArray<Tag>,
  grid: Grid,
  wordsOf: (content: number) => ReadonlyArray<Word>,
): ReadonlyArray<Tag | undefined> => {
  const width = grid.reduce((most, { length }) => Math.max(most, length), 0)
  // Where it is not told how far a cell reaches, its words are seen to stand below others than the first.
  const second = areaOf(grid.flatMap((row) => row[1]?.words ?? []))?.left ?? Number.POSITIVE_INFINITY
  const found = rows.map((row, at) => {
    const [only, ...others] = cellsOf(row)
    if (only === undefined || others.length > 0 || only.rows > 1) return undefined
    const words = wordsIn(only, wordsOf)
    const isAcross =
      only.columns >= width || (grid[at]?.length === 1 && words.some(({ left }) => left > second))
    return isAcross && words.length > textWordsMin ? only : undefined
  })
  const first = found.indexOf(undefined)
  const last = found.lastIndexOf(undefined)
  if (width < 2 || first < 0) return []
  const isWithin = found.slice(first, last).filter((text) => text !== undefined).length >= textsWithinMin
  return isWithin ? found : found.map((text, at) => (at < first || at > last ? text : undefined))
}

const textWordsMin = 20
const textsWithinMin = 3

interface Cell {
  readonly tag: Tag
  /** Where it begins; none where it goes on. */
  readonly words: ReadonlyArray<Word>
  /** It goes over no other row or column. */
  readonly isWhole: boolean
}

type Grid = ReadonlyArray<ReadonlyArray<Cell | undefined>>

/**
 * Rows with fewer cells than others lack those that are empty, as Chromium writes them: where each of the columns has
 * its words in full rows, the cells of the others stand in the columns that they stand below or above.
 */
const withEmptyCells = (grid: Grid): Grid => {
  const width = grid.reduce((most, { length }) => Math.max(most, length), 0)
  const areas = Array.from({ length: width }, (_, column) =>
    areaOf(grid.flatMap((row) => (row.length === width && row[column]?.isWhole ? row[column].words : []))),
  )
  const isKnown = areas.every((area) => area !== undefined)
  const filled = grid.map((row) => {
    if (row.length >= width) return row
    if (isKnown && row.every((cell) => cell?.isWhole)) return placedIn(row, areas)
    return isKnown || width > movedColumnsMax ? row : movedIn(row, areas)
  })
  const hasSigns = grid.flat().some((cell) => cell !== undefined && isSign(cell.words))
  const isFull = !hasSigns && (isKnown || grid.every(({ length }) => length === width))
  // Columns of nothing but room between others are told for the heads alone.
  const areShort = grid.filter(({ length }) => length <= shortMax * width).length * 2 > grid.length
  const areColumns = isFull || (!hasSigns && !areShort && areApart(filled, width))
  return areColumns ? filled : (byPlace(filled) ?? filled)
}

/** A sign of a currency or a share alone. */
const isSign = ([sign, ...others]: ReadonlyArray<Word>): boolean =>
  sign !== undefined && others.length === 0 && isNumberSign(sign)

/** Of the width that rows with all cells have. */
const shortMax = 0.8

/**
 * The cells of each column stand at the right of all those of the one before, those that begin in one column below one
 * another, and those that begin at one place in one column.
 */
const areApart = (grid: Grid, width: number): boolean => {
  const areas = Array.from({ length: width }, (_, column) =>
    areaOf(grid.flatMap((row) => (row[column]?.isWhole ? row[column].words : []))),
  ).filter((area) => area !== undefined)
  const shared = new Map<number, { left: number; right: number }>()
  const columnAt = new Map<number, number>()
  for (const row of grid) {
    for (const [column, cell] of row.entries()) {
      const area = areaOf(cell?.words ?? [])
      if (area === undefined) continue
      const own = shared.get(column) ?? { ...area }
      own.left = Math.max(own.left, area.left)
      own.right = Math.min(own.right, area.right)
      shared.set(column, own)
      const left = Math.round(area.left)
      if (own.left > own.right || (columnAt.get(left) ?? column) !== column) return false
      columnAt.set(left, column)
    }
  }
  return areas.every(({ left }, index) => left > (areas[index - 1]?.right ?? left - 1))
}

/** The cells in the columns that they stand in; undefined where some go over several rows, or two stand in one column. */
const byPlace = (grid: Grid): Grid | undefined => {
  if (grid.flat().some((cell) => cell !== undefined && cell.tag.rows > 1)) return undefined
  const placed = cellsByPlace(grid.map((row) => row.map((cell) => cell?.words ?? [])))
  return placed?.map((row) => row.map((words) => ({ tag: { ...placedTag }, words, isWhole: true })))
}

const placedTag: Tag = { type: "TD", alt: "", columns: 1, rows: 1, children: [] }

/** The cells in their order, with all those that the row lacks at one place, where the others stand in their columns. */
const movedIn = (row: Grid[number], areas: ReadonlyArray<Area | undefined>): Grid[number] => {
  const missing = Array.from({ length: areas.length - row.length }, () => undefined)
  const farnessOf = (cells: Grid[number]): number =>
    cells.reduce((sum, cell, column) => {
      const [own, area] = [cell?.isWhole ? areaOf(cell.words) : undefined, areas[column]]
      if (own === undefined) return sum
      if (area !== undefined) return sum + Math.max(0, distance(own, area))
      return areas.some((other) => distance(own, other) < 0) ? sum + own.right - own.left : sum
    }, 0)
  if (row.filter((cell) => (cell?.words.length ?? 0) > 0).length < 2) return row
  let best = { cells: row, farness: farnessOf(row) - nearerMin }
  for (const [at, cell] of row.entries()) {
    if (at > 0 && !cell?.isWhole) continue
    const cells = [...row.slice(0, at), ...missing, ...row.slice(at)]
    const farness = farnessOf(cells)
    if (farness < best.farness) best = { cells, farness }
  }
  return best.cells
}

/** With more columns, the places of all cells for each place would be too many. */
const movedColumnsMax = 12
/** Points that cells stand nearer to their columns. */
const nearerMin = 5

/**
 * Rows whose cells stand on the page in another order than they are told, in that of nearly all others: some programs tell
 * what is aligned to the right from the last cell to the first.
 */
const asPlaced = (grid: Grid): Grid => {
  const rows = grid.map((row) => {
    const areas = row.map((cell) => (cell?.isWhole ? areaOf(cell.words) : undefined))
    return areas.slice(1).map((area, at) => sideOf(areas[at], area))
  })
  const rightwards = rows.flat().filter((side) => side > 0).length
  const leftwards = rows.flat().filter((side) => side < 0).length
  const [usual, others] = rightwards > leftwards ? [1, leftwards] : [-1, rightwards]
  if (others === 0 || others * usualMin > rightwards + leftwards) return grid
  return grid.map((row, at) => {
    const sides = rows[at] ?? []
    if (!sides.includes(-usual) || sides.includes(0)) return row
    return row.toSorted((a, b) => usual * sideOf(areaOf(b?.words ?? []), areaOf(a?.words ?? [])))
  })
}

/** As many times more cells are told in the usual order. */
const usualMin = 5

/** 1 where the second stands to the right of the first, -1 to the left, 0 for neither. */
const sideOf = (first: Area | undefined, second: Area | undefined): number => {
  if (first === undefined || second === undefined) return 0
  if (second.left >= first.right) return 1
  return second.right <= first.left ? -1 : 0
}

interface Area {
  readonly left: number
  readonly right: number
}

const areaOf = (words: ReadonlyArray<Word>): Area | undefined =>
  words.length === 0
    ? undefined
    : {
        left: words.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY),
        right: words.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
      }

/** The cells in their order, each in the nearest of the columns that leave room for those after it. */
const placedIn = (
  row: Grid[number],
  areas: ReadonlyArray<Area | undefined>,
): ReadonlyArray<Cell | undefined> => {
  const placed: Array<Cell | undefined> = areas.map(() => undefined)
  let next = 0
  for (const [index, cell] of row.entries()) {
    const last = areas.length - (row.length - index)
    const own = areaOf(cell?.words ?? [])
    let best = next
    for (let column = next; own !== undefined && column <= last; column++) {
      if (distance(own, areas[column]) < distance(own, areas[best])) best = column
    }
    placed[best] = cell
    next = best + 1
  }
  return placed
}

/** Between the two; of two that overlap it is less than zero, and the less the more they do. */
const distance = (a: Area, b: Area | undefined): number =>
  b === undefined ? Number.POSITIVE_INFINITY : Math.max(a.left, b.left) - Math.min(a.right, b.right)

/** The rows; undefined where there is something else. */
const rowsIn = ({ children }: Tag): ReadonlyArray<Tag> | undefined => {
  const rows: Array<Tag> = []
  for (const child of children) {
    // Content of the table itself is what is drawn around its cells.
    if (typeof child === "number") continue
    if (child.type === "TR") rows.push(child)
    else if (isPartOfTable(child.type)) {
      const inside = rowsIn(child)
      if (inside === undefined) return undefined
      for (const row of inside) rows.push(row)
    } else if (child.type !== "Caption") return undefined
  }
  return rows
}

const isPartOfTable = (type: string): boolean => /^T(?:Head|Body|Foot)$/.test(type)

const cellsOf = ({ children }: Tag): ReadonlyArray<Tag> =>
  children.filter((cell): cell is Tag => typeof cell !== "number" && isCell(cell))

const isCell = ({ type }: Tag): boolean => type === "TD" || type === "TH"

const isHead = (row: Tag | undefined): boolean =>
  row?.children.every((cell) => typeof cell !== "number" && cell.type === "TH") === true

/** The headings and tables in a cell, without those inside of them. */
const blocksIn = ({ children }: Tag): ReadonlyArray<Tag> =>
  children.flatMap((child) => {
    if (typeof child === "number") return []
    const role = roleOf(child.type)
    return role === "heading" || role === "table" ? [child] : blocksIn(child)
  })

const wordsIn = ({ children }: Tag, wordsOf: (content: number) => ReadonlyArray<Word>): ReadonlyArray<Word> =>
  children.flatMap((child) => (typeof child === "number" ? wordsOf(child) : wordsIn(child, wordsOf)))

const blockOf = (grid: Grid): TableBlock | undefined => {
  const width = grid.reduce((most, { length }) => Math.max(most, length), 0)
  const isFilled = (cell: Cell | undefined): boolean => (cell?.words.length ?? 0) > 0
  const columns = Array.from({ length: width }, (_, column) => column).filter((column) =>
    grid.some((row) => isFilled(row[column])),
  )
  const kept = grid.map((row) => columns.map((column) => row[column])).filter((row) => row.some(isFilled))
  const filled = kept.flatMap((row) => row.flatMap((cell) => (cell && isFilled(cell) ? [cell.words] : [])))
  const words = filled.reduce((sum, { length }) => sum + length, 0)
  const isColumn = columns.length < 2 && !isColumnWithHead(kept.flat())
  const [rowsMin, wordsMax] = isColumn ? [3, columnWordsMax] : [1, cellWordsMax]
  if (filled.length < Math.max(2, rowsMin) || words > wordsMax * filled.length) return undefined
  const lefts = columns.map((_, column) => areaOf(kept.flatMap((row) => row[column]?.words ?? []))?.left ?? 0)
  const right = areaOf(filled.flat())?.right ?? 0
  return {
    kind: "table",
    sides: [...lefts, right],
    rows: textsOf(kept),
    size: mainSize(filled.flat()),
    isTagged: true,
  }
}

/** The file says which cell is the head, and the others hold text alone. */
const isColumnWithHead = ([head, ...others]: ReadonlyArray<Cell | undefined>): boolean =>
  head?.tag.type === "TH" && others.every((cell) => cell?.tag.type === "TD" && !hasList(cell.tag))

const hasList = ({ children }: Tag): boolean =>
  children.some((child) => typeof child !== "number" && (roleOf(child.type) === "list" || hasList(child)))

/** The texts of cells in rows that are all as long; what is merged is repeated as where lines are drawn around cells. */
const textsOf = (rows: Grid): Array<ReadonlyArray<Spans>> => {
  const columns = rows[0]?.length ?? 0
  const firsts = new Map<Tag, number>()
  const words = new Map<number, ReadonlyArray<Word>>()
  const cells = rows.flat().map((cell, index) => {
    if (cell === undefined) return index
    const first = firsts.get(cell.tag) ?? index
    firsts.set(cell.tag, first)
    if (cell.words.length > 0) words.set(first, cell.words)
    return first
  })
  const repeating = repeatedCells({ columns, cells }, words)
  const texts = new Map([...words].map(([first, own]) => [first, joinWords(linesOfRun(own))]))
  return rows.map((row, at) =>
    row.map((_, column) => {
      const index = at * columns + column
      const first = cells[index] ?? index
      const text = texts.get(first) ?? []
      if (first === index) return text
      return repeating.has(first) ? repeatedSpans(text) : []
    }),
  )
}
