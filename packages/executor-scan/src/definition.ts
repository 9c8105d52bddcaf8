import type { ToolDefinition } from "@atelier/core"

/** Text recognition, which document-tools 1 leaves to a tool of its own; offered where an operator publishes it. */
export const definition: ToolDefinition = {
  id: "scan-md-json",
  name: "Scanned pages to Markdown and JSON",
  description:
    "Text recognition for scanned PDFs and for pictures of pages (PNG, JPEG): every page is read from its picture. " +
    "What is recognised may be wrong; warnings give a confidence for each page.",
  extensions: [".pdf", ".png", ".jpg", ".jpeg"],
  maxFileBytes: 10 * 1024 * 1024,
  timeoutSeconds: 240,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.01",
  publishedByDefault: false,
  recognizesText: true,
}
