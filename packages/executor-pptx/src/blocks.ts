import type { MarkdownWriter } from "@atelier/executor/parsing"

/** A piece of a slide; every string is Markdown. */
export type Block =
  | { readonly kind: "paragraph"; readonly markdown: string }
  /** `depth` from 0, at most one more than the item before; `number` is absent for a bullet. */
  | { readonly kind: "item"; readonly depth: number; readonly markdown: string; readonly number?: number }
  | { readonly kind: "table"; readonly rows: ReadonlyArray<ReadonlyArray<string>> }

export const writeBlock = (markdown: MarkdownWriter, block: Block): void => {
  if (block.kind === "paragraph") markdown.paragraph(block.markdown)
  else if (block.kind === "item") markdown.listItem(block.depth, block.markdown, block.number)
  else markdown.table(block.rows)
}
