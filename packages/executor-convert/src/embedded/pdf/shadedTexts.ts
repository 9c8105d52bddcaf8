import { boundsOf } from "./objectBounds.ts"
import type { Pdfium } from "./Pdfium.ts"

/** Pixels of the longer side of its picture. */
const pixelsMax = 128
/** The edges of letters may be a little darker. */
const otherMax = 200
const bytesPerPixel = 4

/**
 * The picture of a text object that is said to be white has other colours: it is painted with a pattern or a shading,
 * whose colour PDFium does not tell.
 */
export const isShaded = (
  pdfium: Pdfium,
  { document, page }: { readonly document: number; readonly page: number },
  object: number,
  scratch: number,
): boolean => {
  const { left, right, bottom, top } = boundsOf(pdfium, object, scratch)
  const side = Math.max(right - left, top - bottom)
  if (!(side > 0)) return false
  const bitmap = pdfium.FPDFTextObj_GetRenderedBitmap(document, page, object, Math.min(1, pixelsMax / side))
  if (bitmap === 0) return false
  const height = pdfium.FPDFBitmap_GetHeight(bitmap)
  const bytes = pdfium.FPDFBitmap_GetStride(bitmap) * height
  const pixels = new Uint8Array(pdfium.view().buffer, pdfium.FPDFBitmap_GetBuffer(bitmap), bytes)
  let isOther = false
  for (let at = 0; at + bytesPerPixel <= bytes && !isOther; at += bytesPerPixel) {
    const [blue = 0, green = 0, red = 0, alpha = 0] = pixels.subarray(at, at + bytesPerPixel)
    isOther = alpha > 0 && Math.min(blue, green, red) < otherMax
  }
  pdfium.FPDFBitmap_Destroy(bitmap)
  return isOther
}
