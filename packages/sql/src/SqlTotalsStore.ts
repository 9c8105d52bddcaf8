import { type JobKind, type TaskKind, type Totals, TotalsStore, type TransferKind } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import { makeStatements } from "./statement.ts"

type TotalRow =
  | { readonly counted: "task"; readonly kind: TaskKind; readonly state: string; readonly count: number }
  | { readonly counted: "job" | "lease"; readonly kind: JobKind; readonly count: number }
  | {
      readonly counted: "transfer"
      readonly kind: TransferKind
      readonly count: number
      readonly amount: string
    }

export interface DifferenceRow {
  readonly counted: string
  readonly kind: string
  readonly state: string
  readonly count_kept: string
  readonly count_found: string
  readonly amount_kept: string
  readonly amount_found: string
}

/** Sums as text: units may exceed what a number holds exactly. */
const summed = (column: string) => `CAST(sum(${column}) AS TEXT) AS ${column}`

/** Queries of both dialects. */
export const queries = {
  read: `SELECT counted, kind, state, CAST(sum(count) AS BIGINT) AS count, CAST(sum(amount) AS TEXT) AS amount
      FROM totals GROUP BY counted, kind, state HAVING sum(count) <> 0
    UNION ALL
    SELECT 'lease', kind, '', count(*), '0' FROM jobs WHERE leased_by IS NOT NULL GROUP BY kind`,
  differences: `SELECT counted, kind, state,
      ${["count_kept", "count_found", "amount_kept", "amount_found"].map(summed).join(", ")}
    FROM (
      SELECT counted, kind, state, count AS count_kept, amount AS amount_kept, 0 AS count_found, 0 AS amount_found
        FROM totals
      UNION ALL SELECT 'task', kind, state, 0, 0, count(*), 0 FROM tasks GROUP BY kind, state
      UNION ALL SELECT 'job', kind, '', 0, 0, count(*), 0 FROM jobs GROUP BY kind
      UNION ALL SELECT 'transfer', kind, '', 0, 0, count(*), sum(amount) FROM ledger GROUP BY kind
    ) AS both_sides
    GROUP BY counted, kind, state
    HAVING sum(count_kept) <> sum(count_found) OR sum(amount_kept) <> sum(amount_found)
    ORDER BY counted, kind, state`,
}

const toTotals = (rows: ReadonlyArray<TotalRow>): Totals => {
  const leased = new Map(
    rows.flatMap((row) => (row.counted === "lease" ? [[row.kind, row.count] as const] : [])),
  )
  return {
    tasks: rows.flatMap((row) =>
      row.counted === "task" ? [{ kind: row.kind, state: row.state, count: row.count }] : [],
    ),
    jobs: rows.flatMap((row) => {
      if (row.counted !== "job") return []
      const held = leased.get(row.kind) ?? 0
      return [{ kind: row.kind, ready: row.count - held, leased: held }]
    }),
    transfers: rows.flatMap((row) =>
      row.counted === "transfer" ? [{ kind: row.kind, count: row.count, amount: Number(row.amount) }] : [],
    ),
  }
}

/** Of a driver that says nothing of its columns. */
export const toDifferenceRow = (row: { readonly [column: string]: unknown }): DifferenceRow => ({
  counted: String(row["counted"]),
  kind: String(row["kind"]),
  state: String(row["state"]),
  count_kept: String(row["count_kept"]),
  count_found: String(row["count_found"]),
  amount_kept: String(row["amount_kept"]),
  amount_found: String(row["amount_found"]),
})

/** What differs in a total: its count, the sum of its amounts, or both. */
export const toDifferences = (row: DifferenceRow) => {
  const total = [row.counted, row.kind, row.state].filter((part) => part !== "").join(" ")
  return [
    { total, kept: row.count_kept, counted: row.count_found },
    { total: `units of ${total}`, kept: row.amount_kept, counted: row.amount_found },
  ].filter(({ kept, counted }) => kept !== counted)
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const read = statement<TotalRow>("TotalsStore.read", queries.read)
  const differences = statement<DifferenceRow>("TotalsStore.differences", queries.differences)
  return TotalsStore.of({
    read: Effect.map(read([]), toTotals),
    differences: Effect.map(differences([]), (rows) => rows.flatMap(toDifferences)),
  })
})

export const layer: Layer.Layer<TotalsStore, never, SqlClient.SqlClient> = Layer.effect(TotalsStore, make)
