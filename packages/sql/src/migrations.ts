import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { dialectOf, wrapped } from "./statement.ts"

/** Where the migrator remembers what it ran. */
export const migrationsTable = "migrations"

/** Migrations by number and name, each an SQL script. Numbers only grow, and one that was released is never edited. */
export type Migrations = Readonly<Record<string, string>>

/** Postgres takes one statement at a time: there the script is the body of a block. */
const script = (text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
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
