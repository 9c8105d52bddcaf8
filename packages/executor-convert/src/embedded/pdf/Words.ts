import { Refusal } from "@atelier/intake/bytes"
import { convertLimits } from "../../Limits.ts"
import { type LinkArea, linkAt } from "./Links.ts"
import type { Pdfium } from "./Pdfium.ts"

/** Characters without a gap. Lengths are points of the page, turned so that the word stands upright. */
export interface Word {
  text: string
  left: number
  right: number
  /** Height of the baseline, growing downwards. */
  readonly baseline: number
  /** Size of the font as it is shown. */
  readonly size: number
  readonly bold: boolean
  /** All characters of its font are equally wide, as in code. */
  readonly mono: boolean
  /** Its place in the order of the document, among the words of its layer. */
  readonly order: number
  /** The number of the marked content that it belongs to, -1 for none. */
  readonly content: number
  /** Address of the link that lies over it, empty for none. */
  link: string
  /** A hyphen, which is not part of `text`, was set because the line ends. */
  hyphenated: boolean
}

/** Words that are written in the same direction. */
export interface Layer {
  /** In the order of the document. */
  readonly words: Array<Word>
  /** Of the direction of writing. */
  readonly cos: number
  readonly sin: number
}

export interface PageText {
  /** The direction with the most words comes first. */
  readonly layers: ReadonlyArray<Layer>
  /** Characters of which only the shape is known. */
  readonly lost: number
}

/** How the characters of one text object are shown. */
interface Style {
  readonly object: number
  readonly size: number
  readonly bold: boolean
  readonly mono: boolean
  readonly content: number
  readonly layer: Layer
}

interface Place {
  readonly left: number
  readonly right: number
  readonly baseline: number
}

/** A wider gap, as a share of the size, ends a word even where no space is written. */
const gapMax = 0.3
/** The same, where the reader believes that a line ends: what it says at a raised mark, for example. */
const gapAtLineEndMax = 0.1
/** The same, over a character that is left out. */
const gapOverNothingMax = 2
/** A character further up or down, as a share of the size, is of another line. */
const riseMax = 0.5

/** The words of a page. Throws a `Refusal` (`archive_limit_exceeded`). */
export const readWords = (pdfium: Pdfium, textPage: number, links: ReadonlyArray<LinkArea>): PageText => {
  const count = pdfium.FPDFText_CountChars(textPage)
  if (count > convertLimits.pdf_page_characters_max) {
    throw new Refusal(
      "archive_limit_exceeded",
      `A page of the PDF holds ${count} characters; at most ${convertLimits.pdf_page_characters_max} are allowed.`,
    )
  }
  const scratch = pdfium.malloc(scratchBytes)
  const layers = new Map<number, Layer>()
  let style: Style | undefined
  let word: Word | undefined
  let widest = gapMax
  let lost = 0
  let glyph: { readonly object: number; readonly left: number } | undefined
  const placed: Array<readonly [Word, Style]> = []
  for (let index = 0; index < count; index++) {
    const code = pdfium.FPDFText_GetUnicode(textPage, index)
    const kind = kindOf(code)
    if (kind === "line end") widest = gapAtLineEndMax
    if (kind === "nothing") widest = gapOverNothingMax
    if (kind === "hyphen" && word !== undefined) word.hyphenated = true
    if (kind === "lost") lost++
    if (kind === "space" || kind === "hyphen" || kind === "lost") word = undefined
    if (kind !== "text") continue
    const object = pdfium.FPDFText_GetTextObject(textPage, index)
    if (style === undefined || style.object !== object) {
      style = readStyle(pdfium, textPage, index, object, scratch, layers)
    }
    const place = readPlace(pdfium, textPage, index, scratch, style)
    if (word !== undefined && glyph?.object === object && glyph.left === place.left) {
      addToGlyph(word, code, place)
      continue
    }
    glyph = { object, left: place.left }
    if (
      word !== undefined &&
      isLowSurrogate(code) &&
      isHighSurrogate(word.text.charCodeAt(word.text.length - 1))
    ) {
      word.text += String.fromCharCode(code)
      word.right = Math.max(word.right, place.right)
    } else if (word !== undefined && continues(word, place, style, code, widest)) {
      word.text += textOf(code)
      word.left = Math.min(word.left, place.left)
      word.right = Math.max(word.right, place.right)
    } else {
      word = wordOf(textOf(code), place, style)
      style.layer.words.push(word)
      if (links.length > 0) placed.push([word, style])
    }
    widest = gapMax
  }
  for (const [each, { layer }] of placed) each.link = linkOver(each, layer, links)
  pdfium.free(scratch)
  return { layers: [...layers.values()].sort((a, b) => b.words.length - a.words.length), lost }
}

/**
 * Adds a character to those of the same glyph, such as a ligature: each of them is said to be as wide as itself. Of a
 * glyph that is read from right to left the last comes first.
 */
const addToGlyph = (word: Word, code: number, { left, right }: Place): void => {
  const text = textOf(code)
  if (isRightToLeft(code)) word.text = word.text.slice(0, -1) + text + word.text.slice(-1)
  else {
    word.text += text
    word.right += right - left
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const wordOf = (text: string, place: Place, { size, bold, mono, content, layer }: Style): Word => ({
  text,
  ...place,
  size,
  bold,
  mono,
  content,
  order: layer.words.length,
  link: "",
  hyphenated: false,
})

/** The middle of a word is this share of its size above the baseline. */
const middleHeight = 0.3

/** Turns the middle of the word back to where it stands on the page. */
const linkOver = (word: Word, { cos, sin }: Layer, links: ReadonlyArray<LinkArea>): string => {
  const middle = (word.left + word.right) / 2
  const height = word.baseline - middleHeight * word.size
  return linkAt(links, middle * cos + height * sin, middle * sin - height * cos)
}

/** What PDFium writes for a hyphen at the end of a line. */
const lineEndHyphens: ReadonlySet<number> = new Set([0x02, 0xfffe])

const kindOf = (code: number): "text" | "space" | "line end" | "hyphen" | "nothing" | "lost" => {
  if (code === 0x0a || code === 0x0d) return "line end"
  if (lineEndHyphens.has(code)) return "hyphen"
  if (code === 0x09 || code === 0x20 || code === 0xa0 || code === 0x3000) return "space"
  if (code >= 0x2000 && code <= 0x200b) return "space"
  // A soft hyphen that is not needed, and a mark of byte order.
  if (code === 0xad || code === 0xfeff) return "nothing"
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f)
  return isControl || (code >= 0xfff0 && code <= 0xffff) || code > 0x10ffff ? "lost" : "text"
}

const ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]

const textOf = (code: number): string => ligatures[code - 0xfb00] ?? String.fromCodePoint(code)

/** Room for a font's name, or for the numbers of a character. */
const scratchBytes = 256
const nameOffset = 8
const forceBold = 1 << 18
const fixedPitch = 1

const readStyle = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  object: number,
  scratch: number,
  layers: Map<number, Layer>,
): Style => {
  pdfium.FPDFText_GetMatrix(textPage, index, scratch)
  const view = pdfium.view()
  const number = (at: number): number => view.getFloat32(scratch + 4 * at, true)
  const size = pdfium.FPDFText_GetFontSize(textPage, index) * Math.hypot(number(2), number(3))
  const angle = Math.atan2(number(1), number(0)) || 0
  const degrees = (Math.round((angle * 180) / Math.PI) + 360) % 360
  const layer = layers.get(degrees) ?? { words: [], cos: Math.cos(angle), sin: Math.sin(angle) }
  layers.set(degrees, layer)
  return {
    object,
    size: Number.isFinite(size) && size > 0 ? size : 1,
    ...readFont(pdfium, textPage, index, scratch),
    content: pdfium.FPDFPageObj_GetMarkedContentID(object),
    layer,
  }
}

const readFont = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  scratch: number,
): Pick<Style, "bold" | "mono"> => {
  const room = scratchBytes - nameOffset
  const bytes = pdfium.FPDFText_GetFontInfo(textPage, index, scratch + nameOffset, room, scratch)
  const view = pdfium.view()
  const flags = view.getUint32(scratch, true)
  const name = Buffer.from(view.buffer, scratch + nameOffset, Math.min(Math.max(0, bytes), room)).toString(
    "latin1",
  )
  return {
    bold: (flags & forceBold) !== 0 || /bold|black|heavy|demi/i.test(name),
    mono: (flags & fixedPitch) !== 0 || /mono|courier|consol|menlo|cmtt|typewriter/i.test(name),
  }
}

/** Where a character stands, turned back by its direction of writing. */
const readPlace = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  scratch: number,
  { layer: { cos, sin } }: Style,
): Place => {
  pdfium.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8)
  pdfium.FPDFText_GetLooseCharBox(textPage, index, scratch + 16)
  const view = pdfium.view()
  const x = view.getFloat64(scratch, true)
  const y = view.getFloat64(scratch + 8, true)
  const width = view.getFloat32(scratch + 24, true) - view.getFloat32(scratch + 16, true)
  const height = view.getFloat32(scratch + 20, true) - view.getFloat32(scratch + 28, true)
  const left = finite(x * cos + y * sin)
  const isSideways = Math.abs(sin) > Math.abs(cos)
  return {
    left,
    right: left + Math.abs(finite(isSideways ? height : width)),
    baseline: finite(x * sin - y * cos),
  }
}

const finite = (length: number): number => (Number.isFinite(length) ? length : 0)

/** Hebrew and Arabic: written from right to left, with their characters in the order of reading. */
const isRightToLeft = (code: number): boolean =>
  (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfefc)

const continues = (word: Word, place: Place, style: Style, code: number, widest: number): boolean => {
  const size = Math.max(word.size, style.size)
  if (word !== style.layer.words.at(-1) || Math.abs(place.baseline - word.baseline) > riseMax * size)
    return false
  if (isRightToLeft(code)) {
    const gap = Math.max(place.left - word.right, word.left - place.right)
    return gap <= widest * size && !/[A-Za-z]$/.test(word.text)
  }
  const gap = place.left - word.right
  return gap <= widest * size && gap >= -size
}
