import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Duties, everything, requireShared } from "../Role.ts"
import * as Settings from "../Settings.ts"

/** An admin token shorter than this could be guessed. */
const tokenCharactersMin = 16

/** Runs the server. Settings are read before anything else is loaded, so that a bad one is refused at once. */
export const serve = Effect.fnUntraced(function* (duties: Duties = everything) {
  const settings = yield* Settings.load(process.env)
  yield* requireShared(settings, duties)
  const { runServer } = yield* Effect.promise(() => import("../Server.ts"))
  const { adminToken } = settings
  yield* runServer(settings, {
    duties,
    testImage: false,
    loopbackCallbacks: false,
    pretty: process.stdout.isTTY,
    prepare: Effect.void,
    ready: ({ url, address }) =>
      Effect.gen(function* () {
        if (adminToken !== undefined && Redacted.value(adminToken).length < tokenCharactersMin) {
          yield* Effect.logWarning(`ATELIER_ADMIN_TOKEN is shorter than ${tokenCharactersMin} characters`)
        }
        yield* Effect.annotateLogs(Effect.logInfo(`ready at ${url}`), {
          url,
          address,
          role: duties.role,
          started_ms: Math.round(performance.now()),
        })
      }),
  })
})
