import { type AdminSession, type AdminToken, AdminTokenStore } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import { first, hasRows, makeStatements } from "./statement.ts"

interface TokenRow {
  readonly id: AdminToken["id"]
  readonly name: string
  readonly role: AdminToken["role"]
  readonly digest: string
  readonly hint: string
  readonly previous_digest: string | null
  readonly previous_until: number | null
  readonly disabled: number
  readonly expires_at: number | null
  readonly created_at: number
}

const toToken = (row: TokenRow): AdminToken => ({
  id: row.id,
  name: row.name,
  role: row.role,
  digest: row.digest,
  hint: row.hint,
  previousDigest: row.previous_digest,
  previousUntil: row.previous_until,
  disabled: row.disabled === 1,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})

interface SessionRow {
  readonly digest: string
  readonly token_digest: string
  readonly created_at: number
  readonly expires_at: number
}

const toSession = (row: SessionRow): AdminSession => ({
  digest: row.digest,
  tokenDigest: row.token_digest,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  insert: `INSERT INTO admin_tokens (digest, hint, previous_digest, previous_until, disabled, id, name, role,
    expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  get: "SELECT * FROM admin_tokens WHERE id = ?",
  lock: "SELECT * FROM admin_tokens WHERE id = ? FOR UPDATE",
  list: "SELECT * FROM admin_tokens ORDER BY id DESC LIMIT ?",
  listAfter: "SELECT * FROM admin_tokens WHERE id < ? ORDER BY id DESC LIMIT ?",
  update: `UPDATE admin_tokens SET digest = ?, hint = ?, previous_digest = ?, previous_until = ?, disabled = ?
    WHERE id = ? RETURNING id`,
  findByDigest: "SELECT * FROM admin_tokens WHERE digest = ?",
  findByPreviousDigest: "SELECT * FROM admin_tokens WHERE previous_digest = ? AND previous_until > ?",
  insertSession:
    "INSERT INTO admin_sessions (digest, token_digest, created_at, expires_at) VALUES (?, ?, ?, ?)",
  findSession: "SELECT * FROM admin_sessions WHERE digest = ? AND expires_at > ?",
  removeSession: "DELETE FROM admin_sessions WHERE digest = ?",
  removeExpiredSessions: "DELETE FROM admin_sessions WHERE expires_at <= ?",
  removeOldestSessions: `DELETE FROM admin_sessions WHERE digest IN (
    SELECT digest FROM admin_sessions WHERE token_digest = ? ORDER BY created_at DESC, digest LIMIT 1000 OFFSET ?
  )`,
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const insert = statement("AdminTokenStore.insert", queries.insert)
  const get = statement<TokenRow>("AdminTokenStore.get", queries.get)
  const lock = statement<TokenRow>("AdminTokenStore.lock", queries.lock)
  const list = statement<TokenRow>("AdminTokenStore.list", queries.list)
  const listAfter = statement<TokenRow>("AdminTokenStore.list", queries.listAfter)
  const update = statement("AdminTokenStore.update", queries.update)
  const findByDigest = statement<TokenRow>("AdminTokenStore.findByDigest", queries.findByDigest)
  const findByPreviousDigest = statement<TokenRow>(
    "AdminTokenStore.findByDigest",
    queries.findByPreviousDigest,
  )
  const changeable = (token: AdminToken) => [
    token.digest,
    token.hint,
    token.previousDigest,
    token.previousUntil,
    token.disabled ? 1 : 0,
    token.id,
  ]
  const insertSession = statement("AdminTokenStore.insertSession", queries.insertSession)
  const findSession = statement<SessionRow>("AdminTokenStore.findSession", queries.findSession)
  const removeSession = statement("AdminTokenStore.removeSession", queries.removeSession)
  const removeExpired = statement("AdminTokenStore.insertSession", queries.removeExpiredSessions)
  const removeOldest = statement("AdminTokenStore.insertSession", queries.removeOldestSessions)
  const one = (rows: ReadonlyArray<TokenRow>) => Option.map(first(rows), toToken)
  return AdminTokenStore.of({
    insert: (token) =>
      Effect.asVoid(insert([...changeable(token), token.name, token.role, token.expiresAt, token.createdAt])),
    get: (id) => Effect.map(get([id]), one),
    lock: (id) => Effect.map(lock([id]), one),
    list: ({ after, limit }) =>
      Effect.map(after === undefined ? list([limit]) : listAfter([after, limit]), (rows) =>
        rows.map(toToken),
      ),
    update: (token) => Effect.map(update(changeable(token)), hasRows),
    findByDigest: (digest, now) =>
      Effect.flatMap(findByDigest([digest]), (rows) =>
        rows.length > 0 ? Effect.succeed(one(rows)) : Effect.map(findByPreviousDigest([digest, now]), one),
      ),
    insertSession: Effect.fnUntraced(function* ({ digest, tokenDigest, createdAt, expiresAt }, keep) {
      yield* removeExpired([createdAt])
      yield* insertSession([digest, tokenDigest, createdAt, expiresAt])
      yield* removeOldest([tokenDigest, keep])
    }),
    findSession: (digest, now) =>
      Effect.map(findSession([digest, now]), (rows) => Option.map(first(rows), toSession)),
    removeSession: (digest) => Effect.asVoid(removeSession([digest])),
  })
})

export const layer: Layer.Layer<AdminTokenStore, never, SqlClient.SqlClient> = Layer.effect(
  AdminTokenStore,
  make,
)
