import type { ChildProcess } from "node:child_process"
import { Socket } from "node:net"
import process from "node:process"
import {
  type LaunchReport,
  type LaunchRequest,
  onceEnded,
  pipeDescriptors,
  pipeNames,
  spawnCommand,
} from "./launching.ts"

/**
 * What the fork server does: it starts processes for its parent, hands over their pipes, and tells how they end. It
 * ends with the channel to its parent, and so do they.
 */
export const serveForks = (): void => {
  const running = new Map<number, ChildProcess>()

  // A channel that is closed has no reader, which is no error.
  const tell = (report: LaunchReport, pipe?: unknown): void =>
    void process.send?.(report, pipe instanceof Socket ? pipe : undefined, {}, () => {})

  const start = (id: number, command: ReadonlyArray<string>): void => {
    const child = spawnCommand(command)
    running.set(id, child)
    onceEnded(child, (end) => {
      if (running.delete(id)) tell({ _tag: "Ended", id, ...end })
    })
    if (child.pid === undefined) return
    // They are handed over one after another: what comes meanwhile is for the parent to read.
    for (const pipe of child.stdio) stopReading(pipe)
    for (const name of pipeNames) tell({ _tag: "Pipe", id, name }, child.stdio[pipeDescriptors[name]])
    tell({ _tag: "Started", id, pid: child.pid })
  }

  process.on("message", (request: LaunchRequest) => {
    const { id } = request
    if (request._tag === "Kill") return void running.get(id)?.kill("SIGKILL")
    try {
      start(id, request.command)
    } catch (error) {
      tell({ _tag: "Ended", id, exitCode: null, signal: null, detail: String(error) })
    }
  })
  const stop = (): void => {
    for (const child of running.values()) child.kill("SIGKILL")
    process.exit()
  }
  // Node does not tell of a channel that closes while a pipe is handed over; the input ends with the parent always.
  process.once("disconnect", stop)
  process.stdin.once("end", stop).once("close", stop).resume()
  // The parent decides when it ends.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => {})
}

/** Node reads the pipe of a child from the start, and has no public way to stop that. */
const stopReading = (pipe: unknown): void => {
  if (!hasProperty(pipe, "_handle") || !hasProperty(pipe._handle, "readStop")) return
  if (typeof pipe._handle.readStop === "function") pipe._handle.readStop()
}

const hasProperty = <K extends string>(value: unknown, key: K): value is { readonly [P in K]: unknown } =>
  typeof value === "object" && value !== null && key in value
