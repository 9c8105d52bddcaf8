import { type Row, rowsOf, type Segment } from "./Lines.ts"

/** Rows of a column, `to` being behind the last, that hold texts beside one another. */
interface Band {
  readonly from: number
  readonly to: number
  readonly texts: ReadonlyArray<ReadonlyArray<Segment>>
}

/** A text of a band, or what stands above, between or below bands. */
interface Part<B> {
  readonly segments: ReadonlyArray<Segment>
  readonly band?: B
}

/**
 * The segments of a column, with the texts of each band as parts of their own. `bandAt` finds the band around a row, from
 * the row behind the last band on.
 */
export const partsByBands = <B extends Band>(
  segments: ReadonlyArray<Segment>,
  bandAt: (rows: ReadonlyArray<Row>, at: number, first: number) => B | undefined,
): ReadonlyArray<Part<B>> => {
  const rows = rowsOf(segments)
  const parts: Array<Part<B>> = []
  let end = 0
  const addUpTo = (to: number): void => {
    const own = rows.slice(end, to).flatMap((row) => row.segments)
    if (own.length > 0) parts.push({ segments: own })
  }
  for (let index = 0; index < rows.length; index++) {
    const band = bandAt(rows, index, end)
    if (band === undefined) continue
    addUpTo(band.from)
    for (const text of band.texts) parts.push({ segments: text, band })
    end = band.to
    index = end - 1
  }
  if (end === 0) return [{ segments }]
  addUpTo(rows.length)
  return parts
}
