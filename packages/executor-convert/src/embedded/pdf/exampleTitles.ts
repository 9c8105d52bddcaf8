import type { Block, TextBlock } from "./Blocks.ts"

/**
 * Bold lines such as "Example 2: List all keys", most of which text follows: titles. The first one stands below text, so
 * they are no captions below figures, tables or listings.
 */
export const exampleTitlesIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const found: Array<number> = []
  for (const [index, block] of blocks.entries()) if (isExample(block)) found.push(index)
  const [first] = found
  const isBelowText = first !== undefined && (first === 0 || blocks[first - 1]?.kind === "text")
  const areTitles =
    isBelowText && 2 * found.filter((index) => isText(blocks[index + 1])).length > found.length
  return new Set(areTitles ? found.flatMap((index) => blocks[index] ?? []) : [])
}

const isExample = (block: Block): block is TextBlock =>
  block.kind === "text" && block.bold && /^Example \d+: \p{L}/u.test(block.text)

const isText = (block: Block | undefined): boolean => block?.kind === "text" && !block.bold
