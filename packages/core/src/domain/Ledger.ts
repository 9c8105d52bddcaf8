import type { KeyId, TaskId, UserId } from "./Ids.ts"
import type { Units } from "./Money.ts"
import type { MoneyEffect } from "./TaskState.ts"

/** Accounts of every user. `granted` is where money comes from: the sum of the other three. */
export type Account = "granted" | "wallet" | "held" | "spent"
export type TransferKind = "grant" | "hold" | "settle" | "release"

/** The one place that makes ids of transfers: the kind, and the task or the grant that it is for. */
const transferIdOf = (kind: TransferKind, subject: string): string => `${kind}:${subject}`

/** The kind that an id names; undefined if it is not the id of a transfer. */
export const transferKindOf = (id: string): TransferKind | undefined =>
  transferKinds.find((kind) => id.startsWith(transferIdOf(kind, "")))

export const transferKinds: ReadonlyArray<TransferKind> = ["grant", "hold", "settle", "release"]

/**
 * One double-entry ledger row; rows are only ever added. For a task, `hold` opens, one of `settle` or
 * `release` closes, and a partial settlement is followed by one `release` of the remainder: `phase` is
 * unique for each task, so none can happen twice (contract, Money).
 */
export interface Transfer {
  /** Deterministic for tasks: `hold:<task>`, `settle:<task>`, `release:<task>`. */
  readonly id: string
  readonly kind: TransferKind
  readonly phase: "open" | "close" | "remainder" | null
  readonly userId: UserId
  readonly keyId: KeyId | null
  readonly taskId: TaskId | null
  readonly debit: Account
  readonly credit: Account
  readonly amount: Units
  readonly reason: string
  readonly at: number
}

interface TaskMoney {
  readonly id: TaskId
  readonly userId: UserId
  readonly keyId: KeyId
  readonly held: Units
}

const transfer = (
  kind: Exclude<TransferKind, "grant">,
  phase: "open" | "close" | "remainder",
  task: TaskMoney,
  amount: Units,
  at: number,
): Transfer => ({
  id: transferIdOf(kind, task.id),
  kind,
  phase,
  userId: task.userId,
  keyId: task.keyId,
  taskId: task.id,
  debit: kind === "hold" ? "wallet" : "held",
  credit: kind === "hold" ? "held" : kind === "settle" ? "spent" : "wallet",
  amount,
  reason: kind,
  at,
})

/** The transfer that a submission makes. */
export const holdOf = (task: TaskMoney, at: number): Transfer => transfer("hold", "open", task, task.held, at)

/** The transfers that charge `charged` units of the hold and give the rest back. Never more than the hold. */
export const settlementOf = (task: TaskMoney, charged: Units, at: number): ReadonlyArray<Transfer> => {
  const amount = Math.min(charged, task.held)
  const rest = task.held - amount
  const settled = transfer("settle", "close", task, amount, at)
  return rest === 0 ? [settled] : [settled, transfer("release", "remainder", task, rest, at)]
}

/** The transfer that gives the whole hold back. */
export const releaseOf = (task: TaskMoney, at: number): Transfer =>
  transfer("release", "close", task, task.held, at)

/**
 * The transfers that a step makes: `settle` charges `charged` units of the hold, `release` gives all of it back,
 * `none` leaves it. The ledger posts them and the task's history names them.
 */
export const transfersOf = (
  task: TaskMoney,
  effect: MoneyEffect,
  charged: Units,
  at: number,
): ReadonlyArray<Transfer> => {
  if (effect === "none") return []
  return effect === "settle" ? settlementOf(task, charged, at) : [releaseOf(task, at)]
}

/** The transfer of a grant, which `unique` names. */
export const grantOf = (grant: {
  readonly unique: string
  readonly userId: UserId
  readonly amount: Units
  readonly reason: string
  readonly at: number
}): Transfer => ({
  id: transferIdOf("grant", grant.unique),
  kind: "grant",
  phase: null,
  userId: grant.userId,
  keyId: null,
  taskId: null,
  debit: "granted",
  credit: "wallet",
  amount: grant.amount,
  reason: grant.reason,
  at: grant.at,
})
