import * as Schema from "effect/Schema"
import { Bytes, listOf, pageOf, Units, UnixSeconds, UsdAmount } from "./WireCommon.ts"
import { WireDelivery } from "./WireModel.ts"
import { WireCallback, WireHistoryEntry, WireTask } from "./WireTask.ts"

/** contract, Running it: amounts are account quota units; `balance + held + spent = granted`. */
export const WireUser = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  balance: Units,
  held: Units,
  spent: Units,
  granted: Units,
  disabled: Schema.Boolean,
  created_at: UnixSeconds,
}).annotate({ identifier: "User" })
export type WireUser = typeof WireUser.Type
export const WireUserPage = pageOf(WireUser).annotate({ identifier: "UserPage" })

/** Longest name or reason that an administrator may give. */
const Name = Schema.String.check(Schema.isBetweenLength(1, 200))

export const WireNewUser = Schema.Struct({
  name: Name,
  balance_usd: Schema.optionalKey(UsdAmount),
}).annotate({ identifier: "NewUser", examples: [{ name: "Ada", balance_usd: 10 }] })

export const WireUserChange = Schema.Struct({ disabled: Schema.Boolean }).annotate({
  identifier: "UserChange",
})

export const WireNewGrant = Schema.Struct({ usd: UsdAmount, reason: Name }).annotate({
  identifier: "NewGrant",
  examples: [{ usd: "25.50", reason: "invoice 1042" }],
})

const keyFields = {
  id: Schema.String,
  user_id: Schema.String,
  hint: Schema.String,
  name: Schema.String,
  models: Schema.Array(Schema.String),
  tools: Schema.Array(Schema.String),
  ip_allowlist: Schema.Array(Schema.String),
  group: Schema.NullOr(Schema.String),
  quota_units: Schema.NullOr(Units),
  used_units: Units,
  rate_per_minute: Schema.NullOr(Schema.Int),
  disabled: Schema.Boolean,
  expires_at: Schema.NullOr(UnixSeconds),
  created_at: UnixSeconds,
  /** Until when the previous secret stays valid; null: there is none. */
  previous_expires_at: Schema.NullOr(UnixSeconds),
  /** Until when the previous webhook secret signs too; null: there is none. */
  previous_webhook_expires_at: Schema.NullOr(UnixSeconds),
}

/** A secret is in a single answer; a replay of that answer has null in its place. */
const ShownOnce = Schema.NullOr(Schema.String)
/** Says that a replay does not show a secret again, and what to do. */
const message = Schema.optionalKey(Schema.String)

/** An API key without its secret. */
export const WireKey = Schema.Struct(keyFields).annotate({ identifier: "Key" })
export type WireKey = typeof WireKey.Type
export const WireKeyList = listOf(WireKey).annotate({ identifier: "KeyList" })

/** An API key with secrets that are in this answer and in no other (contract, Names). */
const keyWith = <Secrets extends Schema.Struct.Fields>(secrets: Secrets) => {
  const { id, ...rest } = keyFields
  return Schema.Struct({ id, ...secrets, message, ...rest })
}

/** The answer of a key's creation. */
export const WireNewKey = keyWith({ key: ShownOnce, webhook_secret: ShownOnce }).annotate({
  identifier: "NewKey",
})

export const WireRotation = Schema.Struct({
  overlap_seconds: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
}).annotate({
  identifier: "Rotation",
  description:
    "How long the previous secret stays valid: 24 hours for keys and webhook secrets unless given, 0 for admin tokens.",
  examples: [{ overlap_seconds: 3600 }],
})

export const WireRotatedKey = keyWith({ key: ShownOnce }).annotate({ identifier: "RotatedKey" })

export const WireRotatedWebhookSecret = keyWith({ webhook_secret: ShownOnce }).annotate({
  identifier: "RotatedWebhookSecret",
})

/** contract, Admin credentials. */
export const WireAdminRole = Schema.Literals(["owner", "support", "read"])

const tokenFields = {
  name: Schema.String,
  role: WireAdminRole,
  hint: Schema.String,
  disabled: Schema.Boolean,
  expires_at: Schema.NullOr(UnixSeconds),
  created_at: UnixSeconds,
  /** Until when the previous secret stays valid; null: there is none. */
  previous_expires_at: Schema.NullOr(UnixSeconds),
}

/** An admin token without its secret. */
export const WireAdminToken = Schema.Struct({ id: Schema.String, ...tokenFields }).annotate({
  identifier: "AdminToken",
})
export type WireAdminToken = typeof WireAdminToken.Type
export const WireAdminTokenPage = pageOf(WireAdminToken).annotate({ identifier: "AdminTokenPage" })

/** The answer that shows an admin token, once. */
const shownToken = Schema.Struct({ id: Schema.String, token: ShownOnce, message, ...tokenFields })
export const WireShownToken = shownToken.annotate({ identifier: "NewAdminToken" })
export const WireRotatedToken = shownToken.annotate({ identifier: "RotatedAdminToken" })

export const WireNewToken = Schema.Struct({
  name: Name,
  role: WireAdminRole,
  expires_at: Schema.optionalKey(Schema.NullOr(UnixSeconds)),
}).annotate({ identifier: "AdminTokenSettings", examples: [{ name: "Ada, support", role: "support" }] })

export const WireTokenChange = Schema.Struct({ disabled: Schema.Boolean }).annotate({
  identifier: "AdminTokenChange",
})

/** Entries of one list of a key. */
const Entries = Schema.Array(Name).check(Schema.isMaxLength(200))

/** The same, or one text with commas between them (document-tools 5.2). */
const EntriesOrText = Schema.Union([Entries, Schema.String.check(Schema.isMaxLength(200 * 201))])

/** What an administrator may set on a key. Absent leaves a value as it is; empty lists permit everything. */
export const WireKeySettings = Schema.Struct({
  name: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))),
  models: Schema.optionalKey(EntriesOrText),
  tools: Schema.optionalKey(EntriesOrText),
  ip_allowlist: Schema.optionalKey(Entries),
  quota_usd: Schema.optionalKey(Schema.NullOr(UsdAmount)),
  rate_per_minute: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
  ),
  expires_at: Schema.optionalKey(Schema.NullOr(UnixSeconds)),
  group: Schema.optionalKey(Schema.NullOr(Name)),
  disabled: Schema.optionalKey(Schema.Boolean),
}).annotate({
  identifier: "KeySettings",
  examples: [{ name: "production", models: ["gen-image-*"], rate_per_minute: 300 }],
})
export type WireKeySettings = typeof WireKeySettings.Type

export const WireAdminTool = Schema.Struct({
  id: Schema.String,
  published: Schema.Boolean,
  unit_price: Schema.Finite,
  max_file_bytes: Bytes,
}).annotate({ identifier: "AdminTool", description: "`unit_price`: US dollars for each document." })
export type WireAdminTool = typeof WireAdminTool.Type
export const WireAdminToolList = listOf(WireAdminTool).annotate({ identifier: "AdminToolList" })

export const WireToolChange = Schema.Struct({
  published: Schema.optionalKey(Schema.Boolean),
  unit_price: Schema.optionalKey(UsdAmount),
  max_file_bytes: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
}).annotate({ identifier: "ToolChange", examples: [{ published: true, unit_price: 0.0002 }] })

export const WireAdminModel = Schema.Struct({
  id: Schema.String,
  enabled: Schema.Boolean,
  delivery: WireDelivery,
  pricing_display: Schema.Struct({
    unit: Schema.String,
    currency: Schema.String,
    table: Schema.Array(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))),
  }),
}).annotate({ identifier: "AdminModel" })
export type WireAdminModel = typeof WireAdminModel.Type
export const WireAdminModelList = listOf(WireAdminModel).annotate({ identifier: "AdminModelList" })

export const WireModelChange = Schema.Struct({
  enabled: Schema.optionalKey(Schema.Boolean),
  delivery: Schema.optionalKey(WireDelivery),
  price: Schema.optionalKey(UsdAmount),
}).annotate({ identifier: "ModelChange", examples: [{ enabled: false }] })

const UsdRange = Schema.Struct({ least: Schema.Finite, most: Schema.Finite })

/** A channel to an upstream, as the process that answers knows it; a pause is every process's. */
export const WireAdminChannel = Schema.Struct({
  id: Schema.String,
  /** What it speaks; null where the embedding program made it. */
  adapter: Schema.NullOr(Schema.String),
  /** Models that it serves, by id or glob. */
  models: Schema.Array(Schema.String),
  priority: Schema.Finite,
  weight: Schema.Finite,
  breaker: Schema.Literals(["closed", "open", "half_open"]),
  concurrency: Schema.Struct({ in_use: Schema.Int, limit: Schema.NullOr(Schema.Int) }),
  last_errors: Schema.Array(
    Schema.Struct({
      at: UnixSeconds,
      reason: Schema.Literals(["rejected", "failed", "canceled", "unavailable", "ambiguous"]),
      message: Schema.String,
      task_id: Schema.String,
    }),
  ),
  prices: Schema.Array(
    Schema.Struct({
      model: Schema.String,
      price_usd: UsdRange,
      cost_usd: Schema.NullOr(UsdRange),
      margin_usd_least: Schema.NullOr(Schema.Finite),
    }),
  ),
  paused: Schema.Boolean,
  paused_at: Schema.NullOr(UnixSeconds),
  /** Why it is paused; null while it is not. */
  reason: Schema.NullOr(Schema.String),
}).annotate({
  identifier: "AdminChannel",
  description:
    "`breaker`, `concurrency` and `last_errors` are those of the process that answers: a breaker that is `open` sends nothing after failures in a row, `half_open` lets one generation try again.",
})
export type WireAdminChannel = typeof WireAdminChannel.Type
export const WireAdminChannelList = listOf(WireAdminChannel).annotate({ identifier: "AdminChannelList" })

export const WireChannelPause = Schema.Struct({ reason: Schema.optionalKey(Name) }).annotate({
  identifier: "ChannelPause",
  examples: [{ reason: "the vendor answers with wrong images" }],
})

/** A task as operators see it: as its owner sees it, with its owner. */
export const WireAdminTask = Schema.Struct({
  user_id: Schema.String,
  key_id: Schema.String,
  /** The request that submitted the task; null if an embedder submitted it without one. */
  request_id: Schema.NullOr(Schema.String),
  task: WireTask,
}).annotate({ identifier: "AdminTask" })
export const WireAdminTaskPage = pageOf(WireAdminTask).annotate({ identifier: "AdminTaskPage" })

/** One row of the append-only ledger: `amount` units moved from `debit` to `credit` (contract, Money). */
export const WireTransfer = Schema.Struct({
  id: Schema.String,
  sequence: Schema.Int,
  kind: Schema.Literals(["grant", "hold", "settle", "release"]),
  user_id: Schema.String,
  key_id: Schema.NullOr(Schema.String),
  task_id: Schema.NullOr(Schema.String),
  debit: Schema.String,
  credit: Schema.String,
  amount: Units,
  reason: Schema.String,
  created_at: UnixSeconds,
}).annotate({ identifier: "Transfer" })
export type WireTransfer = typeof WireTransfer.Type
export const WireTransferPage = pageOf(WireTransfer).annotate({ identifier: "TransferPage" })

/** One step of a task, with the time since the step before. */
export const WireAdminStep = Schema.Struct({
  ...WireHistoryEntry.fields,
  /** Milliseconds since the step before; 0 for the first. */
  elapsed_ms: Schema.Finite,
}).annotate({ identifier: "AdminStep" })

/** A task with everything that is known of it: what was asked, what it cost and why, what happened. */
export const WireAdminTaskDetail = Schema.Struct({
  ...WireAdminTask.fields,
  user_name: Schema.NullOr(Schema.String),
  key_name: Schema.NullOr(Schema.String),
  idempotency_key: Schema.NullOr(Schema.String),
  /** Image tasks: the request with its defaults. An image that came inside it is `data:`. */
  request: Schema.Json,
  /** Tool tasks: the document; null where it is forgotten. */
  file: Schema.NullOr(
    Schema.Struct({ id: Schema.String, filename: Schema.String, content_type: Schema.String, bytes: Bytes }),
  ),
  /** Where an image task runs or ran. */
  channel: Schema.NullOr(Schema.Struct({ id: Schema.String, upstream_id: Schema.NullOr(Schema.String) })),
  /** What is charged for one delivered result, for two, up to all: the last is the hold. */
  fees: Schema.Array(Units),
  steps: Schema.Array(WireAdminStep),
  /** The oldest first. */
  transfers: Schema.Array(WireTransfer),
  callback: Schema.NullOr(WireCallback),
}).annotate({ identifier: "AdminTaskDetail" })
export type WireAdminTaskDetail = typeof WireAdminTaskDetail.Type

/** contract, Admin credentials: the session of a browser, and whose it is. */
export const WireSession = Schema.Struct({
  actor: Schema.String,
  role: WireAdminRole,
  /** Null: the request came with a token, not with a session. */
  expires_at: Schema.NullOr(UnixSeconds),
  units_per_usd: Schema.Int,
}).annotate({ identifier: "Session" })
export type WireSession = typeof WireSession.Type

const Milliseconds = Schema.NullOr(Schema.Finite)
const Percentiles = Schema.Struct({ p50: Milliseconds, p90: Milliseconds, p99: Milliseconds })
const TaskKind = Schema.Literals(["image", "tool"])

const jobTotals = Schema.Array(
  Schema.Struct({
    kind: Schema.Literals(["image", "tool", "callback"]),
    ready: Schema.Int,
    leased: Schema.Int,
  }),
)
const taskTotals = Schema.Array(Schema.Struct({ kind: TaskKind, state: Schema.String, count: Schema.Int }))

export const WireOverview = Schema.Struct({
  at: UnixSeconds,
  /** The last hour by minutes, the oldest first: tasks accepted, settled and given back, and units. */
  minutes: Schema.Array(
    Schema.Struct({
      at: UnixSeconds,
      accepted: Schema.Int,
      settled: Schema.Int,
      released: Schema.Int,
      charged_units: Schema.Finite,
      returned_units: Schema.Finite,
      granted_units: Schema.Finite,
    }),
  ),
  tasks: taskTotals,
  queue: jobTotals,
  oldest_queued: Schema.Array(Schema.Struct({ kind: TaskKind, accepted_at: Schema.NullOr(UnixSeconds) })),
  latencies: Schema.Array(
    Schema.Struct({ kind: TaskKind, tasks: Schema.Int, waiting_ms: Percentiles, running_ms: Percentiles }),
  ),
  failures: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      count: Schema.Int,
      task_id: Schema.String,
      message: Schema.String,
      finished_at: UnixSeconds,
    }),
  ),
}).annotate({
  identifier: "Overview",
  description:
    "The last hour of all processes, read at most every two seconds. `latencies` are of the newest finished tasks of each kind, in milliseconds; `failures` of the newest failed ones.",
})
export type WireOverview = typeof WireOverview.Type

export const WireSpenderList = listOf(
  Schema.Struct({
    user_id: Schema.String,
    name: Schema.String,
    charged_units: Schema.Finite,
    tasks: Schema.Int,
  }).annotate({ identifier: "Spender" }),
).annotate({ identifier: "SpenderList" })

export const WireDayList = listOf(
  Schema.Struct({
    day_at: UnixSeconds,
    charged_units: Schema.Finite,
    tasks: Schema.Int,
  }).annotate({ identifier: "Day" }),
).annotate({ identifier: "DayList", description: "Days in UTC; those without a charge are left out." })

/** A setting as it is in force; of a secret only whether it is set. */
export const WireSetting = Schema.Struct({
  name: Schema.String,
  value: Schema.String,
  source: Schema.Literals(["default", "environment", "file"]),
  secret: Schema.Boolean,
}).annotate({ identifier: "Setting" })
export type WireSetting = typeof WireSetting.Type
/** What a plugin adds, by ids. */
export const WirePlugin = Schema.Struct({
  name: Schema.String,
  source: Schema.String.annotate({ description: "The package or path in the configuration." }),
  tools: Schema.Array(Schema.String),
  adapters: Schema.Array(Schema.String),
  models: Schema.Array(Schema.String),
}).annotate({ identifier: "Plugin" })
export type WirePlugin = typeof WirePlugin.Type
export const WirePluginList = listOf(WirePlugin).annotate({ identifier: "PluginList" })

export const WireSettingList = listOf(WireSetting).annotate({ identifier: "SettingList" })

export const WireStats = Schema.Struct({
  tasks: Schema.Array(
    Schema.Struct({ kind: Schema.Literals(["image", "tool"]), state: Schema.String, count: Schema.Int }),
  ),
  queue: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["image", "tool", "callback"]),
      ready: Schema.Int,
      leased: Schema.Int,
    }),
  ),
  /** How many transfers there are, and the balances of all users together, in units. */
  ledger: Schema.Struct({
    transfers: Schema.Int,
    granted: Schema.Finite,
    balance: Schema.Finite,
    held: Schema.Finite,
    spent: Schema.Finite,
  }),
  ledger_mismatches: Schema.optionalKey(Schema.Array(Schema.String)),
  total_mismatches: Schema.optionalKey(
    Schema.Array(Schema.Struct({ total: Schema.String, kept: Schema.String, counted: Schema.String })),
  ),
}).annotate({
  identifier: "Stats",
  description:
    "A consistent snapshot of maintained totals. With `check=true` also `ledger_mismatches`, users whose balances differ from their transfers, and `total_mismatches`, totals that differ from a count; both should always be empty.",
})

export type WireStats = typeof WireStats.Type

export const WireAuditOutcome = Schema.Literals(["done", "refused"])

/** contract, Admin credentials: who did or was refused what, from where, in which request. */
export const WireAuditEntry = Schema.Struct({
  /** What `cursor` takes. */
  id: Schema.String,
  /** `adm_…`, `ATELIER_ADMIN_TOKEN`, `command` (directly on the database), `process` or `unknown`. */
  actor: Schema.String,
  role: Schema.NullOr(WireAdminRole),
  ip: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String),
  action: Schema.String,
  target: Schema.String,
  before: Schema.Json,
  after: Schema.Json,
  outcome: WireAuditOutcome,
  /** The code of the refusal; null where it was done. */
  code: Schema.NullOr(Schema.String),
  at: UnixSeconds,
}).annotate({ identifier: "AuditEntry" })
export type WireAuditEntry = typeof WireAuditEntry.Type
export const WireAuditPage = pageOf(WireAuditEntry).annotate({ identifier: "AuditPage" })
