import { repeatedCharactersMax } from "@atelier/executor/parsing"
import { byReading, gapSize, piecesOf, stretchesOf, tightLeading } from "./Cells.ts"
import type { Piece } from "./figures.ts"
import type { Rule } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Words beside one another, in the columns that they go over, with those that go on in the lines below them. */
interface Block extends Extent {
  /** The first column and the last. */
  from: number
  to: number
  readonly lines: Array<ReadonlyArray<Word>>
  /** A line below it shows how far it reaches. */
  isLined?: boolean
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

/**
 * The columns that the words of a table without its head stand in; `edges` are the places between them. What goes on over
 * several of them tells of none that has other words.
 */
export const columnsOf = (body: ReadonlyArray<Word>, edges: ReadonlyArray<number>): ReadonlyArray<Column> => {
  const pieces = piecesOf(body, edges)
  const own = sidesOf(
    pieces.filter(({ column, words }) => !goesBeyond(words, edges[column])),
    edges,
  )
  return own.every(({ left, right }) => left < right) ? own : sidesOf(pieces, edges)
}

const goesBeyond = (words: ReadonlyArray<Word>, edge = Number.POSITIVE_INFINITY): boolean =>
  (words.at(-1)?.right ?? 0) > edge + margin

const sidesOf = (pieces: ReadonlyArray<Piece>, edges: ReadonlyArray<number>): ReadonlyArray<Column> => {
  const columns = [...edges, 0].map((): Column => ({ left: Infinity, right: -Infinity }))
  for (const { column, words } of pieces) {
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
 * The rows of a head whose cells go over several columns, above cells of these columns; `rules` are lines that may stand
 * below such a cell. A cell stands in each of its columns, or, where it is not certain for all of them how far they reach,
 * or it is no short text, in the first; one beside cells of several levels stands in the first row. Undefined where the
 * words are no such head.
 */
export const headRows = (
  words: ReadonlyArray<Word>,
  columns: ReadonlyArray<Column>,
  rules: ReadonlyArray<Rule> = [],
): ReadonlyArray<ReadonlyArray<Piece>> | undefined => {
  if (words.length > wordsMax || columns.length > columnsMax) return undefined
  const lines = byReading(words)
  if (lines.length < 2 || lines.length > linesMax) return undefined
  const blocks: Array<Block> = []
  for (const line of lines) {
    const stretches = stretchesOf(line, gapMin).map((some) =>
      line.filter(({ left, right }) => left >= some.left && right <= some.right),
    )
    for (const inside of stretches.flatMap((stretch) => partedByColumns(stretch, columns))) {
      const some = { left: inside[0]?.left ?? 0, right: inside.at(-1)?.right ?? 0 }
      const over = columnsOver(some, columns)
      const nearest = columns.filter(({ right }) => right < some.left + margin).length
      const from = over[0] ?? nearest
      const to = over.at(-1) ?? nearest
      const above = blocks.findLast(
        (block) => goesOn(block, inside, from, to) && !isRuledOff(block, inside, rules),
      )
      const bottom = inside[0]?.baseline ?? 0
      if (above === undefined) blocks.push({ from, to, lines: [inside], top: bottom, bottom })
      else {
        above.lines.push(inside)
        above.bottom = bottom
      }
    }
  }
  for (const block of blocks) {
    const lined = columnsAbove(block, blocks, columns, rules)
    if (lined !== undefined) {
      block.from = lined.from
      block.to = lined.to
      block.isLined = true
      continue
    }
    block.to = lastColumnOf(block, blocks, columns)
    const middle = columnsAround(block, blocks, columns)
    block.from = middle.from
    block.to = middle.to
  }
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
  // Lines below the cells say which columns they go over.
  const areLined = first.every(({ isLined = false }) => isLined) && covered < columns.length
  if (!areLined && (first.length < 2 || covered < coveredMin * columns.length)) return undefined
  const areKnown = spans.every((span) => span.isLined === true || isKnown(span, blocks, columns))
  return Array.from({ length: count }, (_, level) =>
    blocks.flatMap(({ from, to, lines: own }, index) =>
      levels[index] === level
        ? columns.slice(from, areKnown && isShort(own) ? to + 1 : from + 1).flatMap((_, over) =>
            own.map((some) => ({
              words: some,
              column: from + over,
              baseline: some[0]?.baseline ?? 0,
              size: some[0]?.size ?? 0,
            })),
          )
        : [],
    ),
  )
}

const isShort = (lines: ReadonlyArray<ReadonlyArray<Word>>): boolean =>
  lines.flat().reduce((sum, { text }) => sum + text.length, 0) <= repeatedCharactersMax

/** The columns of the line right below the cell, and below no other one, where it goes over several of them. */
const columnsAbove = (
  block: Block,
  blocks: ReadonlyArray<Block>,
  columns: ReadonlyArray<Column>,
  rules: ReadonlyArray<Rule>,
): Pick<Block, "from" | "to"> | undefined => {
  const { lines, bottom } = block
  const [first] = lines[0] ?? []
  if (first === undefined) return undefined
  const middle = middleAcross(block)
  const rule = rules.find(
    ({ at, from, to }) => at > bottom && at < bottom + belowMax * first.size && from < middle && to > middle,
  )
  const isShared = blocks.some((other) => {
    const isBeside = other !== block && other.top <= bottom && other.bottom >= block.top
    const at = middleAcross(other)
    return isBeside && rule !== undefined && at > rule.from && at < rule.to
  })
  if (isShared) return undefined
  const over = columns.flatMap(({ left, right }, index) =>
    rule !== undefined && (left + right) / 2 > rule.from && (left + right) / 2 < rule.to ? [index] : [],
  )
  const [from, to] = [over[0], over.at(-1)]
  return from === undefined || to === undefined || from === to ? undefined : { from, to }
}

const middleAcross = ({ lines: [line = []] }: Block): number =>
  ((line[0]?.left ?? 0) + (line.at(-1)?.right ?? 0)) / 2

/** A share of the size. */
const belowMax = 1

/**
 * Words hardly further apart than those of one text, as the heads of columns beside one another where each stands over its
 * own: in its middle, or at one side.
 */
export const partedByColumns = (
  words: ReadonlyArray<Word>,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<ReadonlyArray<Word>> => {
  if (words.length > wordsMax || columns.length > columnsMax) return [words]
  const parts: Array<{ readonly column: number; readonly words: Array<Word> }> = []
  for (const word of words) {
    const column = nearestOf(word, columns)
    const last = parts.at(-1)
    if (last !== undefined && last.column === column) last.words.push(word)
    else parts.push({ column, words: [word] })
  }
  const areApart = parts.every(({ words: [first] }, index) => {
    const before = parts[index - 1]?.words.at(-1)
    return (
      first === undefined || before === undefined || first.left - before.right > apartMin * gapSize(first)
    )
  })
  if (!areApart) return [words]
  // Text over both of two columns may begin with the left one, and end with the right one.
  const offsets = parts.map(({ column, words: own }) => {
    const [first, last, sides] = [own[0], own.at(-1), columns[column]]
    const [left, right] = [(first?.left ?? 0) - (sides?.left ?? 0), (last?.right ?? 0) - (sides?.right ?? 0)]
    return { left, right, middle: (left + right) / 2 }
  })
  const near = overMax * (words[0]?.size ?? 0)
  const isWide = offsets.some(({ left, right }) => right - left > near)
  // By its side, one that is wider than its column may stand there by chance.
  const kinds = isWide ? (["middle"] as const) : (["left", "right", "middle"] as const)
  const areOver = kinds.some((kind) => offsets.every((each) => Math.abs(each[kind]) < near))
  return parts.length > 1 && areOver ? parts.map((part) => part.words) : [words]
}

/** A share of the size: wider than a space. */
const apartMin = 0.38
/** A share of the size. */
const overMax = 0.3

/** The column whose middle is nearest to that of the word. */
const nearestOf = ({ left, right }: Word, columns: ReadonlyArray<Column>): number => {
  const distances = columns.map((column) => Math.abs(column.left + column.right - left - right))
  return distances.indexOf(distances.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY))
}

/**
 * The cell goes over these columns and no others: beside them other cells stand at its height, or it begins where they do,
 * or it is in the middle of them, with a column that may be its own at one side alone.
 */
const isKnown = (block: Block, blocks: ReadonlyArray<Block>, columns: ReadonlyArray<Column>): boolean => {
  const isClosed = (column: number): boolean =>
    columns[column] === undefined ||
    blocks.some(
      ({ from, to, top, bottom }) =>
        from <= column && to >= column && top <= block.bottom && bottom >= block.top,
    )
  const begin = (block.lines[0]?.[0]?.left ?? 0) - (columns[block.from]?.left ?? 0)
  const left = Math.abs(begin) < sameLeft || isClosed(block.from - 1)
  const right = isClosed(block.to + 1)
  if (left && right) return true
  return (left || right) && isCentred(block, block, columns, centredMax)
}

/** The cell is in the middle of the columns; `near` is a share of the size. */
const isCentred = (
  { lines }: Block,
  { from, to }: Pick<Block, "from" | "to">,
  columns: ReadonlyArray<Column>,
  near: number,
): boolean => {
  const [left, right] = [columns[from]?.left ?? 0, columns[to]?.right ?? 0]
  return lines.some((line) => {
    const [begin, end] = [line[0], line.at(-1)]
    const off = (begin?.left ?? 0) + (end?.right ?? 0) - left - right
    return begin !== undefined && Math.abs(off) < 2 * near * begin.size
  })
}

/** Shares of the size; the latter where the words of the cell do not reach all of its columns. */
const centredMax = 1
const aroundMax = 0.4

/** The columns that a cell is in the middle of, where it reaches fewer: those at a side of it with cells below, and none beside it. */
const columnsAround = (
  block: Block,
  blocks: ReadonlyArray<Block>,
  columns: ReadonlyArray<Column>,
): Pick<Block, "from" | "to"> => {
  const own = { from: block.from, to: block.to }
  if (isCentred(block, own, columns, aroundMax) || !isFree(block, block.from, blocks)) return own
  for (const step of [1, -1]) {
    let { from, to } = own
    while (isFree(block, step > 0 ? to + 1 : from - 1, blocks)) {
      if (step > 0) to++
      else from--
      if (isCentred(block, { from, to }, columns, aroundMax)) return { from, to }
    }
  }
  return own
}

/** Cells stand below the block in the column, and none beside it. */
const isFree = (block: Block, column: number, blocks: ReadonlyArray<Block>): boolean => {
  const size = block.lines[0]?.[0]?.size ?? 0
  const near = blocks.filter((other) => other !== block && other.from <= column && other.to >= column)
  return (
    near.some(({ top }) => top > block.bottom) &&
    near.every(({ top, bottom }) => top >= block.bottom + rowsApartMin * size || bottom < block.top)
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
  const above = blocks.filter(
    ({ bottom, from, to }) => bottom < block.top && from <= block.from && to >= block.from,
  )
  const most = above.reduce((least, { to }) => Math.min(least, to), columns.length - 1)
  let to = block.to
  if (isFree(block, block.from, blocks)) while (to < most && isFree(block, to + 1, blocks)) to++
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

/** A line is drawn between the block and the words below it. */
const isRuledOff = ({ bottom }: Block, words: ReadonlyArray<Word>, rules: ReadonlyArray<Rule>): boolean => {
  const [first, last] = [words[0], words.at(-1)]
  const middle = ((first?.left ?? 0) + (last?.right ?? 0)) / 2
  const top = (first?.baseline ?? 0) - middleHeight * (first?.size ?? 0)
  return rules.some(({ at, from, to }) => at > bottom && at < top && from < middle && to > middle)
}

/** A share of the size, above the baseline. */
const middleHeight = 0.4

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
