import { escapeMarkdown, type MarkdownWriter } from "@atelier/executor/parsing"
import type { SheetRows } from "./SheetRows.ts"

/** Writes a workbook sheet by sheet: its name as a heading, its cells as tables, what lies over them as text. */
export class SheetWriter {
  private readonly markdown: MarkdownWriter
  /** Of the whole result. */
  readonly bytesMax: number
  private written = false

  constructor(markdown: MarkdownWriter) {
    this.markdown = markdown
    this.bytesMax = markdown.bytesMax
  }

  /** Whether there was more than names of sheets. */
  get hasText(): boolean {
    return this.written
  }

  sheet(name: string): void {
    this.markdown.beginPart(name)
    this.markdown.heading(2, escapeMarkdown(name))
  }

  /** A cell that stands alone is a paragraph. */
  rows(rows: SheetRows): void {
    for (const { width, height, rows: cells } of rows.tables()) {
      this.written = true
      if (width > 1 || height > 1) this.markdown.table(cells, width)
      else for (const [only = ""] of cells) this.markdown.paragraph(only)
    }
  }

  /** Text of a box or shape, as plain text. */
  text(text: string): void {
    if (text.trim() !== "") this.inline(escapeMarkdown(text))
  }

  /** The same as Markdown. */
  inline(inline: string): void {
    this.written = true
    this.markdown.paragraph(inline)
  }
}
