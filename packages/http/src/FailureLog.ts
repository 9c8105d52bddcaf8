import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "./toApiError.ts"

/** An answer that is not its caller's fault: 5xx, or a body that broke off. */
export interface Fault {
  readonly code: string
  readonly status: number
  readonly taskId?: string
  /** What was attempted, in the service's own words: storage has names for that. */
  readonly operation?: string
  readonly cause?: unknown
  /** Cut to a sensible length, because callers choose it. */
  readonly path?: string
}

/** The request that failed: its id, and that of the API key or of the operator's token, empty where none was known. */
interface RequestOf {
  readonly requestId: string
  readonly caller: string
}

/** Lines about one kind of failure in one second. */
const linesPerSecondMax = 10
const pathCharsMax = 200

interface Kind {
  second: number
  lines: number
  leftOut: number
}

/**
 * Logs failures with the ids of their request and its caller, limited for each kind and second: making the service fail a
 * million times does not write a million lines. The next line of the kind says how many were `left_out`. Kinds are
 * codes and operations, of which there are few; requests that are refused with 4xx are not logged at all.
 */
export const make = (): ((request: RequestOf, fault: Fault) => Effect.Effect<void>) => {
  const kinds = new Map<string, Kind>()

  /** How many lines of the kind were left out before this one; undefined if this one is left out too. */
  const admit = (name: string, now: number): number | undefined => {
    const second = Math.floor(now / 1000)
    const kind = kinds.get(name) ?? { second, lines: 0, leftOut: 0 }
    kinds.set(name, kind)
    if (kind.second !== second) Object.assign(kind, { second, lines: 0 })
    if (kind.lines >= linesPerSecondMax) {
      kind.leftOut += 1
      return undefined
    }
    const { leftOut } = kind
    kind.lines += 1
    kind.leftOut = 0
    return leftOut
  }

  return ({ caller, requestId }, { code, status, taskId, operation, cause, path }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const leftOut = admit(`${code} ${operation ?? ""}`, now)
      if (leftOut === undefined) return Effect.void
      const ours = status === 500 || code === "storage_unavailable"
      const log = ours ? Effect.logError : Effect.logWarning
      return Effect.annotateLogs(cause === undefined ? log(message) : log(message, cause), {
        request_id: requestId,
        ...(caller === "" ? {} : { [caller.startsWith("key_") ? "key_id" : "actor"]: caller }),
        code,
        status,
        ...(taskId === undefined ? {} : { task_id: taskId }),
        ...(operation === undefined ? {} : { operation }),
        ...(path === undefined ? {} : { path: path.slice(0, pathCharsMax) }),
        ...(leftOut === 0 ? {} : { left_out: leftOut }),
      })
    })
}

const message = "a request failed"

/** The fault in a failure that was, or would have been, answered with this code and status. */
export const faultOf = (failure: Failure, code: string, status: number): Fault => ({
  code,
  status,
  ...(failure._tag === "StorageError" ? { operation: failure.operation, cause: failure.cause } : {}),
  ...(failure._tag === "CoreError" && failure.taskId !== undefined ? { taskId: failure.taskId } : {}),
})
