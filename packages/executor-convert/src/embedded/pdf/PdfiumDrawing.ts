/** Functions of PDFium that draw (fpdfview.h). */
export interface PdfiumDrawing {
  readonly FPDF_GetPageWidthF: (page: number) => number
  readonly FPDF_GetPageHeightF: (page: number) => number
  readonly FPDFBitmap_CreateEx: (
    width: number,
    height: number,
    format: number,
    memory: number,
    stride: number,
  ) => number
  readonly FPDFBitmap_FillRect: (
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ) => number
  readonly FPDFBitmap_GetBuffer: (bitmap: number) => number
  readonly FPDFBitmap_GetHeight: (bitmap: number) => number
  readonly FPDFBitmap_GetStride: (bitmap: number) => number
  readonly FPDFBitmap_Destroy: (bitmap: number) => void
  readonly FPDFTextObj_GetRenderedBitmap: (
    document: number,
    page: number,
    object: number,
    scale: number,
  ) => number
  readonly FPDF_RenderPageBitmap: (
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    flags: number,
  ) => void
}
