import type { Area, Rule } from "./Ruling.ts"

/** The lines of a table. */
export interface Rules {
  readonly horizontal: ReadonlyArray<Rule>
  readonly vertical: ReadonlyArray<Rule>
}

/** Points: what is nearer is one place. */
const same = 1.5
/** How far a table in a cell stands from the sides of that, as word processors set it. */
const insetMin = 3
const insetMax = 12
/** A share of the width of the table: one that is wider is that table, in a frame. */
const widthMax = 0.6

/**
 * The lines of a table, and those of each table in one of its cells: it stands a little away from both sides of the cell,
 * and none of its lines goes on to these; its upper or lower side may be that of the cell.
 */
export const nestedIn = (rules: Rules): ReadonlyArray<Rules> => {
  const { horizontal, vertical } = rules
  const areas: Array<Area> = []
  for (const line of horizontal) {
    if (areas.some((area) => isAcrossIn(line, area))) continue
    const area = nestedAt(line, rules)
    if (area !== undefined) areas.push(area)
  }
  if (areas.length === 0) return [rules]
  const nested = areas.map((area) => ({
    horizontal: horizontal.filter((line) => isAcrossIn(line, area)),
    vertical: vertical.filter((line) => isDownIn(line, area)),
  }))
  const inner = new Set(nested.flatMap((each) => [...each.horizontal, ...each.vertical]))
  const isOuter = (line: Rule): boolean => !inner.has(line)
  return [{ horizontal: horizontal.filter(isOuter), vertical: vertical.filter(isOuter) }, ...nested]
}

/** The table that a line across belongs to, if that stands in a cell. */
const nestedAt = ({ at, from, to }: Rule, { horizontal, vertical }: Rules): Area | undefined => {
  const meets = (line: Rule): boolean => line.from <= at + same && line.to >= at - same
  const sideAt = (place: number): Rule | undefined =>
    vertical.find((line) => Math.abs(line.at - place) < same && meets(line))
  const [left, right] = [sideAt(from), sideAt(to)]
  if (left === undefined || right === undefined) return undefined
  const [top, bottom] = [Math.min(left.from, right.from), Math.max(left.to, right.to)]
  const isCellSide = (line: Rule, inset: number): boolean =>
    inset >= insetMin && inset <= insetMax && line.from <= top + same && line.to >= bottom - same
  const isInCell =
    vertical.some((line) => isCellSide(line, left.at - line.at)) &&
    vertical.some((line) => isCellSide(line, line.at - right.at))
  const goesOut = (line: Rule): boolean =>
    line.at > top + same &&
    line.at < bottom - same &&
    line.from < right.at + same &&
    line.to > left.at - same &&
    (line.from < left.at - same || line.to > right.at + same)
  const columns = vertical.filter(
    (line) => line.at > left.at + same && line.at < right.at - same && line.from < bottom && line.to > top,
  )
  const ends = vertical.map((line) => line.at)
  const isNarrow = right.at - left.at < widthMax * (Math.max(...ends) - Math.min(...ends))
  return isNarrow && isInCell && columns.length > 0 && !horizontal.some(goesOut)
    ? { left: left.at, right: right.at, top, bottom }
    : undefined
}

const isAcrossIn = ({ at, from, to }: Rule, { left, right, top, bottom }: Area): boolean =>
  from >= left - same && to <= right + same && at >= top - same && at <= bottom + same

const isDownIn = ({ at, from, to }: Rule, { left, right, top, bottom }: Area): boolean =>
  at >= left - same && at <= right + same && from >= top - same && to <= bottom + same
