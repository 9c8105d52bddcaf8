import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"

export interface ProgramOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Seconds after which the program is killed. */
  readonly secondsMax: number
}

/** How a program ended, and what it printed. */
export interface Ended {
  readonly stdout: string
  readonly stderr: string
  /** Undefined where it ended by itself with exit code 0. */
  readonly problem: string | undefined
}

const running = new Set<ChildProcess>()

/** A process group of its own hears nothing of a Ctrl-C here. */
const endAll = (): void => {
  for (const child of running) endGroup(child)
}
process.on("exit", endAll)
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endAll()
    process.kill(process.pid, signal)
  })
}

/**
 * Runs a program to its end, or kills it. What it left behind in its process group ends with it, so that its output has
 * an end.
 */
export const runProgram = async (
  command: string,
  args: ReadonlyArray<string>,
  { secondsMax, ...options }: ProgramOptions,
): Promise<Ended> => {
  const child = spawn(command, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  running.add(child)
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    endGroup(child)
  }, secondsMax * 1000)
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  await once(child, "exit")
  const { exitCode, signalCode } = child
  clearTimeout(limit)
  endGroup(child)
  running.delete(child)
  const [stdout, stderr] = await printed
  const ended = `ended with ${signalCode ?? exitCode}`
  return {
    stdout,
    stderr,
    problem: isLate ? `did not end within ${secondsMax} s` : exitCode === 0 ? undefined : ended,
  }
}

const endGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Nothing of it runs any more.
  }
}
