import type { Row } from "./Lines.ts"

/** A share of the size. */
const leadingMax = 3.2
/** Points. */
const sameSide = 3

/** A table is above the row, which stands close below its last line, with something in several of its columns. */
export const goesOnInColumns = (above: Row | undefined, { segments, baseline, size }: Row): boolean => {
  const table = above?.segments[0]?.table
  if (table === undefined || segments.length < 2) return false
  const last = [...table.words].reduce((most, word) => Math.max(most, word.baseline), table.top)
  if (baseline - last > leadingMax * size) return false
  const columns = segments.map(({ left, right }) =>
    table.sides.findIndex(
      (side, column) => left > side - sameSide && right < (table.sides[column + 1] ?? side) + sameSide,
    ),
  )
  return columns.every((column, at) => column > (columns[at - 1] ?? -1))
}
