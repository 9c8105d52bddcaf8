import { CoreError, type IdempotencyRecord, IdempotencyStore } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { first, hasRows, makeStatements, type Param } from "./statement.ts"

interface RecordRow {
  readonly key_id: IdempotencyRecord["keyId"]
  readonly idempotency_key: string
  readonly operation: string
  readonly fingerprint: string
  readonly task_id: IdempotencyRecord["taskId"]
  readonly outcome: "reserved" | "accepted" | "refused"
  readonly reserved_until: number | null
  readonly error: string | null
  readonly created_at: number
  readonly expires_at: number
}

const errorJson = Schema.fromJsonString(CoreError)
const encodeError = Schema.encodeSync(errorJson)
const decodeError = Schema.decodeUnknownSync(errorJson)

const outcomeOf = (row: RecordRow): IdempotencyRecord["outcome"] => {
  switch (row.outcome) {
    case "accepted":
      return { _tag: "Accepted" }
    case "reserved":
      return { _tag: "Reserved", reservedUntil: row.reserved_until ?? 0 }
    case "refused":
      return { _tag: "Refused", error: decodeError(row.error) }
  }
}

const toRecord = (row: RecordRow): IdempotencyRecord => ({
  keyId: row.key_id,
  idempotencyKey: row.idempotency_key,
  operation: row.operation,
  fingerprint: row.fingerprint,
  taskId: row.task_id,
  outcome: outcomeOf(row),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const outcomeParams = ({ outcome }: IdempotencyRecord): ReadonlyArray<Param> => {
  switch (outcome._tag) {
    case "Accepted":
      return ["accepted", null, null]
    case "Reserved":
      return ["reserved", outcome.reservedUntil, null]
    case "Refused":
      return ["refused", null, encodeError(outcome.error)]
  }
}

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  get: `SELECT * FROM idempotency WHERE key_id = ? AND idempotency_key = ? AND expires_at > ?
    AND (reserved_until IS NULL OR reserved_until > ?)`,
  put: `INSERT INTO idempotency (key_id, idempotency_key, operation, fingerprint, task_id, outcome,
      reserved_until, error, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key_id, idempotency_key) DO UPDATE SET operation = excluded.operation,
      fingerprint = excluded.fingerprint, task_id = excluded.task_id, outcome = excluded.outcome,
      reserved_until = excluded.reserved_until, error = excluded.error,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE idempotency.expires_at <= ? OR idempotency.reserved_until <= ?
      OR (idempotency.outcome = 'reserved' AND idempotency.task_id = excluded.task_id)
    RETURNING task_id`,
  release: `DELETE FROM idempotency
    WHERE key_id = ? AND idempotency_key = ? AND task_id = ? AND outcome = 'reserved'`,
  removeExpired: `DELETE FROM idempotency WHERE (key_id, idempotency_key) IN
    (SELECT key_id, idempotency_key FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
    RETURNING task_id`,
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const get = statement<RecordRow>("IdempotencyStore.get", queries.get)
  const put = statement("IdempotencyStore.put", queries.put)
  const release = statement("IdempotencyStore.release", queries.release)
  const removeExpired = statement("IdempotencyStore.removeExpired", queries.removeExpired)
  return IdempotencyStore.of({
    get: (keyId, idempotencyKey, now) =>
      Effect.map(get([keyId, idempotencyKey, now, now]), (rows) => Option.map(first(rows), toRecord)),
    put: (record, now) =>
      Effect.map(
        put([
          record.keyId,
          record.idempotencyKey,
          record.operation,
          record.fingerprint,
          record.taskId,
          ...outcomeParams(record),
          record.createdAt,
          record.expiresAt,
          now,
          now,
        ]),
        hasRows,
      ),
    release: (keyId, idempotencyKey, taskId) => Effect.asVoid(release([keyId, idempotencyKey, taskId])),
    removeExpired: (now, limit) => Effect.map(removeExpired([now, limit]), (rows) => rows.length),
  })
})

export const layer: Layer.Layer<IdempotencyStore, never, SqlClient.SqlClient> = Layer.effect(
  IdempotencyStore,
  make,
)
