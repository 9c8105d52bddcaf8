import { type Font, haveSameWidth, isEquallyWide, isOfText } from "./Fonts.ts"
import type { Style } from "./readCharacter.ts"
import { ideographs } from "./scripts.ts"
import type { Word } from "./Word.ts"

/** Notes where characters in a font of equal widths begin or end in the word, before the next one is added. */
export const noteCode = (word: Word, { mono, font }: Style): void => {
  if (word.codeTo !== undefined) return
  if (mono && !word.mono && word.codeFrom === undefined) {
    word.codeFrom = word.text.length
    word.codeFont = font
  } else if (!mono && (word.mono || word.codeFrom !== undefined)) word.codeTo = word.text.length
}

/** Fonts may have characters of equal widths without a word about it in their names or descriptions, or other ones. */
export const markEquallyWide = (words: ReadonlyArray<Word>): void => {
  const families = new Map<string, number>()
  for (const { font } of words) if (isEquallyWide(font)) families.set(font.family, font.width)
  for (const word of words) {
    const isText = isOfText(word.font) || (word.font.ideographs === 0 && ideograph.test(word.text))
    const isAlike = isAsWide(word.font, families.get(word.font.family))
    word.mono = (word.mono && !isText) || isEquallyWide(word.font) || isAlike
    if (word.codeFont === undefined ? !word.mono : isOfText(word.codeFont)) {
      word.codeFrom = undefined
      word.codeTo = undefined
    }
  }
}

/** Few characters of another weight or slope of the family were seen, all as wide as those. */
const isAsWide = ({ family, isEqual, width }: Font, widthOfFamily: number | undefined): boolean =>
  family !== "" && isEqual && widthOfFamily !== undefined && haveSameWidth(width, widthOfFamily)

/** Behind the number of a title, in another font than that. */
const ideograph = new RegExp(`[${ideographs}]`, "u")
