import { mayBeInCluster } from "./clusters.ts"
import { Faces } from "./Faces.ts"
import type { Font } from "./Fonts.ts"
import type { Style } from "./readCharacter.ts"
import { ideographs, spacedBySentence } from "./scripts.ts"
import type { Word } from "./Word.ts"

/** Scripts in which no spaces part words: a whole line may be one. */
const unspaced = new RegExp(`[${ideographs}${spacedBySentence}]`, "u")

/** Of two faces, the bold one has so many times fewer letters in those of its fonts that share some with the other. */
const usageMin = 1.3

/**
 * Finds the weights of words. In scripts without spaces each is as heavy as most of its letters. Of faces that
 * are drawn, as fonts without a name, the one that has fewer letters is bold.
 */
export class MixedWeights {
  /** Words that begin in a heavy font that is not known as bold. */
  readonly #heavy = new Set<Word>()
  /** How many letters are in another weight than the first one, and whether they are known as bold. */
  readonly #others = new Map<Word, { count: number; readonly bold: boolean }>()
  /** Letters that are drawn, by their words. */
  readonly #drawn = new Map<Word, Array<Font>>()
  readonly #faces = new Faces()
  /** Fonts in which a letter is drawn. */
  readonly #byLetter = new Map<number, Set<Font>>()

  begin(word: Word, style: Style, code: number): void {
    if (style.isHeavy) this.#heavy.add(word)
    this.#draw(word, style, code)
  }

  add(word: Word, style: Style, code: number): void {
    this.#draw(word, style, code)
    const { bold, isHeavy } = style
    const isOther = (bold || isHeavy) !== (word.bold || this.#heavy.has(word))
    if (!isOther) return
    const others = this.#others.get(word)
    if (others === undefined) this.#others.set(word, { count: 1, bold })
    else others.count++
  }

  #draw(word: Word, { isDrawn, font }: Style, code: number): void {
    if (!isDrawn) return
    const fonts = this.#drawn.get(word)
    if (fonts === undefined) this.#drawn.set(word, [font])
    else {
      this.#faces.join(fonts.at(-1) ?? font, font)
      fonts.push(font)
    }
    // A letter has several shapes there, and each may be in another font.
    if (mayBeInCluster(code)) return
    const known = this.#byLetter.get(code)
    if (known === undefined) this.#byLetter.set(code, new Set([font]))
    else known.add(font)
  }

  /** Gives the words the weights of most of their letters; those in the answer, which are drawn or not, are bold if others are most. */
  settle(): { readonly heavy: ReadonlyArray<Word>; readonly drawn: ReadonlyArray<Word> } {
    for (const [word, { count, bold }] of this.#others) {
      if (2 * count <= word.text.length || !unspaced.test(word.text) || this.#heavy.delete(word)) continue
      if (word.bold || bold) word.bold = bold
      else this.#heavy.add(word)
    }
    const weights = this.#weightsOfDrawn()
    for (const [word, fonts] of this.#drawn) {
      const weight = fonts.reduce((sum, font) => sum + (weights.get(font) ?? 0), 0)
      if (weight > 0) word.bold = true
      if (weight !== 0) this.#heavy.delete(word)
    }
    const found = [...this.#heavy]
    return {
      heavy: found.filter((word) => !this.#drawn.has(word)),
      drawn: found.filter((word) => this.#drawn.has(word)),
    }
  }

  /** 1 for each font that is bold, -1 for those of which others are the bold ones. */
  #weightsOfDrawn(): ReadonlyMap<Font, number> {
    for (const fonts of this.#byLetter.values()) {
      if (fonts.size < 2) continue
      const [most, ...others] = [...fonts].sort((a, b) => b.known - a.known)
      if (most !== undefined) for (const font of others) this.#faces.part(most, font)
    }
    const weights = new Map<Font, number>()
    for (const faces of this.#faces.found()) {
      const [bold, other] = faces.toSorted((a, b) => a.shared - b.shared)
      if (bold === undefined || other === undefined) continue
      if (bold.shared === 0 || other.shared < usageMin * bold.shared) continue
      for (const font of bold.fonts) weights.set(font, 1)
      for (const font of other.fonts) weights.set(font, -1)
    }
    return weights
  }
}
