import { type ChildProcess, spawn } from "node:child_process"
import process from "node:process"
import { jobDescriptor, replyDescriptor } from "./frames.ts"

/** Descriptors of a parsing process that its parent holds the other end of. */
export const pipeDescriptors = { errors: 2, jobs: jobDescriptor, replies: replyDescriptor } as const
export type PipeName = keyof typeof pipeDescriptors
export const pipeNames = ["errors", "jobs", "replies"] as const satisfies ReadonlyArray<PipeName>

/** What is asked of the fork server. Processes are numbered by whoever asks. */
export type LaunchRequest =
  | { readonly _tag: "Start"; readonly id: number; readonly command: ReadonlyArray<string> }
  | { readonly _tag: "Kill"; readonly id: number }

/** What the fork server tells of a process, in the order in which it happens. */
export type LaunchReport =
  /** The pipe comes with the message. */
  | { readonly _tag: "Pipe"; readonly id: number; readonly name: PipeName }
  | { readonly _tag: "Started"; readonly id: number; readonly pid: number }
  | ({ readonly _tag: "Ended"; readonly id: number } & LaunchEnd)

/** How a process ended. The detail says why, where the rest does not. */
export interface LaunchEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly detail: string | null
}

/** An environment without a secret of this process's: only where to find programs. */
export const bareEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"] })

/**
 * Starts a parsing process. Its session is its own: a signal to the group of its processes reaches no other. Throws
 * where the command is longer than the system takes.
 */
export const spawnCommand = ([file = "", ...args]: ReadonlyArray<string>): ChildProcess =>
  spawn(file, args, {
    cwd: "/",
    detached: true,
    env: bareEnvironment(),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  })

/** Calls `end` once, when the process has ended or did not start. */
export const onceEnded = (child: ChildProcess, end: (end: LaunchEnd) => void): void => {
  child.once("error", (error) => end({ exitCode: null, signal: null, detail: String(error) }))
  child.once("exit", (exitCode, signal) => end({ exitCode, signal, detail: null }))
}
