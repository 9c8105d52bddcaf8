import { isFixedWidth } from "@atelier/executor/flow"
import type { Block, TextBlock } from "./Blocks.ts"
import { beginsCaption } from "./captions.ts"
import { sameSize } from "./joinBlocks.ts"
import { runsOf } from "./runs.ts"

/** Lines such as "Options:" above a list or code, which they introduce. */
export const labelsIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> =>
  new Set(
    blocks.filter((block, index) => {
      const next = blocks[index + 1]
      const isItem = next?.kind === "text" && (next.item === "bullet" || (next.item === 1 && !next.bold))
      const isIntroduced = next?.kind === "code" || isItem
      return block.kind === "text" && isIntroduced && block.item !== "bullet" && block.text.endsWith(":")
    }),
  )

/** A label with a colon, and what is filled in behind it: no number is in the label, as of a title that is counted. */
const filledLabel = /^\p{Lu}[\p{L}\p{Pd}\p{Ps}\p{Pe}'’/&. ]{1,40}: ?[^\s:]/u
const filledMin = 3

/** What is said more often is no title. */
export const sameTitlesMax = 2

/** Labels in bold, with what is filled in, that follow one another line by line among others, as at the head of minutes. */
export const filledLabelsIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const labels = blocks.map((block) =>
    block.kind === "text" && block.item === undefined && filledLabel.test(block.text) ? block : undefined,
  )
  const runs = runsOf(labels, () => true).filter(({ length }) => length >= filledMin)
  return new Set(
    runs.flatMap((run) =>
      run.filter(
        ({ bold }, index) => bold && (run[index - 1]?.bold === true || run[index + 1]?.bold === true),
      ),
    ),
  )
}

/** Bold lines below titles that say the same of each, such as `Severity: low`: not as a title does, whose label has a number. */
export const fieldsBelowTitlesIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const labelled = blocks.filter((block, index): block is TextBlock => {
    const above = blocks[index - 1]
    if (block.kind !== "text" || !block.bold || above?.kind !== "text" || !above.bold) return false
    return filledLabel.test(block.text) && above.item === undefined && above.size >= block.size
  })
  const byLabel = Map.groupBy(labelled, ({ text }) => text.slice(0, text.indexOf(":")))
  return new Set([...byLabel.values()].filter(({ length }) => length >= filledMin).flat())
}

/** Links that stand in lines of their own with the same text again and again lead somewhere. */
export const repeatedLinksIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const links = blocks.filter(
    (block): block is TextBlock =>
      block.kind === "text" &&
      block.bold &&
      block.spans.every(({ text, link }) => link !== "" || text.trim() === ""),
  )
  const byText = Map.groupBy(links, ({ text }) => text)
  return new Set([...byText.values()].filter(({ length }) => length > sameTitlesMax).flat())
}

/** Lines that look like the caption above them, which they go on with: a table is below them, or it is not at its end. */
export const captionRestsIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> =>
  new Set(
    blocks.filter((block, index) => {
      const [caption, next] = [blocks[index - 1], blocks[index + 1]]
      if (block.kind !== "text" || caption?.kind !== "text" || !beginsCaption(caption.text)) return false
      const isAlike = block.bold === caption.bold && Math.abs(block.size - caption.size) < sameSize
      return (
        isAlike && !beginsCounted(block.text) && (next?.kind === "table" || !/[.!?)]$/.test(caption.text))
      )
    }),
  )

/** Lines that follow one another and end with numbers that do not go down: entries of a table of contents without dots. */
export const entriesIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const found = new Set<Block>()
  let run: Array<Entry> = []
  const end = (): void => {
    const names = new Set(run.map(({ name }) => name))
    if (names.size >= entriesMin) for (const { block } of run) found.add(block)
    run = []
  }
  for (const block of blocks) {
    const entry = block.kind === "text" ? entryOf(block) : undefined
    if (entry === undefined || entry.number < (run.at(-1)?.number ?? 0)) end()
    if (entry !== undefined) run.push(entry)
  }
  end()
  return found
}

interface Entry {
  readonly block: Block
  readonly name: string
  readonly number: number
}

const entriesMin = 5

/** A text that ends with a number, with a number or several words before it: what is counted, as `Note 3`, has one. */
const entryOf = (block: TextBlock): Entry | undefined => {
  const at = block.text.lastIndexOf(" ")
  const [name, digits] = [block.text.slice(0, Math.max(0, at)), block.text.slice(at + 1)]
  const isNamed = /^\d.*\p{L}/u.test(name) || /\p{L}\P{L}+\p{L}/u.test(name)
  return isNamed && /^\d{1,4}$/.test(digits) ? { block, name, number: Number(digits) } : undefined
}

/**
 * Lines that go on with the sentence of the line above, which is hardly smaller, and no larger, and is no title; or with
 * what that enumerates in the same type up to a comma, such as the authors of a paper.
 */
export const restsOfTextIn = (
  blocks: ReadonlyArray<Block>,
  isTitle: (block: TextBlock) => boolean,
): ReadonlySet<Block> => {
  const rests = new Set<Block>()
  for (const [index, block] of blocks.entries()) {
    const above = blocks[index - 1]
    if (block.kind !== "text" || above?.kind !== "text") continue
    const isNear = above.size <= block.size + sameSize && block.size < nearSizeMax * above.size
    const goesOn = /^\p{Ll}/u.test(block.text) && /[\p{L}\d,]$/u.test(above.text)
    const isListed =
      Math.abs(above.size - block.size) < sameSize &&
      /[,;]$/.test(above.text) &&
      block.item === undefined &&
      !beginsCounted(block.text)
    if (isNear && (goesOn || isListed) && block.bold === above.bold && (rests.has(above) || !isTitle(above)))
      rests.add(block)
  }
  return rests
}

const nearSizeMax = 1.3

/** What stands above or below the line of a fraction, for example: no word is in it. Names of programs are as short. */
export const isSymbols = ({ text, bold, family }: TextBlock, isTitleSize: boolean): boolean =>
  !(bold && isFixedWidth(family)) &&
  /^\p{Ll}/u.test(text) &&
  !/\p{L}{5}/u.test(text) &&
  !(bold && (isTitleSize ? /\p{L}{2}/u : /^\p{L}{3}/u).test(text))

/** A sign of a formula that is larger than others, such as a sum: a title of one letter is in capitals. */
export const isSign = (text: string): boolean => /^[\p{Script=Greek}\p{Sm}]$/u.test(text)

/**
 * Items in bold between the item before and the next one of the same list, which are not in bold: their texts begin in the
 * line below.
 */
export const boldItemsIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const isItem = (block: Block | undefined, item: TextBlock, number: number): boolean =>
    block?.kind === "text" &&
    block.item === number &&
    !block.bold &&
    block.size === item.size &&
    Math.abs(block.left - item.left) < sameLeft
  return new Set(
    blocks.filter((block, index) => {
      if (block.kind !== "text" || !block.bold || typeof block.item !== "number") return false
      const { item } = block
      const before = blocks.slice(Math.max(0, index - itemBlocksMax), index)
      const after = blocks.slice(index + 1, index + 1 + itemBlocksMax)
      return (
        before.some((other) => isItem(other, block, item - 1)) &&
        after.some((other) => isItem(other, block, item + 1))
      )
    }),
  )
}

/** Points. */
const sameLeft = 2
/** An item and the texts that belong to it. */
const itemBlocksMax = 4

/** The number of a version, its date, or both. */
export const isVersion = (text: string): boolean =>
  /^\[?\d{1,4}(?:\.\d{1,4}){2,3}\]?$/.test(text) ||
  /^(?:\[?\d{1,4}(?:\.\d{1,4}){1,3}\]?:? (?:[-–—] )?\(?)?\d{4}-\d{2}-\d{2}\)?$/.test(text) ||
  /^\[?\d{1,4}(?:\.\d{1,4}){1,3}\]?:? (?:[-–—] )?\(?[\p{L}\d., ]{3,14} \d{4}\)?$/u.test(text)

/** Nothing but the words that algorithms are written with, in bold. */
export const isKeyword = (text: string): boolean =>
  /^(?:begin|do|else|end|loop|repeat|then)(?: (?:if|for|loop|while|procedure|function))?$/.test(text)

/** Where a quotation comes from, behind a dash, or what is in a figure, behind a label. */
export const isSource = (text: string): boolean =>
  (/^[—–―] ?[\p{L}"“]/u.test(text) && !/[—–―]$/.test(text)) || /^(?:sources?|quellen?|fuentes?): /i.test(text)

/** A note behind its sign, and not in capitals, or an address that the program which printed the page has put there. */
export const isNoteOrAddress = (text: string): boolean =>
  /^(?:[*†‡] ?\p{L}[^\p{Ll}]{0,80}\p{Ll}|https?:\/\/\S)/u.test(text)

/** What is said of a page or a form: which of the pages it is, or a label with a number, a date or a time. */
export const isStamp = (text: string): boolean =>
  /^(?:page|seite|página):? ?\d+ ?(?:of|von|de|\/) ?\d+$/iu.test(text) ||
  /^\p{L}{2,20} ?: ?\d[\d:/.-]*(?: [ap]\.?m\.?)?$/iu.test(text)

/** The text begins with the number of a title, such as `2.1`, `IV.`, `Chapter 3` or `§ 3`, and goes on after it. */
export const beginsCounted = (text: string): boolean => {
  const [first = "", second = "", third] = text.split(" ", 3)
  if (titleNumber.test(first)) return second !== ""
  return third !== undefined && /^(?:\p{L}{1,12}|§)$/u.test(first) && titleNumber.test(second)
}

/** No part of it can be read in two ways: a text made for it would otherwise take a time that doubles with each letter. */
const titleNumber = /^(?:[IVX]+|\p{Lu}(?=\.\d)|\p{L}{0,12}\d{1,3})(?:\.(?:\d{1,3}|[IVX]+))*\.?$/u
