import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { Crashed, Failed, ParsingError } from "./ParsingError.ts"
import type { ParsingJob } from "./ParsingMessages.ts"
import { Refusal } from "./Refusal.ts"

/**
 * Does a job in this process, by the function that a parsing process would call: for work that is no parsing, whose
 * time and memory are bounded by the few bytes that it reads. Files are read from memory only.
 */
export const parseHere = (job: ParsingJob): Effect.Effect<Schema.Json, ParsingError> =>
  Effect.tryPromise({
    try: () => work(job),
    catch: (thrown) =>
      new ParsingError({
        reason: Refusal.is(thrown)
          ? new Failed({ code: thrown.code, message: thrown.message })
          : new Crashed({ exitCode: null, signal: null, detail: String(thrown) }),
      }),
  })

const work = async (job: ParsingJob): Promise<Schema.Json> => {
  const { module, function: name, input, reads = {}, writes = {}, writeBytesMax = 0 } = job
  const exports: Readonly<Record<string, unknown>> = await import(module)
  const parse = exports[name]
  if (typeof parse !== "function") throw new TypeError(`${module} exports no function ${name}`)
  const pieces: Array<{ readonly name: string; readonly bytes: Uint8Array }> = []
  let written = 0
  // The function's memory is its own again when this returns.
  const write = (file: string, bytes: Uint8Array): void => {
    written += bytes.length
    if (written > writeBytesMax * Object.keys(writes).length) throw new RangeError("the job writes too much")
    pieces.push({ name: file, bytes: Uint8Array.from(bytes) })
  }
  const files = Object.entries(reads).map(([file, content]) => {
    if ("path" in content) throw new TypeError(`${file} is not in memory`)
    return [file, content.data] as const
  })
  const given = typeof input === "object" && input !== null && !Array.isArray(input)
  const value = (await parse(given ? { ...input, ...Object.fromEntries(files), write } : input)) ?? null
  for (const [file, into] of Object.entries(writes)) {
    const attempt = into.begin()
    try {
      for (const piece of pieces) if (piece.name === file) await attempt.write(piece.bytes)
    } finally {
      await attempt.end()
    }
    attempt.keep()
  }
  return value
}
