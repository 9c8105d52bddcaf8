import { type Spans, textOf } from "./joinWords.ts"
import type { Word } from "./Words.ts"

/** Dots that lead to the number of a page, at the end of an entry of a table of contents. */
const leader = /\s*(?:[.…·]\s?){4,}\s*$/u
const pageNumber = /^\s*(?:\d{1,4}|[ivxlc]{1,6}|[A-Z]-?\d{1,3})\s*$/u
const whole = /^(.*?\S)\s*(?:[.…·]\s?){4,}\s*(\d{1,4}|[ivxlc]{1,6}|[A-Z]-?\d{1,3})\s*$/su

/** An entry of a table of contents without its dots; undefined for any other text. */
export const withoutLeader = (spans: Spans): Spans | undefined => {
  const [span] = spans
  const entry = whole.exec(textOf(spans))
  if (entry === null || span === undefined) return undefined
  if (spans.length === 1) return [{ ...span, text: `${entry[1]} ${entry[2]}` }]
  const last = spans.at(-1)
  const before = spans.at(-2)
  if (last === undefined || before === undefined) return undefined
  if (pageNumber.test(last.text) && leader.test(before.text))
    return [...spans.slice(0, -2), { ...before, text: before.text.replace(leader, " ") }, last]
  const parts = whole.exec(` .${last.text}`)
  const text = last.text.replace(/^\s*(?:[.…·]\s?){4,}\s*/u, " ")
  return parts === null && text === last.text ? undefined : [...spans.slice(0, -1), { ...last, text }]
}

/** Dots in a row that are fewer are a part of the text. */
const dotsMin = 4

/** Words without the dots that lead from the first column of a table to the others. */
export const withoutLeaders = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const kept: Array<Word> = []
  let dots: Array<Word> = []
  const endDots = () => {
    const count = dots.reduce((sum, { text }) => sum + text.length, 0)
    if (count < dotsMin) kept.push(...dots)
    dots = []
  }
  for (const word of words) {
    if (/^[.·]+$/.test(word.text)) dots.push(word)
    else {
      endDots()
      kept.push(word)
    }
  }
  endDots()
  return kept.length === words.length ? words : kept
}
