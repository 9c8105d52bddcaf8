import { convertLimits } from "../../Limits.ts"
import type { Box } from "./Box.ts"
import { boundsOf } from "./objectBounds.ts"
import type { Pdfium } from "./Pdfium.ts"
import { isShaded } from "./shadedTexts.ts"

/** A line along an axis, in points of the page, which count upwards. */
export interface Stroke {
  readonly isHorizontal: boolean
  /** Its height for a horizontal one, else its distance from the left. */
  readonly at: number
  readonly from: number
  readonly to: number
  /** White, as borders are that show only in the program that wrote the file. */
  readonly isHidden?: boolean
  /** Wider than a line, as what is drawn behind a text. */
  readonly isThick?: boolean
}

type Look = Pick<Stroke, "isHidden" | "isThick">
const plain: Look = {}

/** What a page shows besides text. */
export interface Drawing {
  readonly strokes: ReadonlyArray<Stroke>
  /** Areas with a colour that is not white. */
  readonly fills: ReadonlyArray<Box>
  /** Small round or square shapes, as bullets are drawn. */
  readonly marks: ReadonlyArray<Box>
  /** Small squares without a colour, as boxes to tick are drawn. */
  readonly boxes: ReadonlyArray<TickBox>
  /** Pictures, without those that are as small as signs. */
  readonly pictures: ReadonlyArray<Box>
  /** Level lines that are too short to be a side of anything. */
  readonly dashes: ReadonlyArray<Box>
  /** Where white text may be seen: all that has a colour, and is no line. */
  readonly grounds: ReadonlyArray<Box>
}

export interface TickBox extends Box {
  /** A cross, a tick or a smaller mark is in it, or a dark colour fills it. */
  readonly isTicked: boolean
}

/** It is not known what is drawn. */
export const everywhere: Box = { left: -Infinity, right: Infinity, bottom: -Infinity, top: Infinity }

export const emptyDrawing: Drawing = {
  strokes: [],
  fills: [],
  marks: [],
  boxes: [],
  pictures: [],
  dashes: [],
  grounds: [everywhere],
}

/** Points: what is thinner is a line, and what is larger no bullet. */
const thicknessMax = 2.6
const lengthMin = 3
const dashMin = 1.2
const dashHeightMax = 0.8
const markMax = 12
const tickBoxMin = 5
const tickBoxMax = 18
const pictureMin = 24
const picturesMax = 200
const groundsMax = 500
/** White texts that are drawn to see their colour. */
const shadedMax = 50
/** How far a cross may go beyond its box. */
const crossOver = 1.5
const slopeMax = 0.4

export type Matrix = readonly [number, number, number, number, number, number]
export const identity: Matrix = [1, 0, 0, 1, 0, 0]

export const product = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  a * A + b * C,
  a * B + b * D,
  c * A + d * C,
  c * B + d * D,
  e * A + f * C + E,
  e * B + f * D + F,
]

const textObject = 1
const pathObject = 2
const imageObject = 3
const shadingObject = 4
const formObject = 5
const lineTo = 0
const moveTo = 2
const formDepthMax = 6
/** An outline with more points than this is a picture. */
const pathSegmentsMax = 4_000

export interface Point {
  readonly x: number
  readonly y: number
}

/** Undefined where a page draws too much for it to be read. `hasWhite`: some of its text is said to be white. */
export const readDrawing = (
  pdfium: Pdfium,
  document: number,
  page: number,
  hasWhite: boolean,
): Drawing | undefined => {
  const reader = new DrawingReader(pdfium, { document, page }, hasWhite)
  const isWhole = reader.read(pdfium.FPDFPage_CountObjects(page), (index) =>
    pdfium.FPDFPage_GetObject(page, index),
  )
  reader.end()
  return isWhole ? reader : undefined
}

class DrawingReader implements Drawing {
  readonly strokes: Array<Stroke> = []
  readonly fills: Array<Box> = []
  readonly marks: Array<Box> = []
  readonly boxes: Array<TickBox> = []
  readonly pictures: Array<Box> = []
  readonly dashes: Array<Box> = []
  readonly grounds: Array<Box> = []
  readonly #squares: Array<Box> = []
  readonly #diagonals: Array<Box> = []
  /** Areas with a colour, as large as boxes to tick. */
  readonly #tints: Array<Tint> = []
  readonly #pdfium: Pdfium
  readonly #scratch: number
  #dots: Dots | undefined
  readonly #of: { readonly document: number; readonly page: number }
  #left = convertLimits.pdf_page_path_points_max
  readonly #hasWhite: boolean
  #shadedLeft = shadedMax

  constructor(pdfium: Pdfium, of: { readonly document: number; readonly page: number }, hasWhite: boolean) {
    this.#pdfium = pdfium
    this.#of = of
    this.#hasWhite = hasWhite
    this.#scratch = pdfium.malloc(scratchBytes)
  }

  end(): void {
    this.#pdfium.free(this.#scratch)
    this.#endDots()
    if (this.#squares.length > tickBoxesMax) return
    const tinted = this.#squares.map((square) => ({ square, tint: tintOf(square, this.#tints) }))
    for (const { square, tint } of tinted) {
      if (isOfKey(square, tinted)) {
        // The others are marks by their colours.
        if (tint === undefined) this.marks.push(square)
        continue
      }
      const inner = this.marks.findIndex((mark) => isInside(mark, square, -1))
      if (inner >= 0) this.marks.splice(inner, 1)
      const isCrossed = this.#diagonals.some((line) => isInside(line, square, crossOver))
      this.boxes.push({ ...square, isTicked: inner >= 0 || isCrossed || tint?.isDark === true })
    }
  }

  /** False once there is more than may be read. */
  read(count: number, object: (index: number) => number, outer: Matrix = identity, depth = 0): boolean {
    for (let index = 0; index < count; index++) {
      if (--this.#left < 0) return false
      const pointer = object(index)
      const type = this.#pdfium.FPDFPageObj_GetType(pointer)
      if (type === textObject && this.#hasWhite) this.#readText(pointer, outer)
      else if (type === pathObject) this.#readPath(pointer, outer)
      else if (type === imageObject) this.#readPicture(pointer, outer)
      else if (type === shadingObject) this.#readShading(pointer, outer)
      else if (type === formObject && depth >= formDepthMax) this.#ground(everywhere)
      else if (type === formObject) {
        const matrix = product(this.#matrix(pointer), outer)
        const inside = (at: number): number => this.#pdfium.FPDFFormObj_GetObject(pointer, at)
        if (!this.read(this.#pdfium.FPDFFormObj_CountObjects(pointer), inside, matrix, depth + 1))
          return false
      }
    }
    return this.#left >= 0
  }

  #matrix(object: number): Matrix {
    if (this.#pdfium.FPDFPageObj_GetMatrix(object, this.#scratch) === 0) return identity
    const view = this.#pdfium.view()
    const at = (index: number): number => view.getFloat32(this.#scratch + 4 * index, true)
    return [at(0), at(1), at(2), at(3), at(4), at(5)]
  }

  /** A picture fills the square whose sides are one long, before it is placed. */
  #readPicture(picture: number, outer: Matrix): void {
    const [a, b, c, d, e, f] = product(this.#matrix(picture), outer)
    const box = boxOf([
      { x: e, y: f },
      { x: a + e, y: b + f },
      { x: c + e, y: d + f },
      { x: a + c + e, y: b + d + f },
    ])
    this.#ground(box)
    const shorter = Math.min(box.right - box.left, box.top - box.bottom)
    if (shorter >= pictureMin && this.pictures.length < picturesMax) this.pictures.push(box)
  }

  /** A shading that is as small as a bullet is one, such as the balls of slides. */
  #readShading(shading: number, outer: Matrix): void {
    const at = this.#scratch
    if (this.#pdfium.FPDFPageObj_GetBounds(shading, at, at + 4, at + 8, at + 12) === 0) {
      this.#ground(everywhere)
      return
    }
    const view = this.#pdfium.view()
    const [left = 0, bottom = 0, right = 0, top = 0] = [0, 4, 8, 12].map((offset) =>
      view.getFloat32(at + offset, true),
    )
    const box = placed({ left, right, bottom, top }, outer)
    this.#ground(box)
    if (isMark(box)) this.marks.push(box)
  }

  /** What is painted with a shading is said to be white. */
  #readText(text: number, outer: Matrix): void {
    if (this.#isSeen(text, "FPDFPageObj_GetFillColor")) return
    const box = placed(boundsOf(this.#pdfium, text, this.#scratch), outer)
    if (isOnGround(box, this.grounds)) return
    if (this.#shadedLeft-- === 0) this.#ground(everywhere)
    else if (isShaded(this.#pdfium, this.#of, text, this.#scratch)) this.#ground(box)
  }

  #ground(box: Box): void {
    if (this.grounds.length < groundsMax) this.grounds.push(box)
    else if (this.grounds.length === groundsMax) this.grounds.push(everywhere)
  }

  #readPath(path: number, outer: Matrix): void {
    const count = this.#pdfium.FPDFPath_CountSegments(path)
    this.#left -= Math.max(0, Math.min(count, pathSegmentsMax))
    if (count > pathSegmentsMax) this.#ground(everywhere)
    if (count < 2 || count > pathSegmentsMax || this.#left < 0) return
    const { fill, stroke } = this.#modeOf(path)
    if (!fill && !stroke) return
    const matrix = product(this.#matrix(path), outer)
    const look: Look = stroke && !fill ? this.#lookOf(path, matrix) : plain
    let points: Array<Point> = []
    let isCurved = false
    const end = () => {
      if (points.length > 1) this.#shape(points, isCurved, fill, stroke, look)
      const box = boxOf(points)
      if (points.length > 1 && (fill || look.isThick === true)) this.#ground(box)
      if (fill && isTickSize(box)) this.#tint(box, path)
      points = []
      isCurved = false
    }
    for (let index = 0; index < count; index++) {
      const segment = this.#pdfium.FPDFPath_GetPathSegment(path, index)
      const type = this.#pdfium.FPDFPathSegment_GetType(segment)
      if (type === moveTo) end()
      else if (type !== lineTo) isCurved = true
      points.push(this.#point(segment, matrix))
      const [first] = points
      if (first !== undefined && this.#pdfium.FPDFPathSegment_GetClose(segment) !== 0) points.push(first)
    }
    end()
  }

  #modeOf(path: number): { readonly fill: boolean; readonly stroke: boolean } {
    const at = this.#scratch
    if (this.#pdfium.FPDFPath_GetDrawMode(path, at, at + 4) === 0) return { fill: false, stroke: false }
    const view = this.#pdfium.view()
    const fill = view.getInt32(at, true) !== 0
    const stroke = view.getInt32(at + 4, true) !== 0
    return { fill: fill && this.#isSeen(path, "FPDFPageObj_GetFillColor"), stroke }
  }

  #lookOf(path: number, [a, b, c, d]: Matrix): Look {
    const isHidden = !this.#isSeen(path, "FPDFPageObj_GetStrokeColor")
    if (this.#pdfium.FPDFPageObj_GetStrokeWidth(path, this.#scratch) === 0) return { isHidden }
    const width = this.#pdfium.view().getFloat32(this.#scratch, true) * Math.sqrt(Math.abs(a * d - b * c))
    return width > thicknessMax ? { isHidden, isThick: true } : { isHidden }
  }

  #tint(box: Box, path: number): void {
    const at = this.#scratch
    if (this.#pdfium.FPDFPageObj_GetFillColor(path, at, at + 4, at + 8, at + 12) === 0) return
    const view = this.#pdfium.view()
    const channels = [0, 4, 8].map((channel) => view.getUint32(at + channel, true))
    this.#tints.push({ ...box, colour: channels.join(" "), isDark: channels.every((each) => each < darkMax) })
  }

  #isSeen(path: number, colourOf: "FPDFPageObj_GetFillColor" | "FPDFPageObj_GetStrokeColor"): boolean {
    const at = this.#scratch
    if (this.#pdfium[colourOf](path, at, at + 4, at + 8, at + 12) === 0) return true
    const view = this.#pdfium.view()
    const colour = (index: number): number => view.getUint32(at + 4 * index, true)
    return colour(3) > 0 && Math.min(colour(0), colour(1), colour(2)) < whiteMin
  }

  #point(segment: number, [a, b, c, d, e, f]: Matrix): Point {
    const at = this.#scratch
    this.#pdfium.FPDFPathSegment_GetPoint(segment, at, at + 4)
    const view = this.#pdfium.view()
    const x = view.getFloat32(at, true)
    const y = view.getFloat32(at + 4, true)
    return { x: a * x + c * y + e, y: b * x + d * y + f }
  }

  #shape(points: ReadonlyArray<Point>, isCurved: boolean, fill: boolean, stroke: boolean, look: Look): void {
    const { isHidden = false } = look
    const box = boxOf(points)
    const [width, height] = [box.right - box.left, box.top - box.bottom]
    if (![box.left, box.right, box.bottom, box.top].every((at) => Math.abs(at) < reach)) return
    if (!isHidden && height <= dashHeightMax && width >= dashMin && width < lengthMin) this.dashes.push(box)
    const isOutline = stroke && !fill && !isHidden && !isCurved && areaOf(points) > 0.9 * width * height
    if (isOutline && isTickSize(box)) this.#squares.push(box)
    else if (fill && !isCurved && points.length > 3 && Math.max(width, height) < lengthMin) this.#dot(box)
    // The rounded corner of a frame fills less of its box.
    else if (isMark(box) && points.length > 3 && areaOf(points) > 0.4 * width * height) this.marks.push(box)
    else if (isCurved) return
    else if (fill && Math.min(width, height) <= thicknessMax) this.#stroke(box)
    else if (fill && areaOf(points) > 0.9 * width * height) this.fills.push(box)
    else if (stroke) {
      for (const [index, point] of points.entries()) {
        const next = points[index + 1]
        if (next !== undefined) this.#stroke(boxOf([point, next]), look)
      }
    }
  }

  /** Adds a dot of a dotted line, whose dots are drawn one after the other, or a mark by itself. */
  #dot(box: Box): void {
    const dots = this.#dots
    if (dots !== undefined && followsIn(dots, box)) {
      dots.count++
      if (dots.count < dotsMin) dots.first.push(box)
      Object.assign(dots, boxAround(dots, box))
      return
    }
    this.#endDots()
    this.#dots = { ...box, count: 1, first: [box] }
  }

  #endDots(): void {
    const dots = this.#dots
    if (dots === undefined) return
    if (dots.count >= dotsMin) this.#stroke(dots)
    else for (const dot of dots.first) if (isMark(dot)) this.marks.push(dot)
    this.#dots = undefined
  }

  /** Adds a box that is thin enough as a line. */
  #stroke({ left, right, bottom, top }: Box, look = plain): void {
    const [width, height] = [right - left, top - bottom]
    if (Math.min(width, height) > thicknessMax && Math.max(width, height) <= tickBoxMax + crossOver) {
      this.#diagonals.push({ left, right, bottom, top })
    }
    if (Math.max(width, height) < lengthMin || Math.min(width, height) > thicknessMax) return
    if (Math.min(width, height) > slopeMax * Math.max(width, height)) return
    this.strokes.push(
      width > height
        ? { ...look, isHorizontal: true, at: (top + bottom) / 2, from: left, to: right }
        : { ...look, isHorizontal: false, at: (left + right) / 2, from: bottom, to: top },
    )
  }
}

/** A row of dots: where it stands, how many they are, and the first of them. */
interface Dots {
  left: number
  right: number
  bottom: number
  top: number
  count: number
  readonly first: Array<Box>
}

const dotsMin = 8
/** Points. */
const dotsApart = 4
const sameDots = 0.3

const followsIn = (dots: Box, dot: Box): boolean => {
  const apart = (from: number, to: number): boolean => to - from > -sameDots && to - from < dotsApart
  const isLevel = Math.abs(dot.bottom - dots.bottom) < sameDots && Math.abs(dot.top - dots.top) < sameDots
  if (isLevel) return apart(dots.right, dot.left) || apart(dot.right, dots.left)
  const isBelow = Math.abs(dot.left - dots.left) < sameDots && Math.abs(dot.right - dots.right) < sameDots
  return isBelow && (apart(dots.top, dot.bottom) || apart(dot.top, dots.bottom))
}

const boxAround = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  right: Math.max(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
  top: Math.max(a.top, b.top),
})

interface Tint extends Box {
  readonly colour: string
  readonly isDark: boolean
}

const tickBoxesMax = 500
const tintsMax = 2_000

/** What fills the box. */
const tintOf = (box: Box, tints: ReadonlyArray<Tint>): Tint | undefined =>
  tints.length > tintsMax
    ? undefined
    : tints.findLast((tint) => isInside(tint, box, 1) && isInside(box, tint, 1))

interface Tinted {
  readonly square: Box
  readonly tint: Tint | undefined
}

/**
 * The box shows a colour of a chart: those below or above it have as many colours as are filled, of which one is dark and
 * another is not. Answers that are filled in are all of one colour.
 */
const isOfKey = (box: Box, all: ReadonlyArray<Tinted>): boolean => {
  const tints = all.flatMap(({ square, tint }) =>
    tint !== undefined && Math.abs(square.left - box.left) < 1 ? [tint] : [],
  )
  return (
    new Set(tints.map(({ colour }) => colour)).size === tints.length &&
    tints.some(({ isDark }) => isDark) &&
    tints.some(({ isDark }) => !isDark)
  )
}

/** The box lies in the other one, and goes beyond it by `over` points at most. */
const isInside = (box: Box, outer: Box, over: number): boolean =>
  box.left >= outer.left - over &&
  box.right <= outer.right + over &&
  box.bottom >= outer.bottom - over &&
  box.top <= outer.top + over

const scratchBytes = 64
/** Of each of the three colours. */
export const whiteMin = 250
const darkMax = 100

const isTickSize = ({ left, right, bottom, top }: Box): boolean => {
  const [shorter, longer] = [Math.min(right - left, top - bottom), Math.max(right - left, top - bottom)]
  return shorter >= tickBoxMin && longer <= tickBoxMax && shorter > 0.8 * longer
}

/** Something with a colour is drawn at the place. */
export const isOnGround = (place: Box, grounds: ReadonlyArray<Box>): boolean =>
  grounds.some(
    ({ left, right, bottom, top }) =>
      place.left <= right && place.right >= left && place.bottom <= top && place.top >= bottom,
  )

/** As large as a bullet, and about as wide as high. */
const isMark = ({ left, right, bottom, top }: Box): boolean => {
  const [shorter, longer] = [Math.min(right - left, top - bottom), Math.max(right - left, top - bottom)]
  return shorter >= 1 && longer <= markMax && shorter > 0.6 * longer
}

/** Points: no page is as large. Of numbers beyond 2^53 the next one is the same, and counting up to it has no end. */
const reach = 1_000_000

/** The place, or the nearest one within the reach of pages. */
export const withinReach = (at: number): number => Math.max(-reach, Math.min(reach, at))

export const boxOf = (points: ReadonlyArray<Point>): Box => {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const point of points) {
    const [x, y] = [withinReach(point.x), withinReach(point.y)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    bottom = Math.min(bottom, y)
    top = Math.max(top, y)
  }
  return { left, right, bottom, top }
}

/** The box around a box, as a matrix places it. */
const placed = ({ left, right, bottom, top }: Box, [a, b, c, d, e, f]: Matrix): Box =>
  boxOf(
    [left, right].flatMap((x) => [bottom, top].map((y) => ({ x: a * x + c * y + e, y: b * x + d * y + f }))),
  )

const areaOf = (points: ReadonlyArray<Point>): number => {
  let twice = 0
  for (const [index, { x, y }] of points.entries()) {
    const next = points[(index + 1) % points.length]
    if (next !== undefined) twice += x * next.y - next.x * y
  }
  return Math.abs(twice) / 2
}
