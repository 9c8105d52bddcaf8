import { median } from "./Cells.ts"
import { beginsIdeographic } from "./joinWords.ts"
import type { Row } from "./Lines.ts"
import { isSign } from "./ListMark.ts"
import type { Word } from "./Word.ts"

/** A line that begins with the sign of an item is one; with one that code has, too, where it is in another font. */
export const isCode = ({ segments }: Row): boolean => {
  const words = segments.flatMap((segment) => segment.words)
  const [first, next] = words
  if (!segments.every(({ table }) => table === undefined)) return false
  if (first !== undefined && next !== undefined && isTick(first, next)) return areCode(words.slice(1))
  return !isMark(first) && areCode(words)
}

const isMark = (word: Word | undefined): boolean =>
  word !== undefined && isSign(word.text) && !(word.mono && /^[-+*]$/.test(word.text))

/** A command has ticked off what its line says, a space behind the tick. */
const isTick = ({ text, right }: Word, next: Word): boolean => {
  const width = (next.right - next.left) / next.text.length
  return (
    /^[✓✔✕-✘✅❌]\ufe0f?$/u.test(text) && next.mono && Math.abs(next.left - right - width) < sameWidth * width
  )
}

/**
 * Words of code, with comments and texts in Chinese, Japanese or Korean, which fonts of equal widths lack, in a font of as
 * large a size.
 */
export const areCode = (words: ReadonlyArray<Word>): boolean => {
  let [isWithin, isComment] = [false, false]
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    isComment ||= before !== undefined && commentSign.test(before.text)
    if (isCodeWord(word)) {
      isWithin = false
      continue
    }
    if (before !== undefined && isComment && isPicture.test(word.text)) continue
    if (before === undefined || !beginsEastAsian.test(word.text) || !isAsLarge(before, word)) return false
    const isText = word.left - before.right < touching * word.size && textSign.test(before.text)
    if (!isWithin && !isComment && !isText) return false
    isWithin = true
  }
  return words.some(({ mono }) => mono)
}

/** Such as an emoji, which has a font of its own. */
const isPicture = /^[^\p{L}\p{N}]{1,8}$/u

const beginsEastAsian = new RegExp(`${beginsIdeographic.source}|^\\p{Script=Hangul}`, "u")

const isAsLarge = (one: Word, other: Word): boolean => Math.abs(one.size - other.size) < sameSize * other.size

/** What stands before a comment, and, without a gap, before a text. */
const commentSign = /(?:\/\/|\/?\*|#|--|;;|%)$/
const textSign = /[/*#\-;%"'`>]$/
/** Shares of the size. */
const touching = 0.15
const sameSize = 0.05
/** A share of the width of a character. */
const sameWidth = 0.1

/** The straight quotation marks before code may be those of another font. */
export const isCodeWord = ({ mono, codeFrom, text }: Word): boolean =>
  mono || (codeFrom === 1 && /^["'`]/.test(text))

/** The usual height between lines of code that follow one another, as a share of their size; 0 if none do. */
const codeHeightOf = (rows: ReadonlyArray<Row>): number => {
  const heights: Array<number> = []
  let above: Row | undefined
  for (const row of rows) {
    const code = isCode(row) ? row : undefined
    const height = (row.baseline - (above?.baseline ?? row.baseline)) / row.size
    if (code !== undefined && above !== undefined && height < codeHeightMax) heights.push(height)
    above = code
  }
  return heights.length === 0 ? 0 : median(heights)
}

const codeHeightMax = 2

/** How far lines of one listing may be from one another with an empty line between them, as a share of their size. */
export const listingHeightMax = (rows: ReadonlyArray<Row>): number =>
  Math.max(emptyLineMin, emptyLineMax * codeHeightOf(rows))

const emptyLineMin = 3.2
const emptyLineMax = 2.1
