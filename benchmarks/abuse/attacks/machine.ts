import { Worker } from "node:worker_threads"
import type { Attack } from "../attack.ts"
import { pause } from "../requests.ts"

const compute = "for (;;);"

/** What the machine alone costs another customer: processes of the lowest priority compute, and nothing is sent. */
const control = (name: string, threads: number, about: string): Attack => ({
  name,
  about,
  allowed: /^nothing$/,
  send: async ({ seconds }, sent) => {
    const workers = Array.from({ length: threads }, () => new Worker(compute, { eval: true }))
    await pause(seconds * 1000)
    await Promise.all(workers.map((worker) => worker.terminate()))
    sent.count("nothing")
  },
})

/** The control that every attack is measured beside. */
export const machineAlone = "machine-only"

export const machine: ReadonlyArray<Attack> = [
  control(machineAlone, 1, "nothing; one thread of the lowest priority computes, as an attacker's does"),
  control("machine-only-two", 2, "nothing; two threads of the lowest priority compute, one for each core"),
]
