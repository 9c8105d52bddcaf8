/**
 * What group commit buys: transactions of one insert each, every one durable before it is answered,
 * through bare `node:sqlite` (`synchronous=FULL`) and through the `effect/sql` driver, in one run on one disk.
 *
 * `node --conditions=atelier:source benchmarks/group-commit.ts [seconds per row] [rounds] [folder]`
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { SqliteClient } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 1)
const rounds = Number(process.argv[3] ?? 3)
const folder = mkdtempSync(join(process.argv[4] ?? tmpdir(), "group-commit-"))
const insertText = "INSERT INTO entry (body) VALUES (?)"
const body = "x".repeat(100)
const table = "CREATE TABLE entry (id INTEGER PRIMARY KEY, body TEXT NOT NULL)"

const now = () => performance.now()

/** Repeats `batch`, which does `size` operations, until the time is over; gives operations a second. */
const rate = Effect.fnUntraced(function* <E, R>(size: number, batch: Effect.Effect<unknown, E, R>) {
  const start = now()
  let done = 0
  while (now() - start < seconds * 1000) {
    yield* batch
    done += size
  }
  return (done / (now() - start)) * 1000
})

const bare = (perCommit: number) =>
  Effect.gen(function* () {
    const db = new DatabaseSync(join(folder, `bare-${perCommit}.db`))
    db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; DROP TABLE IF EXISTS entry; ${table}`)
    const insert = db.prepare(insertText)
    const batch = Effect.sync(() => {
      db.exec("BEGIN IMMEDIATE")
      for (let i = 0; i < perCommit; i++) insert.run(body)
      db.exec("COMMIT")
    })
    const result = yield* rate(perCommit, batch)
    db.close()
    return result
  })

/** `fibers` callers, each of which starts its next transaction when the last is answered. */
const driver = (fibers: number, transaction: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DROP TABLE IF EXISTS entry`
    yield* sql.unsafe(table)
    const start = now()
    let done = 0
    const caller = Effect.gen(function* () {
      while (now() - start < seconds * 1000) {
        yield* transaction(sql)
        done++
      }
    })
    yield* Effect.all(
      Array.from({ length: fibers }, () => caller),
      { concurrency: "unbounded", discard: true },
    )
    return (done / (now() - start)) * 1000
  }).pipe(Effect.provide(SqliteClient.layer({ filename: join(folder, "driver.db") })))

const transaction = (sql: SqlClient.SqlClient) =>
  sql.withTransaction(sql`INSERT INTO entry (body) VALUES (${body})`)
const statement = (sql: SqlClient.SqlClient) => sql`INSERT INTO entry (body) VALUES (${body})`

type Statement = (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>

/** One caller that runs the same statement again and again, by itself or within one transaction. */
const repeated = (where: "outside" | "inside", statement: Statement) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const thousand = Effect.gen(function* () {
      for (let i = 0; i < 1000; i++) yield* statement(sql)
    })
    const all = rate(1000, thousand)
    return yield* where === "inside" ? sql.withTransaction(all) : all
  }).pipe(Effect.provide(SqliteClient.layer({ filename: join(folder, "driver.db") })))

const selectText = "SELECT * FROM entry WHERE id = ?"
const template: Statement = (sql) => sql`SELECT * FROM entry WHERE id = ${1}`
const unsafe: Statement = (sql) => sql.unsafe(selectText, [1])
/** The shortest way: no template, no compiler, no span. */
const direct: Statement = (sql) =>
  Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
    Option.isSome(transaction) ? transaction.value[0].execute(selectText, [1], undefined) : unsafe(sql),
  )

const untraced = Effect.provideService(References.TracerEnabled, false)

const rows: ReadonlyArray<readonly [label: string, measured: Effect.Effect<number, unknown>]> = [
  ["node:sqlite, one transaction per fsync", bare(1)],
  ["node:sqlite, 100 inserts per fsync", bare(100)],
  ["withTransaction, 1 caller", driver(1, transaction)],
  ["withTransaction, 16 callers", driver(16, transaction)],
  ["withTransaction, 256 callers", driver(256, transaction)],
  ["withTransaction, 256 callers, tracing off", untraced(driver(256, transaction))],
  ["single insert, 1 caller", driver(1, statement)],
  ["single insert, 256 callers", driver(256, statement)],
  ["select by key, reader", repeated("outside", template)],
  ["select by key, reader, unsafe", repeated("outside", unsafe)],
  ["select by key, reader, tracing off", untraced(repeated("outside", template))],
  ["select by key, in a transaction", repeated("inside", template)],
  ["select by key, in a transaction, connection.execute", repeated("inside", direct)],
]

// Every row is measured once a round, and its best round is printed: what else the machine does comes and goes.
const main = Effect.gen(function* () {
  const best = rows.map(() => 0)
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, measured]] of rows.entries())
      best[index] = Math.max(best[index] ?? 0, yield* measured)
  }
  return rows.map(([label], index) => {
    const perSecond = best[index] ?? 0
    return {
      measure: label,
      "per second": rounded(perSecond),
      microseconds: rounded(1e6 / perSecond, 1),
      "of one per fsync": rounded(perSecond / (best[0] ?? 1), 1),
    }
  })
})

const measured = await Effect.runPromise(
  Effect.ensuring(
    main,
    Effect.sync(() => rmSync(folder, { recursive: true })),
  ),
)
report({
  name: "group-commit",
  title: "Group commit against bare node:sqlite, synchronous=FULL",
  rows: measured,
  notes: [`The best of ${rounds} rounds of each row, one after another in one run.`],
})
