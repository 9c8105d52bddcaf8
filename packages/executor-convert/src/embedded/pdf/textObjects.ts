import { convertLimits } from "../../Limits.ts"
import type { Box } from "./Box.ts"
import { boxOf, identity, type Matrix, product } from "./Drawing.ts"
import type { Pdfium } from "./Pdfium.ts"

const textObject = 1
const formObject = 5
const formDepthMax = 6
const scratchBytes = 24
/** Points: what is nearer may be seen. */
const apartMin = 1
/** A share of its height: of text that can be read, more is seen. */
const seenMin = 0.25

/** What is known of the text objects of a page. */
export interface TextObjects {
  /** Those that a clip path hides as a whole, such as those of a figure beyond the part of it that is shown. */
  readonly hidden: ReadonlySet<number>
  /** Those of a drawing that the page shows as a form, by the number of that form. */
  readonly drawn: ReadonlyMap<number, number>
}

export const noTextObjects: TextObjects = { hidden: new Set(), drawn: new Map() }

/** The text objects of a page; nothing is known on one with too many objects or points of clip paths. */
export const textObjects = (pdfium: Pdfium, page: number): TextObjects => {
  const reader = new ClipReader(pdfium)
  const count = pdfium.FPDFPage_CountObjects(page)
  const object = (index: number): number => pdfium.FPDFPage_GetObject(page, index)
  const read = (): boolean => reader.read(count, object, { matrix: identity, clip: everything, depth: 0 })
  // Of what is printed several times, each time with another clip path, PDFium says one alone: the others are looked for.
  const isWhole = read() && (reader.hidden.size === 0 || read())
  reader.end()
  if (!isWhole) return noTextObjects
  const hidden = [...reader.hidden].flatMap(([text, place]) => (reader.shown.has(place) ? [] : [text]))
  const drawn = [...reader.inForms].filter(([, form]) => (reader.shapes[form] ?? 0) >= shapesMin)
  return { hidden: new Set(hidden), drawn: new Map(drawn) }
}

/** Of a form that is a drawing: others hold a part of the page, such as its head. */
const shapesMin = 1

const everything: Box = { left: -Infinity, right: Infinity, bottom: -Infinity, top: Infinity }

/** Where the objects of a page or form stand on the page, and what of it their container shows. */
interface Container {
  readonly matrix: Matrix
  readonly clip: Box
  readonly depth: number
}

class ClipReader {
  /** Text objects that are hidden, with where they stand. */
  readonly hidden = new Map<number, string>()
  /** Where others stand, once some are hidden. */
  readonly shown = new Set<string>()
  /** Text objects in forms, by the numbers of these, and how many paths and pictures each form holds. */
  readonly inForms = new Map<number, number>()
  readonly shapes: Array<number> = []
  readonly #pdfium: Pdfium
  readonly #scratch: number
  /** What each path surrounds, by its first point, which objects share. */
  readonly #paths = new Map<number, Box>()
  #left = 2 * convertLimits.pdf_page_characters_max

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium
    this.#scratch = pdfium.malloc(scratchBytes)
  }

  end(): void {
    this.#pdfium.free(this.#scratch)
  }

  /** False once there is more than may be read. */
  read(count: number, object: (index: number) => number, container: Container): boolean {
    for (let index = 0; index < count; index++) {
      if (--this.#left < 0) return false
      const pointer = object(index)
      const type = this.#pdfium.FPDFPageObj_GetType(pointer)
      if (type === textObject) {
        this.#readText(pointer, container)
        if (container.depth > 0) this.inForms.set(pointer, this.shapes.length - 1)
      } else if (type === formObject && container.depth < formDepthMax) {
        if (container.depth === 0) this.shapes.push(0)
        const inside = (at: number): number => this.#pdfium.FPDFFormObj_GetObject(pointer, at)
        const matrix = product(this.#matrixOf(pointer), container.matrix)
        const clip = this.#clipOf(pointer, container)
        const inner = { matrix, clip, depth: container.depth + 1 }
        if (!this.read(this.#pdfium.FPDFFormObj_CountObjects(pointer), inside, inner)) return false
      } else if (container.depth > 0) {
        const form = this.shapes.length - 1
        this.shapes[form] = (this.shapes[form] ?? 0) + 1
      }
    }
    return this.#left >= 0
  }

  #readText(text: number, container: Container): void {
    const clip = this.#clipOf(text, container)
    if (clip === everything && this.hidden.size === 0) return
    const at = this.#scratch
    if (this.#pdfium.FPDFPageObj_GetBounds(text, at, at + 4, at + 8, at + 12) === 0) return
    const view = this.#pdfium.view()
    const [left, bottom] = [view.getFloat32(at, true), view.getFloat32(at + 4, true)]
    const [right, top] = [view.getFloat32(at + 8, true), view.getFloat32(at + 12, true)]
    if (left >= right || bottom >= top) return
    const box = placed({ left, right, bottom, top }, container.matrix)
    if (areApart(box, clip)) this.hidden.set(text, placeOf(box))
    else if (this.hidden.size > 0) this.shown.add(placeOf(box))
  }

  /** What of the page an object may show: its container's part of it, without what lies beyond its own clip paths. */
  #clipOf(object: number, { matrix, clip }: Container): Box {
    const path = this.#pdfium.FPDFPageObj_GetClipPath(object)
    const count = path === 0 ? 0 : this.#pdfium.FPDFClipPath_CountPaths(path)
    let shown = clip
    for (let index = 0; index < count; index++) {
      const first = this.#pdfium.FPDFClipPath_GetPathSegment(path, index, 0)
      const box = this.#paths.get(first) ?? this.#readPath(path, index)
      this.#paths.set(first, box)
      // A path without an area tells nothing.
      if (box.right > box.left && box.top > box.bottom) shown = inBoth(shown, placed(box, matrix))
    }
    return shown
  }

  #readPath(path: number, index: number): Box {
    const count = this.#pdfium.FPDFClipPath_CountPathSegments(path, index)
    this.#left -= Math.max(0, count)
    const points = Array.from({ length: this.#left < 0 ? 0 : count }, (_, at) => {
      const segment = this.#pdfium.FPDFClipPath_GetPathSegment(path, index, at)
      this.#pdfium.FPDFPathSegment_GetPoint(segment, this.#scratch, this.#scratch + 4)
      const view = this.#pdfium.view()
      return { x: view.getFloat32(this.#scratch, true), y: view.getFloat32(this.#scratch + 4, true) }
    })
    return boxOf(points)
  }

  #matrixOf(object: number): Matrix {
    if (this.#pdfium.FPDFPageObj_GetMatrix(object, this.#scratch) === 0) return identity
    const view = this.#pdfium.view()
    const at = (index: number): number => view.getFloat32(this.#scratch + 4 * index, true)
    return [at(0), at(1), at(2), at(3), at(4), at(5)]
  }
}

/** The box that a box of a form fills on the page. */
const placed = (box: Box, matrix: Matrix): Box => {
  if (matrix === identity) return box
  const [a, b, c, d, e, f] = matrix
  const corners = [box.left, box.right].flatMap((x) =>
    [box.bottom, box.top].map((y) => ({ x: a * x + c * y + e, y: b * x + d * y + f })),
  )
  return boxOf(corners)
}

const placeOf = ({ left, right, bottom, top }: Box): string =>
  [left, right, bottom, top].map(Math.round).join(" ")

const inBoth = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  right: Math.min(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
  top: Math.min(a.top, b.top),
})

/**
 * Nothing of the box is within the clip, or nothing at all: its paths lie apart from one another. Of a line that the end of
 * a page cuts off, the tops of some signs may be seen.
 */
const areApart = (box: Box, clip: Box): boolean =>
  Math.max(box.left, clip.left) > Math.min(box.right, clip.right) + apartMin ||
  Math.min(box.top, clip.top) - Math.max(box.bottom, clip.bottom) < seenMin * (box.top - box.bottom)
