import { textOf } from "./ligatures.ts"
import type { Pdfium } from "./Pdfium.ts"
import { type Place, readPlace, type Style } from "./readCharacter.ts"
import { inReadingOrder, isRightToLeft } from "./rightToLeft.ts"
import type { Word } from "./Word.ts"
import { sameGap } from "./wordGaps.ts"

/** A page whose characters are read, with room for a font's name or the numbers of a character. */
export interface CharactersOfPage {
  readonly pdfium: Pdfium
  readonly textPage: number
  readonly count: number
  readonly scratch: number
}

/** More characters in one place are not of one shape: each of them looks at the others. */
export const glyphCharactersMax = 50

/** A shape that was read last, and all that it stands for. */
export interface Glyph {
  readonly object: number
  readonly left: number
  /** Of its first character, as it is said. */
  readonly width: number
  /** Where it begins in its word. */
  from: number
  text: string
}

/** The place of a character is that of a glyph: both are of one shape. */
export const isOfGlyph = (glyph: Glyph, object: number, { left }: Place): boolean =>
  glyph.object === object && glyph.left === left && glyph.text.length < glyphCharactersMax

/**
 * Adds a character to those of the same glyph, such as a ligature: each of them is said to be as wide as itself, or as all,
 * as it is known to be where `isCluster`.
 */
export const addToGlyph = (
  word: Word,
  glyph: Glyph,
  code: number,
  { left, right }: Place,
  isCluster: boolean,
): void => {
  // Of its hyphen, a font may say all the characters that look like one.
  if (glyph.text === "-" && textOf(code) === "-") return
  const isWhole = isCluster || isWidthOfAll(word, glyph, code, right - left)
  glyph.text += textOf(code)
  if (isRightToLeft(code)) word.text = word.text.slice(0, glyph.from) + inReadingOrder(glyph.text)
  else {
    word.text += textOf(code)
    word.right = isWhole ? Math.max(word.right, right) : word.right + right - left
  }
}

/** Letters of different shapes are not as wide as one another, and a single one that is said twice is not so wide. */
const isWidthOfAll = ({ mono, size }: Word, { text, width }: Glyph, code: number, own: number): boolean =>
  !mono &&
  Math.abs(own - width) < sameWidth * size &&
  (own > wideLetter * size || !text.endsWith(textOf(code)))

/** Shares of the size. */
const sameWidth = 0.005
const wideLetter = 0.45

/** From right to left, the mark or the narrow letter of a glyph that stands for several characters comes first. */
export const rightOfGlyph = (
  { pdfium, textPage, count, scratch }: CharactersOfPage,
  index: number,
  { left, right }: Place,
  style: Style,
): number => {
  let widest = right
  for (let next = index + 1; next < Math.min(count, index + glyphCharactersMax); next++) {
    if (pdfium.FPDFText_GetTextObject(textPage, next) !== style.object) break
    const place = readPlace(pdfium, textPage, next, scratch, style)
    if (place.left !== left) break
    widest = Math.max(widest, place.right)
  }
  return widest
}

/** A space is printed over a ligature, and the next letter stands right behind that: none is seen. */
export const isSpaceInGlyph = (
  { pdfium, textPage, count, scratch }: CharactersOfPage,
  index: number,
  glyph: Glyph,
  size: number,
  style: Style,
): boolean => {
  if (glyph.text.length <= 1) return false
  const own = readPlace(pdfium, textPage, index, scratch, style)
  const next = index + 1 < count ? readPlace(pdfium, textPage, index + 1, scratch, style) : own
  const right = glyph.left + glyph.width
  return own.left < right - sameGap * size && Math.abs(next.left - right) < sameGap * size
}
