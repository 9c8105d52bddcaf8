import * as Field from "./Fields.ts"

/** A size in pixels. */
export interface Pixels {
  readonly width: number
  readonly height: number
}

/** A proportion of whole numbers. */
export interface Ratio {
  readonly across: number
  readonly down: number
}

export type Tier = "1K" | "2K" | "4K"
export const tiers: ReadonlyArray<Tier> = ["1K", "2K", "4K"]

/** contract, Images: pixel budget for each tier. */
export const tierPixelsMax: { readonly [K in Tier]: number } = {
  "1K": 1_048_576,
  "2K": 4_194_304,
  "4K": 8_294_400,
}
/** contract, Images: both edges are multiples of this. */
const edgeStep = 16
/** contract, Images: longest edge. */
const edgeMax = 3840
/** contract, Images: widest ratio, to one. */
const ratioMax = 3

/** Reads `16:9` or `19.5:9`; undefined for anything else, zero sides included. */
export const parseRatio = (text: string): Ratio | undefined => {
  const match = /^(\d{1,5}(?:\.\d{1,3})?):(\d{1,5}(?:\.\d{1,3})?)$/.exec(text)
  if (match === null) return undefined
  const [across, down] = [Math.round(Number(match[1]) * 1000), Math.round(Number(match[2]) * 1000)]
  return across > 0 && down > 0 ? { across, down } : undefined
}

/** Reads `1024x1536`; undefined for anything else. */
export const parsePixels = (text: string): Pixels | undefined => {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(text)
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) }
}

const isWithinRatio = (one: number, other: number): boolean =>
  one <= ratioMax * other && other <= ratioMax * one

/** True for a size that the `gen-image-*` channels take, at any tier (contract, Images). */
export const isChannelSize = ({ height, width }: Pixels): boolean =>
  [width, height].every((edge) => edge >= edgeStep && edge <= edgeMax && edge % edgeStep === 0) &&
  isWithinRatio(width, height) &&
  width * height <= tierPixelsMax["4K"]

/** The smallest tier whose budget holds the size. */
export const tierOf = ({ height, width }: Pixels): Tier =>
  tiers.find((tier) => width * height <= tierPixelsMax[tier]) ?? "4K"

/**
 * The largest size of a ratio within a tier: its long edge is any multiple of 16, its short edge the multiple
 * of 16 nearest to what the ratio asks of it (contract, Images). The ratio must not be wider than 3:1.
 */
export const largestSize = ({ across, down }: Ratio, tier: Tier): Pixels => {
  const [long, short] = across >= down ? [across, down] : [down, across]
  for (let edge = edgeMax; edge > edgeStep; edge -= edgeStep) {
    const wanted = (edge * short) / long / edgeStep
    // Of two that are equally near, the larger comes first.
    for (const other of wanted % 1 === 0.5 ? [Math.ceil(wanted), Math.floor(wanted)] : [Math.round(wanted)]) {
      const size = { width: edge, height: other * edgeStep }
      if (!isChannelSize(size) || size.width * size.height > tierPixelsMax[tier]) continue
      return across >= down ? size : { width: size.height, height: size.width }
    }
  }
  return { width: edgeStep, height: edgeStep }
}

type Size = { readonly text: string } & (
  | { readonly ratio: Ratio; readonly pixels?: undefined }
  | { readonly pixels: Pixels; readonly ratio?: undefined }
)

const readSize = (text: string): Size | undefined => {
  if (text === "auto") return { text, ratio: { across: 1, down: 1 } }
  const ratio = parseRatio(text)
  if (ratio !== undefined) return isWithinRatio(ratio.across, ratio.down) ? { text, ratio } : undefined
  const pixels = parsePixels(text)
  return pixels !== undefined && isChannelSize(pixels) ? { text, pixels } : undefined
}

/** `size` and `resolution` of models that work in pixels (image-tasks 2.2, `gen-image-2`). */
export const pixelFields = {
  size: Field.formatted<Size>({
    spec: { type: "string" },
    preset: "auto",
    rule:
      `auto (square), a ratio WIDTH:HEIGHT up to ${ratioMax}:1, or WIDTHxHEIGHT in pixels with both edges ` +
      `multiples of ${edgeStep} up to ${edgeMax}, up to ${ratioMax}:1 and ${tierPixelsMax["4K"]} pixels`,
    read: readSize,
  }),
  resolution: Field.choice<Tier>(tiers, "1K"),
}

/** The pixels that size and resolution ask for. Pixels given stand as they are, whatever the resolution. */
export const resolvePixels = ({
  resolution,
  size,
}: Field.Values<typeof pixelFields>): Pixels & { readonly size: string; readonly resolution: Tier } => ({
  ...(size.pixels ?? largestSize(size.ratio, resolution)),
  size: size.text,
  resolution,
})

/** The pixels of a request to a model that takes ratios and tiers only; square where no ratio is given. */
export const pixelsOf = (request: {
  readonly width: number | null
  readonly height: number | null
  readonly size: string | null
  readonly resolution: string | null
}): Pixels => {
  if (request.width !== null && request.height !== null) {
    return { width: request.width, height: request.height }
  }
  const ratio = parseRatio(request.size ?? "")
  const tier = tiers.find((each) => each === request.resolution) ?? "1K"
  const fits = ratio !== undefined && isWithinRatio(ratio.across, ratio.down)
  return largestSize(fits ? ratio : { across: 1, down: 1 }, tier)
}
