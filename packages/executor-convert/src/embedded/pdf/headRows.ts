import { byReading, piecesOf, stretchesOf, tightLeading } from "./Cells.ts"
import type { Piece } from "./figures.ts"
import type { Word } from "./Word.ts"

/** Words beside one another, in the columns that they go over, with those that go on in the lines below them. */
interface Block extends Extent {
  /** The first column and the last. */
  readonly from: number
  to: number
  readonly lines: Array<ReadonlyArray<Word>>
}

/** The baselines of the first line and of the last. */
interface Extent {
  readonly top: number
  bottom: number
}

const gapMin = 0.8
/** Points that a cell goes over the places between columns. */
const margin = 1
export const linesMax = 12
/** Every word looks at those beside it, and at the columns. */
const wordsMax = 600
const columnsMax = 100
const levelsMax = 3
/** The share of the columns that have a cell in the first row. */
const coveredMin = 0.7

/** How far to the sides a column goes. */
export interface Column {
  left: number
  right: number
}

/** The columns that lie below what goes from one side to the other. */
export const columnsOver = (
  { left, right }: { readonly left: number; readonly right: number },
  columns: ReadonlyArray<Column>,
): ReadonlyArray<number> =>
  columns.flatMap((column, index) =>
    left < column.right - margin && right > column.left + margin ? [index] : [],
  )

/** The columns that the words of a table without its head stand in; `edges` are the places between them. */
export const columnsOf = (body: ReadonlyArray<Word>, edges: ReadonlyArray<number>): ReadonlyArray<Column> => {
  const columns = [...edges, 0].map((): Column => ({ left: Infinity, right: -Infinity }))
  for (const { column, words } of piecesOf(body, edges)) {
    const sides = columns[column]
    if (sides === undefined) continue
    for (const { left, right } of words) {
      sides.left = Math.min(sides.left, left)
      sides.right = Math.max(sides.right, right)
    }
  }
  return columns
}

/**
 * The rows of a head whose cells go over several columns, above cells of these columns. A cell stands in the first of its
 * columns, and one beside cells of several levels in the first row. Undefined where the words are no such head.
 */
export const headRows = (
  words: ReadonlyArray<Word>,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<ReadonlyArray<Piece>> | undefined => {
  if (words.length > wordsMax || columns.length > columnsMax) return undefined
  const lines = byReading(words)
  if (lines.length < 2 || lines.length > linesMax) return undefined
  const blocks: Array<Block> = []
  for (const line of lines) {
    for (const some of stretchesOf(line, gapMin)) {
      const inside = line.filter(({ left, right }) => left >= some.left && right <= some.right)
      const over = columnsOver(some, columns)
      const nearest = columns.filter(({ right }) => right < some.left + margin).length
      const from = over[0] ?? nearest
      const to = over.at(-1) ?? nearest
      const above = blocks.findLast((block) => goesOn(block, inside, from, to))
      const bottom = inside[0]?.baseline ?? 0
      if (above === undefined) blocks.push({ from, to, lines: [inside], top: bottom, bottom })
      else {
        above.lines.push(inside)
        above.bottom = bottom
      }
    }
  }
  for (const block of blocks) block.to = lastColumnOf(block, blocks, columns)
  const levels = blocks.map(() => 0)
  for (const [index, block] of blocks.entries()) {
    for (const [other, above] of blocks.slice(0, index).entries()) {
      const isBeside = above.to < block.from || above.from > block.to
      if (isBeside) continue
      const isOver = above.to > above.from && above.from <= block.from && above.to >= block.to
      if (!isOver || above.bottom >= block.top) return undefined
      levels[index] = Math.max(levels[index] ?? 0, (levels[other] ?? 0) + 1)
    }
  }
  const count = Math.max(...levels) + 1
  const isBeside = blocks.map(({ from, to }, index) => levels[index] === 0 && from === to)
  const rows = Array.from({ length: count }, (_, level) => {
    const own = blocks.filter((_, index) => levels[index] === level && isBeside[index] !== true)
    return {
      top: Math.min(...own.map(({ top }) => top)),
      bottom: Math.max(...own.map(({ bottom }) => bottom)),
    }
  })
  for (const [index, block] of blocks.entries()) {
    if (isBeside[index] === true) levels[index] = besideLevel(block, rows)
  }
  const spans = blocks.filter(({ from, to }) => to > from)
  const isOverCells = spans.every((span) =>
    blocks.some(({ from, to, top }) => from >= span.from && to <= span.to && top > span.bottom),
  )
  if (spans.length === 0 || !isOverCells || count < 2 || count > levelsMax) return undefined
  // A title goes over all columns by itself.
  const first = blocks.filter((_, index) => levels[index] === 0)
  const covered = first.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  if (first.length < 2 || covered < coveredMin * columns.length) return undefined
  return Array.from({ length: count }, (_, level) =>
    blocks.flatMap(({ from, lines: own }, index) =>
      levels[index] === level
        ? own.map((some) => ({
            words: some,
            column: from,
            baseline: some[0]?.baseline ?? 0,
            size: some[0]?.size ?? 0,
          }))
        : [],
    ),
  )
}

/**
 * The last column of a cell that is written from the left of its columns: as far as cells stand below it, and none
 * beside it.
 */
const lastColumnOf = (block: Block, blocks: ReadonlyArray<Block>, columns: ReadonlyArray<Column>): number => {
  const [first] = block.lines[0] ?? []
  const left = columns[block.from]?.left ?? 0
  if (first === undefined || Math.abs(first.left - left) > sameLeft) return block.to
  const isFree = (column: number): boolean => {
    const near = blocks.filter((other) => other !== block && other.from <= column && other.to >= column)
    return (
      near.some(({ top }) => top > block.bottom) &&
      near.every(({ top, bottom }) => top >= block.bottom + rowsApartMin * first.size || bottom < block.top)
    )
  }
  const above = blocks.filter(
    ({ bottom, from, to }) => bottom < block.top && from <= block.from && to >= block.from,
  )
  const most = above.reduce((least, { to }) => Math.min(least, to), columns.length - 1)
  let to = block.to
  if (isFree(block.from)) while (to < most && isFree(to + 1)) to++
  return to
}

/** Points. */
const sameLeft = 2
/** A share of the size: lines of one cell are closer. */
const rowsApartMin = 1.5

/**
 * The level of what stands beside cells of several levels, with nothing above or below it: the first of those down to
 * the last that it is in the middle of.
 */
const besideLevel = (block: Block, rows: ReadonlyArray<Extent>): number => {
  const bottom = Math.max(...rows.map((row) => row.bottom))
  const middles = rows.map(({ top }) => middleOf({ top, bottom }))
  const distances = middles.map((middle) => Math.abs(middle - middleOf(block)))
  return distances.indexOf(Math.min(...distances))
}

const middleOf = ({ top, bottom }: Extent): number => (top + bottom) / 2

/** The words go on with the last line of the block, as the document writes them, in no other columns. */
const goesOn = (
  { from, to, lines, bottom }: Block,
  [first]: ReadonlyArray<Word>,
  begin: number,
  end: number,
): boolean =>
  first !== undefined &&
  begin >= from &&
  end <= to &&
  first.order === (lines.at(-1)?.at(-1)?.order ?? Number.NaN) + 1 &&
  first.baseline - bottom <= tightLeading * first.size
