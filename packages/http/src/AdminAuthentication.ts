import { hash, timingSafeEqual } from "node:crypto"
import { AdminAuthentication } from "@atelier/api"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { refusal } from "./Answer.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { Settings } from "./ServerSettings.ts"

/** Refuses with 404 `not_found` where the admin API is off, then with 401 `invalid_api_key`. */
export const layer = Layer.effect(
  AdminAuthentication,
  Effect.gen(function* () {
    const { adminToken } = yield* Settings
    return AdminAuthentication.of({
      adminToken: (route, { credential }) => {
        if (adminToken === null) {
          return refusal(refuseHttp("not_found", "The admin API is off."), "tools")
        }
        return isToken(Redacted.value(credential), adminToken)
          ? route
          : refusal(refuseHttp("invalid_api_key", "The admin token is missing or not valid."), "tools")
      },
    })
  }),
)

/** Compares in a time that tells nothing of either. */
export const isToken = (given: string, expected: Redacted.Redacted): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", Redacted.value(expected), "buffer"))
