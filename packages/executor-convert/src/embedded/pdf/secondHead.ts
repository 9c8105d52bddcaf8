import type { TableBlock } from "./Blocks.ts"
import { textOf } from "./joinWords.ts"

type Table = Pick<TableBlock, "rows">

const headsMin = 2
/** The share of the cells below the heads that are numbers, and how many there are. */
const figuresMin = 0.8
const figureCellsMin = 4
/** More rows tell no more. */
const rowsMax = 50

/**
 * The second table has a head of its own, another one than the first: heads above numbers, or words that stand in no row
 * of both but the first, with other numbers in them.
 */
export const hasSecondHead = (above: Table, below: Table): boolean => {
  if (hasSameWords(above, below)) return true
  const [first, second] = [headsOf(above), headsOf(below)]
  if (first === undefined || second === undefined) return false
  return first.some((text, column) => text !== "" && second[column] !== "" && second[column] !== text)
}

const hasSameWords = (above: Table, below: Table): boolean => {
  const textsOf = ({ rows }: Table): ReadonlyArray<ReadonlyArray<string>> =>
    rows.slice(0, rowsMax).map((row) => row.map(textOf))
  const [[first, ...rest], [second, ...others]] = [textsOf(above), textsOf(below)]
  if (first === undefined || second === undefined || first.join("\n") === second.join("\n")) return false
  const wordsIn = (row: ReadonlyArray<string>): string => row.join("\n").replaceAll(/\d+/g, "")
  const words = wordsIn(first)
  return (
    first.filter(isWords).length >= headsMin &&
    words === wordsIn(second) &&
    ![...rest, ...others].some((row) => wordsIn(row) === words)
  )
}

/** The texts of the first row, where most columns have words in it and numbers below. */
const headsOf = ({ rows }: Table): ReadonlyArray<string> | undefined => {
  const [heads = [], ...body] = rows.slice(0, rowsMax).map((row) => row.map(textOf))
  const over = heads.flatMap((text, column) => (column > 0 && isWords(text) ? [column] : []))
  if (over.length < headsMin || 2 * over.length < heads.length || heads.some(isFigures)) return undefined
  const cells = body.flatMap((row) => over.map((column) => row[column] ?? "")).filter((text) => text !== "")
  const figures = cells.filter(isFigures).length
  return figures >= figureCellsMin && figures >= figuresMin * cells.length ? heads : undefined
}

const isWords = (text: string): boolean => /\p{L}{2}/u.test(text)

const isFigures = (text: string): boolean => /\d/.test(text) && /^[\d\p{Sc}.,:%*†()+–—−\s-]+$/u.test(text)
