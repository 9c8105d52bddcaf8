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

/** What an operator may change about a model. */
export const ModelOverride = Schema.Struct({
  enabled: Schema.optionalKey(Schema.Boolean),
  delivery: Schema.optionalKey(Schema.Literals(["archive", "passthrough"])),
  /** Exact decimal, US dollars for each image, in place of the model's own price table. */
  price: Schema.optionalKey(DecimalUsd),
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
