import { fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { attackOf } from "./attacks.ts"
import { type Outcomes, Sent } from "./sent.ts"
import type { Target } from "./target.ts"

/**
 * Lower than everything else: the attacker's own work must not be the bystander's delay. Parsing processes have the
 * lowest priority themselves, so that on Linux the attacker has only what they leave.
 */
const yieldToAll = (): void => {
  setPriority(19)
  spawnSync("chrt", ["--all-tasks", "--idle", "--pid", "0", String(process.pid)])
}

/** An attacker in a process of its own that is ready to begin. */
interface Attacker {
  /** Sends it all. */
  readonly send: () => Promise<Outcomes>
}

/** Starting a process takes more of the machine than most attacks: it is no part of them. */
export const startAttacker = async (name: string, target: Target): Promise<Attacker> => {
  const child = fork(fileURLToPath(import.meta.url), [name, JSON.stringify(target)])
  const ended = once(child, "exit").then((): never => {
    throw new Error(`the attacker of ${name} ended`)
  })
  ended.catch(() => {})
  const next = async () => (await Promise.race([once(child, "message"), ended]))[0]
  await next()
  return {
    send: async () => {
      child.send("go")
      const outcomes = await next()
      child.kill("SIGKILL")
      return outcomes
    },
  }
}

/** Again and again until the time of an attack is over, so that what is soon sent is measured for as long. */
const sendAll = async (name: string, target: Target, sent: Sent): Promise<void> => {
  const until = performance.now() + target.seconds * 1000
  do await attackOf(name).send(target, sent)
  while (performance.now() < until)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name = "", given = "{}"] = process.argv
  yieldToAll()
  const go = once(process, "message")
  process.send?.("ready")
  await go
  const sent = new Sent()
  const began = performance.now()
  const before = process.cpuUsage()
  await sendAll(name, JSON.parse(given), sent)
  const { user, system } = process.cpuUsage(before)
  const cores = (user + system) / 1000 / (performance.now() - began)
  process.send?.({ tried: sent.tried, counts: sent.counts, faults: sent.faults, notes: sent.notes, cores })
}
