import type { Block, TextBlock } from "./Blocks.ts"
import { isFullBefore, sameIndent, sameSize } from "./joinBlocks.ts"
import { continued, joinedCharactersMax, textOf } from "./joinWords.ts"

/** Points: how much further in than the text of its item code may begin. */
const codeIndentMax = 24

/** Shares of the size: an item is inside of one that begins so much further out, whose text is so far from the side. */
const nestedMin = 0.5
const textIndentMin = 0.7

/** Points: what begins further to the side stands in another column. */
const columnMin = 120

/** Items further in are of a list this deep: what stands before their lines would else be longer than they are. */
const nestingMax = 8

/**
 * The blocks, whose levels are known, with how many lists each item is inside of, as its place tells where the document
 * does not, and with the paragraphs and the code that stand below the text of an item as parts of it.
 */
export const withLists = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const areContents = contentsIn(blocks)
  const lists = new OpenItems()
  const placed: Array<Block> = []
  /** An item, or a part of one, and the texts that go on in it. */
  let first: TextBlock | undefined
  let others: Array<TextBlock> = []
  let characters = 0
  const begin = (next?: TextBlock): void => {
    if (first !== undefined) placed.push(joined(first, others))
    first = next
    others = []
    characters = 0
  }
  for (const block of blocks) {
    const item = itemOf(block)
    const itemLevel = item === undefined && areContents.has(block) ? lists.levelOf(block) : undefined
    if (item !== undefined) begin({ ...item, depth: lists.add(item) })
    else if (block.kind === "text" && itemLevel !== undefined) {
      if (first === undefined || !goesOn(first, block, itemLevel) || characters > joinedCharactersMax)
        begin({ ...block, itemLevel })
      else others.push(block)
    } else {
      begin()
      const told = block.kind === "table" ? undefined : block.itemLevel
      const level = told === undefined ? itemLevel : lists.levelOfTold(told)
      if (level === undefined) lists.end()
      placed.push(block.kind === "table" || level === undefined ? block : { ...block, itemLevel: level })
    }
    characters += block.kind === "text" ? block.text.length : 0
  }
  begin()
  return placed
}

const isHeading = (block: Block): boolean => block.kind === "text" && (block.level ?? 0) > 0

const itemOf = (block: Block): TextBlock | undefined =>
  block.kind === "text" && block.item !== undefined && !isHeading(block) ? block : undefined

/** Both are parts of one item, on one page. */
const goesOn = (first: TextBlock, block: TextBlock, level: number): boolean =>
  first.page === block.page && (first.item === undefined ? first.itemLevel : first.depth) === level

/** The first text with the others, each in a line of its own, or as the rest of a line that has no room for more. */
const joined = (first: TextBlock, others: ReadonlyArray<TextBlock>): TextBlock => {
  if (others.length === 0) return first
  const spans = [...first.spans]
  for (const [index, next] of others.entries()) {
    const isFull = !next.isParted && isFullBefore(others[index - 1] ?? first, next.place)
    const added = isFull ? continued(spans.splice(-1), next.spans) : [{ text: "\n", link: "" }, ...next.spans]
    for (const span of added) spans.push(span)
  }
  return { ...first, spans, text: textOf(spans) }
}

interface OpenItem {
  readonly block: TextBlock
  readonly depth: number
  /** Where it begins, as if it stood in the column of the first one. */
  readonly left: number
}

/** The items that the next block may be inside of, the outermost one first. */
class OpenItems {
  #items: ReadonlyArray<OpenItem> = []
  #side = 0

  /** How many lists the item is inside of. */
  add(block: TextBlock): number {
    const side = block.left - (block.place?.indent ?? 0)
    if (this.#items.length === 0) this.#side = side
    const left = block.left - (Math.abs(side - this.#side) > columnMin ? side - this.#side : 0)
    const { depth: told } = block
    const isOuter = (item: OpenItem): boolean =>
      told === undefined ? item.left < left - nestedMin * block.size : (item.block.depth ?? item.depth) < told
    const outer = this.#items.filter(isOuter).slice(0, nestingMax)
    const depth = outer.length
    this.#items = [...outer, { block, depth, left }]
    return depth
  }

  /** The level here of the items whose depth the document tells so. */
  levelOfTold(told: number): number {
    return this.#items.findLast(({ block }) => block.depth === told)?.depth ?? told
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

const standsBelow = (item: TextBlock, block: Block): boolean => {
  const { place, size } = item
  const indent = indentOf(block)
  if (place === undefined || indent === undefined || place.textIndent < textIndentMin * size) return false
  const further = indent - place.textIndent
  // The first line of an item's paragraph may be indented, which code is not.
  if (block.kind === "code") return indent > place.indent + nestedMin * size && further < codeIndentMax
  return Math.abs(further) < sameIndent && block.kind === "text" && isAlike(block, item)
}

/** Below an item with a place at the other side, as in a résumé, one with a date there may be a little smaller. */
const isAlike = ({ size, place, isParted, isNote }: TextBlock, item: TextBlock): boolean => {
  const isSameSize = Math.abs(size - item.size) < sameSize
  const isSame = isParted ? item.isParted && size > smallerMin * item.size && size <= item.size : isSameSize
  return isSame && place?.isFlush === true && isNote !== true
}

const smallerMin = 0.8
