import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { CodePaths } from "./CodePaths.ts"
import { launchHere, makeLauncher } from "./ForkServer.ts"
import { lateStart, type ParsingChild, parsingProcess, startChild } from "./ParsingChild.ts"
import { Crashed, Failed, ParsingError, Unavailable } from "./ParsingError.ts"
import type { ParsingJob, ParsingReply } from "./ParsingMessages.ts"
import { makeProcesses } from "./ParsingProcesses.ts"
import { detectBounds, type ProcessBounds } from "./ProcessBounds.ts"
import type { Sandbox, SandboxLevel } from "./Sandbox.ts"
import { findSandbox, type SandboxSetting } from "./SandboxSearch.ts"
import { type Claim, Shares, type Ticket } from "./Shares.ts"
import { locateModule } from "./WorkerModules.ts"

/** A job and its time, which runs from when a process takes the job: waiting for a free one is not counted. */
export interface ParsingCall extends ParsingJob, Pick<Claim, "kind" | "owner"> {
  readonly timeoutMillis: number
}

export interface ParsingPoolOptions {
  /** Concurrent parses, 2 by default. One more process is for checks. One process is always kept warm. */
  readonly size?: number
  /** Jobs after which a process is replaced, 500 by default. */
  readonly jobsPerProcess?: number
  /** How processes are limited; detected from the system by default. */
  readonly bounds?: ProcessBounds
  /** How strongly processes are isolated, `auto` by default. */
  readonly sandbox?: SandboxSetting
}

const defaultSize = 2
const defaultJobsPerProcess = 500

/** After this share of its jobs a process has its successor started. */
const shareBeforeSuccessor = 0.9

/** A process that still holds more than this after a job is replaced. */
const idleResidentBytesMax = 300_000_000

/**
 * How long an owner without a process waits before work of an owner with several is stopped: a caller waits for a
 * check.
 */
const patience = { check: "200 millis", parse: "1 second" } as const

/**
 * How long the first process runs before the fork server starts: this process is small yet, and whoever reads one
 * document and ends does without it.
 */
const prepareLauncherAfter = "1 second"

/** Calls that may wait for a process; further ones fail as unavailable. */
const waitingMax = 1_000

/**
 * Runs parsing modules in child processes, so that no document can block the event loop, outlive its time
 * or take the memory of this process. A call that times out or is interrupted has its process killed before
 * it returns; a crash fails no other call. All processes end with the layer's scope, and with this process.
 *
 * Owners take turns, and none keeps all processes while another waits: after a while the youngest work of an
 * owner who has several is stopped, once, and begun again later. So a job must be repeatable.
 */
export class ParsingPool extends Context.Service<
  ParsingPool,
  {
    /**
     * Processes have the module (a URL) loaded before they take a job. Without it a module is loaded by its first job
     * in each process, and the first one of all ends the processes that may not read it.
     */
    readonly prepare: (module: string) => void
    /** Succeeds with what the function returned. */
    readonly call: (job: ParsingCall) => Effect.Effect<Schema.Json, ParsingError>
    /** How strongly processes are isolated, once that is known; or why the last process did not start. */
    readonly sandbox: Effect.Effect<SandboxReport, Unavailable>
  }
>()("@atelier/intake/ParsingPool") {
  static readonly layer = (options: ParsingPoolOptions = {}): Layer.Layer<ParsingPool> =>
    Layer.effect(ParsingPool, make(options))

  /** Runs nothing: for whoever asks tools what they are. */
  static readonly layerIdle: Layer.Layer<ParsingPool> = Layer.succeed(ParsingPool, {
    prepare: () => {},
    call: () => Effect.die(new Error("this pool runs nothing")),
    sandbox: Effect.succeed<SandboxReport>({ level: "off", missing: [] }),
  })
}

export interface SandboxReport {
  readonly level: SandboxLevel
  /** Stronger levels that were tried and failed, each with the reason. For operators: it may hold paths. */
  readonly missing: ReadonlyArray<string>
}

/** The properties of a process that decide whether it takes another job. */
interface Wear {
  readonly jobs: number
  readonly residentBytes: number
}

const fresh: Wear = { jobs: 0, residentBytes: 0 }

type Reason = ParsingError["reason"]

const make = Effect.fnUntraced(function* (
  options: ParsingPoolOptions,
): Effect.fn.Return<ParsingPool["Service"], never, Scope.Scope> {
  const scope = yield* Effect.scope
  const bounds = options.bounds ?? (yield* detectBounds)
  const jobsPerProcess = options.jobsPerProcess ?? defaultJobsPerProcess
  const program = yield* locateModule("parsing-process", parsingProcess)
  const launcher = yield* makeLauncher(program)
  const code = new CodePaths()
  code.add(program)
  const modules = new Set<string>()
  const generations = new WeakMap<ParsingChild, number>()
  let settled = Deferred.makeUnsafe<SandboxReport, Unavailable>()
  let sandbox: Sandbox | undefined

  /** The last search's result stays until the next one ends. */
  const settle = (report: Effect.Effect<SandboxReport, Unavailable>): void => {
    if (Deferred.isDoneUnsafe(settled)) settled = Deferred.makeUnsafe()
    Deferred.doneUnsafe(settled, report)
  }

  /**
   * The first process finds out what the system offers; where none starts, the next one does. This process forks it
   * itself, so that it waits for no fork server.
   */
  const startFirst = Effect.gen(function* () {
    const found = yield* findSandbox(options.sandbox ?? "auto", {
      launch: launchHere,
      program,
      bounds,
      code: code.list,
      modules,
    })
    sandbox = found.sandbox
    settle(Effect.succeed({ level: sandbox.level, missing: found.missing }))
    yield* Effect.forkIn(Effect.delay(Effect.sync(launcher.prepare), prepareLauncherAfter), scope)
    return found.child
  }).pipe(
    Effect.tapError((error) =>
      Effect.sync(() => {
        // Another process may have found it meanwhile.
        if (sandbox === undefined) settle(Effect.fail(error))
      }),
    ),
  )

  const start = Effect.suspend(() => {
    const { generation } = code
    const started =
      sandbox === undefined
        ? startFirst
        : startChild({ launch: launcher.launch, program, bounds, sandbox, code: code.list, modules }).pipe(
            Effect.catchTag("Timeout", (late) => Effect.fail(lateStart(late))),
          )
    return Effect.tap(started, (child) => Effect.sync(() => generations.set(child, generation)))
  })
  const knowsCode = (child: ParsingChild) => generations.get(child) === code.generation
  const processes = yield* makeProcesses(start, knowsCode)
  const shares = new Shares(options.size ?? defaultSize)
  const wears = new WeakMap<ParsingChild, Wear>()

  const note = (child: ParsingChild, reply: ParsingReply): void => {
    const residentBytes = "residentBytes" in reply ? reply.residentBytes : 0
    wears.set(child, { jobs: (wears.get(child) ?? fresh).jobs + 1, residentBytes })
  }

  const mayGoOn = (child: ParsingChild): boolean => {
    const { jobs, residentBytes } = wears.get(child) ?? fresh
    return child.isAlive() && jobs < jobsPerProcess && residentBytes <= idleResidentBytesMax
  }

  /** Its successor is ready when the process has done its last job. */
  const goOn = (child: ParsingChild): Effect.Effect<void> => {
    const { jobs } = wears.get(child) ?? fresh
    const given = processes.giveBack(child)
    return jobs >= jobsPerProcess * shareBeforeSuccessor ? Effect.andThen(processes.prepare, given) : given
  }

  const work = ({ timeoutMillis, ...job }: ParsingCall) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        code.add(job.module)
        const child = yield* restore(processes.take)
        return yield* restore(child.run(job, timeoutMillis)).pipe(
          Effect.tap((reply) => Effect.sync(() => note(child, reply))),
          Effect.onExit(() => (mayGoOn(child) ? goOn(child) : processes.end(child))),
        )
      }),
    )

  /** Waits for a process and works; nothing if the work was stopped for another owner. */
  const turn = (job: ParsingCall, yields: boolean): Effect.Effect<ParsingReply | undefined, Reason> =>
    Effect.suspend(() => {
      if (shares.waitingCount >= waitingMax) {
        return Effect.fail(new Unavailable({ detail: `${waitingMax} calls wait for a process already` }))
      }
      const granted = Deferred.makeUnsafe<void>()
      const stopped = Deferred.makeUnsafe<undefined>()
      const ticket: Ticket = {
        claim: { owner: job.owner, kind: job.kind, yields },
        grant: () => Deferred.doneUnsafe(granted, Effect.void),
        stop: () => Deferred.doneUnsafe(stopped, Effect.undefined),
      }
      shares.ask(ticket)
      const insist = Effect.forever(
        Effect.delay(
          Effect.sync(() => shares.makeRoom(ticket)),
          patience[job.kind],
        ),
      )
      return Effect.raceFirst(Deferred.await(granted), insist).pipe(
        Effect.andThen(Effect.raceFirst(work(job), Deferred.await(stopped))),
        Effect.ensuring(Effect.sync(() => shares.end(ticket))),
      )
    })

  const call = Effect.fnUntraced(
    function* (job: ParsingCall) {
      const reply = (yield* turn(job, true)) ?? (yield* turn(job, false))
      return yield* reply === undefined ? crash("the job was stopped twice") : outcome(reply)
    },
    Effect.mapError((reason) => new ParsingError({ reason })),
  )

  const prepare = (module: string): void => {
    code.add(module)
    modules.add(module)
  }

  return ParsingPool.of({ prepare, call, sandbox: Effect.suspend(() => Deferred.await(settled)) })
})

const outcome = (reply: ParsingReply): Effect.Effect<Schema.Json, Failed | Crashed> => {
  switch (reply._tag) {
    case "Done":
      return Effect.succeed(reply.value)
    case "Refused":
      return Effect.fail(new Failed({ code: reply.code, message: reply.message }))
    case "Threw":
      return crash(reply.detail)
    case "Ready":
      return crash("the process started again")
  }
}

const crash = (detail: string): Effect.Effect<never, Crashed> =>
  Effect.fail(new Crashed({ exitCode: null, signal: null, detail }))
