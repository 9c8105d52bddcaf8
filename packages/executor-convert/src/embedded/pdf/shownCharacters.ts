import { measure } from "./Fonts.ts"
import type { CharactersOfPage } from "./glyphs.ts"
import { calibriLigature, ligatureIn, softHyphen } from "./ligatures.ts"
import { type Place, readHeights, rightOfDrawn, type Style } from "./readCharacter.ts"
import { pieceOfPicture, shownBy, signOf } from "./shapes.ts"
import type { Word } from "./Word.ts"

/** Shares of the size. */
const drawnMin = 0.1
const hyphenWidth = 0.33

/** Fonts lack it, and say that it has no width, though room is left for it. */
const nonBreakingHyphen = 0x2011

const hyphen = "-".charCodeAt(0)
/** Of its hyphen, a font may say any that looks like it. */
const hyphens: ReadonlySet<number> = new Set([0x2010, nonBreakingHyphen])

/** A place that a line may end at, where nothing is drawn. */
export const isUndrawnHyphen = (unicode: number, place: Place, style: Style): boolean =>
  unicode === softHyphen && isHardlyWide(place, style)

const isHardlyWide = ({ left, right }: Place, { size }: Style): boolean => right - left < drawnMin * size

/** Makes the place of a character as wide as it is shown; true where it is drawn wider than it is said to be. */
export const widen = (
  { pdfium, textPage, count, scratch }: CharactersOfPage,
  index: number,
  unicode: number,
  place: Place,
  style: Style,
  isNew: boolean,
): boolean => {
  if (unicode === nonBreakingHyphen && isHardlyWide(place, style))
    place.right = place.left + hyphenWidth * style.size
  const told = place.right
  const isAlone =
    isNew && pdfium.FPDFText_GetTextObject(textPage, Math.min(index + 1, count - 1)) !== style.object
  if (isAlone) place.right = rightOfDrawn(pdfium, textPage, index, scratch, place, style)
  return place.right > told
}

/**
 * The code of what a character is shown as, which may go on with a word, or `unknownShape`; undefined for a piece of a
 * picture. Of what is lost, only the shape is known.
 */
export const shownAt = (
  { pdfium, textPage, scratch }: CharactersOfPage,
  index: number,
  unicode: number,
  isLost: boolean,
  place: Place,
  style: Style,
  word: Word | undefined,
): number | undefined => {
  const { shapes, size, font, mono } = style
  const share = (place.right - place.left) / size
  if (font.isEqual || mono) measure(font, unicode, share)
  const ligature =
    calibriLigature(word, unicode, place, style) ??
    (word === undefined ? undefined : ligatureIn(word, unicode, place, style))
  if (shapes === pieceOfPicture) return undefined
  if (ligature !== undefined) return ligature
  if (hyphens.has(unicode)) return hyphen
  return isLost
    ? signOf(shapes, unicode, share, () => readHeights(pdfium, textPage, index, scratch, place, size))
    : shownBy(shapes, unicode, share)
}
