import type { Word } from "./Word.ts"

/** Small capitals are so large, as shares of the size of the capitals beside them. */
const shareMin = 0.65
const shareMax = 0.88
const sameSize = 0.02
/** Points. */
const sameLine = 1

/** Notes that a character in a smaller type goes on with the word. */
export const addSmaller = (word: Word, size: number, baseline: number): void => {
  if (size >= word.size || Math.abs(baseline - word.baseline) >= sameLine) return
  const { smaller = size } = word
  word.smaller = Math.max(smaller, size)
}

/**
 * Words in small capitals have the size of the capitals that words of their line begin with: where these are a little
 * larger than the capitals behind them, all words in such capitals are of one type, also those of a whole next line.
 */
export const sizeSmallCapitals = (words: ReadonlyArray<Word>): void => {
  let leading: Word | undefined
  for (let begin = 0; begin < words.length; ) {
    const first = words[begin]
    let end = begin + 1
    while (end < words.length && Math.abs((words[end]?.baseline ?? 0) - (first?.baseline ?? 0)) < sameLine)
      end++
    const line = words.slice(begin, end)
    const isRest = (word: Word): boolean => isSmall(word, leading)
    leading = line.find(isSmallBehind) ?? (line.every(isRest) ? leading : undefined)
    if (leading !== undefined) {
      for (const word of line.filter(isRest)) word.size = leading.size
    }
    begin = end
  }
}

const isSmall = (word: Word, leading: Word | undefined): boolean =>
  leading?.smaller !== undefined && isSame(word.size, leading.smaller) && isCapitals(word)

/** A capital with small ones behind it. */
const isSmallBehind = (word: Word): boolean =>
  word.smaller !== undefined &&
  word.smaller >= shareMin * word.size &&
  word.smaller <= shareMax * word.size &&
  isCapitals(word)

const isCapitals = ({ text, isDrawnWider }: Word): boolean =>
  isDrawnWider === true || (/\p{Lu}/u.test(text) && text === text.toUpperCase())

const isSame = (size: number, other: number): boolean => Math.abs(size - other) < sameSize * other
