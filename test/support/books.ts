import { join } from "node:path"
import { LedgerStore, type TotalDifference, TotalsStore, type Transfer } from "@atelier/core"
import { Sql } from "@atelier/sql"
import { Postgres } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import type { Installation } from "./server.ts"

/** The contents of an installation's ledger and related tables. */
export interface Books {
  /** Users whose balances do not agree with their transfers. */
  readonly wrong: ReadonlyArray<string>
  /** Kept totals that differ from a count. */
  readonly totalDifferences: ReadonlyArray<TotalDifference>
  readonly transfers: ReadonlyArray<Transfer>
  readonly tasks: number
  readonly unfinished: number
  readonly jobs: number
}

const pageTransfers = 1_000
const finals = ["completed", "succeeded", "failed"]

const databaseOf = (directory: string, url: string | undefined) =>
  url === undefined
    ? Sql.layerSqlite({ filename: join(directory, "data", "atelier.db") })
    : Postgres.layer({ url })

/** Reads them from the database itself; its servers must have ended. */
export const readBooks = ({ directory, environment }: Installation): Promise<Books> =>
  Effect.gen(function* () {
    const ledger = yield* LedgerStore
    const transfers: Array<Transfer & { readonly sequence: number }> = []
    for (;;) {
      const after = transfers.at(-1)?.sequence
      const page = yield* ledger.list({ limit: pageTransfers, ...(after === undefined ? {} : { after }) })
      transfers.push(...page)
      if (page.length < pageTransfers) break
    }
    const totals = yield* TotalsStore
    const { tasks, jobs } = yield* totals.read
    const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)
    return {
      wrong: yield* ledger.audit,
      totalDifferences: yield* totals.differences,
      transfers,
      tasks: sum(tasks.map(({ count }) => count)),
      unfinished: sum(tasks.filter(({ state }) => !finals.includes(state)).map(({ count }) => count)),
      jobs: sum(jobs.map(({ ready, leased }) => ready + leased)),
    }
  }).pipe(Effect.provide(databaseOf(directory, environment["ATELIER_DATABASE_URL"])), Effect.runPromise)

/**
 * Errors in the transfers of tasks: each has one hold and one close, and what was settled and released
 * is what was held (contract, Money).
 */
export const transferFaults = (transfers: ReadonlyArray<Transfer>): ReadonlyArray<string> => {
  const byTask = Map.groupBy(
    transfers.filter(({ taskId }) => taskId !== null),
    ({ taskId }) => taskId,
  )
  return [...byTask].flatMap(([task, own]) => {
    const amounts = (kind: Transfer["kind"]) =>
      own.filter((each) => each.kind === kind).map(({ amount }) => amount)
    const phases = own.map(({ phase }) => phase)
    const [held] = amounts("hold")
    const ended = [...amounts("settle"), ...amounts("release")].reduce((sum, amount) => sum + amount, 0)
    const count = (phase: Transfer["phase"]) => phases.filter((each) => each === phase).length
    const sound = count("open") === 1 && count("close") === 1 && count("remainder") <= 1 && held === ended
    return sound
      ? []
      : [`${task}: ${own.map(({ kind, phase, amount }) => `${kind} ${phase} ${amount}`).join(", ")}`]
  })
}
