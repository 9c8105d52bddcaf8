import { type Bounds, boundsOf, goesOnInLower, isEnded } from "./stacks.ts"
import type { Line } from "./TextLine.ts"

const linesMin = 3
/** Of the lines but the last, those that go on in the next one, and in lower case: a text, and not the lines of an address. */
const textShareMin = 0.6
const inLowerMin = 0.3
/** A share of the size. */
const overMax = 0.5

/**
 * How far lines go to the right that stand beside a picture, around which their text flows, and those above and below
 * that keep to the same room, as beside its caption.
 */
export const rightsBeside = (lines: ReadonlyArray<Line>, column: Bounds): ReadonlyMap<Line, number> => {
  const rights = new Map<Line, number>()
  for (const picture of column.pictures ?? []) {
    if (picture.left <= column.left || picture.left >= column.right) continue
    const isBeside = ({ right, baseline, size }: Line): boolean =>
      right <= picture.left && baseline > picture.top && baseline - size < picture.bottom
    let [from, to] = [lines.findIndex(isBeside), lines.findLastIndex(isBeside) + 1]
    const beside = lines.slice(Math.max(0, from), to)
    if (beside.length < linesMin || !beside.every(isBeside)) continue
    const { right } = boundsOf(beside)
    const isWithin = (line: Line | undefined): boolean =>
      line !== undefined && line.right <= right + overMax * line.size
    while (isWithin(lines[from - 1])) from--
    while (isWithin(lines[to])) to++
    const bounds = { left: column.left, right }
    const goOn = beside.filter((line, index) => !isEnded(line, beside[index + 1], bounds))
    const inLower = beside.filter((line, index) => {
      const next = beside[index + 1]
      return next !== undefined && goesOnInLower(line, next)
    })
    const pairs = beside.length - 1
    if (goOn.length - 1 < textShareMin * pairs || inLower.length < inLowerMin * pairs) continue
    for (const line of lines.slice(from, to)) rights.set(line, right)
  }
  return rights
}
