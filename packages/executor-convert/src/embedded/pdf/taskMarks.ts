import { firstWhere } from "../firstWhere.ts"
import { byReading } from "./Cells.ts"
import { markOf, mayBeMark } from "./ListMark.ts"
import type { Word } from "./Word.ts"

type Words = ReadonlyArray<Word>

/** What a task of an examination is worth: in brackets, or with its unit. */
const worth = /^(?:\[\d{1,3}\]|[[(]\d{1,3} (?:marks?|points?|pts\.?|Punkte?)[\])])$/
const worthWordsMax = 2

/** As many at one side of a page are no citations. */
const marksMin = 3
/** Points: numbers of one digit and of two are as far from the side. */
const sameSide = 3
/** Shares of the size: of the room before it, of that to the next line of a task, and of the space behind its text. */
const roomMin = 0.8
const roomMax = 1
const leadingMax = 1.6
const space = 0.25
const orderStep = 0.1

/**
 * The words, with what each task of an examination is worth behind the text of the task: it stands at the right side,
 * beside the first line or the last one, where it would make a column of its own.
 */
export const withTaskMarks = (words: Words): Words => {
  if (words.filter(({ text }) => /^[[(]\d/.test(text)).length < marksMin) return words
  const lines = byReading(words)
  const marks = lines.map(markAtEnd)
  const isAtSide = sidesOf(marks)
  const moved = new Set<Word>()
  const placed = new Map<Word, Words>()
  for (const [index, mark] of marks.entries()) {
    if (!isAtSide(mark)) continue
    const end = endOfTask(lines, marks, index)
    const text = end === index ? (lines[end] ?? []).slice(0, -mark.length) : (lines[end] ?? [])
    const last = text.at(-1) ?? above(lines, index)
    if (last === undefined || moved.has(last) || placed.has(last)) continue
    for (const word of mark) moved.add(word)
    placed.set(last, behind(last, mark))
  }
  return words.flatMap((word) => (moved.has(word) ? [] : [word, ...(placed.get(word) ?? [])]))
}

/** Whether as many marks end where one does. */
const sidesOf = (marks: ReadonlyArray<Words>): ((mark: Words) => boolean) => {
  const sides = marks.flatMap((mark) => mark.at(-1)?.right ?? []).sort((a, b) => a - b)
  return (mark) => {
    const side = mark.at(-1)?.right
    if (side === undefined) return false
    const first = firstWhere(sides.length, (index) => (sides[index] ?? 0) > side - sameSide)
    return (sides[first + marksMin - 1] ?? Number.POSITIVE_INFINITY) < side + sameSide
  }
}

/** The last word of the line above, where a mark stands alone. */
const above = (lines: ReadonlyArray<Words>, index: number): Word | undefined => {
  const [last, first] = [lines[index - 1]?.at(-1), lines[index]?.[0]]
  const isNear =
    last !== undefined && first !== undefined && first.baseline - last.baseline < leadingMax * first.size
  return isNear ? last : undefined
}

/** The words that say what a task is worth, with room before them, or alone; none for any other line. */
const markAtEnd = (line: Words): Words => {
  for (let count = 1; count <= worthWordsMax; count++) {
    const mark = line.slice(-count)
    const [first] = mark
    if (first === undefined || mark.length < count) return []
    const room = first.left - (line.at(-count - 1)?.right ?? Number.NEGATIVE_INFINITY)
    if (!worth.test(mark.map(({ text }) => text).join(" ")) || room <= roomMin * first.size) continue
    return isRunning(line.slice(0, -count)) ? mark : []
  }
  return []
}

/** Text without room between its words, but behind its numbers, as in "1. (a) i.": not a row of cells. */
const isRunning = (text: Words): boolean => {
  const first = text.findIndex(({ text: word }) => !mayBeMark(word))
  return text.every((word, at) => {
    const last = at > first ? text[at - 1] : undefined
    return last === undefined || word.left - last.right < roomMax * word.size
  })
}

/** The index of the last line of the task that a line with its mark is of. */
const endOfTask = (lines: ReadonlyArray<Words>, marks: ReadonlyArray<Words>, index: number): number => {
  let end = index
  for (; end + 1 < lines.length; end++) {
    const [line, next] = [lines[end]?.[0], lines[end + 1] ?? []]
    const [first] = next
    if (line === undefined || first === undefined || (marks[end + 1]?.length ?? 0) > 0) break
    if (first.baseline - line.baseline > leadingMax * line.size) break
    if (mayBeMark(first.text) || markOf(next) !== undefined || endsSentence(lines[end], marks[end])) break
  }
  return end
}

/** The text of the line is over: the task ends there, and what follows may be of another. */
const endsSentence = (line: Words = [], mark: Words = []): boolean => {
  const text = mark.length === 0 ? line : line.slice(0, -mark.length)
  return /[.?!:]$/.test(text.at(-1)?.text ?? "")
}

/** The words of a mark with places behind the last word of a text. */
const behind = (last: Word, mark: Words): Words => {
  let { right, order } = last
  return mark.map((word) => {
    const left = right + space * word.size
    right = left + word.right - word.left
    // No other word is written between them.
    order += orderStep
    return { ...word, left, right, order, baseline: last.baseline }
  })
}
