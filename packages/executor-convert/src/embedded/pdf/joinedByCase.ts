import { hasNumbersOf } from "./Cells.ts"
import type { Piece } from "./figures.ts"
import { isLower } from "./ListMark.ts"

/** The rows, with one that begins in lower case as a part of the row above, where not both have a number in one column. */
export const joinedByCase = (
  rows: ReadonlyArray<ReadonlyArray<Piece>>,
): ReadonlyArray<ReadonlyArray<Piece>> => {
  const joined: Array<Array<Piece>> = []
  for (const row of rows) {
    const above = joined.at(-1)
    const [first] = [...row].sort((a, b) => a.column - b.column)[0]?.words ?? []
    if (above !== undefined && first !== undefined && isLower(first) && !haveBothNumbers(above, row))
      for (const piece of row) above.push(piece)
    else joined.push([...row])
  }
  return joined
}

const haveBothNumbers = (above: ReadonlyArray<Piece>, row: ReadonlyArray<Piece>): boolean =>
  above.length <= joinedPiecesMax && hasNumbersOf(above, row)

/** Each row looks at those of the row above; one with numbers has few lines. */
const joinedPiecesMax = 100
