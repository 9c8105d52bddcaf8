import { hasRightToLeft } from "./rightToLeft.ts"
import type { Word } from "./Word.ts"

/**
 * The words of a line from left to right: programs draw those of one font in a row, and what is in another font between
 * them before or after it. What is read from right to left stays in its order.
 */
export const fromLeftToRight = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const isBack = ({ right, size }: Word, index: number): boolean => {
    const before = words[index - 1]
    return before !== undefined && right <= before.left + overlapMax * size
  }
  if (!words.some(isBack) || words.some(({ text }) => hasRightToLeft(text))) return words
  return words.toSorted((a, b) => a.left - b.left)
}

/** A share of the size. */
const overlapMax = 0.1
