import { type ImageModel, type ImageRequest, type PriceLine, usd } from "@atelier/core"
import * as Result from "effect/Result"
import * as Field from "./Fields.ts"
import { declareModel, type FamilyPart, type ModelFamily } from "./ModelFamily.ts"
import { type Pixels, parsePixels, parseRatio, type Ratio } from "./PixelSize.ts"

const promptCharsMax = 4_000
const imagesMax = 10
const referenceImagesMax = 10
/** Images given and made, together. */
const imagesTotalMax = 15

const tiers = ["1K", "2K", "4K"] as const
type Tier = (typeof tiers)[number]
/** Pixel budget for each tier. */
const tierPixelsMax: { readonly [K in Tier]: number } = {
  "1K": 1024 * 1024,
  "2K": 2048 * 2048,
  "4K": 4096 * 4096,
}
/** Sizes given in pixels: at least these pixels, at most those of 4K, with edges and ratio within these. */
const pixelsMin = 1280 * 720
const edgeMin = 256
const edgeMax = 8192
const ratioMax = 4
/** Sizes made from a ratio are multiples of this. */
const edgeStep = 16
/** A size that has the exact ratio is taken if it fills this part of the budget. */
const exactFillMin = 0.85

const qualities = ["standard", "fast"] as const

/** Published prices, US dollars for each image; a configuration replaces them. */
const prices: { readonly [model: string]: string } = {
  "dream-4.5": "0.045",
  "dream-4.0": "0.035",
  "alt-dream-3": "0.03",
}
/** Of a model that only a channel's configuration names. */
const namedModelUsd = "0.045"

const isWithinRatio = (one: number, other: number): boolean =>
  one <= ratioMax * other && other <= ratioMax * one

const isSize = ({ height, width }: Pixels): boolean =>
  [width, height].every((edge) => edge >= edgeMin && edge <= edgeMax) &&
  isWithinRatio(width, height) &&
  width * height >= pixelsMin &&
  width * height <= tierPixelsMax["4K"]

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/**
 * The largest size of a ratio within a tier, with edges in steps of 16: of the exact ratio if that fills the
 * tier well (16:9 at 2K is 2560x1440), else of the nearest one below.
 */
const sizeOf = ({ across, down }: Ratio, tier: Tier): Pixels => {
  const budget = tierPixelsMax[tier]
  const unit = divisor(across, down) / edgeStep
  const [columns, rows] = [across / unit, down / unit]
  const times = Math.floor(Math.sqrt(budget / (columns * rows)))
  if (times * times * columns * rows >= exactFillMin * budget) {
    return { width: times * columns, height: times * rows }
  }
  const step = (edge: number) => Math.max(edgeStep, Math.floor(edge / edgeStep) * edgeStep)
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
      `auto, a tier (${tiers.join(", ")}), a ratio WIDTH:HEIGHT up to ${ratioMax}:1, or WIDTHxHEIGHT in pixels ` +
      `with edges of ${edgeMin} to ${edgeMax}, up to ${ratioMax}:1, of ${pixelsMin} to ` +
      `${tierPixelsMax["4K"]} pixels`,
    read: readSize,
  }),
  /** The tier of `auto` and of a ratio; a size that is a tier or in pixels stands for itself. */
  resolution: Field.choice(tiers, "2K"),
  quality: Field.choice(qualities, "standard"),
}

type Values = Field.Values<typeof fields> & { readonly n: number; readonly images: ReadonlyArray<string> }

const resolve = ({ images, n, quality, resolution, size }: Values): Field.Reading<FamilyPart> => {
  if (n + images.length > imagesTotalMax) {
    const rule = `must be at most ${imagesTotalMax - images.length} beside ${images.length} reference images`
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
  const perImage = prices[id] ?? namedModelUsd
  return declareModel({
    id,
    created: 1_767_225_600,
    endpoints: ["/v1/images/tasks", "/v1/images/generations"],
    delivery: "archive",
    deliveryFixed: true,
    synchronous: { b64Json: false },
    promptCharsMax,
    nMax: imagesMax,
    imagesMax: referenceImagesMax,
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
  name: "dream",
  models: Object.keys(prices).map(dream),
  closed: [],
  named: (id) => (/^(alt-)?dream-[a-z0-9][a-z0-9._-]{0,63}$/.test(id) ? dream(id) : undefined),
  make: dream,
}
