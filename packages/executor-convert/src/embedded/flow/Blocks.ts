/** Where the blocks of a document go; a `MarkdownWriter` is one. Arguments are as there. */
export interface Blocks {
  heading(level: number, inline: string): void
  paragraph(inline: string): void
  listItem(level: number, inline: string, ordered?: number): void
  table(rows: ReadonlyArray<ReadonlyArray<string>>): void
}

/** Blocks that are kept, to be written later, or as the one text of a table cell or a note. */
export class KeptBlocks implements Blocks {
  readonly #write: Array<(to: Blocks) => void> = []
  readonly #lines: Array<string> = []
  #size = 0

  heading(level: number, inline: string): void {
    this.#keep(inline, (to) => to.heading(level, inline))
  }

  paragraph(inline: string): void {
    this.#keep(inline, (to) => to.paragraph(inline))
  }

  listItem(level: number, inline: string, ordered?: number): void {
    if (inline.trim() === "") return
    const marker = ordered === undefined ? "-" : `${ordered}.`
    this.#keep(`${marker} ${inline}`, (to) => to.listItem(level, inline, ordered))
  }

  /** As text each row is one line. */
  table(rows: ReadonlyArray<ReadonlyArray<string>>): void {
    const lines = rows.map((row) => row.filter((cell) => cell.trim() !== "").join(", "))
    this.#keep(lines.join("\n"), (to) => to.table(rows))
  }

  #keep(line: string, write: (to: Blocks) => void): void {
    if (line.trim() === "") return
    this.#size += line.length
    this.#lines.push(line)
    this.#write.push(write)
  }

  /** Characters, which is no more than bytes. */
  get size(): number {
    return this.#size
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0
  }

  writeTo(to: Blocks): void {
    for (const write of this.#write) write(to)
  }

  /** The same as inline Markdown, one line for each block. */
  get text(): string {
    return this.#lines.length === 1 ? (this.#lines[0] ?? "") : this.#lines.join("\n")
  }
}
