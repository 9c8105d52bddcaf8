import * as Effect from "effect/Effect"
import { type CoreError, refuse } from "../domain/CoreError.ts"
import { quote } from "./Access.ts"

/** image-tasks 4.5: at most 128 characters; contract, Images: printable ASCII. */
export const imageIdempotencyKeyForm = /^[\x20-\x7e]{1,128}$/

/** document-tools 4.3: 8 to 64 characters from letters, digits, hyphen and underscore. */
export const toolIdempotencyKeyForm = /^[A-Za-z0-9_-]{8,64}$/

/** The key of an image task, or of a change by an operator; null: there is none. */
export const requireIdempotencyKey = (key: string | null): Effect.Effect<void, CoreError> =>
  key === null || imageIdempotencyKeyForm.test(key)
    ? Effect.void
    : Effect.fail(
        refuse(
          "invalid_idempotency_key",
          `The idempotency key must be 1 to 128 printable ASCII characters; got ${quote(key)}, ${key.length} characters.`,
        ),
      )

/** The key of a document task, which is required. */
export const requireToolIdempotencyKey = (key: string | null): Effect.Effect<string, CoreError> => {
  if (key !== null && toolIdempotencyKeyForm.test(key)) return Effect.succeed(key)
  const found = key === null ? "it is missing" : `got ${quote(key)}, ${key.length} characters`
  return Effect.fail(
    refuse(
      "invalid_idempotency_key",
      `The idempotency key must have 8 to 64 letters, digits, hyphens and underscores; ${found}.`,
    ),
  )
}
