import { StorageError } from "@atelier/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { SqlError } from "effect/sql/SqlError"
import { explain } from "./explain.ts"
import { SettingError } from "./SettingError.ts"

/** How often a start tries again where the database does not answer, and the pause before each time. */
const triesMax = 10
const pause = "1 second"

/** Connections are refused or lost; the server of the database stops or starts. Of the system, and of Postgres. */
const awayCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08|57P0[123])/
/** What `pg` says without a code. */
const awayMessages = /^Connection terminated/

/** Whether a failure is that the database could not be asked, and not what it answered. */
const isAway = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false
  if ("_tag" in error && error._tag === "ConnectionError") return true
  if ("code" in error && typeof error.code === "string" && awayCodes.test(error.code)) return true
  if ("message" in error && awayMessages.test(String(error.message))) return true
  return ["cause" in error ? error.cause : undefined, "reason" in error ? error.reason : undefined].some(
    isAway,
  )
}

/** A failure of the database, for the operator. */
export const databaseProblem = (error: StorageError): SettingError =>
  new SettingError({
    setting: "ATELIER_DATABASE_URL",
    problem: explain(Cause.fail(error)),
    ...(isAway(error) ? { databaseIsAway: true } : {}),
  })

/**
 * Begins a start again for a while where the database does not answer, at whichever step that was; in the end it is
 * named as what the start waited for.
 */
export const waitForDatabase = <A, E, R>(start: Effect.Effect<A, E, R>) =>
  start.pipe(
    Effect.mapError((error) =>
      error instanceof StorageError && error.cause instanceof SqlError && isAway(error)
        ? databaseProblem(error)
        : error,
    ),
    Effect.tapError((error) =>
      databaseIsAway(error)
        ? Effect.logWarning(`the database does not answer; the start waits for it: ${error.problem}`)
        : Effect.void,
    ),
    Effect.retry({ while: databaseIsAway, times: triesMax, schedule: Schedule.spaced(pause) }),
  )

const databaseIsAway = (error: unknown): error is SettingError =>
  error instanceof SettingError && error.databaseIsAway === true
