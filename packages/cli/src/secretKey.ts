import { makeSecretBox, SecretBox, SettingsStore, sealedBy, Transaction } from "@atelier/core"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SettingError } from "./SettingError.ts"
import type { Settings } from "./Settings.ts"

/** How secrets are stored: encrypted where there is a secret key. */
export const layer = ({ secretKeys: [first, ...others] }: Settings) =>
  first === undefined
    ? Layer.empty
    : Layer.effect(SecretBox, makeSecretBox([first, ...others])).pipe(Layer.provide(layerWebCrypto))

const id = "check"

/**
 * Refuses a start without the secret key that the database's secrets were encrypted with: callbacks would not be
 * signed. A marker that is encrypted with the current first key tells; it is rewritten when another key comes first.
 */
export const requireSecretKey = Effect.gen(function* () {
  const box = yield* SecretBox
  const settings = yield* SettingsStore
  const { run } = yield* Transaction
  const wanted = box.keyIds[0] ?? null
  yield* run(
    Effect.gen(function* () {
      const stored = Option.map(yield* settings.get("secret", id), String)
      if (Option.isSome(stored)) {
        yield* Effect.mapError(
          box.open(stored.value, id),
          ({ message }) => new SettingError({ setting: "ATELIER_SECRET_KEY", problem: problemOf(message) }),
        )
        if (sealedBy(stored.value) === wanted) return
      }
      if (wanted !== null) yield* settings.put("secret", id, yield* box.seal("atelier", id))
    }),
  )
})

const problemOf = (message: string): string =>
  `this is not the key of this database's secrets: ${message} Set the right one, or add it after a comma`
