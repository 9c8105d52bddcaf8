import type { TaskQuery } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as callbacks from "../src/SqlCallbackStore.ts"
import * as files from "../src/SqlFileStore.ts"
import * as idempotency from "../src/SqlIdempotencyStore.ts"
import * as keys from "../src/SqlKeyStore.ts"
import * as ledger from "../src/SqlLedgerStore.ts"
import * as settings from "../src/SqlSettingsStore.ts"
import * as tasks from "../src/SqlTaskStore.ts"
import * as queue from "../src/sqlite/SqliteQueue.ts"
import { inDialect } from "../src/statement.ts"
import { listStatement } from "../src/taskList.ts"

interface Named {
  readonly name: string
  readonly text: string
}

/** Statements that look at everything on purpose: for operators, and bounded by what is unfinished. */
const whole = new Set([
  "ledger.audit",
  "ledger.list",
  "queue.counts",
  "settings.listAudit",
  "keys.listUsers",
  "keys.isEmpty",
])

const named = (store: string, texts: { readonly [name: string]: string }): ReadonlyArray<Named> =>
  Object.entries(texts).map(([name, text]) => ({ name: `${store}.${name}`, text }))

const keyId = "key_1"
const userId = "usr_1"
const queries: { readonly [name: string]: Omit<TaskQuery, "limit"> } = {
  "list of a key": { keyId },
  "list of a key by kind": { keyId, kind: "tool" },
  "list of a key by state": { keyId, states: ["failed"] },
  "list of a key by subject": { keyId, subject: "gen-image-2" },
  "list of a key by subject and state": { keyId, subject: "gen-image-2", states: ["queued", "failed"] },
  "list of a user": { userId },
  "list of a user by state": { userId, states: ["failed"], kind: "image" },
  "list by state": { states: ["failed"] },
  "list by kind": { kind: "image" },
}
const lists = Object.entries(queries).map(
  ([name, query]): Named => ({ name, text: listStatement({ ...query, limit: 20 }, 1000).text }),
)

/** The index that each search of the tasks must use: another one would do for a small table only. */
export const indexes: ReadonlyArray<readonly [name: string, index: string]> = [
  ["tasks.get", "sqlite_autoindex_tasks_1"],
  ["tasks.update", "sqlite_autoindex_tasks_1"],
  ["tasks.countUnfinishedTools", "tasks_by_user"],
  ["tasks.hasUnfinishedForFile", "tasks_of_file"],
  ["tasks.findByJobId", "tasks_by_job"],
  ["tasks.pastDeadline", "tasks_deadline"],
  ["tasks.pastExpiry", "tasks_expiry"],
  ["tasks.counts", "tasks_by_state"],
  ["list of a key", "tasks_by_key"],
  ["list of a key by kind", "tasks_by_key"],
  ["list of a key by state", "tasks_by_key"],
  ["list of a key by subject", "tasks_by_subject"],
  ["list of a key by subject and state", "tasks_by_subject"],
  ["list of a user", "tasks_by_user"],
  ["list of a user by state", "tasks_by_user"],
  ["list by state", "tasks_by_state"],
  ["list by kind", "tasks_by_state"],
]

/** Every statement that runs while the service does its work. */
export const statements: ReadonlyArray<Named> = [
  ...named("callbacks", callbacks.texts),
  ...named("files", files.texts),
  ...named("idempotency", idempotency.texts),
  ...named("keys", keys.texts),
  ...named("ledger", ledger.texts),
  ...named("settings", settings.texts),
  ...named("tasks", tasks.texts),
  ...named("queue", queue.texts),
  ...lists,
].filter(({ name }) => !whole.has(name))

/** The steps of a statement's query plan. */
export const plansOf = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const params = Array.from(text.matchAll(/\?/g), () => null)
  const rows = yield* sql.unsafe<{ readonly detail: string }>(
    `EXPLAIN QUERY PLAN ${inDialect(text, "sqlite")}`,
    params,
  )
  return rows.map((row) => row.detail)
})
