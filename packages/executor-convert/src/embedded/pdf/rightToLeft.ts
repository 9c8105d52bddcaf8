/** Hebrew and Arabic: written from right to left, with their characters in the order of reading. */
export const isRightToLeft = (code: number): boolean =>
  (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc)

const letters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Some of the characters are such. */
export const hasRightToLeft = (text: string): boolean => letters.test(text)

/** Shapes of Arabic and Hebrew letters, of which some stand for several. */
export const isPresentationForm = (code: number): boolean =>
  (code >= 0xfb1d && code <= 0xfb4f) ||
  (code >= 0xfb50 && code <= 0xfdff && code !== 0xfd3e && code !== 0xfd3f) ||
  (code >= 0xfe70 && code <= 0xfefc)

let known: ReadonlySet<string> | undefined

/** The letters of all ligatures that Unicode has, each in the order of reading. */
const ligatures = (): ReadonlySet<string> => {
  if (known !== undefined) return known
  const found = new Set<string>()
  for (let code = 0xfb1d; code <= 0xfefc; code++) {
    const letters = isPresentationForm(code) ? String.fromCodePoint(code).normalize("NFKC") : ""
    if (letters.length > 1) found.add(letters)
  }
  known = found
  return found
}

/**
 * The characters of one shape in the order of reading. PDFium gives those of a character of Unicode in that order, and
 * those that a font's map names the other way round.
 */
export const inReadingOrder = (characters: string): string => {
  const reversed = [...characters].reverse().join("")
  return ligatures().has(characters) && !ligatures().has(reversed) ? characters : reversed
}
