import * as Effect from "effect/Effect"
import type { Destination, Progress } from "./Destination.ts"
import type { Relation, Row } from "./Relation.ts"
import { reading } from "./reading.ts"
import type { Source } from "./Source.ts"

/** The limits of one transaction, whichever is reached first: rows, and characters of text. */
const batchRowsMax = 2_000
const batchCharactersMax = 4_000_000

/** The result for one table. */
export interface Copied {
  readonly table: string
  /** Rows that an earlier run had carried. */
  readonly before: number
  /** Rows that this run carried. */
  readonly rows: number
}

/** Carries the rows of a table that are not there yet, in batches, each a transaction with its progress. */
export const copyTable = Effect.fnUntraced(function* (
  source: Source,
  destination: Destination,
  table: Relation,
  begun: Progress,
) {
  const rows = source.rows(table, begun.last)
  let progress = begun
  for (;;) {
    const batch = yield* reading(() => nextBatch(rows))
    if (batch.length === 0) break
    progress = yield* destination.add(table, batch, progress)
  }
  const copied: Copied = { table: table.name, before: begun.rows, rows: progress.rows - begun.rows }
  return copied
})

const nextBatch = (rows: Iterator<Row>): ReadonlyArray<Row> => {
  const batch: Array<Row> = []
  for (let characters = 0; batch.length < batchRowsMax && characters < batchCharactersMax; ) {
    const { done, value } = rows.next()
    if (done === true) break
    batch.push(value)
    characters += charactersOf(value)
  }
  return batch
}

const charactersOf = (row: Row): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0)
