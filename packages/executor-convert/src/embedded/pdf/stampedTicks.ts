import type { Drawing, TickBox } from "./Drawing.ts"
import type { Pdfium } from "./Pdfium.ts"
import type { Layer, Word } from "./Word.ts"
import { readAnnotations, rectangleBytes, rectangleOf } from "./widgets.ts"

/** Its sides, as heights that grow upwards. */
type Stamp = Omit<TickBox, "isTicked">

const stampOrInk: ReadonlySet<number> = new Set([13, 15])
const hidden = 2
/** Points: what is larger ticks no box. */
const sideMax = 30
/** With more of them a page is no form. */
const stampsMax = 500

/** Small stamps and drawings that a reader has put on a page. */
export const readStamps = (pdfium: Pdfium, page: number): ReadonlyArray<Stamp> =>
  readAnnotations(pdfium, page, stampOrInk, rectangleBytes, (annotation, scratch) => {
    const isHidden = (pdfium.FPDFAnnot_GetFlags(annotation) & hidden) !== 0
    const box = isHidden ? undefined : rectangleOf(pdfium, annotation, scratch)
    const isSmall = box !== undefined && box.right - box.left <= sideMax && box.top - box.bottom <= sideMax
    return isSmall ? box : undefined
  })

const emptyBox = /^[☐□◻❏❐❑❒]/u

/** Shares of the size: where the middle of such a sign is, from its word's beginning and from the baseline. */
const middleX = 0.4
const middleY = 0.35

/** The layers of a page, where the empty box that stands nearest to a stamp's middle, as a character, is ticked. */
export const withStampedTicks = (
  layers: ReadonlyArray<Layer>,
  stamps: ReadonlyArray<Stamp>,
): ReadonlyArray<Layer> => {
  if (stamps.length === 0 || stamps.length > stampsMax) return layers
  return layers.map((layer) => {
    const boxes = layer.cos < uprightMin ? [] : layer.words.filter(({ text }) => emptyBox.test(text))
    const ticked = new Set(stamps.map((stamp) => nearestIn(boxes, stamp)))
    const words = layer.words.map((word) =>
      ticked.has(word) ? { ...word, text: word.text.replace(emptyBox, "☒") } : word,
    )
    return boxes.length === 0 ? layer : { ...layer, words }
  })
}

const uprightMin = 0.99

const nearestIn = (boxes: ReadonlyArray<Word>, stamp: Stamp): Word | undefined => {
  let nearest: { readonly word: Word; readonly distance: number } | undefined
  for (const word of boxes) {
    const [x, y] = [word.left + middleX * word.size, -word.baseline + middleY * word.size]
    const distance = Math.hypot(x - (stamp.left + stamp.right) / 2, y - (stamp.bottom + stamp.top) / 2)
    if (isOn(stamp, x, y) && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { word, distance }
  }
  return nearest?.word
}

const isOn = ({ left, right, top, bottom }: Stamp, x: number, y: number): boolean =>
  x > left && x < right && y > bottom && y < top

/** The drawing of a page, where the boxes below stamps are ticked. */
export const withStampedBoxes = (drawing: Drawing, stamps: ReadonlyArray<Stamp>): Drawing => {
  if (stamps.length === 0 || stamps.length > stampsMax) return drawing
  const boxes = drawing.boxes.map((box) => {
    const [x, y] = [(box.left + box.right) / 2, (box.bottom + box.top) / 2]
    return stamps.some((stamp) => isOn(stamp, x, y)) ? { ...box, isTicked: true } : box
  })
  return { ...drawing, boxes }
}
