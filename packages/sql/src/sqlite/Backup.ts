import { chmodSync, closeSync, existsSync, fsyncSync, openSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { StorageError, type TotalDifference } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type NamedBlob, namedBlobs } from "../move/namedBlobs.ts"
import { Source } from "../move/Source.ts"
import { queries as ledgerQueries } from "../SqlLedgerStore.ts"
import { toDifferenceRow, toDifferences, queries as totalsQueries } from "../SqlTotalsStore.ts"
import { migrationNames } from "./Migrations.ts"

export type { NamedBlob }

/** What a copy of a database holds, and whether it adds up. Amounts in units. */
export interface Content {
  /** The last migration of the database that was copied. */
  readonly migration: string
  /** Whether that is the last one of this version too: otherwise blobs cannot be told. */
  readonly current: boolean
  readonly tasks: number
  readonly transfers: number
  readonly granted: number
  readonly wallet: number
  readonly held: number
  readonly spent: number
  /** What SQLite finds wrong in the file. Empty, always. */
  readonly damage: ReadonlyArray<string>
  /** Users whose balances are not the sums of their transfers. Empty, always. */
  readonly audit: ReadonlyArray<string>
  /** Kept totals that are not what counting gives. Empty, always. */
  readonly totals: ReadonlyArray<TotalDifference>
}

const attempt = <A>(work: () => A) =>
  Effect.try({ try: work, catch: (cause) => new StorageError({ operation: "Backup", cause }) })

/**
 * Writes a copy of a database as it is at one moment, while servers go on reading and writing: one read transaction of
 * a connection of its own. The copy is durable when this ends.
 */
export const copyDatabase = (source: string, destination: string): Effect.Effect<void, StorageError> =>
  attempt(() => {
    // Opening would make a file that is not there.
    if (!existsSync(source)) throw new Error(`there is no file ${JSON.stringify(source)}`)
    const database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 })
    try {
      database.prepare("VACUUM INTO ?").run(destination)
    } finally {
      database.close()
    }
    chmodSync(destination, 0o600)
    sync(destination)
    sync(dirname(destination))
  })

const sync = (path: string): void => {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const countsText = `SELECT (SELECT count(*) FROM tasks) AS tasks, (SELECT count(*) FROM ledger) AS transfers,
  coalesce(sum(granted), 0) AS granted, coalesce(sum(wallet), 0) AS wallet, coalesce(sum(held), 0) AS held,
  coalesce(sum(spent), 0) AS spent FROM accounts`

/** Opens a copy that no process uses, for as long as the scope lasts; it is only read. */
export const openCopy = Effect.fnUntraced(function* (file: string) {
  const source = yield* Effect.acquireRelease(
    attempt(() => new Source(file, { isStill: true })),
    (opened) => Effect.sync(() => opened.close()),
  )
  const content = attempt((): Content => {
    const counts = source.select(countsText)[0] ?? {}
    const number = (name: string) => Number(counts[name])
    const migration = source.migrations().at(-1) ?? "none"
    const current = migration === migrationNames.at(-1)
    return {
      migration,
      current,
      tasks: number("tasks"),
      transfers: number("transfers"),
      granted: number("granted"),
      wallet: number("wallet"),
      held: number("held"),
      spent: number("spent"),
      damage: source
        .select("PRAGMA integrity_check")
        .map((row) => String(row["integrity_check"]))
        .filter((line) => line !== "ok"),
      audit: source.select(ledgerQueries.audit).map((row) => String(row["user_id"])),
      totals: current
        ? source.select(totalsQueries.differences).flatMap((row) => toDifferences(toDifferenceRow(row)))
        : [],
    }
  })
  return {
    content,
    /** Blobs that rows of the copy name, in turn. */
    blobs: Effect.map(Clock.currentTimeMillis, (now): Iterator<NamedBlob> => namedBlobs(source, now)),
  }
})
