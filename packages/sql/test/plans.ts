import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as callbacks from "../src/SqlCallbackStore.ts"
import * as files from "../src/SqlFileStore.ts"
import * as idempotency from "../src/SqlIdempotencyStore.ts"
import * as keys from "../src/SqlKeyStore.ts"
import * as ledger from "../src/SqlLedgerStore.ts"
import * as tasks from "../src/SqlTaskStore.ts"
import * as queue from "../src/sqlite/SqliteQueue.ts"
import { listStatement } from "../src/taskList.ts"

interface Named {
  readonly name: string
  readonly text: string
}

/** Statements that look at everything on purpose: for operators, and bounded by what is unfinished. */
const whole = new Set([
  "ledger.audit",
  "ledger.list",
  "tasks.counts",
  "queue.counts",
  "keys.listUsers",
  "keys.isEmpty",
])

const named = (store: string, texts: { readonly [name: string]: string }): ReadonlyArray<Named> =>
  Object.entries(texts).map(([name, text]) => ({ name: `${store}.${name}`, text }))

const owners = { keyId: "key_1", userId: "usr_1" } as const
const lists: ReadonlyArray<Named> = [
  { keyId: owners.keyId },
  { userId: owners.userId },
  { keyId: owners.keyId, kind: "tool" } as const,
  { keyId: owners.keyId, states: ["failed"] },
  { keyId: owners.keyId, subject: "gen-image-2" },
  { keyId: owners.keyId, subject: "gen-image-2", states: ["queued", "failed"] },
  { userId: owners.userId, states: ["failed"], kind: "image" } as const,
  { states: ["failed"] },
  { kind: "image" } as const,
].map((query) => ({
  name: `list ${JSON.stringify(query)}`,
  text: listStatement({ ...query, limit: 20 }, 1000).text,
}))

/** Every statement that runs while the service does its work. */
export const statements: ReadonlyArray<Named> = [
  ...named("callbacks", callbacks.texts),
  ...named("files", files.texts),
  ...named("idempotency", idempotency.texts),
  ...named("keys", keys.texts),
  ...named("ledger", ledger.texts),
  ...named("tasks", tasks.texts),
  ...named("queue", queue.texts),
  ...lists,
].filter(({ name }) => !whole.has(name))

/** The steps of a statement's query plan. */
export const plansOf = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const params = Array.from(text.matchAll(/\?/g), () => null)
  const rows = yield* sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
  return rows.map((row) => row.detail)
})
