import { type Canvas, circle, n, type Point, path, radial, rect, stroke, vertical } from "../Canvas.ts"
import { luminance, mix } from "../Colour.ts"

/** A sky down to `horizon`, with stars where it is dark. */
export const sky = (canvas: Canvas, horizon: number): string => {
  const { height, palette, width } = canvas
  const [top, middle, low] = palette.sky
  const paint = vertical(canvas, [
    [0, top],
    [0.55, middle],
    [1, low],
  ])
  return (
    rect(-2, -2, width + 4, horizon + 4, paint) +
    rect(-2, horizon, width + 4, height - horizon + 4, low) +
    (luminance(top) < 0.03 ? stars(canvas, horizon * 0.8, 150) : "")
  )
}

/** Stars of several sizes down to `low`. */
export const stars = ({ palette, random, width }: Canvas, low: number, count: number): string =>
  Array.from({ length: count }, () => {
    const y = random.next() ** 1.4 * low
    const size = random.chance(0.08) ? random.between(2, 3) : random.between(0.6, 1.5)
    const opacity = (random.between(0.35, 1) * (1 - (y / low) * 0.7)).toFixed(2)
    return circle(random.between(0, width), y, size, palette.light, ` opacity="${opacity}"`)
  }).join("")

/** Sun or moon with its glow. */
export const sun = (canvas: Canvas, { x, y }: Point, radius: number): string => {
  const { palette } = canvas
  const glow = radial(canvas, [
    [0, palette.light, 0.75],
    [0.25, palette.light, 0.35],
    [0.6, palette.light, 0.1],
    [1, palette.light, 0],
  ])
  const disc = vertical(canvas, [
    [0, mix(palette.light, "#ffffff", 0.35)],
    [1, mix(palette.light, palette.sky[2], 0.25)],
  ])
  return circle(x, y, radius * 5, glow) + circle(x, y, radius, disc)
}

/** Long thin clouds. */
export const clouds = (
  { palette, random, width }: Canvas,
  from: number,
  to: number,
  count: number,
): string => {
  const colour = mix(palette.sky[2], "#ffffff", 0.35)
  return Array.from({ length: count }, () => {
    const [x, y, long] = [random.between(-60, width), random.between(from, to), random.between(120, 340)]
    return Array.from({ length: random.whole(2, 4) }, (_, row) => {
      const [part, thick] = [long * random.between(0.4, 1), random.between(4, 9)]
      return rect(
        x + random.between(-50, 50),
        y + row * 9,
        part,
        thick,
        colour,
        ` rx="${n(thick / 2)}" opacity="${random.between(0.18, 0.5).toFixed(2)}"`,
      )
    }).join("")
  }).join("")
}

/** A small flock. */
export const birds = ({ palette, random }: Canvas, { x, y }: Point): string =>
  Array.from({ length: random.whole(3, 7) }, (_, index) => {
    const [bx, by, wing] = [
      x + index * 17 + random.between(-8, 8),
      y + random.between(-22, 22),
      random.between(5, 9),
    ]
    const data =
      `M${n(bx - wing)} ${n(by - wing * 0.5)}Q${n(bx - wing * 0.4)} ${n(by - wing * 0.7)} ${n(bx)} ${n(by)}` +
      `Q${n(bx + wing * 0.4)} ${n(by - wing * 0.7)} ${n(bx + wing)} ${n(by - wing * 0.5)}`
    return stroke(data, palette.near, 1.8, ' opacity="0.7"')
  }).join("")

/** The ground below a skyline, in a paint. */
export const below = ({ height, width }: Canvas, skyline: string, paint: string): string =>
  path(`${skyline}L${n(width + 5)} ${n(height + 5)}L-5 ${n(height + 5)}Z`, paint)
