import type { Pdfium } from "./Pdfium.ts"

/** The glyphs of TrueType fonts in their usual order: ASCII from the space on, then what Mac OS Roman has above it, but for its second space. */
export const spaceGlyph = 3
const asciiOffset = 29
const romanFirst = 98
const roman =
  "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\ufffdÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ"

/** The character of a glyph; the number itself where the order has none. */
export const characterOfGlyph = (glyph: number): number => {
  if (glyph >= spaceGlyph && glyph < romanFirst) return glyph + asciiOffset
  return [...roman][glyph - romanFirst]?.codePointAt(0) ?? glyph
}

/** A text has as many spaces at least, and such a share of them; a font with the character itself is another. */
export const spaceGlyphsMin = 6
const spacesShareMin = 0.06
const spacesShareMax = 0.35
const charactersMin = 40

/** The numbers of the small letters, of the vowels among them, of digits, of dots, and of the signs `^`, `_` and "`", which are A, B and C; that of `=` is a space. */
const lettersFirst = 68
const lettersLast = 93
const vowels: ReadonlySet<number> = new Set([68, 72, 76, 82, 88])
const digitsFirst = 19
const digitsLast = 28
const dot = 17
const rareFirst = 65
const rareLast = 67
/** Shares of a text but for its dots: small letters, and these and digits in a short one. */
const lettersShareMin = 0.6
const shortShareMin = 0.5
/** Shares of its letters, and how many different ones it has; in capitals, a tenth are A, B and C. */
const rareShareMax = 0.02
const vowelsShareMin = 0.25
const vowelsShareMax = 0.6
const differentMin = 10

/** What a page writes in one font. */
interface Written {
  all: number
  spaces: number
  blanks: number
  vowels: number
  digits: number
  dots: number
  rare: number
  readonly letters: Map<number, number>
}

/**
 * The names of fonts of which the file gives the numbers of glyphs in place of characters: the third, which is a control
 * as a character, stands where a text has spaces. Where it writes no spaces, the text is one of capitals without an A, a B
 * or a C, though it has most others: no language is written so. Short texts in other fonts of such a page are of numbers, too.
 */
export const fontsOfGlyphNumbers = (
  pdfium: Pdfium,
  textPage: number,
  count: number,
  nameAt: (index: number) => string,
): ReadonlySet<string> => {
  const found = new Map<string, Written>()
  let [object, name] = [0, ""]
  for (let index = 0; index < count; index++) {
    if (pdfium.FPDFText_IsGenerated(textPage, index) === 1) continue
    const own = pdfium.FPDFText_GetTextObject(textPage, index)
    if (own !== object) [object, name] = [own, nameAt(index)]
    const written = found.get(name) ?? nothingWritten()
    found.set(name, written)
    add(written, pdfium.FPDFText_GetUnicode(textPage, index))
  }
  const fonts = [...found]
  const named = (is: (written: Written) => boolean): ReadonlyArray<string> =>
    fonts.flatMap(([font, written]) => (is(written) ? [font] : []))
  const withoutSpaces = named(isOfSmallLetters)
  const isWhole =
    withoutSpaces.length > 0 &&
    fonts.every(
      ([, written]) => written.all < charactersMin || isOfSmallLetters(written) || isOfSigns(written),
    )
  return new Set([...named(hasSpaceGlyphs), ...withoutSpaces, ...(isWhole ? named(mayBeShort) : [])])
}

const nothingWritten = (): Written => ({
  all: 0,
  spaces: 0,
  blanks: 0,
  vowels: 0,
  digits: 0,
  dots: 0,
  rare: 0,
  letters: new Map(),
})

const add = (written: Written, code: number): void => {
  written.all++
  if (code === spaceGlyph) written.spaces++
  if (code === 0x20) written.blanks++
  if (vowels.has(code)) written.vowels++
  if (code >= digitsFirst && code <= digitsLast) written.digits++
  if (code === dot) written.dots++
  if (code >= rareFirst && code <= rareLast) written.rare++
  if (code >= lettersFirst && code <= lettersLast)
    written.letters.set(code, (written.letters.get(code) ?? 0) + 1)
}

const lettersOf = ({ letters }: Written): number =>
  [...letters.values()].reduce((sum, count) => sum + count, 0)

const hasSpaceGlyphs = ({ all, spaces, blanks }: Written): boolean =>
  blanks === 0 && all >= charactersMin && spaces >= spacesShareMin * all && spaces <= spacesShareMax * all

const isOfSmallLetters = (written: Written): boolean => {
  const { all, dots, blanks, rare } = written
  const letters = lettersOf(written)
  if (Math.max(rare, blanks) > rareShareMax * letters || all < charactersMin) return false
  if (letters < lettersShareMin * (all - dots) || written.letters.size < differentMin) return false
  return written.vowels >= vowelsShareMin * letters && written.vowels <= vowelsShareMax * letters
}

/** A font of bullets, or of dots. */
const isOfSigns = (written: Written): boolean => written.letters.size === 0 && written.rare === 0

/** Too short to be told by itself. */
const mayBeShort = (written: Written): boolean =>
  written.all < charactersMin &&
  written.blanks === 0 &&
  written.rare === 0 &&
  written.letters.size > 0 &&
  lettersOf(written) + written.digits >= shortShareMin * written.all
