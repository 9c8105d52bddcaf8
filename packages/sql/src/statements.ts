import type { TaskQuery } from "@atelier/core"
import { queries as folding } from "./postgres/foldTotals.ts"
import { queries as rates } from "./postgres/PostgresRateLimiter.ts"
import { queries as queueOnPostgres } from "./postgres/queueQueries.ts"
import * as adminTokens from "./SqlAdminTokenStore.ts"
import * as callbacks from "./SqlCallbackStore.ts"
import * as files from "./SqlFileStore.ts"
import * as finished from "./SqlFinishedTasks.ts"
import * as idempotency from "./SqlIdempotencyStore.ts"
import * as keys from "./SqlKeyStore.ts"
import * as ledger from "./SqlLedgerStore.ts"
import * as settings from "./SqlSettingsStore.ts"
import { auditStatement } from "./SqlSettingsStore.ts"
import * as smallBlobs from "./SqlSmallBlobs.ts"
import * as tasks from "./SqlTaskStore.ts"
import * as totals from "./SqlTotalsStore.ts"
import { queries as queueOnSqlite } from "./sqlite/SqliteQueue.ts"
import { type Dialect, inDialect } from "./statement.ts"
import { listStatement } from "./taskList.ts"

/** A statement that the service runs, in its dialect's text. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
}

/** Statements that look at everything on purpose: for operators, and bounded by what is unfinished or in use. */
const whole = new Set([
  "ledger.audit",
  "ledger.list",
  "ledger.lastSequence",
  "ledger.activity",
  "ledger.activityOfUser",
  "ledger.spenders",
  "tasks.lastSequence",
  "queue.counts",
  "queue.countRunning",
  "keys.listUsers",
  "keys.isEmpty",
  "keys.seals",
  "adminTokens.list",
  "rates.sweep",
  "totals.read",
  "totals.differences",
  "totals.fold",
])

const named = (store: string, queries: { readonly [name: string]: string }): ReadonlyArray<NamedStatement> =>
  Object.entries(queries).map(([name, text]) => ({ name: `${store}.${name}`, text }))

const keyId = "key_1"
const userId = "usr_1"
const queries: { readonly [name: string]: Omit<TaskQuery, "limit"> } = {
  "list of a key": { keyId },
  "list of a key by kind": { keyId, kind: "tool" },
  "list of a key by state": { keyId, states: ["failed"] },
  "list of a key by subject": { keyId, subject: "gen-image-2" },
  "list of a key by subject and state": { keyId, subject: "gen-image-2", states: ["queued", "failed"] },
  "list of a key with tools": { keyId, kind: "tool", tools: ["text-md-json", "pptx-md-json"] },
  "list of a user": { userId },
  "list of a user by state": { userId, states: ["failed"], kind: "image" },
  "list by state": { states: ["failed"] },
  "list by kind": { kind: "image" },
  "list of a model": { subject: "gen-image-2" },
  "list of a model by state": { subject: "gen-image-2", states: ["completed"] },
  "list of the failed of a model": { subject: "gen-image-2", kind: "image", states: ["failed"] },
  "list of the queued of a model": { subject: "gen-image-2", kind: "image", states: ["queued"] },
  "list of a model of a user": { subject: "gen-image-2", userId },
  "list of an idempotency key": { idempotencyKey: "order-1" },
  "list of an idempotency key by state": { idempotencyKey: "order-1", states: ["failed"] },
  "list of an hour": { from: 1, until: 3_600_000, kind: "image" },
  "list of a request": { requestId: "req_1" },
  "list of a request by user and state": { requestId: "req_1", userId, keyId, states: ["failed"] },
}
const lists = Object.entries(queries).map(
  ([name, query]): NamedStatement => ({
    name,
    text: listStatement({ ...query, limit: 20 }, { above: -1, below: 1000 }).text,
  }),
)

const auditLists = Object.entries({
  "audit of an actor": { actor: "adm_1" },
  "audit of a target": { target: "usr_1", outcome: "refused" as const },
  "audit of a request": { requestId: "req_1" },
}).map(([name, query]): NamedStatement => ({ name, text: auditStatement({ ...query, limit: 20 }).text }))

/** Every statement that must find its rows by an index: tests hold their plans to that. */
export const statementsOf = (dialect: Dialect): ReadonlyArray<NamedStatement> =>
  [
    ...named("adminTokens", adminTokens.queries),
    ...named("callbacks", callbacks.queries),
    ...named("files", files.queries),
    ...named("finished", finished.queries),
    ...named("smallBlobs", smallBlobs.queries),
    ...named("idempotency", idempotency.queries),
    ...named("keys", keys.queries),
    ...named("ledger", ledger.queries),
    ...named("settings", settings.queries),
    ...named("tasks", tasks.queries),
    ...named("totals", totals.queries),
    ...(dialect === "postgres"
      ? [...named("queue", queueOnPostgres), ...named("rates", rates), ...named("totals", folding)]
      : named("queue", queueOnSqlite)),
    ...lists,
    ...auditLists,
  ]
    .filter(({ name }) => !whole.has(name))
    .map(({ name, text }) => ({ name, text: inDialect(text, dialect) }))
