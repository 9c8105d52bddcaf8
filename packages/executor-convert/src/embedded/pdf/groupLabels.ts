import { areFigures, type Piece } from "./figures.ts"

/**
 * A label by itself, further out than those of the rows above and below it, which begin at one place and of which the upper
 * one has numbers: it names the rows below.
 */
export const isLabelOfGroup = (
  row: ReadonlyArray<Piece>,
  [label, ...others]: ReadonlyArray<Piece>,
  below: ReadonlyArray<Piece>,
): boolean => {
  const leftIn = (pieces: ReadonlyArray<Piece>): number =>
    pieces.find(({ column }) => column === label?.column)?.words[0]?.left ?? Number.NaN
  if (label === undefined || others.length > 0 || row.length > groupPiecesMax) return false
  const values = row.filter(({ column }) => column !== label.column)
  if (values.length === 0) return false
  const above = leftIn(row)
  return (
    values.every((value) => value.column > label.column && areFigures(value)) &&
    above - leftIn([label]) > outdentMin * label.size &&
    Math.abs(leftIn(below) - above) < sameLeft
  )
}

/** Each line looks at what its row has so far; one with numbers has few lines. */
const groupPiecesMax = 100
/** Points. */
const sameLeft = 2
/** A share of the size. */
const outdentMin = 0.5

/** Labels of groups within groups, one below the other. */
const labelsMax = 4

/**
 * The lines that begin a row behind labels of groups above all rows: each of these stands by itself, further out than
 * the labels of the first two rows of numbers, which begin at one place.
 */
export const labelsOfGroups = (lines: ReadonlyArray<ReadonlyArray<Piece>>): ReadonlySet<number> => {
  const from = lines.findIndex(({ length }) => length > 1)
  const rows = lines.slice(Math.max(from, 0), from + 2).map(([label, ...values]) => ({ label, values }))
  const [left = Number.NaN, below] = rows.map(({ label }) => label?.words[0]?.left)
  const areRows = rows.every(({ label, values }) => label?.column === 0 && values.every(areFigures))
  if (from < 1 || from > labelsMax || !areRows || Math.abs(left - (below ?? Number.NaN)) >= sameLeft)
    return new Set()
  const begins = [from]
  for (let index = 0; index < from; index++) {
    const [label] = lines[index] ?? []
    const above = lines[index - 1]?.[0]?.words[0]?.left
    const own = label?.words[0]?.left ?? Number.NaN
    if (label?.column !== 0 || !(left - own > outdentMin * label.size)) return new Set()
    if (above !== undefined && own - above > outdentMin * label.size) begins.push(index)
  }
  return new Set(begins)
}
