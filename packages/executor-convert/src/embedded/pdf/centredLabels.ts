import { repeatedCharactersMax } from "@atelier/executor/parsing"
import { tightLeading } from "./Cells.ts"
import { areFigures, type Piece } from "./figures.ts"

type Row = ReadonlyArray<Piece>

/** A share of the size: how far from the middle of its rows a label stands. */
const centredMax = 0.35
const labelsMin = 2
/** Share of the other cells that hold something. */
const filledMin = 0.7

/**
 * The rows, with labels of the first column that are centred beside several rows in each of these: a cell that is
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
  const placed: Array<Row> = [...data]
  let from = 0
  for (const label of labels) {
    const middle = (topOf(label) + bottomOf(label)) / 2
    const near = centredMax * (label[0]?.size ?? 0)
    let to = from
    while (to < data.length && Math.abs((topOf(data[from]) + bottomOf(data[to])) / 2 - middle) > near) to++
    const beside = data.slice(from, to + 1)
    if (to === data.length || (to > from && isOfOne(label, beside) && !beside.every(isParted))) return rows
    // Without a head above it, it is one, and stands where its levels begin.
    const isHead = begin === 0 && from === 0
    const inRows = isHead
      ? beside.map((row, at) => (at === 0 ? [...label, ...row] : row))
      : labelled(beside, label)
    placed.splice(from, beside.length, ...inRows)
    from = to + 1
  }
  return from === data.length ? [...rows.slice(0, begin), ...placed] : rows
}

const headRowsMax = 2

/** The label stands on the line of one of the rows, and may be that of this row alone. */
const isOfOne = (label: Row, rows: ReadonlyArray<Row>): boolean =>
  rows.some((row) => row.some(({ baseline, size }) => Math.abs(baseline - topOf(label)) < centredMax * size))

/** The rows with the labels in each of them, long ones in the first alone. */
const labelled = (rows: ReadonlyArray<Row>, ...labels: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const short = labels.filter((label) => lengthOf(label) <= repeatedCharactersMax)
  return rows.map((row, index) => [...(index === 0 ? labels : short).flat(), ...row])
}

const lengthOf = (label: Row): number =>
  label.reduce((sum, { words }) => words.reduce((all, { text }) => all + text.length, sum), 0)

/**
 * The rows between two lines, with labels that are centred beside them in each: those of the first columns, each of which
 * has no other text. As they are where no such label stands beside cells of at least two rows. Those of a head (`isHead`)
 * with the same columns are the lines of one row.
 */
export const withLabelsOver = (rows: ReadonlyArray<Row>, isHead = false): ReadonlyArray<Row> => {
  for (let columns = labelColumnsMax; columns > 0; columns--) {
    const data = rows
      .map((row) => row.filter(({ column }) => column >= columns))
      .filter(({ length }) => length > 0)
    if (data.length < 2 || !data.every(isParted)) continue
    const labels = Array.from({ length: columns }, (_, own) =>
      rows.flatMap((row) => row.filter(({ column }) => column === own)),
    )
    const filled = labels.filter(({ length }) => length > 0)
    if (filled.length === 0 || !filled.every((label) => isCentredBeside(label, data))) continue
    return isHead && haveSameColumns(data) ? [[...filled, ...data].flat()] : labelled(data, ...filled)
  }
  return rows
}

const labelColumnsMax = 3

/** No head goes over several of them, and stands in each. */
const haveSameColumns = (rows: ReadonlyArray<Row>): boolean => {
  const [first = [], ...rest] = rows
  if (rows.some((row) => new Set(row.map(({ words }) => words)).size < row.length)) return false
  const columns = new Set(first.map(({ column }) => column))
  return rest.every((row) => {
    const own = new Set(row.map(({ column }) => column))
    return own.size === columns.size && [...own].every((column) => columns.has(column))
  })
}

/** The lines of one text, fewer than the rows, and in their middle. */
const isCentredBeside = (label: Row, data: ReadonlyArray<Row>): boolean => {
  const size = label[0]?.size ?? 0
  const lines = new Set(label.map(({ baseline }) => Math.round(baseline))).size
  if (lines === 0 || lines > labelLinesMax || lines >= data.length) return false
  if (bottomOf(label) - topOf(label) > (lines - 1) * tightLeading * size) return false
  const [top, bottom] = [topOf(data[0]), bottomOf(data.at(-1))]
  // Beside many rows, it stands among those in the middle: room around lines moves it.
  const pitch = data.length < manyRows ? 0 : (bottom - top) / (data.length - 1)
  const offMiddle = Math.abs(topOf(label) + bottomOf(label) - top - bottom) / 2
  return offMiddle <= Math.max(centredMax * size, offRowsMax * pitch)
}

const labelLinesMax = 4
const manyRows = 4
/** Of the height from row to row. */
const offRowsMax = 0.6

/** Several cells, or numbers: no line of a text beside the label. */
const isParted = (row: Row): boolean =>
  new Set(row.map(({ column }) => column)).size > 1 || row.every(areFigures)

const labelOf = (row: Row): Row => row.filter(({ column }) => column === 0)

const topOf = (row: Row = []): number =>
  row.reduce((least, { baseline }) => Math.min(least, baseline), Number.POSITIVE_INFINITY)

const bottomOf = (row: Row = []): number =>
  row.reduce((most, { baseline }) => Math.max(most, baseline), Number.NEGATIVE_INFINITY)
