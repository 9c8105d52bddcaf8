import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ModelPrice } from "../domain/CatalogOverrides.ts"
import { type CoreError, refuse } from "../domain/CoreError.ts"
import { formatUsd, type PriceLine, parseUsd, type Usd, usd } from "../domain/Money.ts"
import type { ImageRequest } from "../domain/Task.ts"
import type { ImageModel } from "../ports/ImageModel.ts"
import { quote } from "./Access.ts"

type Table = Extract<ModelPrice, { readonly table: unknown }>

/** The model at the operator's price (contract, Catalog and plugins). */
export const withPrice = (model: ImageModel, price: ModelPrice | undefined): ImageModel => {
  if (price === undefined) return model
  if (typeof price === "string") return withTable(model, { table: [{ usd: price }] })
  return "table" in price ? withTable(model, price) : withFactor(model, decimal(price.factor))
}

const decimal = (amount: string | number): Usd => usd(String(amount))

const tierOf = ({ tier }: ImageModel, request: ImageRequest): Pick<ImageRequest, "resolution" | "quality"> =>
  tier === undefined ? request : tier(request)

/** The row that names the most of a request's tier and quality, and nothing else. */
const rowOf = (
  model: ImageModel,
  { table }: Table,
  request: ImageRequest,
): Table["table"][number] | undefined => {
  const { quality, resolution } = tierOf(model, request)
  const fitting = table.filter(
    (row) =>
      (row.resolution === undefined || row.resolution === resolution) &&
      (row.quality === undefined || row.quality === quality),
  )
  const named = (row: Table["table"][number]) => Object.keys(row).length
  return fitting.toSorted((one, other) => named(other) - named(one))[0]
}

const withTable = (model: ImageModel, price: Table): ImageModel => ({
  ...model,
  pricing: {
    unit: "image",
    currency: "USD",
    table: [
      ...price.table.map((row) => ({ ...row, usd: formatUsd(decimal(row.usd)) })),
      ...(price.input_image === undefined
        ? []
        : [{ input_image: 1, usd: formatUsd(decimal(price.input_image)) }]),
    ],
  },
  parse: (body) =>
    Effect.tap(model.parse(body), ({ request }) =>
      rowOf(model, price, request) === undefined ? Effect.fail(noPrice(model, request)) : Effect.void,
    ),
  price: (request) => linesOf(model, price, request),
})

const linesOf = (model: ImageModel, price: Table, request: ImageRequest): ReadonlyArray<PriceLine> => {
  const row = rowOf(model, price, request)
  if (row === undefined)
    throw new Error(`the price table of ${model.id} has no row for a request that was checked`)
  const columns = [row.resolution, row.quality].filter((column) => column !== undefined)
  const image = {
    description: ["image", ...columns].join(", "),
    quantity: request.n,
    unitPriceUsd: decimal(row.usd),
  }
  const inputs = request.images.length
  return price.input_image === undefined || inputs === 0
    ? [image]
    : [image, { description: "input image", quantity: inputs, unitPriceUsd: decimal(price.input_image) }]
}

const noPrice = (model: ImageModel, request: ImageRequest): CoreError => {
  const { quality, resolution } = tierOf(model, request)
  return refuse(
    "invalid_parameter",
    `${quote(model.id)} is not offered here with resolution ${resolution ?? "none"} and quality ${quality ?? "none"}.`,
    { param: resolution === null ? "quality" : "resolution" },
  )
}

const withFactor = (model: ImageModel, factor: Usd): ImageModel => {
  const times = (amount: Usd) => BigDecimal.multiply(amount, factor)
  const shown = (value: string | number) =>
    Option.match(parseUsd(String(value)), {
      onNone: () => value,
      onSome: (amount) => formatUsd(times(amount)),
    })
  return {
    ...model,
    pricing: {
      ...model.pricing,
      table: model.pricing.table.map((row) =>
        row["usd"] === undefined ? row : { ...row, usd: shown(row["usd"]) },
      ),
    },
    price: (request) =>
      model.price(request).map((line) => ({ ...line, unitPriceUsd: times(line.unitPriceUsd) })),
  }
}
