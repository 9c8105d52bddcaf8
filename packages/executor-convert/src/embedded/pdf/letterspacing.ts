import { median } from "./Cells.ts"
import { keepOnly, type Word } from "./Word.ts"

/** Fewer letters apart from one another are initials or signs. */
const lettersMin = 5
const hangulMin = 4
/** As shares of the size: the gap between two letters of a word that stand apart, and that between two words. */
const apartMin = 0.03
const gapMax = 0.75
const wordGapMax = 3
const sameLine = 0.1
/** Code in a title is smaller. */
const sizesMax = 0.4
/** As shares of the usual gap: where letters are of one word; and how much wider all gaps between words are than these. */
const evenMin = 0.4
const evenMax = 1.6
const widerMin = 1.25
/** The share of letters that may be nearer, as A and V are, or not apart at all. */
const nearMax = 0.2
/** Letters for each word. */
const wordLettersMin = 3
/** What only words have: vowels, as a share, and several letters, of which some stand late in the alphabet. */
const vowelsMin = 0.18
const vowelsMax = 0.65
const differentMin = 4

const characters = /^(?:[\p{L}\p{N}]\p{M}*|\p{P}){1,2}$/u
const hangul = /^\p{Script=Hangul}$/u
const alphabetic = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u
const vowel = /[aeiouαεηιουωаеиоуыэюяі]/u
const early = /^[a-hа-и]$/u

/** Notes a gap before a character that goes on with the word. */
export const addGap = (word: Word, { left }: { readonly left: number }): void => {
  const gap = left - word.right
  if (gap <= apartMin * word.size) return
  word.letterGaps ??= []
  word.letterGaps.push(gap)
}

/**
 * Joins the letters of words that are set wide, as titles are: all that stands in their line stands apart, at even gaps
 * and at wider ones between words.
 */
export const joinLetterspaced = (words: Array<Word>): void => {
  const kept: Array<Word> = []
  for (let at = 0; at < words.length; ) {
    const end = endOfRun(words, at)
    const line = words.slice(at, end)
    for (const word of line.length > 1 ? joined(line) : line) kept.push(word)
    at = end
  }
  if (kept.length < words.length) keepOnly(words, kept)
}

/** The index behind the words of a line that follow one another. */
const endOfRun = (words: ReadonlyArray<Word>, from: number): number => {
  let end = from + 1
  for (; end < words.length; end++) {
    const [last, next] = [words[end - 1], words[end]]
    if (last === undefined || next === undefined || !isBeside(last, next)) break
  }
  return end
}

const isBeside = (last: Word, next: Word): boolean =>
  Math.abs(next.baseline - last.baseline) < sameLine * last.size &&
  next.left - last.right < wordGapMax * last.size &&
  next.left > last.left

/** The words of a line as they are, or those that its letters make. */
const joined = (line: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const [first] = line
  const letters = line.reduce((sum, { text }) => sum + text.length, 0)
  if (first === undefined || letters < hangulMin || !line.every((word) => isApart(word, first))) return line
  const between = line.slice(1).map(({ left }, index) => left - (line[index]?.right ?? left))
  const gaps = [...between, ...line.flatMap((word) => word.letterGaps ?? [])]
  const usual = median(gaps)
  const inner = gaps.filter((gap) => gap < evenMax * usual)
  const widest = inner.reduce((most, gap) => Math.max(most, gap), 0)
  const isEven =
    usual > 0 &&
    usual < gapMax * first.size &&
    inner.filter((gap) => gap < evenMin * usual).length <= nearMax * (gaps.length + 1) &&
    gaps.every((gap) => gap <= widest || gap > widerMin * widest)
  if (!isEven) return line
  const found: Array<Array<Word>> = []
  for (const [index, word] of line.entries()) {
    const isOfLast =
      (between[index - 1] ?? Number.POSITIVE_INFINITY) <= widest && isLike(word, line[index - 1])
    if (isOfLast) found.at(-1)?.push(word)
    else found.push([word])
  }
  return areWords(found) ? found.flatMap(wordOf) : line
}

const isApart = ({ text, size, letterGaps = [] }: Word, first: Word): boolean =>
  Math.abs(size - first.size) < sizesMax * first.size &&
  (characters.test(text) || letterGaps.length >= Math.floor((1 - nearMax) * (text.length - 1)))

const isLike = ({ size, font }: Word, other: Word | undefined): boolean =>
  size === other?.size && font === other.font

const areWords = (found: ReadonlyArray<ReadonlyArray<Word>>): boolean => {
  const words = found.flat()
  const letters = [
    ...words
      .map(({ text }) => text)
      .join("")
      .normalize("NFC"),
  ]
  const apart = words.reduce((sum, { letterGaps = [] }) => sum + 1 + letterGaps.length, 0)
  if (letters.length > (1 + nearMax) * apart) return false
  if (letters.filter((letter) => hangul.test(letter)).length >= Math.max(hangulMin, letters.length / 2))
    return true
  const known = letters.map(plain).filter((letter) => alphabetic.test(letter))
  const vowels = known.filter((letter) => vowel.test(letter)).length / known.length
  return (
    known.length >= Math.max(lettersMin, letters.length / 2, wordLettersMin * found.length) &&
    vowels > vowelsMin &&
    vowels < vowelsMax &&
    new Set(known).size >= differentMin &&
    known.some((letter) => !early.test(letter)) &&
    known.some((letter, index) => letter < (known[index - 1] ?? "")) &&
    !known.some((letter, index) => letter === known[index - 1] && letter === known[index - 2])
  )
}

/** Small, without its accent. */
const plain = (letter: string): string => letter.normalize("NFD").slice(0, 1).toLowerCase()

const wordOf = (letters: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const [first, last] = [letters[0], letters.at(-1)]
  if (first === undefined || last === undefined) return []
  const { right, hyphenated, spaced } = last
  return [{ ...first, text: letters.map(({ text }) => text).join(""), right, hyphenated, spaced }]
}
