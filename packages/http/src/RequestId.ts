import type { RequestId } from "@atelier/core"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"

/** Every answer has this header, in errors equal to `request_id` (contract, Errors). */
export const requestIdHeader = "x-request-id"

/** A new request's identifier. */
export const newRequestId = (random: SecureRandom["Service"]): Effect.Effect<RequestId> =>
  Effect.map(random.ulid, (ulid) => `req_${ulid.toLowerCase()}` as const)
