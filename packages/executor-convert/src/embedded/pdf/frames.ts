import { isNumber } from "./figures.ts"
import type { PlacedTable } from "./Grid.ts"
import type { Area, Rule, Ruling } from "./Ruling.ts"
import type { Word } from "./Word.ts"

type Words = ReadonlyArray<Word>
type Tables = ReadonlyArray<PlacedTable>

/** Lines that may be sides of frames, and frames: with more, a page is a drawing. */
const sidesMax = 300
const framesMax = 24
/** Points. */
const touch = 3
const widthMin = 60
const heightMin = 24
/** Lines of a text in a frame, and of a table whose columns are framed one by one. */
const linesMin = 2
const rowsMin = 3
/** Of what stands beside a frame without one. */
const lineWordsMax = 6
/** Of the words of a column of numbers. */
const numbersMin = 0.6
/** Of the lines of a frame and of what stands beside it without one. */
const sharedMax = 0.6

/** What four lines close around a text, and no other line parts from one side to the other. */
export const framesOf = ({ horizontal, vertical }: Ruling): ReadonlyArray<Area> => {
  if (horizontal.length > sidesMax || vertical.length > sidesMax) return []
  const sides = vertical.filter(({ from, to }) => to - from >= heightMin).toSorted((a, b) => a.at - b.at)
  const closes = (height: number, left: number, right: number): boolean =>
    horizontal.some(({ at, from, to }) => isNear(at, height) && isNear(from, left) && isNear(to, right))
  const frames = sides.flatMap((left, index) => {
    const inner = sides.slice(index + 1).find(({ at, from, to }) => at > left.at && reach(left, { from, to }))
    if (inner === undefined || !isNear(inner.from, left.from) || !isNear(inner.to, left.to)) return []
    const frame = { left: left.at, right: inner.at, top: left.from, bottom: left.to }
    const isClosed =
      closes(frame.top, frame.left, frame.right) && closes(frame.bottom, frame.left, frame.right)
    return isClosed && frame.right - frame.left >= widthMin ? [frame] : []
  })
  return frames.length > framesMax ? [] : frames
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) < touch

/** Both go along the same heights for some length. */
const reach = (one: Pick<Rule, "from" | "to">, other: Pick<Rule, "from" | "to">): boolean =>
  Math.min(one.to, other.to) - Math.max(one.from, other.from) > touch

/** Words and tables of a page that are read together: what stands in one frame, or above, below or between such. */
export interface FramedPart {
  readonly words: Words
  readonly tables: Tables
  /** What is drawn in it is its own. */
  readonly area: Area
}

const everywhere: Area = {
  left: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  top: Number.NEGATIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
}

/**
 * The parts of a page, from top to bottom and from left to right, where frames stand beside one another, as those of a
 * seller and a buyer do, and the file writes what is in them line by line across. A single part for any other page.
 */
export const partsByFrames = (
  words: Words,
  tables: Tables,
  frames: ReadonlyArray<Area>,
): ReadonlyArray<FramedPart> => {
  const bands = frames.length === 0 ? [] : bandsOf(words, tables, frames)
  const areas: Array<Area> = []
  const places = new Map<Word | PlacedTable, number>()
  let end = Number.NEGATIVE_INFINITY
  for (const { columns, top, bottom } of bands) {
    const above = areas.push({ ...everywhere, top: end, bottom: top }) - 1
    for (const word of words) if (!places.has(word) && word.baseline <= top) places.set(word, above)
    for (const table of tables) if (!places.has(table) && table.top < top - touch) places.set(table, above)
    for (const part of columns.flatMap(partsOfColumn)) {
      const place = areas.push(part.area) - 1
      for (const each of [...part.words, ...part.tables]) places.set(each, place)
    }
    end = bottom
  }
  const rest = areas.push({ ...everywhere, top: end }) - 1
  const wordsOf = Map.groupBy(words, (word) => places.get(word) ?? rest)
  const tablesOf = Map.groupBy(tables, (table) => places.get(table) ?? rest)
  return areas.flatMap((area, place) => {
    const part = { words: wordsOf.get(place) ?? [], tables: tablesOf.get(place) ?? [], area }
    return part.words.length + part.tables.length > 0 ? [part] : []
  })
}

/** The frames and tables at one height, by the columns that they stand in. */
interface Band extends Heights {
  readonly columns: ReadonlyArray<Area & Column>
}

interface Heights {
  readonly top: number
  readonly bottom: number
}

interface Column {
  readonly left: number
  readonly right: number
  readonly frames: ReadonlyArray<Area>
  readonly words: Words
  readonly tables: Tables
}

const bandsOf = (words: Words, tables: Tables, frames: ReadonlyArray<Area>): ReadonlyArray<Band> => {
  const holdsNone = (frame: Area): boolean =>
    !frames.some((inner) => inner !== frame && isWithin(inner, frame))
  const own = frames.filter((frame) => holdsNone(frame) && !tables.some((table) => isWithin(frame, table)))
  const items = [...own, ...tables].toSorted((a, b) => a.top - b.top)
  const bands: Array<Heights & { bottom: number; items: Array<Area> }> = []
  for (const item of items) {
    const last = bands.at(-1)
    if (last === undefined || item.top > last.bottom - touch)
      bands.push({ top: item.top, bottom: item.bottom, items: [item] })
    else {
      last.items.push(item)
      last.bottom = Math.max(last.bottom, item.bottom)
    }
  }
  return bands.flatMap(({ top, bottom, items: found }) => {
    if (!found.some((item) => own.includes(item))) return []
    const inBand = words.filter(({ baseline }) => baseline > top && baseline < bottom)
    const inTables = tables.filter((table) => found.includes(table))
    const columns = columnsOf(found, own, inBand, inTables)?.map((column) => ({ ...column, top, bottom }))
    return columns !== undefined && areTexts(columns) ? [{ top, bottom, columns }] : []
  })
}

const isWithin = (inner: Area, outer: Area): boolean =>
  inner.left > outer.left - touch &&
  inner.right < outer.right + touch &&
  inner.top > outer.top - touch &&
  inner.bottom < outer.bottom + touch

/** The columns, and what stands beside them without a frame; undefined where words stand between or across them. */
const columnsOf = (
  items: ReadonlyArray<Area>,
  frames: ReadonlyArray<Area>,
  words: Words,
  tables: Tables,
): ReadonlyArray<Column> | undefined => {
  const columns: Array<{ left: number; right: number; frames: Array<Area>; words: Array<Word> }> = []
  for (const item of items.toSorted((a, b) => a.left - b.left)) {
    const { left, right } = item
    let column = columns.at(-1)
    if (column === undefined || left > column.right) {
      column = { left, right, frames: [], words: [] }
      columns.push(column)
    }
    column.right = Math.max(column.right, right)
    if (frames.includes(item)) column.frames.push(item)
  }
  const [first, last] = [columns[0], columns.at(-1)]
  const before: Array<Word> = []
  const behind: Array<Word> = []
  for (const word of words) {
    const column = columns.find(({ left, right }) => word.left > left - touch && word.right < right + touch)
    if (column !== undefined) column.words.push(word)
    else if (first !== undefined && word.right < first.left + touch) before.push(word)
    else if (last !== undefined && word.left > last.right - touch) behind.push(word)
    else return undefined
  }
  const beside = [before, behind].filter(({ length }) => length > 0)
  if (beside.some((own) => isText(own) || columns.some((column) => areRows(own, column.words))))
    return undefined
  const framed = columns.map((column) => ({
    ...column,
    tables: tables.filter(({ left, right }) => left >= column.left && right <= column.right),
  }))
  return [
    ...(before.length === 0 ? [] : [unframed(before)]),
    ...framed,
    ...(behind.length === 0 ? [] : [unframed(behind)]),
  ]
}

const unframed = (words: Words): Column => ({
  left: words.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY),
  right: words.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
  frames: [],
  words,
  tables: [],
})

const heightsOf = (words: Words): ReadonlySet<number> =>
  new Set(words.map(({ baseline }) => Math.round(baseline)))

/** The lines are long, as those of the text of a page are. */
const isText = (words: Words): boolean => words.length > lineWordsMax * heightsOf(words).size

/** Most of the lines stand at the heights of the others: they may be rows of which a part is framed. */
const areRows = (words: Words, others: Words): boolean => {
  const [own, heights] = [heightsOf(words), heightsOf(others)]
  const shared = [...own].filter((height) => heights.has(height))
  return shared.length > sharedMax * Math.max(own.size, heights.size)
}

/** The frames of a column begin at the same place; those of a drawing stand where it looks well. */
const areBelow = ({ frames: [first, ...others] }: Column): boolean =>
  others.every(({ left }) => isNear(left, first?.left ?? left))

/** There are several texts that the file writes in turn; framed columns of a table have their rows at the same heights, and numbers. */
const areTexts = (columns: ReadonlyArray<Column>): boolean => {
  if (columns.length < 2 || !columns.every(areBelow)) return false
  const heights = columns.map(({ words }) => heightsOf(words))
  if (columns.some(({ tables }, index) => tables.length === 0 && (heights[index]?.size ?? 0) < linesMin))
    return false
  const [first] = heights
  const isTable =
    first !== undefined &&
    first.size >= rowsMin &&
    heights.every((own) => own.size === first.size && [...own].every((height) => first.has(height))) &&
    columns.some(({ words }) => words.filter(isNumber).length >= numbersMin * words.length)
  return !isTable && areInTurn(columns)
}

/** The file goes from one column to another more often than to write each to its end, with one of them in two parts. */
const areInTurn = (columns: ReadonlyArray<Column>): boolean => {
  const placed = columns
    .flatMap(({ words }, column) => words.map(({ order }) => ({ order, column })))
    .toSorted((a, b) => a.order - b.order)
  const turns = placed.filter(({ column }, index) => index > 0 && column !== placed[index - 1]?.column)
  return turns.length > columns.length
}

/** What stands in each frame of the column, and above, below or between them. */
const partsOfColumn = (column: Area & Column): ReadonlyArray<FramedPart> => {
  const placed: ReadonlyArray<{ readonly at: number; readonly word?: Word; readonly table?: PlacedTable }> = [
    ...column.words.map((word) => ({ word, at: word.baseline })),
    ...column.tables.map((table) => ({ table, at: table.top })),
  ]
  const parts: Array<{
    frame?: Area | undefined
    words: Array<Word>
    tables: Array<PlacedTable>
    area: Area
  }> = []
  const { left, right, bottom } = column
  let { top } = column
  for (const { word, table, at } of placed.toSorted((a, b) => a.at - b.at)) {
    const frame = column.frames.find((each) => at > each.top - touch && at < each.bottom)
    let part = parts.at(-1)
    if (part === undefined || part.frame !== frame) {
      if (part !== undefined && frame !== undefined) part.area = { ...part.area, bottom: frame.top }
      part = { frame, words: [], tables: [], area: frame ?? { left, right, top, bottom } }
      top = frame?.bottom ?? top
      parts.push(part)
    }
    if (word !== undefined) part.words.push(word)
    if (table !== undefined) part.tables.push(table)
  }
  return parts
}
