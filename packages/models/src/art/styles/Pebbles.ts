import { type Canvas, circle, n, type Point, rect, type Style, stroke } from "../Canvas.ts"
import { along, darker, luminance, mix } from "../Colour.ts"

const tries = 2400
const gap = 4

interface Disc extends Point {
  readonly radius: number
}

/** Discs of every size, packed, each with its own rings. */
export const pebbles: Style = (canvas) => {
  const { height, palette, random, width } = canvas
  const ground = random.chance(0.4) ? mix(palette.near, "#000000", 0.15) : palette.paper
  const discs: Array<Disc> = []
  for (let attempt = 0; attempt < tries && discs.length < 420; attempt++) {
    const at = { x: random.between(-20, width + 20), y: random.between(-20, height + 20) }
    const most = attempt < 40 ? random.between(90, 150) : attempt < 300 ? random.between(36, 70) : 30
    const free = discs.reduce(
      (room, disc) => Math.min(room, Math.hypot(disc.x - at.x, disc.y - at.y) - disc.radius - gap),
      most,
    )
    if (free >= 5) discs.push({ ...at, radius: free })
  }
  return (
    rect(-2, -2, width + 4, height + 4, ground) + discs.map((disc) => pebble(canvas, disc, ground)).join("")
  )
}

const pebble = ({ palette, random, width }: Canvas, { radius, x, y }: Disc, ground: string): string => {
  const usable = palette.accents.filter((colour) => Math.abs(luminance(colour) - luminance(ground)) > 0.04)
  const colour = random.chance(0.5)
    ? random.pick(usable)
    : along([palette.accents[0], palette.accents[1], palette.accents[3]], x / width)
  const parts = [circle(x, y, radius, colour)]
  const kind = random.next()
  if (radius > 18 && kind < 0.4) {
    const rings = Math.min(6, Math.floor(radius / 11))
    const second = random.pick(palette.accents.filter((each) => each !== colour))
    for (let ring = 1; ring < rings; ring++)
      parts.push(circle(x, y, radius * (1 - ring / rings), ring % 2 === 1 ? second : colour))
  } else if (radius > 18 && kind < 0.6) {
    const turn = n(random.between(0, 360))
    const half = `M${n(x - radius)} ${n(y)}A${n(radius)} ${n(radius)} 0 0 1 ${n(x + radius)} ${n(y)}Z`
    parts.push(
      `<path d="${half}" fill="${darker(colour, 0.22)}" transform="rotate(${turn} ${n(x)} ${n(y)})"/>`,
    )
  } else if (radius > 12 && kind < 0.8) {
    parts.push(
      stroke(
        `M${n(x - radius * 0.62)} ${n(y)}a${n(radius * 0.62)} ${n(radius * 0.62)} 0 1 1 ${n(radius * 1.24)} 0a${n(radius * 0.62)} ${n(radius * 0.62)} 0 1 1 ${n(-radius * 1.24)} 0Z`,
        ground,
        Math.max(1.5, radius * 0.08),
      ),
    )
  }
  return parts.join("")
}
