import { convertLimits } from "../../Limits.ts"
import { boundsBytes, boundsOf } from "./objectBounds.ts"
import type { Pdfium } from "./Pdfium.ts"

const textObject = 1
const strokeMode = 1
/** Points: PDFium takes a text object that is narrower for one without text. */
const widthMin = 0.01
const strokeWidth = 0.1
const nameBytes = 256

/**
 * Before the text of a page is read: gives an extent to single emoji whose font has pictures in place of outlines, as
 * LibreOffice and WeasyPrint embed it, without which PDFium leaves them out of the text. Objects within forms are not
 * looked at.
 */
export const extendBlankEmoji = (pdfium: Pdfium, page: number): void => {
  const count = pdfium.FPDFPage_CountObjects(page)
  if (count > convertLimits.pdf_page_characters_max) return
  const scratch = pdfium.malloc(Math.max(boundsBytes, nameBytes))
  const known = new Map<number, boolean>()
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    if (pdfium.FPDFPageObj_GetType(object) !== textObject) continue
    const font = pdfium.FPDFTextObj_GetFont(object)
    const isOfEmoji = known.get(font) ?? isEmojiFont(pdfium, font, scratch)
    known.set(font, isOfEmoji)
    if (!isOfEmoji) continue
    const { left, right } = boundsOf(pdfium, object, scratch)
    if (Math.abs(right - left) >= widthMin) continue
    const mode = pdfium.FPDFTextObj_GetTextRenderMode(object)
    // A stroke has a width, which counts once the extent is found again.
    pdfium.FPDFTextObj_SetTextRenderMode(object, strokeMode)
    pdfium.FPDFPageObj_SetStrokeWidth(object, strokeWidth)
    pdfium.FPDFPageObj_Transform(object, 1, 0, 0, 1, 0, 0)
    pdfium.FPDFTextObj_SetTextRenderMode(object, mode)
  }
  pdfium.free(scratch)
}

const isEmojiFont = (pdfium: Pdfium, font: number, scratch: number): boolean => {
  const bytes = pdfium.FPDFFont_GetBaseFontName(font, scratch, nameBytes)
  if (bytes > nameBytes) return false
  return /emoji/i.test(Buffer.from(pdfium.view().buffer, scratch, Math.max(0, bytes - 1)).toString("latin1"))
}
