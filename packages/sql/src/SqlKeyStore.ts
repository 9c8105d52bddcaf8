import { KeyStore } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import {
  adjustableParams,
  type KeyRow,
  type PrincipalRow,
  toKey,
  toPrincipal,
  toUser,
  type UserRow,
} from "./keyRows.ts"
import { first, makeStatements, touched } from "./statement.ts"

const principal = `SELECT k.*, u.name AS user_name, u.disabled AS user_disabled, u.created_at AS user_created_at
  FROM api_keys k JOIN users u ON u.id = k.user_id`

/** Texts whose plans a test holds to indexes. */
export const texts = {
  insertUser: "INSERT INTO users (id, name, disabled, created_at) VALUES (?, ?, ?, ?)",
  getUser: "SELECT id, name, disabled, created_at FROM users WHERE id = ?",
  listUsers: "SELECT id, name, disabled, created_at FROM users ORDER BY id DESC LIMIT ?",
  listUsersAfter: "SELECT id, name, disabled, created_at FROM users WHERE id < ? ORDER BY id DESC LIMIT ?",
  setUserDisabled: "UPDATE users SET disabled = ? WHERE id = ? RETURNING id",
  insertKey: `INSERT INTO api_keys (name, models, tools, ip_allowlist, group_name, quota_units, rate_per_minute,
    webhook_secret, disabled, expires_at, id, user_id, digest, hint, used_units, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  getKey: "SELECT * FROM api_keys WHERE id = ?",
  listKeys: "SELECT * FROM api_keys WHERE user_id = ? ORDER BY id DESC",
  updateKey: `UPDATE api_keys SET name = ?, models = ?, tools = ?, ip_allowlist = ?, group_name = ?,
    quota_units = ?, rate_per_minute = ?, webhook_secret = ?, disabled = ?, expires_at = ?
    WHERE id = ? RETURNING id`,
  findByDigest: `${principal} WHERE k.digest = ?`,
  isEmpty: "SELECT 1 AS found FROM users LIMIT 1",
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const insertUser = statement("KeyStore.insertUser", texts.insertUser)
  const getUser = statement<UserRow>("KeyStore.getUser", texts.getUser)
  const listUsers = statement<UserRow>("KeyStore.listUsers", texts.listUsers)
  const listUsersAfter = statement<UserRow>("KeyStore.listUsers", texts.listUsersAfter)
  const setUserDisabled = statement("KeyStore.setUserDisabled", texts.setUserDisabled)
  const insertKey = statement("KeyStore.insertKey", texts.insertKey)
  const getKey = statement<KeyRow>("KeyStore.getKey", texts.getKey)
  const listKeys = statement<KeyRow>("KeyStore.listKeys", texts.listKeys)
  const updateKey = statement("KeyStore.updateKey", texts.updateKey)
  const findByDigest = statement<PrincipalRow>("KeyStore.findByDigest", texts.findByDigest)
  const anyUser = statement("KeyStore.isEmpty", texts.isEmpty)
  return KeyStore.of({
    insertUser: (user) =>
      Effect.asVoid(insertUser([user.id, user.name, user.disabled ? 1 : 0, user.createdAt])),
    getUser: (id) => Effect.map(getUser([id]), (rows) => Option.map(first(rows), toUser)),
    listUsers: ({ after, limit }) =>
      Effect.map(after === undefined ? listUsers([limit]) : listUsersAfter([after, limit]), (rows) =>
        rows.map(toUser),
      ),
    setUserDisabled: (id, disabled) => Effect.map(setUserDisabled([disabled ? 1 : 0, id]), touched),
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
    listKeys: (userId) => Effect.map(listKeys([userId]), (rows) => rows.map(toKey)),
    updateKey: (key) => Effect.map(updateKey([...adjustableParams(key), key.id]), touched),
    findByDigest: (digest) =>
      Effect.map(findByDigest([digest]), (rows) => Option.map(first(rows), toPrincipal)),
    isEmpty: Effect.map(anyUser([]), (rows) => !touched(rows)),
  })
})

export const layer: Layer.Layer<KeyStore, never, SqlClient.SqlClient> = Layer.effect(KeyStore, make)
