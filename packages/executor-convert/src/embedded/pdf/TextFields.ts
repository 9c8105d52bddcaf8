import { convertLimits } from "../../Limits.ts"
import { fontOf } from "./Fonts.ts"
import type { Pdfium } from "./Pdfium.ts"
import type { Layer, Word } from "./Word.ts"
import { mostWordsFirst, type PageText, tooManyCharacters } from "./Words.ts"
import { readWidgets, writeKey } from "./widgets.ts"

/** The value of a field, and its sides; heights grow upwards. */
export interface TextField {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
  readonly lines: ReadonlyArray<string>
}

/** Flags of an annotation: it is not shown. Flags of a field: its value is a password. */
const hidden = (1 << 1) | (1 << 5)
const password = 1 << 13
const kinds: ReadonlySet<string> = new Set(["Tx", "Ch"])

const keys = ["FT", "V", "Ff"] as const
const keyBytes = 4
const numbersOffset = keys.length * keyBytes
const numbersBytes = 16

/**
 * The fields of a form that hold a text, or one of several that are offered. Throws a `Refusal`
 * (`archive_limit_exceeded`) where they hold more than a page may.
 */
export const readTextFields = (pdfium: Pdfium, page: number): ReadonlyArray<TextField> => {
  let characters = 0
  const count = (more: number): void => {
    characters += more
    if (characters > convertLimits.pdf_page_characters_max) throw tooManyCharacters(characters)
  }
  return readWidgets(pdfium, page, numbersOffset + numbersBytes, (annotation, scratch) =>
    fieldOf(pdfium, annotation, scratch, count),
  )
}

const fieldOf = (
  pdfium: Pdfium,
  annotation: number,
  scratch: number,
  count: (characters: number) => void,
): TextField | undefined => {
  const keyOf = (key: (typeof keys)[number]): number => {
    const at = scratch + keyBytes * keys.indexOf(key)
    writeKey(pdfium, key, at)
    return at
  }
  const numbers = scratch + numbersOffset
  if ((pdfium.FPDFAnnot_GetFlags(annotation) & hidden) !== 0) return undefined
  if (!kinds.has(stringOf(pdfium, annotation, keyOf("FT"), count))) return undefined
  const hasFlags = pdfium.FPDFAnnot_GetNumberValue(annotation, keyOf("Ff"), numbers) !== 0
  if (hasFlags && (pdfium.view().getFloat32(numbers, true) & password) !== 0) return undefined
  const lines = stringOf(pdfium, annotation, keyOf("V"), count)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
  if (lines.length === 0 || pdfium.FPDFAnnot_GetRect(annotation, numbers) === 0) return undefined
  const side = (at: number): number => pdfium.view().getFloat32(numbers + 4 * at, true)
  return { left: side(0), top: side(1), right: side(2), bottom: side(3), lines }
}

const stringOf = (
  pdfium: Pdfium,
  annotation: number,
  key: number,
  count: (characters: number) => void,
): string => {
  const bytes = pdfium.FPDFAnnot_GetStringValue(annotation, key, 0, 0)
  if (bytes <= 2) return ""
  count(bytes / 2 - 1)
  const text = pdfium.malloc(bytes)
  pdfium.FPDFAnnot_GetStringValue(annotation, key, text, bytes)
  const value = Buffer.from(pdfium.view().buffer, text, bytes - 2).toString("utf16le")
  pdfium.free(text)
  return value
}

/**
 * The text with the values of fields that it does not show: programs that fill a form in may leave it to the reader to
 * draw them. A value stands on the line of the text beside its field.
 */
export const withFields = (text: PageText, fields: ReadonlyArray<TextField>): PageText => {
  const upright = text.layers.find(({ cos }) => cos > uprightMin)
  const words = [...(upright?.words ?? [])]
  let looks = 0
  for (const field of fields) {
    looks += words.length
    if (looks > looksMax) break
    if (!words.some((word) => isIn(word, field))) addTo(words, field)
  }
  if (words.length === (upright?.words.length ?? 0)) return text
  const layer: Layer = { words, cos: upright?.cos ?? 1, sin: upright?.sin ?? 0 }
  return { ...text, layers: mostWordsFirst([layer, ...text.layers.filter((each) => each !== upright)]) }
}

const uprightMin = 0.99
/** Words that are looked at for all fields of a page: each looks at all of them. */
const looksMax = 5_000_000

const isIn = ({ left, right, baseline, size }: Word, field: TextField): boolean => {
  const [x, y] = [(left + right) / 2, 0.3 * size - baseline]
  return x > field.left && x < field.right && y > field.bottom && y < field.top
}

/** Points, and shares of the size. */
const usualSize = 10
const leading = 1.2
const characterWidth = 0.5

const addTo = (words: Array<Word>, { left, bottom, top, lines }: TextField): void => {
  const beside = words.findLast(
    ({ right, baseline }) => right <= left && -baseline >= bottom - 1 && -baseline <= top,
  )
  const size = beside?.size ?? Math.min(usualSize, top - bottom)
  const first = beside?.baseline ?? (lines.length > 1 ? size - top : 0.3 * size - (top + bottom) / 2)
  const font = beside?.font ?? fontOf("", new Map())
  for (const [index, line] of lines.entries()) {
    let at = left
    for (const text of line.trim().split(/\s+/)) {
      const right = at + characterWidth * size * text.length
      words.push({
        text,
        left: at,
        right,
        baseline: first + index * leading * size,
        size,
        bold: false,
        italic: false,
        font,
        mono: false,
        order: words.length,
        content: -1,
        link: "",
        hyphenated: false,
        spaced: false,
      })
      at = right + characterWidth * size
    }
  }
}
