import type { MarkdownWriter, Warnings } from "@atelier/executor/parsing"

/** One document for a format module: its bytes, and where its Markdown and warnings go. */
export interface FormatInput {
  readonly bytes: Uint8Array
  /** For its extension and for headings; no path. */
  readonly filename: string
  readonly markdown: MarkdownWriter
  readonly warnings: Warnings
}

/** What each format module exports as `convert`. It throws a `Refusal` for what it cannot read. */
export type ConvertFormat = (input: FormatInput) => void | Promise<void>
