import { hasProperty } from "effect/Predicate"
import type { StorageError } from "./CoreError.ts"

/** The system's codes, and Postgres' SQLSTATE. */
const codes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "53100"])
const sqliteFull = 13

/** Whether a write failed because the disk is full, judged by the causes of the error. */
export const isDiskFull = (error: StorageError): boolean => {
  // Drivers wrap the system's error once or twice.
  let causes: ReadonlyArray<unknown> = [error.cause]
  for (let depth = 0; depth < 6; depth++) {
    if (causes.some(saysFull)) return true
    causes = causes.flatMap((cause) => [
      ...(hasProperty(cause, "cause") ? [cause.cause] : []),
      ...(hasProperty(cause, "reason") ? [cause.reason] : []),
    ])
  }
  return false
}

const saysFull = (cause: unknown): boolean =>
  (hasProperty(cause, "code") && codes.has(cause.code)) ||
  (hasProperty(cause, "errcode") && cause.errcode === sqliteFull)
