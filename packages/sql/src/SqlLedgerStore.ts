import {
  type Balance,
  HoldRefused,
  LedgerStore,
  StorageError,
  type Transfer,
  type TransferKind,
  type UserId,
  unitsMax,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { type Group, inSlices, summed } from "./inSlices.ts"
import { makeMove, makePost, queries as postingTexts } from "./ledgerPosting.ts"
import { clockSkewMillis, makeSequenceAt } from "./sequenceAt.ts"
import { dialectOf, makeAtomic, makeStatements } from "./statement.ts"

interface LedgerRow {
  readonly sequence: number
  readonly id: string
  readonly kind: TransferKind
  readonly phase: Transfer["phase"]
  readonly user_id: UserId
  readonly key_id: Transfer["keyId"]
  readonly task_id: Transfer["taskId"]
  readonly debit: Transfer["debit"]
  readonly credit: Transfer["credit"]
  readonly amount: number
  readonly reason: string
  readonly at: number
}

/** Sums may come as texts. */
interface ActivityRow extends Group {
  readonly period: number | string
  readonly kind: TransferKind
  readonly amount: number | string
}
interface SpenderRow extends Group {
  readonly user_id: UserId
  readonly kind: TransferKind
  readonly amount: number | string
}

type BalanceRow = Balance & { readonly user_id: UserId }

const toTransfer = (row: LedgerRow) => ({
  sequence: row.sequence,
  id: row.id,
  kind: row.kind,
  phase: row.phase,
  userId: row.user_id,
  keyId: row.key_id,
  taskId: row.task_id,
  debit: row.debit,
  credit: row.credit,
  amount: row.amount,
  reason: row.reason,
  at: row.at,
})

const zero: Balance = { wallet: 0, held: 0, spent: 0, granted: 0 }
const toBalance = ({ wallet, held, spent, granted }: Balance): Balance => ({ wallet, held, spent, granted })

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  ...postingTexts,
  available: "SELECT quota_units - used_units AS available FROM api_keys WHERE id = ?",
  open: "INSERT INTO accounts (user_id) VALUES (?)",
  balance: "SELECT user_id, wallet, held, spent, granted FROM accounts WHERE user_id = ?",
  imageTasks: "SELECT image_tasks AS count FROM accounts WHERE user_id = ?",
  balances: `SELECT user_id, wallet, held, spent, granted FROM accounts
    WHERE user_id IN (SELECT value FROM json_each(?))`,
  list: "SELECT * FROM ledger WHERE sequence < ? ORDER BY sequence DESC LIMIT ?",
  listOfUser: "SELECT * FROM ledger WHERE user_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
  listOfTask: "SELECT * FROM ledger WHERE task_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
  lastSequence: "SELECT sequence FROM ledger ORDER BY sequence DESC LIMIT 1",
  atOrBefore: "SELECT at FROM ledger WHERE sequence <= ? ORDER BY sequence DESC LIMIT 1",
  activity: `SELECT period, kind, count(*) AS count, sum(amount) AS amount, min(sequence) AS lowest FROM (
      SELECT CAST(at / CAST(? AS BIGINT) AS BIGINT) AS period, kind, amount, sequence FROM ledger
      WHERE sequence > ? AND sequence <= ? AND at >= ? AND at < ? ORDER BY sequence DESC LIMIT ?
    ) AS recent GROUP BY period, kind`,
  activityOfUser: `SELECT period, kind, count(*) AS count, sum(amount) AS amount, min(sequence) AS lowest FROM (
      SELECT CAST(at / CAST(? AS BIGINT) AS BIGINT) AS period, kind, amount, sequence FROM ledger
      WHERE user_id = ? AND sequence > ? AND sequence <= ? AND at >= ? AND at < ? ORDER BY sequence DESC LIMIT ?
    ) AS recent GROUP BY period, kind`,
  spenders: `SELECT user_id, kind, sum(amount) AS amount, count(*) AS count, min(sequence) AS lowest FROM (
      SELECT user_id, amount, kind, sequence FROM ledger
      WHERE sequence > ? AND sequence <= ? AND at >= ? AND at < ? ORDER BY sequence DESC LIMIT ?
    ) AS recent GROUP BY user_id, kind`,
  audit: `WITH sums AS (
      SELECT user_id,
        sum(CASE debit WHEN 'granted' THEN amount ELSE 0 END) AS granted,
        sum(CASE 'wallet' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END) AS wallet,
        sum(CASE 'held' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END) AS held,
        sum(CASE credit WHEN 'spent' THEN amount ELSE 0 END) AS spent,
        sum(CASE WHEN task_id NOT LIKE 'imgtask%' THEN 0 ELSE
          CASE phase WHEN 'open' THEN 1 WHEN 'close' THEN -1 ELSE 0 END END) AS image_tasks
      FROM ledger GROUP BY user_id
    )
    SELECT user_id FROM (
      SELECT a.user_id FROM accounts a LEFT JOIN sums s ON s.user_id = a.user_id
      WHERE a.wallet + a.held + a.spent <> a.granted
        OR a.image_tasks <> coalesce(s.image_tasks, 0)
        OR a.wallet <> coalesce(s.wallet, 0) OR a.held <> coalesce(s.held, 0)
        OR a.spent <> coalesce(s.spent, 0) OR a.granted <> coalesce(s.granted, 0)
      UNION
      SELECT s.user_id FROM sums s WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = s.user_id)
    ) AS wrong ORDER BY user_id`,
}

const impossible = (message: string) =>
  Effect.fail(new StorageError({ operation: "LedgerStore.post", cause: new Error(message) }))

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const atomic = yield* makeAtomic
  const posting = makePost(statement, dialectOf(yield* SqlClient))
  const release = makeMove(statement, "release")
  const available = statement<{ available: number | null }>("LedgerStore.post", queries.available)
  const openAccount = statement("LedgerStore.openAccount", queries.open)
  const selectBalance = statement<BalanceRow>("LedgerStore.balance", queries.balance)
  const imageTasks = statement<{ count: number }>("LedgerStore.imageTasks", queries.imageTasks)
  const selectBalances = statement<BalanceRow>("LedgerStore.balances", queries.balances)
  const list = statement<LedgerRow>("LedgerStore.list", queries.list)
  const listOfUser = statement<LedgerRow>("LedgerStore.list", queries.listOfUser)
  const listOfTask = statement<LedgerRow>("LedgerStore.list", queries.listOfTask)
  const lastSequence = statement<{ sequence: number }>("LedgerStore.activity", queries.lastSequence)
  const atOrBefore = statement<{ at: number }>("LedgerStore.activity", queries.atOrBefore)
  const sequenceAt = makeSequenceAt(lastSequence, atOrBefore)
  const activity = statement<ActivityRow>("LedgerStore.activity", queries.activity)
  const activityOfUser = statement<ActivityRow>("LedgerStore.activity", queries.activityOfUser)
  const spenders = statement<SpenderRow>("LedgerStore.spenders", queries.spenders)
  const audit = statement<{ user_id: UserId }>("LedgerStore.audit", queries.audit)

  const balance = (userId: UserId) =>
    Effect.map(selectBalance([userId]), (rows) => (rows[0] === undefined ? zero : toBalance(rows[0])))

  /** The sequences, the first excluded, between which all transfers of a time lie. */
  const sequencesOf = Effect.fnUntraced(function* (from: number, until: number) {
    const first = yield* sequenceAt(from - clockSkewMillis)
    return [first, yield* sequenceAt(until + clockSkewMillis)] as const
  })

  /** Undoes the change of the wallet: a caller may continue in the same transaction. */
  const refuseKey = Effect.fnUntraced(function* (transfer: Transfer) {
    const { amount, keyId } = transfer
    yield* release(transfer)
    const key = (yield* available([keyId]))[0]
    if (key === undefined) return yield* impossible(`no key ${keyId}`)
    return yield* new HoldRefused({
      account: "key",
      needed: amount,
      available: Math.max(key.available ?? 0, 0),
    })
  })

  /** A StorageError can come after balances have moved: the transaction it fails in must end with it. */
  const post = Effect.fnUntraced(function* (transfer: Transfer) {
    const { moved, appended, image_tasks } = yield* posting(transfer)
    if (appended) return image_tasks ?? 0
    if (moved) return yield* refuseKey(transfer)
    const { kind, amount, userId } = transfer
    const { granted, wallet } = yield* balance(userId)
    if (kind === "hold") {
      return yield* new HoldRefused({ account: "wallet", needed: amount, available: wallet })
    }
    if (kind === "grant" && granted > unitsMax - amount) {
      return yield* new HoldRefused({ account: "granted", needed: amount, available: unitsMax - granted })
    }
    return yield* impossible(`no account or too little held for ${transfer.id}`)
  })

  return LedgerStore.of({
    post: (transfer) => atomic("LedgerStore.post", post(transfer)),
    openAccount: (userId) => Effect.asVoid(openAccount([userId])),
    balance,
    imageTasks: (userId) => Effect.map(imageTasks([userId]), (rows) => rows[0]?.count ?? 0),
    balances: (userIds) =>
      Effect.map(
        selectBalances([JSON.stringify(userIds)]),
        (rows) => new Map(rows.map((row) => [row.user_id, toBalance(row)])),
      ),
    list: ({ userId, taskId, after = Number.MAX_SAFE_INTEGER, limit }) => {
      const rows =
        taskId !== undefined
          ? listOfTask([taskId, after, limit])
          : userId === undefined
            ? list([after, limit])
            : listOfUser([userId, after, limit])
      return Effect.map(rows, (found) =>
        found.filter((row) => userId === undefined || row.user_id === userId).map(toTransfer),
      )
    },
    activity: Effect.fnUntraced(function* ({ userId, from, until, periodMillis, rowsMax }) {
      const [above, upTo] = yield* sequencesOf(from, until)
      const groups = yield* inSlices(upTo, rowsMax, (last, limit) =>
        userId === undefined
          ? activity([periodMillis, above, last, from, until, limit])
          : activityOfUser([periodMillis, userId, above, last, from, until, limit]),
      )
      return summed(groups, ({ period, kind }) => `${period} ${kind}`)
        .map(({ group, count, amount }) => ({
          period: Number(group.period),
          kind: group.kind,
          count,
          amount,
        }))
        .toSorted((a, b) => a.period - b.period || (a.kind < b.kind ? -1 : 1))
    }),
    spenders: Effect.fnUntraced(function* ({ from, until, rowsMax, limit }) {
      const [above, upTo] = yield* sequencesOf(from, until)
      const groups = yield* inSlices(upTo, rowsMax, (last, most) =>
        spenders([above, last, from, until, most]),
      )
      const settled = groups.filter(({ kind }) => kind === "settle")
      return summed(settled, ({ user_id }) => user_id)
        .map(({ group, count, amount }) => ({ userId: group.user_id, amount, count }))
        .toSorted((a, b) => b.amount - a.amount || (a.userId < b.userId ? -1 : 1))
        .slice(0, limit)
    }),
    audit: Effect.map(audit([]), (rows) => rows.map((row) => row.user_id)),
  })
})

export const layer: Layer.Layer<LedgerStore, never, SqlClient> = Layer.effect(LedgerStore, make)
