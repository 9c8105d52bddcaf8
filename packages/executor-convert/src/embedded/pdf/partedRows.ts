import type { Row, Segment } from "./Lines.ts"

type Segments = ReadonlyArray<Segment>

/** Where each gutter between texts begins and ends, from left to right. */
export type Gutters = ReadonlyArray<readonly [number, number]>

/** The segments of a row by texts, and what they leave of the gutters. */
export interface PartedRow {
  readonly texts: ReadonlyArray<Segments>
  readonly gutters: Gutters
}

/** A share of the size: of the gutter between texts. */
const gutterMin = 0.4

/** The gutters of a row before the segments that begin a text. */
export const guttersAt = ({ segments }: Row, starts: ReadonlyArray<number>): Gutters =>
  starts.slice(1).map((start) => [segments[start - 1]?.right ?? 0, segments[start]?.left ?? 0] as const)

/** The row by texts; undefined where something lies across a gutter, or is a table. */
export const partedBy = ({ segments }: Row, found: Gutters): PartedRow | undefined => {
  const texts: ReadonlyArray<Array<Segment>> = [[], ...found.map(() => [])]
  const gutters = found.map(([begin, end]): [number, number] => [begin, end])
  let at = 0
  for (const segment of segments) {
    const room = gutterMin * segment.size
    const isIn = (column: number): boolean =>
      segment.left >= (gutters[column - 1]?.[0] ?? Number.NEGATIVE_INFINITY) + room &&
      segment.right <= (gutters[column]?.[1] ?? Number.POSITIVE_INFINITY) - room
    while (at < texts.length && !isIn(at)) at++
    const text = texts[at]
    if (text === undefined || segment.table !== undefined) return undefined
    text.push(segment)
    const [before, after] = [gutters[at - 1], gutters[at]]
    if (before !== undefined) before[1] = Math.min(before[1], segment.left)
    if (after !== undefined) after[0] = Math.max(after[0], segment.right)
  }
  return { texts, gutters }
}

/** What stands in each text of these rows. */
export const textsOf = (rows: ReadonlyArray<PartedRow>): ReadonlyArray<Segments> =>
  (rows[0]?.texts ?? []).map((_, column) => rows.flatMap(({ texts }) => texts[column] ?? []))
