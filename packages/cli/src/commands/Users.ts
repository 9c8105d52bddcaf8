import { Admin, formatUsd, parseUsd, UnitsPerUsd, type UserAccount, usdFromUnits } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { wrongUsage } from "../CommandFailed.ts"
import { withDatabase } from "../Operator.ts"
import { print, table, time } from "../Output.ts"

const pageUsers = 100

export const create = (input: {
  readonly name: string
  readonly usd: Option.Option<string>
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      const account = yield* Option.isNone(input.usd)
        ? admin.createUser({ name: input.name })
        : Effect.flatMap(amount("--usd", input.usd.value), (balanceUsd) =>
            admin.createUser({ name: input.name, balanceUsd }),
          )
      yield* show(input.json, account)
    }),
  )

export const list = (input: { readonly json: boolean }) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      const unitsPerUsd = yield* UnitsPerUsd
      const users: Array<UserAccount> = []
      for (;;) {
        const after = users.at(-1)?.user.id
        const page = yield* admin.listUsers({ limit: pageUsers, ...(after === undefined ? {} : { after }) })
        users.push(...page)
        if (page.length < pageUsers) break
      }
      yield* print(input.json, users.map(toJson), () =>
        users.length === 0
          ? ["There are no users yet: atelier users create NAME --usd 10"]
          : table(
              ["ID", "NAME", "WALLET USD", "HELD USD", "SPENT USD", "CREATED", ""],
              users.map(({ user, balance }) => [
                user.id,
                user.name,
                ...[balance.wallet, balance.held, balance.spent].map((units) => usdText(units, unitsPerUsd)),
                time(user.createdAt / 1000),
                user.disabled ? "disabled" : "",
              ]),
            ),
      )
    }),
  )

export const get = (input: { readonly user: string; readonly json: boolean }) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      yield* show(input.json, yield* admin.getUser(input.user))
    }),
  )

export const grant = (input: {
  readonly user: string
  readonly usd: string
  readonly reason: string
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      const usd = yield* amount("USD", input.usd)
      yield* show(input.json, yield* admin.grant({ userId: input.user, usd, reason: input.reason }))
    }),
  )

export const setDisabled = (input: {
  readonly user: string
  readonly disabled: boolean
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      yield* show(input.json, yield* admin.setUserDisabled(input.user, input.disabled))
    }),
  )

/** A non-negative decimal amount in US dollars. */
export const amount = (name: string, text: string) => {
  const parsed = parseUsd(text)
  return Option.isSome(parsed)
    ? Effect.succeed(parsed.value)
    : Effect.fail(
        wrongUsage(`${name}: expected a decimal amount such as 10 or 0.50, got ${JSON.stringify(text)}`),
      )
}

const usdText = (units: number, unitsPerUsd: number): string => formatUsd(usdFromUnits(units, unitsPerUsd))

const toJson = ({ user, balance }: UserAccount) => ({
  id: user.id,
  name: user.name,
  balance: balance.wallet,
  held: balance.held,
  spent: balance.spent,
  granted: balance.granted,
  disabled: user.disabled,
  created_at: Math.floor(user.createdAt / 1000),
})

const show = Effect.fnUntraced(function* (json: boolean, account: UserAccount) {
  const unitsPerUsd = yield* UnitsPerUsd
  const { user, balance } = account
  const money = (units: number) => `${usdText(units, unitsPerUsd)} USD (${units} units)`
  yield* print(json, toJson(account), () => [
    `user     ${user.id}${user.disabled ? " (disabled)" : ""}`,
    `name     ${user.name}`,
    `wallet   ${money(balance.wallet)}`,
    `held     ${money(balance.held)}`,
    `spent    ${money(balance.spent)}`,
    `granted  ${money(balance.granted)}`,
    `created  ${time(user.createdAt / 1000)}`,
  ])
})
