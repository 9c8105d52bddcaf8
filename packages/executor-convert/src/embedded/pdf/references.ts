import type { Block, TableBlock, TextBlock } from "./Blocks.ts"
import { textBlockOf } from "./contents.ts"
import { joinSpans, type Spans, textOf } from "./joinWords.ts"

/** What an entry of a bibliography begins with, as `[RFC2119]` or `[Knu84]`. */
const label = /^\[[^\s[\]]{1,40}\]$/
const entriesMin = 2
/** Characters of most entries: what is shorter may be the value of a name. */
const entryMin = 25
const entryRowsMax = 20

/** The blocks, with the entries of bibliographies, whose labels stand in a column of their own, as texts. */
export const withReferences = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.flatMap(
    (block): ReadonlyArray<Block> =>
      block.kind === "table" && block.isTagged !== true ? (entriesOf(block) ?? [block]) : [block],
  )

const entriesOf = (block: TableBlock): ReadonlyArray<TextBlock> | undefined => {
  const pages = new Map(block.turns?.map(({ row, page }) => [row, page]))
  const entries: Array<{ spans: Spans; rows: number; readonly page: number | undefined }> = []
  let page = block.page
  for (const [index, [own, text, ...others]] of block.rows.entries()) {
    page = pages.get(index) ?? page
    if (own === undefined || text === undefined || others.length > 0) return undefined
    const last = entries.at(-1)
    if (label.test(textOf(own))) entries.push({ spans: joinSpans(own, text), rows: 1, page })
    else if (own.length === 0 && last !== undefined && last.rows++ < entryRowsMax)
      last.spans = joinSpans(last.spans, text)
    else return undefined
  }
  const long = entries.filter(({ spans }) => textOf(spans).length >= entryMin)
  return entries.length >= entriesMin && 2 * long.length > entries.length
    ? entries.map(({ spans, page }) => textBlockOf(spans, block, page))
    : undefined
}
