import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Unavailable } from "./ParsingError.ts"
import { ParsingPool } from "./ParsingPool.ts"
import type { SandboxLevel } from "./Sandbox.ts"
import type { SandboxSetting } from "./SandboxSearch.ts"

/** What each level leaves open, for operators. */
export const sandboxWeakness: { readonly [L in Exclude<SandboxLevel, "namespaces">]: string } = {
  network: "which leaves files to their permissions and to Node",
  user: "which leaves the network open, and files to their permissions and to Node",
  runtime: "which leaves the network open, and files and other processes to Node alone",
  off: "which leaves everything open that this user may do",
}

/** How often a server that has no process asks whether one has started. */
const askAgain = "5 seconds"

/**
 * Says in the log how strongly parsing processes are isolated, once that is known; once, if the first of them does not
 * start. With `require` it is waited for, and fails where the system does not offer it.
 */
export const reportSandbox = Effect.fnUntraced(function* (
  setting: SandboxSetting,
): Effect.fn.Return<void, Unavailable, ParsingPool | Scope.Scope> {
  const pool = yield* ParsingPool
  const said = Effect.flatMap(pool.sandbox, ({ level, missing }) =>
    level === "namespaces"
      ? Effect.logInfo(`parsing processes: sandbox ${level}`)
      : Effect.logWarning(`parsing processes: sandbox ${level}, ${sandboxWeakness[level]}`).pipe(
          Effect.annotateLogs({ missing }),
        ),
  )
  const saidLater = Effect.catch(said, ({ detail }) =>
    Effect.andThen(
      Effect.logWarning(`parsing processes: none has started yet: ${detail}`),
      Effect.retry(said, Schedule.spaced(askAgain)),
    ),
  )
  yield* setting === "require" ? said : Effect.forkScoped(saidLater)
})
