import type { Box } from "./Box.ts"
import type { Pdfium } from "./Pdfium.ts"

const widget: ReadonlySet<number> = new Set([20])

/** What `read` makes of each field of a form on a page; `scratch` is where this many bytes may be written. */
export const readWidgets = <A>(
  pdfium: Pdfium,
  page: number,
  scratchBytes: number,
  read: (annotation: number, scratch: number) => A | undefined,
): ReadonlyArray<A> => readAnnotations(pdfium, page, widget, scratchBytes, read)

/** The same of each annotation of these subtypes. */
export const readAnnotations = <A>(
  pdfium: Pdfium,
  page: number,
  subtypes: ReadonlySet<number>,
  scratchBytes: number,
  read: (annotation: number, scratch: number) => A | undefined,
): ReadonlyArray<A> => {
  const count = pdfium.FPDFPage_GetAnnotCount(page)
  if (count < 1) return []
  const scratch = pdfium.malloc(scratchBytes)
  const found: Array<A> = []
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const isOne = subtypes.has(pdfium.FPDFAnnot_GetSubtype(annotation))
    const result = isOne ? read(annotation, scratch) : undefined
    pdfium.FPDFPage_CloseAnnot(annotation)
    if (result !== undefined) found.push(result)
  }
  pdfium.free(scratch)
  return found
}

/** Bytes of the four numbers that `rectangleOf` reads. */
export const rectangleBytes = 16

/** Where an annotation stands, in points of the page; `scratch` has room for `rectangleBytes`. */
export const rectangleOf = (pdfium: Pdfium, annotation: number, scratch: number): Box | undefined => {
  if (pdfium.FPDFAnnot_GetRect(annotation, scratch) === 0) return undefined
  const view = pdfium.view()
  const side = (at: number): number => view.getFloat32(scratch + 4 * at, true)
  return { left: side(0), top: side(1), right: side(2), bottom: side(3) }
}

/** Writes keys of dictionaries where they are asked for. */
export const writeKey = (pdfium: Pdfium, key: string, at: number): void => {
  const bytes = Buffer.from(`${key}\0`, "latin1")
  Buffer.from(pdfium.view().buffer, at, bytes.length).set(bytes)
}
