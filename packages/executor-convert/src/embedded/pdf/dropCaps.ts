import type { Word } from "./Word.ts"

/** Shares of the size of the large letter, and of that of its text. */
const sizeMax = 1 / 1.8
const gapMax = 1
const sameTop = 0.4
/** With more large letters on a page, they are not the beginnings of its texts. */
const lettersMax = 8

/** The words, with each large capital that stands over several lines in the word that it begins, in the first of these. */
export const withDropCaps = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const letters = words.filter(({ text }) => /^\p{Lu}$/u.test(text))
  const least = words.reduce((size, word) => Math.min(size, word.size), Number.POSITIVE_INFINITY)
  const large = letters.filter(({ size }) => least < sizeMax * size)
  if (large.length === 0 || large.length > lettersMax) return words
  const changed = new Map<Word, Word | undefined>()
  for (const letter of large) {
    const first = firstWordOf(letter, words)
    if (first === undefined) continue
    changed.set(letter, undefined)
    changed.set(first, { ...first, text: letter.text + first.text })
  }
  return changed.size === 0
    ? words
    : words.flatMap((word) => (changed.has(word) ? (changed.get(word) ?? []) : [word]))
}

/** The rest of the word that the letter begins, in lower case beside its upper part, with another line below. */
const firstWordOf = (letter: Word, words: ReadonlyArray<Word>): Word | undefined => {
  const beside = words.filter(
    ({ left, baseline, size }) =>
      size < sizeMax * letter.size &&
      left > letter.right - size &&
      left < letter.right + gapMax * size &&
      baseline > letter.baseline - letter.size &&
      baseline < letter.baseline + sameTop * size,
  )
  const first = beside.reduce<Word | undefined>(
    (top, word) => (top === undefined || word.baseline < top.baseline ? word : top),
    undefined,
  )
  const isOver = first !== undefined && letter.baseline - first.baseline > sameTop * first.size
  return isOver && /^\p{Ll}/u.test(first.text) ? first : undefined
}
