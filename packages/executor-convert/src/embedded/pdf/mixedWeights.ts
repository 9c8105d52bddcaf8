import type { Style } from "./readCharacter.ts"
import type { Word } from "./Word.ts"

type Weight = Pick<Style, "bold" | "isHeavy">

/** Scripts in which no spaces part words: a whole line may be one. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Words of such scripts whose letters are not all as heavy: each is as heavy as most of its letters. */
export class MixedWeights {
  /** Words that begin in a heavy font that is not known as bold. */
  readonly #heavy = new Set<Word>()
  /** How many letters are in another weight than the first one, and whether they are known as bold. */
  readonly #others = new Map<Word, { count: number; readonly bold: boolean }>()

  begin(word: Word, { isHeavy }: Weight): void {
    if (isHeavy) this.#heavy.add(word)
  }

  add(word: Word, { bold, isHeavy }: Weight): void {
    const isOther = (bold || isHeavy) !== (word.bold || this.#heavy.has(word))
    if (!isOther) return
    const others = this.#others.get(word)
    if (others === undefined) this.#others.set(word, { count: 1, bold })
    else others.count++
  }

  /** Gives the words the weights of most of their letters, and says which ones are heavy. */
  settle(): ReadonlyArray<Word> {
    for (const [word, { count, bold }] of this.#others) {
      if (2 * count <= word.text.length || !unspaced.test(word.text) || this.#heavy.delete(word)) continue
      if (word.bold || bold) word.bold = bold
      else this.#heavy.add(word)
    }
    return [...this.#heavy]
  }
}
