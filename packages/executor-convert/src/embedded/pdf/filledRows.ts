import { sameEnd } from "./oneColumnTable.ts"
import type { Area, Rule } from "./Ruling.ts"

interface FilledRow extends Area {
  /** Where each of its cells but the first begins. */
  readonly joints: ReadonlyArray<number>
}

/** Points: the upper sides of one row, and its lower ones. */
const sameSide = 1.5
/** Of rows at one height, those that a cell may be the next one of. */
const besideMax = 100
/** Rows that the next one may stand below. */
const aboveMax = 20
/** More are no columns. */
const columnsMax = 100

/** The upper and lower sides of rows with a colour, whose cells may be coloured one by one. */
export const sidesOfFills = (fills: ReadonlyArray<Area>): ReadonlyArray<Rule> =>
  acrossHeads(rowsOf(fills)).flatMap(({ left, right, top, bottom, joints }) => [
    { at: top, from: left, to: right, joints, isFill: true },
    { at: bottom, from: left, to: right, joints, isFill: true },
  ])

/** Cells with a colour that touch one another at their sides. */
const rowsOf = (fills: ReadonlyArray<Area>): ReadonlyArray<FilledRow> => {
  const rows: Array<{ left: number; right: number; top: number; bottom: number; joints: Array<number> }> = []
  let near = 0
  for (const fill of [...fills].sort((a, b) => a.top - b.top || a.left - b.left)) {
    while (fill.top - (rows[near]?.top ?? fill.top) >= sameSide) near++
    const row = rows
      .slice(Math.max(near, rows.length - besideMax))
      .findLast(
        ({ bottom, right }) => Math.abs(bottom - fill.bottom) < sameSide && fill.left - right < sameEnd,
      )
    if (row === undefined) rows.push({ ...fill, joints: [] })
    else {
      if (fill.left > row.left + sameEnd && fill.right > row.right) row.joints.push(fill.left)
      row.right = Math.max(row.right, fill.right)
    }
  }
  return rows
}

/**
 * The rows, each as wide as the one above that it touches where its cells are some of the columns of that one: the others
 * have no colour.
 */
const acrossHeads = (rows: ReadonlyArray<FilledRow>): ReadonlyArray<FilledRow> => {
  const found: Array<FilledRow> = []
  const parts = Map.groupBy(rows, ({ top, bottom }) => `${Math.round(top)} ${Math.round(bottom)}`)
  for (const row of parts.values()) {
    const above = found.slice(-aboveMax).find((each) => isHead(each, row))
    const [first] = row
    if (above === undefined || first === undefined) for (const each of row) found.push(each)
    else found.push({ ...above, top: first.top, bottom: first.bottom })
  }
  return found
}

/** All cells of the row begin and end where columns of the head do, which ends where they begin. */
const isHead = ({ left, right, bottom, joints }: FilledRow, row: ReadonlyArray<FilledRow>): boolean => {
  const sides = [left, ...joints, right]
  return (
    joints.length > 0 &&
    joints.length < columnsMax &&
    row.every(
      (cell) =>
        Math.abs(cell.top - bottom) < sameSide &&
        [cell.left, ...cell.joints, cell.right].every((at) =>
          sides.some((side) => Math.abs(side - at) < sameEnd),
        ),
    )
  )
}
