import type { Region } from "./Columns.ts"
import { joinWords, type Spans, textOf } from "./joinWords.ts"
import { isBullet, type Row, rowsOf } from "./Lines.ts"
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
  readonly isOneLine: boolean
  /** It has a gap, as between columns. */
  readonly isParted: boolean
  /** The mark of a list item, which is not part of the text: a number, or nothing for a bullet. */
  readonly item?: number | "bullet"
}

export interface TableBlock {
  readonly kind: "table"
  readonly rows: ReadonlyArray<ReadonlyArray<Spans>>
}

export type Block = TextBlock | TableBlock

interface Line {
  readonly words: ReadonlyArray<Word>
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  readonly bold: boolean
  readonly isItem: boolean
  readonly isParted: boolean
}

/** The blocks of one column, from top to bottom. */
export const blocksOf = (region: Region): ReadonlyArray<Block> => {
  const rows = rowsOf(region.segments)
  const blocks: Array<Block> = []
  let lines: Array<Line> = []
  const endText = () => {
    for (const paragraph of paragraphsOf(lines, region)) blocks.push(blockOf(paragraph))
    lines = []
  }
  for (let index = 0; index < rows.length; ) {
    const row = rows[index]
    const table = tableAt(rows, index)
    if (table !== undefined) {
      endText()
      blocks.push({ kind: "table", rows: table.cells })
    } else if (row !== undefined) lines.push(lineOf(row))
    index = table?.end ?? index + 1
  }
  endText()
  return blocks
}

const boldShare = 0.8

const lineOf = ({ segments, baseline, isItem }: Row): Line => {
  const words = segments.flatMap((segment) => segment.words)
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  const bold = words.reduce((sum, word) => sum + (word.bold ? word.text.length : 0), 0)
  return {
    words,
    baseline,
    left: segments[0]?.left ?? 0,
    right: segments.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
    size: mainSize(words),
    bold: bold >= boldShare * letters,
    isItem,
    isParted: segments.length > 1,
  }
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
  if (last === undefined || line.isItem || line.bold !== last.bold) return false
  const size = Math.max(last.size, line.size)
  if (Math.min(last.size, line.size) < sizeShareMin * size) return false
  const leading = line.baseline - last.baseline
  if (leading > leadingMax * size) return false
  if (before !== undefined && leading > leadingGrowthMax * (last.baseline - before.baseline)) return false
  if (endsByItself(last) || endsByItself(line)) return false
  return stack.length === 1 || line.left - last.left <= indentMin * size
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

const blockOf = (paragraph: ReadonlyArray<Line>): TextBlock => {
  const [first, ...rest] = paragraph
  const [mark, ...words] = first?.words ?? []
  const isItem = first?.isItem === true && mark !== undefined
  const spans = joinWords(isItem ? [{ words }, ...rest] : paragraph)
  return {
    kind: "text",
    text: textOf(spans),
    spans,
    size: paragraph.reduce((most, { size }) => Math.max(most, size), 0),
    left: first?.left ?? 0,
    bold: paragraph.every(({ bold }) => bold),
    isOneLine: rest.length === 0,
    isParted: paragraph.some(({ isParted }) => isParted),
    ...(isItem ? { item: isBullet(mark.text) ? "bullet" : Number.parseInt(mark.text, 10) } : {}),
  }
}
