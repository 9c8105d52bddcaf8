import type { Block, TextBlock } from "./Blocks.ts"
import { beginsCaption } from "./captions.ts"
import { isFullBefore, isNote, isSentenceOver, joinedText, sameIndent, sameSize } from "./joinBlocks.ts"
import { joinedCharactersMax } from "./joinWords.ts"

/** Blocks that a text may go on past, and the letters of a text and of a label in a figure. */
const betweenMax = 60
const textLettersMin = 40
const labelLettersMax = 40
/** Points: texts that begin further apart stand in two columns. */
const columnsApart = 60

/** A paragraph whose sentence is not over, and what was passed since. */
interface Open {
  readonly index: number
  readonly text: TextBlock
  /** Where its last part begins. */
  readonly left: number
  readonly page: number | undefined
  readonly between: number
  readonly hasCaption: boolean
}

/**
 * The blocks, with paragraphs that go on past figures and tables, with their captions and labels, or past notes in smaller
 * type at the end of a column, in one: these come behind it.
 */
export const pastFigures = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const written: Array<Block> = []
  let open: ReadonlyArray<Open> = []
  for (const block of blocks) {
    const at = block.kind === "text" ? open.findLastIndex((each) => goesOnPast(each, block)) : -1
    const last = open[at]
    if (last !== undefined && block.kind === "text") {
      const text = joinedText(last.text, block)
      written[last.index] = text
      const goesOn = isOpen(text) ? [{ ...openAt(text, last.index), left: block.left, page: block.page }] : []
      open = [...open.slice(0, at), ...goesOn]
      continue
    }
    written.push(block)
    const isCaption = block.kind === "text" && beginsCaption(block.text)
    // A title or an introduction in larger type may look open; what stands below it may be open, too.
    const passed = open
      .filter((each) => isBetween(each.text, block))
      .map((each) => ({ ...each, between: each.between + 1, hasCaption: each.hasCaption || isCaption }))
    open = isOpen(block) ? [...passed.slice(1 - openMax), openAt(block, written.length - 1)] : passed
  }
  return written
}

/** Texts of different sizes that may go on. */
const openMax = 3

const openAt = (text: TextBlock, index: number): Open => ({
  index,
  text,
  left: text.left,
  page: text.page,
  between: 0,
  hasCaption: false,
})

const isOpen = (block: Block): block is TextBlock =>
  block.kind === "text" &&
  block.item === undefined &&
  block.place !== undefined &&
  block.text.length >= textLettersMin &&
  block.text.length <= joinedCharactersMax &&
  !isNote(block) &&
  !beginsCaption(block.text) &&
  !isSentenceOver(block.text) &&
  endsInWord.test(block.text.slice(-endCharactersMax))

/** A formula ends in signs, or with its number. */
const endsInWord = /(?:(?<!\([\d.]{0,8})[\p{L}\d)\]]{2}|\s[aAI])[,’']?-?$/u
const endCharactersMax = 20

/** A figure or table, what belongs to it, or a note in smaller type: no text of the size of the open one. */
const isBetween = (open: TextBlock, block: Block): boolean => {
  if (block.kind !== "text") return block.kind === "table"
  if (isNote(block) || beginsCaption(block.text) || block.size < open.size - sameSize) return true
  const isLabel = block.lines === 1 && block.text.length <= labelLettersMax
  return isLabel && Math.abs(block.size - open.size) < sameSize && block.family !== open.family
}

/** A word in lower case with more behind it: a single one may be a label. */
const beginsInText = /^\p{Ll}[\p{L}’'-]*[.,;:)]*\s/u

/** In lower case, in the same type and at the side of its column; the last line of the open text had no room for its first word. */
const goesOnPast = ({ text, left, page, between, hasCaption }: Open, next: TextBlock): boolean =>
  between > 0 &&
  between <= betweenMax &&
  (hasCaption || page !== next.page || Math.abs(left - next.left) > columnsApart) &&
  beginsInText.test(next.text) &&
  next.item === undefined &&
  next.bold === text.bold &&
  next.level === text.level &&
  Math.abs(next.size - text.size) < sameSize &&
  (next.family === text.family || next.family === "" || text.family === "") &&
  next.place !== undefined &&
  Math.abs(next.place.indent) < sameIndent &&
  !isNote(next) &&
  isFullBefore(text, next.place)
