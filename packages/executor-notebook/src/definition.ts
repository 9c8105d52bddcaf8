import type { ToolDefinition } from "@atelier/core"

/** No standard tool of document-tools 1, so it is offered only where an operator publishes it. */
export const definition: ToolDefinition = {
  id: "notebook-md-json",
  name: "Jupyter notebook to Markdown and JSON",
  description:
    "Local parsing of Jupyter notebooks: Markdown is kept as it is, code and text outputs are placed in Markdown " +
    "code blocks. Images, HTML outputs and attachments are left out. No code is run.",
  extensions: [".ipynb"],
  maxFileBytes: 10 * 1024 * 1024,
  timeoutSeconds: 30,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.0002",
  publishedByDefault: false,
}
