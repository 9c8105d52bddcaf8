import { byReading, edgesOf, interleavedMax, isEvenlySpaced, stretchesOf, tightLeading } from "./Cells.ts"
import { isFigure } from "./figures.ts"
import { aloneGap } from "./oneColumnTable.ts"
import type { Word } from "./Word.ts"

/** Rows beyond the first and the last line have as many lines of text at most. */
const outerLinesMax = 4

/** A line that stands alone goes over the columns at more than this share of the width. */
export const aloneMin = 0.4

export const middleOf = (word: Word): number => word.baseline - 0.3 * word.size

export const crosses = (line: ReadonlyArray<Word>, edges: ReadonlyArray<number>): boolean =>
  line.some(({ left, right }) => edges.some((edge) => left < edge - 1 && right > edge + 1))

/** A line of a justified text: the spaces between columns are as wide as those within them. */
const isJustified = (line: ReadonlyArray<Word>, edges: ReadonlyArray<number>): boolean => {
  const parting = edges.filter(
    (edge) => (line[0]?.left ?? edge) < edge && (line.at(-1)?.right ?? edge) > edge,
  )
  return parting.length > 0 && line.length > parting.length + 1 && isEvenlySpaced(line)
}

export const isOne = (line: ReadonlyArray<Word>): boolean => stretchesOf(line, aloneGap).length === 1

/** A line of text that was drawn out to both sides of its column. */
export const isJustifiedText = (line: ReadonlyArray<Word>): boolean =>
  !isOne(line) &&
  line.length >= justifiedWordsMin &&
  stretchesOf(line, justifiedGap).length === 1 &&
  isEvenlySpaced(line)

const justifiedWordsMin = 4
/** With so many, it is no head either. */
const textWordsMin = 8
/** A share of the size. */
const justifiedGap = 1.5

/** A share of the height of a row. */
const pitchMax = 1.15

/**
 * The row above the first line, or below the last, whose lines stand close together; above rows of which every other
 * one has a colour and is `pitch` points high, a second one, the head. Where the columns are known it may be a high one,
 * of which the end of a page has left a part on the other side.
 */
export const outerRow = (
  words: ReadonlyArray<Word>,
  at: number,
  side: 1 | -1,
  height: number,
  joints: ReadonlyArray<number> | undefined,
  goesBeyond: (line: ReadonlyArray<Word>) => boolean,
  pitch = 0,
): ReadonlyArray<Word> => {
  const near = words.filter(
    (word) =>
      (middleOf(word) - at) * side > 0 && (joints !== undefined || (middleOf(word) - at) * side < 3 * height),
  )
  const lines = [...byReading(near)]
  if (side < 0) lines.reverse()
  const row: Array<Word> = []
  let last = at
  let count = 0
  let hasSecond = false
  for (const [index, line] of lines.entries()) {
    const [word] = line
    if (word === undefined) break
    const distance = Math.abs(word.baseline - last)
    const isWide = !isOne(line)
    if (row[0] !== undefined && word.size > largerMin * row[0].size) break
    if (goesBeyond(line)) break
    if (distance > (index === 0 ? 2.5 : tightLeading) * word.size) {
      const isRow = distance < pitchMax * pitch && isWide
      if (hasSecond || !isRow) break
      hasSecond = true
    }
    if (index === 0 || distance > interleavedMax * word.size) count++
    if (joints !== undefined && (crosses(line, joints) || isJustified(line, joints))) break
    if (joints === undefined && line.length >= textWordsMin && isJustifiedText(line)) break
    if (joints === undefined && count > outerLinesMax) return []
    if (joints === undefined && index > 0 && !isWide && isTitle(line, words)) break
    for (const each of line) row.push(each)
    last = word.baseline
  }
  return row
}

/** Of the lines of a row: a larger one above is a title. */
export const largerMin = 1.15

/**
 * The rows below two lines that hold the head of a table between them, as far as they keep to its columns: the line
 * that ends the table may stand on another page. Rows of figures may have cells that are wider than their heads.
 */
export const rowsBelow = (
  words: ReadonlyArray<Word>,
  top: number,
  at: number,
  joints: ReadonlyArray<number> | undefined,
): ReadonlyArray<Word> => {
  const head = byReading(words.filter((word) => middleOf(word) > top && middleOf(word) < at))
  const below = byReading(words.filter((word) => middleOf(word) > at))
  const edges = joints ?? edgesOf(head)
  const found = rowsBetween(below, at, edges)
  const columns = edges.length + 1
  if (joints !== undefined || columns < figureColumnsMin || columns > figureColumnsMax) return found.flat()
  const ofFigures = rowsOfFigures(below, at, guttersOf(head, edges))
  return (ofFigures.length > found.length ? ofFigures : found).flat()
}

/** The first lines below a height that are close to one another and rows of a table. */
const rowsWhile = (
  lines: ReadonlyArray<ReadonlyArray<Word>>,
  at: number,
  isRow: (
    line: ReadonlyArray<Word>,
    stretches: ReturnType<typeof stretchesOf>,
    above: ReadonlyArray<Word>,
  ) => boolean,
): ReadonlyArray<ReadonlyArray<Word>> => {
  const found: Array<ReadonlyArray<Word>> = []
  let last = at
  for (const line of lines) {
    const [first] = line
    if (first === undefined || first.baseline - last > rowLeadingMax * first.size) break
    if (found.length === rowsBelowMax || !isRow(line, stretchesOf(line, aloneGap), found.at(-1) ?? [])) break
    found.push(line)
    last = first.baseline
  }
  return found
}

/** The lines below a height, as far as none goes over a place between columns. */
const rowsBetween = (
  lines: ReadonlyArray<ReadonlyArray<Word>>,
  at: number,
  edges: ReadonlyArray<number>,
): ReadonlyArray<ReadonlyArray<Word>> =>
  rowsWhile(lines, at, (line, stretches, above) => {
    if (stretches.some(({ left, right }) => edges.some((edge) => left < edge - 1 && right > edge + 1)))
      return false
    return stretches.length > 1 || goesOn(above, line)
  })

const figureColumnsMin = 3
/** Each stretch looks at the room between all columns. */
const figureColumnsMax = 100
const figureRowsMin = 4
/** Share of the columns. */
const filledMin = 0.6

/** Where it begins and ends. */
type Gutter = [from: number, to: number]

/** The lines below a height with figures in nearly all columns, each of which leaves some of the room between these. */
const rowsOfFigures = (
  lines: ReadonlyArray<ReadonlyArray<Word>>,
  at: number,
  gutters: ReadonlyArray<Gutter>,
): ReadonlyArray<ReadonlyArray<Word>> => {
  const found = rowsWhile(lines, at, (line, stretches) => {
    if (stretches.length < filledMin * (gutters.length + 1)) return false
    if (stretches.some(({ left, right }) => gutters.some(([from, to]) => left < from && right > to)))
      return false
    if (!line.slice(1).some(isFigure)) return false
    for (const stretch of stretches) narrow(gutters, stretch)
    return true
  })
  return found.length < figureRowsMin ? [] : found
}

/** The room between the columns of these lines. */
const guttersOf = (
  lines: ReadonlyArray<ReadonlyArray<Word>>,
  edges: ReadonlyArray<number>,
): ReadonlyArray<Gutter> =>
  edges.map((edge) => {
    const gutter: Gutter = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (const { left, right } of lines.flat()) {
      if (left < edge) gutter[0] = Math.max(gutter[0], Math.min(right, edge))
      else gutter[1] = Math.min(gutter[1], left)
    }
    return gutter
  })

const narrow = (
  gutters: ReadonlyArray<Gutter>,
  { left, right }: { readonly left: number; readonly right: number },
): void => {
  for (const gutter of gutters) {
    const [from, to] = gutter
    if (left < from && right > from) gutter[0] = Math.min(right, to)
    if (right > to && left < to) gutter[1] = Math.max(left, from)
  }
}

/** The line goes on with the cell above it: it stands close below the word that the document has before it. */
const goesOn = (above: ReadonlyArray<Word>, [first]: ReadonlyArray<Word>): boolean => {
  const before = above.find(({ order }) => first !== undefined && order + 1 === first.order)
  return (
    before !== undefined &&
    first !== undefined &&
    before.left >= first.left - 1 &&
    before.left < first.left + beside * first.size &&
    first.baseline - before.baseline <= tightLeading * first.size
  )
}

const beside = 20

const rowLeadingMax = 3.2
const rowsBelowMax = 200

/** A line above a row is its title where it goes over most of the width. */
const isTitle = (line: ReadonlyArray<Word>, words: ReadonlyArray<Word>): boolean => {
  const width = (list: ReadonlyArray<Word>): number =>
    list.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY) -
    list.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY)
  return width(line) > aloneMin * width(words)
}
