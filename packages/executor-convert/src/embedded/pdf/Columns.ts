import { type Row, rowsOf, type Segment } from "./Lines.ts"

type Segments = ReadonlyArray<Segment>

/** Segments of one column, and how far to the sides its lines go. */
export interface Region {
  readonly segments: Segments
  readonly left: number
  readonly right: number
}

const regionOf = (segments: Segments): Region => ({
  segments,
  left: usual(segments.map(({ left }) => left).sort((a, b) => a - b)),
  right: usual(segments.map(({ right }) => right).sort((a, b) => b - a)),
})

/** A few that go further, such as page numbers, make no margin. */
const usual = (fromFurthest: ReadonlyArray<number>): number =>
  fromFurthest[Math.min(2, Math.floor(fromFurthest.length / 4))] ?? 0

/** Columns inside of columns. */
const depthMax = 4
const columnRowsMin = 3
/** Points. */
const gutterWidthMin = 6
/** More of the segments than this share lie across no gutter. */
const crossedMax = 0.5
/** A larger gap between rows, as a share of the size, may end columns. */
const bandGapMin = 3.2
/** How often the document may change between columns, for each of their rows. */
const switchesMax = 0.15

/**
 * The segments of a page in regions of one column each, in the order of reading. Columns are told from tables
 * by the order of the document: it writes a column to its end, and a table row by row.
 */
export const regionsOf = (segments: Segments): ReadonlyArray<Region> => divide(regionOf(segments), 0)

const divide = (region: Region, depth: number): ReadonlyArray<Region> => {
  const gutter = depth < depthMax ? gutterOf(region.segments) : undefined
  const parts = gutter === undefined ? [] : partsAt(region.segments, gutter)
  if (!parts.some(({ isColumn }) => isColumn)) return bandsOf(region, depth)
  return parts.flatMap(({ segments, isColumn }) =>
    isColumn ? divide(regionOf(segments), depth + 1) : bandsOf({ ...region, segments }, depth),
  )
}

/** Looks for columns between large gaps, where the whole has none. */
const bandsOf = (region: Region, depth: number): ReadonlyArray<Region> => {
  const bands: Array<Array<Segment>> = []
  let last: Row | undefined
  for (const row of rowsOf(region.segments)) {
    const band = bands.at(-1)
    const isFar =
      last !== undefined && row.baseline - last.baseline > bandGapMin * Math.max(row.size, last.size)
    if (band === undefined || isFar) bands.push([...row.segments])
    else band.push(...row.segments)
    last = row
  }
  const isSplit = bands.length > 1 && depth < depthMax
  return isSplit ? bands.flatMap((segments) => divide({ ...region, segments }, depth + 1)) : [region]
}

/** The place, from the left, that the fewest segments lie across, with enough of them on both sides. */
const gutterOf = (segments: Segments): number | undefined => {
  const edges = segments
    .flatMap(({ left, right }) => [
      { at: left, change: 1 },
      { at: right, change: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.change - b.change)
  let best: { readonly at: number; readonly crossed: number; readonly width: number } | undefined
  let crossed = 0
  let before = 0
  for (const [index, { at, change }] of edges.entries()) {
    crossed += change
    if (change < 0) before++
    const width = (edges[index + 1]?.at ?? at) - at
    const after = segments.length - before - crossed
    if (width < gutterWidthMin || before < columnRowsMin || after < columnRowsMin) continue
    if (best === undefined || crossed < best.crossed || (crossed === best.crossed && width > best.width)) {
      best = { at: at + width / 2, crossed, width }
    }
  }
  return best !== undefined && best.crossed <= crossedMax * segments.length ? best.at : undefined
}

interface Part {
  readonly segments: Segments
  readonly isColumn: boolean
}

/** What stands beside the gutter as columns, and what lies across it. */
const partsAt = (segments: Segments, gutter: number): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let across: Array<Segment> = []
  let beside: Array<Segment> = []
  const endColumns = () => {
    const columns = columnsOf(beside, gutter)
    if (columns.length === 0) for (const segment of beside) across.push(segment)
    else {
      if (across.length > 0) parts.push({ segments: across, isColumn: false })
      across = []
      for (const column of columns) parts.push({ segments: column, isColumn: true })
    }
    beside = []
  }
  for (const row of rowsOf(segments)) {
    const isAcross = row.segments.some(({ left, right }) => left < gutter && right > gutter)
    if (isAcross) endColumns()
    for (const segment of row.segments) (isAcross ? across : beside).push(segment)
  }
  endColumns()
  if (across.length > 0) parts.push({ segments: across, isColumn: false })
  return parts
}

const columnsOf = (segments: Segments, gutter: number): ReadonlyArray<Segments> => {
  const isLeft = (segment: Segment | undefined): boolean => segment !== undefined && segment.right <= gutter
  const left = segments.filter(isLeft)
  const right = segments.filter((segment) => !isLeft(segment))
  const rows = Math.min(rowsOf(left).length, rowsOf(right).length)
  if (rows < columnRowsMin) return []
  const inOrder = [...segments].sort((a, b) => a.order - b.order)
  const switches = inOrder.filter(
    (segment, index) => index > 0 && isLeft(segment) !== isLeft(inOrder[index - 1]),
  )
  return switches.length <= Math.max(1, switchesMax * rows) ? [left, right] : []
}
