import type { Piece } from "./figures.ts"
import { isLower } from "./ListMark.ts"
import { sentenceEnd } from "./sentences.ts"

type Row = ReadonlyArray<Piece>

/** Of the line that goes on: the words of a text, which are no cell of a list. */
const wordsMin = 4
/** Shares of the size: a space, and the height between two lines of a cell. */
const space = 0.25
const leadingMax = 1.4

/**
 * The rows, with one that has nothing but the rest of a text as a part of the row above: it stands close below in a column
 * but the first, goes on in lower case, or behind lines of a text whose sentence is not over, and its first word had no room
 * in the line above.
 */
export const withWrappedTexts = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const rights = new Map<number, number>()
  for (const { column, words } of rows.flat())
    rights.set(column, Math.max(rights.get(column) ?? 0, words.at(-1)?.right ?? 0))
  const joined: Array<Array<Piece>> = []
  for (const row of rows) {
    const above = joined.at(-1)
    const [piece, none] = row
    const isRest =
      piece !== undefined && none === undefined && above !== undefined && goesOn(above, piece, rights)
    if (isRest) above.push(piece)
    else joined.push([...row])
  }
  return joined.length === rows.length ? rows : joined
}

const goesOn = (above: Row, piece: Piece, rights: ReadonlyMap<number, number>): boolean => {
  const { column, words, baseline, size } = piece
  const [first] = words
  const line = above.findLast((other) => other.column === column)
  if (column === 0 || first === undefined || line === undefined) return false
  const hasMore = above.some((other) => other !== line && other.column === column)
  const isOpen = hasMore && !sentenceEnd.test(line.words.at(-1)?.text ?? "")
  if (!isLower(first) && !isOpen) return false
  if (line.words.length < wordsMin || baseline - line.baseline > leadingMax * size) return false
  const room = (rights.get(column) ?? 0) - (line.words.at(-1)?.right ?? 0)
  return baseline > line.baseline && first.right - first.left + space * size > room
}
