import {
  across,
  type Canvas,
  circle,
  curve,
  n,
  type Point,
  path,
  type Style,
  stroke,
  vertical,
} from "../Canvas.ts"
import { darker, mix } from "../Colour.ts"
import { lerp } from "../Random.ts"
import { below, sky, sun } from "./Sky.ts"

const flowers = 58

/** Flowers before hills. */
export const meadow: Style = (canvas) => {
  const { height, palette, random, width } = canvas
  const parts = [
    sky(canvas, height * 0.7),
    sun(canvas, { x: width * random.between(0.2, 0.8), y: height * 0.26 }, 82),
  ]
  for (let layer = 0; layer < 4; layer++) {
    const depth = layer / 3
    const colour = mix(mix(palette.far, palette.sky[2], 0.35), palette.near, depth * 0.85)
    const hill = across(canvas, 10).map((x) => ({
      x,
      y: height * lerp(0.56, 0.86, depth) - height * 0.09 * random.noise(x / 420 + layer * 5, layer),
    }))
    parts.push(
      below(
        canvas,
        curve(hill),
        vertical(canvas, [
          [0, colour],
          [1, mix(colour, palette.near, 0.35)],
        ]),
      ),
    )
  }
  for (let index = 0; index < flowers; index++) parts.push(flower(canvas, index / (flowers - 1)))
  return parts.join("")
}

/** One flower; `depth` 0 is far. */
const flower = (canvas: Canvas, depth: number): string => {
  const { height, palette, random, width } = canvas
  const size = lerp(18, 72, depth ** 1.5) * random.between(0.75, 1.2)
  const foot = { x: random.between(-0.02, 1.02) * width, y: height * lerp(0.9, 1.2, depth) }
  const head = {
    x: foot.x + random.between(-0.7, 0.7) * size,
    y: foot.y - height * lerp(0.15, 0.5, depth) * random.between(0.6, 1.05),
  }
  const bend = { x: foot.x + (head.x - foot.x) * 0.1, y: (foot.y + head.y) / 2 }
  const green = mix(palette.near, palette.accents[2], 0.3)
  const stem = stroke(
    `M${n(foot.x)} ${n(foot.y)}Q${n(bend.x)} ${n(bend.y)} ${n(head.x)} ${n(head.y)}`,
    green,
    size * 0.075,
  )
  const leaves = [-1, 1].map((side) => leaf(bend, side * size * random.between(0.5, 1), size)).join("")
  return stem + path(leaves, green) + bloom(canvas, head, size)
}

const leaf = ({ x, y }: Point, reach: number, size: number): string =>
  `M${n(x)} ${n(y)}Q${n(x + reach * 0.3)} ${n(y - size * 0.7)} ${n(x + reach)} ${n(y - size * 0.75)}` +
  `Q${n(x + reach * 0.8)} ${n(y - size * 0.1)} ${n(x)} ${n(y)}Z`

const bloom = ({ palette, random }: Canvas, { x, y }: Point, size: number): string => {
  const colour = mix(random.pick(palette.accents.slice(0, 4)), palette.light, random.between(0, 0.25))
  const petals = random.whole(5, 9)
  const turn = random.between(0, Math.PI)
  const ring = (count: number, reach: number, wide: number, paint: string): string =>
    path(
      Array.from({ length: count }, (_, index) =>
        petal(x, y, turn + (index / count) * Math.PI * 2, reach, wide),
      ).join(""),
      paint,
    )
  return (
    ring(petals, size * 0.62, (size * 2.1) / petals, darker(colour, 0.14)) +
    ring(petals, size * 0.5, (size * 1.6) / petals, colour) +
    circle(x, y, size * 0.16, mix(palette.light, palette.accents[1], 0.35)) +
    circle(x, y, size * 0.08, darker(colour, 0.35))
  )
}

const petal = (x: number, y: number, angle: number, reach: number, wide: number): string => {
  const at = (along: number, aside: number): string =>
    `${n(x + Math.cos(angle) * along - Math.sin(angle) * aside)} ${n(y + Math.sin(angle) * along + Math.cos(angle) * aside)}`
  return `M${at(0, 0)}C${at(reach * 0.35, wide)} ${at(reach, wide)} ${at(reach, 0)}C${at(reach, -wide)} ${at(reach * 0.35, -wide)} ${at(0, 0)}Z`
}
