import { curve, type Point, rect, type Style, stroke } from "../Canvas.ts"
import { mix } from "../Colour.ts"

const tries = 2600
const step = 12
const stepsMax = 46
const cell = 4

/** Ribbons that follow one flow and never cross. */
export const ribbons: Style = (canvas) => {
  const { height, palette, random, width } = canvas
  const dark = random.chance(0.35)
  const ground = dark ? palette.near : palette.paper
  const taken = grid(width, height)
  const spin = random.between(0, Math.PI * 2)
  const bend = random.between(0.9, 1.7)
  const angleAt = ({ x, y }: Point): number => spin + random.noise(x / 520, y / 520) * Math.PI * bend
  const parts = [rect(-2, -2, width + 4, height + 4, ground)]
  const colours = [...palette.accents, mix(palette.sky[1], palette.sky[2], 0.5)].filter(
    (colour) => colour !== ground,
  )
  for (let attempt = 0; attempt < tries; attempt++) {
    const thick =
      attempt < 300
        ? random.pick([36, 28, 20])
        : attempt < 1200
          ? random.pick([12, 9])
          : random.pick([6, 4, 4])
    const start = { x: random.between(-40, width + 40), y: random.between(-40, height + 40) }
    const points = follow(start, angleAt, (point) => taken.isFree(point, thick))
    if (points.length < 4) continue
    for (const point of points) taken.take(point, thick)
    parts.push(stroke(curve(points), random.pick(colours), thick))
    if (thick > 16 && random.chance(0.35))
      parts.push(stroke(curve(points), ground, 2.2, ' stroke-dasharray="1 11"'))
  }
  return parts.join("")
}

const follow = (
  start: Point,
  angleAt: (point: Point) => number,
  isFree: (point: Point) => boolean,
): ReadonlyArray<Point> => {
  const points: Array<Point> = []
  let at = start
  for (let count = 0; count < stepsMax && isFree(at); count++) {
    points.push(at)
    const angle = angleAt(at)
    at = { x: at.x + Math.cos(angle) * step, y: at.y + Math.sin(angle) * step }
  }
  return points
}

/** Which cells of the canvas, and of a margin around it, are covered. */
const grid = (width: number, height: number) => {
  const margin = 60
  const columns = Math.ceil((width + margin * 2) / cell)
  const rows = Math.ceil((height + margin * 2) / cell)
  const covered = new Uint8Array(columns * rows)
  const column = (x: number): number => Math.floor((x + margin) / cell)
  const row = (y: number): number => Math.floor((y + margin) / cell)
  const around = (radius: number) =>
    Array.from({ length: 12 }, (_, index) => {
      const angle = (index / 12) * Math.PI * 2
      return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius }
    })
  const isCovered = (x: number, y: number): boolean => {
    const [c, r] = [column(x), row(y)]
    return c < 0 || r < 0 || c >= columns || r >= rows || covered[r * columns + c] === 1
  }
  return {
    isFree: ({ x, y }: Point, thick: number): boolean =>
      !isCovered(x, y) && around(thick / 2 + 3.5).every((to) => !isCovered(x + to.x, y + to.y)),
    take: ({ x, y }: Point, thick: number): void => {
      const reach = Math.ceil((thick / 2 + 1) / cell)
      for (let dr = -reach; dr <= reach; dr++) {
        for (let dc = -reach; dc <= reach; dc++) {
          const [c, r] = [column(x) + dc, row(y) + dr]
          if (c >= 0 && r >= 0 && c < columns && r < rows && dc * dc + dr * dr <= reach * reach)
            covered[r * columns + c] = 1
        }
      }
    },
  }
}
