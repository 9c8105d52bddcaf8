import type { Piece } from "./figures.ts"
import { type Column, columnsOver } from "./headRows.ts"
import type { Row } from "./Lines.ts"
import type { Word } from "./Word.ts"

const columnsMin = 3
/** Words of one cell: a longer text is no head. */
const wordsMax = 200
/** The share of the columns that have a head. */
const coveredMin = 0.7

/**
 * The cells of a row of heads above columns, also where a space is all that parts two of them: a word stands above the
 * column that it is over, and one over none in the cell of the next. Undefined where the row is no such head.
 */
export const headInColumns = (
  { segments, baseline, size }: Row,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Piece> | undefined => {
  const cells = new Map<number, Array<Word>>()
  let last = -1
  for (const { words, table } of segments) {
    if (table !== undefined || words.length > wordsMax) return undefined
    const over = words.map((word) => columnsOver(word, columns))
    if (over.some(({ length }) => length > 1)) return undefined
    const own = new Set<number>()
    for (const [index, word] of words.entries()) {
      const behind = over.slice(index).flat()[0]
      const column = behind ?? over.slice(0, index).flat().at(-1) ?? nearest(word, columns)
      if (column < last || (column === last && !own.has(column))) return undefined
      own.add(column)
      last = column
      const cell = cells.get(column)
      if (cell === undefined) cells.set(column, [word])
      else cell.push(word)
    }
  }
  if (cells.size < columnsMin || cells.size < coveredMin * columns.length) return undefined
  return [...cells].map(([column, words]) => ({ words, column, baseline, size }))
}

/** The column that is least far from the word. */
const nearest = (word: Word, columns: ReadonlyArray<Column>): number => {
  const far = columns.map(({ left, right }) => Math.max(left - word.right, word.left - right))
  return far.indexOf(Math.min(...far))
}
