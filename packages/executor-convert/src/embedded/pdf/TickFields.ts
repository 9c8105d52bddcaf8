import type { TickBox } from "./Drawing.ts"
import type { Pdfium } from "./Pdfium.ts"

const widget = 20
/** Points: what is larger is no box. */
const sideMax = 30
const key = "AS"
const stateBytesMax = 256
const rectangleOffset = 8
const stateOffset = 32

/** The boxes to tick and the radio buttons of a form: those have a state of their appearance, which is `Off` for none. */
export const readTickFields = (pdfium: Pdfium, page: number): ReadonlyArray<TickBox> => {
  const count = pdfium.FPDFPage_GetAnnotCount(page)
  if (count < 1) return []
  const scratch = pdfium.malloc(stateOffset + stateBytesMax)
  Buffer.from(pdfium.view().buffer, scratch, rectangleOffset).write(`${key}\0`, "latin1")
  const found: Array<TickBox> = []
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const field = fieldOf(pdfium, annotation, scratch)
    pdfium.FPDFPage_CloseAnnot(annotation)
    if (field !== undefined) found.push(field)
  }
  pdfium.free(scratch)
  return found
}

const fieldOf = (pdfium: Pdfium, annotation: number, scratch: number): TickBox | undefined => {
  if (pdfium.FPDFAnnot_GetSubtype(annotation) !== widget) return undefined
  const bytes = pdfium.FPDFAnnot_GetStringValue(annotation, scratch, scratch + stateOffset, stateBytesMax)
  if (bytes <= 2 || bytes > stateBytesMax) return undefined
  if (pdfium.FPDFAnnot_GetRect(annotation, scratch + rectangleOffset) === 0) return undefined
  const view = pdfium.view()
  const state = Buffer.from(view.buffer, scratch + stateOffset, bytes - 2).toString("utf16le")
  const side = (at: number): number => view.getFloat32(scratch + rectangleOffset + 4 * at, true)
  const [left, top, right, bottom] = [side(0), side(1), side(2), side(3)]
  if (right - left > sideMax || top - bottom > sideMax) return undefined
  return { left, right, top, bottom, isTicked: state !== "Off" }
}
