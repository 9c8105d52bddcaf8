import { type ChildProcess, spawn } from "node:child_process"
import { Socket } from "node:net"
import process from "node:process"
import { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { lastWords } from "./lastWords.ts"
import {
  bareEnvironment,
  type LaunchEnd,
  type LaunchReport,
  type LaunchRequest,
  onceEnded,
  type PipeName,
  pipeDescriptors,
  pipeNames,
  spawnCommand,
} from "./launching.ts"

/** A process runs, and these are its pipes. */
export interface Running {
  readonly pid: number
  readonly errors: Readable
  readonly jobs: Writable
  readonly replies: Readable
}

/** A process that was asked for. */
export interface Launched {
  /** Stays pending if the process did not start: its end tells why. */
  readonly running: Promise<Running>
  /** Never fails. */
  readonly ended: Promise<LaunchEnd>
  readonly kill: () => void
}

/** Starts a command as a process. Throws where the command is longer than the system takes. */
export type Launch = (command: ReadonlyArray<string>) => Launched

export interface Launcher {
  readonly launch: Launch
  /** What it needs to launch is ready before it is needed. */
  readonly prepare: () => void
}

/**
 * Forks this process once, whatever its size, and however many processes are launched. On Linux a fork copies the page
 * tables of the process that forks, and each page that it writes afterwards costs it a fault: a server of 200 MB would
 * answer no request meanwhile. So a small process starts the others (`program`, a URL, is what it runs). Other systems
 * start processes without a copy. What was launched ends with the scope.
 */
export const makeLauncher = (program: string): Effect.Effect<Launcher, never, Scope.Scope> =>
  process.platform === "linux"
    ? Effect.acquireRelease(
        Effect.sync(() => new ForkServer(program)),
        (server) => Effect.promise(() => server.close()),
      )
    : Effect.succeed({ launch: launchHere, prepare: () => {} })

/** Starts a process as this one's own child. */
export const launchHere: Launch = (command) => {
  const child = spawnCommand(command)
  const ended = Promise.withResolvers<LaunchEnd>()
  onceEnded(child, ended.resolve)
  const { pid } = child
  const pipes = pipeNames.map((name) => [name, child.stdio[pipeDescriptors[name]]] as const)
  return {
    running: pid === undefined ? new Promise(() => {}) : Promise.resolve(runningOf(pid, new Map(pipes))),
    ended: ended.promise,
    kill: () => void child.kill("SIGKILL"),
  }
}

const runningOf = (pid: number, pipes: ReadonlyMap<PipeName, unknown>): Running => {
  const [errors, jobs, replies] = pipeNames.map((name) => pipes.get(name))
  if (errors instanceof Readable && jobs instanceof Writable && replies instanceof Readable) {
    return { pid, errors, jobs, replies }
  }
  throw new Error("a process was started without its pipes")
}

/** It is started when it is first asked, and again where it has ended: what it had started has ended with it. */
class ForkServer implements Launcher {
  #current: ForkServerProcess | undefined
  readonly #program: string

  constructor(program: string) {
    this.#program = program
  }

  readonly launch: Launch = (command) => this.#open().launch(command)

  readonly prepare = (): void => void this.#open()

  #open(): ForkServerProcess {
    if (this.#current?.isOpen !== true) this.#current = new ForkServerProcess(this.#program)
    return this.#current
  }

  async close(): Promise<void> {
    await this.#current?.close()
  }
}

/** A fork server that has not answered by then is ended, with all that it started. */
const answerMsMax = 10_000

interface Pending {
  pid: number | undefined
  /** Those that have arrived, until the process runs. */
  readonly pipes: Map<PipeName, Socket>
  readonly run: (running: Running) => void
  readonly end: (end: LaunchEnd) => void
}

class ForkServerProcess {
  #hasEnded = false
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  readonly #launches = new Map<number, Pending>()
  #lastId = 0

  constructor(program: string) {
    this.#child = spawn(process.execPath, [fileURLToPath(program)], {
      cwd: "/",
      // A signal to the group of this process does not reach it.
      detached: true,
      env: bareEnvironment(),
      // The input says nothing: its end is that of this process.
      stdio: ["pipe", "ignore", "pipe", "ipc"],
    })
    this.#child.stdin?.on("error", () => {})
    const said = lastWords(this.#child.stderr)
    const ended = Promise.withResolvers<void>()
    this.#ended = ended.promise
    onceEnded(this.#child, ({ exitCode, signal, detail }) => {
      this.#hasEnded = true
      void said().then((words) => {
        const why = detail ?? `code ${exitCode}, signal ${signal}${words === "" ? "" : `: ${words}`}`
        const end = { exitCode: null, signal: null, detail: `the fork server ended: ${why}` }
        for (const [id, { pid }] of this.#launches) {
          killIfRunning(pid)
          this.#end(id, end)
        }
        ended.resolve()
      })
    })
    this.#child.on("message", (report: LaunchReport, pipe: unknown) => this.#receive(report, pipe))
  }

  get isOpen(): boolean {
    return !this.#hasEnded && this.#child.connected
  }

  launch(command: ReadonlyArray<string>): Launched {
    const id = ++this.#lastId
    const running = Promise.withResolvers<Running>()
    const ended = Promise.withResolvers<LaunchEnd>()
    const pending = { pid: undefined, pipes: new Map(), run: running.resolve, end: ended.resolve }
    this.#launches.set(id, pending)
    this.#send({ _tag: "Start", id, command })
    const kill = (): void => {
      this.#send({ _tag: "Kill", id })
      this.#insist(ended.promise)
    }
    return { running: running.promise, ended: ended.promise, kill }
  }

  async close(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    this.#child.stdin?.destroy()
    this.#insist(this.#ended)
    await this.#ended
  }

  /** Kills the fork server, if `end` does not come while it may take. */
  #insist(end: Promise<unknown>): void {
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), answerMsMax)
    void end.then(() => clearTimeout(timer))
  }

  /** Where the fork server has ended, its end is that of what was asked for. */
  #send(request: LaunchRequest): void {
    if (this.#child.connected) this.#child.send(request, () => {})
  }

  #receive(report: LaunchReport, pipe: unknown): void {
    const { id } = report
    const launch = this.#launches.get(id)
    switch (report._tag) {
      case "Pipe":
        if (!(pipe instanceof Socket)) return
        // What became of the process is told by its end.
        pipe.on("error", () => {})
        if (launch === undefined) pipe.destroy()
        else launch.pipes.set(report.name, pipe)
        return
      case "Started":
        if (launch !== undefined) launch.pid = report.pid
        // A pipe is lost where this process has no descriptor left.
        if (launch?.pipes.size !== pipeNames.length) {
          this.#send({ _tag: "Kill", id })
          return
        }
        launch.run(runningOf(report.pid, launch.pipes))
        launch.pipes.clear()
        return
      case "Ended":
        this.#end(id, report)
    }
  }

  #end(id: number, { exitCode, signal, detail }: LaunchEnd): void {
    const launch = this.#launches.get(id)
    this.#launches.delete(id)
    launch?.end({ exitCode, signal, detail })
    for (const pipe of launch?.pipes.values() ?? []) pipe.destroy()
  }
}

/** Where the system does not end it with the fork server. */
const killIfRunning = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}
