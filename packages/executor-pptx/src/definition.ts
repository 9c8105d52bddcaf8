import type { ToolDefinition } from "@atelier/core"

/** document-tools 1, standard tools; its price is that of contract, Tools. */
export const definition: ToolDefinition = {
  id: "pptx-md-json",
  name: "Presentation to Markdown and JSON",
  description:
    "Local text extraction from PPTX presentations, slide by slide: text boxes, lists, links and tables. Layout, " +
    "charts, images, animation and speaker notes are not interpreted.",
  extensions: [".pptx"],
  maxFileBytes: 10 * 1024 * 1024,
  timeoutSeconds: 30,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.0005",
}
