import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { wrapped } from "../statement.ts"
import initial from "./migrations/0001_initial.ts"

/** The migrations by number and name. Numbers only grow, and a migration that was released is never edited. */
const migrations = {
  "0001_initial": initial,
}

/** Where the migrator remembers what it ran. */
export const migrationsTable = "migrations"

const script = (text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql.unsafe(text).unprepared))

/**
 * Brings the schema up to date, in one transaction. Processes that start at once take turns, since each holds
 * the database's write lock while it looks what is left to do.
 */
export const migrate = wrapped("Migrations.run")(
  Migrator.make({})({
    loader: Migrator.fromRecord(
      Object.fromEntries(Object.entries(migrations).map(([name, text]) => [name, script(text)])),
    ),
    table: migrationsTable,
  }),
)

/** Runs `migrate` when it is built. */
export const layer = Layer.effectDiscard(migrate)
