import type { ToolDefinition } from "@atelier/core"

/** No standard tool of document-tools 1, so it is offered only where an operator publishes it. */
export const definition: ToolDefinition = {
  id: "epub-md-json",
  name: "EPUB book to Markdown and JSON",
  description:
    "Local parsing of EPUB 2 and 3 books without protection: the text in reading order, the navigation as headings, " +
    "tables, lists and footnotes. Nothing is recognised in images, and no script is run.",
  extensions: [".epub"],
  maxFileBytes: 10 * 1024 * 1024,
  timeoutSeconds: 30,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.0002",
  publishedByDefault: false,
}
