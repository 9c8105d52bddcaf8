import type { Block, TextBlock } from "./Blocks.ts"
import { joinSpans } from "./joinWords.ts"

/**
 * The blocks, with what stands by itself behind a long dash as a text: the source of a quotation, or what a dash means in
 * a table. Items of a list that have such dashes follow one another.
 */
export const withSources = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.map((block, index) => {
    if (!hasDash(block) || hasDash(blocks[index - 1]) || hasDash(blocks[index + 1])) return block
    const { item: _item, mark = "", ...rest } = block
    const spans = joinSpans([{ text: mark, link: "" }], block.spans)
    return { ...rest, spans, text: `${mark} ${block.text}` }
  })

const hasDash = (block: Block | undefined): block is TextBlock =>
  block?.kind === "text" && block.item === "bullet" && /^[—―]$/.test(block.mark ?? "")
