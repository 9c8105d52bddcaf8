import type { MarkdownWriter } from "@atelier/executor/parsing"

/** A piece of a slide; every string is Markdown. */
export type Block =
  | { readonly kind: "paragraph"; readonly markdown: string }
  | Item
  | { readonly kind: "table"; readonly rows: ReadonlyArray<ReadonlyArray<string>> }

/** Items with the same `list` stand in the same text. */
interface Item {
  readonly kind: "item"
  /** From 0, at most one more than the item before. */
  readonly depth: number
  readonly markdown: string
  /** Absent for a bullet. */
  readonly number?: number
  readonly list: unknown
}

export const writeBlock = (markdown: MarkdownWriter, block: Block): void => {
  if (block.kind === "paragraph") markdown.paragraph(block.markdown)
  else if (block.kind === "item") markdown.listItem(block.depth, block.markdown, block.number, block.list)
  else markdown.table(block.rows)
}
