import { MarkdownWriter } from "../MarkdownWriter.ts"
import type { Blocks } from "./Blocks.ts"

/** A quote that is longer goes on as another quote, so that none takes much memory. */
const quoteUnits = 65_536

/** Writes the blocks of a quote, each line with its mark, to where the quote stands. */
export class Quote implements Blocks {
  private readonly to: Blocks
  private readonly bytesMax: number
  private quoted: MarkdownWriter
  private units = 0

  constructor(to: Blocks, bytesMax: number) {
    this.to = to
    this.bytesMax = bytesMax
    this.quoted = new MarkdownWriter(bytesMax)
  }

  heading(level: number, inline: string): void {
    this.next(inline.length).heading(level, inline)
  }

  paragraph(inline: string, itemLevel?: number): void {
    this.next(inline.length).paragraph(inline, itemLevel)
  }

  listItem(level: number, inline: string, ordered?: number, list?: unknown): void {
    this.next(inline.length).listItem(level, inline, ordered, list)
  }

  table(rows: Iterable<ReadonlyArray<string>>, width: number): void {
    this.next(0).table(rows, width)
  }

  code(text: string, language: string, itemLevel?: number): void {
    this.next(text.length).code(text, language, itemLevel)
  }

  rule(): void {
    this.next(0).rule()
  }

  block(markdown: string): void {
    this.next(markdown.length).block(markdown)
  }

  end(): void {
    if (this.quoted.isEmpty) return
    const markdown = `> ${this.quoted.toString().trimEnd().replaceAll("\n", "\n> ")}`
    this.to.block(markdown, markdown)
    this.quoted = new MarkdownWriter(this.bytesMax)
    this.units = 0
  }

  private next(units: number): MarkdownWriter {
    if (this.units > quoteUnits) this.end()
    // A block is not much shorter than its marks.
    this.units += units + 8
    return this.quoted
  }
}
