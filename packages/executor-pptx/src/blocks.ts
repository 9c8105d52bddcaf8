import { areCode, type CodeLine } from "@atelier/executor/flow"
import type { MarkdownWriter } from "@atelier/executor/parsing"

/** A piece of a slide; every string is Markdown. */
export type Block =
  | Paragraph
  | Item
  | { readonly kind: "table"; readonly rows: ReadonlyArray<ReadonlyArray<string>> }
  | { readonly kind: "code"; readonly text: string }

interface Paragraph {
  readonly kind: "paragraph"
  readonly markdown: string
  /** The paragraph as code, if it may be some. */
  readonly code?: CodeLine | undefined
  /** The shape that a line of code stands in. */
  readonly shape?: unknown
}

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
  else if (block.kind === "table") markdown.table(block.rows)
  else markdown.code(block.text)
}

/** The blocks of a slide, those lines of a shape that are code together as one. */
export const withCode = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const found: Array<Block> = []
  for (let at = 0; at < blocks.length; ) {
    const lines = codeFrom(blocks, at)
    const end = at + Math.max(1, lines.length)
    if (areCode(lines)) {
      const text = lines.map((line) => line.text).join("\n")
      found.push({ kind: "code", text: text.replace(/^\s*\n/, "").trimEnd() })
    } else for (const block of blocks.slice(at, end)) found.push(block)
    at = end
  }
  return found
}

/** The lines from a place on that may be code of one shape. */
const codeFrom = (blocks: ReadonlyArray<Block>, from: number): ReadonlyArray<CodeLine> => {
  const lines: Array<CodeLine> = []
  let shape: unknown
  for (let at = from; at < blocks.length; at++) {
    const block = blocks[at]
    if (block?.kind !== "paragraph" || block.code === undefined) break
    if (lines.length > 0 && block.shape !== shape) break
    shape = block.shape
    lines.push(block.code)
  }
  return lines
}
