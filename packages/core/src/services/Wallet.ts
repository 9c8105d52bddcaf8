import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import type { UserId } from "../domain/Ids.ts"
import type { Transfer } from "../domain/Ledger.ts"
import { type Units, UnitsPerUsd, unitsMax } from "../domain/Money.ts"
import type { Balance, Principal } from "../domain/Principal.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"

/** What a caller has: its user's balance, and what of its key's quota is used. */
export interface Account extends Balance {
  /** Null: the key has no quota. */
  readonly keyQuota: Units | null
  /** Held and spent through the key. */
  readonly keyUsed: Units
  readonly unitsPerUsd: number
}

/**
 * Money of tasks: hold, then exactly one settlement or release. Every call that moves money belongs in the
 * transaction that moves the task. The transfers are made in `domain/Ledger.ts`.
 */
export class Wallet extends Context.Service<
  Wallet,
  {
    readonly balance: (userId: UserId) => Effect.Effect<Balance, StorageError>
    /** As it is now; what a principal was authenticated with may be older. */
    readonly account: (principal: Principal) => Effect.Effect<Account, StorageError>
    /**
     * Adds to a wallet; a repeated transfer is refused by the ledger. Refuses with `invalid_parameter` where the
     * user would have been granted more than `unitsMax` in all.
     */
    readonly grant: (transfer: Transfer) => Effect.Effect<void, CoreError | StorageError>
    /**
     * Refuses with `insufficient_balance` (wallet) or `key_quota_exhausted` (key). Gives the user's unfinished image
     * tasks, the task of this hold among them.
     */
    readonly hold: (transfer: Transfer) => Effect.Effect<number, CoreError | StorageError>
    /** Posts the transfers that close a hold: its money is there, so that none of them is refused. */
    readonly close: (transfers: ReadonlyArray<Transfer>) => Effect.Effect<void, StorageError>
  }
>()("@atelier/core/services/Wallet") {
  static readonly layer = Layer.effect(
    Wallet,
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const keys = yield* KeyStore
      const unitsPerUsd = yield* UnitsPerUsd
      return Wallet.of({
        balance: ledger.balance,
        account: ({ user, key }) =>
          Effect.zipWith(ledger.balance(user.id), keys.getKey(key.id), (balance, stored) => {
            const { quotaUnits, usedUnits } = Option.getOrElse(stored, () => key)
            return { ...balance, keyQuota: quotaUnits, keyUsed: usedUnits, unitsPerUsd }
          }),
        grant: (transfer) =>
          Effect.asVoid(
            Effect.catchTag(ledger.post(transfer), "HoldRefused", ({ needed, available }) =>
              Effect.fail(
                refuse(
                  "invalid_parameter",
                  `A user can be granted ${unitsMax} units in all; ${available} are left, got ${needed}.`,
                  { param: "usd" },
                ),
              ),
            ),
          ),
        hold: (transfer) =>
          Effect.catchTag(ledger.post(transfer), "HoldRefused", ({ account, needed, available }) =>
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
        close: (transfers) =>
          Effect.forEach(
            transfers,
            (transfer) => Effect.catchTag(ledger.post(transfer), "HoldRefused", Effect.die),
            { discard: true },
          ),
      })
    }),
  )
}
