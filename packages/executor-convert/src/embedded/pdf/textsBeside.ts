import { tightLeading } from "./Cells.ts"
import { isCaption } from "./captions.ts"
import { type Row, rowsOf, type Segment } from "./Lines.ts"
import { isBackwards } from "./mirrored.ts"
import type { Word } from "./Word.ts"

type Segments = ReadonlyArray<Segment>

/** Points. */
const sameTop = 1
/** Of a text, of one that is set smaller or stands beside a caption, and the words of a line of them. */
const linesMin = 4
const shortLinesMin = 2
const wordsMin = 4
const captionWordsMin = 3
/** Shares of the size: of the gutter, an indent, other type in one text, smaller type, and the height at both sides. */
const gutterMin = 0.4
const indentMax = 4
const sizeShareMin = 0.85
const asideSizeMax = 0.9
const sharedMin = 2
/** Texts at the sides of texts at the side. */
const depthMax = 3

/**
 * The segments of a column, with long texts that stand beside one another for some lines as parts of their own, such as
 * the captions of two figures or a text around a figure: the document writes each to its end.
 */
export const withTextsBeside = (segments: Segments, depth = 0): ReadonlyArray<Segments> => {
  if (depth >= depthMax) return [segments]
  const rows = rowsOf(segments)
  const parts: Array<Segments> = []
  const within = (from: number, to: number): Segments => rows.slice(from, to).flatMap((row) => row.segments)
  let end = 0
  for (const band of bandsIn(rows, textsOf(segments))) {
    if (band.from > end) parts.push(within(end, band.from))
    for (const side of sidesOf(band, within(band.from, band.to)))
      for (const part of withTextsBeside(side, depth + 1)) parts.push(part)
    end = band.to
  }
  if (end === 0) return [segments]
  if (end < rows.length) parts.push(within(end, rows.length))
  return parts
}

/** Those of one type from left to right, a caption or what is set smaller where the document has it. */
const sidesOf = (band: Band, segments: Segments): ReadonlyArray<Segments> => {
  const left = segments.filter(({ right }) => right <= band.begin)
  const right = segments.filter((segment) => segment.right > band.begin)
  const isInOrder = isCaptioned(band) || isAside(band) || beginsBackwards(band.left)
  return isInOrder && orderOf(right) < orderOf(left) ? [right, left] : [left, right]
}

const beginsBackwards = ({ segments: [first] }: Text): boolean => {
  const [word] = first?.words ?? []
  return word !== undefined && isBackwards(word)
}

const orderOf = (segments: Segments): number =>
  segments.reduce((least, { order }) => Math.min(least, order), Number.POSITIVE_INFINITY)

/** Lines that the document writes one after the other, each below the one before it. */
interface Text {
  readonly segments: Array<Segment>
  readonly order: number
  readonly top: number
  bottom: number
  lines: number
  words: number
}

/** The text of each segment, by its last word: a row may put the mark of an item before the others. */
type Texts = ReadonlyMap<Word | undefined, Text>

const textsOf = (segments: Segments): Texts => {
  const texts = new Map<Word | undefined, Text>()
  let text: Text | undefined
  for (const segment of segments.toSorted((a, b) => a.order - b.order)) {
    if (segment.table !== undefined) continue
    const { baseline, words, order } = segment
    const last = text?.segments.at(-1)
    if (text === undefined || last === undefined || !goesOn(text, last, segment))
      text = { segments: [segment], order, top: baseline, bottom: baseline, lines: 1, words: words.length }
    else {
      text.segments.push(segment)
      if (baseline - last.baseline > sameTop) text.lines++
      text.words += words.length
      text.bottom = Math.max(text.bottom, baseline)
    }
    texts.set(words.at(-1), text)
  }
  return texts
}

const goesOn = ({ segments: [first] }: Text, last: Segment, next: Segment): boolean => {
  if (first === undefined || (last.words.at(-1)?.order ?? 0) + 1 !== next.words[0]?.order) return false
  const size = Math.max(last.size, next.size)
  if (Math.min(last.size, next.size) < sizeShareMin * size) return false
  const leading = next.baseline - last.baseline
  if (Math.abs(leading) <= sameTop) return next.left > last.right
  return leading > 0 && leading <= tightLeading * size && Math.abs(next.left - first.left) < indentMax * size
}

/** Two texts, and where the gutter between them begins and ends. */
interface Pair {
  readonly left: Text
  readonly right: Text
  readonly begin: number
  readonly end: number
}

/** The rows of a pair, up to `to`. */
interface Band extends Pair {
  readonly from: number
  readonly to: number
}

/**
 * The bands of a column. One right below another, with its gutter at the same place, goes on in both of its texts where
 * the document writes one side to its end; where not, both are rows of a table, and no bands.
 */
const bandsIn = (rows: ReadonlyArray<Row>, texts: Texts): ReadonlyArray<Band> => {
  const bands: Array<Band & { readonly isRow: boolean }> = []
  let end = 0
  for (let index = 0; index < rows.length; index++) {
    const pair = pairIn(rows[index], rows[index + 1], texts)
    if (pair === undefined) continue
    const band = grown(pair, rows, index, end, texts)
    end = band.to
    index = end - 1
    if (!areTexts(band) || !haveLines(band, rows)) continue
    const last = bands.at(-1)
    const [begin, stop] = [Math.max(band.begin, last?.begin ?? 0), Math.min(band.end, last?.end ?? 0)]
    if (last === undefined || last.to < band.from || stop - begin < gutterMin * sizeOf(band.left)) {
      bands.push({ ...band, isRow: false })
      continue
    }
    const isBelow = band.left.order < last.right.order || band.right.order < last.left.order
    if (isBelow) bands[bands.length - 1] = { ...last, to: band.to, begin, end: stop }
    else {
      bands[bands.length - 1] = { ...last, isRow: true }
      bands.push({ ...band, isRow: true })
    }
  }
  return bands.filter(({ isRow }) => !isRow)
}

/** Two texts beside each other in the row, or in it and the next one where that is no line below it. */
const pairIn = (row: Row | undefined, below: Row | undefined, texts: Texts): Pair | undefined => {
  if (row === undefined) return undefined
  const isBetween = below !== undefined && below.baseline - row.baseline < Math.min(row.size, below.size)
  const segments = isBetween
    ? [...row.segments, ...below.segments].sort((a, b) => a.left - b.left)
    : row.segments
  for (const [index, { words, right: begin }] of segments.entries()) {
    const next = segments[index + 1]
    if (next === undefined || next.left - begin < gutterMin * next.size) continue
    const [left, right] = [texts.get(words.at(-1)), texts.get(next.words.at(-1))]
    if (left === undefined || right === undefined || left === right) continue
    if (Math.min(left.lines, right.lines) >= shortLinesMin) return { left, right, begin, end: next.left }
  }
  return undefined
}

const isCaptioned = ({ left, right }: Pair): boolean =>
  [left, right].some(({ segments }) => isCaption(segments[0]?.words ?? []))

const isAside = ({ left, right }: Pair): boolean => {
  const [own, other] = [sizeOf(left), sizeOf(right)]
  return Math.min(own, other) < asideSizeMax * Math.max(own, other)
}

const sizeOf = ({ segments: [first] }: Text): number => first?.size ?? 0

/** One is a caption, or both are texts of long lines; as many lines at the same heights may be those of cells. */
const areTexts = (pair: Pair): boolean => {
  const { left, right } = pair
  if (isCaptioned(pair)) return [left, right].every(({ words, lines }) => words >= captionWordsMin * lines)
  const [least, most] = [Math.min(left.lines, right.lines), Math.max(left.lines, right.lines)]
  const shared = Math.min(left.bottom, right.bottom) - Math.max(left.top, right.top)
  const areLong = isAside(pair)
    ? least >= shortLinesMin && most >= linesMin
    : least >= linesMin && shared >= sharedMin * sizeOf(left)
  return (
    areLong &&
    [left, right].every(({ words, segments }) => words >= wordsMin * segments.length) &&
    (least < most || Math.abs(left.top - right.top) > sameTop)
  )
}

/** There are lines at both sides of the gutter, and not only above or below it. */
const haveLines = ({ from, to, begin }: Band, rows: ReadonlyArray<Row>): boolean => {
  return [true, false].every(
    (isLeft) =>
      rows.slice(from, to).filter(({ segments }) => segments.some(({ right }) => right <= begin === isLeft))
        .length >= shortLinesMin,
  )
}

/**
 * The rows around this one, from `first` on, that hold lines of the texts of the band, and what stands beside them, up to
 * those that lie across its gutter.
 */
const grown = (pair: Pair, rows: ReadonlyArray<Row>, at: number, first: number, texts: Texts): Band => {
  const { left, right } = pair
  let [top, bottom] = [Math.min(left.top, right.top), Math.max(left.bottom, right.bottom)]
  let { begin, end } = pair
  const takes = (row: Row | undefined): boolean => {
    if (row === undefined || !isWithin(row, top, bottom)) return false
    const gutter = gutterOf(row, begin, end)
    if (gutter === undefined) return false
    ;[begin, end] = gutter
    for (const { words, table } of row.segments) {
      const own = table ?? texts.get(words.at(-1))
      if (own !== undefined) [top, bottom] = [Math.min(top, own.top), Math.max(bottom, own.bottom)]
    }
    return true
  }
  let [from, to] = [at, at + 1]
  while (takes(rows[to])) to++
  while (from > first && takes(rows[from - 1])) from--
  while (takes(rows[to])) to++
  return { ...pair, from, to, begin, end }
}

const isWithin = ({ baseline, segments }: Row, top: number, bottom: number): boolean =>
  (baseline >= top - sameTop && baseline <= bottom + sameTop) ||
  segments.some(({ table }) => table !== undefined && table.top < bottom && table.bottom > top)

/** What the row leaves of the gutter; undefined where something lies across it. */
const gutterOf = ({ segments }: Row, begin: number, end: number): [number, number] | undefined => {
  for (const segment of segments) {
    if (segment.right <= end - gutterMin * segment.size) begin = Math.max(begin, segment.right)
    else if (segment.left >= begin + gutterMin * segment.size) end = Math.min(end, segment.left)
    else return undefined
  }
  return [begin, end]
}
