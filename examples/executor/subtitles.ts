import type { ToolDefinition } from "@atelier/core"

/** What the catalog shows. Prices are exact decimals in US dollars; sizes are bytes. */
export const definition: ToolDefinition = {
  id: "subtitles-md-json",
  name: "Subtitles to Markdown and JSON",
  description: "SubRip subtitles as a transcript: one line for each cue, with its time.",
  extensions: [".srt"],
  maxFileBytes: 1024 * 1024,
  timeoutSeconds: 10,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.0002",
}
