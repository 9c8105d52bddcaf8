import type { Word } from "./Word.ts"

/** Stand around code within a text. No character of a document is one of them. */
const begin = "\ufdd4"
const end = "\ufdd5"

const run = new RegExp(`${begin}([^${begin}${end}]*)${end}`)

/** Words of others, with letters, that make code of a font of equal widths, and not the font of the text. */
const othersMin = 3

/** The words that are code, or begin or end with it: those in a font of equal widths among others that are not. */
export const codeAmong = (
  lines: ReadonlyArray<{ readonly words: ReadonlyArray<Word> }>,
): ReadonlySet<Word> => {
  const code = new Set<Word>()
  let others = 0
  for (const { words } of lines) {
    for (const word of words) {
      if (word.mono || word.codeFrom !== undefined) code.add(word)
      else if (/\p{L}/u.test(word.text)) others++
    }
  }
  return others >= othersMin ? code : new Set()
}

/** The text of a word between signs where it is code: before the first and behind the last of such words in a row. */
export const markCode = (
  text: string,
  word: Word,
  before: Word | undefined,
  after: Word | undefined,
  code: ReadonlySet<Word>,
): string => {
  if (!code.has(word) || word.marked !== undefined || word.isStruck === true) return text
  const [from, to] = [word.codeFrom ?? 0, Math.min(word.codeTo ?? text.length, text.length)]
  const goesOn = (one: Word | undefined, next: Word | undefined): boolean =>
    one !== undefined &&
    next !== undefined &&
    code.has(one) &&
    code.has(next) &&
    one.link === next.link &&
    isOpen(one) &&
    isWhole(next)
  const first = goesOn(before, word) ? "" : begin
  const last = goesOn(word, after) ? "" : end
  return text.slice(0, from) + first + text.slice(from, to) + last + text.slice(to)
}

/** The word ends in code, and the next one begins with it, of the same link. */
const isOpen = ({ codeTo, marked, isStruck }: Word): boolean =>
  codeTo === undefined && marked === undefined && isStruck !== true
const isWhole = ({ codeFrom, marked, isStruck }: Word): boolean =>
  codeFrom === undefined && marked === undefined && isStruck !== true

/** The text without the signs around code, which nothing is where all of a document is in such a font. */
export const withoutCodeMarks = (text: string): string => text.replace(marks, "")

/** The text behind its first characters, of which signs around code are none, without the end of code that stands there. */
export const behind = (text: string, characters: number): string => {
  let left = characters
  let at = 0
  while (at < text.length && (left > 0 || text[at] === end)) {
    if (text[at] !== begin && text[at] !== end) left -= 1
    at += 1
  }
  return text.slice(at)
}

/**
 * The parts of a text: code stands apart, without the stop of its sentence. What is parted from the other sign, addresses
 * and what has no letter are text.
 */
export const codeIn = (text: string): ReadonlyArray<{ readonly text: string; readonly isCode: boolean }> =>
  text.split(run).flatMap((part, index) => {
    const plain = withoutCodeMarks(part)
    if (index % 2 === 0 || !/[A-Za-z]/.test(plain) || address.test(plain))
      return [{ text: plain, isCode: false }]
    const [, code = "", stop = ""] = /^(.*?)((?<!\.)[.,;:])?$/su.exec(plain) ?? []
    return [
      { text: code, isCode: true },
      { text: stop, isCode: false },
    ]
  })

/** Of the web, or for mail. */
const address = /:\/\/|^www\.|@[\w-]+\.\w/

const marks = /[\ufdd4\ufdd5]/g
