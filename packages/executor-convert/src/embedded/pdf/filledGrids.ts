import { type Area, places, type Rule } from "./Ruling.ts"

/** Each is looked at with all others. */
const fillsMax = 800
/** Points: a smaller area is no cell. */
const widthMin = 12
const heightMin = 7
/** Points: cells with a colour touch one another, but for a thin border in that of the page. */
const touchMax = 2
const sharedMin = 3
/** Points: the sides of one column, and of one row. */
const sameSide = 4
const cellsMin = 4
/** Of an area that others fill as much as this, these are the cells. */
const behindMin = 0.5
/** Shares of the area that they have together: no room between them, and none over another. */
const coveredMin = 0.94
const coveredMax = 1.04
/** Points. */
const rowHeightMax = 150
/** With fewer rows, long texts are those of a layout. */
const rowsMin = 3

export interface FilledGrid extends Area {
  readonly horizontal: ReadonlyArray<Rule>
  readonly vertical: ReadonlyArray<Rule>
}

/**
 * The sides of cells that have a colour each and leave no room between them, several beside and below one another, where
 * neither cells beside them nor `rules` above or below show that they are a part of a larger table.
 */
export const filledGridsIn = (
  fills: ReadonlyArray<Area>,
  rules: ReadonlyArray<Rule>,
): ReadonlyArray<FilledGrid> => {
  const cells = fills.length > fillsMax ? [] : cellsIn(fills)
  if (cells.length < cellsMin) return []
  const groups = groupsOf(cells)
  return groups.flatMap((group) => {
    const area = around(group)
    if (goesOn(area, rules) || groups.some((other) => other !== group && areInRows(other, group, area)))
      return []
    const covered = group.reduce((sum, cell) => sum + sizeOf(cell), 0) / sizeOf(area)
    if (group.length < cellsMin || covered < coveredMin || covered > coveredMax) return []
    const [columns, rows] = [
      places(
        group.map(({ left }) => left),
        sameSide,
      ),
      places(
        group.map(({ top }) => top),
        sameSide,
      ),
    ]
    if (columns.length < 2 || rows.length < 2) return []
    const isHidden = rows.length < rowsMin
    return [
      {
        ...area,
        horizontal: group.flatMap(({ left, right, top, bottom }) => [
          { at: top, from: left, to: right, isHidden },
          { at: bottom, from: left, to: right, isHidden },
        ]),
        vertical: group.flatMap(({ left, right, top, bottom }) => [
          { at: left, from: top, to: bottom, isHidden },
          { at: right, from: top, to: bottom, isHidden },
        ]),
      },
    ]
  })
}

/** A line as long as the cells are together stands above or below them. */
const goesOn = ({ left, right, top, bottom }: Area, rules: ReadonlyArray<Rule>): boolean =>
  rules.some(
    ({ at, from, to }) =>
      Math.abs(from - left) < sameSide &&
      Math.abs(to - right) < sameSide &&
      Math.max(top - at, at - bottom) > sameSide &&
      Math.max(top - at, at - bottom) < rowHeightMax,
  )

/** Cells beside the others begin and end where rows of these do. */
const areInRows = (others: ReadonlyArray<Area>, group: ReadonlyArray<Area>, area: Area): boolean =>
  others.some(
    ({ left, right, top, bottom }) =>
      (right < area.left + sameSide || left > area.right - sameSide) &&
      group.some((cell) => Math.abs(cell.top - top) < touchMax && Math.abs(cell.bottom - bottom) < touchMax),
  )

const sizeOf = ({ left, right, top, bottom }: Area): number => (right - left) * (bottom - top)

const around = (cells: ReadonlyArray<Area>): Area => ({
  left: Math.min(...cells.map(({ left }) => left)),
  right: Math.max(...cells.map(({ right }) => right)),
  top: Math.min(...cells.map(({ top }) => top)),
  bottom: Math.max(...cells.map(({ bottom }) => bottom)),
})

/** The areas without those behind others, and those within others, such as the ground of a text. */
const cellsIn = (fills: ReadonlyArray<Area>): ReadonlyArray<Area> => {
  const cells: Array<Area> = []
  const large = fills.filter(
    ({ left, right, top, bottom }) => right - left > widthMin && bottom - top > heightMin,
  )
  for (const fill of large.toSorted((one, other) => sizeOf(one) - sizeOf(other))) {
    const inside = cells.filter((cell) => isInside(cell, fill))
    const filled = inside.reduce((sum, cell) => sum + sizeOf(cell), 0)
    if (filled >= behindMin * sizeOf(fill)) continue
    for (const cell of inside) cells.splice(cells.indexOf(cell), 1)
    cells.push(fill)
  }
  return cells
}

const isInside = (inner: Area, outer: Area): boolean =>
  inner.left >= outer.left - 1 &&
  inner.right <= outer.right + 1 &&
  inner.top >= outer.top - 1 &&
  inner.bottom <= outer.bottom + 1

/** Those that touch one another, directly or over others. */
const groupsOf = (cells: ReadonlyArray<Area>): ReadonlyArray<ReadonlyArray<Area>> => {
  const rest = new Set(cells)
  const groups: Array<ReadonlyArray<Area>> = []
  for (const first of cells) {
    if (!rest.delete(first)) continue
    const group = [first]
    for (const cell of group) {
      for (const other of rest) {
        if (!areBeside(cell, other)) continue
        rest.delete(other)
        group.push(other)
      }
    }
    groups.push(group)
  }
  return groups
}

const areBeside = (one: Area, other: Area): boolean => {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return (
    (Math.abs(across) < touchMax && down > sharedMin) || (Math.abs(down) < touchMax && across > sharedMin)
  )
}
