import { tightLeading } from "./Cells.ts"
import { isCaption } from "./captions.ts"
import type { Row, Segment } from "./Lines.ts"
import { guttersAt, type PartedRow, partedBy, textsOf } from "./partedRows.ts"
import { partsByBands } from "./rowBands.ts"
import { sentenceEnd } from "./sentences.ts"

type Segments = ReadonlyArray<Segment>

/** Texts beside one another, the rows of them, and the lines of a caption. */
const textsMax = 8
const rowsMax = 60
const captionLinesMax = 6
/** A share of the size: the height from row to row. */
const leadingMax = 3.2
/** A share of the least height from row to row. */
const sameLeading = 1.1
/** Points. */
const sameSize = 0.6
const captionWordsMin = 3
const labelWordsMax = 6

/** What stands in one text, or above or below it: `isWrapped` where its lines are those of paragraphs. */
interface Part {
  readonly segments: Segments
  readonly isWrapped: boolean
}

/**
 * The segments of a column, with texts beside one another as parts of their own that the document writes row by row, and
 * that begin alike in a row: as the captions of two figures do, and the signatures of two parties, which have the same
 * labels.
 */
export const withAlikeBeside = (segments: Segments): ReadonlyArray<Part> =>
  partsByBands(segments, (rows, at, first) => signaturesAt(rows, at, first) ?? captionsAt(rows, at)).map(
    (part) => ({ segments: part.segments, isWrapped: part.band?.areCaptions ?? false }),
  )

/** The rows from one to another, by texts. */
interface Band {
  readonly from: number
  readonly to: number
  readonly texts: ReadonlyArray<Segments>
  readonly areCaptions: boolean
}

/** The texts around rows with the same labels, `first` being the first row that may be theirs. */
const signaturesAt = (rows: ReadonlyArray<Row>, at: number, first: number): Band | undefined => {
  const begin = rows[at]
  const starts = begin === undefined ? [] : labelledIn(begin)
  if (begin === undefined || starts.length < 2) return undefined
  const found: Array<PartedRow> = []
  let gutters = guttersAt(begin, starts)
  const takes = (row: Row | undefined, gap: number): PartedRow | undefined => {
    const parted = row !== undefined && gap <= leadingMax * row.size ? partedBy(row, gutters) : undefined
    gutters = parted?.gutters ?? gutters
    return parted
  }
  const gapAt = (index: number): number => (rows[index]?.baseline ?? 0) - (rows[index - 1]?.baseline ?? 0)
  let [to, labelled, leading] = [at, 0, Number.POSITIVE_INFINITY]
  for (let index = at; index < at + rowsMax; index++) {
    const gap = index > at ? gapAt(index) : 0
    const row = rows[index]
    const parted = takes(row, gap)
    if (row === undefined || parted === undefined) break
    found.push(parted)
    if (labelledIn(row).length === starts.length) labelled++
    if (isFull(parted) || gap <= leading) to = index + 1
    if (gap > 0) leading = Math.min(leading, sameLeading * gap)
  }
  if (labelled < 2) return undefined
  found.splice(to - at)
  let from = at
  while (from > first && from > at - rowsMax) {
    const parted = takes(rows[from - 1], gapAt(from))
    if (parted === undefined || !isFull(parted)) break
    found.unshift(parted)
    from--
  }
  return { from, to, texts: textsOf(found), areCaptions: false }
}

/** The texts of a row of captions, with the lines below it that they go on in. */
const captionsAt = (rows: ReadonlyArray<Row>, at: number): Band | undefined => {
  const begin = rows[at]
  const starts = begin === undefined ? [] : captionsIn(begin)
  if (begin === undefined || starts.length < 2) return undefined
  const found: Array<PartedRow> = []
  let gutters = guttersAt(begin, starts)
  for (let index = at; index < at + captionLinesMax; index++) {
    const [row, above] = [rows[index], rows[index - 1]]
    if (row === undefined) break
    const parted = partedBy(row, gutters)
    if (parted === undefined) break
    if (index > at && !(isNear(above, row) && goOn(found, parted))) break
    found.push(parted)
    gutters = parted.gutters
  }
  if (found.length === 0) return undefined
  return { from: at, to: at + found.length, texts: textsOf(found), areCaptions: true }
}

const isNear = (above: Row | undefined, row: Row): boolean =>
  above !== undefined &&
  row.baseline - above.baseline <= tightLeading * row.size &&
  Math.abs(row.size - above.size) < sameSize

/** Each caption has one line in the row at most, and is not over before it. */
const goOn = (found: ReadonlyArray<PartedRow>, { texts }: PartedRow): boolean =>
  texts.every((text, column) => {
    const last = found.findLast(({ texts: above }) => (above[column]?.length ?? 0) > 0)?.texts[column]
    const isOver = sentenceEnd.test(last?.at(-1)?.words.at(-1)?.text ?? "")
    return text.length === 0 || (text.length === 1 && !isOver)
  })

const isFull = ({ texts }: PartedRow): boolean => texts.every(({ length }) => length > 0)

/** The segments that begin a text, by their places in the row: all have the label of the first one. */
const labelledIn = ({ segments }: Row): ReadonlyArray<number> => {
  const [first, ...others] = segments.map(labelOf)
  if (first === undefined || !others.includes(first)) return []
  return [0, ...others.flatMap((label, index) => (label === first ? [index + 1] : []))].slice(0, textsMax)
}

/** What stands before a colon or a line to write on; undefined where there is neither. */
const labelOf = ({ words }: Segment): string | undefined => {
  const text = words
    .slice(0, labelWordsMax)
    .map((word) => word.text)
    .join(" ")
  return (
    /^(\p{L}[^_:]{0,40}?) ?(?::(?![/:])|___)/u.exec(text)?.[1] ?? (text.startsWith("_____") ? "" : undefined)
  )
}

const captionsIn = ({ segments }: Row): ReadonlyArray<number> => {
  const starts = segments.flatMap(({ words }, index) => (isCaption(words) ? [index] : []))
  const wordsFrom = (start: number, at: number): number =>
    segments.slice(start, starts[at + 1]).reduce((sum, { words }) => sum + words.length, 0)
  const areTexts = starts[0] === 0 && starts.every((start, at) => wordsFrom(start, at) >= captionWordsMin)
  return areTexts && starts.length <= textsMax ? starts : []
}
