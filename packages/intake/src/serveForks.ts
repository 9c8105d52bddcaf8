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
  process.once("disconnect", () => {
    for (const child of running.values()) child.kill("SIGKILL")
    process.exit()
  })
  // The parent decides when it ends.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => {})
}
