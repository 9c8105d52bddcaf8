import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Live from "../Live.ts"
import * as Settings from "../Settings.ts"

/** Makes the database where it is absent and brings it to this version. */
export const migrate = Effect.gen(function* () {
  const settings = yield* Settings.load(process.env)
  yield* Effect.scoped(Layer.build(Live.stores(settings)))
  const { database } = settings
  const name =
    database.dialect === "sqlite" ? database.file : new URL(Redacted.value(database.url)).pathname.slice(1)
  yield* Console.log(`The database ${name} is up to date.`)
})
