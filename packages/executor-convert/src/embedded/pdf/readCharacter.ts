import { isFixedWidth } from "@atelier/executor/flow"
import { withinReach } from "./Drawing.ts"
import { type Font, fontOf } from "./Fonts.ts"
import type { Pdfium } from "./Pdfium.ts"
import { type Heights, isBoldName, isItalicName, isPlainName, shapesOf } from "./shapes.ts"
import { contentOf } from "./Tags.ts"
import type { Layer } from "./Word.ts"

/** How the characters of one text object are shown. */
export interface Style {
  readonly object: number
  readonly size: number
  /** Too small to be read, such as what a program writes to name its own bookmarks. */
  readonly isTiny: boolean
  readonly bold: boolean
  /** Only the weight that its font gives, or a line around its letters, says that it is bold: it may be that of a whole text. */
  readonly isHeavy: boolean
  /** Its font has no name, in a document whose program draws letters that are to be heavier. */
  readonly isDrawn: boolean
  readonly italic: boolean
  readonly font: Font
  readonly mono: boolean
  /** What a font of signs is known as, in which letters are pictures; empty for any other. */
  readonly shapes: string
  readonly content: number
  readonly isUnseen: boolean
  /** Red, green and blue, a byte each; undefined where it is not known. */
  readonly colour: number | undefined
  readonly layer: Layer
}

/** Where a character stands, turned so that it is upright: in points, its baseline growing downwards. */
export interface Place {
  readonly left: number
  right: number
  baseline: number
}

/** Room for a font's name, or for the numbers of a character. */
export const scratchBytes = 256
const nameOffset = 8
const forceBold = 1 << 18
const fixedPitch = 1
const italicFlag = 1 << 6
/** Points. */
const tinyMax = 1.1
const tinyHeightMax = 2
/** A usual bold font is said to have 700, and a usual one 400 to 450; some programs give numbers that none has. */
const boldWeightMin = 650
const boldWeightMax = 1_200
/** The modes of text whose letters are filled, with a line around them, and that is not shown. */
const filledAndStroked = 2
const unseenMode = 3

/** What the name of a font says of it. */
export type ToldByName = Pick<Style, "bold" | "italic" | "mono" | "shapes"> & {
  /** It says how heavy its letters are. */
  readonly isWeightTold: boolean
}

/** What was found of a page so far. */
interface OfPage {
  readonly layers: Map<number, Layer>
  /** By their names. */
  readonly fonts: Map<string, Font>
  readonly names: Map<string, ToldByName>
  readonly isTagged: boolean
  /** Fonts without a name are heavier than others. */
  readonly areShapesHeavy: boolean
}

/** The style of the text object of a character, whose layer and font are added to what was found. */
export const readStyle = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  object: number,
  scratch: number,
  { layers, isTagged, ...known }: OfPage,
): Style => {
  pdfium.FPDFText_GetMatrix(textPage, index, scratch)
  const view = pdfium.view()
  const number = (at: number): number => view.getFloat32(scratch + 4 * at, true)
  const told = pdfium.FPDFText_GetFontSize(textPage, index) * Math.hypot(number(2), number(3))
  // A negative size turns its characters once more.
  const turned = told < 0 ? -1 : 1
  const angle = Math.atan2(turned * number(1), turned * number(0)) || 0
  const degrees = (Math.round((angle * 180) / Math.PI) + 360) % 360
  const layer = layers.get(degrees) ?? { words: [], cos: Math.cos(angle), sin: Math.sin(angle) }
  layers.set(degrees, layer)
  const size = Math.abs(finite(told)) || 1
  const { width, height } = readBox(pdfium, textPage, index, scratch, layer)
  const mode = pdfium.FPDFTextObj_GetTextRenderMode(object)
  return {
    object,
    size: height > highMin * size && width > wideMin * size ? height : size,
    isTiny: size < tinyMax && height < tinyHeightMax,
    ...readFont(pdfium, textPage, index, object, scratch, { ...known, mode }),
    content: isTagged ? contentOf(pdfium, object, scratch) : -1,
    isUnseen: mode === unseenMode,
    colour: colourOf(pdfium, object, scratch),
    layer,
  }
}

const colourOf = (pdfium: Pdfium, object: number, at: number): number | undefined => {
  if (pdfium.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12) === 0) return undefined
  const view = pdfium.view()
  const channel = (index: number): number => view.getUint32(at + 4 * index, true) & 0xff
  return (channel(0) << 16) | (channel(1) << 8) | channel(2)
}

/**
 * A font that counts in dots is shown at the size of one, to which its lines and characters are far too high and wide:
 * a line is as high as its type is large. Others may tell a wrong height alone.
 */
const highMin = 16
const wideMin = 3

/** How wide a character is, and how high a line of its font. */
const readBox = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  scratch: number,
  { cos, sin }: Pick<Layer, "cos" | "sin">,
): { readonly width: number; readonly height: number } => {
  pdfium.FPDFText_GetLooseCharBox(textPage, index, scratch)
  const view = pdfium.view()
  const [across = 0, along = 0] = [0, 4].map((at) =>
    Math.abs(finite(view.getFloat32(scratch + at + 8, true) - view.getFloat32(scratch + at, true))),
  )
  const isSideways = Math.abs(sin) > Math.abs(cos)
  return isSideways ? { width: along, height: across } : { width: across, height: along }
}

/** The name of the font of a character; its flags are written into the scratch. */
export const fontNameAt = (pdfium: Pdfium, textPage: number, index: number, scratch: number): string => {
  const room = scratchBytes - nameOffset
  const bytes = pdfium.FPDFText_GetFontInfo(textPage, index, scratch + nameOffset, room, scratch)
  const { buffer } = pdfium.view()
  return Buffer.from(buffer, scratch + nameOffset, Math.min(Math.max(0, bytes), room)).toString("latin1")
}

/** Whether a font has no name, as those that programs make of glyphs. */
export const isUnnamed = (name: string): boolean => name === "" || name === "\0"

const readFont = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  object: number,
  scratch: number,
  {
    fonts,
    names,
    areShapesHeavy,
    mode,
  }: Pick<OfPage, "fonts" | "names" | "areShapesHeavy"> & { readonly mode: number },
): Pick<Style, "bold" | "isHeavy" | "isDrawn" | "italic" | "font" | "mono" | "shapes"> => {
  const name = fontNameAt(pdfium, textPage, index, scratch)
  const flags = pdfium.view().getUint32(scratch, true)
  const told = names.get(name) ?? toldBy(name)
  names.set(name, told)
  const isDrawn = areShapesHeavy && isUnnamed(name)
  const bold = (flags & forceBold) !== 0 || told.bold
  const weight = told.isWeightTold ? 0 : pdfium.FPDFText_GetFontWeight(textPage, index)
  return {
    bold,
    isHeavy:
      !bold && ((weight >= boldWeightMin && weight < boldWeightMax) || mode === filledAndStroked || isDrawn),
    isDrawn,
    italic: (flags & italicFlag) !== 0 || told.italic,
    shapes: told.shapes,
    font: fontOf(name, fonts, isUnnamed(name) ? `${pdfium.FPDFTextObj_GetFont(object)}` : name),
    mono: (flags & fixedPitch) !== 0 || told.mono,
  }
}

const toldBy = (name: string): ToldByName => ({
  bold: isBoldName(name),
  isWeightTold: isPlainName(name),
  italic: isItalicName(name),
  mono: isFixedWidth(name),
  shapes: shapesOf(name),
})

/** Where a character stands, turned back by its direction of writing. */
export const readPlace = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  scratch: number,
  { layer: { cos, sin } }: { readonly layer: Pick<Layer, "cos" | "sin"> },
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

/** The box of what is drawn of a character, on the page as it is. */
const readDrawn = (pdfium: Pdfium, textPage: number, index: number, scratch: number) => {
  pdfium.FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24)
  const view = pdfium.view()
  const at = (offset: number): number => view.getFloat64(scratch + offset, true)
  return { left: at(0), right: at(8), bottom: at(16), top: at(24) }
}

/** How far the drawn shape of a character reaches above the baseline, as shares of the size; of one that stands upright. */
export const readHeights = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  scratch: number,
  { baseline }: Place,
  size: number,
): Heights => {
  const { bottom, top } = readDrawn(pdfium, textPage, index, scratch)
  return { bottom: (bottom + baseline) / size, top: (top + baseline) / size }
}

/**
 * Where a character ends that is an object of its own. It may be drawn as another one, such as a small capital, which is
 * wider than what its font tells of the letter that it stands for. Of slanted letters more may be drawn, too, but these
 * begin before their place.
 */
export const rightOfDrawn = (
  pdfium: Pdfium,
  textPage: number,
  index: number,
  scratch: number,
  { left, right }: Place,
  { layer: { cos }, size }: Pick<Style, "size"> & { readonly layer: Pick<Layer, "cos"> },
): number => {
  if (cos !== 1) return right
  const drawn = readDrawn(pdfium, textPage, index, scratch)
  const isOther = drawn.left > left - drawnBeforeMax * size && drawn.right > right + drawnBehindMin * size
  return isOther ? drawn.right : right
}

/** In sizes of the type. */
const drawnBeforeMax = 0.02
const drawnBehindMin = 0.1

/** Whether a character does not stand upright, or is mirrored. */
export const isTurned = (pdfium: Pdfium, textPage: number, index: number, scratch: number): boolean => {
  pdfium.FPDFText_GetMatrix(textPage, index, scratch)
  const view = pdfium.view()
  return view.getFloat32(scratch + 4, true) !== 0 || view.getFloat32(scratch, true) <= 0
}

const finite = (length: number): number => (Number.isFinite(length) ? withinReach(length) : 0)
