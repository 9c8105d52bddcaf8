import { textOf } from "./ligatures.ts"
import type { Place, Style } from "./readCharacter.ts"
import type { Word } from "./Word.ts"

/** The word is a raised mark, such as that of a footnote, and a word follows on the line. */
export const isMarkBefore = (
  { text, left, size, baseline }: Word,
  code: number,
  place: Place,
  style: Style,
): boolean =>
  size < raisedSizeMax * style.size &&
  place.baseline - baseline > exponentRiseMin * style.size &&
  place.left > left &&
  /^(?:\d{1,3}|[*∗†‡§¶]{1,3}|[a-z])$/u.test(text) &&
  /[\p{L}"“(]/u.test(textOf(code))

/** What a character is written as behind a word; a power in the word that it shows to be none is set right. */
export const writtenBehind = (
  word: Word,
  before: Place | undefined,
  place: Place,
  style: Style,
  code: number,
  isBehindLowered: boolean,
): string => {
  // The name of the language C++ is often set so, and the ending of 2nd.
  if (code === plus && word.text.endsWith("⁺")) word.text = `${word.text.slice(0, -1)}+`
  if (code === letterD && word.text.endsWith("ⁿ")) word.text = `${word.text.slice(0, -1)}n`
  return isExponent(word, before, place, style, code, isBehindLowered) ? raised(code) : textOf(code)
}

const plus = 0x2b
const letterD = 0x64

/**
 * A small raised character behind a digit, which would be read as another one: of a footnote's mark or a power; behind a
 * variable, the sign of a unit or a bracket, which a digit would go on, or what is lowered; or the sign of a power, also
 * behind other letters.
 */
const isExponent = (
  word: Word,
  before: Place | undefined,
  { baseline }: Place,
  { size }: Style,
  code: number,
  isBehindLowered: boolean,
): boolean => {
  const rise = exponentRiseMin * word.size
  // What is raised further may be hardly smaller.
  const isSmaller = size < raisedSizeMax * word.size || (isFarUp(word, baseline) && size < word.size)
  if (!isSmaller || word.baseline - baseline <= rise) return false
  const isRaised = word.baseline - (before?.baseline ?? word.baseline) > rise
  if (isRaised) return /[⁰¹²³⁴-⁹⁺⁻·ⁿ]$/u.test(word.text)
  if (isBehindLowered) return true
  return (exponentSigns.has(textOf(code)) ? signedBase : base).test(word.text.slice(-baseCharactersMax))
}

/** What is raised so far is of a power or a mark, though it may be hardly smaller. */
export const isFarUp = (word: Word, baseline: number): boolean =>
  word.baseline - baseline > farUpMin * word.size

/** Shares of the size: how large what is raised is at most, and how far up it stands. */
export const raisedSizeMax = 0.85
const exponentRiseMin = 0.12
const farUpMin = 0.25

/** Of a power: a number, one or two letters that are no syllables or words, a function of mathematics, or a bracket. */
const base =
  /[\d)\]]$|(?:^|[^\p{L}])(?:(?![\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}])\p{L}){1,2}$|(?:^|[^\p{L}])(?:log|sin|cos|tan)$/u
/** Of a power with a sign: a letter, a bracket, or a whole number, as the limits of errors stand behind others. */
const signedBase = /[\p{L})]$|(?:^|[^\d.,])\d{1,3}$/u
const baseCharactersMax = 5

const exponentSigns: ReadonlyMap<string, string> = new Map([
  ["+", "⁺"],
  ["-", "⁻"],
  ["−", "⁻"],
  ["–", "⁻"],
])

/** The sign of a power for a character; the character itself where there is none. */
export const raised = (code: number): string => {
  const text = textOf(code)
  const sign = exponentSigns.get(text)
  if (sign !== undefined) return sign
  // Of a power with decimals.
  if (text === ".") return "·"
  if (text === "n") return "ⁿ"
  return /^\d$/.test(text) ? "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(text)) : text
}
