import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { ParsingChild } from "./ParsingChild.ts"
import type { Unavailable } from "./ParsingError.ts"

/**
 * Parsing processes, started where none is idle. One is kept warm; idle ones beyond it end after a minute. Whoever
 * waits takes the first that is free, the one that is started or one that is given back meanwhile: a start takes
 * longer than most jobs.
 */
export interface ParsingProcesses {
  /** A process that runs, fits and has no job; it is given back or ended. */
  readonly take: Effect.Effect<ParsingChild, Unavailable>
  readonly giveBack: (child: ParsingChild) => Effect.Effect<void>
  /** Ends when the process is gone. */
  readonly end: (child: ParsingChild) => Effect.Effect<void>
  /** Starts a process where there is none, or one alone that works: that one is about to be ended. */
  readonly prepare: Effect.Effect<void>
}

/** Idle processes beyond the first end after this. */
const idleTimeToLive = "1 minute"

/**
 * All processes end with the scope, whatever they are doing. A process that does not `fit` is ended when it is
 * free.
 */
export const makeProcesses = Effect.fnUntraced(function* (
  start: Effect.Effect<ParsingChild, Unavailable, Scope.Scope>,
  fits: (child: ParsingChild) => boolean,
): Effect.fn.Return<ParsingProcesses, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const scopes = new Map<ParsingChild, Scope.Closeable>()
  /** The one that was used last is taken first, so that the others age. */
  let idle: ReadonlyArray<{ readonly child: ParsingChild; readonly turn: number }> = []
  /** In the order in which they came. There are never more of them than processes being started. */
  const waiting: Array<Deferred.Deferred<ParsingChild, Unavailable>> = []
  let starting = 0
  let turn = 0

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
      return scopes.size === 0 ? Effect.andThen(ended, prepare) : ended
    })

  /** A process is free: it goes to who has waited longest. */
  const hand = (child: ParsingChild): boolean => {
    const first = waiting.shift()
    return first !== undefined && Deferred.doneUnsafe(first, Effect.succeed(child))
  }

  const startOne: Effect.Effect<void> = Effect.suspend(() => {
    starting += 1
    return Effect.matchEffect(begin, {
      onFailure: (error) => {
        starting -= 1
        const first = waiting.shift()
        return first === undefined ? Effect.void : Deferred.fail(first, error)
      },
      onSuccess: (child) => {
        starting -= 1
        if (!fits(child))
          return Effect.andThen(end(child), waiting.length > starting ? startOne : Effect.void)
        // Behind those that have worked already.
        if (!hand(child)) idle = [{ child, turn }, ...idle]
        return Effect.void
      },
    }).pipe(Effect.asVoid)
  })

  const prepare = Effect.suspend(() =>
    idle.length + starting > 0 || scopes.size > 1
      ? Effect.void
      : Effect.asVoid(Effect.forkIn(startOne, scope)),
  )

  const leave = (place: Deferred.Deferred<ParsingChild, Unavailable>) =>
    Effect.suspend(() => {
      const at = waiting.indexOf(place)
      if (at >= 0) waiting.splice(at, 1)
      return at >= 0 ? Effect.void : Effect.ignore(Effect.flatMap(Deferred.await(place), giveBack))
    })

  const wait: Effect.Effect<ParsingChild, Unavailable> = Effect.suspend(() => {
    const place = Deferred.makeUnsafe<ParsingChild, Unavailable>()
    waiting.push(place)
    const started = waiting.length > starting ? Effect.forkIn(startOne, scope) : Effect.void
    return Effect.andThen(started, Deferred.await(place)).pipe(Effect.onInterrupt(() => leave(place)))
  })

  const take: ParsingProcesses["take"] = Effect.suspend(() => {
    const child = idle.at(-1)?.child
    if (child === undefined) return wait
    idle = idle.slice(0, -1)
    // One that died while it was idle is replaced before it is missed.
    return child.isAlive() && fits(child) ? Effect.succeed(child) : Effect.andThen(end(child), take)
  })

  const giveBack = (child: ParsingChild) =>
    Effect.sync(() => {
      if (!hand(child)) idle = [...idle, { child, turn }]
    })

  const endIdle = Effect.suspend(() => {
    const old = idle.filter((one) => one.turn < turn).slice(0, idle.length - 1)
    turn += 1
    idle = idle.filter((one) => !old.includes(one))
    return Effect.forEach(old, ({ child }) => end(child), { discard: true })
  })

  yield* Effect.addFinalizer(() => Effect.forEach(scopes.keys(), (child) => child.kill))
  yield* Effect.forkScoped(Effect.repeat(endIdle, Schedule.spaced(idleTimeToLive)))
  // The modules of the executors, which are made behind the pool, are known after this turn of the event loop.
  yield* Effect.forkScoped(Effect.andThen(nextTurn, prepare))
  return { take, giveBack, end, prepare }
})

const nextTurn = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})
