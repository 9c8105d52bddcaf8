import type { ApiKey, Principal, User } from "@atelier/core"
import * as Schema from "effect/Schema"
import { jsonColumn } from "./jsonColumn.ts"
import type { Param } from "./statement.ts"

/** A row of `users`. */
export interface UserRow {
  readonly id: User["id"]
  readonly name: string
  readonly disabled: number
  readonly created_at: number
}

/** A row of `api_keys`; the lists are JSON. */
export interface KeyRow {
  readonly id: ApiKey["id"]
  readonly user_id: ApiKey["userId"]
  readonly digest: string
  readonly previous_digest: string | null
  readonly previous_until: number | null
  readonly hint: string
  readonly name: string
  readonly models: string
  readonly tools: string
  readonly ip_allowlist: string
  readonly group_name: string | null
  readonly quota_units: number | null
  readonly used_units: number
  readonly rate_per_minute: number | null
  readonly webhook_secret: string
  readonly previous_webhook_secret: string | null
  readonly previous_webhook_until: number | null
  readonly disabled: number
  readonly expires_at: number | null
  readonly created_at: number
}

/** A key joined with its user. */
export type PrincipalRow = KeyRow & {
  readonly user_name: string
  readonly user_disabled: number
  readonly user_created_at: number
}

const none: ReadonlyArray<string> = []
const listColumn = (column: string) => {
  const decode = jsonColumn("api_keys", column, Schema.Array(Schema.String))
  return (text: string, key: string): ReadonlyArray<string> => (text === "[]" ? none : decode(text, key))
}
const modelsOf = listColumn("models")
const toolsOf = listColumn("tools")
const ipAllowlistOf = listColumn("ip_allowlist")

export const toUser = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  disabled: row.disabled === 1,
  createdAt: row.created_at,
})

export const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  userId: row.user_id,
  digest: row.digest,
  previousDigest: row.previous_digest,
  previousUntil: row.previous_until,
  hint: row.hint,
  name: row.name,
  models: modelsOf(row.models, row.id),
  tools: toolsOf(row.tools, row.id),
  ipAllowlist: ipAllowlistOf(row.ip_allowlist, row.id),
  group: row.group_name,
  quotaUnits: row.quota_units,
  usedUnits: row.used_units,
  ratePerMinute: row.rate_per_minute,
  webhookSecret: row.webhook_secret,
  previousWebhookSecret: row.previous_webhook_secret,
  previousWebhookUntil: row.previous_webhook_until,
  disabled: row.disabled === 1,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})

export const toPrincipal = (row: PrincipalRow): Principal => ({
  user: {
    id: row.user_id,
    name: row.user_name,
    disabled: row.user_disabled === 1,
    createdAt: row.user_created_at,
  },
  key: toKey(row),
})

/** Values of what an administrator may change, in the order of both insert and update. */
export const adjustableParams = (key: ApiKey): ReadonlyArray<Param> => [
  key.name,
  JSON.stringify(key.models),
  JSON.stringify(key.tools),
  JSON.stringify(key.ipAllowlist),
  key.group,
  key.quotaUnits,
  key.ratePerMinute,
  key.webhookSecret,
  key.previousWebhookSecret,
  key.previousWebhookUntil,
  key.disabled ? 1 : 0,
  key.expiresAt,
]
