import * as Schema from "effect/Schema"
import { Bytes, listOf } from "./WireCommon.ts"
import { WireOutputFormat } from "./WireToolTask.ts"

/** document-tools 2.1 and contract, Tools. `pricing_display` is for people; clients do not evaluate it. */
export const WireTool = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("tool"),
  name: Schema.String,
  description: Schema.String,
  extensions: Schema.Array(Schema.String),
  max_file_bytes: Bytes,
  timeout_seconds: Schema.Int,
  output_formats: Schema.Array(WireOutputFormat),
  pricing_display: Schema.Struct({
    unit_price: Schema.Finite,
    currency: Schema.Literal("USD"),
    unit: Schema.Literal("document"),
    text: Schema.String,
  }),
}).annotate({
  identifier: "Tool",
  examples: [
    {
      id: "text-md-json",
      object: "tool",
      name: "Text to Markdown and JSON",
      description:
        "Local parsing of UTF-8 text and code. Markdown and plain text are kept as they are; CSV, JSON, YAML, XML, HTML and code are placed in Markdown code blocks.",
      extensions: [".txt", ".md", ".csv", ".json"],
      max_file_bytes: 10485760,
      timeout_seconds: 30,
      output_formats: ["markdown", "json"],
      pricing_display: {
        unit_price: 0.0001,
        currency: "USD",
        unit: "document",
        text: "$0.0001 per document",
      },
    },
  ],
})
export type WireTool = typeof WireTool.Type

export const WireToolList = listOf(WireTool).annotate({ identifier: "ToolList" })
