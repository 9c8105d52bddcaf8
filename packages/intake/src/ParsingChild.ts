import { type ChildProcess, spawn } from "node:child_process"
import process from "node:process"
import { Readable, Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { jobDescriptor, replyDescriptor } from "./frames.ts"
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
      try: () => launch(options),
      catch: (error) => new Unavailable({ detail: String(error) }),
    }),
    (launched) => launched.kill,
  )
  if (child.pid !== undefined) yield* Effect.forkScoped(yieldToRequests(child.pid))
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

const launch = ({ program, bounds, sandbox, code, modules }: ChildOptions) => {
  const flags = [...runtimeFlags(sandbox, code)]
  const child = spawnNode(bounds, [...sandboxCommand(sandbox, code)], flags, [program, ...modules])
  const said = lastWords(child)
  const exited = Deferred.makeUnsafe<Crashed>()
  const end = (exitCode: number | null, signal: string | null, detail: string) =>
    Deferred.doneUnsafe(exited, Effect.succeed(new Crashed({ exitCode, signal, detail })))
  child.once("error", (error) => end(null, null, String(error)))
  child.once("exit", (code, signal) => {
    void said().then((words) =>
      end(code, signal, words === "" ? "the process ended" : `the process ended: ${words}`),
    )
  })

  const pipes = pipesOf(child)
  const crash = Effect.flatMap(Deferred.await(exited), (reason) => Effect.fail(reason))
  const kill = Effect.suspend(() => {
    child.kill("SIGKILL")
    for (const stream of child.stdio) stream?.destroy()
    return Effect.asVoid(Deferred.await(exited))
  })
  /** If the process is gone its exit is what ends the job. */
  const exchange = (talk: () => Promise<ParsingReply>): Effect.Effect<ParsingReply, Crashed> =>
    Effect.tryPromise({ try: talk, catch: (error) => error }).pipe(
      Effect.catch((error) =>
        error instanceof ProcessGone ? Effect.never : Effect.fail(crashed(String(error))),
      ),
      Effect.raceFirst(crash),
    )
  const tooLarge = bounds.measured && child.pid !== undefined ? outgrown(child.pid) : Effect.never

  return {
    pid: child.pid,
    ready: exchange(() => pipes.receive([], 0)),
    kill,
    isAlive: () => child.exitCode === null && !Deferred.isDoneUnsafe(exited),
    run: (job: ParsingJob, timeoutMillis: number) =>
      Effect.raceFirst(
        exchange(() => pipes.exchange(job)),
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

/** What a process wrote to its error output last, once it has ended: for operators, it may hold paths. */
const lastWords = ({ stderr }: ChildProcess): (() => Promise<string>) => {
  let words = ""
  stderr?.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-errorCharactersKept)
  })
  return async () => {
    // A process of its own may hold the output open.
    if (stderr !== null) await Promise.race([finished(stderr).catch(() => {}), setTimeout(lastWordsMs)])
    return words.trim()
  }
}

const errorCharactersKept = 4_000

/** How long the rest of the error output of a process that ended is waited for. */
const lastWordsMs = 200

const pipesOf = (child: ChildProcess): ParsingPipes => {
  const jobs = child.stdio[jobDescriptor]
  const replies = child.stdio[replyDescriptor]
  if (jobs instanceof Writable && replies instanceof Readable) return new ParsingPipes(jobs, replies)
  throw new Error("a process was started without its pipes")
}

/** A process goes on only after a job that it ended itself, in order. */
const mayGoOn = (exit: Exit.Exit<ParsingReply, unknown>): boolean =>
  Exit.isSuccess(exit) && exit.value._tag !== "Threw"

/**
 * The environment holds no secret of the parent's: only where to find programs. The session is its own: a signal
 * to the group of its processes does not reach the server.
 */
const spawnNode = (
  bounds: ProcessBounds,
  sandbox: ReadonlyArray<string>,
  flags: ReadonlyArray<string>,
  [program, ...modules]: readonly [string, ...ReadonlyArray<string>],
): ChildProcess => {
  const [file = process.execPath, ...args] = [
    ...bounds.command,
    ...sandbox,
    process.execPath,
    ...flags,
    `--max-old-space-size=${heapMegabytesMax}`,
    // One thread a process: helpers of its garbage collector would compete with the server for processors.
    "--single-threaded-gc",
    // Three processes then take 80 MB less together, in the same time, on the documents of the corpus.
    "--max-semi-space-size=8",
    "--expose-gc",
    ...conditions(process.execArgv),
    fileURLToPath(program),
    ...modules,
  ]
  return spawn(file, args, {
    cwd: "/",
    detached: true,
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  })
}

/** URL of what a parsing process runs. */
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
