import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../domain/CoreError.ts"
import type { FileId, UserId } from "../domain/Ids.ts"
import type { ToolFile, ToolFileStatus } from "../domain/ToolFile.ts"

export class FileStore extends Context.Service<
  FileStore,
  {
    readonly insert: (file: ToolFile) => Effect.Effect<void, StorageError>
    readonly get: (id: string) => Effect.Effect<Option.Option<ToolFile>, StorageError>
    /** As `get`, and locks the file: no other transaction changes it until the enclosing one ends. */
    readonly getForUpdate: (id: string) => Effect.Effect<Option.Option<ToolFile>, StorageError>
    /** Moves a file from one status to another; false where it was not in `from` (compare-and-set). */
    readonly setStatus: (
      id: FileId,
      from: ToolFileStatus,
      to: ToolFileStatus,
    ) => Effect.Effect<boolean, StorageError>
    /** Removes the row of an upload that never became ready. */
    readonly discard: (id: FileId) => Effect.Effect<void, StorageError>
    /**
     * Files of the user that are not `deleted` yet (document-tools 8: pending-cleanup files), without `heldImagesTool`. In a transaction
     * the count is serialised until it ends: two uploads cannot both take the last place.
     */
    readonly countPending: (userId: UserId) => Effect.Effect<number, StorageError>
    /** Bytes of the user's files of `heldImagesTool` that are not `deleted` yet; serialised as `countPending`. */
    readonly heldBytes: (userId: UserId) => Effect.Effect<number, StorageError>
    /**
     * What cleanup has to process: `deleting`; `ready` and expired at or before `now`; `uploading` and
     * created at or before `abandonedBefore`. In the order of their ids, the first of those behind `after`.
     */
    readonly removable: (
      now: number,
      abandonedBefore: number,
      limit: number,
      after: string,
    ) => Effect.Effect<ReadonlyArray<ToolFile>, StorageError>
  }
>()("@atelier/core/ports/FileStore") {}
