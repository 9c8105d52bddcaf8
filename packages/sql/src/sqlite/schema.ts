import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrationsTable } from "../migrations.ts"
import { migrate } from "./Migrations.ts"
import * as SqliteClient from "./SqliteClient.ts"

interface SchemaRow {
  readonly sql: string
}

/** The database's present schema as SQL text: every table, followed by its indexes and triggers. */
const dumpSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<SchemaRow>`SELECT sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND tbl_name <> ${migrationsTable} AND tbl_name NOT LIKE 'sqlite_%'
    ORDER BY tbl_name, CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name`
  return `${rows.map((row) => `${row.sql};`).join("\n\n")}\n`
})

/** What all migrations make of an empty database: the content of `packages/sql/schema/sqlite.sql`. */
export const migratedSchema = Effect.acquireUseRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "atelier-schema-"))),
  (directory) =>
    Effect.andThen(migrate, dumpSchema).pipe(
      Effect.provide(SqliteClient.layer({ filename: join(directory, "schema.db") })),
    ),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true })),
)
