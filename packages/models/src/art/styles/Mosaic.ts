import { type Canvas, lines, type Point, path, rect, type Style } from "../Canvas.ts"
import { along, mix } from "../Colour.ts"
import { fractal } from "../Random.ts"

const seeds = 170

/** Panes of glass: the cells around scattered points, coloured along a gradient. */
export const mosaic: Style = (canvas) => {
  const { height, palette, random, width } = canvas
  const lead = random.chance(0.5) ? palette.near : palette.paper
  let points: ReadonlyArray<Point> = Array.from({ length: seeds }, () => ({
    x: random.between(-40, width + 40),
    y: random.between(-40, height + 40),
  }))
  // Moving each point to the middle of its cell evens the panes out.
  for (let round = 0; round < 2; round++)
    points = points.map((point) => middle(cellOf(point, points, canvas)))
  const focus = { x: width * random.between(0.25, 0.75), y: height * random.between(0.25, 0.75) }
  const ramp = [palette.light, palette.accents[1], palette.accents[0], palette.accents[3], palette.near]
  const far = Math.hypot(width, height) * 0.62
  const panes = points.map((point) => {
    const distance = Math.hypot(point.x - focus.x, point.y - focus.y) / far
    const place = distance + fractal(random.noise, point.x / 260, point.y / 260, 2) * 0.28
    const colour = random.chance(0.09) ? random.pick(palette.accents) : along(ramp, place)
    return path(
      `${lines(inset(cellOf(point, points, canvas), 3.2))}Z`,
      mix(colour, palette.light, random.between(0, 0.14)),
    )
  })
  return rect(-2, -2, width + 4, height + 4, lead) + panes.join("")
}

/** The part of the canvas that is nearer to the point than to any other. */
const cellOf = (
  point: Point,
  points: ReadonlyArray<Point>,
  { height, width }: Canvas,
): ReadonlyArray<Point> => {
  const edge = 60
  let cell: ReadonlyArray<Point> = [
    { x: -edge, y: -edge },
    { x: width + edge, y: -edge },
    { x: width + edge, y: height + edge },
    { x: -edge, y: height + edge },
  ]
  for (const other of points) {
    if (other === point) continue
    const [dx, dy] = [other.x - point.x, other.y - point.y]
    const limit = (other.x ** 2 + other.y ** 2 - point.x ** 2 - point.y ** 2) / 2
    cell = clip(cell, ({ x, y }) => limit - dx * x - dy * y)
  }
  return cell
}

/** The part of a convex polygon where `side` is not negative. */
const clip = (polygon: ReadonlyArray<Point>, side: (point: Point) => number): ReadonlyArray<Point> => {
  const kept: Array<Point> = []
  for (const [index, point] of polygon.entries()) {
    const before = polygon[(index + polygon.length - 1) % polygon.length] ?? point
    const [from, to] = [side(before), side(point)]
    if (from >= 0 !== to >= 0) {
      const t = from / (from - to)
      kept.push({ x: before.x + (point.x - before.x) * t, y: before.y + (point.y - before.y) * t })
    }
    if (to >= 0) kept.push(point)
  }
  return kept
}

const middle = (polygon: ReadonlyArray<Point>): Point => ({
  x: polygon.reduce((sum, { x }) => sum + x, 0) / Math.max(1, polygon.length),
  y: polygon.reduce((sum, { y }) => sum + y, 0) / Math.max(1, polygon.length),
})

/** A convex polygon drawn in from every edge. */
const inset = (polygon: ReadonlyArray<Point>, by: number): ReadonlyArray<Point> => {
  let cell = polygon
  for (const [index, point] of polygon.entries()) {
    const next = polygon[(index + 1) % polygon.length] ?? point
    const length = Math.hypot(next.x - point.x, next.y - point.y)
    if (length < 0.01) continue
    const [nx, ny] = [-(next.y - point.y) / length, (next.x - point.x) / length]
    cell = clip(cell, ({ x, y }) => (x - point.x) * nx + (y - point.y) * ny - by)
  }
  return cell
}
