import { tightLeading } from "./Cells.ts"
import type { Row, Segment } from "./Lines.ts"
import { isSign } from "./ListMark.ts"
import { guttersAt, type PartedRow, partedBy, textsOf } from "./partedRows.ts"
import { partsByBands } from "./rowBands.ts"

type Segments = ReadonlyArray<Segment>

/** Lists beside one another, their rows, and those of their heads. */
const listsMax = 8
const rowsMax = 200
const headRowsMax = 6
/** Rows with an item in each list, and items with texts of their own: a row of boxes to choose by has the same ones. */
const pairsMin = 3
/** A share of the size: the height from row to row. */
const leadingMax = 3.2
const headLeadingMax = 2.2
/** Points. */
const sameLeft = 2

/** The rows from one to another, by lists. */
interface Band {
  readonly from: number
  readonly to: number
  readonly texts: ReadonlyArray<Segments>
}

/** What stands in one list, or above or below it. */
interface Part {
  readonly segments: Segments
  readonly isList: boolean
}

/**
 * The segments of a column, with lists beside one another as parts of their own, with their heads: the document writes
 * them row by row, as the cells of a table, but each has a bullet before its items.
 */
export const withListsBeside = (segments: Segments): ReadonlyArray<Part> => {
  // Rows that are none together are none from a later one on.
  let seen = { to: 0, lists: 0 }
  return partsByBands(segments, (rows, at, first) => {
    const begin = rows[at]
    const starts = begin === undefined ? [] : itemsIn(begin)
    if (starts.length < 2 || starts[0] !== 0 || (at < seen.to && starts.length === seen.lists))
      return undefined
    const found = listsAt(rows, at, first, starts)
    if (found.band === undefined) seen = { to: found.to, lists: starts.length }
    return found.band
  }).map(({ segments: own, band }) => ({ segments: own, isList: band !== undefined }))
}

/** The lists that begin in a row, if there are some, and the index of the row after the last with an item. */
const listsAt = (
  rows: ReadonlyArray<Row>,
  at: number,
  first: number,
  starts: ReadonlyArray<number>,
): { readonly band?: Band; readonly to: number } => {
  const begin = rows[at]
  if (begin === undefined) return { to: at }
  const lefts = starts.map((start) => begin.segments[start]?.left ?? 0)
  const found: Array<PartedRow> = []
  let gutters = guttersAt(begin, starts)
  const takes = (index: number, gapMax: number): PartedRow | undefined => {
    const row = rows[index]
    const beside = rows[index < at ? index + 1 : index - 1]
    const gap = index === at ? 0 : Math.abs((row?.baseline ?? 0) - (beside?.baseline ?? 0))
    const parted = row === undefined || gap > gapMax * row.size ? undefined : partedBy(row, gutters)
    gutters = parted?.gutters ?? gutters
    return parted
  }
  let to = at
  for (let index = at; index < at + rowsMax; index++) {
    const parted = takes(index, leadingMax)
    if (parted === undefined) break
    found.push(parted)
    const [row, above] = [rows[index], rows[index - 1]]
    const isNear = (row?.baseline ?? 0) - (above?.baseline ?? 0) < tightLeading * (row?.size ?? 0)
    if (isOfItems(parted, lefts, isNear && to === index)) to = index + 1
  }
  found.splice(to - at)
  if (!areLists(found, lefts)) return { to }
  let from = at
  for (let index = at - 1; index >= Math.max(first, at - headRowsMax); index--) {
    const parted = takes(index, headLeadingMax)
    if (parted === undefined || !isOfHeads(parted, lefts)) break
    found.unshift(parted)
    if (parted.texts.slice(1).some(({ length }) => length > 0)) from = index
  }
  return { band: { from, to, texts: textsOf(found.slice(found.length - (to - from))) }, to }
}

/** The segments that begin with a bullet, by their places in the row. */
const itemsIn = ({ segments }: Row): ReadonlyArray<number> =>
  segments.flatMap((segment, index) => (isItem(segment) ? [index] : [])).slice(0, listsMax)

const isItem = ({ words: [first] }: Segment): boolean => first !== undefined && isSign(first.text)

const beginsAt = (segment: Segment | undefined, left: number): boolean =>
  segment !== undefined && Math.abs(segment.left - left) < sameLeft

/** An item begins in the row, or each text of it goes on with one: behind the bullet, close below. */
const isOfItems = ({ texts }: PartedRow, lefts: ReadonlyArray<number>, isNear: boolean): boolean => {
  const own = texts.flatMap(([segment], column) =>
    segment === undefined ? [] : [{ segment, left: lefts[column] ?? 0 }],
  )
  if (own.some(({ segment, left }) => isItem(segment) && beginsAt(segment, left))) return true
  return isNear && own.every(({ segment, left }) => segment.left > left + sameLeft)
}

/** Each list has items with different texts, and enough of them stand beside those of all others. */
const areLists = (rows: ReadonlyArray<PartedRow>, lefts: ReadonlyArray<number>): boolean => {
  const isOfList = (parted: PartedRow, column: number): boolean => {
    const [segment] = parted.texts[column] ?? []
    return segment !== undefined && isItem(segment) && beginsAt(segment, lefts[column] ?? 0)
  }
  const pairs = rows.filter((parted) => lefts.every((_, column) => isOfList(parted, column)))
  return (
    pairs.length >= pairsMin &&
    lefts.every((_, column) => {
      const texts = pairs.map(({ texts }) =>
        (texts[column] ?? []).flatMap(({ words }) => words.map(({ text }) => text)).join(" "),
      )
      return new Set(texts).size >= pairsMin
    })
  )
}

/** What begins where the lists do, or in bold. */
const isOfHeads = ({ texts }: PartedRow, lefts: ReadonlyArray<number>): boolean =>
  texts.every(
    (text, column) =>
      text.length === 0 ||
      beginsAt(text[0], lefts[column] ?? 0) ||
      text.every(({ words }) => words.every(({ bold }) => bold)),
  )
