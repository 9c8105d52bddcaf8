import { convertLimits } from "../../Limits.ts"
import type { Box } from "./Box.ts"
import { boundsBytes, boundsOf } from "./objectBounds.ts"
import type { Pdfium } from "./Pdfium.ts"

const textObject = 1

/**
 * Text objects of a single character behind which PDFium leaves out the next one, with how far to the right that stands:
 * where each letter is an object of its own, PDFium takes the second of two that are the same for a copy of the first if
 * their shapes overlap, as those of slanted letters do. Objects within forms are not looked at.
 */
export const leftOutBehind = (
  pdfium: Pdfium,
  page: number,
  textPage: number,
): ReadonlyMap<number, number> => {
  const count = pdfium.FPDFPage_CountObjects(page)
  const found = new Map<number, number>()
  if (count > convertLimits.pdf_page_characters_max) return found
  const read = charactersByObject(pdfium, textPage)
  const scratch = pdfium.malloc(boundsBytes)
  let last = 0
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    if (pdfium.FPDFPageObj_GetType(object) !== textObject) continue
    if (last !== 0 && !read.has(object) && read.get(last) === 1) {
      const [box, next] = [boundsOf(pdfium, last, scratch), boundsOf(pdfium, object, scratch)]
      if (next.left - box.left > besideMin * (box.right - box.left) && areAlike(box, next))
        found.set(last, next.left - box.left)
    }
    last = object
  }
  pdfium.free(scratch)
  return found
}

const charactersByObject = (pdfium: Pdfium, textPage: number): ReadonlyMap<number, number> => {
  const characters = new Map<number, number>()
  const count = pdfium.FPDFText_CountChars(textPage)
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFText_GetTextObject(textPage, index)
    const isAdded = pdfium.FPDFText_IsGenerated(textPage, index) === 1
    if (object !== 0 && !isAdded) characters.set(object, (characters.get(object) ?? 0) + 1)
  }
  return characters
}

/** Both show one shape, in one line. */
const areAlike = (box: Box, next: Box): boolean =>
  box.top > box.bottom &&
  Math.abs(next.top - box.top) < same &&
  Math.abs(next.bottom - box.bottom) < same &&
  Math.abs(next.right - next.left - (box.right - box.left)) < same

/** Points. */
const same = 0.01
/** A share of the shape's width: what is nearer was printed again to be bold. */
const besideMin = 0.3
