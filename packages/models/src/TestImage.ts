import { usd } from "@atelier/core"
import * as Result from "effect/Result"
import { declareModel, type ModelFamily } from "./ModelFamily.ts"
import { pixelFields, resolvePixels } from "./PixelSize.ts"

const promptCharsMax = 4_000
const imagesMax = 10
const referenceImagesMax = 16

/** `test-image`: the test vendor's own model, free, with the sizes of `gen-image-*` (contract, Running it). */
export const family: ModelFamily = {
  models: [
    declareModel({
      id: "test-image",
      created: 1_767_225_600,
      endpoints: ["/v1/images/tasks", "/v1/images/generations"],
      delivery: "archive",
      promptCharsMax,
      nMax: imagesMax,
      imagesMax: referenceImagesMax,
      masks: true,
      fields: pixelFields,
      resolve: (values) => Result.succeed({ ...resolvePixels(values), quality: null, extra: {} }),
      pricing: { unit: "image", currency: "USD", table: [{ usd: "0" }] },
      price: ({ n }) => [{ description: "test image", quantity: n, unitPriceUsd: usd("0") }],
    }),
  ],
  closed: [],
}
