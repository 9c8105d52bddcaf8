import type { Region } from "./Columns.ts"
import type { Segment } from "./Lines.ts"

/** The page is looked at in so many strips from top to bottom. */
const strips = 128
/** Points. */
const sameBottom = 2

/** Whether nothing but a page number stands below a region of a page, in the width of that. */
export const lowestOf = (regions: ReadonlyArray<Region>): ((region: Region) => boolean) => {
  const segments = regions.flatMap((region) => region.segments).filter((segment) => !isNumber(segment))
  const left = segments.reduce((least, each) => Math.min(least, each.left), Number.POSITIVE_INFINITY)
  const right = segments.reduce((most, each) => Math.max(most, each.right), Number.NEGATIVE_INFINITY)
  const stripAt = (x: number): number =>
    Math.max(0, Math.min(strips - 1, Math.floor(((x - left) / Math.max(1, right - left)) * strips)))
  const lowest: Array<number> = Array.from({ length: strips }, () => Number.NEGATIVE_INFINITY)
  for (const segment of segments) {
    const bottom = bottomOf(segment)
    for (let at = stripAt(segment.left); at <= stripAt(segment.right); at++) {
      lowest[at] = Math.max(lowest[at] ?? bottom, bottom)
    }
  }
  return (region) => {
    const own = region.segments.reduce(
      (most, segment) => (isNumber(segment) ? most : Math.max(most, bottomOf(segment))),
      Number.NEGATIVE_INFINITY,
    )
    // The strips at its sides may be those of the columns beside it, too.
    const [from, to] = [stripAt(region.left) + 1, stripAt(region.right)]
    return lowest.slice(from, Math.max(to, from + 1)).every((bottom) => bottom <= own + sameBottom)
  }
}

export const bottomOf = ({ baseline, table }: Segment): number => table?.bottom ?? baseline

const isNumber = ({ words, table }: Segment): boolean =>
  table === undefined && words.length === 1 && /^\d+$/.test(words[0]?.text ?? "")
