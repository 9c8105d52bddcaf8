import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { EdgeVM } from "@edge-runtime/vm"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.ts"
import { calls, ways } from "./calls.ts"
import type { FaultyProxy } from "./faultyProxy.ts"
import { openService } from "./service.ts"

/** The client and its suite as one script, for a runtime without the modules of Node. */
const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/client/calls.ts")],
    alias: { "@atelier/client": join(root, "packages/client/src/index.ts") },
    bundle: true,
    format: "iife",
    globalName: "suite",
    // A file by its path is Node's alone; it is asked for only there.
    external: ["node:*"],
    target: "es2022",
    write: false,
  })
  return outputFiles[0]?.text ?? ""
}

let service: FaultyProxy
let script: string
beforeAll(async () => {
  script = await bundle()
  service = await openService()
})
afterAll(() => service.close())

const programOf = (name: string): string =>
  `suite.problemsOf(new suite.Suite(${JSON.stringify(service.url)}), suite.calls.find((call) => call.name === ${JSON.stringify(name)}))`

describe("the same in an edge runtime: web interfaces alone", () => {
  it.for(ways)("$name: every fault at every request", { timeout: 300_000 }, async ({ name }) => {
    const runtime = new EdgeVM()
    expect(runtime.evaluate("typeof process + typeof require + typeof Buffer")).toBe(
      "undefinedundefinedundefined",
    )
    runtime.evaluate(script)
    expect(await runtime.evaluate(programOf(name))).toEqual([])
  })
})

/** `npm install --global bun`: 90 MB, so that it is no dependency. Without it this is skipped, and counted so. */
const hasBun = spawnSync("bun", ["--version"]).status === 0

describe.skipIf(!hasBun)("the same in Bun", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "atelier-bun-"))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.for(calls)("$name: every fault at every request", { timeout: 300_000 }, async ({ name }) => {
    const file = join(folder, "suite.js")
    writeFileSync(file, `${script}\nconsole.log(JSON.stringify(await ${programOf(name)}))`)
    const { stdout } = await promisify(execFile)("bun", [file])
    expect(JSON.parse(stdout)).toEqual([])
  })
})
