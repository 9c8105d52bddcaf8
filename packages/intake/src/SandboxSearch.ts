import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type ChildOptions, lateStart, type ParsingChild, startChild } from "./ParsingChild.ts"
import { Unavailable } from "./ParsingError.ts"
import { type Sandbox, type SandboxLevel, sandboxes, sandboxOff } from "./Sandbox.ts"

/**
 * `auto`: the strongest level that the system offers. `require`: `namespaces`, or no process starts. `off`:
 * none. A level's name: that level and none else.
 */
export type SandboxSetting = "auto" | "require" | SandboxLevel

/** A started process, and how strongly it is isolated. */
export interface Found {
  readonly child: ParsingChild
  readonly sandbox: Sandbox
  /** Stronger levels that were tried and failed, each with the reason. */
  readonly missing: ReadonlyArray<string>
}

const candidates = (setting: SandboxSetting): ReadonlyArray<Sandbox> => {
  if (setting === "off") return [sandboxOff]
  if (setting === "auto") return sandboxes
  const level = setting === "require" ? "namespaces" : setting
  return sandboxes.filter((sandbox) => sandbox.level === level)
}

/**
 * Tries one after another by starting a process, which is the first of the pool. One that is only slow to start ends
 * the search: a busy machine must not weaken the isolation.
 */
export const findSandbox = Effect.fnUntraced(function* (
  setting: SandboxSetting,
  options: Omit<ChildOptions, "sandbox">,
): Effect.fn.Return<Found, Unavailable, Scope.Scope> {
  const missing: Array<string> = []
  for (const sandbox of candidates(setting)) {
    const found = yield* Effect.result(tryOne({ ...options, sandbox }))
    if (found._tag === "Success") return { child: found.success, sandbox, missing }
    if (found.failure._tag === "Timeout") return yield* lateStart(found.failure)
    missing.push(`${sandbox.level}: ${found.failure.detail}`)
  }
  const detail = missing.length === 0 ? "this system has no way to it" : missing.join("; ")
  return yield* new Unavailable({ detail: `no sandbox as ${setting} asks for: ${detail}` })
})

const tryOne = Effect.fnUntraced(function* (options: ChildOptions) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  return yield* Scope.provide(startChild(options), scope).pipe(
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit))),
  )
})
