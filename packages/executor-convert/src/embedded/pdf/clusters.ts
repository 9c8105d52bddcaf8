import { convertLimits } from "../../Limits.ts"
import type { Box } from "./Drawing.ts"
import { boundsBytes, boundsOf } from "./objectBounds.ts"
import type { Pdfium } from "./Pdfium.ts"
import { isRightToLeft } from "./rightToLeft.ts"

/** Scripts of India and South-East Asia, whose letters are drawn together with signs before, above, below and behind them. */
const isIndic = (code: number): boolean =>
  (code >= 0x900 && code <= 0xdff) || (code >= 0x1000 && code <= 0x109f) || (code >= 0x1780 && code <= 0x17ff)

/** Characters of which several may be drawn as one cluster. */
export const mayBeInCluster = (code: number): boolean => isIndic(code) || isRightToLeft(code)

const textObject = 1

/** Clusters of a page that are drawn as several text objects. */
export interface Clusters {
  /** Where each stands, by the first of its objects. */
  readonly extents: ReadonlyMap<number, Box>
  /** Further objects of theirs, for which PDFium repeats all of the characters. */
  readonly repeated: ReadonlySet<number>
  /** The first objects of those of which a part is hidden, as of a line that the end of a page cuts off. */
  readonly hidden: ReadonlySet<number>
}

export const noClusters: Clusters = { extents: new Map(), repeated: new Set(), hidden: new Set() }

/**
 * Clusters whose characters a program says once for all of their objects: PDFium gives them to the first one, with the
 * width that each has by itself, and again to one that begins behind the next letter. Objects within forms are not looked
 * at.
 */
export const clustersOf = (
  pdfium: Pdfium,
  page: number,
  textPage: number,
  isHidden: (object: number) => boolean,
): Clusters => {
  const count = pdfium.FPDFPage_CountObjects(page)
  if (count > convertLimits.pdf_page_characters_max) return noClusters
  const extents = new Map<number, Box>()
  const repeated = new Set<number>()
  const hidden = new Set<number>()
  const texts = textsOfObjects(pdfium, textPage)
  const scratch = pdfium.malloc(boundsBytes)
  let first = 0
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    const text = texts.get(object)
    if (pdfium.FPDFPageObj_GetType(object) !== textObject) first = 0
    else if (first === 0) first = text === undefined ? 0 : object
    else {
      const begun = extents.get(first) ?? boundsOf(pdfium, first, scratch)
      const own = boundsOf(pdfium, object, scratch)
      const isRepeated =
        text !== undefined &&
        text.length > 1 &&
        text === texts.get(first) &&
        isBeside(begun, own) &&
        Math.min(begun.right, own.right) - Math.max(begun.left, own.left) >
          overlapMin * (own.right - own.left)
      if (isRepeated) repeated.add(object)
      if (isRepeated || (text === undefined && isBeside(begun, own))) {
        extents.set(first, union(begun, own))
        if (isHidden(object)) hidden.add(first)
      } else if (text !== undefined) first = object
    }
  }
  pdfium.free(scratch)
  return extents.size === 0 ? noClusters : { extents, repeated, hidden }
}

const union = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  right: Math.max(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
  top: Math.max(one.top, other.top),
})

/** Shapes of one cluster are in one line, and not far from one another: a sign may stand above or below its letter. */
const isBeside = (cluster: Box, { left, right, bottom, top }: Box): boolean => {
  const height = Math.max(cluster.top - cluster.bottom, top - bottom)
  return (
    bottom - cluster.top < height &&
    cluster.bottom - top < height &&
    left - cluster.right < height &&
    cluster.left - right < height
  )
}

/** The characters of each object that PDFium reads, as far as they may be those of a cluster, and where they stand. */
const textsOfObjects = (pdfium: Pdfium, textPage: number): ReadonlyMap<number, string> => {
  const texts = new Map<number, string>()
  const count = pdfium.FPDFText_CountChars(textPage)
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFText_GetTextObject(textPage, index)
    if (object === 0 || pdfium.FPDFText_IsGenerated(textPage, index) === 1) continue
    const code = pdfium.FPDFText_GetUnicode(textPage, index)
    const text = texts.get(object) ?? ""
    const isOfCluster = mayBeInCluster(code) && text.length < clusterCharactersMax
    texts.set(object, isOfCluster ? text + String.fromCodePoint(code) : text)
  }
  return texts
}

const clusterCharactersMax = 20

/** A share of its width: of a shape that stands above or below its letter, and not behind it. */
const overlapMin = 0.5
