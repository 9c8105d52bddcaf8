/** Where the blocks of an HTML file go; a `MarkdownWriter` is one. Arguments are as there. */
export interface Blocks {
  heading(level: number, inline: string): void
  paragraph(inline: string, itemLevel?: number): void
  listItem(level: number, inline: string, ordered?: number, list?: unknown): void
  table(rows: Iterable<ReadonlyArray<string>>, width: number): void
  code(text: string, language: string, itemLevel?: number): void
  rule(): void
  /** @param text the same as inline Markdown, for a cell of a table */
  block(markdown: string, text: string): void
}
