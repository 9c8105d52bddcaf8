import { type ImageModel, type ImageRequest, type PriceLine, usd } from "@atelier/core"
import * as Result from "effect/Result"
import * as Field from "./Fields.ts"
import { declareModel, type FamilyPart, type ModelFamily } from "./ModelFamily.ts"
import { type Pixels, parsePixels, parseRatio, type Ratio } from "./PixelSize.ts"

const prompt_chars_max = 4_000
const images_max = 10
const reference_images_max = 10
/** Images given and made, together. */
const images_total_max = 15

const tiers = ["1K", "2K", "4K"] as const
type Tier = (typeof tiers)[number]
/** Pixel budget for each tier. */
const tier_pixels_max: { readonly [K in Tier]: number } = {
  "1K": 1024 * 1024,
  "2K": 2048 * 2048,
  "4K": 4096 * 4096,
}
/** Sizes given in pixels: at least these pixels, at most those of 4K, with edges and ratio within these. */
const pixels_min = 1280 * 720
const edge_min = 256
const edge_max = 8192
const ratio_max = 4
/** Sizes made from a ratio are multiples of this. */
const edge_step = 16
/** A size that has the exact ratio is taken if it fills this part of the budget. */
const exact_fill_min = 0.85

const qualities = ["standard", "fast"] as const

/** Published prices, US dollars for each image; a configuration replaces them. */
const prices: { readonly [model: string]: string } = {
  "dream-4.5": "0.045",
  "dream-4.0": "0.035",
  "alt-dream-3": "0.03",
}
/** Of a model that only a channel's configuration names. */
const named_model_usd = "0.045"

const isWithinRatio = (one: number, other: number): boolean =>
  one <= ratio_max * other && other <= ratio_max * one

const isSize = ({ height, width }: Pixels): boolean =>
  [width, height].every((edge) => edge >= edge_min && edge <= edge_max) &&
  isWithinRatio(width, height) &&
  width * height >= pixels_min &&
  width * height <= tier_pixels_max["4K"]

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/**
 * The largest size of a ratio within a tier, with edges in steps of 16: of the exact ratio if that fills the
 * tier well (16:9 at 2K is 2560x1440), else of the nearest one below.
 */
const sizeOf = ({ across, down }: Ratio, tier: Tier): Pixels => {
  const budget = tier_pixels_max[tier]
  const unit = divisor(across, down) / edge_step
  const [columns, rows] = [across / unit, down / unit]
  const times = Math.floor(Math.sqrt(budget / (columns * rows)))
  if (times * times * columns * rows >= exact_fill_min * budget) {
    return { width: times * columns, height: times * rows }
  }
  const step = (edge: number) => Math.max(edge_step, Math.floor(edge / edge_step) * edge_step)
  return {
    width: step(Math.sqrt((budget * across) / down)),
    height: step(Math.sqrt((budget * down) / across)),
  }
}

type Size = { readonly text: string } & (
  | { readonly kind: "auto" }
  | { readonly kind: "tier"; readonly tier: Tier }
  | { readonly kind: "ratio"; readonly ratio: Ratio }
  | { readonly kind: "pixels"; readonly pixels: Pixels }
)

const readSize = (text: string): Size | undefined => {
  if (text === "auto") return { text, kind: "auto" }
  const tier = tiers.find((each) => each === text)
  if (tier !== undefined) return { text, kind: "tier", tier }
  const ratio = parseRatio(text)
  if (ratio !== undefined) {
    return isWithinRatio(ratio.across, ratio.down) ? { text, kind: "ratio", ratio } : undefined
  }
  const pixels = parsePixels(text)
  return pixels !== undefined && isSize(pixels) ? { text, kind: "pixels", pixels } : undefined
}

const fields = {
  size: Field.formatted<Size>({
    spec: { type: "string" },
    preset: "auto",
    rule:
      `auto, a tier (${tiers.join(", ")}), a ratio WIDTH:HEIGHT up to ${ratio_max}:1, or WIDTHxHEIGHT in pixels ` +
      `with edges of ${edge_min} to ${edge_max}, up to ${ratio_max}:1, of ${pixels_min} to ` +
      `${tier_pixels_max["4K"]} pixels`,
    read: readSize,
  }),
  /** The tier of `auto` and of a ratio; a size that is a tier or in pixels stands for itself. */
  resolution: Field.choice(tiers, "2K"),
  quality: Field.choice(qualities, "standard"),
}

type Values = Field.Values<typeof fields> & { readonly n: number; readonly images: ReadonlyArray<string> }

const resolve = ({ images, n, quality, resolution, size }: Values): Field.Reading<FamilyPart> => {
  if (n + images.length > images_total_max) {
    const rule = `must be at most ${images_total_max - images.length} beside ${images.length} reference images`
    return Field.invalid("n", rule, n)
  }
  const tier = size.kind === "tier" ? size.tier : resolution
  const part = { size: size.text, resolution: tier, quality, extra: {} }
  switch (size.kind) {
    case "pixels":
      return Result.succeed({ ...part, ...size.pixels })
    case "ratio":
      return Result.succeed({ ...part, ...sizeOf(size.ratio, tier) })
    default:
      return Result.succeed({ ...part, width: null, height: null })
  }
}

const dream = (id: string): ImageModel => {
  const perImage = prices[id] ?? named_model_usd
  return declareModel({
    id,
    created: 1_767_225_600,
    endpoints: ["/v1/images/tasks", "/v1/images/generations"],
    delivery: "archive",
    deliveryFixed: true,
    synchronous: { b64Json: false },
    promptCharsMax: prompt_chars_max,
    nMax: images_max,
    imagesMax: reference_images_max,
    fields,
    resolve,
    pricing: { unit: "image", currency: "USD", table: [{ usd: perImage }] },
    price: ({ n }: ImageRequest): ReadonlyArray<PriceLine> => [
      { description: "image", quantity: n, unitPriceUsd: usd(perImage) },
    ],
  })
}

/**
 * `dream-*` and `alt-dream-*` (image-tasks 1.5, 4.3): archived always, and only by URL from the synchronous
 * endpoint. Some are listed; another name of the two families is live where a channel names it.
 */
export const family: ModelFamily = {
  models: Object.keys(prices).map(dream),
  closed: [],
  named: (id) => (/^(alt-)?dream-[a-z0-9][a-z0-9._-]{0,63}$/.test(id) ? dream(id) : undefined),
}
