import type { Palette } from "./Palette.ts"
import type { Random } from "./Random.ts"

/**
 * Where a style draws: its own coordinates from 0 to `width` and `height`, of an area of about a million, so
 * that a drawing has the same density at every size. Styles may draw past the edges; they are clipped.
 */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly palette: Palette
  readonly random: Random
  /** Adds a definition with the id given to `make`, and gives a paint that refers to it. */
  readonly define: (make: (id: string) => string) => string
}

/** Draws on the canvas: SVG elements, at most some thousands of path commands. */
export type Style = (canvas: Canvas) => string

export interface Point {
  readonly x: number
  readonly y: number
}

/** A number as SVG text, to a tenth. */
export const n = (value: number): string => String(Math.round(value * 10) / 10)

/** Text as SVG character data and attribute values. */
export const escapeXml = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;")

export const rect = (x: number, y: number, width: number, height: number, paint: string, more = ""): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${paint}"${more}/>`

export const circle = (x: number, y: number, radius: number, paint: string, more = ""): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${paint}"${more}/>`

export const path = (data: string, paint: string, more = ""): string =>
  `<path d="${data}" fill="${paint}"${more}/>`

export const stroke = (data: string, paint: string, width: number, more = ""): string =>
  `<path d="${data}" fill="none" stroke="${paint}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round"${more}/>`

/** Straight lines through the points. */
export const lines = (points: ReadonlyArray<Point>): string =>
  points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${n(x)} ${n(y)}`).join("")

/** A smooth curve through the points. */
export const curve = (points: ReadonlyArray<Point>): string => {
  const at = (index: number): Point =>
    points[Math.min(points.length - 1, Math.max(0, index))] ?? { x: 0, y: 0 }
  return points
    .map((point, index) => {
      if (index === 0) return `M${n(point.x)} ${n(point.y)}`
      const [before, from, after] = [at(index - 2), at(index - 1), at(index + 1)]
      const [x1, y1] = [from.x + (point.x - before.x) / 6, from.y + (point.y - before.y) / 6]
      const [x2, y2] = [point.x - (after.x - from.x) / 6, point.y - (after.y - from.y) / 6]
      return `C${n(x1)} ${n(y1)} ${n(x2)} ${n(y2)} ${n(point.x)} ${n(point.y)}`
    })
    .join("")
}

/** A gradient from top to bottom of what it fills: `[offset, colour, opacity]` each. */
export const vertical = (
  canvas: Pick<Canvas, "define">,
  stops: ReadonlyArray<readonly [offset: number, colour: string, opacity?: number]>,
): string =>
  canvas.define((id) => `<linearGradient id="${id}" x2="0" y2="1">${stopsOf(stops)}</linearGradient>`)

/** A gradient from the middle outwards of what it fills. */
export const radial = (
  canvas: Pick<Canvas, "define">,
  stops: ReadonlyArray<readonly [offset: number, colour: string, opacity?: number]>,
  [x, y]: readonly [number, number] = [0.5, 0.5],
): string =>
  canvas.define(
    (id) =>
      `<radialGradient id="${id}" cx="${x}" cy="${y}" r="0.5" fx="${x}" fy="${y}">${stopsOf(stops)}</radialGradient>`,
  )

const stopsOf = (stops: ReadonlyArray<readonly [number, string, number?]>): string =>
  stops
    .map(([offset, colour, opacity]) => {
      const alpha = opacity === undefined ? "" : ` stop-opacity="${opacity}"`
      return `<stop offset="${offset}" stop-color="${colour}"${alpha}/>`
    })
    .join("")

/** The horizontal places at which a skyline is drawn. */
export const across = (canvas: Canvas, steps: number): ReadonlyArray<number> =>
  Array.from({ length: steps + 1 }, (_, index) => (index / steps) * canvas.width)
