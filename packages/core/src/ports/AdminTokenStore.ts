import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AdminSession, AdminToken } from "../domain/AdminToken.ts"
import type { StorageError } from "../domain/CoreError.ts"

export class AdminTokenStore extends Context.Service<
  AdminTokenStore,
  {
    readonly insert: (token: AdminToken) => Effect.Effect<void, StorageError>
    readonly get: (id: string) => Effect.Effect<Option.Option<AdminToken>, StorageError>
    /** As `get`, and locks the token: no other transaction changes it until the enclosing one ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<AdminToken>, StorageError>
    /** Newest first; `after` is the last id of the previous page. */
    readonly list: (query: {
      readonly after?: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<AdminToken>, StorageError>
    /** Writes everything but name, role and times of a token; false: there is none. */
    readonly update: (token: AdminToken) => Effect.Effect<boolean, StorageError>
    /** The token with this SHA-256 digest, current or from before its last rotation and still valid at `now`. */
    readonly findByDigest: (
      digest: string,
      now: number,
    ) => Effect.Effect<Option.Option<AdminToken>, StorageError>
    /** Adds a session; removes those that expired, and of the same token all but the newest `keep`, the new one included. */
    readonly insertSession: (session: AdminSession, keep: number) => Effect.Effect<void, StorageError>
    /** The session with this digest that has not expired at `now`. */
    readonly findSession: (
      digest: string,
      now: number,
    ) => Effect.Effect<Option.Option<AdminSession>, StorageError>
    readonly removeSession: (digest: string) => Effect.Effect<void, StorageError>
  }
>()("@atelier/core/ports/AdminTokenStore") {}
