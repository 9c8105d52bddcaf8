import type { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"

/** A group of rows that were read together: how many, and the lowest sequence among them. */
export interface Group {
  readonly count: number | string
  readonly lowest: number | string
}

/** On SQLite, rows that are added up in a few milliseconds of the server's thread. */
const sliceRows = 5_000

/**
 * Reads groups of the newest rows of a range of sequences, `rowsMax` rows at most, a slice at a time: others run in
 * between. The same group may come in several slices.
 */
export const inSlices = Effect.fnUntraced(function* <Row extends Group>(
  upTo: number,
  rowsMax: number,
  read: (last: number, limit: number) => Effect.Effect<ReadonlyArray<Row>, StorageError>,
) {
  const groups: Array<Row> = []
  let last = upTo
  for (let left = rowsMax; left > 0; ) {
    const limit = Math.min(left, sliceRows)
    const found = yield* read(last, limit)
    for (const group of found) {
      groups.push(group)
      last = Math.min(last, Number(group.lowest) - 1)
    }
    const rows = found.reduce((sum, { count }) => sum + Number(count), 0)
    if (rows < limit) break
    left -= rows
    yield* Effect.yieldNow
  }
  return groups
})

/** The sums of groups that have the same key. */
export const summed = <Row extends Group & { readonly amount: number | string }>(
  groups: ReadonlyArray<Row>,
  keyOf: (group: Row) => string,
): ReadonlyArray<{ readonly group: Row; readonly count: number; readonly amount: number }> => {
  const sums = new Map<string, { group: Row; count: number; amount: number }>()
  for (const group of groups) {
    const key = keyOf(group)
    const sum = sums.get(key) ?? { group, count: 0, amount: 0 }
    sum.count += Number(group.count)
    sum.amount += Number(group.amount)
    sums.set(key, sum)
  }
  return [...sums.values()]
}
