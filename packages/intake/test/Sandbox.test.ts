import { spawn, spawnSync } from "node:child_process"
import process from "node:process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { siblingModule } from "@atelier/intake"
import { describe, expect, it } from "vitest"

interface Finding {
  readonly level: string
  readonly by: string
  /** None where the system does not offer the level. */
  readonly reached?: ReadonlyArray<string>
}

const victim = fileURLToPath(siblingModule("victim", import.meta.url))
const flags = ["--conditions=atelier:source", victim]

/** Lets a server be attacked from within its parsing processes, as the given user. */
const attackAs = async (ids: { readonly uid?: number; readonly gid?: number }) => {
  const env = { PATH: process.env["PATH"], VICTIM_TOKEN: "a-very-secret-token" }
  const child = spawn(process.execPath, flags, {
    cwd: "/",
    env,
    ...ids,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const lines = (await text(child.stdout)).trim().split("\n")
  return lines.map((line): Finding => JSON.parse(line))
}

const network = ["tcp", "udp", "dns"]
const inside = ["programs", "threads"]
const processes = ["token", "memory", "signals"]
const files = ["database, reading", "database, writing", "uploads, listing", "uploads, reading"]
const everything = [...files, ...inside, ...processes, "temporary files", ...network].sort()

/** What stays in reach at each level: for JavaScript, and for machine code that Node does not bind. */
const inReach: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  namespaces: { document: [], "machine code": inside },
  network: { document: [], "machine code": [...files, ...inside, "temporary files"] },
  user: { document: network, "machine code": [...files, ...inside, ...network, "temporary files"] },
  runtime: { document: ["signals", ...network], "machine code": everything },
  off: { document: everything, "machine code": everything },
}

const expectClosed = (findings: ReadonlyArray<Finding>): void => {
  for (const { level, by, reached = [] } of findings) {
    const open = inReach[level]?.[by] ?? []
    expect({ level, by, reached: reached.filter((name) => !open.includes(name)) }).toEqual({
      level,
      by,
      reached: [],
    })
  }
  const found = (level: string) => findings.filter((one) => one.level === level && one.reached !== undefined)
  // The attack can succeed, or nothing above means anything.
  for (const { reached = [] } of found("off")) expect([...reached].sort()).toEqual(everything)
  expect(found("off")).toHaveLength(2)
  expect(found("runtime")).toHaveLength(2)
}

/** Other users may not be able to read a checkout in a home folder. */
const nobody = { uid: 65_534, gid: 65_534 }
const isReadableFor = (ids: { readonly uid: number; readonly gid: number }): boolean =>
  spawnSync(process.execPath, ["--check", victim], { cwd: "/", ...ids }).status === 0

describe("a parsing process that was taken over", { timeout: 300_000 }, () => {
  it("reaches nothing that its level closes, as the user that runs the tests", async () => {
    expectClosed(await attackAs({}))
  })

  const others = process.getuid?.() === 0 && isReadableFor(nobody) ? [nobody] : []
  it.for(others)("reaches nothing that its level closes, as the ordinary user $uid", async (ids) => {
    expectClosed(await attackAs(ids))
  })
})
