import {
  type Balance,
  HoldRefused,
  LedgerStore,
  StorageError,
  type Transfer,
  type TransferKind,
  type UserId,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import { makeAtomic, makeStatements, type Param, type Statement, touched } from "./statement.ts"

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

type BalanceRow = Balance & { readonly user_id: UserId }
type Unit = Record<string, never>

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

/** How each kind moves the balances. Parameters: amount, amount, user, amount; no row where too little is there. */
const moves: { readonly [K in TransferKind]: string } = {
  grant: "granted = granted + ?, wallet = wallet + ? WHERE user_id = ? AND ? >= 0",
  hold: "wallet = wallet - ?, held = held + ? WHERE user_id = ? AND wallet >= ?",
  settle: "held = held - ?, spent = spent + ? WHERE user_id = ? AND held >= ?",
  release: "held = held - ?, wallet = wallet + ? WHERE user_id = ? AND held >= ?",
}

/** Texts whose plans a test holds to indexes. */
export const texts = {
  append: `INSERT INTO ledger (id, kind, phase, user_id, key_id, task_id, debit, credit, amount, reason, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  useKey: `UPDATE api_keys SET used_units = used_units + ?
    WHERE id = ? AND (quota_units IS NULL OR used_units + ? <= quota_units) RETURNING id`,
  giveBackKey: "UPDATE api_keys SET used_units = used_units - ? WHERE id = ? RETURNING id",
  available: "SELECT quota_units - used_units AS available FROM api_keys WHERE id = ?",
  open: "INSERT INTO accounts (user_id) VALUES (?)",
  balance: "SELECT user_id, wallet, held, spent, granted FROM accounts WHERE user_id = ?",
  balances: `SELECT user_id, wallet, held, spent, granted FROM accounts
    WHERE user_id IN (SELECT value FROM json_each(?))`,
  list: "SELECT * FROM ledger WHERE sequence < ? ORDER BY sequence DESC LIMIT ?",
  listOfUser: "SELECT * FROM ledger WHERE user_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
  audit: `WITH sums AS (
      SELECT user_id,
        sum(CASE debit WHEN 'granted' THEN amount ELSE 0 END) AS granted,
        sum(CASE 'wallet' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END) AS wallet,
        sum(CASE 'held' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END) AS held,
        sum(CASE credit WHEN 'spent' THEN amount ELSE 0 END) AS spent
      FROM ledger GROUP BY user_id
    )
    SELECT user_id FROM (
      SELECT a.user_id FROM accounts a LEFT JOIN sums s ON s.user_id = a.user_id
      WHERE a.wallet + a.held + a.spent <> a.granted
        OR a.wallet <> coalesce(s.wallet, 0) OR a.held <> coalesce(s.held, 0)
        OR a.spent <> coalesce(s.spent, 0) OR a.granted <> coalesce(s.granted, 0)
      UNION
      SELECT s.user_id FROM sums s WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = s.user_id)
    ) ORDER BY user_id`,
}

const moveParams = ({ amount, userId }: Transfer): ReadonlyArray<Param> => [amount, amount, userId, amount]
const appendParams = (transfer: Transfer): ReadonlyArray<Param> => [
  transfer.id,
  transfer.kind,
  transfer.phase,
  transfer.userId,
  transfer.keyId,
  transfer.taskId,
  transfer.debit,
  transfer.credit,
  transfer.amount,
  transfer.reason,
  transfer.at,
]

const impossible = (message: string) =>
  Effect.fail(new StorageError({ operation: "LedgerStore.post", cause: new Error(message) }))

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const atomic = yield* makeAtomic
  const move = (kind: TransferKind): Statement<Unit> =>
    statement("LedgerStore.post", `UPDATE accounts SET ${moves[kind]} RETURNING 1 AS moved`)
  const moving = {
    grant: move("grant"),
    hold: move("hold"),
    settle: move("settle"),
    release: move("release"),
  }
  const append = statement("LedgerStore.post", texts.append)
  const useKey = statement("LedgerStore.post", texts.useKey)
  const giveBackKey = statement("LedgerStore.post", texts.giveBackKey)
  const available = statement<{ available: number | null }>("LedgerStore.post", texts.available)
  const openAccount = statement("LedgerStore.openAccount", texts.open)
  const selectBalance = statement<BalanceRow>("LedgerStore.balance", texts.balance)
  const selectBalances = statement<BalanceRow>("LedgerStore.balances", texts.balances)
  const list = statement<LedgerRow>("LedgerStore.list", texts.list)
  const listOfUser = statement<LedgerRow>("LedgerStore.list", texts.listOfUser)
  const audit = statement<{ user_id: UserId }>("LedgerStore.audit", texts.audit)

  const balance = (userId: UserId) =>
    Effect.map(selectBalance([userId]), (rows) => (rows[0] === undefined ? zero : toBalance(rows[0])))

  const moveBalances = Effect.fnUntraced(function* (transfer: Transfer) {
    if (touched(yield* moving[transfer.kind](moveParams(transfer)))) return
    if (transfer.kind !== "hold") return yield* impossible(`no account or too little held for ${transfer.id}`)
    const { wallet } = yield* balance(transfer.userId)
    return yield* new HoldRefused({ account: "wallet", needed: transfer.amount, available: wallet })
  })

  /** Undoes the movement of the wallet on a refusal: a caller may go on in the same transaction. */
  const countAgainstKey = Effect.fnUntraced(function* (transfer: Transfer) {
    const { amount, keyId } = transfer
    if (keyId === null || touched(yield* useKey([amount, keyId, amount]))) return
    yield* moving.release(moveParams(transfer))
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
    yield* moveBalances(transfer)
    if (transfer.kind === "hold") yield* countAgainstKey(transfer)
    if (transfer.kind === "release" && transfer.keyId !== null) {
      yield* giveBackKey([transfer.amount, transfer.keyId])
    }
    yield* append(appendParams(transfer))
  })

  return LedgerStore.of({
    post: (transfer) => atomic("LedgerStore.post", post(transfer)),
    openAccount: (userId) => Effect.asVoid(openAccount([userId])),
    balance,
    balances: (userIds) =>
      Effect.map(
        selectBalances([JSON.stringify(userIds)]),
        (rows) => new Map(rows.map((row) => [row.user_id, toBalance(row)])),
      ),
    list: ({ userId, after = Number.MAX_SAFE_INTEGER, limit }) =>
      Effect.map(userId === undefined ? list([after, limit]) : listOfUser([userId, after, limit]), (rows) =>
        rows.map(toTransfer),
      ),
    audit: Effect.map(audit([]), (rows) => rows.map((row) => row.user_id)),
  })
})

export const layer: Layer.Layer<LedgerStore, never, SqlClient.SqlClient> = Layer.effect(LedgerStore, make)
