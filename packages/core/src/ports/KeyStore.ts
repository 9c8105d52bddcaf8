import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../domain/CoreError.ts"
import type { UserId } from "../domain/Ids.ts"
import type { ApiKey, Principal, User } from "../domain/Principal.ts"

export class KeyStore extends Context.Service<
  KeyStore,
  {
    readonly insertUser: (user: User) => Effect.Effect<void, StorageError>
    readonly getUser: (id: string) => Effect.Effect<Option.Option<User>, StorageError>
    /** Newest first; `after` is the last id of the previous page. */
    readonly listUsers: (query: {
      readonly after?: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<User>, StorageError>
    readonly setUserDisabled: (id: UserId, disabled: boolean) => Effect.Effect<boolean, StorageError>
    readonly insertKey: (key: ApiKey) => Effect.Effect<void, StorageError>
    readonly getKey: (id: string) => Effect.Effect<Option.Option<ApiKey>, StorageError>
    readonly listKeys: (userId: UserId) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError>
    /** As `getKey`, and locks the key: no other transaction changes it until the enclosing one ends. */
    readonly lockKey: (id: string) => Effect.Effect<Option.Option<ApiKey>, StorageError>
    /** Replaces the adjustable fields of a key; `usedUnits`, digests and `userId` are never written. */
    readonly updateKey: (key: ApiKey) => Effect.Effect<boolean, StorageError>
    /** Writes the digests, `hint` and `previousUntil` of a key, and nothing else. */
    readonly updateDigest: (
      key: Pick<ApiKey, "id" | "digest" | "hint" | "previousDigest" | "previousUntil">,
    ) => Effect.Effect<boolean, StorageError>
    /**
     * The key with this SHA-256 digest, current or from before its last rotation and still valid at `now`, and its
     * user. Called on every request, so it may be answered from a cache; but never as it was before a change that
     * was committed before the call, by whichever process. Only `usedUnits` may be stale.
     */
    readonly findByDigest: (
      digest: string,
      now: number,
    ) => Effect.Effect<Option.Option<Principal>, StorageError>
    /** How many webhook secrets are encrypted with each secret key; null: those in plain text. Scans every key. */
    readonly seals: Effect.Effect<
      ReadonlyArray<{ readonly keyId: string | null; readonly count: number }>,
      StorageError
    >
    readonly isEmpty: Effect.Effect<boolean, StorageError>
  }
>()("@atelier/core/ports/KeyStore") {}
