import { escapeMarkdown } from "@atelier/executor/parsing"
import type { Blocks } from "./Blocks.ts"

/** The blocks of one cell: to be written one by one, or as the one text that a Markdown table has room for. */
export class Cell implements Blocks {
  /** All blocks as inline Markdown, with an empty line between, which a table drops. */
  text = ""
  /** Whether it holds what is more than text: a heading, a table. */
  hasStructure = false
  /** Undefined as long as there are only paragraphs: millions of cells hold no more than their text. */
  private writes: Array<(to: Blocks) => void> | undefined

  heading(level: number, inline: string): void {
    this.hasStructure = true
    this.keep(inline, (to) => to.heading(level, inline))
  }

  paragraph(inline: string): void {
    if (this.writes === undefined) this.text = joined(this.text, inline)
    else this.keep(inline, (to) => to.paragraph(inline))
  }

  listItem(level: number, inline: string, ordered?: number): void {
    const marker = ordered === undefined ? "-" : `${ordered}.`
    this.keep(`${marker} ${inline}`, (to) => to.listItem(level, inline, ordered))
  }

  table(rows: Iterable<ReadonlyArray<string>>, width: number): void {
    this.hasStructure = true
    const kept = [...rows]
    const lines = kept.map((row) => row.filter((cell) => cell.trim() !== "").join(", "))
    this.keep(lines.join("\n"), (to) => to.table(kept, width))
  }

  code(text: string, language: string): void {
    this.keep(escapeMarkdown(text), (to) => to.code(text, language))
  }

  rule(): void {}

  block(markdown: string): void {
    this.keep(markdown, (to) => to.block(markdown))
  }

  writeTo(to: Blocks): void {
    if (this.writes !== undefined) for (const write of this.writes) write(to)
    else writeParagraphs(this.text, to)
  }

  /** The text alone, if there is nothing more. */
  get content(): string | Cell {
    return this.writes === undefined ? this.text : this
  }

  private keep(line: string, write: (to: Blocks) => void): void {
    const { text } = this
    this.writes ??= [(to) => writeParagraphs(text, to)]
    this.writes.push(write)
    this.text = joined(text, line)
  }
}

const joined = (text: string, line: string): string => (text === "" ? line : `${text}\n\n${line}`)

/** Writes paragraphs that have empty lines between. */
export const writeParagraphs = (text: string, to: Blocks): void => {
  for (const paragraph of text.split("\n\n")) to.paragraph(paragraph)
}
