import { hash } from "node:crypto"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { type CoreError, refuse } from "./CoreError.ts"
import { requestIdCharsMax } from "./Limits.ts"

/** Prefixes of public identifiers (contract, Names). */
export type IdPrefix = "imgtask" | "tooltask" | "toolfile" | "req" | "usr" | "key" | "evt" | "adm"

export type ImageTaskId = `imgtask_${string}`
export type ToolTaskId = `tooltask_${string}`
export type TaskId = ImageTaskId | ToolTaskId
export type FileId = `toolfile_${string}`
export type UserId = `usr_${string}`
export type KeyId = `key_${string}`
export type AdminTokenId = `adm_${string}`
export type RequestId = `req_${string}`

/**
 * A new identifier: prefix, underscore and a 26-character lower-case ULID, so that identifiers of one
 * process sort by creation time (contract, Names).
 */
export const makeId = <P extends IdPrefix>(prefix: P): Effect.Effect<`${P}_${string}`, never, SecureRandom> =>
  Effect.map(
    Effect.flatMap(SecureRandom, (random) => random.ulid),
    (ulid) => `${prefix}_${ulid.toLowerCase()}` as const,
  )

/** The digits of a ULID, lower case. */
const ulidDigits = "0123456789abcdefghjkmnpqrstvwxyz"
const ulidDigitsCount = 26
const userIdForm = new RegExp(`^usr_[${ulidDigits}]{${ulidDigitsCount}}$`)

const ulidTimeDigitsCount = 10

/** When the id was made, Unix milliseconds: a ULID begins with its time. NaN where it is no id of this service. */
export const acceptedAt = (id: string): number => {
  const digits = [...id.slice(-ulidDigitsCount, -ulidDigitsCount + ulidTimeDigitsCount)]
  return digits.reduce((time, digit) => {
    const value = ulidDigits.indexOf(digit)
    return value === -1 ? Number.NaN : time * ulidDigits.length + value
  }, 0)
}

/**
 * The user of an application that has ids of its own: the same one for the same `externalId`, in every process, made
 * of the first 130 bits of its SHA-256. A user's id as this service writes it stands for itself.
 */
export const userIdOf = (externalId: string): UserId => {
  if (userIdForm.test(externalId)) return externalId as UserId
  const bits = BigInt(`0x${hash("sha256", externalId)}`) >> BigInt(256 - 5 * ulidDigitsCount)
  const digits = Array.from(
    { length: ulidDigitsCount },
    (_, index) => ulidDigits[Number((bits >> BigInt(5 * (ulidDigitsCount - 1 - index))) & 31n)],
  )
  return `usr_${digits.join("")}`
}

/** The key through which an application acts for a user without a secret: its id is made of the user's. */
export const ownKeyOf = (userId: UserId): KeyId => `key_${userId.slice("usr_".length)}`

/** The form of a request id: printable ASCII, as in a header. */
export const requireRequestId = (id: string | null): Effect.Effect<void, CoreError> =>
  id === null || (id.length <= requestIdCharsMax && /^[\x21-\x7e]+$/.test(id))
    ? Effect.void
    : Effect.fail(
        refuse(
          "invalid_parameter",
          `The request id must be 1 to ${requestIdCharsMax} printable ASCII characters without spaces; it has ${id.length}.`,
          { param: "request_id" },
        ),
      )
