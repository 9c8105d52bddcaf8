import { type Spans, textOf } from "./joinWords.ts"
import type { Word } from "./Word.ts"

/** Also one with the number of its chapter, and the letter of an appendix. */
const pageNumber = /(?:\d{1,4}|\d{1,2}[-–]\d{1,3}|[ivxlc]{1,6}|[A-Z]-?\d{1,3}|(?<=[.…·\s])[A-Z])$/u
const dot = /[.…·]/
const space = /\s/

const isDots = ({ text }: Word): boolean => /^[.…·]+$/.test(text)

/** Dots in a row that are fewer are a part of the text. */
const dotsMin = 4

/** Nothing but the dots of a leader that stands apart from its entry, or of a line that is drawn so. */
export const isLeader = (text: string): boolean => leader.test(text)

const leader = /^(?:[.…·]\s*){8,}$/

/** The text before the dots that it ends in, with spaces between; undefined where there are few. */
const beforeDots = (text: string, least: number = dotsMin): string | undefined => {
  let end = text.length
  let dots = 0
  for (; end > 0; end--) {
    const character = text.charAt(end - 1)
    if (dot.test(character)) dots++
    else if (!space.test(character)) break
  }
  return dots < least ? undefined : text.slice(0, end)
}

/** What dots lead to the number of a page, and that number; undefined for a text that is no entry of a table of contents. */
const entryOf = (
  text: string,
  least: number = dotsMin,
): { readonly title: string; readonly page: string } | undefined => {
  const trimmed = text.trimEnd()
  const page = pageNumber.exec(trimmed)?.[0] ?? ""
  const title = page === "" ? "" : (beforeDots(trimmed.slice(0, -page.length), least) ?? "")
  return title.trim() === "" ? undefined : { title, page }
}

/** The line ends in dots that lead to the number of a page, each of which may be a word. */
export const isEntry = (words: ReadonlyArray<Word>): boolean => {
  const last = words.length - 1
  const before = words.findLastIndex((word, index) => index < last && !isDots(word))
  const end = words.slice(Math.max(0, Math.min(before, last - 2))).map(({ text }) => text)
  return entryOf(end.join(" ")) !== undefined
}

/** An entry of a table of contents without its dots, `least` or more; undefined for any other text. */
export const withoutLeader = (spans: Spans, least: number = dotsMin): Spans | undefined => {
  const [span] = spans
  const entry = entryOf(textOf(spans), least)
  if (entry === undefined || span === undefined) return undefined
  if (spans.length === 1) return [{ ...span, text: `${entry.title} ${entry.page}` }]
  const last = spans.at(-1)
  const before = spans.at(-2)
  if (last === undefined || before === undefined) return undefined
  const title = beforeDots(before.text, least)
  if (title !== undefined && last.text.trim() === entry.page)
    return [...spans.slice(0, -2), { ...before, text: `${title} ` }, last]
  const own = entryOf(`x${last.text}`, least)
  return own && [...spans.slice(0, -1), { ...last, text: `${own.title.slice(1)} ${own.page}` }]
}

/** Most rows end in entries of a table of contents. */
export const areEntries = (cells: ReadonlyArray<ReadonlyArray<Spans>>): boolean => {
  const lastOf = (row: ReadonlyArray<Spans>): Spans => row.findLast(({ length }) => length > 0) ?? []
  const entries = cells.filter((row) => entryOf(textOf(lastOf(row))) !== undefined)
  return entries.length * 2 > cells.length
}

const ofAppendix = /[A-Z](?:-?\d{1,3})?$/
const contentsMin = 3
/** Larger numbers are hardly those of pages. */
const pagesMax = 999

/** Most lines are entries of a table of contents, whose pages do not go down, as the amounts of an account do. */
export const areContents = (lines: ReadonlyArray<ReadonlyArray<Word>>): boolean => {
  const entries = lines.filter(isEntry)
  const pages = entries
    .map((words) => words.at(-1)?.text.slice(-4) ?? "")
    .filter((number) => !ofAppendix.test(number))
    .map((number) => Number(/\d+$/.exec(number)?.[0] ?? 0))
  return (
    entries.length >= contentsMin &&
    2 * entries.length > lines.length &&
    pages.every((page, index) => page <= pagesMax && page >= (pages[index - 1] ?? 0))
  )
}

/** Words without the dots that lead from the first column of a table to the others. */
export const withoutLeaders = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const kept: Array<Word> = []
  let dots: Array<Word> = []
  const endDots = () => {
    const count = dots.reduce((sum, { text }) => sum + text.length, 0)
    if (count < dotsMin) for (const word of dots) kept.push(word)
    dots = []
  }
  for (const word of words) {
    if (isDots(word)) dots.push(word)
    else {
      endDots()
      kept.push(word)
    }
  }
  endDots()
  return kept.length === words.length ? words : kept
}

/** Dots that stand close to the text and are more than end any. */
const gluedDots = /(?<=[^.])\.{6,}$/

/**
 * The words of a cell's line without the dots that lead to the next cell, the first of which, or all, may stand close to
 * the text; dots alone stay.
 */
export const withoutLeaderAtEnd = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const end = words.at(-1)
  if (end !== undefined && gluedDots.test(end.text))
    return [...words.slice(0, -1), { ...end, text: end.text.replace(gluedDots, "") }]
  const at = words.findLastIndex((word) => !isDots(word))
  const dots = words.slice(at + 1).reduce((sum, { text }) => sum + text.length, 0)
  const last = words[at]
  if (last === undefined || dots < dotsMin) return words
  return [...words.slice(0, at), { ...last, text: last.text.replace(/(?<=[^.])\.$/, "") }]
}

/** A share of the size: the room that dots fill which are no part of the text. */
const leaderMin = 3

/** The words of an entry without the first of its dots, where the others between it and the number are no part of the text. */
export const withoutFirstDot = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const [title, page] = words.slice(-2)
  if (title === undefined || page === undefined || !/[^.]\.$/.test(title.text)) return words
  const isFar = page.left - title.right > leaderMin * title.size
  return isFar ? [...words.slice(0, -2), { ...title, text: title.text.slice(0, -1) }, page] : words
}
