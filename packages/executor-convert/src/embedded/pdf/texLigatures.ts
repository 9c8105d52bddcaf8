import { ligatureCodes } from "./ligatures.ts"
import type { Pdfium } from "./Pdfium.ts"
import { isUnnamed } from "./readCharacter.ts"

/** Of ff, fi, fl, ffi and ffl in TeX's fonts of text, in its old encoding and in that for the languages of Europe (T1). */
const first = 0x0b
const last = 0x0f
const firstOfEurope = 0x1b
const lastOfEurope = 0x1f
/** What stands in the latter before them: quotation marks and dashes. */
const firstSign = 0x10
const signs = "“”„«»–—"

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
  #fonts: FontsOfTex | undefined

  constructor(pdfium: Pdfium, textPage: number, count: number, nameAt: (index: number) => string) {
    this.#pdfium = pdfium
    this.#textPage = textPage
    this.#count = count
    this.#nameAt = nameAt
  }

  /** The code of the ligature or the sign at a place of the text, or the code itself. */
  at(index: number, code: number): number {
    if (code < first || code > lastOfEurope || this.#pdfium.FPDFText_IsGenerated(this.#textPage, index) === 1)
      return code
    this.#fonts ??= this.#fontsOfTex()
    const { widths, areOfEurope } = this.#fonts
    const object = this.#pdfium.FPDFText_GetTextObject(this.#textPage, index)
    const width = widths.get(this.#pdfium.FPDFTextObj_GetFont(object))
    if (width === undefined) return code
    const sign = areOfEurope ? signs.codePointAt(code - firstSign) : undefined
    if (sign !== undefined && code >= firstSign) return sign
    const [begin, end] = areOfEurope ? [firstOfEurope, lastOfEurope] : [first, last]
    const isLigature = code >= begin && code <= end && this.#widthAt(index) > widthMin * width
    return isLigature ? ligatureCodes + code - begin : code
  }

  #fontsOfTex(): FontsOfTex {
    const fonts = new Set<number>()
    const widths = new Map<number, number>()
    let [object, letters] = [0, 0]
    let [old, ofEurope] = [0, 0]
    for (let index = 0; index < this.#count; index++) {
      const own = this.#pdfium.FPDFText_GetTextObject(this.#textPage, index)
      if (own !== object) [object, letters] = [own, 0]
      const code = this.#pdfium.FPDFText_GetUnicode(this.#textPage, index)
      const isOld = code >= first && code <= last
      if (isOld || (code >= firstOfEurope && code <= lastOfEurope)) {
        const next = this.#pdfium.FPDFText_GetUnicode(this.#textPage, index + 1)
        if (letters > 0 || isSmallLetter(next)) isOld ? old++ : ofEurope++
      }
      letters = isSmallLetter(code) ? letters + 1 : 0
      if (letters === lettersMin && isUnnamed(this.#nameAt(index)))
        fonts.add(this.#pdfium.FPDFTextObj_GetFont(own))
      if (code !== letterN) continue
      const font = this.#pdfium.FPDFTextObj_GetFont(own)
      if (!widths.has(font)) widths.set(font, this.#widthAt(index))
    }
    return {
      widths: new Map([...widths].filter(([font]) => fonts.has(font))),
      areOfEurope: old === 0 && ofEurope > 0,
    }
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

interface FontsOfTex {
  /** How wide the letter n is in each of them. */
  readonly widths: ReadonlyMap<number, number>
  /** Ligatures stand behind letters at the places of the encoding for the languages of Europe alone. */
  readonly areOfEurope: boolean
}

const isSmallLetter = (code: number): boolean => code >= 0x61 && code <= 0x7a
