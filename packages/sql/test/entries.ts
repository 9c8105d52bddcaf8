import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { SqliteClient } from "../src/index.ts"

export const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "sqlite-client-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
  ),
  (folder) => join(folder, "made", "if", "absent", "test.db"),
)

export const schema = `
  CREATE TABLE entry (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE);
  CREATE TABLE reply (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL REFERENCES entry DEFERRABLE INITIALLY DEFERRED);
`

const database = Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteClient.layer({ filename })))

export const withDatabase = <A, E>(body: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(schema).unprepared
    return yield* body(sql)
  }).pipe(Effect.provide(database))

export const insert = (sql: SqlClient.SqlClient, body: string) =>
  sql`INSERT INTO entry ${sql.insert({ body })}`
export const bodies = (sql: SqlClient.SqlClient) =>
  Effect.map(sql`SELECT body FROM entry ORDER BY id`.values, (rows) => rows.map((row) => String(row[0])))
export const allAtOnce = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })
export const isSqlError = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.every((reason) => reason._tag === "Fail" && reason.error instanceof SqlError)

/** Lets every fiber and every tick of the event loop that is due run. */
export const settle = Effect.promise(
  () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))),
)
