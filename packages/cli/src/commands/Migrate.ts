import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Live from "../Live.ts"
import * as Settings from "../Settings.ts"

/** Makes the database where it is absent and brings it to this version. */
export const migrate = Effect.gen(function* () {
  const settings = yield* Settings.load(process.env)
  yield* Effect.scoped(Layer.build(Live.stores(settings)))
  yield* Console.log(`The database ${settings.databaseFile} is up to date.`)
})
