import type {
  WireAdminChannel,
  WireAdminModel,
  WireAdminToken,
  WireAdminTool,
  WireAuditEntry,
  WireKey,
  WireStats,
  WireTransfer,
  WireUser,
} from "@atelier/api"
import type {
  AdminToken,
  ApiKey,
  AuditEntry,
  ChannelEntry,
  ModelEntry,
  Stats,
  ToolEntry,
  Transfer,
  TransferKind,
  UserAccount,
} from "@atelier/core"
import { seconds, secondsOrNull, usdNumber } from "./toWire.ts"

export const toWireUser = ({ user, balance }: UserAccount): WireUser => ({
  id: user.id,
  name: user.name,
  balance: balance.wallet,
  held: balance.held,
  spent: balance.spent,
  granted: balance.granted,
  disabled: user.disabled,
  created_at: seconds(user.createdAt),
})

export const toWireKey = (key: ApiKey): WireKey => ({
  id: key.id,
  user_id: key.userId,
  hint: key.hint,
  name: key.name,
  models: key.models,
  tools: key.tools,
  ip_allowlist: key.ipAllowlist,
  group: key.group,
  quota_units: key.quotaUnits,
  used_units: key.usedUnits,
  rate_per_minute: key.ratePerMinute,
  disabled: key.disabled,
  expires_at: secondsOrNull(key.expiresAt),
  created_at: seconds(key.createdAt),
  previous_expires_at: secondsOrNull(key.previousUntil),
  previous_webhook_expires_at: secondsOrNull(key.previousWebhookUntil),
})

export const toWireAdminTool = ({
  executor,
  published,
  unitPrice,
  maxFileBytes,
}: ToolEntry): WireAdminTool => ({
  id: executor.definition.id,
  published,
  unit_price: usdNumber(unitPrice),
  max_file_bytes: maxFileBytes,
})

export const toWireAdminModel = ({ model, enabled }: ModelEntry): WireAdminModel => ({
  id: model.id,
  enabled,
  delivery: model.delivery,
  pricing_display: model.pricing,
})

export const toWireAdminChannel = ({ pause, ...channel }: ChannelEntry): WireAdminChannel => ({
  ...channel,
  paused: pause !== null,
  paused_at: secondsOrNull(pause?.at ?? null),
  reason: pause?.reason ?? null,
})

export const toWireTransfer = (transfer: Transfer & { readonly sequence: number }): WireTransfer => ({
  id: transfer.id,
  sequence: transfer.sequence,
  kind: transfer.kind,
  user_id: transfer.userId,
  key_id: transfer.keyId,
  task_id: transfer.taskId,
  debit: transfer.debit,
  credit: transfer.credit,
  amount: transfer.amount,
  reason: transfer.reason,
  created_at: seconds(transfer.at),
})

export const toWireToken = (token: AdminToken): WireAdminToken => ({
  id: token.id,
  name: token.name,
  role: token.role,
  hint: token.hint,
  disabled: token.disabled,
  expires_at: secondsOrNull(token.expiresAt),
  created_at: seconds(token.createdAt),
  previous_expires_at: secondsOrNull(token.previousUntil),
})

export const toWireAudit = (entry: AuditEntry & { readonly sequence: number }): WireAuditEntry => ({
  id: String(entry.sequence),
  actor: entry.actor,
  role: entry.role,
  ip: entry.ip,
  request_id: entry.requestId,
  action: entry.action,
  target: entry.target,
  before: entry.before,
  after: entry.after,
  outcome: entry.outcome,
  code: entry.code,
  at: seconds(entry.at),
})

/** The balances of all users together follow from how much was moved by each kind of transfer. */
export const toWireStats = ({ totals, mismatches }: Stats): WireStats => {
  const { tasks, jobs, transfers } = totals
  const units = (kind: TransferKind) => transfers.find((total) => total.kind === kind)?.amount ?? 0
  return {
    tasks,
    queue: jobs,
    ledger: {
      transfers: transfers.reduce((sum, { count }) => sum + count, 0),
      granted: units("grant"),
      balance: units("grant") - units("hold") + units("release"),
      held: units("hold") - units("settle") - units("release"),
      spent: units("settle"),
    },
    ...(mismatches === undefined
      ? {}
      : { ledger_mismatches: mismatches.ledger, total_mismatches: mismatches.totals }),
  }
}
