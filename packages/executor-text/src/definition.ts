import type { ToolDefinition } from "@atelier/core"
import { extensions } from "./kinds.ts"

/** document-tools 1, standard tools. */
export const definition: ToolDefinition = {
  id: "text-md-json",
  name: "Text to Markdown and JSON",
  description:
    "Local parsing of UTF-8 text and code. Markdown and plain text are kept as they are; CSV, JSON, YAML, " +
    "XML, HTML and code are placed in Markdown code blocks.",
  extensions,
  maxFileBytes: 10 * 1024 * 1024,
  timeoutSeconds: 30,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.0001",
}
