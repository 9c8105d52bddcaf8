import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packagesOf, readManifest, root } from "../scripts/workspace.ts"

/** What no file may hold. Each is spelled here so that it does not match itself. */
const forbidden: ReadonlyArray<{
  readonly what: string
  readonly pattern: RegExp
  readonly only?: RegExp
  readonly except?: RegExp
}> = [
  {
    what: "a path of someone's machine",
    pattern: /(?<![\w.\-/}:])\/(?:work|home|root|Users)\/\w|[A-Z]:\\Users\\/,
  },
  {
    what: "the host of a package registry",
    pattern: /\bregistry\.(?:npmjs|npmmirror|yarnpkg)\b|\bnpm\.jsr\b/,
  },
  { what: "an unfinished note", pattern: /\b(?:TO(?:)DO|FIX(?:)ME|XX(?:)X)\b/ },
  {
    what: "a test that is left out, or that leaves the others out",
    pattern: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip|todo)\b/,
    only: /\.test\.ts$/,
  },
  { what: "an address in the lock file", pattern: /"resolved": "\w+:\/\//, only: /^package-lock\.json$/ },
  {
    // Say application, layer, entry point, unknown, again, durable, out of memory, directly, forever.
    what: "a word that is not plain English of the field",
    pattern:
      /\b(?:hou(?:)ses?|(?:no|some|any)bo(?:)dy|an(?:)ew|for ev(?:)er|brought to the di(?:)sk|for wa(?:)nt of|straight o(?:)n the|of one's o(?:)wn)\b/i,
    // Released migrations are never edited, drawings have buildings, and one of the words is a Unix user.
    except: /\/migrations\/|\/src\/art\/|\/Sandbox\.(?:test\.)?ts$|^benchmarks\/results\//,
  },
]

const textFiles = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => path !== "" && !path.includes("/fixtures/") && existsSync(join(root, path)))
    .filter((path) => !readFileSync(join(root, path)).subarray(0, 4096).includes(0))

const offences = (path: string, text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .flatMap((line, index) =>
      forbidden
        .filter(
          ({ pattern, only, except }) =>
            (only === undefined || only.test(path)) && except?.test(path) !== true && pattern.test(line),
        )
        .map(({ what }) => `${path}:${index + 1}: ${what}`),
    )

describe("words: nothing in the repository is of one machine, unfinished or private jargon", () => {
  it("no file holds a forbidden word", () => {
    const found = textFiles().flatMap((path) => offences(path, readFileSync(join(root, path), "utf8")))
    expect(found).toEqual([])
  })

  it.each([
    ["notes.md", `see /${"home"}/ada/notes`],
    ["notes.md", `from registry.${"npmjs"}.org`],
    ["a.ts", `// ${"TO"}DO later`],
    ["a.test.ts", `it.effect.${"only"}("")`],
    ["package-lock.json", `"resolved": "${"https"}://host/x.tgz"`],
    ["notes.md", `${"no"}body reads it`],
    ["a.ts", `// opened an${"ew"}`],
    ["a.ts", `const hou${"se"} = 1`],
  ])("the check sees it in %s: %s", (path, line) => {
    expect(offences(path, line)).toHaveLength(1)
  })

  it.each([
    ["packages/intake/src/Sandbox.ts", `the user ${"no"}body`],
    ["README.md", "a lighthouse in the morning"],
  ])("the check lets %s say: %s", (path, line) => {
    expect(offences(path, line)).toEqual([])
  })
})

describe("versions: every dependency is pinned to one version", () => {
  const exact = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
  it.each([root, ...packagesOf(root).map(({ folder }) => folder)].map(readManifest))("$name", (manifest) => {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const floating = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !exact.test(version))
      .map(([name, version]) => `${name} ${version}`)
    expect(floating).toEqual([])
  })
})
