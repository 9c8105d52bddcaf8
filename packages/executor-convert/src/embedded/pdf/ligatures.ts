import type { Place, Style } from "./readCharacter.ts"
import { isPresentationForm } from "./rightToLeft.ts"
import type { Word } from "./Word.ts"

const ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]
export const ligatureCodes = 0xfb00

/**
 * The code of a ligature within a word that a program which wrote the PDF again has no character for: of the fonts of
 * TeX, `ff` comes as the sign of the return key, and what is as wide as `ffi` as nothing.
 */
export const ligatureIn = (
  word: Word,
  unicode: number,
  { left, right }: Place,
  { size, font }: Style,
): number | undefined => {
  if (unicode !== 0 && unicode !== returnSign) return undefined
  const isWithin = /\p{L}$/u.test(word.text.slice(-1)) && left - word.right < gapMax * size
  if (!isWithin || !/^(?:cm|lm|sf)[a-z]/.test(font.family)) return undefined
  const width = (right - left) / size
  if (unicode === returnSign) return ligatureCodes + ligatures.indexOf("ff")
  return width > ffiWidthMin && width < ffiWidthMax ? ligatureCodes + ligatures.indexOf("ffi") : undefined
}

/** A share of the size: within a word, letters are nearer. */
const gapMax = 0.1
const returnSign = 0x21b5
/** Shares of the size. */
const ffiWidthMin = 0.7
const ffiWidthMax = 0.98

/** Where it is drawn it is a hyphen, which some encodings call so. */
export const softHyphen = 0xad

/**
 * Signs that have private characters in Adobe's list of the names of glyphs, as Unicode had none for them: the parts of
 * brackets over several lines above all, which would be read as bullets.
 */
const adobeSerifs = [..."©®™"]
const adobeSerifsFirst = 0xf6d9
const adobeSigns = [..."‾⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭"]
const adobeSignsFirst = 0xf8e5

/** What a character is written as: a ligature as its letters, a shape of a letter as that. */
export const textOf = (code: number): string => {
  if (code === softHyphen) return "-"
  const text =
    ligatures[code - ligatureCodes] ??
    adobeSigns[code - adobeSignsFirst] ??
    adobeSerifs[code - adobeSerifsFirst] ??
    String.fromCodePoint(code)
  return isPresentationForm(code) ? text.normalize("NFKC") : text
}
