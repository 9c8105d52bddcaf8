import { median } from "./Cells.ts"
import type { Row } from "./Lines.ts"
import { isSign } from "./ListMark.ts"

/** A line that begins with the sign of an item is one, whatever its font. */
export const isCode = ({ segments }: Row): boolean =>
  !isSign(segments[0]?.words[0]?.text ?? "") &&
  segments.every(({ words, table }) => table === undefined && words.every(({ mono }) => mono))

/** The usual height between lines of code that follow one another, as a share of their size; 0 if none do. */
const codeHeightOf = (rows: ReadonlyArray<Row>): number => {
  const heights: Array<number> = []
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1]
    if (above === undefined || !isCode(row) || !isCode(above)) continue
    const height = (row.baseline - above.baseline) / row.size
    if (height < codeHeightMax) heights.push(height)
  }
  return heights.length === 0 ? 0 : median(heights)
}

const codeHeightMax = 2

/** How far lines of one listing may be from one another with an empty line between them, as a share of their size. */
export const listingHeightMax = (rows: ReadonlyArray<Row>): number =>
  Math.max(emptyLineMin, emptyLineMax * codeHeightOf(rows))

const emptyLineMin = 3.2
const emptyLineMax = 2.1
