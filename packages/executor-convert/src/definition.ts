import type { ToolDefinition } from "@atelier/core"
import { extensions } from "./formats.ts"

/** document-tools 1, standard tools. */
export const definition: ToolDefinition = {
  id: "file-md-json",
  name: "Document to Markdown and JSON",
  description:
    "Markdown of PDF, Word, Excel, OpenDocument, CSV, HTML and XML files with a text layer. No OCR, no page " +
    "coordinates, no bounding boxes and no guarantee of structured tables.",
  extensions,
  maxFileBytes: 10 * 1024 * 1024,
  timeoutSeconds: 60,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.001",
}
