import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { statementsOf } from "../src/statements.ts"

/** The index that each search of the tasks must use: another one would do for a small table only. */
export const indexes: ReadonlyArray<readonly [name: string, index: string]> = [
  ["tasks.get", "sqlite_autoindex_tasks_1"],
  ["tasks.update", "sqlite_autoindex_tasks_1"],
  ["tasks.countUnfinishedTools", "tasks_by_user"],
  ["tasks.hasUnfinishedForFile", "tasks_of_file"],
  ["tasks.findByJobId", "tasks_by_job"],
  ["tasks.pastDeadline", "tasks_deadline"],
  ["tasks.pastExpiry", "tasks_expiry"],
  ["list of a key", "tasks_by_key"],
  ["list of a key by kind", "tasks_by_key"],
  ["list of a key by state", "tasks_by_key"],
  ["list of a key by subject", "tasks_by_subject"],
  ["list of a key by subject and state", "tasks_by_subject"],
  ["list of a key with tools", "tasks_by_subject"],
  ["list of a user", "tasks_by_user"],
  ["list of a user by state", "tasks_by_user"],
  ["list by state", "tasks_by_state"],
  ["list by kind", "tasks_by_state"],
  ["tasks.oldestQueued", "tasks_by_state"],
  ["list of a model", "tasks_by_model"],
  ["list of a model by state", "tasks_by_model"],
  ["list of the failed of a model", "tasks_failed_by_model"],
  ["list of the queued of a model", "tasks_by_state"],
  ["list of a model of a user", "tasks_by_user"],
  ["list of an idempotency key", "tasks_by_idempotency_key"],
  ["list of an idempotency key by state", "tasks_by_idempotency_key"],
  ["list of an hour", "tasks_by_state"],
  ["list of a request", "tasks_by_request"],
  ["list of a request by user and state", "tasks_by_request"],
]

/** Every statement that runs while the service does its work. */
export const statements = statementsOf("sqlite")

/** The steps of a statement's query plan. */
export const plansOf = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const params = Array.from(text.matchAll(/\?/g), () => null)
  const rows = yield* sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
  return rows.map((row) => row.detail)
})
