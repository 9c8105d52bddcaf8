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
  const fonts = textFontsOf(words)
  for (const word of words) {
    const isText =
      isOfText(word.font) || fonts.has(word.font) || (word.font.ideographs === 0 && ideograph.test(word.text))
    const isAlike = isAsWide(word.font, families.get(word.font.family))
    word.mono = (word.mono && !isText) || isEquallyWide(word.font) || isAlike
    if (word.codeFont === undefined ? !word.mono : isOfText(word.codeFont) || fonts.has(word.codeFont)) {
      word.codeFrom = undefined
      word.codeTo = undefined
    }
  }
}

/** Fonts of which a file has two, one for few characters such as ligatures, which are all equally wide. */
const textFontsOf = (words: ReadonlyArray<Word>): ReadonlySet<Font> => {
  const counts = new Map<Font, number>()
  for (const { font, mono, codeFont } of words) {
    counts.set(font, (counts.get(font) ?? 0) + (mono ? -1 : 1))
    if (codeFont !== undefined && codeFont !== font) counts.set(codeFont, (counts.get(codeFont) ?? 0) - 1)
  }
  return new Set([...counts].flatMap(([font, count]) => (count > 0 ? [font] : [])))
}

/** Few characters of another weight or slope of the family were seen, all as wide as those. */
const isAsWide = ({ family, isEqual, width }: Font, widthOfFamily: number | undefined): boolean =>
  family !== "" && isEqual && widthOfFamily !== undefined && haveSameWidth(width, widthOfFamily)

/** Behind the number of a title, in another font than that. */
const ideograph = new RegExp(`[${ideographs}]`, "u")
