import type { Piece } from "./figures.ts"

type Row = ReadonlyArray<Piece>

/** A share of the size: how far from the middle of its rows a label stands. */
const centredMax = 0.35
const labelsMin = 2
/** Share of the other cells that hold something. */
const filledMin = 0.7

/**
 * The rows, with labels of the first column that are centred beside several rows in the first of these: a cell that is
 * merged over them belongs to all. As they are where not every row has such a label.
 */
export const withCentredLabels = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const begin = rows.findIndex((row) => row.length > 0 && row.every(({ column }) => column > 0))
  // Below a head, whose rows have cells in all columns; the first row of all but a head has no label then.
  if (begin < 0 || begin > headRowsMax || rows.slice(0, begin).some((row) => labelOf(row).length === 0))
    return rows
  const below = rows.slice(begin)
  const data = below.map((row) => row.filter(({ column }) => column > 0)).filter(({ length }) => length > 0)
  const labels = below.map(labelOf).filter(({ length }) => length > 0)
  if (labels.length < labelsMin || labels.length >= data.length) return rows
  // Where other cells are empty, too, so may be those of labels.
  const columns = new Set(data.flat().map(({ column }) => column)).size
  const filled = data.reduce((sum, row) => sum + new Set(row.map(({ column }) => column)).size, 0)
  if (filled < filledMin * columns * data.length) return rows
  const placed = data.map((row) => [...row])
  let from = 0
  for (const label of labels) {
    const middle = (topOf(label) + bottomOf(label)) / 2
    const near = centredMax * (label[0]?.size ?? 0)
    let to = from
    while (to < data.length && Math.abs((topOf(data[from]) + bottomOf(data[to])) / 2 - middle) > near) to++
    const first = placed[from]
    if (to === data.length || first === undefined) return rows
    placed[from] = [...label, ...first]
    from = to + 1
  }
  return from === data.length ? [...rows.slice(0, begin), ...placed] : rows
}

const headRowsMax = 2

const labelOf = (row: Row): Row => row.filter(({ column }) => column === 0)

const topOf = (row: Row = []): number =>
  row.reduce((least, { baseline }) => Math.min(least, baseline), Number.POSITIVE_INFINITY)

const bottomOf = (row: Row = []): number =>
  row.reduce((most, { baseline }) => Math.max(most, baseline), Number.NEGATIVE_INFINITY)
