import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { makeStatements } from "../statement.ts"

/** How often the changes of totals are folded. Reading them costs about a millisecond for 10,000 changes. */
const foldInterval = "5 seconds"
/** The advisory lock of folding; any number that no other lock has. */
const lock = 4_180_120_262

/** Queries for Postgres only. A process that finds another one folding leaves it to that one. */
export const queries = {
  fold: `WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${lock}) AS held),
    folded AS (
      DELETE FROM total_deltas WHERE (SELECT held FROM mine) RETURNING counted, kind, state, count, amount
    ), added AS (
      INSERT INTO total_sums AS sums
        SELECT counted, kind, state, sum(count), sum(amount) FROM folded GROUP BY counted, kind, state
      ON CONFLICT (counted, kind, state)
        DO UPDATE SET count = sums.count + excluded.count, amount = sums.amount + excluded.amount
    )
    SELECT count(*) AS folded FROM folded`,
}

/** Keeps the number of total changes small while the process runs. Totals are right with or without it. */
export const folding = Effect.gen(function* () {
  const statement = yield* makeStatements
  const fold = statement("TotalsStore.fold", queries.fold)
  const once = Effect.catchCause(fold([]), (cause) => Effect.logWarning("totals were not folded", cause))
  yield* Effect.forkScoped(Effect.repeat(once, Schedule.spaced(foldInterval)))
})
