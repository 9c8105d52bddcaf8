import type { Block, TextBlock } from "./Blocks.ts"
import { lookOf, rounded } from "./headingLevels.ts"

const titlesMin = 3
const charactersMax = 120
/** A share of the size of the text. */
const sizeMin = 0.6
/** Points. */
const sameLeft = 2
/** A share of the size of the text. */
const indentMax = 2

/**
 * Bold lines that are smaller than the text and stand alone above it, or above a table, where there are some of one look:
 * titles of the lowest levels, as browsers show them. What stands right below another title is said of that.
 */
export const smallTitlesIn = (blocks: ReadonlyArray<Block>, size: number): ReadonlyArray<Block> => {
  const found = blocks.filter((block, index): block is TextBlock => {
    const [above, below] = [blocks[index - 1], blocks[index + 1]]
    return isSmall(block, size) && isOver(block, below, size) && !(above?.kind === "text" && above.bold)
  })
  const byLook = Map.groupBy(found, lookOf)
  return found.filter((block) => (byLook.get(lookOf(block))?.length ?? 0) >= titlesMin)
}

const isSmall = (block: Block, size: number): block is TextBlock =>
  block.kind === "text" &&
  block.bold &&
  block.lines === 1 &&
  block.item === undefined &&
  rounded(block.size) < size &&
  block.size >= sizeMin * size &&
  block.text.length <= charactersMax &&
  /^[\p{L}\p{N}]/u.test(block.text) &&
  !/[.,:;。，：；]$/.test(block.text)

const isOver = ({ left }: TextBlock, below: Block | undefined, size: number): boolean =>
  below?.kind === "table" ||
  (below?.kind === "text" &&
    !below.bold &&
    below.isNote !== true &&
    rounded(below.size) === size &&
    (below.item !== undefined || isBelow(below.left - left, size)))

/** The text begins at the same place, or its first line further in. */
const isBelow = (indent: number, size: number): boolean => indent > -sameLeft && indent < indentMax * size
