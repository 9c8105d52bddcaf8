import type { Style } from "./readCharacter.ts"
import type { Layer, Word } from "./Word.ts"
import { isInLine } from "./wordGaps.ts"

/** Of the spaces within the text objects of a page, so many are written where all between words are. */
const writtenShareMin = 0.8
/** Shares of the size. */
const paddingMax = 0.48
const tightMax = 0.22

/** Finds the words that no space is written before, while the words of a page are read. */
export class UnspacedWords {
  /** Spaces between words that are no code: those between text objects only where they are written. */
  #spaces = 0
  #written = 0
  /** The space behind the last character. */
  #space: "written" | "added" | undefined
  /** No space is written behind the last character. */
  #isUnspaced = false
  readonly #unspaced = new Set<Word>()
  /** Words whose letters are objects of their own: PDFium says no space that is one, too. */
  readonly #ofLetters = new Set<Word>()
  #last: Word | undefined
  #objectsOfLast = 0

  /** PDFium added a space behind the last character, and none is written there. */
  get isSpaceAdded(): boolean {
    return this.#space === "added"
  }

  /** Sees a space, written or added by PDFium, which may stand elsewhere in the line (`isStrayed`). */
  addSpace(isWritten: boolean, isStrayed: boolean): void {
    this.#space = isWritten ? "written" : (this.#space ?? "added")
    if (isWritten && !isStrayed) this.#isUnspaced = false
  }

  /** Sees a word that begins. */
  begin(word: Word): void {
    if (this.#isUnspaced) this.#unspaced.add(word)
    if (this.#last !== undefined && isOfLetters(this.#last, this.#objectsOfLast))
      this.#ofLetters.add(this.#last)
    this.#last = word
    this.#objectsOfLast = 1
  }

  /** Sees a text object that goes on with the last word. */
  addObject(): void {
    this.#objectsOfLast++
  }

  /** Sees a character that a word has now. */
  addCharacter({ mono, layer }: Style, isOfNewObject: boolean): void {
    this.#isUnspaced = true
    if (this.#space === undefined) return
    const isWritten = this.#space === "written"
    this.#space = undefined
    const isCounted = (isWritten || !isOfNewObject) && !mono && layer.words.at(-2)?.mono === false
    if (!isCounted) return
    this.#spaces++
    if (isWritten) this.#written++
  }

  /**
   * Programs leave room around code that stands on a ground of its own: beside a sign, that is no space where those of
   * the page are written. Between scripts they leave less than a space.
   */
  mark(layers: Iterable<Layer>): void {
    const areWritten = this.#spaces === 0 || this.#written > writtenShareMin * this.#spaces
    for (const { words } of layers) {
      for (const [index, word] of words.entries()) {
        const last = words[index - 1]
        if (last === undefined || !this.#unspaced.has(word)) continue
        const beside = last.text.length > 1 ? [last] : [words[index - 2], word]
        if (areWritten && !beside.some((each) => each !== undefined && this.#ofLetters.has(each)))
          word.beginsApart = true
        const gap = word.left - last.right
        if (!isInLine(last, word) || gap <= 0) continue
        if (gap < tightMax * word.size) word.isTight = true
        if (areWritten && isPadding(last, word, gap)) word.isUnspaced = true
      }
    }
  }
}

const isOfLetters = ({ text }: Word, objects: number): boolean => text.length > 1 && objects >= text.length

/** The gap is the room that is left around code, beside a sign. */
const isPadding = (last: Word, word: Word, gap: number): boolean => {
  const isSign = word.mono
    ? /[([{“‘"'/-]$/u.test(last.text)
    : /^(?:[.,;:!?)\]}”’"'/]|-\p{L})/u.test(word.text)
  return isSign && last.mono !== word.mono && gap < paddingMax * Math.max(last.size, word.size)
}
