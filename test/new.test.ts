import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAtelier } from "@atelier/node"
import { afterAll, expect, it } from "vitest"
import { packagesOf, root } from "../scripts/workspace.ts"
import { commandsOf } from "./support/server.ts"

/** A folder of its own outside of the repository, in which the packages are installed. */
const folder = mkdtempSync(join(tmpdir(), "atelier-new-"))
const modules = join(folder, "node_modules")
mkdirSync(join(modules, "@atelier"), { recursive: true })
for (const { folder: from, manifest } of packagesOf(root)) symlinkSync(from, join(modules, manifest.name))
for (const name of ["effect", "vitest", "fast-check", "@effect"]) {
  symlinkSync(join(root, "node_modules", name), join(modules, name))
}
afterAll(() => rmSync(folder, { recursive: true }))

const command = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [...commandsOf(), "new", ...args], { cwd: folder, encoding: "utf8" })

/** Its own tests, by the packages' sources. */
const ownTests = (name: string) => {
  const conditions = `["atelier:source", "module", "node", "development|production"]`
  writeFileSync(
    join(folder, name, "vitest.config.mjs"),
    `export default { resolve: { conditions: ${conditions} }, ssr: { resolve: { conditions: ${conditions},
      externalConditions: ["atelier:source", "node"] } }, test: { execArgv: ["--conditions=atelier:source"] } }`,
  )
  const { scripts } = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"))
  const [, ...args] = scripts.test.split(" ")
  return spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
    cwd: join(folder, name),
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  })
}

it("atelier new executor: a tool that is served as it is, from a folder of its own", async () => {
  expect(command("executor", "lyrics")).toMatchObject({ status: 0 })
  const atelier = await createAtelier({
    database: "sqlite::memory:",
    directory: folder,
    plugins: ["./atelier-lyrics/src/plugin.ts"],
    log: () => {},
  })
  try {
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    const file = Buffer.from("one\ntwo\n")
    const own = { user: "ada", tool: "lyrics-md-json", filename: "a.lyrics" }
    const { id } = await atelier.documents.submit({ ...own, file })
    await atelier.tasks.wait(id)
    expect(await atelier.tasks.result(id)).toMatchObject({ markdown: "- one\n- two\n" })
    await expect(atelier.documents.submit({ ...own, file: Buffer.from("\n") })).rejects.toMatchObject({
      code: "file_corrupt",
    })
  } finally {
    await atelier.close()
  }
})

it.each([
  ["executor", "lyrics"],
  ["adapter", "acme"],
])("atelier new %s: its own test passes", (kind, name) => {
  command(kind, name)
  const { status, stderr, stdout } = ownTests(`atelier-${name}`)
  expect(`${stdout}${stderr}`).toContain("1 passed")
  expect(status).toBe(0)
  expect(readFileSync(join(folder, `atelier-${name}`, "README.md"), "utf8")).toContain(`atelier-${name}`)
})

it("a name that is none, and a folder that is there, are refused", () => {
  command("adapter", "twice")
  expect(command("adapter", "twice")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("there already"),
  })
  expect(command("executor", "../up")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("a name is"),
  })
})
