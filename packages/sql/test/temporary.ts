import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** The name of a database file that does not exist yet, in a folder that goes when the test file is done. */
export const temporaryDatabase = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-sql-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "atelier.db")
}
