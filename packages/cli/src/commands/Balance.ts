import { asCaller } from "../Caller.ts"
import type { Target } from "../Login.ts"
import { say } from "../Output.ts"
import { usdOf } from "../usdOf.ts"

export const balance = (input: Target & { readonly json: boolean }) =>
  asCaller(input, async ({ atelier, signal }) => {
    const balance = await atelier.balance({ signal })
    const money = (units: number): string => `${usdOf(units, balance.units_per_usd)} (${units} units)`
    const { wallet, held, spent, granted, key_quota: quota, key_used: used } = balance
    say(input.json, balance, () => [
      `wallet    ${money(wallet)}`,
      `held      ${money(held)}`,
      `spent     ${money(spent)}`,
      `granted   ${money(granted)}`,
      `this key  ${money(used)} of ${quota === null ? "no quota" : money(quota)}`,
    ])
  })
