import { isMarkBefore } from "./raisedCharacters.ts"
import type { Place, Style } from "./readCharacter.ts"
import { isRightToLeft } from "./rightToLeft.ts"
import { ideographs, spacedBySentence } from "./scripts.ts"
import type { Word } from "./Word.ts"

/** A wider gap, as a share of the size, ends a word even where no space is written. */
export const gapMax = 0.3
/** The same, where the reader believes that a line ends: what it says at a raised mark, for example. */
export const gapAtLineEndMax = 0.1
/** The same, over a character that is left out. */
export const gapOverNothingMax = 2
/** A character further up or down, as a share of the size, is of another line. */
export const riseMax = 0.5
/** Behind what is larger, as the large letter that a text begins with, words stand on a line of their own. */
export const raisedSizeMin = 0.4
/** What goes on without a gap for longer is no word: each of its characters looks at its text. */
export const wordCharactersMax = 2_000
/** A share of the size: what is nearer touches. */
export const sameGap = 0.1
/** Points: baselines that differ by less are of one line. */
export const sameLine = 1

/** The text ends in a script in which a gap alone does not part words. */
export const endsWithoutSpaces = (text: string): boolean => withoutSpaces.test(text)

const withoutSpaces = new RegExp(
  `[${ideographs}${spacedBySentence}\\p{Script=Hangul}\\u3000-\\u303f\\uff00-\\uff1f]$`,
  "u",
)

/** A space that stands in another place of the line, as programs may write those of a line in an object of their own. */
export const isElsewhere = (word: Word, place: Place): boolean => {
  const { text, right, size } = word
  if (!isInLine(word, place)) return false
  const isWithin = place.left < right - withinMin * size && !isRightToLeft(text.charCodeAt(text.length - 1))
  return isWithin || Math.abs(place.left - right) > size
}

/** A share of the size: further to the left it stands within the word. */
const withinMin = 0.4

/** The place is on the line of the word. */
export const isInLine = (word: Word | undefined, { baseline }: Place): boolean =>
  word !== undefined && Math.abs(baseline - word.baseline) < sameLine

/** No gap stands where such a space was said to. */
export const goesOnAt = (word: Word, place: Place): boolean =>
  isInLine(word, place) && Math.abs(place.left - word.right) < sameGap * word.size

/** No gap stands between the end of a word and the cluster that follows it. */
export const touches = (
  word: Word,
  place: Place,
  { right }: { readonly right: number },
  code: number,
  areOneWord: boolean,
): boolean => {
  if (Math.abs(place.baseline - word.baseline) > riseMax * word.size) return false
  const [gap, usual] = isRightToLeft(code)
    ? [word.left - right, arabicGapMax]
    : [place.left - word.right, clusterGapMax]
  const most = areOneWord ? gapWithoutSpaceMax : usual
  return gap < most * word.size && gap > -clusterOverlapMax * word.size
}

/** Shares of the size. */
const clusterGapMax = 0.06
/** Between clusters without a space, of a text whose spaces are known. */
const gapWithoutSpaceMax = 0.5
const arabicGapMax = 0.12
const clusterOverlapMax = 0.5
const bracketGapMax = 0.18

/** The character at a place goes on with the last word, behind a gap of at most `widest`, a share of the size. */
export const continues = (word: Word, place: Place, style: Style, code: number, widest: number): boolean => {
  const size = Math.max(word.size, style.size)
  if (word !== style.layer.words.at(-1) || Math.abs(place.baseline - word.baseline) > riseMax * size)
    return false
  if (word.text.length >= wordCharactersMax || isMarkBefore(word, code, place, style)) return false
  if (style.size < raisedSizeMin * word.size) return false
  if (isRightToLeft(code)) {
    const gap = Math.max(place.left - word.right, word.left - place.right)
    // A space that stands behind a bracket may be written before it.
    const most = /[()[\]]/.test(word.text.slice(-1)) ? Math.min(widest, bracketGapMax) : widest
    return gap <= most * size && !/[A-Za-z]/.test(word.text.slice(-1))
  }
  // Printed later, at a place that was left free: in scripts without signs that stand before their letters.
  if (code < latinEnd && place.right < word.left + sameGap * size) return false
  const gap = place.left - word.right
  return gap <= widest * size && gap >= -size
}

/** Scripts without signs that stand before their letters end before it. */
const latinEnd = 0x250
