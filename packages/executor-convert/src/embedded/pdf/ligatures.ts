import type { Place, Style } from "./readCharacter.ts"
import { isPresentationForm } from "./rightToLeft.ts"
import type { Word } from "./Word.ts"

/** Those of Calibri have codes behind the others, which are no characters. */
const ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st", "ti", "tt", "tti", "ft"]
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

/** How wide the ligatures of Calibri are, as shares of the size, and those of its bold style. */
const calibriWidths: ReadonlyArray<readonly [text: string, width: number]> = [
  ["ti", 0.557],
  ["tt", 0.634],
  ["tti", 0.856],
  ["ft", 0.616],
]
const calibriBoldWidths: typeof calibriWidths = [
  ["ti", 0.585],
  ["tt", 0.656],
]
const sameWidth = 0.0006
const asciiFirst = 0x21
const asciiLast = 0x7e

/**
 * The code of a ligature of Calibri for which programs of the Mac write any character of ASCII: it is as wide as none of
 * these, and stands behind a small letter, or others in its font do.
 */
export const calibriLigature = (
  word: Word | undefined,
  unicode: number,
  { left, right }: Place,
  { size, bold, italic, font }: Style,
): number | undefined => {
  if (font.family !== "calibri" || unicode < asciiFirst || unicode > asciiLast) return undefined
  const width = (right - left) / size
  // In the bold italic style, an N is as wide as the ligature in the bold one.
  if (bold && italic) return undefined
  const widths = bold ? calibriBoldWidths : calibriWidths
  const [text] = widths.find(([, own]) => Math.abs(width - own) < sameWidth) ?? []
  // Where a file says all letters of a ligature, each of them is as wide.
  if (text === undefined || text.includes(String.fromCharCode(unicode))) return undefined
  if (word !== undefined && /\p{Ll}$/u.test(word.text.slice(-1))) font.hasLigatures = true
  return font.hasLigatures ? ligatureCodes + ligatures.indexOf(text) : undefined
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
