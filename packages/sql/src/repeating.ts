import { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { SqlError } from "effect/sql/SqlError"

/** How often a transaction is repeated that Postgres ended in favour of another. */
const repetitionsMax = 8

/** How often one is repeated that waits for a row which another transaction holds: for about a minute. */
const lockedRepetitionsMax = 60

/**
 * The same of a statement that is its own transaction: for somewhat more than the lease after which Postgres ends the
 * transaction of a frozen process. What waits behind such a statement, as the rate limit of all keys does, waits no longer.
 */
export const lockedStatementRepetitionsMax = 6

const lockedPause = Schedule.jittered(Schedule.spaced("50 millis"))

const backoff = Schedule.jittered(Schedule.exponential("5 millis"))

const isReason = (error: unknown, tag: SqlError["reason"]["_tag"]): boolean =>
  error instanceof StorageError && error.cause instanceof SqlError && error.cause.reason._tag === tag

/** Postgres rolled the whole transaction back because of another one: repeating it may succeed. */
const isConflict = (error: unknown): boolean =>
  isReason(error, "DeadlockError") || isReason(error, "SerializationError")

/** A row was held by another transaction for longer than a statement waits: the connection is free meanwhile. */
export const isLocked = (error: unknown): boolean => isReason(error, "LockTimeoutError")

/** Nothing was written, in favour of another transaction. */
export const isRepeated = (error: unknown): boolean => isConflict(error) || isLocked(error)

/** Repeats a transaction of Postgres that ended in favour of another one. */
export const repeatingConflicts = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(transaction, { schedule: backoff, times: repetitionsMax, while: isConflict })

/** As `repeatingConflicts`, and so many times where it waits for a row. */
export const repeating = <A, E, R>(
  transaction: Effect.Effect<A, E, R>,
  times = lockedRepetitionsMax,
): Effect.Effect<A, E, R> =>
  Effect.retry(repeatingConflicts(transaction), { schedule: lockedPause, times, while: isLocked })
