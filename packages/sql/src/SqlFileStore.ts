import { FileStore, type ToolFile, type UserId } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import { first, hasRows, makeIsInTransaction, makeStatements } from "./statement.ts"

interface FileRow {
  readonly id: ToolFile["id"]
  readonly tool_id: string
  readonly user_id: ToolFile["userId"]
  readonly key_id: ToolFile["keyId"]
  readonly filename: string
  readonly content_type: string
  readonly bytes: number
  readonly sha256: string
  readonly status: ToolFile["status"]
  readonly blob: string
  readonly created_at: number
  readonly expires_at: number
}

const toFile = (row: FileRow): ToolFile => ({
  id: row.id,
  toolId: row.tool_id,
  userId: row.user_id,
  keyId: row.key_id,
  filename: row.filename,
  contentType: row.content_type,
  bytes: row.bytes,
  sha256: row.sha256,
  status: row.status,
  blob: row.blob,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const removable = (condition: string) =>
  `SELECT * FROM (SELECT * FROM tool_files WHERE status <> 'deleted' AND ${condition} AND id > ?
    ORDER BY id LIMIT ?) AS part`

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  insert: `INSERT INTO tool_files (id, tool_id, user_id, key_id, filename, content_type, bytes, sha256, status,
    blob, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  get: "SELECT * FROM tool_files WHERE id = ?",
  getForUpdate: "SELECT * FROM tool_files WHERE id = ? FOR UPDATE",
  setStatus: "UPDATE tool_files SET status = ? WHERE id = ? AND status = ? RETURNING id",
  discard: "DELETE FROM tool_files WHERE id = ? AND status = 'uploading'",
  lockUser: "SELECT id FROM users WHERE id = ? FOR NO KEY UPDATE",
  countPending: `SELECT count(*) AS count FROM tool_files WHERE status <> 'deleted' AND user_id = ?
    AND tool_id <> 'images/edits'`,
  heldBytes: `SELECT COALESCE(sum(bytes), 0) AS bytes FROM tool_files WHERE status <> 'deleted' AND user_id = ?
    AND tool_id = 'images/edits'`,
  removable: `${removable("status = 'deleting'")}
    UNION ALL ${removable("status = 'ready' AND expires_at <= ?")}
    UNION ALL ${removable("status = 'uploading' AND created_at <= ?")}
    ORDER BY id LIMIT ?`,
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const insert = statement("FileStore.insert", queries.insert)
  const get = statement<FileRow>("FileStore.get", queries.get)
  const setStatus = statement("FileStore.setStatus", queries.setStatus)
  const discard = statement("FileStore.discard", queries.discard)
  const lockUser = statement("FileStore.countPending", queries.lockUser)
  const countPending = statement<{ count: number }>("FileStore.countPending", queries.countPending)
  const heldBytes = statement<{ bytes: number | string }>("FileStore.heldBytes", queries.heldBytes)
  const selectRemovable = statement<FileRow>("FileStore.removable", queries.removable)
  const getForUpdate = statement<FileRow>("FileStore.getForUpdate", queries.getForUpdate)
  const isInTransaction = yield* makeIsInTransaction
  const serialised = (userId: UserId) =>
    Effect.withFiber((fiber) => (isInTransaction(fiber) ? Effect.asVoid(lockUser([userId])) : Effect.void))
  const one = (rows: ReadonlyArray<FileRow>) => Option.map(first(rows), toFile)
  return FileStore.of({
    insert: (file) =>
      Effect.asVoid(
        insert([
          file.id,
          file.toolId,
          file.userId,
          file.keyId,
          file.filename,
          file.contentType,
          file.bytes,
          file.sha256,
          file.status,
          file.blob,
          file.createdAt,
          file.expiresAt,
        ]),
      ),
    get: (id) => Effect.map(get([id]), one),
    getForUpdate: (id) => Effect.map(getForUpdate([id]), one),
    setStatus: (id, from, to) => Effect.map(setStatus([to, id, from]), hasRows),
    discard: (id) => Effect.asVoid(discard([id])),
    countPending: (userId) =>
      Effect.andThen(serialised(userId), countPending([userId])).pipe(
        Effect.map((rows) => rows[0]?.count ?? 0),
      ),
    heldBytes: (userId) =>
      Effect.andThen(serialised(userId), heldBytes([userId])).pipe(
        Effect.map((rows) => Number(rows[0]?.bytes ?? 0)),
      ),
    removable: (now, abandonedBefore, limit, after) =>
      Effect.map(
        selectRemovable([after, limit, now, after, limit, abandonedBefore, after, limit, limit]),
        (rows) => rows.map(toFile),
      ),
  })
})

export const layer: Layer.Layer<FileStore, never, SqlClient.SqlClient> = Layer.effect(FileStore, make)
