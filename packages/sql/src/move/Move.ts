import type { StorageError, TotalDifference } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as PostgresMigrations from "../postgres/Migrations.ts"
import * as PostgresClient from "../postgres/PostgresClient.ts"
import { queries as ledgerQueries } from "../SqlLedgerStore.ts"
import { type DifferenceRow, toDifferences, queries as totalsQueries } from "../SqlTotalsStore.ts"
import { inDialect } from "../statement.ts"
import { type Copied, copyTable } from "./copy.ts"
import { type Destination, makeDestination, type Progress } from "./Destination.ts"
import { MoveRefused } from "./MoveRefused.ts"
import { type NamedBlob, namedBlobs } from "./namedBlobs.ts"
import { ledgerSums, type Relation } from "./Relation.ts"
import { reading, readOperation } from "./reading.ts"
import { Source } from "./Source.ts"
import { type Compared, compare, isSame } from "./verify.ts"

export type { Compared, Copied, MoveRefused, NamedBlob }
export { isSame, readOperation }

/** Balances of all users together, in units. */
export interface Totals {
  readonly granted: number
  readonly wallet: number
  readonly held: number
  readonly spent: number
}

export interface Verification {
  /** Every table, and the sums of the transfers of each user. */
  readonly compared: ReadonlyArray<Compared>
  readonly totals: { readonly source: Totals; readonly destination: Totals }
  /** Users whose balances are not the sums of their transfers, on either side. Empty, always. */
  readonly audit: { readonly source: ReadonlyArray<string>; readonly destination: ReadonlyArray<string> }
  /** Kept totals of the destination that are not what counting its rows gives. Empty, always. */
  readonly totalDifferences: ReadonlyArray<TotalDifference>
}

/** A move in progress. The source is locked exclusively for as long as the scope lasts. */
export interface Move {
  /** Tables of the source that the destination does not have: an application's own, which stay where they are. */
  readonly left: ReadonlyArray<string>
  /** Copies every row that is not there yet; `heard` is called for each finished table. */
  readonly copy: (
    heard: (copied: Copied) => Effect.Effect<void>,
  ) => Effect.Effect<ReadonlyArray<Copied>, MoveRefused | StorageError>
  /** Blobs that rows of the source name, in turn; bounded memory whatever their number. */
  readonly blobs: Effect.Effect<Iterator<NamedBlob>>
  /** Compares all rows, whether this run carried them or an earlier one. */
  readonly verify: Effect.Effect<Verification, MoveRefused | StorageError>
  /** Lets the destination be served. Before that, servers refuse to start on it. */
  readonly finish: Effect.Effect<void, StorageError>
}

export interface MoveOptions {
  /** The SQLite file. */
  readonly source: string
  /** The Postgres database, which must exist; it is migrated where needed. */
  readonly destination: string
}

/**
 * Opens both sides. A run that is killed at any moment is gone on with by opening the same again: what a
 * transaction of the destination holds is not carried twice, and its progress is of that transaction.
 */
export const open = Effect.fnUntraced(function* (
  options: MoveOptions,
): Effect.fn.Return<Move, MoveRefused | StorageError, Scope.Scope> {
  const source = yield* Effect.acquireRelease(
    reading(() => new Source(options.source)),
    (opened) => Effect.sync(() => opened.close()),
  )
  const client = yield* Layer.build(PostgresClient.layer({ url: options.destination, connections: 1 }))
  const destination = yield* Effect.provide(
    Effect.andThen(PostgresMigrations.migrate(options.destination), makeDestination),
    client,
  )
  yield* refuseOtherVersion(source, destination)
  const known = yield* destination.tables
  const tables = yield* reading(() => source.tables(known))
  const identity = yield* reading(() => source.identity())
  yield* destination.refuseOthers
  const progress = yield* destination.begin(identity, tables)
  if (!(yield* destination.isWhole)) yield* refuseForeignRows(destination, tables, progress)
  return {
    left: yield* reading(() => source.others(known)),
    copy: (heard) =>
      Effect.forEach(tables, (table) =>
        Effect.tap(copyTable(source, destination, table, progress.get(table.name) ?? none), heard),
      ),
    blobs: Effect.map(Clock.currentTimeMillis, (now) => namedBlobs(source, now)),
    verify: verify(source, destination, tables),
    finish: destination.finish,
  }
})

const none: Progress = { rows: 0, last: undefined }

const refuseOtherVersion = Effect.fnUntraced(function* (source: Source, destination: Destination) {
  const here = yield* reading(() => source.migrations())
  const there = yield* destination.migrations
  if (here.join() === there.join()) return
  const message = `it is at migration ${here.at(-1) ?? "none"}, and this version at ${there.at(-1)}: run \`atelier migrate\` on it first`
  yield* new MoveRefused({ side: "source", message })
})

/** What a table holds must be what was carried to it. */
const refuseForeignRows = (
  destination: Destination,
  tables: ReadonlyArray<Relation>,
  progress: ReadonlyMap<string, Progress>,
) =>
  Effect.forEach(
    tables,
    Effect.fnUntraced(function* ({ name, from }) {
      const held = yield* destination.count(from)
      const carried = progress.get(name)?.rows ?? 0
      if (held === carried) return
      const message = `table ${name} holds ${held} rows, and ${carried} were carried to it: drop the database and begin again`
      yield* new MoveRefused({ side: "destination", message })
    }),
    { discard: true },
  )

const totalsText = `SELECT coalesce(sum(granted), 0) AS granted, coalesce(sum(wallet), 0) AS wallet,
  coalesce(sum(held), 0) AS held, coalesce(sum(spent), 0) AS spent FROM accounts`

const verify = Effect.fnUntraced(function* (
  source: Source,
  destination: Destination,
  tables: ReadonlyArray<Relation>,
) {
  const compared = yield* Effect.forEach([...tables, ledgerSums], (each) =>
    compare(source, destination, each),
  )
  const audit = inDialect(ledgerQueries.audit, "postgres")
  const verification: Verification = {
    compared,
    totals: {
      source: toTotals((yield* reading(() => source.select(totalsText)))[0]),
      destination: toTotals((yield* destination.run<Record<string, unknown>>(totalsText))[0]),
    },
    audit: {
      source: (yield* reading(() => source.select(ledgerQueries.audit))).map(toUser),
      destination: (yield* destination.run<Record<string, unknown>>(audit)).map(toUser),
    },
    totalDifferences: (yield* destination.run<DifferenceRow>(
      inDialect(totalsQueries.differences, "postgres"),
    )).flatMap(toDifferences),
  }
  return verification
})

const toUser = (row: Record<string, unknown>): string => String(row["user_id"])

const toTotals = (row: Record<string, unknown> = {}): Totals => ({
  granted: Number(row["granted"]),
  wallet: Number(row["wallet"]),
  held: Number(row["held"]),
  spent: Number(row["spent"]),
})
