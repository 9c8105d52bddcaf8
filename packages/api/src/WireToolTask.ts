import * as Schema from "effect/Schema"
import { Units, UnixSeconds, WireQueue, WireTaskError, WireWarning } from "./WireCommon.ts"

/** document-tools 3. */
export const WireToolStatus = Schema.Literals(["queued", "running", "succeeded", "failed"])
export const WireOutputFormat = Schema.Literals(["markdown", "json"])

/** document-tools 2.4 and contract, Tools. Amounts are account quota units, not US dollars. */
export const WireToolTask = Schema.Struct({
  id: Schema.String,
  task_id: Schema.String,
  object: Schema.Literal("tool.task"),
  tool_id: Schema.String,
  file_id: Schema.String,
  output_formats: Schema.Array(WireOutputFormat),
  status: WireToolStatus,
  queue: Schema.optionalKey(WireQueue),
  error: Schema.NullOr(WireTaskError),
  warnings: Schema.Array(WireWarning),
  billing: Schema.Struct({ pre_deducted: Units, charged: Units, refunded: Units }),
  created_at: UnixSeconds,
  started_at: Schema.NullOr(UnixSeconds),
  finished_at: Schema.NullOr(UnixSeconds),
  expires_at: UnixSeconds,
}).annotate({
  identifier: "ToolTask",
  description: "A parse task. `expires_at`: when its result stops being readable.",
  examples: [
    {
      id: "tooltask_01k8a3v5w2x9y7z4q6r8s1t3v5",
      task_id: "tooltask_01k8a3v5w2x9y7z4q6r8s1t3v5",
      object: "tool.task",
      tool_id: "text-md-json",
      file_id: "toolfile_01k8a3t0c4d5e6f7g8h9j0k1m2",
      output_formats: ["markdown", "json"],
      status: "succeeded",
      error: null,
      warnings: [],
      billing: { pre_deducted: 50, charged: 50, refunded: 0 },
      created_at: 1767225600,
      started_at: 1767225600,
      finished_at: 1767225601,
      expires_at: 1767232800,
    },
  ],
})
export type WireToolTask = typeof WireToolTask.Type

/** document-tools 2.3. No other field is accepted. */
export const WireInvocation = Schema.Struct({
  input: Schema.Struct({ file_id: Schema.String }),
  options: Schema.optionalKey(
    Schema.Struct({
      output_formats: Schema.optionalKey(
        Schema.Array(WireOutputFormat).annotate({ description: "Absent: both." }),
      ),
    }),
  ),
}).annotate({
  identifier: "Invocation",
  examples: [
    {
      input: { file_id: "toolfile_01k8a3t0c4d5e6f7g8h9j0k1m2" },
      options: { output_formats: ["markdown"] },
    },
  ],
})

/** The slice of the Markdown that holds the text of a page, slide or sheet. */
export const WireDocumentPart = Schema.Struct({
  number: Schema.Int,
  name: Schema.optionalKey(Schema.String),
  start: Schema.Int,
  end: Schema.Int,
}).annotate({
  identifier: "DocumentPart",
  description: "Where the text of a page, slide or sheet stands in the Markdown.",
  examples: [{ number: 1, start: 0, end: 18 }],
})

const parts = Schema.optionalKey(Schema.Array(WireDocumentPart))

/** document-tools 2.5 and contract, Tools; the last three fields only with the setting `documents.page_offsets`. */
export const WireToolResult = Schema.Struct({
  schema_version: Schema.String,
  markdown: Schema.String,
  structure_source: Schema.String,
  capabilities: Schema.Record(Schema.String, Schema.Boolean),
  warnings: Schema.Array(WireWarning),
  input_bytes: Schema.Int,
  pages: parts,
  slides: parts,
  sheets: parts,
}).annotate({
  identifier: "ToolResult",
  description: "A parsed document.",
  examples: [
    {
      schema_version: "1.0",
      markdown: "# Minutes\n\nWe met.\n",
      structure_source: "text",
      capabilities: { ocr: false, page_coordinates: false, bounding_boxes: false, structured_tables: false },
      warnings: [],
      input_bytes: 19,
    },
  ],
})
