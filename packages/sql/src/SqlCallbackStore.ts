import { type CallbackDelivery, CallbackStore } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { jsonColumn } from "./jsonColumn.ts"
import { first, makeStatements } from "./statement.ts"

interface DeliveryRow {
  readonly task_id: CallbackDelivery["taskId"]
  readonly key_id: CallbackDelivery["keyId"]
  readonly url: string
  readonly event_id: CallbackDelivery["eventId"]
  readonly state: CallbackDelivery["state"]
  readonly attempts: string
  readonly attempts_total: number
  readonly redelivered_at: string
  readonly created_at: number
}

const attemptsOf = jsonColumn(
  "callbacks",
  "attempts",
  Schema.Array(
    Schema.Struct({
      at: Schema.Number,
      status: Schema.NullOr(Schema.Number),
      error: Schema.NullOr(Schema.String),
      durationMs: Schema.Number,
    }),
  ),
)
const redeliveredAtOf = jsonColumn("callbacks", "redelivered_at", Schema.Array(Schema.Number))

const toDelivery = (row: DeliveryRow): CallbackDelivery => ({
  taskId: row.task_id,
  keyId: row.key_id,
  url: row.url,
  eventId: row.event_id,
  state: row.state,
  attempts: attemptsOf(row.attempts, row.task_id),
  attemptsTotal: row.attempts_total,
  redeliveredAt: redeliveredAtOf(row.redelivered_at, row.task_id),
  createdAt: row.created_at,
})

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  insert: `INSERT INTO callbacks (task_id, key_id, url, event_id, state, attempts, attempts_total, redelivered_at, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  get: "SELECT * FROM callbacks WHERE task_id = ?",
  lock: "SELECT * FROM callbacks WHERE task_id = ? FOR NO KEY UPDATE",
  update:
    "UPDATE callbacks SET state = ?, attempts = ?, attempts_total = ?, redelivered_at = ? WHERE task_id = ?",
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const insert = statement("CallbackStore.insert", queries.insert)
  const get = statement<DeliveryRow>("CallbackStore.get", queries.get)
  const lock = statement<DeliveryRow>("CallbackStore.lock", queries.lock)
  const update = statement("CallbackStore.update", queries.update)
  return CallbackStore.of({
    insert: (delivery) =>
      Effect.asVoid(
        insert([
          delivery.taskId,
          delivery.keyId,
          delivery.url,
          delivery.eventId,
          delivery.state,
          JSON.stringify(delivery.attempts),
          delivery.attemptsTotal,
          JSON.stringify(delivery.redeliveredAt),
          delivery.createdAt,
        ]),
      ),
    get: (taskId) => Effect.map(get([taskId]), (rows) => Option.map(first(rows), toDelivery)),
    lock: (taskId) => Effect.map(lock([taskId]), (rows) => Option.map(first(rows), toDelivery)),
    update: ({ taskId, state, attempts, attemptsTotal, redeliveredAt }) =>
      Effect.asVoid(
        update([state, JSON.stringify(attempts), attemptsTotal, JSON.stringify(redeliveredAt), taskId]),
      ),
  })
})

export const layer: Layer.Layer<CallbackStore, never, SqlClient.SqlClient> = Layer.effect(CallbackStore, make)
