import { type Canvas, circle, n, type Point, path, radial, rect, type Style, stroke } from "../Canvas.ts"
import { darker, lighter, mix } from "../Colour.ts"
import { stars } from "./Sky.ts"

/** A planet with its ring, and worlds on their ways around it. */
export const orbits: Style = (canvas) => {
  const { height, palette, random, width } = canvas
  const deep = mix(palette.near, "#050816", 0.55)
  const ground = radial(
    canvas,
    [
      [0, mix(deep, palette.sky[1], 0.55)],
      [1, deep],
    ],
    [0.5, 0.45],
  )
  const centre = { x: width * random.between(0.38, 0.62), y: height * random.between(0.4, 0.52) }
  const radius = Math.min(width, height) * random.between(0.15, 0.19)
  const parts = [rect(-2, -2, width + 4, height + 4, deep), rect(-2, -2, width + 4, height + 4, ground)]
  parts.push(nebula(canvas), stars(canvas, height * 1.4, 260))
  const tilt = random.between(-28, 28)
  const tracks = Array.from({ length: 5 }, (_, index) => radius * (1.75 + index * random.between(0.52, 0.66)))
  const flat = random.between(0.26, 0.36)
  parts.push(`<g transform="translate(${n(centre.x)} ${n(centre.y)}) rotate(${n(tilt)})">`)
  parts.push(...tracks.map((track) => half(track, flat, true, mix(palette.light, deep, 0.5), 1.3)))
  parts.push(half(radius * 1.45, flat, true, palette.accents[1], radius * 0.13))
  parts.push(planet(canvas, { x: 0, y: 0 }, radius, palette.accents[0]))
  parts.push(half(radius * 1.45, flat, false, palette.accents[1], radius * 0.13))
  parts.push(...tracks.map((track) => half(track, flat, false, mix(palette.light, deep, 0.5), 1.3)))
  for (const track of tracks) {
    const angle = random.between(0, Math.PI * 2)
    const at = { x: Math.cos(angle) * track, y: Math.sin(angle) * track * flat }
    parts.push(planet(canvas, at, radius * random.between(0.07, 0.19), random.pick(palette.accents)))
  }
  return `${parts.join("")}</g>`
}

/** The far (upper) or near half of an ellipse. */
const half = (radius: number, flat: number, far: boolean, paint: string, width: number): string =>
  stroke(
    `M${n(-radius)} 0A${n(radius)} ${n(radius * flat)} 0 0 ${far ? 1 : 0} ${n(radius)} 0`,
    paint,
    width,
    ` opacity="${far ? 0.5 : 0.85}"`,
  )

const planet = (canvas: Canvas, { x, y }: Point, radius: number, colour: string): string => {
  const shade = radial(
    canvas,
    [
      [0, lighter(colour, 0.45)],
      [0.5, colour],
      [1, darker(colour, 0.62)],
    ],
    [0.36, 0.32],
  )
  const glow = radial(canvas, [
    [0.55, colour, 0.45],
    [1, colour, 0],
  ])
  return (
    circle(x, y, radius * 1.5, glow) + circle(x, y, radius, shade) + bands(canvas, { x, y }, radius, colour)
  )
}

/** Bands of weather: chords of the disc. */
const bands = ({ random }: Canvas, { x, y }: Point, radius: number, colour: string): string =>
  radius < 40
    ? ""
    : Array.from({ length: 6 }, () => {
        const [from, tall] = [random.between(-0.8, 0.7), random.between(0.04, 0.12)]
        const edge = (at: number) => Math.sqrt(Math.max(0, 1 - at * at)) * radius * 0.995
        const [upper, lower] = [edge(from), edge(from + tall)]
        const data =
          `M${n(x - upper)} ${n(y + from * radius)}Q${n(x)} ${n(y + (from + 0.09) * radius)} ${n(x + upper)} ${n(y + from * radius)}` +
          `L${n(x + lower)} ${n(y + (from + tall) * radius)}Q${n(x)} ${n(y + (from + tall + 0.09) * radius)} ${n(x - lower)} ${n(y + (from + tall) * radius)}Z`
        return path(data, random.chance(0.5) ? lighter(colour, 0.4) : darker(colour, 0.4), ' opacity="0.28"')
      }).join("")

const nebula = (canvas: Canvas): string => {
  const { height, palette, random, width } = canvas
  return Array.from({ length: 5 }, () => {
    const colour = random.pick([palette.sky[1], palette.sky[2], palette.accents[0], palette.accents[3]])
    const paint = radial(canvas, [
      [0, colour, 0.3],
      [0.5, colour, 0.1],
      [1, colour, 0],
    ])
    return circle(random.between(0, width), random.between(0, height), random.between(200, 460), paint)
  }).join("")
}
