import { across, type Canvas, curve, n, path, type Style, stroke, vertical } from "../Canvas.ts"
import { along, mix } from "../Colour.ts"
import { lerp } from "../Random.ts"
import { below, birds, clouds, sky, sun } from "./Sky.ts"

const layers = 11

/** A sun over a sea of layered waves, perhaps with a sail. */
export const sea: Style = (canvas) => {
  const { height, random, width } = canvas
  const horizon = height * random.between(0.4, 0.48)
  const light = { x: width * random.between(0.28, 0.72), y: horizon - height * random.between(0.02, 0.14) }
  const parts = [
    sky(canvas, horizon),
    clouds(canvas, height * 0.06, horizon * 0.75, 6),
    sun(canvas, light, Math.min(width, height) * 0.095),
    birds(canvas, { x: width * random.between(0.1, 0.6), y: horizon * 0.5 }),
  ]
  const boat = random.chance(0.9) ? random.whole(1, 3) : -1
  for (let layer = 0; layer < layers; layer++) {
    parts.push(wave(canvas, layer, horizon))
    if (layer === boat)
      parts.push(sail(canvas, width * random.between(0.12, 0.88), lineOf(layer, horizon, height)))
  }
  return parts.join("") + glitter(canvas, light.x, horizon)
}

const lineOf = (layer: number, horizon: number, height: number): number =>
  lerp(horizon, height * 1.02, (layer / layers) ** 1.55)

const wave = (canvas: Canvas, layer: number, horizon: number): string => {
  const { height, palette, random } = canvas
  const depth = layer / (layers - 1)
  const tall = lerp(1.5, 30, depth ** 1.2)
  const long = lerp(70, 300, depth)
  const [shift, swell] = [random.between(0, 6), random.between(0, 6)]
  const points = across(canvas, Math.round(lerp(60, 28, depth))).map((x) => ({
    x,
    y:
      lineOf(layer, horizon, height) -
      tall *
        (Math.sin(x / long + shift) * 0.6 +
          Math.sin(x / (long * 0.43) + swell) * 0.3 +
          random.noise(x / long, layer) * 0.5),
  }))
  const colour = along(
    [mix(palette.sky[2], palette.far, 0.6), palette.far, mix(palette.far, palette.near, 0.6), palette.near],
    depth,
  )
  const paint = vertical(canvas, [
    [0, mix(colour, palette.light, 0.2)],
    [lerp(0.1, 0.45, depth), colour],
  ])
  const line = curve(points)
  const foam =
    layer === 0
      ? ""
      : stroke(line, palette.light, lerp(0.8, 2.6, depth), ` opacity="${lerp(0.35, 0.2, depth).toFixed(2)}"`)
  return below(canvas, line, paint) + foam
}

const glitter = ({ height, palette, random }: Canvas, x: number, horizon: number): string =>
  Array.from({ length: 46 }, () => {
    const depth = random.next() ** 1.3
    const y = horizon + 4 + (height - horizon) * 0.6 * depth
    const half = lerp(4, 30, depth) * random.between(0.4, 1.2)
    const middle = x + random.between(-1, 1) * lerp(22, 120, depth)
    const data = `M${n(middle - half)} ${n(y)}H${n(middle + half)}`
    return stroke(
      data,
      palette.light,
      lerp(1.2, 3.4, depth),
      ` opacity="${(0.75 - 0.55 * depth).toFixed(2)}"`,
    )
  }).join("")

const sail = ({ palette }: Canvas, x: number, y: number): string => {
  const s = 46
  const hull = `M${n(x - s * 0.5)} ${n(y - 5)}H${n(x + s * 0.55)}L${n(x + s * 0.35)} ${n(y + 6)}H${n(x - s * 0.36)}Z`
  const main = `M${n(x)} ${n(y - s * 1.5)}Q${n(x + s * 0.5)} ${n(y - s * 0.6)} ${n(x + s * 0.45)} ${n(y - 9)}H${n(x)}Z`
  const jib = `M${n(x - 4)} ${n(y - s * 1.3)}Q${n(x - s * 0.3)} ${n(y - s * 0.5)} ${n(x - s * 0.45)} ${n(y - 9)}H${n(x - 4)}Z`
  const cloth = mix(palette.light, "#ffffff", 0.5)
  return path(main, cloth) + path(jib, mix(cloth, palette.far, 0.25)) + path(hull, palette.near)
}
