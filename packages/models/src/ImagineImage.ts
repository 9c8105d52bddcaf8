import { type ImageModel, type ImageRequest, type PriceLine, usd } from "@atelier/core"
import * as Result from "effect/Result"
import * as Field from "./Fields.ts"
import { declareModel, type ModelFamily } from "./ModelFamily.ts"

const promptCharsMax = 8_000
/** image-tasks 8. */
const imagesMax = 10
const referenceImagesMax = 3

/** contract, Images: the 13 presets. */
const ratios = [
  ...["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "1:2"],
  ...["19.5:9", "9:19.5", "20:9", "9:20"],
]
const resolutions = ["1K", "2K"] as const
const qualities = ["low", "medium"] as const

/** image-tasks 2.2: US dollars for each image. */
const prices = {
  "1K": { low: "0.033", medium: "0.0495" },
  "2K": { low: "0.0495", medium: "0.066" },
} as const
/** image-tasks 2.2: US dollars for each input image, once a request, whatever `n`. */
const inputImageUsd = "0.00825"

/** The first placeholder of a prompt that names none of the images. */
const strayPlaceholder = (prompt: string, count: number): string | undefined =>
  [...prompt.matchAll(/<IMAGE_(\d+)>/g)].find(([, index]) => Number(index) >= count)?.[0]

const placeholderRule = (count: number): string =>
  count === 0
    ? "must hold no <IMAGE_n> placeholder when there are no reference images"
    : `may hold <IMAGE_0> to <IMAGE_${count - 1}>, one for each reference image`

const price = (request: ImageRequest): ReadonlyArray<PriceLine> => {
  const resolution = request.resolution === "2K" ? "2K" : "1K"
  const quality = request.quality === "low" ? "low" : "medium"
  const image = {
    description: `image, ${resolution}, ${quality}`,
    quantity: request.n,
    unitPriceUsd: usd(prices[resolution][quality]),
  }
  const inputs = request.images.length
  return inputs === 0
    ? [image]
    : [image, { description: "input image", quantity: inputs, unitPriceUsd: usd(inputImageUsd) }]
}

const imagineImage = (id: string): ImageModel =>
  declareModel({
    id,
    created: 1_764_547_200,
    endpoints: ["/v1/images/tasks", "/v1/images/generations"],
    delivery: "archive",
    promptCharsMax,
    nMax: imagesMax,
    imagesMax: referenceImagesMax,
    fields: {
      size: Field.choice(["auto", ...ratios], "auto"),
      resolution: Field.choice(resolutions, "1K"),
      quality: Field.choice(qualities, "medium"),
    },
    resolve: ({ images, prompt, quality, resolution, size }) => {
      const stray = strayPlaceholder(prompt, images.length)
      return stray === undefined
        ? Result.succeed({ width: null, height: null, size, resolution, quality, extra: {} })
        : Field.invalid("prompt", placeholderRule(images.length), stray)
    },
    pricing: {
      unit: "image",
      currency: "USD",
      table: [
        ...resolutions.flatMap((resolution) =>
          qualities.map((quality) => ({ resolution, quality, usd: prices[resolution][quality] })),
        ),
        { input_image: 1, usd: inputImageUsd },
      ],
    },
    price,
  })

/** `imagine-image-2.0`: text to image, and editing with one to three reference images (image-tasks 2.2). */
export const family: ModelFamily = {
  name: "imagine-image",
  models: [imagineImage("imagine-image-2.0")],
  closed: [],
  make: imagineImage,
}
