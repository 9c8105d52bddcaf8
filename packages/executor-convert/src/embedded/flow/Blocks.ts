import { escapeMarkdown } from "@atelier/executor/parsing"

/** Where the blocks of a document go; a `MarkdownWriter` is one. Arguments are as there. */
export interface Blocks {
  heading(level: number, inline: string): void
  paragraph(inline: string, itemLevel?: number): void
  listItem(level: number, inline: string, ordered?: number, list?: unknown): void
  quote(inline: string): void
  table(rows: ReadonlyArray<ReadonlyArray<string>>): void
  code(text: string, language?: string, itemLevel?: number): void
  /** @param text the same as inline Markdown, for a cell of a table */
  block(markdown: string, text: string): void
}

interface Kept {
  readonly text: () => string
  readonly write: (to: Blocks) => void
}

/** Blocks that are kept, to be written later, or as the one text of a table cell or a note. */
export class KeptBlocks implements Blocks {
  readonly #kept: Array<Kept> = []
  #size = 0
  #holdsCode = false

  heading(level: number, inline: string): void {
    this.#keep(inline.length, { text: () => inline, write: (to) => to.heading(level, inline) })
  }

  paragraph(inline: string, itemLevel?: number): void {
    this.#keep(inline.length, {
      text: () => inline,
      write: (to) => to.paragraph(inline, itemLevel),
    })
  }

  listItem(level: number, inline: string, ordered?: number, list?: unknown): void {
    const marker = ordered === undefined ? "-" : `${ordered}.`
    this.#keep(inline.length, {
      text: () => `${marker} ${inline}`,
      write: (to) => to.listItem(level, inline, ordered, list),
    })
  }

  quote(inline: string): void {
    this.#keep(inline.length, { text: () => inline, write: (to) => to.quote(inline) })
  }

  /** As text each row is one line. */
  table(rows: ReadonlyArray<ReadonlyArray<string>>): void {
    const size = rows.reduce((sum, row) => row.reduce((inRow, cell) => inRow + cell.length, sum), 0)
    this.#keep(size, {
      text: () => rows.map((row) => row.filter((cell) => cell.trim() !== "").join(", ")).join("\n"),
      write: (to) => to.table(rows),
    })
  }

  code(text: string, language?: string, itemLevel?: number): void {
    this.#holdsCode ||= text.includes("\n")
    this.#keep(text.length, {
      text: () => escapeMarkdown(text),
      write: (to) => to.code(text, language, itemLevel),
    })
  }

  block(markdown: string, text: string): void {
    this.#keep(markdown.length, { text: () => text, write: (to) => to.block(markdown, text) })
  }

  #keep(size: number, block: Kept): void {
    this.#size += size
    this.#kept.push(block)
  }

  /** Code of several lines, which no cell of Markdown shows as such. */
  get holdsCode(): boolean {
    return this.#holdsCode
  }

  /** Characters. */
  get size(): number {
    return this.#size
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** How many blocks it is. */
  get count(): number {
    return this.#kept.length
  }

  writeTo(to: Blocks): void {
    for (const { write } of this.#kept) write(to)
  }

  /** The same as inline Markdown, one line for each block. */
  get text(): string {
    return this.#kept.map(({ text }) => text()).join("\n")
  }
}
