import { escapeMarkdown } from "../escapeMarkdown.ts"
import { MarkdownWriter } from "../MarkdownWriter.ts"
import type { Blocks } from "./Blocks.ts"

/** What stands in a cell, in two forms; just its text where that is all. */
export type CellContent = string | { readonly text: string; readonly markdown: string }

/** The text of a cell as a Markdown table has room for it. */
export const textOf = (content: CellContent): string => (typeof content === "string" ? content : content.text)

/** Writes what stands in a cell as blocks. */
export const writeContent = (content: CellContent, to: Blocks): void => {
  if (typeof content !== "string") to.block(content.markdown, content.text)
  else if (to instanceof Cell) to.paragraph(content)
  else writeParagraphs(content, to)
}

/** Collects the blocks of one cell. Millions of cells must not take more memory than their text. */
export class Cell implements Blocks {
  private readonly bytesMax: number
  /** All blocks as inline Markdown, with an empty line between, which a table drops. */
  private text = ""
  /** All blocks, once there are others than paragraphs. */
  private markdown: MarkdownWriter | undefined
  /** Whether it holds what is more than text: a heading, a table. */
  hasStructure = false

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  get content(): CellContent {
    const { text, markdown } = this
    return markdown === undefined ? text : { text, markdown: markdown.toString() }
  }

  heading(level: number, inline: string): void {
    this.hasStructure = true
    this.blocks().heading(level, inline)
    this.add(inline)
  }

  /** One, or several with empty lines between. */
  paragraph(inline: string, itemLevel?: number): void {
    if (itemLevel !== undefined) this.blocks().paragraph(inline, itemLevel)
    else if (this.markdown !== undefined) writeParagraphs(inline, this.markdown)
    this.add(inline)
  }

  listItem(level: number, inline: string, ordered?: number, list?: unknown): void {
    this.blocks().listItem(level, inline, ordered, list)
    this.add(`${ordered === undefined ? "-" : `${ordered}.`} ${inline}`)
  }

  /** As text each row is one line. */
  table(rows: Iterable<ReadonlyArray<string>>, width: number): void {
    this.hasStructure = true
    const kept = [...rows]
    this.blocks().table(kept, width)
    this.add(kept.map((row) => row.filter((cell) => cell.trim() !== "").join(", ")).join("\n"))
  }

  code(text: string, language: string, itemLevel?: number): void {
    this.blocks().code(text, language, itemLevel)
    this.add(escapeMarkdown(text))
  }

  rule(): void {}

  block(markdown: string, text: string): void {
    this.hasStructure = true
    this.blocks().block(markdown)
    this.add(text)
  }

  private blocks(): MarkdownWriter {
    if (this.markdown === undefined) {
      this.markdown = new MarkdownWriter(this.bytesMax)
      writeParagraphs(this.text, this.markdown)
    }
    return this.markdown
  }

  private add(text: string): void {
    this.text = this.text === "" ? text : `${this.text}\n\n${text}`
  }
}

const writeParagraphs = (text: string, to: Pick<Blocks, "paragraph">): void => {
  let from = 0
  for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n", from)) {
    to.paragraph(text.slice(from, end))
    from = end + 2
  }
  to.paragraph(text.slice(from))
}
