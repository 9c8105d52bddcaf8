import { withAlikeBeside } from "./alikeBeside.ts"
import { withBlocksBeside } from "./blocksBeside.ts"
import { median, tightLeading } from "./Cells.ts"
import { isCode, listingHeightMax } from "./codeHeights.ts"
import { withHeads } from "./columnHeads.ts"
import { areFigures, isNumber } from "./figures.ts"
import { goesOnInColumns } from "./goesOnInColumns.ts"
import { type Row, rowsOf, type Segment, segmentsOf } from "./Lines.ts"
import { withListsBeside } from "./listsBeside.ts"
import type { Area } from "./Ruling.ts"
import { withSignColumns } from "./signColumns.ts"
import { withTextsBeside } from "./textsBeside.ts"
import { areMono } from "./Word.ts"

type Segments = ReadonlyArray<Segment>

/** Segments of one column, and how far to the sides its lines go. */
export interface Region {
  readonly segments: Segments
  readonly left: number
  readonly right: number
  /** Where the lines of its page are set wide: the largest height between those of one paragraph, and their size. */
  readonly wide?: { readonly leading: number; readonly size: number }
  /** Those of its page. */
  readonly pictures?: ReadonlyArray<Area>
}

const regionOf = (segments: Segments): Region => ({
  segments,
  left: usual(segments.map(({ left }) => left).sort((a, b) => a - b)),
  right: usual(
    textsOf(segments)
      .map(({ right }) => right)
      .sort((a, b) => b - a),
  ),
})

/** Without lines of code, which are as long as they are, where there are others. */
const textsOf = (segments: Segments): Segments => {
  const texts = segments.filter(({ words, table }) => table !== undefined || !areMono(words))
  return texts.length < Math.max(textsMin, textShareMin * segments.length) ? segments : texts
}

const textsMin = 3
const textShareMin = 0.2

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
export const bandGapMin = 3.2
/** The same, between the heads of columns and their cells. */
export const headDistanceMax = 4.5
/** The same for columns of numbers alone. */
export const numbersDistanceMax = 5
/** How often the document may change between columns, for each of their rows. */
const switchesMax = 0.15
/** Words of a usual line of a text. */
const columnWordsMin = 3
const textLinesMin = 4

/**
 * The segments of a page in regions of one column each, in the order of reading. Columns are told from tables
 * by the order of the document: it writes a column to its end, and a table row by row.
 */
export const regionsOf = (segments: Segments, hasCode: boolean): ReadonlyArray<Region> => {
  const whole = regionOf(segments)
  return withSignColumns(segments)
    .flatMap((part) =>
      divide(part.isSide ? regionOf(part.segments) : { ...whole, segments: part.segments }, 0, hasCode),
    )
    .flatMap((region) => {
      const parts = withTextsBeside(region.segments)
      return parts.length < 2 ? [region] : parts.map(regionOf)
    })
    .flatMap((region) => {
      const parts = withListsBeside(region.segments)
      if (parts.length < 2) return [region]
      return parts.map((part) =>
        part.isList ? regionOf(part.segments) : { ...region, segments: part.segments },
      )
    })
    .flatMap((region) => {
      const parts = withAlikeBeside(region.segments)
      if (parts.length < 2) return [region]
      return parts.map((part) =>
        part.isWrapped ? regionOf(part.segments) : { ...region, segments: part.segments },
      )
    })
    .flatMap((region) => {
      const parts = withBlocksBeside(region.segments)
      return parts.length < 2 ? [region] : parts.map((part) => ({ ...region, segments: part }))
    })
}

const divide = (region: Region, depth: number, hasCode: boolean): ReadonlyArray<Region> => {
  const parts = depth < depthMax ? dividedAt(region.segments, guttersOf(region.segments)) : undefined
  if (parts === undefined) return bandsOf(region, depth, hasCode)
  // A column goes as far to the sides between some titles as between others.
  const columns = [0, 1].map((side) =>
    regionOf(parts.flatMap(({ segments, column }) => (column === side ? segments : []))),
  )
  return parts.flatMap(({ segments, column = -1, hasOther = false }) =>
    column < 0 && !hasOther
      ? bandsOf({ ...region, segments }, depth, hasCode)
      : divide({ ...region, ...columns[column], segments }, depth + 1, hasCode),
  )
}

/** What stands at both sides of the first of these gutters that has columns there. */
const dividedAt = (segments: Segments, gutters: ReadonlyArray<number>): ReadonlyArray<Part> | undefined => {
  for (const gutter of gutters) {
    const parts = partsAt(segments, gutter)
    if (parts.some(({ column }) => column !== undefined)) return parts
  }
  return undefined
}

/** Looks for columns between large gaps, where the whole has none. */
const bandsOf = (region: Region, depth: number, hasCode: boolean): ReadonlyArray<Region> => {
  const bands: Array<Array<Segment>> = []
  let last: Row | undefined
  const rows = rowsOf(region.segments)
  const listingHeight = hasCode ? listingHeightMax(rows) : 0
  for (const [index, row] of rows.entries()) {
    const band = bands.at(-1)
    const gap = last === undefined ? 0 : (row.baseline - last.baseline) / Math.max(row.size, last.size)
    const isInListing = gap <= listingHeight && last !== undefined && isCode(row) && isCode(last)
    const isOfTable = goesOnInColumns(last, row) && isCode(row)
    const isFar = gap > bandGapMin && !isInListing && !isOfTable
    if (band === undefined || (isFar && !areHeads(last, row) && !areHeadsOfNumbers(rows, index)))
      bands.push([...row.segments])
    else for (const segment of row.segments) band.push(segment)
    last = row
  }
  const isSplit = bands.length > 1 && depth < depthMax
  return isSplit ? bands.flatMap((segments) => divide({ ...region, segments }, depth + 1, hasCode)) : [region]
}

/** The rows have as many segments, each above another, half of them with figures: the heads of columns stand further above their cells. */
const areHeads = (heads: Row | undefined, row: Row): boolean =>
  heads !== undefined &&
  heads.segments.length >= headsMin &&
  heads.segments.length === row.segments.length &&
  row.baseline - heads.baseline <= headDistanceMax * heads.size &&
  heads.segments.every(({ left, right }, index) => {
    const below = row.segments[index]
    return below !== undefined && left < below.right && right > below.left
  }) &&
  2 * row.segments.filter(({ words }) => words.some(({ text }) => /\d/.test(text))).length >=
    row.segments.length

const headsMin = 3
/** Each looks at all numbers. */
const headsMax = 100

/**
 * The lines above a row are heads of columns of numbers, which begin in it or, below labels of groups, in one of the next:
 * each of them has a number below, or at the right of it before the next one.
 */
const areHeadsOfNumbers = (rows: ReadonlyArray<Row>, index: number): boolean => {
  const [head, row] = [rows[index - 1], rows[index]]
  if (head === undefined || row === undefined) return false
  if (row.baseline - head.baseline > numbersDistanceMax * head.size) return false
  const above = rows[index - 2]
  const isSecond = above !== undefined && head.baseline - above.baseline < tightLeading * head.size
  const { segments: heads } = head.segments.length < headsMin && isSecond ? above : head
  const [{ table } = {}] = row.segments
  const below =
    table === undefined ? rows.slice(index, index + labelsMax) : rowsOf(segmentsOf([...table.words]))
  const first = below.slice(0, labelsMax).find(({ segments }) => segments.length > 1)
  const numbers = first?.segments.filter(areFigures) ?? []
  if (heads.length < headsMin || heads.length > headsMax || numbers.length < heads.length) return false
  if (numbers.length > headsMax || heads.some(({ words }) => words.every(isNumber))) return false
  return heads.every(({ left, right }, at) => {
    const next = heads[at + 1]?.left ?? Number.POSITIVE_INFINITY
    return numbers.some((number) => number.right > left && number.left < next && number.right + near > right)
  })
}

/** Rows of labels above the first row of numbers. */
const labelsMax = 4
/** Points. */
const near = 1

/** Without the number of a page above or below all of it, which may stand between two columns. */
const withoutPageNumber = (segments: Segments): Segments => {
  const rows = rowsOf(segments)
  const numbers = [rows[0], rows.at(-1)].flatMap((row) => {
    const [segment, beside] = row?.segments ?? []
    const isNumber = segment?.words.length === 1 && pageNumber.test(segment.words[0]?.text ?? "")
    return segment !== undefined && beside === undefined && isNumber ? [segment] : []
  })
  return numbers.length === 0 ? segments : segments.filter((segment) => !numbers.includes(segment))
}

const pageNumber = /^[\divxlcA-Z.\p{Pd}]{1,5}$/u

/**
 * The places, from the left, that few segments lie across, with enough of them on both sides; that with the fewest comes
 * first, and another one is far from it.
 */
const guttersOf = (all: Segments): ReadonlyArray<number> => {
  const segments = withoutPageNumber(all)
  const edges = segments
    .flatMap(({ left, right }) => [
      { at: left, change: 1 },
      { at: right, change: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.change - b.change)
  const gaps: Array<Gap> = []
  let crossed = 0
  let before = 0
  for (const [index, { at, change }] of edges.entries()) {
    crossed += change
    if (change < 0) before++
    const width = (edges[index + 1]?.at ?? at) - at
    const after = segments.length - before - crossed
    if (width < narrowMin || before < columnRowsMin || after < columnRowsMin) continue
    gaps.push({ at: at + width / 2, crossed, width })
  }
  const wide = gaps.filter(
    ({ width, crossed: own }) => width >= gutterWidthMin && own <= crossedMax * segments.length,
  )
  const first = leastCrossed(wide)
  if (first === undefined) return []
  const second = leastCrossed(wide.filter(({ at }) => Math.abs(at - first.at) > guttersApart))
  // Lines that hang out towards the other column leave a narrow one.
  const hanging = (best: Gap): Gap =>
    leastCrossed(
      gaps.filter(({ at, crossed: own }) => Math.abs(at - best.at) < hangingMax && own < best.crossed),
    ) ?? best
  return [first, ...(second === undefined ? [] : [second])].map((best) => hanging(best).at)
}

interface Gap {
  readonly at: number
  readonly crossed: number
  readonly width: number
}

const leastCrossed = (gaps: ReadonlyArray<Gap>): Gap | undefined =>
  gaps.toSorted((a, b) => a.crossed - b.crossed || b.width - a.width)[0]

/** Points. */
const guttersApart = 60
const narrowMin = 2
const hangingMax = 18

interface Part {
  readonly segments: Segments
  /** 0 or 1 for what stands left or right of the gutter, undefined for what lies across it. */
  readonly column?: number
  /** It has columns with another gutter. */
  readonly hasOther?: boolean
}

/** What stands beside the gutter as columns, and what lies across it. */
const partsAt = (segments: Segments, gutter: number): ReadonlyArray<Part> => {
  const bands = withOtherColumns(bandsAt(segments, gutter), gutter).flatMap((band, index, all) =>
    band.isAcross ? [band] : withoutOutside(band, all[index - 1], gutter),
  )
  const sides = bands.map(({ segments: own, isAcross }) => (isAcross ? [] : columnsOf(own, gutter)))
  // On a page with columns that are sure, those of a few lines between titles or tables are columns, too.
  const isSure = sides.some(({ length }) => length > 0)
  const parts: Array<Part> = []
  let across: Array<Segment> = []
  const endAcross = (): void => {
    if (across.length > 0) parts.push({ segments: across })
    across = []
  }
  for (const [index, band] of bands.entries()) {
    if (band.hasOther === true) {
      endAcross()
      parts.push({ segments: band.segments, hasOther: true })
      continue
    }
    const found = sides[index] ?? []
    const isOpen = found.length === 0 && !band.isAcross
    const own = isOpen ? pairsOf(band.segments, gutter, isSure) : headedParts(found)
    for (const part of own.length > 0 ? own : [{ segments: band.segments }]) {
      if (part.column === undefined) for (const segment of part.segments) across.push(segment)
      else {
        endAcross()
        parts.push(part)
      }
    }
  }
  endAcross()
  return parts
}

interface Band {
  segments: Array<Segment>
  readonly isAcross: boolean
  /** It has columns with another gutter. */
  hasOther?: boolean
}

/** Rows that follow one another, those with something across the gutter apart from those without. */
const bandsAt = (segments: Segments, gutter: number): ReadonlyArray<Band> => {
  const bands: Array<Band> = []
  for (const row of rowsOf(segments)) {
    const beside = row.segments.find(({ left }) => left > gutter)
    const isAcross = row.segments.some((segment) => liesAcross(segment, beside, gutter))
    const last = bands.at(-1)
    if (last?.isAcross === isAcross) for (const segment of row.segments) last.segments.push(segment)
    else bands.push({ segments: [...row.segments], isAcross })
  }
  return bands
}

/**
 * The bands where columns with another gutter begin at the end of one whose left column is shorter there, as below a
 * title: these rows belong to the next band.
 */
const withOtherColumns = (bands: ReadonlyArray<Band>, gutter: number): ReadonlyArray<Band> => {
  const found = bands.map((band): Band => ({ ...band }))
  for (const [index, next] of found.entries()) {
    const band = found[index - 1]
    if (band === undefined || !next.isAcross || band.isAcross) continue
    const side = otherSideOf(rowsOf(next.segments), gutter)
    const rows = rowsOf(band.segments)
    const from = side === undefined ? rows.length : beginOf(rows, side, gutter)
    if (from === rows.length || !areBeside(rows.slice(0, from), gutter)) continue
    band.segments = rows.slice(0, from).flatMap((row) => row.segments)
    next.segments = [...rows.slice(from).flatMap((row) => row.segments), ...next.segments]
    next.hasOther = true
  }
  return found
}

/** Enough of the lines stand on both sides of the gutter. */
const areBeside = (rows: ReadonlyArray<Row>, gutter: number): boolean => {
  const segments = rows.flatMap((row) => row.segments)
  const left = segments.filter((segment) => segment.left < gutter).length
  return Math.min(left, segments.length - left) >= columnRowsMin
}

/** Where the lines of a right column begin that stand beside lines across the gutter. */
const otherSideOf = (rows: ReadonlyArray<Row>, gutter: number): number | undefined => {
  const [first, ...others] = rows.flatMap(({ segments }) => {
    const across = segments.find((segment) => segment.left < gutter && segment.right > gutter)
    const beside = segments.find((segment) => across !== undefined && segment.left > across.right)
    return beside === undefined ? [] : [beside.left]
  })
  return first !== undefined && others.some((left) => Math.abs(left - first) < sameSide) ? first : undefined
}

/**
 * The index of the first of the last rows whose lines on the right begin at `side`, close below one another; their number
 * where those of other rows do, too.
 */
const beginOf = (rows: ReadonlyArray<Row>, side: number, gutter: number): number => {
  let begin = rows.length
  let below: Segment | undefined
  for (let index = rows.length - 1; index >= 0; index--) {
    const right = rows[index]?.segments.filter(({ left }) => left > gutter) ?? []
    const [line, beside] = right
    if (line === undefined) continue
    const isFar = below !== undefined && below.baseline - line.baseline > tightLeading * line.size
    if (beside !== undefined || Math.abs(line.left - side) > sameSide || isFar) break
    begin = index
    below = line
  }
  const isAtSide = ({ left }: Segment): boolean => Math.abs(left - side) <= sameSide
  return rows.slice(0, begin).some(({ segments }) => segments.some(isAtSide)) ? rows.length : begin
}

/**
 * The band apart from what is no column beside the other: the last line of the text above that goes across, and what
 * stands on the right above all of the left side and is written before it, such as the head of a letter.
 */
const withoutOutside = (band: Band, above: Band | undefined, gutter: number): ReadonlyArray<Band> => {
  const last = above === undefined ? undefined : rowsOf(above.segments).at(-1)
  const [first] = rowsOf(band.segments)
  const isEnd = last !== undefined && first !== undefined && endsText(last, first, gutter)
  const segments = isEnd ? band.segments.filter((each) => !first.segments.includes(each)) : band.segments
  const left = segments.filter((segment) => segment.left < gutter)
  const top = least(left, ({ baseline }) => baseline)
  const begin = least(left, ({ order }) => order)
  const isBefore = ({ left: side, baseline, order }: Segment): boolean =>
    side >= gutter && baseline < top && order < begin
  return [
    { segments: [...(isEnd ? first.segments : []), ...segments.filter(isBefore)], isAcross: true },
    { segments: segments.filter((segment) => !isBefore(segment)), isAcross: false },
  ].filter((part) => part.segments.length > 0)
}

const least = (segments: Segments, of: (segment: Segment) => number): number =>
  segments.reduce((found, segment) => Math.min(found, of(segment)), Number.POSITIVE_INFINITY)

/** The row is the last line of the text that the line above it belongs to. */
const endsText = (above: Row, row: Row, gutter: number): boolean => {
  const [line, next] = [above.segments.at(-1), row.segments[0]]
  return (
    line !== undefined &&
    next !== undefined &&
    row.segments.length === 1 &&
    above.segments.length === 1 &&
    next.right < gutter &&
    Math.abs(next.left - line.left) < sameSide &&
    next.words[0]?.order === (line.words.at(-1)?.order ?? Number.NaN) + 1 &&
    Math.abs(next.size - line.size) < sameSize &&
    next.baseline - line.baseline < tightLeading * next.size
  )
}

/** Points. */
const sameSide = 2
const sameSize = 0.6

/** The segment stands on both sides of the gutter, and is not only too long for its column, beside a line of the other one. */
const liesAcross = (segment: Segment, beside: Segment | undefined, gutter: number): boolean =>
  segment.left < gutter &&
  segment.right > gutter &&
  (beside === undefined || beside.left - segment.right >= segment.size)

const columnsOf = (segments: Segments, gutter: number): ReadonlyArray<Segments> => {
  const isLeft = (segment: Segment | undefined): boolean => segment !== undefined && segment.left < gutter
  const left = segments.filter(isLeft)
  const right = segments.filter((segment) => !isLeft(segment))
  const rows = Math.min(rowsOf(left).length, rowsOf(right).length)
  if (rows < columnRowsMin || areLabelled(left, right) || areNumbersBeside(left, right)) return []
  const inOrder = [...segments].sort((a, b) => a.order - b.order)
  const switches = inOrder.filter(
    (segment, index) => index > 0 && isLeft(segment) !== isLeft(inOrder[index - 1]),
  )
  // A text may go on in the first column after the second, as with a footnote.
  const areLines = Math.min(wordsIn(left), wordsIn(right)) >= columnWordsMin
  const isInTurn = switches.length > Math.max(areLines && rows >= textLinesMin ? 2 : 1, switchesMax * rows)
  return isInTurn && !areTexts(left, right) ? [] : [left, right]
}

/** Nearly all on the left are labels with a colon, each beside its value. */
const areLabelled = (left: Segments, right: Segments): boolean => {
  const isBesideValue = besideOf(right)
  const labels = left.filter((label) => isBesideValue(label) && label.words.at(-1)?.text.endsWith(":"))
  return labels.length >= labelledMin * left.length
}

/**
 * On the right there is hardly more than numbers, nearly all beside a text, and most texts have one, as in a list of
 * prices or pages: numbers of lines or verses in the margin stand beside few of them.
 */
const areNumbersBeside = (left: Segments, right: Segments): boolean => {
  const texts = left.filter((segment) => !areFigures(segment))
  const beside = right.filter(besideOf(texts))
  const numbers = beside.filter((segment) => segment.words.length < 3 && areFigures(segment))
  return (
    beside.length >= labelledMin * right.length &&
    numbers.length >= numbersMin * right.length &&
    2 * texts.filter(besideOf(numbers)).length >= texts.length
  )
}

const numbersMin = 0.7

/** Whether a segment stands at the height of one of these. */
const besideOf = (others: Segments): ((segment: Segment) => boolean) => {
  const heights = new Set(others.map(({ baseline }) => Math.round(baseline)))
  return ({ baseline }) => [-1, 0, 1].some((step) => heights.has(Math.round(baseline) + step))
}

const labelledMin = 0.8

/**
 * Both are texts, in whatever order the document writes their lines: long lines, few of which stand beside one another as
 * the cells of a row do; or lines of another size, such as a note at the side.
 */
const areTexts = (left: Segments, right: Segments): boolean => {
  const [long, short] = [rowsOf(left), rowsOf(right)].sort((a, b) => b.length - a.length)
  if (long === undefined || short === undefined || short.length < asideRowsMin) return false
  let at = 0
  const beside = short.filter(({ baseline }) => {
    while (at < long.length && (long[at]?.baseline ?? 0) <= baseline - sameBaseline) at++
    return (long[at]?.baseline ?? Number.POSITIVE_INFINITY) < baseline + sameBaseline
  })
  if (beside.length > besideMax * short.length) return false
  const [own, other] = [left, right].map((segments) => median(segments.map(({ size }) => size)))
  const isAside = Math.min(own ?? 0, other ?? 0) < asideSizeMax * Math.max(own ?? 0, other ?? 0)
  const words = Math.min(wordsIn(left), wordsIn(right))
  return isAside ? words >= asideWordsMin : words >= lineWordsMin && short.length >= textRowsMin
}

/** Of a usual segment. */
const wordsIn = (segments: Segments): number => median(segments.map(({ words }) => words.length))

const asideRowsMin = 5
const asideSizeMax = 0.85
const asideWordsMin = 3
const textRowsMin = 15
const lineWordsMin = 4
const besideMax = 0.5
/** Points. */
const sameBaseline = 1

/** A left and a right column, behind what stands centred above each of them. */
const headedParts = (columns: ReadonlyArray<Segments>): ReadonlyArray<Part> => {
  const headed = withHeads(columns)
  return headed === undefined
    ? columnParts(columns)
    : [...columnParts(headed.heads), ...columnParts(headed.rests)]
}

/** A left and a right column. */
const columnParts = (columns: ReadonlyArray<Segments>): ReadonlyArray<Part> =>
  columns.flatMap((segments, column) => (segments.length === 0 ? [] : [{ segments, column }]))

/**
 * Pairs of columns below one another, left and right in turn: the document writes the left one to its end, then the
 * right one, and goes on below both. One of them has two lines of text at least, three where there are several pairs;
 * what has fewer, as rows of a table have, lies across the gutter. None if no pair has, or, on a page that is not sure to
 * have columns, none has many lines in both.
 */
const pairsOf = (segments: Segments, gutter: number, isSure: boolean): ReadonlyArray<Part> => {
  const columns: Array<Array<Segment>> = []
  const ordered = [...segments].sort((a, b) => a.order - b.order)
  const top = least(
    segments.filter(({ left }) => left < gutter),
    ({ baseline }) => baseline,
  )
  const bodyEnd = isSure ? ordered.length : ordered.findLastIndex(({ baseline }) => baseline >= top) + 1
  for (const segment of ordered.slice(0, bodyEnd)) {
    const side = segment.left < gutter ? 0 : 1
    if (columns.length === 0 && side === 1) return []
    if ((columns.length + 1) % 2 === side) columns.at(-1)?.push(segment)
    else columns.push([segment])
  }
  // The head of a page may be written last.
  const parts: Array<Part> = bodyEnd < ordered.length ? [{ segments: ordered.slice(bodyEnd) }] : []
  let end = Number.NEGATIVE_INFINITY
  let isFound = false
  let isBelieved = isSure
  for (let index = 0; index < columns.length; index += 2) {
    const [left = [], right = []] = columns.slice(index, index + 2)
    const rows = rowsOf([...left, ...right])
    if ((rows[0]?.baseline ?? end) <= end) return []
    end = rows.at(-1)?.baseline ?? end
    const least = columns.length > 2 ? columnRowsMin : 2
    const isPair = right.length > 0 && (linesIn(left) >= least || linesIn(right) >= least)
    isFound ||= isPair
    isBelieved ||= areLong(left) && areLong(right)
    // Below a pair, the left column may go on alone.
    if (isPair || (isFound && right.length === 0)) parts.push(...columnParts([left, right]))
    else parts.push({ segments: [...left, ...right] })
  }
  return isFound && isBelieved ? parts : []
}

/** Many lines of some words that the document writes from above to below: no labels of a chart or cells beside one another. */
const areLong = (segments: Segments): boolean => {
  const words = segments.reduce((sum, segment) => sum + segment.words.length, 0)
  const lines = linesIn(segments)
  const isDownwards = segments.every(
    ({ baseline, size }, index) => baseline > (segments[index - 1]?.baseline ?? baseline) - size,
  )
  return isDownwards && lines >= longLinesMin && words >= longWordsMin * lines
}

const longLinesMin = 8
const longWordsMin = 2.5

/** The lines of a text; 0 for cells, of which some stand beside one another. */
const linesIn = (segments: Segments): number => {
  const rows = rowsOf(segments)
  return rows.length >= linesShareMin * segments.length ? rows.length : 0
}

/** Of the segments, where a line of text may have a gap. */
const linesShareMin = 0.75
