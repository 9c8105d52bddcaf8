import { type ImageModel, type ImageRequest, type PriceLine, usd } from "@atelier/core"
import * as Result from "effect/Result"
import * as Field from "./Fields.ts"
import { declareModel, type ModelFamily } from "./ModelFamily.ts"
import { pixelFields, pixelsOf, resolvePixels, type Tier, tierOf, tiers } from "./PixelSize.ts"

const promptCharsMax = 32_000
const imagesMax = 10
const referenceImagesMax = 16

const qualities = ["low", "medium", "high"] as const
type Quality = (typeof qualities)[number]

/** US dollars for each image, by the tier that holds its pixels. */
type Prices = { readonly [K in Tier]: { readonly [Q in Quality]: string } }

/** Published prices of this service; an operator's configuration replaces them. */
const gen2: Prices = {
  "1K": { low: "0.01", medium: "0.04", high: "0.16" },
  "2K": { low: "0.02", medium: "0.07", high: "0.24" },
  "4K": { low: "0.03", medium: "0.11", high: "0.36" },
}
const prices: { readonly [model: string]: Prices } = {
  "gen-image-2": gen2,
  "gen-image-2.5": {
    "1K": { low: "0.012", medium: "0.05", high: "0.18" },
    "2K": { low: "0.024", medium: "0.085", high: "0.27" },
    "4K": { low: "0.036", medium: "0.13", high: "0.4" },
  },
}
/** US dollars for each input image, once a request. */
const inputImageUsd = "0.005"

const fields = {
  ...pixelFields,
  /** `auto` leaves the choice to this service, which picks `medium`: the price must be known before the work. */
  quality: Field.choice(["auto", ...qualities], "auto"),
}

const genImage = (id: string, created: number, table: Prices): ImageModel =>
  declareModel({
    id,
    created,
    endpoints: ["/v1/images/tasks", "/v1/images/generations"],
    delivery: "archive",
    promptCharsMax,
    nMax: imagesMax,
    imagesMax: referenceImagesMax,
    masks: true,
    fields,
    resolve: (values) =>
      Result.succeed({
        ...resolvePixels(values),
        quality: values.quality === "auto" ? "medium" : values.quality,
        extra: {},
      }),
    pricing: {
      unit: "image",
      currency: "USD",
      table: [
        ...tiers.flatMap((resolution) =>
          qualities.map((quality) => ({ resolution, quality, usd: table[resolution][quality] })),
        ),
        { input_image: 1, usd: inputImageUsd },
      ],
    },
    tier: (request) => ({ resolution: tierOf(pixelsOf(request)), quality: request.quality }),
    price: (request) => priceOf(table, request),
  })

/** The image price goes by the pixels made, so that a size given in pixels costs what its tier costs. */
const priceOf = (table: Prices, request: ImageRequest): ReadonlyArray<PriceLine> => {
  const tier = tierOf(pixelsOf(request))
  const quality = qualities.find((each) => each === request.quality) ?? "medium"
  const image = {
    description: `image, ${tier}, ${quality}`,
    quantity: request.n,
    unitPriceUsd: usd(table[tier][quality]),
  }
  const inputs = request.images.length
  return inputs === 0
    ? [image]
    : [image, { description: "input image", quantity: inputs, unitPriceUsd: usd(inputImageUsd) }]
}

/** `gen-image-2` and `gen-image-2.5` (image-tasks 2.2). */
export const family: ModelFamily = {
  name: "gen-image",
  models: Object.entries(prices).map(([id, table]) => genImage(id, 1_767_225_600, table)),
  closed: [],
  make: (id) => genImage(id, 1_767_225_600, gen2),
}
