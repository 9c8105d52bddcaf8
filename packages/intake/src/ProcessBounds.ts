import { execFile } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { constants, setPriority } from "node:os"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import * as Schedule from "effect/Schedule"

/** How a parsing process is limited from outside. */
export interface ProcessBounds {
  /** The command, with its arguments, that runs what follows it within the bounds; empty if there is none. */
  readonly command: ReadonlyArray<string>
  /** The system does not limit the memory itself: the process must be measured. */
  readonly measured: boolean
}

/** Most memory that a parsing process may use, Buffers and WebAssembly included. */
export const memoryBytesMax = 1_000_000_000

/** Memory that a process takes between two measurements is not seen: this bounds it. */
const measureEvery = "100 millis"

const run = promisify(execFile)

/** Where there is `prlimit` the system refuses memory beyond the bound; elsewhere the process is measured. */
const memoryLimit = (reserved: number): ReadonlyArray<string> => [
  "prlimit",
  `--data=${memoryBytesMax + reserved}`,
  "--core=0",
  "--",
]

/**
 * What the system counts of a process with this Node before it holds anything: since Node 22 V8 reserves room for
 * machine code, 512 MiB on x64, in a way that counts. It is what is mapped to be written and executed; 0 without `/proc`.
 */
const reservedBytes: Effect.Effect<number> = Effect.tryPromise(() =>
  readFile("/proc/self/maps", "utf8"),
).pipe(
  Effect.map((maps) =>
    [...maps.matchAll(/^(\w+)-(\w+) rwxp /gm)].reduce(
      (sum, [, start = "", end = ""]) => sum + Number.parseInt(end, 16) - Number.parseInt(start, 16),
      0,
    ),
  ),
  Effect.orElseSucceed(() => 0),
)

/** Ends a process that hangs, too, when its parent is killed. */
const endWithParent = ["setpriv", "--pdeathsig", "KILL", "--"]

/** True if the system has the command and permits what it does. */
const works = (command: ReadonlyArray<string>): Effect.Effect<boolean> => {
  const [file = "", ...args] = command
  return Effect.tryPromise(() => run(file, [...args, "true"])).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false),
  )
}

/** Finds out what this system offers. */
export const detectBounds: Effect.Effect<ProcessBounds> = Effect.gen(function* () {
  const limit = memoryLimit(yield* reservedBytes)
  const [limits, ends] = yield* Effect.all([works(limit), works(endWithParent)], {
    concurrency: "unbounded",
  })
  return { command: [...(ends ? endWithParent : []), ...(limits ? limit : [])], measured: !limits }
})

/** Succeeds, with what was measured, once the process holds more memory than it may; otherwise never. */
export const memoryExceeded = (pid: number): Effect.Effect<number> =>
  residentBytes(pid).pipe(
    Effect.delay(measureEvery),
    Effect.repeat({ until: (bytes) => bytes > memoryBytesMax }),
  )

/** 0 if it cannot be told. */
const residentBytes = (pid: number): Effect.Effect<number> =>
  Effect.tryPromise(async () => {
    if (process.platform !== "linux") {
      const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)])
      return Number(stdout) * 1024
    }
    const status = await readFile(`/proc/${pid}/status`, "utf8")
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  }).pipe(Effect.orElseSucceed(() => 0))

/** A third of what another session gets: where all processors are taken by others, documents still go on. */
const sessionPriority = 5
/** Linux takes one such change from unprivileged users every tenth of a second, all of them together. */
const sessionRetry = { schedule: Schedule.spaced("150 millis"), times: 40 }

/**
 * Where processors are few, whoever waits for an answer comes before a document, from the start of its process on. A
 * process with a session of its own needs more than the lowest priority: Linux shares processors between sessions
 * first (`sched_autogroup`), where a priority counts only within its session.
 */
export const yieldToRequests = (pid: number): Effect.Effect<void> =>
  Effect.andThen(
    Effect.ignore(Effect.try(() => setPriority(pid, constants.priority.PRIORITY_LOW))),
    process.platform === "linux" ? lowerSession(pid) : Effect.void,
  )

const lowerSession = (pid: number): Effect.Effect<void> =>
  Effect.tryPromise({
    try: () => writeFile(`/proc/${pid}/autogroup`, String(sessionPriority)),
    catch: (error) => error,
  }).pipe(
    Effect.retry({
      ...sessionRetry,
      while: (error) => hasProperty(error, "code") && error.code === "EAGAIN",
    }),
    // A kernel without it shares processors by priority alone.
    Effect.ignore,
  )
