import { type Canvas, n, path, type Style, vertical } from "../Canvas.ts"
import { mix } from "../Colour.ts"
import { lerp } from "../Random.ts"
import { clouds, sky, sun } from "./Sky.ts"

const layers = 4

/** A skyline with lit windows, in three distances, over water or street. */
export const city: Style = (canvas) => {
  const { height, random, width } = canvas
  const parts = [
    sky(canvas, height * 0.86),
    sun(canvas, { x: width * random.between(0.2, 0.8), y: height * random.between(0.22, 0.4) }, 88),
    clouds(canvas, height * 0.08, height * 0.4, 4),
  ]
  for (let layer = 0; layer < layers; layer++) parts.push(block(canvas, layer))
  return parts.join("")
}

const block = (canvas: Canvas, layer: number): string => {
  const { height, palette, random, width } = canvas
  const depth = layer / (layers - 1)
  const colour = mix(mix(palette.far, palette.sky[2], 0.3), palette.near, depth ** 1.1)
  const houses: Array<string> = []
  const windows: Array<string> = []
  for (let x = -20; x < width + 20; ) {
    const wide = lerp(34, 84, depth) * random.between(0.7, 1.4)
    const centre = 1 - Math.abs((x + wide / 2) / width - 0.5) * 1.1
    const tall = height * lerp(0.5, 0.27, depth) * centre * random.between(0.45, 1.15)
    const top = height * lerp(0.86, 1, depth) - tall
    houses.push(house(canvas, x, top, wide))
    if (layer > 0) windows.push(...lights(canvas, { x, top, wide }, lerp(7, 11, depth)))
    x += wide + (random.chance(0.25) ? random.between(0, 10) : -0.5)
  }
  const paint = vertical(canvas, [
    [0, colour],
    [1, mix(colour, palette.sky[2], lerp(0.55, 0.08, depth))],
  ])
  return (
    path(houses.join(""), paint) +
    path(windows.join(""), palette.light, ` opacity="${lerp(0.35, 0.85, depth).toFixed(2)}"`)
  )
}

/** One house with a roof of its own kind. */
const house = ({ height, random }: Canvas, x: number, top: number, wide: number): string => {
  const body = `M${n(x)} ${n(top)}H${n(x + wide)}V${n(height + 5)}H${n(x)}Z`
  const kind = random.next()
  const step = wide * 0.22
  if (kind < 0.25)
    return `${body}M${n(x + step)} ${n(top - step)}H${n(x + wide - step)}V${n(top)}H${n(x + step)}Z`
  if (kind < 0.4)
    return `${body}M${n(x)} ${n(top)}L${n(x + wide / 2)} ${n(top - wide * 0.5)}L${n(x + wide)} ${n(top)}Z`
  if (kind < 0.55) {
    const mast = x + wide * 0.5
    return `${body}M${n(mast - 1.5)} ${n(top - wide * 0.9)}H${n(mast + 1.5)}V${n(top)}H${n(mast - 1.5)}Z`
  }
  if (kind < 0.65) return `${body}M${n(x)} ${n(top)}L${n(x + wide)} ${n(top - wide * 0.45)}V${n(top)}Z`
  return body
}

const lights = (
  { height, random }: Canvas,
  { top, wide, x }: { readonly x: number; readonly top: number; readonly wide: number },
  pitch: number,
): ReadonlyArray<string> => {
  const lit: Array<string> = []
  const share = random.between(0.12, 0.5)
  const columns = Math.floor((wide - pitch) / pitch)
  for (let row = 0; row < 34 && top + pitch * (row + 1.5) * 1.25 < height; row++) {
    for (let column = 0; column < columns; column++) {
      if (!random.chance(share)) continue
      const left = x + (wide - columns * pitch) / 2 + column * pitch + pitch * 0.22
      lit.push(
        `M${n(left)} ${n(top + pitch * (0.9 + row * 1.25))}h${n(pitch * 0.5)}v${n(pitch * 0.68)}h${n(-pitch * 0.5)}Z`,
      )
    }
  }
  return lit
}
