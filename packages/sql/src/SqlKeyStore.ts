import { KeyStore } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import {
  adjustableParams,
  type KeyRow,
  type PrincipalRow,
  toKey,
  toPrincipal,
  toUser,
  type UserRow,
} from "./keyRows.ts"
import { makePrincipalCache } from "./PrincipalCache.ts"
import { sharing } from "./sharing.ts"
import { dialectOf, first, hasRows, makeIsInTransaction, makeStatements } from "./statement.ts"

const principal = `SELECT k.*, u.name AS user_name, u.disabled AS user_disabled, u.created_at AS user_created_at
  FROM api_keys k JOIN users u ON u.id = k.user_id`

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  insertUser: "INSERT INTO users (id, name, disabled, created_at) VALUES (?, ?, ?, ?)",
  getUser: "SELECT id, name, disabled, created_at FROM users WHERE id = ?",
  listUsers: "SELECT id, name, disabled, created_at FROM users ORDER BY id DESC LIMIT ?",
  listUsersAfter: "SELECT id, name, disabled, created_at FROM users WHERE id < ? ORDER BY id DESC LIMIT ?",
  setUserDisabled: "UPDATE users SET disabled = ? WHERE id = ? RETURNING id",
  insertKey: `INSERT INTO api_keys (name, models, tools, ip_allowlist, group_name, quota_units, rate_per_minute,
    webhook_secret, previous_webhook_secret, previous_webhook_until, disabled, expires_at, id, user_id, digest,
    hint, used_units, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  getKey: "SELECT * FROM api_keys WHERE id = ?",
  lockKey: "SELECT * FROM api_keys WHERE id = ? FOR NO KEY UPDATE",
  listKeys: "SELECT * FROM api_keys WHERE user_id = ? ORDER BY id DESC",
  updateKey: `UPDATE api_keys SET name = ?, models = ?, tools = ?, ip_allowlist = ?, group_name = ?,
    quota_units = ?, rate_per_minute = ?, webhook_secret = ?, previous_webhook_secret = ?,
    previous_webhook_until = ?, disabled = ?, expires_at = ? WHERE id = ? RETURNING id`,
  updateDigest: `UPDATE api_keys SET digest = ?, hint = ?, previous_digest = ?, previous_until = ?
    WHERE id = ? RETURNING id`,
  findByDigest: `${principal} WHERE k.digest = ?`,
  version: "SELECT version FROM principals_version WHERE id = 1",
  findByPreviousDigest: `${principal} WHERE k.previous_digest = ? AND k.previous_until > ?`,
  seals: `SELECT CASE WHEN webhook_secret LIKE 'sealed:1:%' THEN substr(webhook_secret, 10, 16) END AS key_id,
    count(*) AS count FROM api_keys GROUP BY 1 ORDER BY 1`,
  isEmpty: "SELECT 1 AS found FROM users LIMIT 1",
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const insertUser = statement("KeyStore.insertUser", queries.insertUser)
  const getUser = statement<UserRow>("KeyStore.getUser", queries.getUser)
  const listUsers = statement<UserRow>("KeyStore.listUsers", queries.listUsers)
  const listUsersAfter = statement<UserRow>("KeyStore.listUsers", queries.listUsersAfter)
  const setUserDisabled = statement("KeyStore.setUserDisabled", queries.setUserDisabled)
  const insertKey = statement("KeyStore.insertKey", queries.insertKey)
  const getKey = statement<KeyRow>("KeyStore.getKey", queries.getKey)
  const lockKey = statement<KeyRow>("KeyStore.lockKey", queries.lockKey)
  const listKeys = statement<KeyRow>("KeyStore.listKeys", queries.listKeys)
  const updateKey = statement("KeyStore.updateKey", queries.updateKey)
  const updateDigest = statement("KeyStore.updateDigest", queries.updateDigest)
  const findByDigest = statement<PrincipalRow>("KeyStore.findByDigest", queries.findByDigest)
  const findByPreviousDigest = statement<PrincipalRow>("KeyStore.findByDigest", queries.findByPreviousDigest)
  const readVersion = Effect.map(
    statement<{ version: number }>("KeyStore.findByDigest", queries.version)([]),
    (rows) => rows[0]?.version ?? 0,
  )
  // Postgres is a round trip away: requests that come at once share one.
  const version =
    dialectOf(yield* SqlClient.SqlClient) === "postgres" ? yield* sharing(readVersion) : readVersion
  const cache = yield* makePrincipalCache
  const isInTransaction = yield* makeIsInTransaction

  // Only a previous secret costs a second look-up.
  const readByDigest = (digest: string, now: number) =>
    Effect.flatMap(findByDigest([digest]), (rows) =>
      rows.length > 0
        ? Effect.succeed(Option.map(first(rows), toPrincipal))
        : Effect.map(findByPreviousDigest([digest, now]), (older) => Option.map(first(older), toPrincipal)),
    )

  const recall = (digest: string, now: number) =>
    Effect.flatMap(version, (seen) => {
      const known = cache.find(digest, seen, now)
      return known !== undefined
        ? Effect.succeedSome(known)
        : Effect.tap(readByDigest(digest, now), (found) => Effect.sync(() => cache.keep(digest, seen, found)))
    })

  const seals = statement<{ key_id: string | null; count: number }>("KeyStore.seals", queries.seals)
  const anyUser = statement("KeyStore.isEmpty", queries.isEmpty)
  return KeyStore.of({
    insertUser: (user) =>
      Effect.asVoid(insertUser([user.id, user.name, user.disabled ? 1 : 0, user.createdAt])),
    getUser: (id) => Effect.map(getUser([id]), (rows) => Option.map(first(rows), toUser)),
    listUsers: ({ after, limit }) =>
      Effect.map(after === undefined ? listUsers([limit]) : listUsersAfter([after, limit]), (rows) =>
        rows.map(toUser),
      ),
    setUserDisabled: (id, disabled) => Effect.map(setUserDisabled([disabled ? 1 : 0, id]), hasRows),
    insertKey: (key) =>
      Effect.asVoid(
        insertKey([
          ...adjustableParams(key),
          key.id,
          key.userId,
          key.digest,
          key.hint,
          key.usedUnits,
          key.createdAt,
        ]),
      ),
    getKey: (id) => Effect.map(getKey([id]), (rows) => Option.map(first(rows), toKey)),
    lockKey: (id) => Effect.map(lockKey([id]), (rows) => Option.map(first(rows), toKey)),
    listKeys: (userId) => Effect.map(listKeys([userId]), (rows) => rows.map(toKey)),
    updateKey: (key) => Effect.map(updateKey([...adjustableParams(key), key.id]), hasRows),
    updateDigest: (key) =>
      Effect.map(
        updateDigest([key.digest, key.hint, key.previousDigest, key.previousUntil, key.id]),
        hasRows,
      ),
    findByDigest: (digest, now) =>
      Effect.withFiber((fiber) => (isInTransaction(fiber) ? readByDigest(digest, now) : recall(digest, now))),
    seals: Effect.map(seals([]), (rows) => rows.map(({ key_id, count }) => ({ keyId: key_id, count }))),
    isEmpty: Effect.map(anyUser([]), (rows) => !hasRows(rows)),
  })
})

export const layer: Layer.Layer<KeyStore, never, SqlClient.SqlClient> = Layer.effect(KeyStore, make)
