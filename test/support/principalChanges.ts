import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Writes every column of keys and users separately, and returns those whose change the database did not count. */
export const principalChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const version = Effect.map(
    sql<{ version: number }>`SELECT version FROM principals_version`,
    ([row]) => row?.version ?? 0,
  )
  yield* sql`INSERT INTO users (id, name, disabled, created_at) VALUES ('usr_1', 'Ada', 0, 1)`
  yield* sql`INSERT INTO api_keys (id, user_id, digest, hint, name, models, tools, ip_allowlist, used_units,
    webhook_secret, disabled, created_at) VALUES ('key_1', 'usr_1', 'd', 'h', 'n', '[]', '[]', '[]', 0, 'w', 0, 1)`
  const uncounted: Array<string> = []
  for (const table of ["api_keys", "users"]) {
    const [row] = yield* sql<Record<string, unknown>>`SELECT * FROM ${sql(table)}`
    for (const column of Object.keys(row ?? {})) {
      const before = yield* version
      yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = ${sql(column)}`
      if ((yield* version) === before) uncounted.push(`${table}.${column}`)
    }
  }
  for (const table of ["api_keys", "users"]) {
    const before = yield* version
    yield* sql`DELETE FROM ${sql(table)}`
    if ((yield* version) === before) uncounted.push(`removal from ${table}`)
  }
  return { uncounted }
})
