import { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { migrationsTable } from "../migrations.ts"
import { queries as totals } from "../postgres/foldTotals.ts"
import { addJob, addUser } from "../postgres/queueQueries.ts"
import { inTransaction, wrapped } from "../statement.ts"
import { MoveRefused } from "./MoveRefused.ts"
import { list, quoted, type Relation, type Row } from "./Relation.ts"

/** How long the connections of a process that just ended may take to go. */
const othersGoneTriesMax = 30
const othersGoneInterval = "100 millis"

/** The progress of a table's move: rows copied, and the key of the last. */
export interface Progress {
  readonly rows: number
  readonly last: Row | undefined
}

interface ProgressRow {
  readonly name: string
  readonly rows: number
  readonly last: string | null
}

const operation = "Move"

/**
 * What a move records in the destination, in a separate schema: its source, whether it is complete, and
 * for each table how far it got. Progress is written with the rows that it counts, in one transaction.
 */
const schema = [
  "CREATE SCHEMA IF NOT EXISTS atelier_move",
  "CREATE TABLE IF NOT EXISTS atelier_move.move (source TEXT PRIMARY KEY, whole BOOLEAN NOT NULL)",
  `CREATE TABLE IF NOT EXISTS atelier_move.progress (
    name TEXT PRIMARY KEY, rows BIGINT NOT NULL, last TEXT)`,
]

/** Adds the rows of a JSON array of objects, its one parameter. */
const insertText = (table: Relation): string => {
  const insert = `INSERT INTO ${quoted(table.name)} (${list(table.columns)})
    SELECT ${list(table.columns)} FROM json_populate_recordset(NULL::${quoted(table.name)}, $1::text::json)`
  return table.name === "jobs" ? insertJobs(insert) : insert
}

/** Every job waits, so that graphile-worker has one for each. */
const insertJobs = (
  insert: string,
): string => `WITH added AS (${insert} RETURNING task_id, kind, user_id, run_at, epoch),
  users AS (${addUser("added")})
  SELECT job.id FROM added, ${addJob("added")}`

const refused = (message: string) => new MoveRefused({ side: "destination", message })

/** The Postgres database that is moved to, over the enclosing client. Its migrations must have run. */
export const makeDestination = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = <R extends object>(text: string, params: ReadonlyArray<unknown> = []) =>
    wrapped(operation)(sql.unsafe<R>(text, params))
  const transaction = <A, E>(body: Effect.Effect<A, E>) => inTransaction(sql, operation, body)

  const count = (table: string) =>
    Effect.map(run<{ count: number }>(`SELECT count(*) AS count FROM ${table}`), ([row]) => row?.count ?? 0)

  /** Servers and commands are recognised by the name of their connections. This client has one connection. */
  const refuseOthers = run<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = current_setting('application_name')
        AND pid <> pg_backend_pid()`,
  ).pipe(
    Effect.flatMap(([row]) =>
      row?.count === 0
        ? Effect.void
        : Effect.fail(refused("a server or another command has it open: stop it first")),
    ),
    Effect.retry({
      while: (error) => error._tag === "MoveRefused",
      times: othersGoneTriesMax,
      schedule: Schedule.spaced(othersGoneInterval),
    }),
  )

  /** Names of its tables. */
  const tables = Effect.map(
    run<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    ),
    (rows): ReadonlySet<string> => new Set(rows.map(({ name }) => name)),
  )

  const refuseMissingColumns = Effect.fnUntraced(function* (tables: ReadonlyArray<Relation>) {
    const rows = yield* run<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public'`,
    )
    const there = new Set(rows.map((row) => row.name))
    const wanted = tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column}`))
    const missing = wanted.filter((name) => !there.has(name))
    if (missing.length > 0) yield* refused(`it has no ${missing.join(", ")}`)
  })

  /** For a destination that no move began yet. */
  const refuseRows = (tables: ReadonlyArray<Relation>) =>
    Effect.forEach(
      tables,
      ({ name, from }) =>
        Effect.flatMap(count(`(SELECT 1 FROM ${from} LIMIT 1) AS found`), (some) =>
          some === 0
            ? Effect.void
            : refused(`table ${name} holds rows that are not from this move: it must be empty`),
        ),
      { discard: true },
    )

  const refuseOtherSource = Effect.fnUntraced(function* (source: string, tables: ReadonlyArray<Relation>) {
    const [begun] = yield* run<{ source: string }>("SELECT source FROM atelier_move.move FOR UPDATE")
    if (begun !== undefined) {
      if (begun.source !== source) yield* refused("it is being moved to, or was, from another source")
      return
    }
    yield* refuseRows(tables)
    yield* run("INSERT INTO atelier_move.move (source, whole) VALUES ($1, FALSE)", [source])
  })

  /** Begins the move, or finds where it got to. */
  const begin = Effect.fnUntraced(function* (source: string, tables: ReadonlyArray<Relation>) {
    yield* refuseMissingColumns(tables)
    for (const text of schema) yield* run(text)
    yield* refuseOtherSource(source, tables)
    for (const { name } of tables) {
      yield* run(
        "INSERT INTO atelier_move.progress (name, rows) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING",
        [name],
      )
    }
    const rows = yield* run<ProgressRow>("SELECT name, rows, last FROM atelier_move.progress")
    return new Map<string, Progress>(
      rows.map((row) => [
        row.name,
        { rows: row.rows, last: row.last === null ? undefined : parsed(row.last) },
      ]),
    )
  })

  /** Adds rows and says so, in one transaction. Gives the progress that is reached. */
  const add = (table: Relation, rows: ReadonlyArray<Row>, progress: Progress) =>
    transaction(
      Effect.gen(function* () {
        const last = keyOf(table, rows.at(-1) ?? [])
        const next: Progress = { rows: progress.rows + rows.length, last }
        const moved = yield* run(
          "UPDATE atelier_move.progress SET rows = $1, last = $2 WHERE name = $3 AND rows = $4 RETURNING name",
          [next.rows, JSON.stringify(last), table.name, progress.rows],
        )
        if (moved.length === 0) yield* refused("another move to it is under way")
        yield* run(insertText(table), [JSON.stringify(rows.map((row) => objectOf(table, row)))])
        return next
      }),
    )

  /** Numbers go on after the last one that was carried. */
  const setSequences = Effect.fnUntraced(function* () {
    const identities = yield* run<{ name: string; column: string }>(
      `SELECT table_name::text AS name, column_name::text AS "column" FROM information_schema.columns
        WHERE table_schema = 'public' AND is_identity = 'YES'`,
    )
    for (const { name, column } of identities) {
      yield* run(
        `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(column)}), 1),
            max(${quoted(column)}) IS NOT NULL) AS last FROM ${quoted(name)}`,
        [quoted(name), column],
      )
    }
  })

  return {
    refuseOthers,
    tables,
    migrations: Effect.map(
      run<{ name: string }>(
        `SELECT migration_id || '_' || name AS name FROM ${migrationsTable} ORDER BY migration_id`,
      ),
      (rows) => rows.map((row) => row.name),
    ),
    begin: (source: string, tables: ReadonlyArray<Relation>) => transaction(begin(source, tables)),
    add,
    count,
    run,
    /** The move is complete from here on, and the database may be served. */
    finish: transaction(
      Effect.andThen(
        Effect.suspend(setSequences),
        Effect.asVoid(run("UPDATE atelier_move.move SET whole = TRUE WHERE NOT whole")),
      ),
    ).pipe(Effect.andThen(run(totals.fold)), Effect.andThen(Effect.asVoid(run("ANALYZE")))),
    isWhole: Effect.map(
      run<{ whole: boolean }>("SELECT whole FROM atelier_move.move"),
      ([row]) => row?.whole === true,
    ),
  }
})

export type Destination = Effect.Success<typeof makeDestination>

/** A half-moved database is not served: nothing may touch its tasks before all of it is there. */
export const requireWhole = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const query = wrapped("Move.requireWhole")
  const [begun] = yield* query(
    sql.unsafe<{ begun: boolean }>("SELECT to_regclass('atelier_move.move') IS NOT NULL AS begun"),
  )
  if (begun?.begun !== true) return
  const [half] = yield* query(sql.unsafe("SELECT source FROM atelier_move.move WHERE NOT whole"))
  if (half === undefined) return
  const cause = new Error(
    "atelier migrate has begun to move a database to this one and did not end: run it again",
  )
  yield* new StorageError({ operation: "Move.requireWhole", cause })
})

const parsed = (json: string): Row => JSON.parse(json)

/** The values of the key's columns. */
export const keyOf = ({ columns, key }: Relation, row: Row): Row =>
  key.map((column) => row[columns.indexOf(column)] ?? null)

const objectOf = ({ columns }: Relation, row: Row) =>
  Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))

/** Digests of rows after a key. Both sides make the same text of a row. */
export const digestsText = ({ from, columns, key }: Relation, after: boolean): string => {
  const text = columns.map((column) => {
    const value = `(${quoted(column)})::text`
    return `coalesce(octet_length(${value}) || ':' || ${value}, '-')`
  })
  const where = after ? `WHERE (${list(key)}) > (${key.map((_, index) => `$${index + 2}`).join(", ")})` : ""
  return `SELECT ${list(key)}, encode(sha256(convert_to(${text.join(" || ")}, 'UTF8')), 'hex') AS row_digest
    FROM ${from} ${where} ORDER BY ${list(key)} LIMIT $1`
}
