import { mainSize } from "./Blocks.ts"
import { type Segment, segmentsOf } from "./Lines.ts"
import type { Word } from "./Word.ts"

type Words = ReadonlyArray<Word>

/** Lines of the text beside the notes, and of the notes; places where these may begin. */
const textLinesMin = 8
const notesLinesMin = 2
const placesMax = 3
/** Shares of the size of the text: of the notes, and of the room between them and the text. */
const smallMax = 0.88
const roomMin = 0.5
/** Shares of the lines of the text: of those of the notes, and of their width in that of the text; with more they are a column. */
const notesMax = 0.5
const widthMax = 0.6
/** Of the lines of the notes, those beside another one of them, as in a figure. */
const besideMax = 0.2
const lineWordsMin = 2.5
/** Of the lines beside them, those of a text, and its words. */
const besideTextMin = 0.6
const textWordsMin = 5

/**
 * The notes in the margin to the right of the text: few lines in smaller type, beyond all that stands at their heights.
 * Their lines are no part of the lines of text that they stand beside, wherever the document writes them.
 */
export const notesAtRight = (words: Words): Words => {
  const size = mainSize(words)
  const isSmall = (segment: Segment): boolean => segment.size <= smallMax * size
  const segments = segmentsOf(words)
  const small = segments.filter(isSmall)
  const places = [...Map.groupBy(small, ({ left }) => Math.round(left))]
    .filter(([, lines]) => lines.length >= notesLinesMin)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, placesMax)
  for (const [left] of places) {
    const text = segments.filter(
      (segment) => isLong(segment) && !isSmall(segment) && segment.right < left - roomMin * size,
    )
    const edge = text.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY)
    const others = segments.filter((segment) => segment.left > edge && isOfText(segment) && !isSmall(segment))
    const lines = small.filter((segment) => segment.left > edge)
    if (others.length > 0 || !areNotes(lines, text)) continue
    const heights = new Set(lines.flatMap(({ baseline }) => heightsAt(baseline, size)))
    const isAtHeight = ({ baseline }: Segment | Word): boolean => heights.has(Math.floor(baseline))
    if (!areLinesOfText(segments.filter((segment) => segment.right <= edge && isAtHeight(segment)))) continue
    const beside = words.filter(isAtHeight)
    if (!beside.some((word) => word.left <= edge && word.right > edge))
      return beside.filter((word) => word.left > edge)
  }
  return []
}

const isLong = ({ words }: Segment): boolean => words.length >= lineWordsMin

const areNotes = (lines: ReadonlyArray<Segment>, text: ReadonlyArray<Segment>): boolean => {
  if (text.length < textLinesMin || lines.length > notesMax * text.length) return false
  const words = lines.reduce((sum, line) => sum + line.words.length, 0)
  if (words < lineWordsMin * lines.length) return false
  const heights = new Set(lines.map(({ baseline }) => Math.round(baseline)))
  return heights.size >= (1 - besideMax) * lines.length && widthOf(lines) <= widthMax * widthOf(text)
}

const isOfText = ({ words }: Segment): boolean => words.length >= textWordsMin

const areLinesOfText = (segments: ReadonlyArray<Segment>): boolean => {
  const text = segments.filter(isOfText)
  return text.length >= notesLinesMin && text.length >= besideTextMin * segments.length
}

const widthOf = (segments: ReadonlyArray<Segment>): number =>
  segments.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY) -
  segments.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY)

/** The heights of a line, of the one below it, and of two above it, such as a title, in points. */
const heightsAt = (baseline: number, size: number): ReadonlyArray<number> => {
  const line = Math.ceil(Math.min(size, sizeMax))
  return Array.from({ length: 3 * line + 1 }, (_, index) => Math.floor(baseline) + index - 2 * line)
}

/** Text is not larger. */
const sizeMax = 72
