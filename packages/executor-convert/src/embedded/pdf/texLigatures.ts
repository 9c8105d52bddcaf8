import { ligatureCodes } from "./ligatures.ts"
import type { Pdfium } from "./Pdfium.ts"
import { isUnnamed } from "./readCharacter.ts"

/** Of ff, fi, fl, ffi and ffl in TeX's fonts of text. */
const first = 0x0b
const last = 0x0f

/** As many small letters in a row are a part of a word; mathematics has fewer in one text object. */
const lettersMin = 4

/** As a share of the width of the letter n: in these fonts, ligatures are as wide or wider. */
const widthMin = 0.95
const letterN = 0x6e

/** Room for the box of a character: four numbers of 32 bits. */
const boxBytes = 16

/**
 * What the codes of TeX's ligatures stand for in bitmap fonts, of which a file says no more than their codes: controls
 * in its other fonts. Such a font has no name, and words are set in it.
 */
export class TexLigatures {
  readonly #pdfium: Pdfium
  readonly #textPage: number
  readonly #count: number
  readonly #nameAt: (index: number) => string
  /** How wide the letter n is in each of the fonts. */
  #widths: ReadonlyMap<number, number> | undefined

  constructor(pdfium: Pdfium, textPage: number, count: number, nameAt: (index: number) => string) {
    this.#pdfium = pdfium
    this.#textPage = textPage
    this.#count = count
    this.#nameAt = nameAt
  }

  /** The code of the ligature at a place of the text, or the code itself. */
  at(index: number, code: number): number {
    if (code < first || code > last || this.#pdfium.FPDFText_IsGenerated(this.#textPage, index) === 1)
      return code
    this.#widths ??= this.#widthsOfN()
    const object = this.#pdfium.FPDFText_GetTextObject(this.#textPage, index)
    const width = this.#widths.get(this.#pdfium.FPDFTextObj_GetFont(object))
    return width !== undefined && this.#widthAt(index) > widthMin * width
      ? ligatureCodes + code - first
      : code
  }

  #widthsOfN(): ReadonlyMap<number, number> {
    const fonts = new Set<number>()
    const widths = new Map<number, number>()
    let [object, letters] = [0, 0]
    for (let index = 0; index < this.#count; index++) {
      const own = this.#pdfium.FPDFText_GetTextObject(this.#textPage, index)
      if (own !== object) [object, letters] = [own, 0]
      const code = this.#pdfium.FPDFText_GetUnicode(this.#textPage, index)
      letters = isSmallLetter(code) ? letters + 1 : 0
      if (letters === lettersMin && isUnnamed(this.#nameAt(index)))
        fonts.add(this.#pdfium.FPDFTextObj_GetFont(own))
      if (code !== letterN) continue
      const font = this.#pdfium.FPDFTextObj_GetFont(own)
      if (!widths.has(font)) widths.set(font, this.#widthAt(index))
    }
    return new Map([...widths].filter(([font]) => fonts.has(font)))
  }

  #widthAt(index: number): number {
    const box = this.#pdfium.malloc(boxBytes)
    this.#pdfium.FPDFText_GetLooseCharBox(this.#textPage, index, box)
    const view = this.#pdfium.view()
    const width = view.getFloat32(box + 8, true) - view.getFloat32(box, true)
    this.#pdfium.free(box)
    return Math.abs(width)
  }
}

const isSmallLetter = (code: number): boolean => code >= 0x61 && code <= 0x7a
