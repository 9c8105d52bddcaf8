import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../domain/CoreError.ts"
import type { TaskId } from "../domain/Ids.ts"
import type { Task } from "../domain/Task.ts"

/** A task that is final, and that its application has not heard of. */
export interface FinishedNotice {
  readonly taskId: TaskId
  /** How often its handler failed. */
  readonly attempts: number
}

/**
 * Notices of final tasks for an application that listens. The database writes one with the step that makes a task
 * final, whichever process makes it; it is taken in the transaction in which the application hears of the task.
 */
export class FinishedTasks extends Context.Service<
  FinishedTasks,
  {
    /** From now on there are notices. Repeatable. */
    readonly listen: Effect.Effect<void, StorageError>
    /** No notices from now on, ; those that wait stay until they are taken or old. Repeatable. */
    readonly unlisten: Effect.Effect<void, StorageError>
    /** Takes the notice of a task, in the enclosing transaction; false: there is none, or another process took it. */
    readonly take: (taskId: TaskId) => Effect.Effect<boolean, StorageError>
    /** Notices that are due at or before `now`, the oldest first. Unix milliseconds. */
    readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<FinishedNotice>, StorageError>
    /** The handler failed: the notice is due again at `dueAt`. */
    readonly postpone: (taskId: TaskId, dueAt: number) => Effect.Effect<void, StorageError>
    /** Removes notices from before `createdBefore`, at most `limit`; returns how many. */
    readonly removeOld: (createdBefore: number, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@atelier/core/ports/FinishedTasks") {}

/** What an application does with a final task, in the transaction that makes it final or in one after it. */
export type FinishedHandler = (task: Task) => Effect.Effect<void, unknown>

/** The handler of this process; it may be set at any time. None: notices wait for a process that has one. */
export const CurrentFinishedHandler = Context.Reference<{ handler: FinishedHandler | undefined }>(
  "@atelier/core/ports/FinishedHandler",
  { defaultValue: () => ({ handler: undefined }) },
)
