import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { dialectOf, wrapped } from "./statement.ts"

/** Where the migrator remembers what it ran. */
export const migrationsTable = "migrations"

/** Numbers only grow, and a migration that was released is never edited. Both dialects have the same ones. */
type MigrationName =
  | "0001_initial"
  | "0002_rate_buckets"
  | "0003_ordered_indexes"
  | "0004_fair_queue"
  | "0005_request_ids"
  | "0006_admin"
  | "0007_callback_attempts"
  | "0008_task_images"
  | "0009_totals"
  | "0010_principals_version"
  | "0011_small_blobs"
  | "0012_finished_tasks"
  | "0014_console"
  | "0015_traces"
  | "0016_failed_by_model"

/** An SQL script for each migration. */
export type Migrations = Readonly<Record<MigrationName, string>>

/** The script of a migration that only the other dialect needs. */
export const nothing = ""

/** Postgres takes one statement at a time: there the script is the body of a block. */
const script = (text: string) =>
  text === nothing
    ? Effect.void
    : Effect.flatMap(SqlClient.SqlClient, (sql) => {
        const whole = dialectOf(sql) === "sqlite" ? text : `DO $migration$ BEGIN ${text} END $migration$`
        return Effect.asVoid(sql.unsafe(whole).unprepared)
      })

/** Brings the schema up to date, in one transaction. */
export const runMigrations = (migrations: Migrations) =>
  wrapped("Migrations.run")(
    Migrator.make({})({
      loader: Migrator.fromRecord(
        Object.fromEntries(Object.entries(migrations).map(([name, text]) => [name, script(text)])),
      ),
      table: migrationsTable,
    }),
  )
