import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { ParsingChild } from "./ParsingChild.ts"
import type { Unavailable } from "./ParsingError.ts"

/** Parsing processes, started where none is idle. One is kept warm; idle ones beyond it end after a minute. */
export interface ParsingProcesses {
  /** A process that runs, fits and has no job; it is given back or ended. */
  readonly take: (fits: (child: ParsingChild) => boolean) => Effect.Effect<ParsingChild, Unavailable>
  readonly giveBack: (child: ParsingChild) => Effect.Effect<void>
  /** Ends when the process is gone. */
  readonly end: (child: ParsingChild) => Effect.Effect<void>
}

/** Idle processes beyond the first end after this. */
const idleTimeToLive = "1 minute"

/** All processes end with the scope, whatever they are doing. */
export const makeProcesses = Effect.fnUntraced(function* (
  start: Effect.Effect<ParsingChild, Unavailable, Scope.Scope>,
): Effect.fn.Return<ParsingProcesses, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const scopes = new Map<ParsingChild, Scope.Closeable>()
  /** The one that was used last is taken first, so that the others age. */
  const idle: Array<{ readonly child: ParsingChild; readonly turn: number }> = []
  let turn = 0
  /** Done when the process that is started ahead of its first job is there, or could not be started. */
  let warming: Deferred.Deferred<void> | undefined

  const begin: Effect.Effect<ParsingChild, Unavailable> = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const own = yield* Scope.make()
      const child = yield* restore(Scope.provide(start, own)).pipe(
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(own, exit))),
      )
      scopes.set(child, own)
      return child
    }),
  )

  const end = (child: ParsingChild): Effect.Effect<void> =>
    Effect.suspend(() => {
      const own = scopes.get(child)
      scopes.delete(child)
      const ended = own === undefined ? Effect.void : Scope.close(own, Exit.void)
      return scopes.size === 0 ? Effect.andThen(ended, warm) : ended
    })

  const warm: Effect.Effect<void> = Effect.suspend(() => {
    if (warming !== undefined) return Effect.void
    const done = Deferred.makeUnsafe<void>()
    warming = done
    return begin.pipe(
      Effect.map((child) => void idle.push({ child, turn })),
      Effect.ignore,
      Effect.ensuring(
        Effect.suspend(() => {
          warming = undefined
          return Deferred.succeed(done, undefined)
        }),
      ),
      Effect.forkIn(scope),
      Effect.asVoid,
    )
  })

  const take: ParsingProcesses["take"] = (fits) =>
    Effect.suspend(() => {
      const child = idle.pop()?.child
      if (child !== undefined) {
        // One that died while it was idle is replaced before it is missed.
        return child.isAlive() && fits(child) ? Effect.succeed(child) : Effect.andThen(end(child), take(fits))
      }
      return warming === undefined ? begin : Effect.andThen(Deferred.await(warming), take(fits))
    })

  const endIdle = Effect.suspend(() => {
    const old = idle.filter((one) => one.turn < turn).slice(0, idle.length - 1)
    turn += 1
    idle.splice(0, old.length)
    return Effect.forEach(old, ({ child }) => end(child), { discard: true })
  })

  yield* Effect.addFinalizer(() => Effect.forEach(scopes.keys(), (child) => child.kill))
  yield* Effect.forkScoped(Effect.repeat(endIdle, Schedule.spaced(idleTimeToLive)))
  yield* warm
  return { take, giveBack: (child) => Effect.sync(() => void idle.push({ child, turn })), end }
})
