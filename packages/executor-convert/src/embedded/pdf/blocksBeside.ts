import { tightLeading } from "./Cells.ts"
import { type Row, rowsOf, type Segment } from "./Lines.ts"

type Segments = ReadonlyArray<Segment>

/** Points. */
const sameSide = 2
const sameTop = 1
const blocksMax = 4
const linesMin = 2
/** A page that people read has fewer; each looks at all of the column. */
const candidatesMax = 100
/** Of a line of such a text. */
const wordsMax = 6

/**
 * The segments of a column, with short texts beside one another as texts of their own, such as the addresses of a bill:
 * the document writes each to its end before the next one on its right. They begin at one height and have different
 * numbers of lines; with equal ones, or with more below them, they may be columns of a table.
 */
export const withBlocksBeside = (segments: Segments): ReadonlyArray<Segments> => {
  const parts: Array<Segments> = []
  let candidates = 0
  let rest: Array<Segment> = []
  for (const band of bandsOf(rowsOf(segments))) {
    const own = band.flatMap((row) => row.segments)
    const found = own.length === band.length ? undefined : blocksIn(own)
    const isLooked = found !== undefined && candidates++ < candidatesMax
    const blocks = isLooked && areAlone(found, segments) ? found : undefined
    if (blocks === undefined) for (const segment of own) rest.push(segment)
    else {
      if (rest.length > 0) parts.push(rest)
      rest = []
      for (const block of blocks) parts.push(block)
    }
  }
  if (rest.length > 0) parts.push(rest)
  return parts
}

/** Rows that stand close together. */
const bandsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const bands: Array<Array<Row>> = []
  let last: Row | undefined
  for (const row of rows) {
    const isNear = last !== undefined && row.baseline - last.baseline <= tightLeading * row.size
    if (isNear) bands.at(-1)?.push(row)
    else bands.push([row])
    last = row
  }
  return bands
}

const blocksIn = (segments: Segments): ReadonlyArray<Segments> | undefined => {
  const blocks: Array<Array<Segment>> = []
  for (const segment of segments.toSorted((a, b) => a.order - b.order)) {
    const block = blocks.at(-1)
    const last = block?.at(-1)
    if (segment.table !== undefined || segment.words.length > wordsMax) return undefined
    if (block !== undefined && last !== undefined && goesOn(last, segment)) block.push(segment)
    else if (blocks.length < blocksMax) blocks.push([segment])
    else return undefined
  }
  const lengths = new Set(blocks.map(({ length }) => length))
  const areBeside = blocks.every((block, index) => isBeside(block, blocks[index - 1]))
  return lengths.size > 1 && Math.min(...lengths) >= linesMin && areBeside ? blocks : undefined
}

/** Nothing else of the column begins where the blocks do, but for the first. */
const areAlone = ([first, ...others]: ReadonlyArray<Segments>, all: Segments): boolean => {
  const lefts = others.flatMap(([begin]) => (begin === undefined ? [] : [begin.left]))
  const own = new Set([first, ...others].flatMap((block) => block ?? []))
  return all.every(
    (segment) => own.has(segment) || lefts.every((left) => Math.abs(segment.left - left) > sameSide),
  )
}

const goesOn = (above: Segment, below: Segment): boolean => {
  const leading = below.baseline - above.baseline
  return (
    leading > sameTop && leading <= tightLeading * below.size && Math.abs(below.left - above.left) < sameSide
  )
}

const isBeside = ([first]: Segments, before: Segments | undefined): boolean =>
  first === undefined ||
  before?.[0] === undefined ||
  (Math.abs(first.baseline - before[0].baseline) <= sameTop &&
    before.every(({ right, size }) => first.left - right > size))
