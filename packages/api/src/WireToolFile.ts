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
      filename: "notes.md",
      content_type: "text/markdown",
      bytes: 5120,
      sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      status: "ready",
      created_at: 1767225600,
      expires_at: 1767232800,
    },
  ],
})
export type WireToolFile = typeof WireToolFile.Type
