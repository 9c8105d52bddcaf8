import type { MovedAccents } from "./accents.ts"
import { characterOfGlyph, spaceGlyph } from "./glyphNumbers.ts"
import type { CharactersOfPage } from "./glyphs.ts"
import { fontNameAt } from "./readCharacter.ts"
import { TexLigatures } from "./texLigatures.ts"

/** What a character is to the words beside it; of what is lost, only the shape is known. */
export type Kind = "text" | "space" | "line end" | "hyphen" | "nothing" | "lost"

/** What PDFium writes for a hyphen at the end of a line. */
const lineEndHyphens: ReadonlySet<number> = new Set([0x02, 0xfffe])

/** The codes of the characters of a page, with those that fonts and moved accents change. */
export class CharacterCodes {
  readonly #page: CharactersOfPage
  readonly #moved: MovedAccents
  /** Names of fonts that give the numbers of glyphs. */
  readonly #ofGlyphs: ReadonlySet<string>
  readonly #ofTex: TexLigatures
  #spaceGlyphs = 0
  #numbered: { readonly object: number; readonly isNumbered: boolean } | undefined

  constructor(page: CharactersOfPage, moved: MovedAccents, ofGlyphs: ReadonlySet<string>) {
    const { pdfium, textPage, count, scratch } = page
    this.#page = page
    this.#moved = moved
    this.#ofGlyphs = ofGlyphs
    this.#ofTex = new TexLigatures(pdfium, textPage, count, (index) =>
      fontNameAt(pdfium, textPage, index, scratch),
    )
  }

  /** How often the number of the glyph of a space was read. */
  get spaceGlyphs(): number {
    return this.#spaceGlyphs
  }

  at(index: number): number {
    const { pdfium, textPage } = this.#page
    const told = pdfium.FPDFText_GetUnicode(textPage, index)
    const code = this.#moved.letters.get(index) ?? this.#ofTex.at(index, told)
    if (code === spaceGlyph) this.#spaceGlyphs++
    return this.#ofGlyphs.size > 0 && this.#isNumber(index) ? characterOfGlyph(code) : code
  }

  /** PDFium adds it, where there is a gap or a line ends. */
  isAdded(index: number): boolean {
    return this.#page.pdfium.FPDFText_IsGenerated(this.#page.textPage, index) === 1
  }

  /** It is an accent that is written with its letter, or a space that PDFium adds around one. */
  isMoved(index: number): boolean {
    const { accents } = this.#moved
    if (accents.size === 0) return false
    if (accents.has(index)) return true
    return (accents.has(index - 1) || accents.has(index + 1)) && this.isAdded(index)
  }

  kindOf(code: number, index: number): Kind {
    if (code === 0x0a || code === 0x0d) return "line end"
    if (lineEndHyphens.has(code)) return this.#isHyphen(index) ? "hyphen" : "lost"
    if (code === 0x09 || code === 0x20 || code === 0xa0 || code === 0x3000) return "space"
    if (code >= 0x2000 && code <= 0x200b) return "space"
    if (code >= 0xfdd0 && code <= 0xfdef) return "lost"
    if (code === 0xfeff) return "nothing"
    const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f)
    return isControl || (code >= 0xfff0 && code <= 0xffff) || code > 0x10ffff ? "lost" : "text"
  }

  #isHyphen(index: number): boolean {
    return this.#page.pdfium.FPDFText_IsHyphen(this.#page.textPage, index) === 1
  }

  #isNumber(index: number): boolean {
    const { pdfium, textPage, scratch } = this.#page
    if (this.isAdded(index)) return false
    const object = pdfium.FPDFText_GetTextObject(textPage, index)
    if (this.#numbered?.object !== object) {
      const isNumbered = this.#ofGlyphs.has(fontNameAt(pdfium, textPage, index, scratch))
      this.#numbered = { object, isNumbered }
    }
    return this.#numbered.isNumbered
  }
}
