import * as Schema from "effect/Schema"
import { listOf, UnixSeconds } from "./WireCommon.ts"

export const WireParameter = Schema.Struct({
  type: Schema.Literals(["string", "integer", "number", "boolean", "array", "object"]),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  default: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
  minimum: Schema.optionalKey(Schema.Finite),
  maximum: Schema.optionalKey(Schema.Finite),
  description: Schema.optionalKey(Schema.String),
}).annotate({ identifier: "ModelParameter" })

export const WireDelivery = Schema.Literals(["archive", "passthrough"]).annotate({
  description:
    "`archive`: images are copied to permanent storage. `passthrough`: the upstream's links are returned, which may expire; such a task has the warning `result_not_archived`.",
})

/** contract, Images: `GET /v1/models`. */
export const WireModel = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  created: UnixSeconds,
  owned_by: Schema.String,
  type: Schema.Literal("image"),
  endpoints: Schema.Array(Schema.String),
  parameters: Schema.Record(Schema.String, WireParameter),
  limits: Schema.Struct({ n: Schema.Int, reference_images: Schema.Int, prompt_chars: Schema.Int }),
  pricing_display: Schema.Struct({
    unit: Schema.String,
    currency: Schema.String,
    table: Schema.Array(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))),
  }),
  delivery: WireDelivery,
}).annotate({
  identifier: "Model",
  examples: [
    {
      id: "gen-image-2",
      object: "model",
      created: 1767225600,
      owned_by: "atelier",
      type: "image",
      endpoints: ["/v1/images/tasks", "/v1/images/generations", "/v1/images/edits"],
      parameters: {
        prompt: { type: "string" },
        n: { type: "integer", default: 1, minimum: 1, maximum: 10 },
      },
      limits: { n: 10, reference_images: 16, prompt_chars: 32000 },
      pricing_display: {
        unit: "image",
        currency: "USD",
        table: [
          { resolution: "1K", quality: "low", usd: "0.01" },
          { resolution: "1K", quality: "medium", usd: "0.04" },
          { resolution: "1K", quality: "high", usd: "0.16" },
          { resolution: "2K", quality: "low", usd: "0.02" },
          { resolution: "2K", quality: "medium", usd: "0.07" },
          { resolution: "2K", quality: "high", usd: "0.24" },
          { resolution: "4K", quality: "low", usd: "0.03" },
          { resolution: "4K", quality: "medium", usd: "0.11" },
          { resolution: "4K", quality: "high", usd: "0.36" },
          { input_image: 1, usd: "0.005" },
        ],
      },
      delivery: "archive",
    },
  ],
})
export type WireModel = typeof WireModel.Type

export const WireModelList = listOf(WireModel).annotate({ identifier: "ModelList" })
