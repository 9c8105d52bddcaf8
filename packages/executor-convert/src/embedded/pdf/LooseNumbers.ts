import type { Word } from "./Word.ts"

const number = /^\d{1,3}[.)]$/
/** A share of the size: how far a number may stand before the text of its item. */
const gapMax = 4

/** Numbers of items that browsers draw outside of the lists of a tagged page: nothing that no tag tells of stands before them. */
export class LooseNumbers {
  readonly #byHeight = new Map<number, Word>()
  readonly #taken = new Set<Word>()

  /** `words` are those that no tag tells of. */
  constructor(words: ReadonlyArray<Word>) {
    for (const [index, word] of words.entries()) {
      const before = words[index - 1]
      const isFirst = before === undefined || Math.abs(before.baseline - word.baseline) > 1
      if (isFirst && number.test(word.text)) this.#byHeight.set(Math.round(word.baseline), word)
    }
  }

  isTaken(word: Word): boolean {
    return this.#taken.has(word)
  }

  /** The number before the first word of an item, as it is written; empty for none. */
  take(first: Word | undefined): string {
    if (first === undefined) return ""
    const height = Math.round(first.baseline)
    for (const at of [height - 1, height, height + 1]) {
      const word = this.#byHeight.get(at)
      const gap = word === undefined ? -1 : first.left - word.right
      if (word === undefined || gap < 0 || gap > gapMax * first.size || this.isTaken(word)) continue
      this.#taken.add(word)
      return word.text
    }
    return ""
  }
}
