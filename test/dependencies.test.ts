import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packagesOf, readManifest, root } from "../scripts/workspace.ts"

/** The packages that a row of the tables in docs/dependencies.md is about. */
const documented = (): ReadonlyArray<string> =>
  readFileSync(join(root, "docs", "dependencies.md"), "utf8")
    .split("\n")
    .flatMap((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? [])

const declared = (): ReadonlyArray<string> => {
  const manifests = [readManifest(root), ...packagesOf(root).map(({ manifest }) => manifest)]
  const names = manifests.flatMap(
    ({ dependencies, devDependencies, optionalDependencies, peerDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies }),
  )
  return [...new Set(names)].filter((name) => !name.startsWith("@atelier/"))
}

describe("dependencies: docs/dependencies.md gives the reason for each, in one row", () => {
  it("has a row for every dependency, and for nothing else", () => {
    expect([...documented()].toSorted()).toEqual([...declared()].toSorted())
  })
})
