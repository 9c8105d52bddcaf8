import * as Schema from "effect/Schema"
import { Units } from "./WireCommon.ts"

/** The caller's money (contract, Money): `wallet + held + spent = granted`, always. */
export const WireBalance = Schema.Struct({
  object: Schema.Literal("balance"),
  wallet: Units.annotate({ description: "What can be spent now." }),
  held: Units.annotate({ description: "The fees of unfinished tasks." }),
  spent: Units.annotate({ description: "What finished tasks were charged." }),
  granted: Units.annotate({ description: "All that the account was ever given." }),
  key_quota: Schema.NullOr(Units).annotate({
    description: "The most that this API key may hold and spend; null without a quota.",
  }),
  key_used: Units.annotate({ description: "What this API key has held and spent." }),
  units_per_usd: Schema.Int.annotate({ description: "Units that make one US dollar." }),
}).annotate({
  identifier: "Balance",
  description: "The account's money and the API key's quota, in account quota units.",
  examples: [
    {
      object: "balance",
      wallet: 4_960_000,
      held: 20_000,
      spent: 20_000,
      granted: 5_000_000,
      key_quota: null,
      key_used: 40_000,
      units_per_usd: 500_000,
    },
  ],
})
export type WireBalance = typeof WireBalance.Type
