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

/**
 * The names of fonts of which the file gives the numbers of glyphs in place of characters: the third, which is a control
 * as a character, stands where a text has spaces.
 */
export const fontsOfGlyphNumbers = (
  pdfium: Pdfium,
  textPage: number,
  count: number,
  nameAt: (index: number) => string,
): ReadonlySet<string> => {
  const found = new Map<string, { all: number; spaces: number; hasSpace: boolean }>()
  let [object, name] = [0, ""]
  for (let index = 0; index < count; index++) {
    if (pdfium.FPDFText_IsGenerated(textPage, index) === 1) continue
    const own = pdfium.FPDFText_GetTextObject(textPage, index)
    if (own !== object) [object, name] = [own, nameAt(index)]
    const unicode = pdfium.FPDFText_GetUnicode(textPage, index)
    const counts = found.get(name) ?? { all: 0, spaces: 0, hasSpace: false }
    found.set(name, counts)
    counts.all++
    if (unicode === spaceGlyph) counts.spaces++
    if (unicode === 0x20) counts.hasSpace = true
  }
  return new Set(
    [...found].flatMap(([font, { all, spaces, hasSpace }]) =>
      !hasSpace && all >= charactersMin && spaces >= spacesShareMin * all && spaces <= spacesShareMax * all
        ? [font]
        : [],
    ),
  )
}
