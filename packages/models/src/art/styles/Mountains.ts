import { across, type Canvas, lines, type Style, vertical } from "../Canvas.ts"
import { mix } from "../Colour.ts"
import { fractal, lerp } from "../Random.ts"
import { conifers } from "./Forest.ts"
import { below, birds, clouds, sky, sun } from "./Sky.ts"

const layers = 7

/** Ridge behind ridge, paler with distance, under sun or moon. */
export const mountains: Style = (canvas) => {
  const { height, palette, random, width } = canvas
  const light = { x: width * random.between(0.2, 0.8), y: height * random.between(0.2, 0.36) }
  const parts = [
    sky(canvas, height * 0.72),
    sun(canvas, light, Math.min(width, height) * random.between(0.055, 0.085)),
    clouds(canvas, height * 0.1, height * 0.42, 5),
  ]
  for (let layer = 0; layer < layers; layer++) parts.push(ridge(canvas, layer))
  parts.push(birds(canvas, { x: width * random.between(0.15, 0.7), y: height * 0.34 }))
  if (random.chance(0.6)) parts.push(conifers(canvas, height * 0.97, 0.075, palette.near, 34))
  return parts.join("")
}

const ridge = (canvas: Canvas, layer: number): string => {
  const { height, palette, random } = canvas
  const depth = layer / (layers - 1)
  const base = height * lerp(0.47, 0.93, depth ** 1.1)
  const tall = height * lerp(0.24, 0.1, depth)
  const wide = lerp(300, 420, depth)
  const offset = random.between(0, 100)
  const points = across(canvas, 130).map((x) => {
    const broad = fractal(random.noise, x / wide + offset, layer * 7.1, 2)
    const sharp = 1 - Math.abs(fractal(random.noise, x / (wide * 0.55) + offset, layer * 3.7 + 50, 5)) * 2.2
    return { x, y: base - tall * (broad * 0.9 + sharp * 0.55 - 0.25) }
  })
  const colour = mix(palette.far, palette.near, depth ** 1.15)
  const haze = mix(colour, palette.sky[2], lerp(0.62, 0.12, depth))
  const paint = vertical(canvas, [
    [0, colour],
    [lerp(0.5, 1, depth), haze],
  ])
  return below(canvas, lines(points), paint)
}
