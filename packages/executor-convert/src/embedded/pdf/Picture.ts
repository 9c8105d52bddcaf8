import type { Pdfium } from "./Pdfium.ts"

/** A page as it is printed, in shades of grey, one byte for each pixel, row by row. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** Pixels for each point of the page. */
  readonly scale: number
  /** 0 is black. */
  readonly grey: Uint8Array
}

/** How large a picture is to be. */
export interface PictureSize {
  /** Pixels for each point; fewer, where there would be more than `pixelsMax`. */
  readonly scale: number
  readonly pixelsMax: number
}

const formatGrey = 1
/** With annotations, in shades of grey. */
const drawFlags = 0x01 | 0x08
const white = 0xffff_ffff

/** The picture of a page, or undefined where there is no memory for it. */
export const drawPage = (
  pdfium: Pdfium,
  page: number,
  { scale, pixelsMax }: PictureSize,
): Picture | undefined => {
  const [pointsWide, pointsHigh] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
  const fitting = Math.min(scale, Math.sqrt(pixelsMax / (pointsWide * pointsHigh)))
  const [width, height] = [pointsWide, pointsHigh].map((points) => Math.floor(points * fitting))
  if (width === undefined || height === undefined || !(width > 0 && height > 0)) return undefined
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, formatGrey, 0, 0)
  if (bitmap === 0) return undefined
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, drawFlags)
  const from = pdfium.FPDFBitmap_GetBuffer(bitmap)
  const stride = pdfium.FPDFBitmap_GetStride(bitmap)
  const rows = new Uint8Array(pdfium.view().buffer)
  const grey = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    grey.set(rows.subarray(from + row * stride, from + row * stride + width), row * width)
  }
  pdfium.FPDFBitmap_Destroy(bitmap)
  return { width, height, scale: fitting, grey }
}
