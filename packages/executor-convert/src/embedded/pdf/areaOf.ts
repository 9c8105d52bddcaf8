import type { Area } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Where words stand, each as high as this share of its size. */
export const areaOf = (words: Iterable<Word>, height = 1): Area => {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const word of words) {
    left = Math.min(left, word.left)
    right = Math.max(right, word.right)
    top = Math.min(top, word.baseline - height * word.size)
    bottom = Math.max(bottom, word.baseline)
  }
  return { left, right, top, bottom }
}
