import { across, type Canvas, curve, n, path, type Style, vertical } from "../Canvas.ts"
import { along, mix } from "../Colour.ts"
import { lerp } from "../Random.ts"
import { birds, sky, sun } from "./Sky.ts"

const layers = 8

/** Smooth bands of land or light under a large sun. */
export const dunes: Style = (canvas) => {
  const { height, random, width } = canvas
  const light = { x: width * random.between(0.25, 0.75), y: height * random.between(0.3, 0.42) }
  const parts = [
    sky(canvas, height * 0.7),
    sun(canvas, light, Math.min(width, height) * random.between(0.12, 0.17)),
  ]
  parts.push(birds(canvas, { x: width * random.between(0.2, 0.7), y: height * 0.2 }))
  for (let layer = 0; layer < layers; layer++) parts.push(dune(canvas, layer))
  return parts.join("")
}

const dune = (canvas: Canvas, layer: number): string => {
  const { height, palette, random, width } = canvas
  const depth = layer / (layers - 1)
  const base = height * lerp(0.46, 0.96, depth)
  const tall = height * lerp(0.05, 0.1, depth)
  const shift = random.between(0, 50)
  const crest = across(canvas, 9).map((x) => ({
    x,
    y: base - tall * 1.5 * random.noise(x / lerp(300, 460, depth) + shift, layer * 4.4),
  }))
  const shade = crest.map(({ x, y }, index) => ({
    x,
    y: y + tall * (0.55 + 0.75 * Math.abs(Math.sin(index * 1.3 + layer * 2 + shift))),
  }))
  const colour = along(
    [mix(palette.far, palette.sky[2], 0.5), palette.far, mix(palette.far, palette.near, 0.55), palette.near],
    depth,
  )
  const lit = vertical(canvas, [
    [0, mix(colour, palette.light, lerp(0.35, 0.16, depth))],
    [1, colour],
  ])
  const dark = vertical(canvas, [
    [0, mix(colour, palette.near, 0.3)],
    [0.6, mix(colour, palette.near, 0.1)],
  ])
  const ground = `L${n(width + 5)} ${n(height + 5)}L-5 ${n(height + 5)}Z`
  return path(curve(crest) + ground, lit) + path(curve(shade) + ground, dark)
}
