import type { Row, Segment } from "./Lines.ts"
import { partsByBands } from "./rowBands.ts"
import type { Word } from "./Word.ts"

type Segments = ReadonlyArray<Segment>

/** What is typed below one another to part two texts, with the bracket that it closes elsewhere. */
const openOf: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
  [":", ""],
  ["§", ""],
])
const signsMin = 4
const linesMin = 2
/** Points. */
const samePlace = 2
const indentMin = 18
/** A share of the size: the height between two of the signs. */
const leadingMax = 2.6
/** Of the rows: labels have their values beside more of their colons. */
const besideColonsMax = 0.5

/** What stands at one side of such a column, or above or below it. */
interface SidePart {
  readonly segments: Segments
  readonly isSide: boolean
}

/**
 * The segments of a page, with the texts at both sides of a column of brackets, colons or section signs as parts of their
 * own, without these signs. So stand the parties of a case on the left, and its court and number on the right.
 */
export const withSignColumns = (segments: Segments): ReadonlyArray<SidePart> => {
  // The rows of a column are looked at once.
  let seen = 0
  return partsByBands(segments, (rows, from) => {
    if (from < seen) return undefined
    const column = columnAt(rows, from)
    seen = from + column.length
    if (column.length === 0 || !isDivider(column)) return undefined
    const textAt = (side: "left" | "right"): Segments => column.flatMap((row) => row[side])
    return { from, to: seen, texts: [textAt("left"), textAt("right")] }
  }).map((part) => ({ segments: part.segments, isSide: part.band !== undefined }))
}

/** A row with the sign at its place, or nothing across that. */
interface PartedRow {
  readonly left: Segments
  readonly right: Segments
  readonly sign?: string
  /** It stands at the end of a text. */
  readonly isBehind?: boolean
}

/** The rows from this one to the last with the sign that it has. */
const columnAt = (rows: ReadonlyArray<Row>, from: number): ReadonlyArray<PartedRow> => {
  const sign = rows[from]?.segments.flatMap(({ words }) => words).find(({ text }) => openOf.has(text))
  const found: Array<PartedRow> = []
  if (sign === undefined) return found
  let length = 0
  let last = sign.baseline
  for (let index = from; index < rows.length; index++) {
    const row = rows[index]
    const parted = row && partedAt(row, sign)
    if (row === undefined || parted === undefined || row.baseline - last > leadingMax * row.size) break
    found.push(parted)
    if (parted.sign === undefined) continue
    length = found.length
    last = row.baseline
  }
  return found.slice(0, length)
}

/** Undefined where something lies across the place of the sign. */
const partedAt = ({ segments }: Row, sign: Word): PartedRow | undefined => {
  const left: Array<Segment> = []
  const right: Array<Segment> = []
  let own: { readonly sign: string; readonly isBehind: boolean } | undefined
  for (const segment of segments) {
    const { words } = segment
    const at = words.findIndex(({ text, left: begin }) => {
      return text === sign.text && Math.abs(begin - sign.left) < samePlace
    })
    if (at >= 0) {
      own = { sign: sign.text, isBehind: at > 0 }
      for (const part of partOf(segment, words.slice(0, at))) left.push(part)
      for (const part of partOf(segment, words.slice(at + 1))) right.push(part)
    } else if (segment.table === undefined && segment.right <= sign.left) left.push(segment)
    else if (segment.table === undefined && segment.left >= sign.right) right.push(segment)
    else return undefined
  }
  return { left, right, ...own }
}

const partOf = (segment: Segment, words: ReadonlyArray<Word>): Segments => {
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined) return []
  return [{ ...segment, words, left: first.left, right: last.right, order: first.order }]
}

/** There are texts at both sides, none of its brackets closes one on its left, and its colons are not those of labels. */
const isDivider = (column: ReadonlyArray<PartedRow>): boolean => {
  const signed = column.filter(({ sign }) => sign !== undefined)
  if (signed.length < signsMin || column.filter(({ left }) => hasText(left)).length < linesMin) return false
  if (!column.some(({ right }) => hasText(right)) || signed.some(closesBracket)) return false
  return signed[0]?.sign !== ":" || !areLabels(signed)
}

/** The colons stand right behind texts, beside values, or behind texts that begin below one another. */
const areLabels = (signed: ReadonlyArray<PartedRow>): boolean => {
  const beside = signed.filter(({ right }) => right.length > 0)
  const lefts = signed.flatMap(({ left: [first] }) => (first === undefined ? [] : [first.left]))
  return (
    beside.length > besideColonsMax * signed.length ||
    signed.some(({ isBehind }) => isBehind) ||
    lefts.every((left) => Math.abs(left - (lefts[0] ?? left)) < indentMin)
  )
}

const hasText = (segments: Segments): boolean =>
  segments.some(({ words }) => words.some(({ text }) => /\p{L}{2}/u.test(text)))

const closesBracket = ({ left, sign = "" }: PartedRow): boolean => {
  const open = openOf.get(sign) ?? ""
  const letters = left.flatMap(({ words }) => words.flatMap(({ text }) => [...text]))
  const depth =
    letters.filter((each) => each === open).length - letters.filter((each) => each === sign).length
  return depth > 0
}
