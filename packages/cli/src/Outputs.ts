import { randomUUID } from "node:crypto"
import { access, constants, lstat, mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, extname } from "node:path"
import { type CommandFailed, wrongUsage } from "./CommandFailed.ts"

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
export const requireWritable = async (files: ReadonlyArray<string>): Promise<void> => {
  for (const file of files) await trying(file, () => probe(file))
}

const probe = async (file: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  const there = await stat(file).catch(() => undefined)
  if (there?.isDirectory() === true) throw new Error("it is a folder")
  if (there !== undefined) return await access(file, constants.W_OK)
  await (await open(file, "wx")).close()
  await rm(file)
}

/** Writes a file that the user named, in place of what was there: whole or not at all, devices and links directly. */
export const writing = (file: string, body: Uint8Array | string): Promise<void> =>
  trying(file, async () => {
    const there = await lstat(file).catch(() => undefined)
    if (there !== undefined && !there.isFile()) return await writeFile(file, body)
    const arriving = `${file}.${randomUUID()}.part`
    try {
      await writeFile(arriving, body)
      await rename(arriving, file)
    } catch (error) {
      await rm(arriving, { force: true })
      throw error
    }
  })

const trying = async (file: string, write: () => Promise<void>): Promise<void> => {
  try {
    await write()
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}

const cannotWrite = (file: string, cause: unknown): CommandFailed =>
  wrongUsage(
    `cannot write ${JSON.stringify(file)}: ${cause instanceof Error ? cause.message : String(cause)}`,
  )
