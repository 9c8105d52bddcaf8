import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

const DecimalUsd = Schema.String.check(
  Schema.isPattern(/^\d{1,12}(\.\d{1,12})?$/, { expected: 'a decimal string such as "0.05"' }),
)

/** What an operator may change about a tool, by configuration or at run time (contract, Running it). */
export const ToolOverride = Schema.Struct({
  published: Schema.optionalKey(Schema.Boolean),
  /** Exact decimal, US dollars for each document. */
  unit_price: Schema.optionalKey(DecimalUsd),
  /** Lowers the tool's own limit; a higher value has no effect. */
  max_file_bytes: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
})
export type ToolOverride = typeof ToolOverride.Type

/** An exact decimal, as a string, or as a JSON number that is written without an exponent. */
const DecimalAmount = Schema.Union([
  DecimalUsd,
  Schema.Finite.check(
    Schema.makeFilter((amount) => /^\d{1,12}(\.\d{1,12})?$/.test(String(amount)), {
      expected: "a non-negative decimal amount",
    }),
  ),
])

/** A row for the requests of one tier and quality; without them, for all others (contract, Catalog and plugins). */
const PriceRow = Schema.Struct({
  resolution: Schema.optionalKey(Schema.String),
  quality: Schema.optionalKey(Schema.String),
  /** US dollars for each image. */
  usd: DecimalAmount,
})

/** US dollars: for each image; by a table of its own; or as a factor on the model's own prices. */
export const ModelPrice = Schema.Union([
  DecimalUsd,
  Schema.Struct({
    table: Schema.Array(PriceRow).check(Schema.isMinLength(1), Schema.isMaxLength(100)),
    /** For each reference image, once a request; absent: they cost nothing. */
    input_image: Schema.optionalKey(DecimalAmount),
  }),
  Schema.Struct({ factor: DecimalAmount }),
])
export type ModelPrice = typeof ModelPrice.Type

/** What an operator may change about a model. */
export const ModelOverride = Schema.Struct({
  enabled: Schema.optionalKey(Schema.Boolean),
  delivery: Schema.optionalKey(Schema.Literals(["archive", "passthrough"])),
  /** In place of the model's own price table, or as a factor on it. */
  price: Schema.optionalKey(ModelPrice),
  /** Makes a new public model of this family under the id; only in the configuration file. */
  family: Schema.optionalKey(Schema.String),
  /** Groups whose keys may use the model; empty permits every key (image-tasks 5.3). */
  groups: Schema.optionalKey(Schema.Array(Schema.String)),
})
export type ModelOverride = typeof ModelOverride.Type

/** Overrides from the configuration file: by tool id, and by model id or glob. Run-time ones win over them. */
export interface CatalogOverrides {
  readonly tools: { readonly [id: string]: ToolOverride }
  readonly models: { readonly [idOrGlob: string]: ModelOverride }
}

export const CatalogOverrides = Context.Reference<CatalogOverrides>("@atelier/core/domain/CatalogOverrides", {
  defaultValue: () => ({ tools: {}, models: {} }),
})
