import { circle, rect, type Style } from "../Canvas.ts"
import { along, lighter } from "../Colour.ts"

/** Rows of concentric discs that overlap like scales. */
export const scallops: Style = (canvas) => {
  const { height, palette, random, width } = canvas
  const radius = random.between(62, 96)
  const rings = random.whole(4, 6)
  const ramp = random.chance(0.5)
    ? [...palette.sky, palette.accents[0]]
    : [palette.accents[3], palette.accents[0], palette.accents[1], palette.paper]
  const parts = [rect(-2, -2, width + 4, height + 4, palette.paper)]
  const rows = Math.ceil(height / (radius * 0.5)) + 2
  for (let row = 0; row < rows; row++) {
    const y = row * radius * 0.5
    for (let x = row % 2 === 0 ? 0 : radius; x < width + radius * 2; x += radius * 2) {
      const place = y / height + random.noise(x / 420, y / 420) * 0.5
      const base = random.chance(0.07) ? random.pick(palette.accents) : along(ramp, place)
      for (let ring = 0; ring < rings; ring++) {
        const colour = ring % 2 === 1 ? palette.paper : ring === 0 ? base : lighter(base, ring * 0.07)
        parts.push(circle(x, y, radius * (1 - ring / rings), colour))
      }
    }
  }
  return parts.join("")
}
