import { type ChildProcess, spawn } from "node:child_process"
import { constants, setPriority } from "node:os"
import process from "node:process"
import { fileURLToPath } from "node:url"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Crashed, Timeout, Unavailable } from "./ParsingError.ts"
import { type ParsingJob, ParsingReply } from "./ParsingMessages.ts"
import { memoryBytesMax, memoryExceeded, type ProcessBounds } from "./ProcessBounds.ts"
import { siblingModule } from "./sibling.ts"

/** A running parsing process, for one job at a time. */
export interface ParsingChild {
  /** Interruption, and so a time-out, kills the process and ends when it is gone: nothing writes any more. */
  readonly run: (job: ParsingJob, timeoutMillis: number) => Effect.Effect<ParsingReply, Crashed | Timeout>
  readonly isAlive: () => boolean
  /** Ends when the process is gone. */
  readonly kill: Effect.Effect<void>
}

/** V8's own heap; Buffers and WebAssembly are bounded from outside. */
const heapMegabytesMax = 512

/** A process that has not reported for work by then is given up. */
const bootTimeout = "20 seconds"

/** Starts a process and waits until it can take a job. It is killed when the scope closes. */
export const startChild = Effect.fnUntraced(function* (
  bounds: ProcessBounds,
): Effect.fn.Return<ParsingChild, Unavailable, Scope.Scope> {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => launch(bounds)),
    (launched) => launched.kill,
  )
  yield* Effect.raceFirst(Deferred.await(child.ready), child.crash).pipe(
    Effect.mapError((crash) => new Unavailable({ detail: describe(crash) })),
    Effect.timeoutOrElse({
      duration: bootTimeout,
      orElse: () => Effect.fail(new Unavailable({ detail: "the process did not become ready" })),
    }),
  )
  return child
})

const launch = (bounds: ProcessBounds) => {
  const child = spawnNode(bounds)
  const ready = Deferred.makeUnsafe<void>()
  const exited = Deferred.makeUnsafe<Crashed>()
  let receive: ((reply: Effect.Effect<ParsingReply, Crashed>) => void) | undefined
  const end = (exitCode: number | null, signal: string | null, detail: string) =>
    Deferred.doneUnsafe(exited, Effect.succeed(new Crashed({ exitCode, signal, detail })))

  child.once("error", (error) => end(null, null, String(error)))
  child.once("exit", (code, signal) => end(code, signal, "the process ended"))
  child.on("message", (message) => {
    const reply = decodeReply(message)
    if (Option.isNone(reply)) receive?.(Effect.fail(crashed("the process sent no known reply")))
    else if (reply.value._tag === "Ready") Deferred.doneUnsafe(ready, Effect.void)
    else receive?.(Effect.succeed(reply.value))
  })

  const crash = Effect.flatMap(Deferred.await(exited), (reason) => Effect.fail(reason))
  const kill = Effect.suspend(() => {
    child.kill("SIGKILL")
    return Effect.asVoid(Deferred.await(exited))
  })
  const reply = (job: ParsingJob) =>
    Effect.callback<ParsingReply, Crashed>((resume) => {
      receive = resume
      // If the process is gone its exit is what ends the job.
      child.send(job, () => {})
    })
  const tooLarge = bounds.measured && child.pid !== undefined ? outgrown(child.pid) : Effect.never

  return {
    ready,
    crash,
    kill,
    isAlive: () => child.connected && !Deferred.isDoneUnsafe(exited),
    run: (job: ParsingJob, timeoutMillis: number) =>
      Effect.raceAllFirst([reply(job), crash, tooLarge]).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMillis,
          orElse: () => Effect.fail(new Timeout({ timeoutMillis })),
        }),
        Effect.onExit((exit) => (mayGoOn(exit) ? Effect.void : kill)),
      ),
  }
}

/** A process goes on only after a job that it ended itself, in order. */
const mayGoOn = (exit: Exit.Exit<ParsingReply, unknown>): boolean =>
  Exit.isSuccess(exit) && exit.value._tag !== "Threw"

/** The environment holds no secret of the parent's: only where to find programs. */
const spawnNode = (bounds: ProcessBounds): ChildProcess => {
  const [file = process.execPath, ...args] = [
    ...bounds.command,
    process.execPath,
    `--max-old-space-size=${heapMegabytesMax}`,
    // One thread a process: helpers of its garbage collector would compete with the server for processors.
    "--single-threaded-gc",
    ...conditions(process.execArgv),
    fileURLToPath(siblingModule("ParsingProcess", import.meta.url)),
  ]
  const child = spawn(file, args, {
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  if (child.pid !== undefined) yieldToServer(child.pid)
  return child
}

/** Where processors are few, whoever waits for an answer comes before a document. */
const yieldToServer = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process is gone already, which its exit tells.
  }
}

/** The export conditions that this process was started with: its parsing modules must resolve as it did. */
const conditions = (execArgv: ReadonlyArray<string>): ReadonlyArray<string> =>
  execArgv.filter(
    (argument, at) =>
      /^(--conditions|-C)(=|$)/.test(argument) || /^(--conditions|-C)$/.test(execArgv[at - 1] ?? ""),
  )

const decodeReply = Schema.decodeUnknownOption(ParsingReply)

const outgrown = (pid: number): Effect.Effect<never, Crashed> =>
  Effect.flatMap(memoryExceeded(pid), (bytes) =>
    Effect.fail(crashed(`the process holds ${bytes} bytes of memory, more than ${memoryBytesMax}`)),
  )

const crashed = (detail: string): Crashed => new Crashed({ exitCode: null, signal: null, detail })

const describe = (crash: Crashed): string =>
  `${crash.detail} (code ${crash.exitCode}, signal ${crash.signal})`
