import { constants, copyFile, lstat, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname, join } from "node:path"

/**
 * Names of temporary files identify their owner: host, process id, start of that process, and a counter.
 * Machines and containers that share the folder have process ids of their own.
 */
const host = hostname().replace(/[^A-Za-z0-9.]/g, "_")
const owner = `${host}-${process.pid}-${Math.round(performance.timeOrigin).toString(36)}`
let made = 0

/** A file of another host that is older than this is considered abandoned. */
const foreignAgeMsMax = 24 * 60 * 60 * 1000

/** A path under `directory` that nothing else uses. */
export const temporaryPath = (directory: string): string => join(directory, `${owner}-${++made}`)

/** Removes the temporary files of processes that are gone; those of a living one are still in use. */
export const removeLeftovers = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const [itsHost, pid] = name.split("-")
    const used =
      name.startsWith(`${owner}-`) || (itsHost === host ? isOther(Number(pid)) : await isYoung(path))
    if (!used) await rm(path, { recursive: true, force: true })
  }
}

/** Absent: its owner removed it in the meantime. */
const isYoung = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs < foreignAgeMsMax
}

const isOther = (pid: number): boolean => {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
}

/** Makes a directory and its parents; their entries are durable when it returns. */
export const makeDirectory = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  const top = dirname(first)
  for (let at = path; at.length >= top.length; at = dirname(at)) {
    await syncDirectory(at)
    if (at === top) return
  }
}

/** Writes the bytes to a new file, durable when it returns. */
export const writeDurably = async (path: string, bytes: Uint8Array): Promise<void> => {
  const file = await open(path, "wx")
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Moves a durable file to its place atomically, replacing what is there. The name is durable when it returns. */
export const renameDurably = async (from: string, to: string): Promise<void> => {
  await makeDirectory(dirname(to))
  await rename(from, to)
  await syncDirectory(dirname(to))
}

/**
 * Moves a foreign file to its place. Across file systems it is copied to `temporary` first, so that readers
 * never see a part of it.
 */
export const moveDurably = async (from: string, to: string, temporary: string): Promise<void> => {
  if (!(await lstat(from)).isFile()) throw new Error("not a regular file")
  await syncFile(from)
  try {
    await renameDurably(from, to)
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error
    await copyFile(from, temporary, constants.COPYFILE_EXCL)
    await syncFile(temporary)
    await renameDurably(temporary, to)
    await unlink(from)
  }
}

const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, "r+")
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Windows opens no directories; there the entry is as durable as its file system makes it. */
const syncDirectory = async (path: string): Promise<void> => {
  if (process.platform === "win32") return
  const directory = await open(path, "r")
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** The system's error code, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
