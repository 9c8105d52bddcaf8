import type { PageText } from "./Words.ts"

/** A page with fewer characters says too little to be judged. */
const charactersMin = 60
const lettersMin = 200
/** Shares of a page's characters, letters or words from which on its text is none. */
const unknownMax = 0.3
const signsMax = 0.6
const vowelsMin = 0.2
const mixedMax = 0.3
/** Characters of a page that are looked at. */
const charactersMax = 6_000

const unknown = /[\p{Co}\p{Cn}\ufffd]/gu
/** Leaders, rules and the like are signs, but no bad text. */
const counted = /[^\s.…·_\-–—=*•]/gu
const letterOrDigit = /[\p{L}\p{N}\p{M}]/gu
const latin = /[a-z]/gi
const vowel = /[aeiouy]/gi
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Georgian}/u,
]

const countOf = (text: string, what: RegExp): number => text.match(what)?.length ?? 0

/**
 * Whether the text of a page is what a person would read there. A font may lack a map from its shapes to characters, or
 * have a wrong one: then the page looks well, and its text is signs, characters of no meaning, letters of several
 * alphabets in one word, or letters without vowels.
 */
export const isReadable = ({ layers, lost }: PageText): boolean => {
  const texts: Array<string> = []
  let length = 0
  for (const { words } of layers) {
    for (const { text } of words) {
      if (length < charactersMax) texts.push(text)
      length += text.length
    }
  }
  if (length + lost < charactersMin) return true
  if (lost > unknownMax * (length + lost)) return false
  return isText(texts)
}

const isText = (words: ReadonlyArray<string>): boolean => {
  const text = words.join(" ")
  const characters = countOf(text, counted)
  if (characters < charactersMin) return true
  if (countOf(text, unknown) > unknownMax * characters) return false
  if (characters - countOf(text, letterOrDigit) > signsMax * characters) return false
  // Accented letters are among the vowels of most alphabets, so only pages of plain letters are judged by them.
  const letters = countOf(text, /\p{L}/gu)
  const plain = countOf(text, latin)
  if (letters < lettersMin) return true
  if (plain > 0.9 * letters) return countOf(text, vowel) >= vowelsMin * plain
  const long = words.filter((word) => countOf(word, /\p{L}/gu) > 2)
  const mixed = long.filter((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1)
  return mixed.length <= mixedMax * long.length
}
