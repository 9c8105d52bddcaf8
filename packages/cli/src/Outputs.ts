import { access, constants, mkdir, open, rm, stat, writeFile } from "node:fs/promises"
import { dirname, extname } from "node:path"
import * as Effect from "effect/Effect"
import { CommandFailed } from "./CommandFailed.ts"

/** Paths for `count` results: the first is `out`, the others next to it are `out-2`, `out-3` and so on. */
export const outputsOf = (out: string, count: number): ReadonlyArray<string> => {
  const extension = extname(out)
  const stem = extension === "" ? out : out.slice(0, -extension.length)
  return Array.from({ length: count }, (_, index) => (index === 0 ? out : `${stem}-${index + 1}${extension}`))
}

/**
 * Checks, before anything is paid for, that the files can be written: their folders are made, and what is there
 * already must be a file that may be replaced.
 */
export const requireWritable = (files: ReadonlyArray<string>): Effect.Effect<void, CommandFailed> =>
  Effect.forEach(
    files,
    (file) => Effect.tryPromise({ try: () => probe(file), catch: (cause) => cannotWrite(file, cause) }),
    { discard: true },
  )

const probe = async (file: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  const there = await stat(file).catch(() => undefined)
  if (there?.isDirectory() === true) throw new Error("it is a folder")
  if (there !== undefined) return await access(file, constants.W_OK)
  await (await open(file, "wx")).close()
  await rm(file)
}

/** Writes a file that the user named, in place of what was there. */
export const writing = (file: string, body: Uint8Array | string): Effect.Effect<void, CommandFailed> =>
  Effect.tryPromise({ try: () => writeFile(file, body), catch: (cause) => cannotWrite(file, cause) })

const cannotWrite = (file: string, cause: unknown): CommandFailed =>
  new CommandFailed({
    message: `cannot write ${JSON.stringify(file)}: ${cause instanceof Error ? cause.message : String(cause)}`,
  })
