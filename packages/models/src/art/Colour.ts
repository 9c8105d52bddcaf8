/** Colours are `#rrggbb`. Mixing happens in Oklab, where the way between two colours stays clean. */
type Triple = readonly [number, number, number]

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

const encoded = (channel: number): number =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055

const channelsOf = (colour: string): Triple => [
  linear(Number.parseInt(colour.slice(1, 3), 16) / 255),
  linear(Number.parseInt(colour.slice(3, 5), 16) / 255),
  linear(Number.parseInt(colour.slice(5, 7), 16) / 255),
]

const toOklab = (colour: string): Triple => {
  const [r, g, b] = channelsOf(colour)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

const fromOklab = ([lightness, a, b]: Triple): string => {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const hex = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((channel) => Math.round(Math.min(1, Math.max(0, encoded(Math.max(0, channel)))) * 255))
  return `#${hex.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`
}

/** The colour at `t` (0 to 1) on the way between two. */
export const mix = (from: string, to: string, t: number): string => {
  const [one, other] = [toOklab(from), toOklab(to)]
  const at = (index: 0 | 1 | 2) => one[index] + (other[index] - one[index]) * t
  return fromOklab([at(0), at(1), at(2)])
}

/** The colour at `t` (0 to 1) on the way through several. */
export const along = (colours: ReadonlyArray<string>, t: number): string => {
  const place = Math.min(0.9999, Math.max(0, t)) * (colours.length - 1)
  const index = Math.floor(place)
  return mix(colours[index] ?? "#000000", colours[index + 1] ?? "#000000", place - index)
}

export const lighter = (colour: string, t: number): string => mix(colour, "#ffffff", t)
export const darker = (colour: string, t: number): string => mix(colour, "#000000", t)

/** Relative luminance, 0 to 1. */
export const luminance = (colour: string): number => {
  const [r, g, b] = channelsOf(colour)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
