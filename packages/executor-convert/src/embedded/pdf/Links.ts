import { markdownLimits } from "@atelier/executor/html"
import type { Pdfium } from "./Pdfium.ts"

/** A place on a page that leads to an address, in points of the page, which count upwards. */
export interface LinkArea {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
  readonly target: string
}

/** Areas of one page: every word is looked up in all of them. */
const areasMax = 2_000

/** The links of a page that lead out of the document; those beyond so many areas do not count. */
export const readLinks = (pdfium: Pdfium, document: number, page: number): ReadonlyArray<LinkArea> => {
  const areas: Array<LinkArea> = []
  const scratch = pdfium.malloc(scratchBytes)
  pdfium.view().setInt32(scratch + placeOffset, 0, true)
  while (
    areas.length < areasMax &&
    pdfium.FPDFLink_Enumerate(page, scratch + placeOffset, scratch + linkOffset) !== 0
  ) {
    const link = pdfium.view().getUint32(scratch + linkOffset, true)
    const target = targetOf(pdfium, document, link, scratch + targetOffset)
    if (target !== "") areas.push(...areasOf(pdfium, link, scratch, target))
  }
  pdfium.free(scratch)
  return areas
}

/** Where the link at a point leads, empty where there is none; what comes later lies above. */
export const linkAt = (areas: ReadonlyArray<LinkArea>, x: number, y: number): string =>
  areas.findLast(({ left, right, bottom, top }) => x >= left && x <= right && y >= bottom && y <= top)
    ?.target ?? ""

const placeOffset = 0
const linkOffset = 4
const numbersOffset = 8
const targetOffset = 64
const targetBytesMax = markdownLimits.link_characters_max
const scratchBytes = targetOffset + targetBytesMax

const uriAction = 3

const targetOf = (pdfium: Pdfium, document: number, link: number, buffer: number): string => {
  const action = pdfium.FPDFLink_GetAction(link)
  if (action === 0 || pdfium.FPDFAction_GetType(action) !== uriAction) return ""
  const bytes = pdfium.FPDFAction_GetURIPath(document, action, buffer, targetBytesMax)
  if (bytes < 1 || bytes > targetBytesMax) return ""
  return Buffer.from(pdfium.view().buffer, buffer, bytes - 1).toString()
}

/** A link over several lines has an area for each, or one around all. */
const areasOf = (pdfium: Pdfium, link: number, scratch: number, target: string): ReadonlyArray<LinkArea> => {
  const numbers = scratch + numbersOffset
  const at = (index: number): number => pdfium.view().getFloat32(numbers + 4 * index, true)
  const area = (xs: ReadonlyArray<number>, ys: ReadonlyArray<number>): LinkArea => ({
    left: Math.min(...xs),
    right: Math.max(...xs),
    bottom: Math.min(...ys),
    top: Math.max(...ys),
    target,
  })
  const quads: Array<LinkArea> = []
  const count = Math.min(quadsMax, pdfium.FPDFLink_CountQuadPoints(link))
  for (let index = 0; index < count; index++) {
    if (pdfium.FPDFLink_GetQuadPoints(link, index, numbers) === 0) continue
    quads.push(area([at(0), at(2), at(4), at(6)], [at(1), at(3), at(5), at(7)]))
  }
  if (quads.length > 0 || pdfium.FPDFLink_GetAnnotRect(link, numbers) === 0) return quads
  return [area([at(0), at(2)], [at(1), at(3)])]
}

/** Lines of one link. */
const quadsMax = 50
