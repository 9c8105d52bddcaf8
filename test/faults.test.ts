import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { faults } from "../scripts/faults/index.ts"
import { outdated } from "../scripts/faults.ts"
import { filesBelow, root } from "../scripts/workspace.ts"

describe("planted faults: the list is of this code", () => {
  it("every fault changes one place of its file", () => {
    expect(outdated(faults)).toEqual([])
    expect(faults.filter(({ original, replacement }) => original === replacement)).toEqual([])
  })

  it("every fault has tests that are there", () => {
    const tests = ["packages", "test"]
      .flatMap((folder) => filesBelow(join(root, folder)))
      .filter((file) => file.endsWith(".test.ts"))
    const suites = [...new Set(faults.flatMap((fault) => fault.suites))]
    expect(suites.filter((suite) => !tests.some((file) => file.includes(suite)))).toEqual([])
    expect(existsSync(join(root, "package.json"))).toBe(true)
  })

  it("there are at least 60", () => {
    expect(faults.length).toBeGreaterThanOrEqual(60)
  })
})
