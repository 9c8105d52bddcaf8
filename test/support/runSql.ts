import { PostgresClient } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Runs SQL of a test's own on a Postgres database, beside the stores; one statement. */
export const runSql = (url: string, text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)).pipe(
    Effect.provide(PostgresClient.layer({ url, connections: 1 })),
  )
