import type { Block, TextBlock } from "./Blocks.ts"
import { continued, joinedCharactersMax, textOf } from "./joinWords.ts"

/** Points: where texts that stand below one another begin, and how much further in code may. */
const sameIndent = 2
const codeIndentMax = 24
const sameSize = 0.6

/** Shares of the size: an item is inside of one that begins so much further out, whose text is so far from the side. */
const nestedMin = 0.5
const textIndentMin = 0.7

/** Items further in are of a list this deep: what stands before their lines would else be longer than they are. */
const nestingMax = 8

/**
 * The blocks, whose levels are known, with how many lists each item is inside of, as its place tells where the document does not, and with the
 * paragraphs and the code that stand below the text of an item as parts of it.
 */
export const withLists = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const areContents = contentsIn(blocks)
  const lists = new OpenItems()
  const placed: Array<Block> = []
  for (const block of blocks) {
    const item = itemOf(block)
    if (item !== undefined) {
      placed.push({ ...item, depth: lists.add(item) })
      continue
    }
    const isTold = block.kind !== "table" && block.itemLevel !== undefined
    const itemLevel = areContents.has(block) ? lists.levelOf(block) : undefined
    const last = placed.at(-1)
    if (block.kind === "table" || itemLevel === undefined) {
      if (!isTold) lists.end()
      placed.push(block)
    } else if (block.kind === "text" && last?.kind === "text" && goesOn(last, block, itemLevel))
      placed[placed.length - 1] = withBelow(last, block)
    else placed.push({ ...block, itemLevel })
  }
  return placed
}

const isHeading = (block: Block): boolean => block.kind === "text" && (block.level ?? 0) > 0

const itemOf = (block: Block): TextBlock | undefined =>
  block.kind === "text" && block.item !== undefined && !isHeading(block) ? block : undefined

/** Both are parts of one item, on one page. */
const goesOn = (last: TextBlock, block: TextBlock, level: number): boolean =>
  last.page === block.page &&
  last.text.length <= joinedCharactersMax &&
  (last.item === undefined ? last.itemLevel : last.depth) === level

/** The text with another one in a line of its own, or as the rest of its last line, where that has no room for more. */
const withBelow = (block: TextBlock, { place, spans }: TextBlock): TextBlock => {
  const isFull =
    block.place !== undefined && (place?.wordWidth ?? 0) + spaceWidth * block.size > block.place.room
  const joined = isFull ? continued(block.spans, spans) : [...block.spans, { text: "\n", link: "" }, ...spans]
  const room = block.place && place && { ...block.place, room: place.room }
  return { ...block, spans: joined, text: textOf(joined), ...(room && { place: room }) }
}

/** A share of the size. */
const spaceWidth = 0.25

interface OpenItem {
  readonly block: TextBlock
  readonly depth: number
}

/** The items that the next block may be inside of, the outermost one first. */
class OpenItems {
  #items: ReadonlyArray<OpenItem> = []

  /** How many lists the item is inside of. */
  add(block: TextBlock): number {
    const outer = this.#items
      .filter((item) => item.block.left < block.left - nestedMin * block.size)
      .slice(0, nestingMax)
    const depth = Math.min(nestingMax, block.depth ?? outer.length)
    this.#items = [...outer, { block, depth }]
    return depth
  }

  /** The level of the item below whose text the block stands. */
  levelOf(block: Block): number | undefined {
    const at = this.#items.findLastIndex((item) => standsBelow(item.block, block))
    const found = this.#items[at]
    if (found !== undefined) this.#items = this.#items.slice(0, at + 1)
    return found?.depth
  }

  end(): void {
    this.#items = []
  }
}

/**
 * What begins below the text of an item before it. Where more texts of that kind begin there that follow no item, as do
 * paragraphs in a document whose marks stand outside of its text, none is a part of one.
 */
const contentsIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const lists = new OpenItems()
  const below = new Map<Block, string>()
  const balances = new Map<string, number>()
  for (const block of blocks) {
    const item = itemOf(block)
    if (item !== undefined) {
      lists.add(item)
      continue
    }
    const kind = `${block.kind} ${Math.round((indentOf(block) ?? 0) / sameIndent)}`
    const isBelow = !isHeading(block) && lists.levelOf(block) !== undefined
    if (isBelow) below.set(block, kind)
    else lists.end()
    balances.set(kind, (balances.get(kind) ?? 0) + (isBelow ? 1 : -1))
  }
  return new Set([...below].filter(([, kind]) => (balances.get(kind) ?? 0) >= 0).map(([block]) => block))
}

const indentOf = (block: Block): number | undefined => {
  if (block.kind === "table") return undefined
  return block.kind === "code" ? block.indent : block.place?.indent
}

const standsBelow = ({ place, size }: TextBlock, block: Block): boolean => {
  const indent = indentOf(block)
  if (place === undefined || indent === undefined || place.textIndent < textIndentMin * size) return false
  const further = indent - place.textIndent
  // The first line of an item's paragraph may be indented, which code is not.
  if (block.kind === "code") return indent > place.indent + nestedMin * size && further < codeIndentMax
  return Math.abs(further) < sameIndent && block.kind === "text" && isAlike(block, size)
}

const isAlike = ({ size, place, isParted, isNote }: TextBlock, itemSize: number): boolean =>
  Math.abs(size - itemSize) < sameSize && place?.isFlush === true && !isParted && isNote !== true
