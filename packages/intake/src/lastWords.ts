import type { Readable } from "node:stream"
import { finished } from "node:stream/promises"
import { setTimeout } from "node:timers/promises"

const charactersKept = 4_000

/** How long the rest of the error output of a process that ended is waited for. */
const restMs = 200

/** What a process wrote to its error output last, once it has ended: for operators, it may hold paths. */
export const lastWords = (errors: Readable | null): (() => Promise<string>) => {
  let words = ""
  errors?.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-charactersKept)
  })
  return async () => {
    // A process of its own may hold the output open.
    if (errors !== null) await Promise.race([finished(errors).catch(() => {}), setTimeout(restMs)])
    return words.trim()
  }
}
