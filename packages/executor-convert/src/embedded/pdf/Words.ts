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
  /** Address of the link that lies over it, empty for none. */
  link: string
  /** A hyphen, which is not part of `text`, was set because the line ends. */
  hyphenated: boolean
}

/** Words that are written in the same direction, in the order of the document. */
export type Layer = Array<Word>

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
  readonly cos: number
  readonly sin: number
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
    if (word !== undefined && continues(word, place, style, code, widest)) {
      word.text += textOf(code)
      word.left = Math.min(word.left, place.left)
      word.right = Math.max(word.right, place.right)
    } else {
      word = { text: textOf(code), ...place, size: style.size, bold: style.bold, link: "", hyphenated: false }
      style.layer.push(word)
      if (links.length > 0) placed.push([word, style])
    }
    widest = gapMax
  }
  for (const [each, { cos, sin }] of placed) each.link = linkOver(each, cos, sin, links)
  pdfium.free(scratch)
  return { layers: [...layers.values()].sort((a, b) => b.length - a.length), lost }
}

/** The middle of a word is this share of its size above the baseline. */
const middleHeight = 0.3

/** Turns the middle of the word back to where it stands on the page. */
const linkOver = (word: Word, cos: number, sin: number, links: ReadonlyArray<LinkArea>): string => {
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
  const layer = layers.get(degrees) ?? []
  layers.set(degrees, layer)
  return {
    object,
    size: Number.isFinite(size) && size > 0 ? size : 1,
    bold: isBold(pdfium, textPage, index, scratch),
    cos: Math.cos(angle),
    sin: Math.sin(angle),
    layer,
  }
}

const isBold = (pdfium: Pdfium, textPage: number, index: number, scratch: number): boolean => {
  const room = scratchBytes - nameOffset
  const bytes = pdfium.FPDFText_GetFontInfo(textPage, index, scratch + nameOffset, room, scratch)
  const view = pdfium.view()
  if ((view.getUint32(scratch, true) & forceBold) !== 0) return true
  const name = Buffer.from(view.buffer, scratch + nameOffset, Math.min(Math.max(0, bytes), room))
  return /bold|black|heavy|demi/i.test(name.toString("latin1"))
}

/** Where a character stands, turned back by its direction of writing. */
const readPlace = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  scratch: number,
  { cos, sin }: Style,
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
  if (word !== style.layer.at(-1) || Math.abs(place.baseline - word.baseline) > riseMax * size) return false
  if (isRightToLeft(code)) {
    const gap = Math.max(place.left - word.right, word.left - place.right)
    return gap <= widest * size && !/[A-Za-z]$/.test(word.text)
  }
  const gap = place.left - word.right
  return gap <= widest * size && gap >= -size
}
