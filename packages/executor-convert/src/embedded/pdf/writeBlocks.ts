import type { MarkdownWriter } from "@atelier/executor/parsing"
import { Budget } from "../flow/Budget.ts"
import { Inline } from "../flow/Inline.ts"
import type { Block, TextBlock } from "./Blocks.ts"
import { Hyphens } from "./Hyphens.ts"
import { type Spans, textOf } from "./joinWords.ts"

/**
 * Writes a document's blocks. A heading is told from text by its size, or by standing alone in bold; the sizes
 * of the headings give their levels, and the places of list items theirs.
 */
export const writeBlocks = (blocks: ReadonlyArray<Block>, markdown: MarkdownWriter): void => {
  const levels = headingLevels(blocks)
  const budget = new Budget(markdown.bytesMax)
  const hyphens = new Hyphens(() => textsOf(blocks))
  const inlineOf = (spans: Spans): string => {
    const inline = new Inline(budget)
    for (const { text, link } of spans) inline.add(hyphens.resolved(text), 0, link)
    return inline.toMarkdown()
  }
  let indents: ReadonlyArray<number> = []
  for (const block of blocks) {
    if (block.kind === "code") markdown.code(block.lines.join("\n"))
    else if (block.kind === "table") markdown.table(block.rows.map((row) => row.map(inlineOf)))
    else {
      const text = inlineOf(block.spans)
      const level = levels(block)
      if (level !== undefined) markdown.heading(level, markedText(block, text))
      else if (block.item === undefined) markdown.paragraph(text)
      else {
        const outer = indents.filter((indent) => indent < block.left - indentMin * block.size)
        indents = [...outer, block.left]
        markdown.listItem(outer.length, text, block.item === "bullet" ? undefined : block.item)
        continue
      }
    }
    indents = []
  }
}

function* textsOf(blocks: ReadonlyArray<Block>): Iterable<string> {
  for (const block of blocks) {
    if (block.kind === "text") yield block.text
    else if (block.kind === "code") yield* block.lines
    else for (const row of block.rows) yield* row.map(textOf)
  }
}

const indentMin = 0.5

/** "1. Introduction" is a heading with a number, not an item of a list. */
const markedText = ({ item }: TextBlock, text: string): string =>
  typeof item === "number" ? `${item}. ${text}` : text

const levelMax = 6
const headingCharactersMax = 200
const headingLinesMax = 3
const headingSizeMin = 1.15

const rounded = (size: number): number => Math.round(size * 2) / 2

const headingLevels = (blocks: ReadonlyArray<Block>): ((block: TextBlock) => number | undefined) => {
  const texts = blocks.filter((block): block is TextBlock => block.kind === "text")
  const body = bodyOf(texts)
  const isHeading = ({ bold, lines, isParted, item, size, text }: TextBlock): boolean => {
    if (item === "bullet" || text.length > headingCharactersMax || !/\p{L}/u.test(text)) return false
    if (isParted && item === undefined && !/^(\p{L}{0,12} ?[\dIVX]+\.?)+ /u.test(text)) return false
    if (rounded(size) >= headingSizeMin * body.size) return true
    return (
      bold && !body.bold && lines <= headingLinesMax && rounded(size) >= body.size && !/[.,;]$/.test(text)
    )
  }
  const sizes = new Set(texts.filter(isHeading).map(({ size }) => rounded(size)))
  const levels = new Map([...sizes].sort((a, b) => b - a).map((size, index) => [size, index + 1]))
  return (block) =>
    isHeading(block) ? Math.min(levelMax, levels.get(rounded(block.size)) ?? levelMax) : undefined
}

/** The look of most of the text. */
const bodyOf = (texts: ReadonlyArray<TextBlock>): { readonly size: number; readonly bold: boolean } => {
  const letters = new Map<number, number>()
  let all = 0
  let bold = 0
  for (const block of texts) {
    const { length } = block.text
    letters.set(rounded(block.size), (letters.get(rounded(block.size)) ?? 0) + length)
    all += length
    if (block.bold) bold += length
  }
  let main = { size: 0, letters: 0 }
  for (const [size, count] of letters) if (count > main.letters) main = { size, letters: count }
  return { size: main.size, bold: bold * 2 > all }
}
