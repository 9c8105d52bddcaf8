import { firstWhere } from "../firstWhere.ts"
import { rowsOfCentred } from "./centredRows.ts"
import {
  areFigures,
  isFigure,
  isNumber,
  isNumberSign,
  type Piece,
  signBefore,
  signBehind,
} from "./figures.ts"
import { isLabelOfGroup, labelsOfGroups } from "./groupLabels.ts"
import { joinWords, type Spans } from "./joinWords.ts"
import { withoutLeaderAtEnd } from "./Leaders.ts"
import { isSign } from "./ListMark.ts"
import { isRightToLeft } from "./rightToLeft.ts"
import { sentenceEnd } from "./sentences.ts"
import { areMono, type Word } from "./Word.ts"
import { withWrappedLabels } from "./wrappedLabels.ts"
import { withWrappedTexts } from "./wrappedTexts.ts"

const sameBaselineMax = 0.35

export const byReading = (words: ReadonlyArray<Word>): ReadonlyArray<ReadonlyArray<Word>> => {
  const lines: Array<Array<Word>> = []
  for (const word of [...words].sort((a, b) => a.baseline - b.baseline || a.left - b.left)) {
    const line = lines.at(-1)
    const [first] = line ?? []
    if (line !== undefined && first !== undefined) {
      const near = sameBaselineMax * Math.min(first.size, word.size)
      if (word.baseline - first.baseline <= near) {
        line.push(word)
        continue
      }
    }
    lines.push([word])
  }
  for (const line of lines) line.sort((a, b) => a.left - b.left)
  return lines
}

/** The words of a cell, line by line. */
export const cellOf = (words: ReadonlyArray<Word>): Spans => joinCell(byReading(words).map(asWritten))

/** The lines of a cell as one text; the longest may be one word that the cell has no room for. */
const joinCell = (lines: ReadonlyArray<ReadonlyArray<Word>>): Spans => {
  const widths = lines.map((line) => (line.at(-1)?.right ?? 0) - (line[0]?.left ?? 0))
  const most = widths.reduce((widest, width) => Math.max(widest, width), 0)
  return joinWords(
    lines.map((words, index) => ({
      words,
      isFilled: words.length === 1 && (widths[index] ?? 0) > filledMin * most,
    })),
  )
}

/** A share of the longest line. */
const filledMin = 0.9

/**
 * The words of a line from left to right, or as the document writes them where some are written from right to left;
 * without the dots that lead to the next cell.
 */
const asWritten = (line: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  line.some(({ text }) => isRightToLeft(text.codePointAt(0) ?? 0))
    ? line.toSorted((a, b) => a.order - b.order)
    : withoutLeaderAtEnd(line)

/**
 * The lines of the cells of every column, from top to bottom. `edges` are the places between columns. `areNarrow`: they
 * are no wider apart than words.
 */
export const piecesOf = (
  words: ReadonlyArray<Word>,
  edges: ReadonlyArray<number>,
  areNarrow = false,
): ReadonlyArray<Piece> =>
  byReading(words).flatMap((line) => {
    const pieces: Array<{ words: Array<Word>; column: number; baseline: number; size: number }> = []
    const areBefore = areSignsBefore(line)
    let last: Word | undefined
    for (const [index, word] of line.entries()) {
      const next = line[index + 1]
      const isOfNext =
        areBefore && signBefore.test(word.text) && next !== undefined && isFigure(next) && !isNumberSign(next)
      const { left, right } = isOfNext ? next : word
      const column = columnAt(edges, (left + right) / 2)
      const piece = pieces.at(-1)
      // What goes on across an edge, without a gap, stands in the column where it begins.
      const isNear = last !== undefined && !isOfNext && isBeside(last, word, areNarrow)
      const own = isNear || isOfNext ? column : columnOfText(line, index, column, edges, areNarrow)
      const goesOn = last !== undefined && (piece?.column === own || isNear)
      if (piece !== undefined && goesOn) {
        piece.words.push(word)
        piece.size = Math.max(piece.size, word.size)
      } else pieces.push({ words: [word], column: own, baseline: word.baseline, size: word.size })
      last = word
    }
    return pieces
  })

/**
 * The column of the text that begins with a word of a line, in which that stands: the next one, where the text only begins
 * before it and ends in it, as a head may that is centred over its numbers and the room of their sign.
 */
const columnOfText = (
  line: ReadonlyArray<Word>,
  begin: number,
  column: number,
  edges: ReadonlyArray<number>,
  areNarrow: boolean,
): number => {
  const [first, edge] = [line[begin], edges[column]]
  if (first === undefined || edge === undefined || column === 0 || isFigure(first)) return column
  let right = first.right
  for (let at = begin + 1; at < line.length; at++) {
    const [word, before] = [line[at], line[at - 1]]
    if (word === undefined || before === undefined) break
    if (!isBeside(before, word, areNarrow)) break
    right = word.right
  }
  const outside = edge - first.left
  const isOfNext = right <= (edges[column + 1] ?? right) && outside < outsideMax * (right - first.left)
  return isOfNext ? column + 1 : column
}

/** The share of a text that may stand before its column. */
const outsideMax = 0.3

/** The word goes on with the text before it. */
const isBeside = (before: Word, word: Word, areNarrow: boolean): boolean =>
  word.left - before.right < gapOf(before, word) * word.size && !(areNarrow && beginsCell(word, before))

/** The word begins a cell beside the one that stands before it, however near that is: no space is written between them. */
export const beginsCell = (word: Word, before: Word): boolean =>
  word.beginsApart === true && word.isUnspaced !== true && word.left - before.right >= roomMin * word.size

/** A share of the size: the least room between columns. */
export const roomMin = 0.12

/** A share of the size: what is nearer goes on across the place between columns; numbers come nearer to one another. */
const gapOf = (last: Word, word: Word): number =>
  isNumber(last) && isNumber(word) && !/[,:]$/.test(last.text) ? 0.3 : 0.45

export const columnAt = (edges: ReadonlyArray<number>, x: number): number =>
  firstWhere(edges.length, (index) => (edges[index] ?? 0) >= x)

/** As a share of the size. */
const gutterMin = 0.5

/**
 * The places between columns: where words stand on both sides and none across, but for a few lines such as a title
 * over several columns.
 */
export const edgesOf = (
  lines: ReadonlyArray<ReadonlyArray<Word>>,
  gap: number = gutterMin,
): ReadonlyArray<number> => {
  const widths = interleaved(lines).map((line) => stretchesOf(line, gap))
  const most = widths.reduce((sum, { length }) => Math.max(sum, length), 0)
  const full = widths.filter(({ length }) => length * 2 > most)
  const crossedMax = Math.floor(full.length / 8)
  const ends = full
    .flat()
    .flatMap(({ left, right }) => [
      { at: left, change: 1 },
      { at: right, change: -1 },
    ])
    .sort((a, b) => a.at - b.at || b.change - a.change)
  const size = median(lines.flat().map(gapSize))
  const gaps: Array<Stretch> = []
  let open: number | undefined
  let covered = 0
  let seen = 0
  for (const { at, change } of ends) {
    if (open !== undefined && change > 0 && covered + 1 > crossedMax) {
      if (at - open >= gap * size) gaps.push({ left: open, right: at })
      open = undefined
    }
    covered += change
    if (change > 0) seen++
    if (change < 0 && covered <= crossedMax && open === undefined && seen > crossedMax) open = at
  }
  const stretches = full.flat().sort((a, b) => a.left - b.left)
  let next = 0
  const edges = gaps.flatMap((parting) => {
    const inside: Array<Stretch> = []
    for (; next < stretches.length && (stretches[next]?.left ?? 0) < parting.right; next++) {
      const stretch = stretches[next]
      if (stretch !== undefined) inside.push(stretch)
    }
    return edgesIn(parting, inside, gap * size)
  })
  return withoutSignColumns(edges, lines)
}

/** Each of them looks at all lines. */
const signColumnsMax = 200

/** A sign of a currency, and that of a share or of a loss, is a part of the number beside it, however far away it stands. */
export const withoutSignColumns = (
  edges: ReadonlyArray<number>,
  lines: ReadonlyArray<ReadonlyArray<Word>>,
): ReadonlyArray<number> => {
  if (edges.length === 0 || edges.length > signColumnsMax) return edges
  if (!lines.some((line) => line.some(isNumberSign))) return edges
  const rows = lines.map((line) => {
    const row = new Map<number, ReadonlyArray<Word>>()
    for (const { column, words } of piecesOf(line, edges)) row.set(column, words)
    return row
  })
  /** From the first on nothing but signs, some beside a number: a head may stand above. */
  const isOf = (column: number, sign: RegExp, beside: number): boolean => {
    const isSigns = (words: ReadonlyArray<Word> | undefined): boolean =>
      words?.every(({ text }) => sign.test(text)) === true
    const from = rows.findIndex((row) => isSigns(row.get(column)))
    if (from < 0) return false
    const below = rows.slice(from).filter((row) => row.has(column))
    return (
      below.every((row) => isSigns(row.get(column))) &&
      below.some((row) => isNumberWithout(row.get(beside), sign))
    )
  }
  const isEmpty = (column: number): boolean => rows.every((row) => !row.has(column))
  const wordsIn = (column: number): ReadonlyArray<Word> => rows.flatMap((row) => row.get(column) ?? [])
  const overlapOf = (column: number, other: number): number => {
    const [heads, others] = [stretchOf(wordsIn(column)), stretchOf(wordsIn(other))]
    return Math.min(heads.right, others.right) - Math.max(heads.left, others.left)
  }
  /** It holds nothing but the head above numbers that have none otherwise, and the room of a sign before them. */
  const isHeadOf = (column: number, beside: number): boolean => {
    const own = overlapOf(column, beside)
    if (own <= 0 || own < overlapOf(column, 2 * column - beside)) return false
    const areNumbers = (row: ReadonlyMap<number, ReadonlyArray<Word>>): boolean =>
      row.get(beside)?.every(isFigure) === true
    const first = rows.findIndex(areNumbers)
    const numbers = rows.filter(areNumbers)
    return (
      numbers.length >= headedMin &&
      rows.every((row, index) =>
        index < first
          ? !row.has(column) || !row.has(beside)
          : !row.has(column) && (!row.has(beside) || areNumbers(row)),
      )
    )
  }
  return edges.filter(
    (_, index) =>
      !isEmpty(index) &&
      !isOf(index, signBefore, index + 1) &&
      !isOf(index + 1, signBehind, index) &&
      !isHeadOf(index, index + 1) &&
      !isHeadOf(index + 1, index),
  )
}

/** A number that may have another sign, and has none of these. */
const isNumberWithout = (words: ReadonlyArray<Word> | undefined, sign: RegExp): boolean =>
  words?.every((word) => isFigure(word) && !sign.test(word.text)) === true &&
  words.some((word) => !isNumberSign(word))

/** Numbers below one another. */
const headedMin = 3

const stretchOf = (words: ReadonlyArray<Word>): Stretch => ({
  left: words.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY),
  right: words.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
})

/** A line holds an amount whose sign stands apart. */
export const hasAmount = (line: ReadonlyArray<Word>): boolean =>
  line.some((word, index) => {
    const before = line[index - 1]
    return before !== undefined && signBefore.test(before.text) && isNumber(word)
  })

/**
 * The middle of a gap between columns; more where a column of few entries stands in it: two of them or more, apart from
 * what stands on both sides.
 */
const edgesIn = (
  { left, right }: Stretch,
  fromLeft: ReadonlyArray<Stretch>,
  room: number,
): ReadonlyArray<number> => {
  const columns: Array<Stretch & { count: number }> = []
  for (const stretch of fromLeft) {
    if (stretch.left < left + room || stretch.right > right - room) continue
    const last = columns.at(-1)
    if (last !== undefined && stretch.left - last.right < room) {
      last.right = Math.max(last.right, stretch.right)
      last.count++
    } else columns.push({ ...stretch, count: 1 })
  }
  const sides = [{ left, right: left }, ...columns.filter(({ count }) => count > 1), { left: right, right }]
  return sides.slice(1).map((side, index) => ((sides[index]?.right ?? left) + side.left) / 2)
}

/** Lines of one cell are closer than this share of the size. */
export const tightLeading = 1.75

/** Lines that are nearer than lines of one text, as a share of the size, stand beside one another. */
export const interleavedMax = 0.95

/** With more words above, what stands near them is a line of its own. */
const interleavedWordsMax = 200

/** The lines, as one where cells that are centred from top to bottom have theirs at different heights. */
const interleaved = (lines: ReadonlyArray<ReadonlyArray<Word>>): ReadonlyArray<ReadonlyArray<Word>> => {
  const merged: Array<ReadonlyArray<Word>> = []
  let last = Number.NEGATIVE_INFINITY
  for (const line of lines) {
    const [first] = line
    const above = merged.at(-1)
    const isNear =
      first !== undefined &&
      first.baseline - last < interleavedMax * first.size &&
      (above?.length ?? 0) <= interleavedWordsMax
    if (above !== undefined && isNear && !line.some((word) => above.some((other) => overlap(word, other))))
      merged[merged.length - 1] = [...above, ...line].sort((a, b) => a.left - b.left)
    else merged.push(line)
    last = first?.baseline ?? last
  }
  return merged
}

const overlap = (a: Word, b: Word): boolean => a.left < b.right && a.right > b.left

/** The size that gaps are shares of: spaces of fonts of equal widths are twice as wide as others. */
export const gapSize = ({ size, mono }: Word): number => (mono ? monoGap * size : size)
const monoGap = 1.6

interface Stretch {
  left: number
  right: number
}

/** The mark of an item, which makes no column of its own, and its text. */
const markGapMax = 4

/** The signs of currencies stand before their amounts, as in `$ 12 $ 34`, and not behind them. */
const areSignsBefore = (line: ReadonlyArray<Word>): boolean => {
  const last = line.at(-1)
  if (last === undefined || !isFigure(last) || signBefore.test(last.text)) return false
  return line.filter(({ text }) => signBefore.test(text)).length > 1
}

/** What a line covers from left to right, over the spaces between words. */
export const stretchesOf = (line: ReadonlyArray<Word>, gap: number): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = []
  let before: Word | undefined
  for (const word of line) {
    const { left, right } = word
    const last = stretches.at(-1)
    const room = isSign(before?.text ?? "") ? Math.max(gap, markGapMax) : gap
    before = word
    if (last !== undefined && left - last.right < room * gapSize(word))
      last.right = Math.max(last.right, right)
    else stretches.push({ left, right })
  }
  return stretches
}

/**
 * All spaces between the words of a line are as wide, as in a text that is justified; those behind a sentence may be
 * wider, as TeX sets them.
 */
export const isEvenlySpaced = (line: ReadonlyArray<Word>): boolean => {
  const within: Array<number> = []
  const behindSentences: Array<number> = []
  for (const [index, { left }] of line.slice(1).entries()) {
    const before = line[index]
    const gaps = sentenceEnd.test(before?.text ?? "") ? behindSentences : within
    gaps.push(left - (before?.right ?? 0))
  }
  const gaps = within.length < evenGapsMin ? [...within, ...behindSentences] : within
  const [first = 0] = gaps
  const [least, most] = gaps.reduce(
    ([low, high], gap) => [Math.min(low, gap), Math.max(high, gap)],
    [first, first],
  )
  return (
    most - least < sameGap * (line[0]?.size ?? 0) &&
    (gaps !== within || behindSentences.every((gap) => gap < sentenceGapMax * most))
  )
}

/** As many spaces as tell how wide those within a sentence are. */
const evenGapsMin = 3
/** A share of the widest space within a sentence. */
const sentenceGapMax = 2.5

/** A share of the size. */
const sameGap = 0.15

export const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

interface Line {
  readonly pieces: ReadonlyArray<Piece>
  readonly baseline: number
}

const linesOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Line> => {
  const lines: Array<{ pieces: Array<Piece>; baseline: number }> = []
  for (const piece of [...pieces].sort((a, b) => a.baseline - b.baseline)) {
    const line = lines.at(-1)
    const isSame = line !== undefined && piece.baseline - line.baseline <= sameBaselineMax * piece.size
    if (line !== undefined && (isSame || isBesideLabel(line, piece))) line.pieces.push(piece)
    else lines.push({ pieces: [piece], baseline: piece.baseline })
  }
  return lines
}

/** One of both is the label of the row, and the other is among its numbers, a little higher or lower. */
const isBesideLabel = ({ pieces, baseline }: Line, piece: Piece): boolean => {
  const isLabel = (one: Piece): boolean => one.column === 0 && !areFigures(one)
  const isNear = piece.baseline - baseline <= besideLabelMax * piece.size
  if (!isNear || pieces.length > labelledMax) return false
  const [label, ...others] = pieces
  return isLabel(piece)
    ? pieces.every((one) => one.column > 0 && areFigures(one))
    : label !== undefined &&
        isLabel(label) &&
        piece.column > 0 &&
        areFigures(piece) &&
        others.every((one) => areFigures(one) && one.column < piece.column)
}

/** A share of the size: lines of cells that are centred beside one another are further apart. */
const besideLabelMax = 0.45
const labelledMax = 100

/** Lines of code have an empty line between them. */
const codeLeading = 3.2
const areCode = (...pieces: ReadonlyArray<Piece>): boolean => pieces.every(({ words }) => areMono(words))

/** Two lines of one column, one below the other, and the numbers of the lines of the page that they stand on. */
interface Stack {
  readonly column: number
  readonly above: number
  readonly below: number
  /** The document writes them one after the other, as it does the lines of one cell. */
  readonly isWrittenOn: boolean
  readonly isTight: boolean
  /** Both are numbers, or the upper one is the title of a group, in bold above a row that is not. */
  readonly isApart: boolean
}

const stacksOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Stack> => {
  const last = new Map<number, { readonly line: number; readonly piece: Piece }>()
  const stacks: Array<Stack> = []
  for (const [below, { pieces }] of lines.entries()) {
    for (const piece of pieces) {
      const above = last.get(piece.column)
      if (above !== undefined) {
        const leading = piece.baseline - above.piece.baseline
        stacks.push({
          column: piece.column,
          above: above.line,
          below,
          isWrittenOn: (piece.words[0]?.order ?? 0) === (above.piece.words.at(-1)?.order ?? 0) + 1,
          isTight:
            leading <=
            (areCode(piece, above.piece) ? codeLeading : tightLeading) *
              Math.max(piece.size, above.piece.size),
          isApart:
            (areFigures(piece) && areFigures(above.piece)) ||
            (lines[above.line]?.pieces.length === 1 &&
              pieces.length > 1 &&
              isBold(above.piece) &&
              !pieces.some(isBold)),
        })
      }
      last.set(piece.column, { line: below, piece })
    }
  }
  return stacks
}

/**
 * The document writes one column after the other, so that its order does not tell rows: nearly every line of a cell
 * follows the one above it.
 */
export const isByColumn = (pieces: ReadonlyArray<Piece>): boolean => {
  const stacks = stacksOf(linesOf(pieces))
  return stacks.length > 2 && stacks.filter(({ isWrittenOn }) => isWrittenOn).length > 0.9 * stacks.length
}

/**
 * The document writes some cells of several lines one after the other: all of these pieces are one row. Not where the
 * first of them and others go on behind gaps at the same height, as the labels and texts of rows do.
 */
export const isCellByCell = (pieces: ReadonlyArray<Piece>): boolean => {
  const cells = [...Map.groupBy(pieces, ({ column }) => column).values()].filter(({ length }) => length > 1)
  if (cells.length < 2 || cells.some((cell) => cell.every(areFigures))) return false
  return isByColumn(pieces) && !haveGapsInLine(pieces)
}

const haveGapsInLine = (pieces: ReadonlyArray<Piece>): boolean => {
  const behindGaps = stacksOf(linesOf(pieces)).filter(({ isTight }) => !isTight)
  const byLine = Map.groupBy(behindGaps, ({ below }) => below)
  return [...byLine.values()].some((own) => own.length > 1 && own.some(({ column }) => column === 0))
}

/** Rows of cells, each with its pieces; `byColumn` is that of the whole table. `isOne`: where nothing tells, all is one row. */
export const rowsOfCells = (
  pieces: ReadonlyArray<Piece>,
  byColumn: boolean,
  isOne: boolean,
): ReadonlyArray<ReadonlyArray<Piece>> =>
  withWrappedTexts(withWrappedLabels(rowsOfLines(pieces, byColumn, isOne)))

const rowsOfLines = (
  pieces: ReadonlyArray<Piece>,
  byColumn: boolean,
  isOne: boolean,
): ReadonlyArray<ReadonlyArray<Piece>> => {
  const lines = linesOf(pieces)
  if (lines.length < 2) return lines.map((line) => line.pieces)
  const labelled = rowsOfLabels(lines)
  if (labelled !== undefined) return labelled
  const centred = rowsOfCentred(pieces)
  if (centred !== undefined) return centred
  const counted = rowsOfCounted(lines)
  if (counted !== undefined) {
    const heads = counted.head.length === 0 ? [] : rowsOfLines(counted.head, byColumn, isOne)
    return [...heads, ...counted.rows]
  }
  const ofNumbers = isOfNumbers(pieces)
  if (byColumn && (isOne || isInterleaved(lines)) && !ofNumbers) return [pieces]
  const inBlocks = byColumn || ofNumbers ? undefined : rowsOfBlocks(lines)
  if (inBlocks !== undefined) return inBlocks
  const begins = byColumn ? byGaps(lines) : byOrder(lines, stacksOf(lines))
  const rows: Array<Array<Piece>> = []
  const groups = labelsOfGroups(lines.map((line) => line.pieces))
  let isBehindGroup = false
  for (const [index, line] of lines.entries()) {
    const row = rows.at(-1)
    const isGroup = row !== undefined && isLabelOfGroup(row, line.pieces, lines[index + 1]?.pieces ?? [])
    const isNext = row === undefined || begins(index) || isGroup || isBehindGroup || groups.has(index)
    isBehindGroup = isGroup
    if (row === undefined || isNext || (ofNumbers && hasNumbersOf(row, line.pieces)))
      rows.push([...line.pieces])
    else for (const piece of line.pieces) row.push(piece)
  }
  return rows
}

/**
 * Rows of a form, each beside its label: the first column has nothing but labels with a colon, of one line each, and each
 * stands beside a value. Undefined where it does not.
 */
const rowsOfLabels = (lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Piece>> | undefined => {
  const column = lines.reduce(
    (least, line) => line.pieces.reduce((own, piece) => Math.min(own, piece.column), least),
    Number.POSITIVE_INFINITY,
  )
  const rows: Array<Array<Piece>> = []
  for (const { pieces } of lines) {
    const label = pieces.find((piece) => piece.column === column)
    const row = rows.at(-1)
    if (label === undefined && row !== undefined) for (const piece of pieces) row.push(piece)
    else if (pieces.length > 1 && label?.words.at(-1)?.text.endsWith(":")) rows.push([...pieces])
    else return undefined
  }
  return rows.length > 1 ? rows : undefined
}

/**
 * Numbers below one another, the share of their cells that a line between them may have, and the cells of one below whose
 * empty ones a text may stand, a line further down.
 */
const countedMin = 3
const restMax = 0.4
const wideMin = 4

/**
 * Rows that the first column counts by one, as the items of a bill: lines between them with few texts go on
 * with the row above, however the document writes them. Undefined where it counts none, or other lines stand there.
 */
const rowsOfCounted = (
  lines: ReadonlyArray<Line>,
):
  | { readonly head: ReadonlyArray<Piece>; readonly rows: ReadonlyArray<ReadonlyArray<Piece>> }
  | undefined => {
  const numberOf = ({ pieces }: Line): number | undefined => {
    const words = pieces.find(({ column }) => column === 0)?.words
    const [, number] = /^(\d{1,3})[.)]?$/.exec(words?.map(({ text }) => text).join(" ") ?? "") ?? []
    return number === undefined || pieces.length < countedMin ? undefined : Number(number)
  }
  const rows: Array<Array<Piece>> = []
  const head: Array<Piece> = []
  let item: ReadonlyArray<Piece> = []
  let joined = 0
  let last = 0
  for (const [index, line] of lines.entries()) {
    const number = numberOf(line)
    const below = line.baseline - (lines[index - 1]?.baseline ?? line.baseline)
    const isText = ({ column, size }: Piece): boolean => {
      const words = item.find((piece) => piece.column === column)?.words
      return words?.some((word) => !isFigure(word)) ?? (item.length >= wideMin && below >= size)
    }
    if (number !== undefined && (rows.length === 0 || number === last + 1)) {
      item = line.pieces
      rows.push([...item])
      last = number
    } else if (rows.length === 0) for (const each of line.pieces) head.push(each)
    else if (
      number !== undefined ||
      line.pieces.length > Math.max(1, restMax * item.length) ||
      !line.pieces.every(isText)
    )
      return undefined
    else {
      for (const piece of line.pieces) rows.at(-1)?.push(piece)
      joined++
    }
  }
  return rows.length >= countedMin && joined > 0 ? { head, rows } : undefined
}

/** The lines of one cell. */
interface Block {
  readonly column: number
  readonly pieces: Array<Piece>
  readonly top: number
  bottom: number
}

/** The largest difference of leadings within cells, and the least from these to those between cells. */
const sameLeading = 1.06
const otherLeading = 1.12
/** Every cell looks at the rows before it; a page that people read has fewer. */
const blocksMax = 2_000

/**
 * Rows of cells whose lines the document writes one after the other, closer to each other than to any other line of
 * their column: cells that stand beside one another are a row. Undefined where leadings and order do not say the same.
 */
const rowsOfBlocks = (lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Piece>> | undefined => {
  const titles = new Set(
    lines.flatMap(({ pieces: [first, second] }) =>
      first !== undefined && second === undefined && isBold(first) ? [first] : [],
    ),
  )
  const blocks: Array<Block> = []
  const last = new Map<number, { readonly block: Block; readonly piece: Piece }>()
  const within: Array<number> = []
  const between: Array<number> = []
  for (const piece of lines.flatMap(({ pieces }) => pieces)) {
    const above = last.get(piece.column)
    const leading = above === undefined ? 0 : piece.baseline - above.piece.baseline
    const isWrittenOn =
      above !== undefined &&
      (piece.words[0]?.order ?? 0) === (above.piece.words.at(-1)?.order ?? 0) + 1 &&
      leading <= tightLeading * Math.max(piece.size, above.piece.size) &&
      (isBold(piece) || !titles.has(above.piece))
    if (above !== undefined) (isWrittenOn ? within : between).push(leading)
    const [top, bottom] = [piece.baseline - ascent * piece.size, piece.baseline + descent * piece.size]
    const block = isWrittenOn ? above.block : { column: piece.column, pieces: [], top, bottom }
    if (!isWrittenOn) blocks.push(block)
    block.pieces.push(piece)
    block.bottom = bottom
    last.set(piece.column, { block, piece })
  }
  const least = within.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = within.reduce((a, b) => Math.max(a, b), 0)
  if (within.length === 0 || blocks.length > blocksMax || most > sameLeading * least) return undefined
  if (between.some((leading) => leading < otherLeading * most)) return undefined
  const rows: Array<Block & { readonly blocks: Array<Block> }> = []
  for (const block of blocks.toSorted((a, b) => b.bottom - b.top - (a.bottom - a.top))) {
    const middle = (block.top + block.bottom) / 2
    const row = rows.find(({ top, bottom }) => middle > top && middle < bottom)
    if (row === undefined) rows.push({ ...block, blocks: [block] })
    else if (row.blocks.some(({ column }) => column === block.column)) return undefined
    else row.blocks.push(block)
  }
  return rows.sort((a, b) => a.top - b.top).map((row) => row.blocks.flatMap((block) => block.pieces))
}

/** Shares of the size. */
const ascent = 0.75
const descent = 0.2

/** Cells of one row are centred from top to bottom, so that their lines stand at different heights. */
const isInterleaved = (lines: ReadonlyArray<Line>): boolean =>
  lines.some(({ pieces, baseline }, index) => {
    const above = lines[index - 1]
    return (
      above !== undefined &&
      baseline - above.baseline < interleavedMax * (pieces[0]?.size ?? 0) &&
      !pieces.some(({ column }) => above.pieces.some((other) => other.column === column))
    )
  })

/** A row ends where no cell goes on, as the document was written row by row. */
const byOrder = (lines: ReadonlyArray<Line>, stacks: ReadonlyArray<Stack>): ((index: number) => boolean) => {
  const held = (considered: ReadonlyArray<Stack>): ReadonlyArray<boolean> => {
    const goesOn = lines.map(() => false)
    for (const { above, below } of considered) {
      for (let index = above + 1; index <= below; index++) goesOn[index] = true
    }
    return goesOn
  }
  const linked = stacks.filter(({ isWrittenOn, isTight, isApart }) => isWrittenOn && isTight && !isApart)
  const leading = (index: number): number =>
    (lines[index]?.baseline ?? 0) - (lines[index - 1]?.baseline ?? Number.NEGATIVE_INFINITY)
  const sure = held(linked)
  // Between rows there is at least as much room as within them: a cell that stands alone in its line may be a row.
  const rowLeading = lines.reduce(
    (least, _, index) => (index > 0 && sure[index] === false ? Math.min(least, leading(index)) : least),
    Number.POSITIVE_INFINITY,
  )
  const isAlone = ({ above }: Stack): boolean => lines[above]?.pieces.length === 1
  const isWrap = (stack: Stack): boolean =>
    !isAlone(stack) || stack.below !== stack.above + 1 || leading(stack.below) < 0.93 * rowLeading
  const goesOn = held(linked.filter(isWrap))
  // A line alone in a column but the first, nearer to the row above it than to the next one, belongs to that row.
  const isBelow = (index: number): boolean => {
    const [piece, second] = lines[index]?.pieces ?? []
    if (piece === undefined || second !== undefined || piece.column === 0) return false
    return leading(index) < nearMax * (index + 1 < lines.length ? leading(index + 1) : median(rowLeadings))
  }
  const rowLeadings = lines.flatMap(({ pieces }, index) =>
    index > 0 && pieces.length > 1 ? [leading(index)] : [],
  )
  return (index) => goesOn[index] !== true && !isBelow(index)
}

const nearMax = 0.9

/** Where rows stand further apart than the lines of their cells. */
const byGaps = (lines: ReadonlyArray<Line>): ((index: number) => boolean) => {
  const leadings = lines.slice(1).map(({ baseline }, index) => baseline - (lines[index]?.baseline ?? 0))
  const least = leadings.reduce((most, each) => Math.min(most, each), Number.POSITIVE_INFINITY)
  const most = leadings.reduce((sum, each) => Math.max(sum, each), 0)
  const full = lines.reduce((sum, { pieces }) => Math.max(sum, pieces.length), 0)
  const isNear = (index: number): boolean => (leadings[index - 1] ?? 0) < 1.2 * least
  const wraps = lines.filter((_, index) => index > 0 && isNear(index))
  const goOn = wraps.filter(
    ({ pieces }) => pieces.length < full && !pieces.every(({ words }) => words.every(isNumber)),
  )
  const isParted = most > 1.25 * least && goOn.length >= 0.6 * wraps.length
  return (index) => !isParted || !isNear(index)
}

/** Beside the first column there are numbers alone, in several lines: no cell of them has more than one. */
export const isOfNumbers = (pieces: ReadonlyArray<Piece>): boolean => {
  const first = pieces.reduce((least, { column }) => Math.min(least, column), Number.POSITIVE_INFINITY)
  const numbers = pieces.filter(({ column }) => column > first)
  return linesOf(numbers).length > 1 && numbers.every(areFigures)
}

/** The row has a number in a column where the line has one too. */
export const hasNumbersOf = (row: ReadonlyArray<Piece>, line: ReadonlyArray<Piece>): boolean =>
  line.some(
    ({ column, words }) =>
      words.every(isFigure) && row.some((above) => above.column === column && above.words.every(isFigure)),
  )

const isBold = ({ words }: Piece): boolean => words.every(({ bold }) => bold)

/** The cells of rows, the pieces of each cell from top to bottom. */
export const cellsOf = (
  rows: ReadonlyArray<ReadonlyArray<Piece>>,
  columns: number,
): ReadonlyArray<ReadonlyArray<Spans>> =>
  rows.map((row) =>
    Array.from({ length: columns }, (_, column) =>
      joinCell(row.filter((piece) => piece.column === column).map(({ words }) => asWritten(words))),
    ),
  )

/** Words of a usual line of a cell, where nothing but the order of the document tells columns from a table. */
const proseWordsMin = 4

/** Columns of text, which the document writes one after the other in lines of many words. */
export const isProse = (pieces: ReadonlyArray<Piece>): boolean => {
  const last = new Map<number, Piece>()
  let stacks = 0
  let written = 0
  for (const piece of pieces) {
    const above = last.get(piece.column)
    if (above !== undefined) {
      stacks++
      if (piece.words[0]?.order === (above.words.at(-1)?.order ?? 0) + 1) written++
    }
    last.set(piece.column, piece)
  }
  const words = pieces.reduce((sum, piece) => sum + piece.words.length, 0)
  return written > 0.8 * stacks && words >= proseWordsMin * pieces.length
}
