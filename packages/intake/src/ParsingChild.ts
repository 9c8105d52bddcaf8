import process from "node:process"
import { fileURLToPath } from "node:url"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Launch, Launched } from "./ForkServer.ts"
import { lastWords } from "./lastWords.ts"
import { Crashed, Timeout, Unavailable } from "./ParsingError.ts"
import type { ParsingJob, ParsingReply } from "./ParsingMessages.ts"
import { ParsingPipes, ProcessGone } from "./ParsingPipes.ts"
import { memoryBytesMax, memoryExceeded, type ProcessBounds, yieldToRequests } from "./ProcessBounds.ts"
import { runtimeFlags, type Sandbox, sandboxCommand } from "./Sandbox.ts"
import { siblingModule } from "./sibling.ts"

/** A running parsing process, which does one job at a time. */
export interface ParsingChild {
  /**
   * An interruption, such as a time-out, kills the process and completes once it is gone, so that nothing writes
   * any more.
   */
  readonly run: (job: ParsingJob, timeoutMillis: number) => Effect.Effect<ParsingReply, Crashed | Timeout>
  readonly isAlive: () => boolean
  /** Ends when the process is gone. */
  readonly kill: Effect.Effect<void>
}

/** V8's own heap; Buffers and WebAssembly are bounded from outside. */
const heapMegabytesMax = 512

/**
 * A process that has not reported ready by then is abandoned. It starts behind whoever waits for an answer, so on a
 * machine whose processors are all taken a start may last a minute.
 */
const bootMillisMax = 120_000

/** How a process is limited and isolated, and the code that it may read. */
export interface ChildOptions {
  readonly launch: Launch
  /** URL of what the process runs. */
  readonly program: string
  readonly bounds: ProcessBounds
  readonly sandbox: Sandbox
  readonly code: ReadonlyArray<string>
  /** URLs of modules that it loads before it is ready. */
  readonly modules: ReadonlySet<string>
}

/**
 * Starts a process and waits until it can take a job. It is killed when the scope closes. A `Timeout` tells nothing of
 * what the system offers.
 */
export const startChild = Effect.fnUntraced(function* (
  options: ChildOptions,
): Effect.fn.Return<ParsingChild, Unavailable | Timeout, Scope.Scope> {
  const child = yield* Effect.acquireRelease(
    // Such as arguments that are longer than the system takes.
    Effect.try({
      try: () => begin(options),
      catch: (error) => new Unavailable({ detail: String(error) }),
    }),
    (begun) => begun.kill,
  )
  yield* Effect.forkScoped(Effect.flatMap(child.pid, yieldToRequests))
  yield* child.ready.pipe(
    Effect.mapError((crash) => new Unavailable({ detail: describe(crash) })),
    Effect.timeoutOrElse({
      duration: bootMillisMax,
      orElse: () => Effect.fail(new Timeout({ timeoutMillis: bootMillisMax })),
    }),
  )
  return child
})

/** A process that was not ready in time, as whoever waits for one is told. */
export const lateStart = ({ timeoutMillis }: Timeout): Unavailable =>
  new Unavailable({ detail: `the process was not ready within ${timeoutMillis} ms` })

const begin = ({ launch, program, bounds, sandbox, code, modules }: ChildOptions) => {
  const launched = launch(commandOf(bounds, sandbox, code, [fileURLToPath(program), ...modules]))
  const running = Effect.promise(() => launched.running)
  let isAlive = true
  void launched.ended.then(() => {
    isAlive = false
  })
  const exited = Deferred.makeUnsafe<Crashed>()
  void crashOf(launched).then((crash) => Deferred.doneUnsafe(exited, Effect.succeed(crash)))
  const pipes = launched.running.then(({ jobs, replies }) => new ParsingPipes(jobs, replies))
  const crash = Effect.flatMap(Deferred.await(exited), (reason) => Effect.fail(reason))
  const kill = Effect.suspend(() => {
    launched.kill()
    void launched.running.then(({ errors, jobs, replies }) => {
      for (const pipe of [errors, jobs, replies]) pipe.destroy()
    })
    return Effect.asVoid(Deferred.await(exited))
  })
  /** If the process is gone its exit is what ends the job. */
  const exchange = (
    talk: (pipes: ParsingPipes) => Promise<ParsingReply>,
  ): Effect.Effect<ParsingReply, Crashed> =>
    Effect.tryPromise({ try: () => pipes.then(talk), catch: (error) => error }).pipe(
      Effect.catch((error) =>
        error instanceof ProcessGone ? Effect.never : Effect.fail(crashed(String(error))),
      ),
      Effect.raceFirst(crash),
    )
  const pid = Effect.map(running, (each) => each.pid)
  const tooLarge = bounds.measured ? Effect.flatMap(pid, outgrown) : Effect.never

  return {
    pid,
    ready: exchange((each) => each.receive([], 0)),
    kill,
    isAlive: () => isAlive,
    run: (job: ParsingJob, timeoutMillis: number) =>
      Effect.raceFirst(
        exchange((each) => each.exchange(job)),
        tooLarge,
      ).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMillis,
          orElse: () => Effect.fail(new Timeout({ timeoutMillis })),
        }),
        Effect.onExit((exit) => (mayGoOn(exit) ? Effect.void : kill)),
      ),
  }
}

/** Why the process ended, with the last that it said. */
const crashOf = async ({ running, ended }: Launched): Promise<Crashed> => {
  let said: (() => Promise<string>) | undefined
  void running.then(({ errors }) => {
    said = lastWords(errors)
  })
  const { exitCode, signal, detail } = await ended
  const words = (await said?.()) ?? ""
  return new Crashed({
    exitCode,
    signal,
    detail: detail ?? ["the process ended", words].filter(Boolean).join(": "),
  })
}

/** A process goes on only after a job that it ended itself, in order. */
const mayGoOn = (exit: Exit.Exit<ParsingReply, unknown>): boolean =>
  Exit.isSuccess(exit) && exit.value._tag !== "Threw"

const commandOf = (
  bounds: ProcessBounds,
  sandbox: Sandbox,
  code: ReadonlyArray<string>,
  program: ReadonlyArray<string>,
): ReadonlyArray<string> => [
  ...bounds.command,
  ...sandboxCommand(sandbox, code),
  process.execPath,
  ...runtimeFlags(sandbox, code),
  `--max-old-space-size=${heapMegabytesMax}`,
  // One thread a process: helpers of its garbage collector would compete with the server for processors.
  "--single-threaded-gc",
  // Three processes then take 80 MB less together, in the same time, on the documents of the corpus.
  "--max-semi-space-size=8",
  "--expose-gc",
  ...conditions(process.execArgv),
  ...program,
]

/** URL of what a parsing process runs, and the fork server. */
export const parsingProcess = siblingModule("ParsingProcess", import.meta.url)

/** The export conditions that this process was started with: its parsing modules must resolve as it did. */
const conditions = (execArgv: ReadonlyArray<string>): ReadonlyArray<string> =>
  execArgv.filter(
    (argument, at) =>
      /^(--conditions|-C)(=|$)/.test(argument) || /^(--conditions|-C)$/.test(execArgv[at - 1] ?? ""),
  )

const outgrown = (pid: number): Effect.Effect<never, Crashed> =>
  Effect.flatMap(memoryExceeded(pid), (bytes) =>
    Effect.fail(crashed(`the process holds ${bytes} bytes of memory, more than ${memoryBytesMax}`)),
  )

const crashed = (detail: string): Crashed => new Crashed({ exitCode: null, signal: null, detail })

const describe = (crash: Crashed): string =>
  `${crash.detail} (code ${crash.exitCode}, signal ${crash.signal})`
