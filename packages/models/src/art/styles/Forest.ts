import { across, type Canvas, curve, n, path, type Style, vertical } from "../Canvas.ts"
import { mix } from "../Colour.ts"
import { fractal, lerp } from "../Random.ts"
import { below, birds, sky, sun } from "./Sky.ts"

const layers = 6

/** Rows of conifers in mist. */
export const forest: Style = (canvas) => {
  const { height, random, width } = canvas
  const parts = [
    sky(canvas, height * 0.8),
    sun(canvas, { x: width * random.between(0.25, 0.75), y: height * random.between(0.2, 0.34) }, 62),
    birds(canvas, { x: width * random.between(0.2, 0.7), y: height * 0.2 }),
  ]
  for (let layer = 0; layer < layers; layer++) parts.push(row(canvas, layer))
  return parts.join("")
}

const row = (canvas: Canvas, layer: number): string => {
  const { height, palette, random } = canvas
  const depth = layer / (layers - 1)
  const base = height * lerp(0.46, 1.02, depth)
  const colour = mix(mix(palette.far, palette.sky[2], 0.25), palette.near, depth ** 1.2)
  const hill = across(canvas, 14).map((x) => ({
    x,
    y: base - height * 0.05 * fractal(random.noise, x / 330, layer * 9.2, 2) - height * 0.02,
  }))
  const paint = vertical(canvas, [
    [0, colour],
    [0.35, mix(colour, palette.sky[2], lerp(0.75, 0.1, depth))],
    [1, mix(colour, palette.sky[2], lerp(0.85, 0, depth))],
  ])
  return (
    conifers(canvas, base, lerp(0.08, 0.24, depth ** 1.3), colour, Math.round(lerp(64, 22, depth))) +
    below(canvas, curve(hill), paint)
  )
}

/** A row of conifers whose feet stand about `base`; `tall` is their height as a part of the canvas. */
export const conifers = (
  canvas: Canvas,
  base: number,
  tall: number,
  colour: string,
  count: number,
): string => {
  const { height, random, width } = canvas
  const trees = Array.from({ length: count }, (_, index) => {
    const x = ((index + random.between(-0.4, 0.4)) / (count - 1)) * width
    const clump = 0.75 + 0.5 * random.noise(x / 160, base)
    const size = Math.max(18, height * tall * clump * random.between(0.6, 1.1))
    return conifer(
      x,
      base + random.between(0, size * 0.12) + size * 0.1,
      size,
      random.between(0.3, 0.42),
      random.next,
    )
  })
  return path(trees.join(""), colour)
}

const conifer = (x: number, foot: number, tall: number, slim: number, next: () => number): string => {
  const tiers = 6
  const half = (tall * slim) / 2
  const sides = [-1, 1].map((side) =>
    Array.from({ length: tiers }, (_, tier) => {
      const reach = half * ((tier + 1) / tiers) * (0.8 + 0.4 * next())
      const y = foot - tall + (tall * 0.92 * (tier + 1)) / tiers
      return [
        `L${n(x + side * reach)} ${n(y)}`,
        tier === tiers - 1 ? "" : `L${n(x + side * reach * 0.45)} ${n(y - tall * 0.015)}`,
      ]
    }),
  )
  const [left = [], right = []] = sides
  const down = right.flat().join("")
  const up = left
    .map((pair) => [...pair].reverse())
    .reverse()
    .flat()
    .join("")
  return `M${n(x)} ${n(foot - tall)}${down}L${n(x + half * 0.12)} ${n(foot)}L${n(x - half * 0.12)} ${n(foot)}${up}Z`
}
