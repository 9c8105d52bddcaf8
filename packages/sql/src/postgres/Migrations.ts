import { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { runMigrations } from "../migrations.ts"
import { inTransaction, wrapped } from "../statement.ts"
import initial from "./migrations/0001_initial.ts"

/** Any number that nobody else uses for an advisory lock. */
const lock = 4_180_120_261

/** graphile-worker's tables, in a schema of their own; it takes a connection by itself. */
const graphile = (url: string) =>
  Effect.tryPromise({
    try: async () => {
      const { Logger, runMigrations } = await import("graphile-worker")
      await runMigrations({ connectionString: url, maxPoolSize: 1, logger: new Logger(() => () => {}) })
    },
    catch: (cause) => new StorageError({ operation: "Migrations.run", cause }),
  })

/** Brings both schemas up to date. Processes that start at once take turns. */
export const migrate = Effect.fnUntraced(function* (url: string) {
  const sql = yield* SqlClient.SqlClient
  const take = sql.unsafe(`SELECT 1 AS locked FROM pg_advisory_xact_lock(${lock})`)
  const turn = wrapped("Migrations.run")(take)
  const migrations = runMigrations({ "0001_initial": initial })
  yield* inTransaction(
    sql,
    "Migrations.run",
    turn.pipe(Effect.andThen(migrations), Effect.andThen(graphile(url))),
  )
})

/** Runs `migrate` when it is built. */
export const layer = (url: string) => Layer.effectDiscard(migrate(url))
