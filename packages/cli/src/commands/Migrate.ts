import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Live from "../Live.ts"
import { SettingError } from "../SettingError.ts"
import * as Settings from "../Settings.ts"

export interface MigrateInput {
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
  readonly fromBlobs: Option.Option<string>
  readonly toBlobs: Option.Option<string>
}

/** Brings the database of the settings to this version; with flags, moves everything to another database. */
export const migrate = (input: MigrateInput) =>
  Effect.gen(function* () {
    const { from, to, fromBlobs, toBlobs } = input
    if ([from, to, fromBlobs, toBlobs].every(Option.isNone)) return yield* bringUpToDate
    const { moveEverything } = yield* Effect.promise(() => import("./MoveEverything.ts"))
    yield* moveEverything({
      from: yield* required("--from", from),
      to: yield* required("--to", to),
      fromBlobs: Option.getOrUndefined(fromBlobs),
      toBlobs: Option.getOrUndefined(toBlobs),
    })
  })

const required = (flag: string, value: Option.Option<string>) =>
  Option.match(value, {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.fail(new SettingError({ setting: flag, problem: "missing: a move needs --from and --to" })),
  })

const bringUpToDate = Effect.gen(function* () {
  const settings = yield* Settings.load(process.env)
  yield* Effect.scoped(Layer.build(Live.stores(settings)))
  const { database } = settings
  const name =
    database.dialect === "sqlite" ? database.file : new URL(Redacted.value(database.url)).pathname.slice(1)
  yield* Console.log(`The database ${name} is up to date.`)
})
