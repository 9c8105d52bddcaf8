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
