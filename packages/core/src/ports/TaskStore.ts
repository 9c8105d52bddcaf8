import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../domain/CoreError.ts"
import type { FileId, ImageTaskId, KeyId, TaskId, UserId } from "../domain/Ids.ts"
import type { ImageTask, Task, ToolTask } from "../domain/Task.ts"
import type { TaskKind } from "../domain/TaskState.ts"

/** Filters are conjunctive. Newest first in the order of acceptance; `after` is the last id of the previous page. */
export interface TaskQuery {
  readonly keyId?: KeyId
  readonly userId?: UserId
  readonly kind?: TaskKind
  /** Internal states; a wire state such as `in_progress` may stand for several. */
  readonly states?: ReadonlyArray<string>
  /** Model or tool id. */
  readonly subject?: string
  /** Limits a key's tool tasks to these tools; image tasks are unaffected. Only together with `keyId`. */
  readonly tools?: ReadonlyArray<string>
  /** The request that submitted the task. */
  readonly requestId?: string
  /** The idempotency key of the submission, of any API key. */
  readonly idempotencyKey?: string
  /** Acceptance, Unix milliseconds: at or after `from`, before `until`. */
  readonly from?: number
  readonly until?: number
  readonly after?: string
  readonly limit: number
}

export class TaskStore extends Context.Service<
  TaskStore,
  {
    readonly insert: (task: Task) => Effect.Effect<void, StorageError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Task>, StorageError>
    /**
     * The reference images of an unfinished task as they were given; none if all of them are in the task. They
     * are deleted when the task is final.
     */
    readonly images: (id: ImageTaskId) => Effect.Effect<Option.Option<ReadonlyArray<string>>, StorageError>
    readonly list: (query: TaskQuery) => Effect.Effect<ReadonlyArray<Task>, StorageError>
    /**
     * Writes `next` where the stored version is still `seen`; false where it is not (compare-and-set).
     * `next.version` is `seen + 1`. A final state is never overwritten by another state.
     */
    readonly update: (next: Task, seen: number) => Effect.Effect<boolean, StorageError>
    /** The key's finished image task whose upstream step is called `jobId` (contract, Images: artgen). */
    readonly findByJobId: (
      keyId: KeyId,
      jobId: string,
    ) => Effect.Effect<Option.Option<ImageTask>, StorageError>
    /** Tasks of a kind that are not final (document-tools 8). */
    readonly countUnfinished: (userId: UserId, kind: TaskKind) => Effect.Effect<number, StorageError>
    /** When the task that has been queued longest was accepted; none where none is queued. */
    readonly oldestQueued: (kind: TaskKind) => Effect.Effect<Option.Option<number>, StorageError>
    readonly hasUnfinishedForFile: (fileId: FileId) => Effect.Effect<boolean, StorageError>
    /** Unfinished tasks whose deadline is at or before `now`, earliest first. */
    readonly pastDeadline: (now: number, limit: number) => Effect.Effect<ReadonlyArray<Task>, StorageError>
    /**
     * Final tasks that were accepted at or before `acceptedBefore` and of which nothing is under way: no callback, no
     * notice, no idempotency record that holds at `now`. In the order of acceptance, after the sequence
     * `after`, whose task may be gone.
     */
    readonly removable: (query: {
      readonly acceptedBefore: number
      readonly now: number
      readonly after: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<{ readonly task: Task; readonly sequence: number }>, StorageError>
    /** Removes a final task without a job, and its callback; nothing where it is not there or has one. */
    readonly remove: (id: TaskId) => Effect.Effect<void, StorageError>
    /** Tool tasks whose results expired at or before `now` and are not purged. */
    readonly pastExpiry: (now: number, limit: number) => Effect.Effect<ReadonlyArray<ToolTask>, StorageError>
  }
>()("@atelier/core/ports/TaskStore") {}
