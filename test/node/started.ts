import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Atelier, type AtelierOptions, createAtelier } from "@atelier/node"
import { afterEach } from "vitest"

const open = new Set<Atelier>()
const folders: Array<string> = []

afterEach(async () => {
  for (const atelier of open) await atelier.close()
  open.clear()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-node-"))
  folders.push(folder)
  return folder
}

/** A service that is closed after the test. */
export const started = async (options: AtelierOptions): Promise<Atelier> => {
  const atelier = await createAtelier({ sandbox: "off", log: () => {}, ...options })
  open.add(atelier)
  return atelier
}

/** What a promise was rejected with; fails where it was not. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error("it was not rejected")
}
