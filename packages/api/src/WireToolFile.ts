import * as Schema from "effect/Schema"
import { Bytes, UnixSeconds } from "./WireCommon.ts"

/** document-tools 2.2 and contract, Tools. */
export const WireToolFile = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("tool.file"),
  tool_id: Schema.String,
  filename: Schema.String,
  content_type: Schema.String,
  bytes: Bytes,
  sha256: Schema.String,
  status: Schema.Literals(["ready", "deleting", "deleted"]),
  created_at: UnixSeconds,
  expires_at: UnixSeconds,
}).annotate({
  identifier: "ToolFile",
  examples: [
    {
      id: "toolfile_01k8a3t0c4d5e6f7g8h9j0k1m2",
      object: "tool.file",
      tool_id: "text-md-json",
      filename: "minutes.md",
      content_type: "text/markdown",
      bytes: 19,
      sha256: "09aaf7649b3645301ca2cd6903aa352d9ec03512c446812db61bcf5ad0401c70",
      status: "ready",
      created_at: 1767225600,
      expires_at: 1767232800,
    },
  ],
})
export type WireToolFile = typeof WireToolFile.Type
