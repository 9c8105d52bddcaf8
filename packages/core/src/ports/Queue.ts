import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LeaseLost, StorageError } from "../domain/CoreError.ts"
import type { TaskId, UserId } from "../domain/Ids.ts"
import type { Task } from "../domain/Task.ts"
import type { TaskKind } from "../domain/TaskState.ts"
import type { Traceparent } from "../domain/Tracing.ts"

/** The work of a task, and then the delivery of its callback; a task has at most one job at a time. */
export type JobKind = TaskKind | "callback"

/** A leased job. `epoch` is the fencing token: it grows with every claim, and a write under an older one is refused. */
export interface Job {
  readonly taskId: TaskId
  readonly kind: JobKind
  readonly epoch: number
  /** Claims so far, this one included. */
  readonly attempt: number
  /** How many of them took the job over from a holder that went silent, presumably because its process died. */
  readonly lost: number
  /** Where the trace of what added it goes on; null where it was not traced. */
  readonly traceparent: Traceparent | null
}

/** What becomes of a job that was leased. One of the two is done, once, after the lease is committed. */
export interface BegunJob {
  /** Runs it to its end. */
  readonly run: Effect.Effect<void>
  /** Gives it back as if it had not begun: its serving ended meanwhile. */
  readonly giveBack: Effect.Effect<void>
}

/** Jobs of a kind: `ready` are held by none, `leased` by a process. */
export interface JobCounts {
  readonly kind: JobKind
  readonly ready: number
  readonly leased: number
  /** Those that may be leased now: they are due, or their holder is silent. */
  readonly due: number
}

/** A user with due jobs that wait for a lease. */
export interface WaitingUser {
  readonly userId: UserId
  /** Leased jobs of the user, over all processes. */
  readonly running: number
  /** Due jobs without a lease, counted up to `queuePositionMax`. */
  readonly waiting: number
}

/** Whose turn comes when, for one kind of job. */
export interface Turns {
  /** Leased jobs of all users: while others wait, about the places of all processes. */
  readonly running: number
  /** In the order in which their next jobs start; the first `queuePositionMax` of them. */
  readonly users: ReadonlyArray<WaitingUser>
}

export class Queue extends Context.Service<
  Queue,
  {
    /** Adds the task's job, in the enclosing transaction; those that serve its kind are notified after the commit. */
    readonly enqueue: (job: {
      readonly taskId: TaskId
      readonly kind: JobKind
      readonly userId: UserId
      readonly runAt: number
      readonly traceparent: Traceparent | null
      /** As this transaction wrote it: where the job begins at once, `begin` need not read it. */
      readonly task?: Task
    }) => Effect.Effect<void, StorageError>
    /**
     * Leases due jobs of a kind to this process as they fall due and runs them, `concurrency` at once: those that
     * are held by none and those whose holder was silent for longer than its lease. `begin` is part of the transaction
     * that leases the job, so that what it writes needs no commit of its own; it may be undone with it. A job is over
     * for the queue when its `run` is. When interrupted, it leases no more, and running jobs continue. Storage failures
     * are logged, and it goes on. `task`: as the transaction that adds the job wrote it, where the job is leased in it.
     */
    readonly serve: (
      kind: JobKind,
      concurrency: number,
      begin: (job: Job, task?: Task) => Effect.Effect<BegunJob, StorageError>,
    ) => Effect.Effect<never>
    /**
     * Extends the leases of the jobs that this process is running; returns those that it still holds. A job
     * that it holds but does not run is not kept alive.
     */
    readonly heartbeat: (running: ReadonlyArray<TaskId>) => Effect.Effect<ReadonlySet<TaskId>, StorageError>
    /** Fails unless the lease still holds, and locks it until the transaction ends. */
    readonly verify: (job: Job) => Effect.Effect<void, LeaseLost | StorageError>
    /** Removes the job under its lease, in the enclosing transaction. */
    readonly complete: (job: Job) => Effect.Effect<void, LeaseLost | StorageError>
    /** Gives the job back, due at `runAt`. */
    readonly release: (job: Job, runAt: number) => Effect.Effect<void, LeaseLost | StorageError>
    /** Removes a task's job whoever holds it, in the enclosing transaction (cancel, deadline). */
    readonly remove: (taskId: TaskId) => Effect.Effect<void, StorageError>
    /** Counts the rows; `TotalsStore` has the numbers without counting. */
    readonly counts: Effect.Effect<ReadonlyArray<JobCounts>, StorageError>
    /**
     * How long the longest-waiting due job of each kind has waited for a lease, in milliseconds; kinds of which none
     * waits are left out.
     */
    readonly oldest: Effect.Effect<ReadonlyMap<JobKind, number>, StorageError>
    /** Takes time in proportion to the waiting jobs: not for every request. */
    readonly turns: (kind: JobKind) => Effect.Effect<Turns, StorageError>
    /**
     * How many jobs of the same user and kind start before the task's, counted up to `queuePositionMax`; null where
     * the task has no job that waits for a lease.
     */
    readonly ahead: (taskId: TaskId) => Effect.Effect<number | null, StorageError>
  }
>()("@atelier/core/ports/Queue") {}
