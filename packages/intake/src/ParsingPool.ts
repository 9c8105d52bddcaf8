import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Pool from "effect/Pool"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type ParsingChild, startChild } from "./ParsingChild.ts"
import { Crashed, Failed, ParsingError } from "./ParsingError.ts"
import type { ParsingJob, ParsingReply } from "./ParsingMessages.ts"
import { detectBounds, type ProcessBounds } from "./ProcessBounds.ts"

/** A job and its time, which runs from when a process takes the job: waiting for a free one is not counted. */
export interface ParsingCall extends ParsingJob {
  readonly timeoutMillis: number
}

export interface ParsingPoolOptions {
  /** Processes at most, 2 by default. One is always kept warm. */
  readonly size?: number
  /** Jobs after which a process is replaced, 500 by default. */
  readonly jobsPerProcess?: number
  /** How processes are bounded; found out from the system by default. */
  readonly bounds?: ProcessBounds
}

const defaultSize = 2
const defaultJobsPerProcess = 500

/** A process that still holds more than this after a job is replaced. */
const idleResidentBytesMax = 300_000_000

/** Idle processes beyond the first end after this. */
const idleTimeToLive = "1 minute"

/**
 * Runs parsing modules in child processes, so that no document can block the event loop, outlive its time
 * or take the memory of this process. A call that times out or is interrupted has its process killed before
 * it returns; a crash fails no other call. All processes end with the layer's scope, and with this process.
 */
export class ParsingPool extends Context.Service<
  ParsingPool,
  {
    /** Succeeds with what the function returned. */
    readonly call: (job: ParsingCall) => Effect.Effect<Schema.Json, ParsingError>
  }
>()("@atelier/intake/ParsingPool") {
  static readonly layer = (options: ParsingPoolOptions = {}): Layer.Layer<ParsingPool> =>
    Layer.effect(ParsingPool, make(options))
}

/** What of a process decides whether it takes another job. */
interface Wear {
  readonly jobs: number
  readonly residentBytes: number
}

const fresh: Wear = { jobs: 0, residentBytes: 0 }

const make = Effect.fnUntraced(function* (
  options: ParsingPoolOptions,
): Effect.fn.Return<ParsingPool["Service"], never, Scope.Scope> {
  const bounds = options.bounds ?? (yield* detectBounds)
  const jobsPerProcess = options.jobsPerProcess ?? defaultJobsPerProcess
  const processes = new Map<ParsingChild, Wear>()
  const pool = yield* Pool.makeWithTTL({
    acquire: Effect.acquireRelease(
      Effect.tap(startChild(bounds), (child) => Effect.sync(() => processes.set(child, fresh))),
      (child) => Effect.sync(() => processes.delete(child)),
      { interruptible: true },
    ),
    min: 1,
    max: options.size ?? defaultSize,
    timeToLive: idleTimeToLive,
  })
  // The pool would wait for jobs under way when its scope closes.
  yield* Effect.addFinalizer(() => Effect.forEach(processes.keys(), (child) => child.kill))

  const borrow: Effect.Effect<ParsingChild, ParsingError, Scope.Scope> = Pool.get(pool).pipe(
    Effect.mapError((reason) => new ParsingError({ reason })),
    // One that died while it was idle is replaced before anybody notices.
    Effect.flatMap((child) =>
      child.isAlive() ? Effect.succeed(child) : Effect.andThen(Pool.invalidate(pool, child), borrow),
    ),
  )

  const note = (child: ParsingChild, reply: ParsingReply): void => {
    const residentBytes = "residentBytes" in reply ? reply.residentBytes : 0
    processes.set(child, { jobs: (processes.get(child) ?? fresh).jobs + 1, residentBytes })
  }

  const mayGoOn = (child: ParsingChild): boolean => {
    const { jobs, residentBytes } = processes.get(child) ?? fresh
    return child.isAlive() && jobs < jobsPerProcess && residentBytes <= idleResidentBytesMax
  }

  const call = Effect.fnUntraced(function* (job: ParsingCall) {
    const child = yield* borrow
    const { timeoutMillis, ...work } = job
    const reply = yield* child.run(work, timeoutMillis).pipe(
      Effect.mapError((reason) => new ParsingError({ reason })),
      Effect.tap((received) => Effect.sync(() => note(child, received))),
      Effect.onExit(() => (mayGoOn(child) ? Effect.void : Pool.invalidate(pool, child))),
    )
    return yield* outcome(reply)
  }, Effect.scoped)

  return ParsingPool.of({ call })
})

const outcome = (reply: ParsingReply): Effect.Effect<Schema.Json, ParsingError> => {
  switch (reply._tag) {
    case "Done":
      return Effect.succeed(reply.value)
    case "Refused":
      return Effect.fail(
        new ParsingError({ reason: new Failed({ code: reply.code, message: reply.message }) }),
      )
    case "Threw":
      return crash(reply.detail)
    case "Ready":
      return crash("the process started anew")
  }
}

const crash = (detail: string): Effect.Effect<never, ParsingError> =>
  Effect.fail(new ParsingError({ reason: new Crashed({ exitCode: null, signal: null, detail }) }))
