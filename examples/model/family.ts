import { type ImageRequest, usd } from "@atelier/core"
import { declareModel, Fields, type ModelFamily } from "@atelier/models"
import * as Result from "effect/Result"

const sizes = { small: 128, large: 256 } as const
const prices = { small: "0.001", large: "0.003" } as const

const sizeOf = (request: ImageRequest): keyof typeof sizes => (request.size === "large" ? "large" : "small")

/** The model `swatch-1`: one colour, square. Listing, validation and price come from this one declaration. */
export const family: ModelFamily = {
  models: [
    declareModel({
      id: "swatch-1",
      created: 1_767_225_600,
      endpoints: ["/v1/images/tasks", "/v1/images/generations"],
      delivery: "archive",
      promptCharsMax: 1_000,
      nMax: 4,
      imagesMax: 0,
      fields: { size: Fields.choice(["small", "large"], "small") },
      resolve: ({ size }) => {
        const edge = sizes[size]
        return Result.succeed({ width: edge, height: edge, size, resolution: null, quality: null, extra: {} })
      },
      pricing: {
        unit: "image",
        currency: "USD",
        table: [
          { size: "small", usd: prices.small },
          { size: "large", usd: prices.large },
        ],
      },
      price: (request) => [
        {
          description: `image, ${sizeOf(request)}`,
          quantity: request.n,
          unitPriceUsd: usd(prices[sizeOf(request)]),
        },
      ],
    }),
  ],
  closed: [],
}
