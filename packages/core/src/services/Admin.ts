import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ModelOverride, ToolOverride } from "../domain/CatalogOverrides.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { type Json, sha256 } from "../domain/Fingerprint.ts"
import { makeId, type UserId } from "../domain/Ids.ts"
import { type Units, UnitsPerUsd, type Usd, unitsFromUsd } from "../domain/Money.ts"
import type { ApiKey, Balance, User } from "../domain/Principal.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"
import { type AuditEntry, SettingsStore } from "../ports/SettingsStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { isAddressRange, quote } from "./Access.ts"
import { ModelCatalog, type ModelEntry } from "./ModelCatalog.ts"
import { ToolCatalog, type ToolEntry } from "./ToolCatalog.ts"
import { Wallet } from "./Wallet.ts"

type Failure = CoreError | StorageError

export interface UserAccount {
  readonly user: User
  readonly balance: Balance
}

/** What an administrator may set on a key; absent leaves it as it is, or at its default for a new key. */
export interface KeySettings {
  readonly name?: string
  readonly models?: ReadonlyArray<string>
  readonly tools?: ReadonlyArray<string>
  readonly ipAllowlist?: ReadonlyArray<string>
  readonly group?: string | null
  readonly quotaUsd?: Usd | null
  readonly ratePerMinute?: number | null
  /** Unix milliseconds; null: never. */
  readonly expiresAt?: number | null
  readonly disabled?: boolean
}

/** Operators' work on users, money, keys and catalogs; every change is in the audit log with its transaction. */
export class Admin extends Context.Service<
  Admin,
  {
    readonly createUser: (user: {
      readonly name: string
      readonly balanceUsd?: Usd
    }) => Effect.Effect<UserAccount, Failure>
    readonly getUser: (id: string) => Effect.Effect<UserAccount, Failure>
    readonly listUsers: (query: {
      readonly after?: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<UserAccount>, Failure>
    readonly setUserDisabled: (id: string, disabled: boolean) => Effect.Effect<UserAccount, Failure>
    readonly grant: (grant: {
      readonly userId: string
      readonly usd: Usd
      readonly reason: string
    }) => Effect.Effect<UserAccount & { readonly transferId: string }, Failure>
    /** The plain key is in this answer and nowhere else (contract, Names). */
    readonly createKey: (
      userId: string,
      settings: KeySettings,
    ) => Effect.Effect<{ readonly key: ApiKey; readonly secret: string }, Failure>
    readonly updateKey: (id: string, settings: KeySettings) => Effect.Effect<ApiKey, Failure>
    readonly listKeys: (userId: string) => Effect.Effect<ReadonlyArray<ApiKey>, Failure>
    readonly overrideTool: (id: string, change: ToolOverride) => Effect.Effect<ToolEntry, Failure>
    readonly overrideModel: (id: string, change: ModelOverride) => Effect.Effect<ModelEntry, Failure>
    readonly audit: (limit: number) => Effect.Effect<ReadonlyArray<AuditEntry>, StorageError>
  }
>()("@atelier/core/services/Admin") {
  static readonly layer = Layer.effect(
    Admin,
    Effect.gen(function* () {
      const keys = yield* KeyStore
      const ledger = yield* LedgerStore
      const models = yield* ModelCatalog
      const random = yield* SecureRandom
      const settings = yield* SettingsStore
      const tools = yield* ToolCatalog
      const transaction = yield* Transaction
      const unitsPerUsd = yield* UnitsPerUsd
      const wallet = yield* Wallet

      /** One change and its entry in the audit log, together or not at all. */
      const audited = <A>(action: string, target: string, detail: Json, change: Effect.Effect<A, Failure>) =>
        transaction.run(
          Effect.gen(function* () {
            const result = yield* change
            const at = yield* Clock.currentTimeMillis
            yield* settings.appendAudit({ at, actor: "admin", action, target, detail })
            return result
          }),
        )

      const requireUser = Effect.fnUntraced(function* (id: string) {
        const user = yield* keys.getUser(id)
        if (Option.isNone(user)) return yield* refuse("not_found", `There is no user ${quote(id)}.`)
        return user.value
      })

      const account = (user: User) =>
        Effect.map(ledger.balance(user.id), (balance): UserAccount => ({ user, balance }))

      const grantUnits = Effect.fnUntraced(function* (userId: UserId, amount: Units, reason: string) {
        const at = yield* Clock.currentTimeMillis
        const id = `grant:${yield* random.ulid}`.toLowerCase()
        return yield* wallet.grant({ id, userId, amount, reason, at })
      })

      const createUser = Effect.fnUntraced(function* (input: {
        readonly name: string
        readonly balanceUsd?: Usd
      }) {
        const user: User = {
          id: yield* Effect.provideService(makeId("usr"), SecureRandom, random),
          name: input.name,
          disabled: false,
          createdAt: yield* Clock.currentTimeMillis,
        }
        const units = input.balanceUsd === undefined ? 0 : unitsFromUsd(input.balanceUsd, unitsPerUsd)
        return yield* audited(
          "user.create",
          user.id,
          { name: user.name, units },
          Effect.gen(function* () {
            yield* keys.insertUser(user)
            yield* ledger.openAccount(user.id)
            if (units > 0) yield* grantUnits(user.id, units, "opening balance")
            return yield* account(user)
          }),
        )
      })

      const setUserDisabled = (id: string, disabled: boolean) =>
        audited(
          "user.update",
          id,
          { disabled },
          Effect.gen(function* () {
            const user = yield* requireUser(id)
            yield* keys.setUserDisabled(user.id, disabled)
            return yield* account({ ...user, disabled })
          }),
        )

      const grant = Effect.fnUntraced(function* (input: {
        readonly userId: string
        readonly usd: Usd
        readonly reason: string
      }) {
        const units = unitsFromUsd(input.usd, unitsPerUsd)
        return yield* audited(
          "user.grant",
          input.userId,
          { units, reason: input.reason },
          Effect.gen(function* () {
            const user = yield* requireUser(input.userId)
            const transfer = yield* grantUnits(user.id, units, input.reason)
            return { ...(yield* account(user)), transferId: transfer.id }
          }),
        )
      })

      const createKey = Effect.fnUntraced(function* (userId: string, given: KeySettings) {
        yield* requireAddresses(given)
        const secret = `sk-atl-${Base64Url.encode(yield* random.randomBytes(32))}`
        const blank: Omit<ApiKey, "userId"> = {
          id: yield* Effect.provideService(makeId("key"), SecureRandom, random),
          digest: sha256(secret),
          hint: secret.slice(0, 11),
          name: "",
          models: [],
          tools: [],
          ipAllowlist: [],
          group: null,
          quotaUnits: null,
          usedUnits: 0,
          ratePerMinute: null,
          webhookSecret: `whsec_${Base64.encode(yield* random.randomBytes(24))}`,
          disabled: false,
          expiresAt: null,
          createdAt: yield* Clock.currentTimeMillis,
        }
        return yield* audited(
          "key.create",
          blank.id,
          { user: userId, ...auditOf(given) },
          Effect.gen(function* () {
            const user = yield* requireUser(userId)
            const key = applySettings({ ...blank, userId: user.id }, given, unitsPerUsd)
            yield* keys.insertKey(key)
            return { key, secret }
          }),
        )
      })

      const updateKey = Effect.fnUntraced(function* (id: string, given: KeySettings) {
        yield* requireAddresses(given)
        return yield* audited(
          "key.update",
          id,
          auditOf(given),
          Effect.gen(function* () {
            const found = yield* keys.getKey(id)
            if (Option.isNone(found)) return yield* refuse("not_found", `There is no key ${quote(id)}.`)
            const key = applySettings(found.value, given, unitsPerUsd)
            yield* keys.updateKey(key)
            return key
          }),
        )
      })

      const listUsers = Effect.fnUntraced(function* (query: {
        readonly after?: string
        readonly limit: number
      }) {
        const users = yield* keys.listUsers(query)
        const balances = yield* ledger.balances(users.map(({ id }) => id))
        return users.map((user): UserAccount => ({ user, balance: balances.get(user.id) ?? noBalance }))
      })

      return Admin.of({
        createUser,
        getUser: (id) => Effect.flatMap(requireUser(id), account),
        listUsers,
        setUserDisabled,
        grant,
        createKey,
        updateKey,
        listKeys: (userId) => Effect.flatMap(requireUser(userId), (user) => keys.listKeys(user.id)),
        overrideTool: (id, change) => audited("tool.update", id, { ...change }, tools.override(id, change)),
        overrideModel: (id, change) =>
          audited("model.update", id, { ...change }, models.override(id, change)),
        audit: settings.listAudit,
      })
    }),
  )
}

const noBalance: Balance = { wallet: 0, held: 0, spent: 0, granted: 0 }

const applySettings = (key: ApiKey, given: KeySettings, unitsPerUsd: number): ApiKey => {
  const { quotaUsd, ...rest } = given
  if (quotaUsd === undefined) return { ...key, ...rest }
  return { ...key, ...rest, quotaUnits: quotaUsd === null ? null : unitsFromUsd(quotaUsd, unitsPerUsd) }
}

const auditOf = ({ quotaUsd, ...rest }: KeySettings): { readonly [name: string]: Json } => ({
  ...rest,
  ...(quotaUsd === undefined ? {} : { quotaUsd: quotaUsd === null ? null : String(quotaUsd) }),
})

const requireAddresses = ({ ipAllowlist = [] }: KeySettings): Effect.Effect<void, CoreError> => {
  const wrong = ipAllowlist.find((entry) => !isAddressRange(entry))
  return wrong === undefined
    ? Effect.void
    : Effect.fail(
        refuse(
          "invalid_parameter",
          `\`ip_allowlist\` takes IPv4 and IPv6 addresses and CIDR ranges; got ${quote(wrong)}.`,
          { param: "ip_allowlist" },
        ),
      )
}
