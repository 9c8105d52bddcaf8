import { isEvenlySpaced, median } from "./Cells.ts"
import { fromLeftToRight } from "./fromLeftToRight.ts"
import type { PlacedTable } from "./Grid.ts"
import { isEntry, withoutLeaders } from "./Leaders.ts"
import { isParagraphSign, mayBeMark, mayBeMarkOf } from "./ListMark.ts"
import type { Word } from "./Word.ts"

/** Words beside one another, without a gap that could separate columns. */
export interface Segment {
  readonly words: ReadonlyArray<Word>
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  /** Its place in the order of the document. */
  readonly order: number
  /** A table that was found before, in place of words; it is a row of its own. */
  readonly table?: PlacedTable
}

/** Segments at one height, from left to right. */
export interface Row {
  readonly segments: ReadonlyArray<Segment>
  readonly baseline: number
  readonly size: number
}

/** A wider gap, as a share of the size, separates segments. */
const gapMax = 1
/** Baselines that differ by less, as a share of the size, are one. */
const sameBaselineMax = 0.35

export const segmentsOf = (words: ReadonlyArray<Word>): ReadonlyArray<Segment> => {
  const runs: Array<Run> = []
  for (const word of words) {
    const run = runs.at(-1)
    const first = run?.words[0]
    if (run !== undefined && first !== undefined && isBeside(run, first.baseline, word)) {
      run.words.push(word)
      run.left = Math.min(run.left, word.left)
      run.right = Math.max(run.right, word.right)
      run.size = Math.max(run.size, word.size)
    } else runs.push({ words: [word], left: word.left, right: word.right, size: word.size })
  }
  return withJustified(runs).map((run) => {
    const [first] = run.words
    const words = fromLeftToRight(run.words)
    // A small mark before the words may be raised.
    const { baseline = 0 } = run.words.find(({ size }) => size >= markSizeMax * run.size) ?? {}
    return { ...run, words, baseline, order: first?.order ?? 0 }
  })
}

/** A share of the size. */
const markSizeMax = 0.85

interface Run {
  readonly words: Array<Word>
  left: number
  right: number
  size: number
}

/**
 * The runs, with those as one that are a line of a justified text, whose spaces are wide and all alike: a line shortly
 * above or below it, such as one of the text below a title, goes as far to both sides.
 */
const withJustified = (runs: ReadonlyArray<Run>): ReadonlyArray<Run> => {
  const lines: Array<Array<Run>> = []
  for (const run of runs) {
    const line = lines.at(-1)
    if (line !== undefined && isBehind(line.at(-1), run)) line.push(run)
    else lines.push([run])
  }
  if (lines.length === runs.length) return runs
  const wholes = lines.map(lineOf)
  return lines.flatMap((line, index) => {
    const whole = wholes[index]
    const isJustified =
      line.length > 1 &&
      whole !== undefined &&
      whole.words.length >= justifiedWordsMin &&
      isEvenlySpaced(whole.words) &&
      [-1, 1, -2, 2, -3, 3]
        .map((offset) => index + offset)
        .some(
          (at) =>
            goAsFar(whole, wholes[at]) &&
            (widestGap(line) <= justifiedGapMax * whole.size || isText(lines[at] ?? [])),
        )
    return isJustified ? [whole] : line
  })
}

const widestGap = (runs: ReadonlyArray<Run>): number =>
  runs.reduce((most, { left }, index) => Math.max(most, left - (runs[index - 1]?.right ?? left)), 0)

/** A line of words, whose gaps are hardly wider than those that part no cells. */
const isText = (runs: ReadonlyArray<Run>): boolean => {
  const words = runs.reduce((sum, run) => sum + run.words.length, 0)
  return words >= justifiedWordsMin && widestGap(runs) <= textGapMax * (runs[0]?.size ?? 0)
}

/** A share of the size. */
const textGapMax = 1.5

const lineOf = (runs: ReadonlyArray<Run>): Run => {
  const words = runs.flatMap((run) => run.words)
  const [left, right] = [words[0]?.left ?? 0, words.at(-1)?.right ?? 0]
  return { words, left, right, size: runs.reduce((most, { size }) => Math.max(most, size), 0) }
}

const goAsFar = (line: Run, beside: Run | undefined): boolean =>
  beside !== undefined &&
  Math.abs(beside.left - line.left) < sameSide &&
  Math.abs(beside.right - line.right) < sameSide

/** Points. */
const sameSide = 1.5
const justifiedWordsMin = 3
/** Shares of the size: in a line of few words it is wider where the line beside it is surely text. */
const justifiedGapMax = 4
const widestGapMax = 12

const isBehind = (before: Run | undefined, run: Run | undefined): boolean => {
  const [last, first] = [before?.words.at(-1), run?.words[0]]
  if (last === undefined || first === undefined || last.order + 1 !== first.order) return false
  const gap = first.left - last.right
  const isLevel = Math.abs(first.baseline - last.baseline) <= sameBaselineMax * first.size
  return isLevel && gap > 0 && gap <= widestGapMax * first.size
}

/** A table among the segments of its page. */
export const tableSegment = (table: PlacedTable): Segment => {
  const words = [...table.words]
  const size = median(words.map((word) => word.size))
  const order = words.reduce((least, word) => Math.min(least, word.order), Number.POSITIVE_INFINITY)
  return { words: [], left: table.left, right: table.right, baseline: table.top + size, size, order, table }
}

const isBeside = (
  run: { readonly left: number; readonly right: number; readonly size: number },
  baseline: number,
  word: Word,
): boolean => {
  const size = Math.max(run.size, word.size)
  const gap = Math.max(word.left - run.right, run.left - word.right)
  return Math.abs(word.baseline - baseline) <= sameBaselineMax * size && gap <= gapMax * size && gap >= -size
}

/** From top to bottom. */
export const rowsOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Row> => {
  const rows: Array<{ readonly segments: Array<Segment>; readonly baseline: number; size: number }> = []
  for (const segment of [...segments].sort((a, b) => a.baseline - b.baseline || a.order - b.order)) {
    const row = rows.at(-1)
    const tolerance = sameBaselineMax * Math.min(segment.size, row?.size ?? 0)
    const isApart = segment.table !== undefined || row?.segments[0]?.table !== undefined
    if (row !== undefined && !isApart && segment.baseline - row.baseline <= tolerance) {
      row.segments.push(segment)
      row.size = Math.max(row.size, segment.size)
    } else rows.push({ segments: [segment], baseline: segment.baseline, size: segment.size })
  }
  return rows.map((row) => {
    const segments = withFilledGaps(row.segments.sort((a, b) => a.left - b.left))
    return { ...row, segments: asColumns(withMark(segments)) }
  })
}

/** Segments from left to right, with those that stand in a gap between the words of the one before as a part of it. */
const withFilledGaps = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const filled: Array<Segment> = []
  for (const segment of segments) {
    const last = filled.at(-1)
    if (last !== undefined && standsWithin(segment, last))
      filled[filled.length - 1] = { ...last, words: fromLeftToRight([...last.words, ...segment.words]) }
    else filled.push(segment)
  }
  return filled
}

const standsWithin = ({ words, left, right, table }: Segment, outer: Segment): boolean =>
  table === undefined &&
  outer.table === undefined &&
  right <= outer.right &&
  words.length <= insertedWordsMax &&
  outer.words.length <= outerWordsMax &&
  outer.words.every((word) => {
    const overlap = Math.min(word.right, right) - Math.max(word.left, left)
    return overlap < insertedOverlapMax * word.size
  })

const insertedWordsMax = 3
const outerWordsMax = 100
/** A share of the size. */
const insertedOverlapMax = 0.1

const number = /^[\p{Sc}(+–—-]*(?:[.,]?\d|[–—-]$)/u

/** In a row of several numbers, the dots that lead to the first of them are a gap between columns. */
const asColumns = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const [first, ...rest] = segments
  // A numbered entry of a table of contents may stand beside another one.
  const isNumber = ({ words }: Segment): boolean => number.test(words[0]?.text ?? "") && !isEntry(words)
  if (first === undefined || !rest.every(isNumber)) return segments
  const words = rest.length === 0 ? first.words : withoutLeaders(first.words)
  if (words.length === first.words.length) return segments
  const parts = segmentsOf(words)
  // With one number, it is an entry of a table of contents.
  const isTable =
    parts.length < 3 &&
    parts.length + rest.length > 2 &&
    parts.slice(1).every((part) => number.test(part.words[0]?.text ?? ""))
  return isTable ? [...parts, ...rest] : segments
}

const markGapMax = 4
/** At the right side of a column; the document writes the text of the next one elsewhere. */
const equationNumber = /^\(\d+\)$/

/** The mark of an item stands apart from its text, like a column of its own. */
const withMark = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const [mark, text, ...rest] = segments
  if (mark === undefined || text === undefined) return segments
  const joined = { ...text, words: [...mark.words, ...text.words], left: mark.left }
  if (rest.length === 0 && isParagraphSign(mark.words)) return [joined]
  if (mark.words.length > 1) return segments
  const sign = mark.words[0]?.text ?? ""
  const isMark = mayBeMark(sign) || (rest.length === 0 && mayBeMarkOf(sign, text.words[0]?.text ?? ""))
  if (!isMark) return segments
  if (text.left - mark.right > markGapMax * text.size) return segments
  if (equationNumber.test(sign) && text.order !== mark.order + 1) return segments
  return [joined, ...rest]
}
