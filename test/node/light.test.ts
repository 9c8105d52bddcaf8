import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { installedWith } from "../../scripts/installed.ts"
import { root } from "../../scripts/workspace.ts"

/** Beside `effect`, which the application has anyway. */
const installedBytesMax = 25_000_000
const packagesMax = 30

/** What only some applications need, and install themselves. */
const elsewhere = [
  "pg",
  "graphile-worker",
  "@effect/sql-pg",
  "@hyzyla/pdfium",
  "@e965/xlsx",
  "tesseract.js-core",
]

describe("@atelier/node on SQLite is light", () => {
  it("brings few packages along, none of Postgres or of the reader of Office files and PDFs", () => {
    const installed = installedWith(join(root, "packages/node")).filter(({ name }) => name !== "effect")
    const bytes = installed.reduce((sum, each) => sum + each.bytes, 0)
    expect(bytes).toBeLessThan(installedBytesMax)
    expect(installed.length).toBeLessThan(packagesMax)
    const names = installed.map(({ name }) => name)
    for (const name of ["convert", "scan"]) expect(names).not.toContain(`@atelier/executor-${name}`)
    for (const name of elsewhere) expect(names).not.toContain(name)
  })

  it("loads no database client but Node's own, and nothing that draws", () => {
    const program = join(import.meta.dirname, "loaded.ts")
    const { stdout, stderr } = spawnSync(process.execPath, ["--conditions=atelier:source", program], {
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    })
    expect(stderr).toBe("")
    const { urls }: { urls: ReadonlyArray<string> } = JSON.parse(stdout)
    for (const name of [...elsewhere, "htmlparser2", "aws4fetch", "@resvg/resvg-js"]) {
      expect(urls.filter((url) => url.includes(`/node_modules/${name}/`))).toEqual([])
    }
  })
})
