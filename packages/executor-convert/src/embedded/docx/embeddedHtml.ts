import type { Budget, DocumentWarnings } from "@atelier/executor/flow"
import { type Blocks as HtmlBlocks, HtmlContent, readHtml } from "@atelier/executor/html"
import type { Blocks } from "../flow/Blocks.ts"

/** Writes HTML that is a part of a document, where it stands. Throws a `Refusal` (`result_too_large`). */
export const writeEmbeddedHtml = (
  html: string,
  to: Blocks,
  { bytesMax, budget, warnings }: { bytesMax: number; budget: Budget; warnings: DocumentWarnings },
): void => {
  const content = new HtmlContent(within(to, budget), bytesMax, warnings, false)
  readHtml(html, content)
  content.finish()
}

/** A bar and a space, without which no cell is. */
const barBytes = 2

/** What a table or a note keeps of it counts as if it were written. */
const within = (to: Blocks, budget: Budget): HtmlBlocks => ({
  heading: (level, inline) => {
    budget.spend(inline.length)
    to.heading(level, inline)
  },
  paragraph: (inline, itemLevel) => {
    budget.spend(inline.length)
    to.paragraph(inline, itemLevel)
  },
  listItem: (level, inline, ordered, list) => {
    budget.spend(inline.length)
    to.listItem(level, inline, ordered, list)
  },
  table: (rows) => {
    const kept = Array.from(rows, (row) => {
      budget.spend(row.reduce((sum, { length }) => sum + length + barBytes, 0))
      return row
    })
    to.table(kept)
  },
  code: (text, language, itemLevel) => {
    budget.spend(text.length)
    to.code(text, language, itemLevel)
  },
  rule: () => {},
  block: (markdown, text) => {
    budget.spend(markdown.length)
    to.block(markdown, text)
  },
})
