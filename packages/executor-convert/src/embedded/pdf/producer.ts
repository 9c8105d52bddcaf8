import type { Pdfium } from "./Pdfium.ts"

const producerBytesMax = 256

/**
 * Whether the document was made by Skia, the graphics library of Chromium and Android: where a font has no bold style, or
 * its text is to be heavier than its font, it draws the letters, as a font without a name.
 */
export const isOfSkia = (pdfium: Pdfium, document: number): boolean => {
  const name = pdfium.copy(Buffer.from("Producer\0", "latin1"))
  const buffer = pdfium.malloc(producerBytesMax)
  const bytes = pdfium.FPDF_GetMetaText(document, name, buffer, producerBytesMax)
  // A longer one is not written.
  const length = bytes > producerBytesMax ? 0 : Math.max(0, bytes)
  const found = Buffer.from(pdfium.view().buffer, buffer, length).toString("utf16le")
  pdfium.free(name)
  pdfium.free(buffer)
  return found.startsWith("Skia/PDF")
}
