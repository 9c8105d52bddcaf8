import type { TickBox } from "./Drawing.ts"
import type { Pdfium } from "./Pdfium.ts"
import { readWidgets, writeKey } from "./widgets.ts"

/** Points: what is larger is no box. */
const sideMax = 30
const key = "AS"
const stateBytesMax = 256
const rectangleOffset = 8
const stateOffset = 32

/** The boxes to tick and the radio buttons of a form: those have a state of their appearance, which is `Off` for none. */
export const readTickFields = (pdfium: Pdfium, page: number): ReadonlyArray<TickBox> =>
  readWidgets(pdfium, page, stateOffset + stateBytesMax, (annotation, scratch) =>
    fieldOf(pdfium, annotation, scratch),
  )

const fieldOf = (pdfium: Pdfium, annotation: number, scratch: number): TickBox | undefined => {
  writeKey(pdfium, key, scratch)
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
