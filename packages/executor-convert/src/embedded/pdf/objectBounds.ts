import type { Box } from "./Box.ts"
import type { Pdfium } from "./Pdfium.ts"

/** Bytes of the four numbers that `boundsOf` reads. */
export const boundsBytes = 16

/** What is drawn of an object, in points of the page; `scratch` has room for `boundsBytes`. */
export const boundsOf = (pdfium: Pdfium, object: number, scratch: number): Box => {
  const [left, bottom, right, top] = [scratch, scratch + 4, scratch + 8, scratch + 12]
  pdfium.FPDFPageObj_GetBounds(object, left, bottom, right, top)
  const view = pdfium.view()
  const side = (at: number): number => view.getFloat32(at, true)
  return { left: side(left), bottom: side(bottom), right: side(right), top: side(top) }
}
