import { Budget, Inline, lowered, strike } from "@atelier/executor/flow"
import type { MarkdownWriter } from "@atelier/executor/parsing"
import type { Block, TableBlock } from "./Blocks.ts"
import { codeIn } from "./codeWords.ts"
import { withContents } from "./contents.ts"
import { Hyphens } from "./Hyphens.ts"
import { markedText } from "./headingLevels.ts"
import { withLevels, withoutTextAsTitles, withTitlesInCode } from "./headings.ts"
import { type Spans, textOf } from "./joinWords.ts"
import { loweredIn } from "./lowered.ts"
import { withReferences } from "./references.ts"
import { withRunInTitles } from "./runInTitles.ts"
import { withSources } from "./sources.ts"
import { struckIn } from "./struck.ts"
import { withLists } from "./withLists.ts"

/**
 * Writes a document's blocks, and where each of its pages begins. A heading is told from text by its size, or by standing alone in bold; the sizes
 * of the headings give their levels, and the places of list items theirs.
 */
export const writeBlocks = (
  found: ReadonlyArray<Block>,
  pageCount: number,
  markdown: MarkdownWriter,
): void => {
  const own = withRunInTitles(withSources(withReferences(withContents(found, pageCount))))
  const texts = withoutTextAsTitles(withTitlesInCode(own))
  const blocks = withLists(withLevels(texts))
  const budget = new Budget(markdown.bytesMax)
  const hyphens = new Hyphens(() => textsOf(blocks))
  const inlineOf = (spans: Spans): string => {
    const inline = new Inline(budget)
    for (const { text, link } of spans) {
      const shown = hyphens.resolved(text)
      // The stop of the sentence is no part of its last address, although its link lies over it.
      const stop = link === "" || link.endsWith(shown.at(-1) ?? "") ? "" : (/[.,;:]+$/.exec(shown)?.[0] ?? "")
      for (const { text: part, isStruck } of struckIn(shown.slice(0, shown.length - stop.length))) {
        for (const { text: plain, isCode } of codeIn(part)) {
          if (isCode) inline.addCode(plain, link)
          else
            for (const { text: piece, isLowered } of loweredIn(plain))
              inline.add(piece, (isLowered ? lowered : 0) | (isStruck ? strike : 0), link)
        }
      }
      inline.add(stop, 0, "")
    }
    return inline.toMarkdown()
  }
  const turnTo = (page: number): void => {
    while (markdown.parts.length < page) markdown.beginPart()
  }
  for (const block of blocks) {
    turnTo(block.page ?? 1)
    if (block.kind === "code") markdown.code(block.lines.join("\n"), "", block.itemLevel)
    else if (block.kind === "table") {
      const rows = block.rows.map((row) => row.map(inlineOf))
      const width = rows.reduce((longest, { length }) => Math.max(longest, length), 0)
      markdown.table(turning(rows, block, turnTo), width)
    } else {
      const text = inlineOf(block.spans)
      const { item, level = 0, depth = 0, itemLevel } = block
      if (level > 0) markdown.heading(level, markedText(block, text))
      else if (item === undefined) markdown.paragraph(text, itemLevel)
      else markdown.listItem(depth, text, typeof item === "number" ? item : undefined)
    }
  }
  turnTo(pageCount)
}

/** The rows of a table, one by one; before the first one of a page the page is turned. */
function* turning<A>(
  rows: ReadonlyArray<A>,
  { turns = [] }: TableBlock,
  turnTo: (page: number) => void,
): Iterable<A> {
  const pages = new Map(turns.map(({ row, page }) => [row, page]))
  for (const [index, row] of rows.entries()) {
    turnTo(pages.get(index) ?? 1)
    yield row
  }
}

function* textsOf(blocks: ReadonlyArray<Block>): Iterable<string> {
  for (const block of blocks) {
    if (block.kind === "text") yield block.text
    else if (block.kind === "code") yield* block.lines
    else for (const row of block.rows) yield* row.map(textOf)
  }
}
