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

/** Sends an attack from a process of its own. */
export const attack = async (name: string, target: Target): Promise<Outcomes> => {
  const child = fork(fileURLToPath(import.meta.url), [name, JSON.stringify(target)])
  const [outcomes] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => {
      throw new Error(`the attacker of ${name} ended`)
    }),
  ])
  child.kill("SIGKILL")
  return outcomes
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name = "", target = "{}"] = process.argv
  yieldToAll()
  const sent = new Sent()
  await attackOf(name).send(JSON.parse(target), sent)
  process.send?.({ tried: sent.tried, counts: sent.counts, faults: sent.faults, notes: sent.notes })
}
