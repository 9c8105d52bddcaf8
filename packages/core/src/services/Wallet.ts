import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import type { UserId } from "../domain/Ids.ts"
import { holdOf, releaseOf, settlementOf, type Transfer } from "../domain/Ledger.ts"
import { type Units, unitsMax } from "../domain/Money.ts"
import type { Balance } from "../domain/Principal.ts"
import type { Task } from "../domain/Task.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"

/**
 * Money of tasks: hold, then exactly one settlement or release. Every call belongs into the transaction that
 * moves the task; each answers the ids of its ledger transfers.
 */
export class Wallet extends Context.Service<
  Wallet,
  {
    readonly balance: (userId: UserId) => Effect.Effect<Balance, StorageError>
    /**
     * Adds `amount` units to a wallet; a repeated `id` is refused by the ledger. Refuses with `invalid_parameter`
     * where the user would have been granted more than `unitsMax` in all.
     */
    readonly grant: (grant: {
      readonly id: string
      readonly userId: UserId
      readonly amount: Units
      readonly reason: string
      readonly at: number
    }) => Effect.Effect<Transfer, CoreError | StorageError>
    /** Refuses with `insufficient_balance` (wallet) or `key_quota_exhausted` (key). */
    readonly hold: (task: Task, at: number) => Effect.Effect<ReadonlyArray<string>, CoreError | StorageError>
    /** Charges `charged` units, at most the hold, and gives the rest back. */
    readonly settle: (
      task: Task,
      charged: Units,
      at: number,
    ) => Effect.Effect<ReadonlyArray<string>, StorageError>
    readonly release: (task: Task, at: number) => Effect.Effect<ReadonlyArray<string>, StorageError>
  }
>()("@atelier/core/services/Wallet") {
  static readonly layer = Layer.effect(
    Wallet,
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      /** A hold is refused where money is short; the other transfers move what is there for certain. */
      const postCertain = (transfers: ReadonlyArray<Transfer>) =>
        Effect.forEach(transfers, (transfer) =>
          Effect.as(Effect.catchTag(ledger.post(transfer), "HoldRefused", Effect.die), transfer.id),
        )
      return Wallet.of({
        balance: ledger.balance,
        grant: (grant) => {
          const transfer: Transfer = {
            ...grant,
            kind: "grant",
            phase: null,
            keyId: null,
            taskId: null,
            debit: "granted",
            credit: "wallet",
          }
          return Effect.as(ledger.post(transfer), transfer).pipe(
            Effect.catchTag("HoldRefused", ({ needed, available }) =>
              Effect.fail(
                refuse(
                  "invalid_parameter",
                  `A user can be granted ${unitsMax} units in all; ${available} are left, got ${needed}.`,
                  { param: "usd" },
                ),
              ),
            ),
          )
        },
        hold: (task, at) => {
          const transfer = holdOf(task, at)
          return Effect.as(ledger.post(transfer), [transfer.id]).pipe(
            Effect.catchTag("HoldRefused", ({ account, needed, available }) =>
              Effect.fail(
                account === "wallet"
                  ? refuse(
                      "insufficient_balance",
                      `The task costs ${needed} units and the wallet holds ${available}.`,
                    )
                  : refuse(
                      "key_quota_exhausted",
                      `The task costs ${needed} units and this key's quota has ${available} left.`,
                    ),
              ),
            ),
          )
        },
        settle: (task, charged, at) => postCertain(settlementOf(task, charged, at)),
        release: (task, at) => postCertain([releaseOf(task, at)]),
      })
    }),
  )
}
