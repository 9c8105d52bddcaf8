import type { Region } from "./Columns.ts"
import { codeLines } from "./codeLines.ts"
import { joinWords, type Spans, textOf } from "./joinWords.ts"
import { type Row, rowsOf, type Segment } from "./Lines.ts"
import { type ListMark, letteredMarks, markOf } from "./ListMark.ts"
import { tableAt } from "./Tables.ts"
import type { Word } from "./Words.ts"

export interface TextBlock {
  readonly kind: "text"
  /** The same as `spans`. */
  readonly text: string
  readonly spans: Spans
  readonly size: number
  readonly left: number
  readonly bold: boolean
  readonly lines: number
  /** It has a gap, as between columns. */
  readonly isParted: boolean
  /** Of a single line, what stands between such gaps. */
  readonly parts: ReadonlyArray<Part>
  /** The mark of a list item, which is not part of the text: a number, or nothing for a bullet. */
  readonly item?: ListMark["item"]
  /** The level of a heading, 0 for none, where the document says it. */
  readonly level?: number
}

export interface Part {
  readonly left: number
  readonly right: number
  readonly spans: Spans
}

export interface TableBlock {
  readonly kind: "table"
  /** Where its columns begin and end, from left to right. */
  readonly sides: ReadonlyArray<number>
  readonly rows: ReadonlyArray<ReadonlyArray<Spans>>
}

/** Lines in a font of equal widths, as they are. */
export interface CodeBlock {
  readonly kind: "code"
  readonly lines: ReadonlyArray<string>
}

export type Block = TextBlock | TableBlock | CodeBlock

export interface Line {
  readonly words: ReadonlyArray<Word>
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  readonly bold: boolean
  readonly segments: ReadonlyArray<Segment>
  readonly mark?: ListMark | undefined
  /** Where its text begins, after the mark. */
  readonly textLeft: number
}

/**
 * The blocks of one column, from top to bottom. `hasCode`: lines in a font of equal widths are code, as they are not
 * where all of the document has one.
 */
export const blocksOf = (region: Region, hasCode: boolean): ReadonlyArray<Block> => {
  const rows = rowsOf(region.segments)
  const blocks: Array<Block> = []
  let waiting: Array<Row> = []
  const endText = () => {
    for (const block of textBlocks(waiting.map(lineOf), region)) blocks.push(block)
    waiting = []
  }
  for (let index = 0; index < rows.length; ) {
    const row = rows[index]
    if (row === undefined) break
    const placed = row.segments[0]?.table
    if (placed !== undefined) {
      endText()
      blocks.push({ kind: "table", sides: placed.sides, rows: placed.cells })
      index++
      continue
    }
    const code = hasCode ? codeAt(rows, index) : undefined
    const table = code === undefined ? tableAt(rows, index) : undefined
    if (code !== undefined) {
      endText()
      blocks.push({ kind: "code", lines: codeLines(rows.slice(index, code)) })
    } else if (table !== undefined) {
      endText()
      blocks.push({ kind: "table", sides: table.sides, rows: table.cells })
    } else waiting.push(row)
    index = code ?? table?.end ?? index + 1
  }
  endText()
  return blocks
}

/** Lines that stand together in a font of equal widths; the index of the row after them. */
const codeAt = (rows: ReadonlyArray<Row>, begin: number): number | undefined => {
  let end = begin
  for (let last = rows[begin]; end < rows.length; end++) {
    const row = rows[end]
    if (row === undefined || last === undefined || !isCode(row)) break
    if (row.baseline - last.baseline > codeLeadingMax * row.size) break
    last = row
  }
  return end > begin ? end : undefined
}

const codeLeadingMax = 3.2

const isCode = ({ segments }: Row): boolean =>
  segments.every(({ words, table }) => table === undefined && words.every(({ mono }) => mono))

/** Paragraphs, items and headings of lines that follow one another. */
const textBlocks = (
  lines: ReadonlyArray<Line>,
  bounds: { readonly left: number; readonly right: number },
): ReadonlyArray<TextBlock> => {
  const lettered = letteredMarks(lines)
  const marked = lines.map((line, index) => {
    const mark = line.mark ?? lettered.get(index)
    return mark === undefined ? line : { ...line, mark, textLeft: line.words[mark.words]?.left ?? line.left }
  })
  return paragraphsOf(marked, bounds).map(blockOf)
}

const boldShare = 0.8

const lineOf = ({ segments, baseline }: Row): Line => ({
  ...lineOfWords(
    segments.flatMap((segment) => segment.words),
    baseline,
  ),
  segments,
})

/** A line of these words, from left to right. */
const lineOfWords = (found: ReadonlyArray<Word>, baseline: number): Line => {
  const words = withMarkApart(found)
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  const bold = words.reduce((sum, word) => sum + (word.bold ? word.text.length : 0), 0)
  const mark = markOf(words)
  const left = words[0]?.left ?? 0
  return {
    words,
    baseline,
    left,
    right: words.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
    size: mainSize(words),
    bold: bold >= boldShare * letters,
    segments: [],
    mark,
    textLeft: words[mark?.words ?? 0]?.left ?? left,
  }
}

/** A bullet that stands at its text without a space. */
const attached = /^([•‣◦▪▫●○■□➢➤✓✔✗❖\uf0b7\uf0a7\uf0d8\uf0fc])(\S.*)$/u

const withMarkApart = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const [first, ...rest] = words
  const [, mark, text] = first === undefined ? [] : (attached.exec(first.text) ?? [])
  if (first === undefined || mark === undefined || text === undefined) return words
  return [{ ...first, text: mark, hyphenated: false }, { ...first, text }, ...rest]
}

/** The size of most letters. */
const mainSize = (words: ReadonlyArray<Word>): number => {
  const letters = new Map<number, number>()
  for (const { size, text } of words) letters.set(size, (letters.get(size) ?? 0) + text.length)
  let main = { size: 0, letters: 0 }
  for (const [size, count] of letters) if (count > main.letters) main = { size, letters: count }
  return main.size
}

/** How far to the sides the lines of a text may go. */
interface Bounds {
  readonly left: number
  readonly right: number
}

/**
 * Lines that stand together are one paragraph, unless a line was ended on purpose: the next one's first word
 * would have had room. How much room there is the column says, or the lines themselves, where they all fill it.
 */
const paragraphsOf = (lines: ReadonlyArray<Line>, column: Bounds): ReadonlyArray<ReadonlyArray<Line>> => {
  const stacks: Array<Array<Line>> = []
  for (const line of lines) {
    const stack = stacks.at(-1)
    if (stack !== undefined && goesOn(stack, line)) stack.push(line)
    else stacks.push([line])
  }
  return stacks.flatMap((stack) => {
    const own = boundsOf(stack)
    const fills = stack.length > 2 && stack.every((line, at) => !isEnded(line, stack[at + 1], own))
    return fills ? [stack] : splitAfter(stack, (line, next) => isEnded(line, next, column))
  })
}

const boundsOf = (lines: ReadonlyArray<Line>): Bounds => ({
  left: lines.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY),
  right: lines.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
})

const splitAfter = <A>(list: ReadonlyArray<A>, ends: (item: A, next: A) => boolean): Array<Array<A>> => {
  const parts: Array<Array<A>> = []
  for (const item of list) {
    const part = parts.at(-1)
    const last = part?.at(-1)
    if (part === undefined || last === undefined || ends(last, item)) parts.push([item])
    else part.push(item)
  }
  return parts
}

/** Shares of the size: the height between lines of a paragraph, how much it may grow, and an indent. */
const leadingMax = 1.7
const leadingGrowthMax = 1.25
const indentMin = 1
const sizeShareMin = 0.85

/** A line stands together with those before it, by its place and its look. */
const goesOn = (stack: ReadonlyArray<Line>, line: Line): boolean => {
  const [before, last] = [stack.at(-2), stack.at(-1)]
  if (last === undefined || line.mark !== undefined || line.bold !== last.bold) return false
  const size = Math.max(last.size, line.size)
  if (Math.min(last.size, line.size) < sizeShareMin * size) return false
  const leading = line.baseline - last.baseline
  if (leading > leadingMax * size) return false
  if (before !== undefined && leading > leadingGrowthMax * (last.baseline - before.baseline)) return false
  if (endsByItself(last) || endsByItself(line)) return false
  if (stack[0]?.mark !== undefined && !isInItem(stack[0], before === undefined ? undefined : last, line))
    return false
  return stack.length === 1 || line.left - last.left <= indentMin * size
}

/** The line goes on in the item that `first` begins: not further out than its mark, nor than the line before it. */
const isInItem = (first: Line, last: Line | undefined, line: Line): boolean => {
  const outdent = 0.5 * line.size
  if (line.left < first.left - outdent) return false
  return last === undefined || last.left < first.textLeft - outdent || line.left > first.textLeft - outdent
}

/** Rules made of characters, and entries of a table of contents with their dots. */
const endsByItself = ({ words }: Line): boolean => {
  const isDrawn = ({ text }: Word): boolean => /^([-=_*~–—]{3,}|[._]+|.*\.{4,})$/.test(text)
  return words.filter(isDrawn).length >= (words.length > 4 ? 4 : 1) || words.every(isDrawn)
}

/** The next line's first word and a space would have had room, at the side or, where lines are centred, at both. */
const isEnded = (line: Line, next: Line | undefined, { left, right }: Bounds): boolean => {
  const first = next?.words[0]
  if (next === undefined || first === undefined) return false
  const [before, after] = [line.left - left, right - line.right]
  const isCentred = Math.abs(line.left - next.left) > 0.5 * line.size && Math.abs(before - after) < line.size
  return (isCentred ? before + after : after) > first.right - first.left + 0.5 * next.size
}

const partsOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Part> =>
  segments.map(({ left, right, words }) => ({ left, right, spans: joinWords([{ words }]) }))

const blockOf = (paragraph: ReadonlyArray<Line>): TextBlock => {
  const [first, ...rest] = paragraph
  const mark = first?.mark
  const spans = joinWords(
    mark === undefined ? paragraph : [{ words: first?.words.slice(mark.words) ?? [] }, ...rest],
  )
  return {
    kind: "text",
    text: textOf(spans),
    spans,
    size: paragraph.reduce((most, { size }) => Math.max(most, size), 0),
    left: first?.left ?? 0,
    bold: paragraph.every(({ bold }) => bold),
    lines: paragraph.length,
    isParted: paragraph.some(({ segments }) => segments.length > 1),
    parts: rest.length > 0 || mark !== undefined ? [] : partsOf(first?.segments ?? []),
    ...(mark === undefined ? {} : { item: mark.item }),
  }
}
