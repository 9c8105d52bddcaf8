import type {
  WireAdminChannel,
  WireAdminModel,
  WireAdminTaskDetail,
  WireAdminToken,
  WireAdminTool,
  WireAuditEntry,
  WireKey,
  WireOverview,
  WireStats,
  WireTransfer,
  WireUser,
} from "@atelier/api"
import {
  type AdminToken,
  type ApiKey,
  type AuditEntry,
  type ChannelEntry,
  type ChannelPrice,
  type HistoryEntry,
  type Hour,
  type Json,
  type ModelEntry,
  type Stats,
  type Task,
  type TaskDetail,
  type ToolEntry,
  type Transfer,
  type TransferKind,
  taskKinds,
  type UserAccount,
} from "@atelier/core"
import * as BigDecimal from "effect/BigDecimal"
import { seconds, secondsOrNull, toWireCallback, toWireHistory, toWireTask, usdNumber } from "./toWire.ts"

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

export const toWireAdminChannel = (
  { calls, costs: _, pause, ...channel }: ChannelEntry,
  prices: ReadonlyArray<ChannelPrice>,
): WireAdminChannel => ({
  ...channel,
  concurrency: { in_use: calls.inUse, limit: calls.limit },
  last_errors: calls.errors.map(({ at, message, reason, taskId }) => ({
    at: seconds(at),
    reason,
    message,
    task_id: taskId,
  })),
  prices: prices.map(({ cost, marginLeast, model, price }) => ({
    model,
    price_usd: toWireRange(price),
    cost_usd: cost === null ? null : toWireRange(cost),
    margin_usd_least: marginLeast === null ? null : BigDecimal.toNumberUnsafe(marginLeast),
  })),
  paused: pause !== null,
  paused_at: secondsOrNull(pause?.at ?? null),
  reason: pause?.reason ?? null,
})

const toWireRange = ([least, most]: ChannelPrice["price"]) => ({
  least: usdNumber(least),
  most: usdNumber(most),
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

export const toWireOwned = (task: Task, mediaUrl: string) => ({
  user_id: task.userId,
  key_id: task.keyId,
  request_id: task.requestId,
  task: toWireTask(task, mediaUrl),
})

export const toWireTaskDetail = (detail: TaskDetail, mediaUrl: string): WireAdminTaskDetail => {
  const { task, file, callback } = detail
  const image = task.kind === "image" ? task : null
  const upstream = image?.upstream ?? null
  return {
    ...toWireOwned(task, mediaUrl),
    user_name: detail.userName,
    key_name: detail.keyName,
    idempotency_key: task.idempotencyKey,
    request: image === null ? null : shortened(image.request),
    file:
      file === null
        ? null
        : { id: file.id, filename: file.filename, content_type: file.contentType, bytes: file.bytes },
    channel: upstream === null ? null : { id: upstream.channel, upstream_id: upstream.upstreamId },
    fees: image?.fees ?? [task.held],
    steps: task.history.map((entry, index, all) => ({
      ...toWireHistory(task, entry),
      elapsed_ms: sinceBefore(entry, all[index - 1]),
    })),
    transfers: detail.transfers.map(toWireTransfer),
    callback: callback === null ? null : toWireCallback(callback),
  }
}

const sinceBefore = (entry: HistoryEntry, before: HistoryEntry | undefined): number =>
  before === undefined ? 0 : Math.max(0, entry.at - before.at)

/** Images that came inside the request are long; how they begin says what they were. */
const dataUrlCharsShown = 40

const shortened = (request: object): Json =>
  JSON.parse(
    JSON.stringify(request, (_, value: unknown) =>
      typeof value === "string" && value.startsWith("data:") ? value.slice(0, dataUrlCharsShown) : value,
    ),
  )

export const toWireOverview = (hour: Hour): WireOverview => ({
  at: seconds(hour.at),
  minutes: hour.minutes.map(({ at, counts, amounts }) => ({
    at: seconds(at),
    accepted: counts.hold,
    settled: counts.settle,
    released: counts.release,
    charged_units: amounts.settle,
    returned_units: amounts.release,
    granted_units: amounts.grant,
  })),
  tasks: hour.totals.tasks,
  queue: hour.totals.jobs,
  oldest_queued: taskKinds.map((kind) => ({ kind, accepted_at: secondsOrNull(hour.oldestQueued[kind]) })),
  latencies: hour.latencies.map(({ kind, tasks, waiting, running }) => ({
    kind,
    tasks,
    waiting_ms: waiting,
    running_ms: running,
  })),
  failures: hour.failures.map(({ code, count, task }) => ({
    code,
    count,
    task_id: task.id,
    message: task.error?.message ?? "",
    finished_at: seconds(task.finishedAt ?? task.createdAt),
  })),
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
