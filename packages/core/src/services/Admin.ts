import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ModelOverride, ToolOverride } from "../domain/CatalogOverrides.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { makeId, ownKeyOf, type UserId } from "../domain/Ids.ts"
import { grantOf } from "../domain/Ledger.ts"
import { type Units, UnitsPerUsd, type Usd } from "../domain/Money.ts"
import type { ApiKey, Balance, User } from "../domain/Principal.ts"
import { withSpan } from "../domain/Tracing.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"
import { SettingsStore } from "../ports/SettingsStore.ts"
import { type TotalDifference, type Totals, TotalsStore } from "../ports/TotalsStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { quote } from "./Access.ts"
import { Audit } from "./Audit.ts"
import { type AdminKeys, makeAdminKeys, requireUnits } from "./adminKeys.ts"
import { ModelCatalog, type ModelEntry } from "./ModelCatalog.ts"
import { ToolCatalog, type ToolEntry } from "./ToolCatalog.ts"
import { Wallet } from "./Wallet.ts"

type Failure = CoreError | StorageError

export interface UserAccount {
  readonly user: User
  readonly balance: Balance
}

/** What there is, in totals that are kept; and on request what of it does not add up: nothing, always. */
export interface Stats {
  readonly totals: Totals
  readonly mismatches?: {
    /** Users whose balances differ from their transfers. */
    readonly ledger: ReadonlyArray<UserId>
    readonly totals: ReadonlyArray<TotalDifference>
  }
}

export interface NewUser {
  readonly id?: UserId
  readonly name: string
  readonly balanceUsd?: Usd
}

interface AdminShape extends AdminKeys {
  readonly createUser: (user: NewUser) => Effect.Effect<UserAccount, Failure>
  /**
   * The user with this id and the key through which an application acts for it (`Access.principalOf`); both are made
   * if they are not there, and only then does the user get the opening balance. Repeatable, also at once.
   */
  readonly ensureUser: (
    user: NewUser & { readonly id: UserId },
  ) => Effect.Effect<UserAccount & { readonly created: boolean }, Failure>
  readonly getUser: (id: string) => Effect.Effect<UserAccount, Failure>
  readonly listUsers: (query: {
    readonly after?: string
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<UserAccount>, Failure>
  readonly setUserDisabled: (id: string, disabled: boolean) => Effect.Effect<UserAccount, Failure>
  /** Refuses with `invalid_parameter` what would take the user's grants above `unitsMax`. */
  readonly grant: (grant: {
    readonly userId: string
    readonly usd: Usd
    readonly reason: string
  }) => Effect.Effect<UserAccount & { readonly transferId: string }, Failure>
  readonly listKeys: (userId: string) => Effect.Effect<ReadonlyArray<ApiKey>, Failure>
  /** Refuses with `not_found`. */
  readonly getTool: (id: string) => Effect.Effect<ToolEntry, Failure>
  /** Refuses with `not_found`. */
  readonly getModel: (id: string) => Effect.Effect<ModelEntry, Failure>
  readonly overrideTool: (id: string, change: ToolOverride) => Effect.Effect<ToolEntry, Failure>
  readonly overrideModel: (id: string, change: ModelOverride) => Effect.Effect<ModelEntry, Failure>
  /** Ledger transfers, newest first; `after` is the `sequence` of the last one of the page before. */
  readonly ledger: LedgerStore["Service"]["list"]
  /** Totals of one moment. `check` also adds up every transfer and counts every row. */
  readonly stats: (options: { readonly check: boolean }) => Effect.Effect<Stats, StorageError>
}

/**
 * Administration of users, money, keys and catalogs; every change is written to the audit log in its own
 * transaction.
 */
export class Admin extends Context.Service<Admin, AdminShape>()("@atelier/core/services/Admin") {
  static readonly layer = Layer.effect(
    Admin,
    Effect.gen(function* () {
      const audit = yield* Audit
      const keys = yield* KeyStore
      const ledger = yield* LedgerStore
      const models = yield* ModelCatalog
      const random = yield* SecureRandom
      const settings = yield* SettingsStore
      const tools = yield* ToolCatalog
      const totals = yield* TotalsStore
      const transaction = yield* Transaction
      const unitsPerUsd = yield* UnitsPerUsd
      const wallet = yield* Wallet

      const requireUser = Effect.fnUntraced(function* (id: string) {
        const user = yield* keys.getUser(id)
        if (Option.isNone(user)) return yield* refuse("not_found", `There is no user ${quote(id)}.`)
        return user.value
      })

      const account = (user: User) =>
        Effect.map(ledger.balance(user.id), (balance): UserAccount => ({ user, balance }))

      const grantUnits = Effect.fnUntraced(function* (userId: UserId, amount: Units, reason: string) {
        const at = yield* Clock.currentTimeMillis
        const transfer = grantOf({
          unique: (yield* random.ulid).toLowerCase(),
          userId,
          amount,
          reason,
          at,
        })
        yield* wallet.grant(transfer)
        return transfer
      })

      const createUser = Effect.fnUntraced(function* (input: NewUser) {
        const user: User = {
          id: input.id ?? (yield* Effect.provideService(makeId("usr"), SecureRandom, random)),
          name: input.name,
          disabled: false,
          createdAt: yield* Clock.currentTimeMillis,
        }
        const { balanceUsd } = input
        const units =
          balanceUsd === undefined ? 0 : yield* requireUnits(balanceUsd, unitsPerUsd, "balance_usd")
        return yield* audit.change(
          "user.create",
          user.id,
          Effect.gen(function* () {
            yield* keys.insertUser(user)
            yield* ledger.openAccount(user.id)
            if (units > 0) yield* grantUnits(user.id, units, "opening balance")
            return { value: yield* account(user), before: null, after: { name: user.name, units } }
          }),
        )
      }, withSpan("Admin.createUser"))

      const adminKeys = yield* makeAdminKeys(requireUser)

      const standing = Effect.fnUntraced(function* (id: UserId) {
        const user = yield* keys.getUser(id)
        const key = yield* keys.getKey(ownKeyOf(id))
        return Option.isNone(user) || Option.isNone(key) ? undefined : yield* account(user.value)
      })

      const makeWithKey = (input: NewUser & { readonly id: UserId }) =>
        transaction.run(
          Effect.gen(function* () {
            const created = Option.isNone(yield* keys.getUser(input.id))
            if (created) yield* createUser(input)
            yield* adminKeys.createKey(input.id, { name: "application" }, ownKeyOf(input.id))
            return { ...(yield* account(yield* requireUser(input.id))), created }
          }),
        )

      const ensureUser = Effect.fnUntraced(function* (input: NewUser & { readonly id: UserId }) {
        const found = yield* standing(input.id)
        if (found !== undefined) return { ...found, created: false }
        return yield* Effect.catchTag(makeWithKey(input), "StorageError", (error) =>
          // Another process may have made the same one at the same time.
          Effect.flatMap(standing(input.id), (other) =>
            other === undefined ? Effect.fail(error) : Effect.succeed({ ...other, created: false }),
          ),
        )
      }, withSpan("Admin.ensureUser"))

      const setUserDisabled = (id: string, disabled: boolean) =>
        audit.change(
          "user.update",
          id,
          Effect.gen(function* () {
            const user = yield* requireUser(id)
            yield* keys.setUserDisabled(user.id, disabled)
            return {
              value: yield* account({ ...user, disabled }),
              before: { disabled: user.disabled },
              after: { disabled },
            }
          }),
        )

      const grant = Effect.fnUntraced(function* (input: {
        readonly userId: string
        readonly usd: Usd
        readonly reason: string
      }) {
        const units = yield* requireUnits(input.usd, unitsPerUsd, "usd")
        return yield* audit.change(
          "user.grant",
          input.userId,
          Effect.gen(function* () {
            const user = yield* requireUser(input.userId)
            const transfer = yield* grantUnits(user.id, units, input.reason)
            const granted = yield* account(user)
            return {
              value: { ...granted, transferId: transfer.id },
              before: { granted: granted.balance.granted - units },
              after: { granted: granted.balance.granted, units, reason: input.reason },
            }
          }),
        )
      }, withSpan("Admin.grant"))

      const listUsers = Effect.fnUntraced(function* (query: {
        readonly after?: string
        readonly limit: number
      }) {
        const users = yield* keys.listUsers(query)
        const balances = yield* ledger.balances(users.map(({ id }) => id))
        return users.map((user): UserAccount => ({ user, balance: balances.get(user.id) ?? noBalance }))
      })

      const getTool = Effect.fnUntraced(function* (id: string) {
        const found = (yield* tools.entries).find(({ executor }) => executor.definition.id === id)
        return found ?? (yield* refuse("not_found", `There is no tool ${quote(id)}.`))
      })

      const getModel = Effect.fnUntraced(function* (id: string) {
        const found = (yield* models.entries).find((entry) => entry.model.id === id)
        return found ?? (yield* refuse("not_found", `There is no model ${quote(id)}.`))
      })

      const mismatches = Effect.all({ ledger: ledger.audit, totals: totals.differences })
      const stats = Effect.fnUntraced(function* ({ check }: { readonly check: boolean }) {
        const found = yield* totals.read
        return check ? { totals: found, mismatches: yield* mismatches } : { totals: found }
      })

      /** A catalog entry's override, as it was and as it became. */
      const override = <A>(kind: "tool" | "model", id: string, change: Effect.Effect<A, Failure>) =>
        audit.change(
          `${kind}.update`,
          id,
          Effect.gen(function* () {
            const before = yield* settings.get(kind, id)
            const value = yield* change
            const after = yield* settings.get(kind, id)
            return { value, before: Option.getOrNull(before), after: Option.getOrNull(after) }
          }),
        )

      return Admin.of({
        ...adminKeys,
        createUser,
        ensureUser,
        getUser: (id) => Effect.flatMap(requireUser(id), account),
        listUsers,
        setUserDisabled,
        grant,
        listKeys: (userId) => Effect.flatMap(requireUser(userId), (user) => keys.listKeys(user.id)),
        getTool,
        getModel,
        ledger: ledger.list,
        stats,
        overrideTool: (id, change) => override("tool", id, tools.override(id, change)),
        overrideModel: (id, change) => override("model", id, models.override(id, change)),
      })
    }),
  )
}

const noBalance: Balance = { wallet: 0, held: 0, spent: 0, granted: 0 }
