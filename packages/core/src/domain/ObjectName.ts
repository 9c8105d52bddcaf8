import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"

const randomBytes = 128 / 8

/** A name for an object that is stored, below a folder: 128 random bits (contract, Tools). */
export const newObjectName = (
  random: SecureRandom["Service"],
  folder: "files" | "results",
): Effect.Effect<string> =>
  Effect.map(random.randomBytes(randomBytes), (bytes) => `${folder}/${Hex.encode(bytes)}`)
