import { readFileSync } from "node:fs"

/** A process and all its descendants that are alive. */
export const treeOf = (pid: number): ReadonlyArray<number> => [pid, ...childrenOf(pid).flatMap(treeOf)]

const childrenOf = (pid: number): ReadonlyArray<number> =>
  read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The current memory of a process. */
export const residentBytesOf = (pid: number): number => kilobytes(pid, "VmRSS")

/** The peak memory of a process. */
export const peakBytesOf = (pid: number): number => kilobytes(pid, "VmHWM")

/** CPU milliseconds of a process and all that it started, those that ended included; in the kernel's steps of 10 ms. */
export const cpuMillisOf = (pid: number): number =>
  treeOf(pid).reduce((sum, each) => {
    // After the name: user, system, and both of children that ended.
    const fields = read(`/proc/${each}/stat`).split(") ").at(-1)?.split(" ") ?? []
    return sum + 10 * fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0)
  }, 0)

const kilobytes = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024

/** Established connections to a port of this machine, those that only the other side has closed included. */
export const connectionsTo = (port: number): number => {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  return [...read("/proc/net/tcp").split("\n"), ...read("/proc/net/tcp6").split("\n")].filter((line) => {
    const [, from = "", , state = ""] = line.trim().split(/\s+/)
    return from.endsWith(local) && ["01", "08"].includes(state)
  }).length
}

/** Empty where there is no such process any more, or no `/proc`. */
const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
