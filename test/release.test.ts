import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Manifest, packagesOf, readManifest, root } from "../scripts/workspace.ts"

/** A copy of the repository: what a release reads and writes. */
let copy: string
const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...args], { cwd: copy })
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "atelier-release-"))
  const manifests = packagesOf(root).map(({ folder }) => relative(root, join(folder, "package.json")))
  const scripts = ["scripts/release.ts", "scripts/workspace.ts"]
  for (const file of ["package.json", "package-lock.json", "CHANGELOG.md", ...scripts, ...manifests]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  git("init", "--quiet")
  git("add", ".")
  git("commit", "--quiet", "-m", "before")
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const release = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(copy, "scripts/release.ts"), ...args], {
    cwd: copy,
    encoding: "utf8",
    // Nothing that is not there already may be needed.
    env: { ...process.env, npm_config_offline: "true" },
  })
const read = (file: string): string => readFileSync(join(copy, file), "utf8")
const own = (manifest: Manifest): ReadonlyArray<readonly [string, string]> =>
  [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies].flatMap((each) =>
    Object.entries(each ?? {}).filter(([name]) => name.startsWith("@atelier/")),
  )

describe("CONTRIBUTING, Releases: npm run release", () => {
  it("refuses a version that is none, and a checkout with changes", () => {
    expect(release("next")).toMatchObject({ status: 1, stderr: expect.stringContaining("such as 0.2.0") })
    expect(release("--notes")).toMatchObject({ status: 1, stderr: expect.stringContaining("no heading for") })
    const before = read("CHANGELOG.md")
    cpSync(join(copy, "CHANGELOG.md"), join(copy, "another.md"))
    expect(release("9.8.7")).toMatchObject({ status: 1, stderr: expect.stringContaining("commit first") })
    rmSync(join(copy, "another.md"))
    expect(read("CHANGELOG.md")).toBe(before)
  })

  it("gives every package, its dependencies on the others and the lock file one version, and the changelog a heading", () => {
    const { status, stderr } = release("9.8.7")
    expect([status, stderr]).toEqual([0, ""])
    const packages = packagesOf(copy)
    expect(packages.length).toBe(packagesOf(root).length)
    for (const { manifest } of [{ manifest: readManifest(copy) }, ...packages]) {
      expect(manifest.version, manifest.name).toBe("9.8.7")
      for (const [name, version] of own(manifest)) expect(version, `${manifest.name}: ${name}`).toBe("9.8.7")
    }
    const lock = JSON.parse(read("package-lock.json")).packages as Readonly<Record<string, Manifest>>
    for (const { folder, manifest } of packages) {
      const locked = lock[relative(copy, folder)]
      expect([locked?.version, locked === undefined ? [] : own(locked)]).toEqual(["9.8.7", own(manifest)])
    }
    expect(read("package-lock.json")).not.toContain('resolved": "http')
    const [, unreleased, released] = read("CHANGELOG.md").split("\n## ")
    expect(unreleased?.trim()).toBe("Unreleased")
    expect(released).toMatch(/^9\.8\.7 \(\d{4}-\d\d-\d\d\)\n/)
  })

  it("the notes of the release are its part of the changelog, and no other", () => {
    expect(release("--notes").status).toBe(0)
    const notes = read("dist/notes.md")
    const [, , released = "", earlier = ""] = read("CHANGELOG.md").split("\n## ")
    expect(notes.trim()).toBe(released.slice(released.indexOf("\n")).trim())
    expect(notes).not.toContain(earlier.split("\n").at(-2) || "The first version")
  })

  it("provenance: every package names its repository and its folder there", () => {
    expect(release("--repository", "no-url").status).toBe(1)
    expect(release("--repository", "https://forge.example/atelier/atelier").status).toBe(0)
    for (const { folder } of packagesOf(copy)) {
      expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).repository).toEqual({
        type: "git",
        url: "git+https://forge.example/atelier/atelier.git",
        directory: relative(copy, folder),
      })
    }
  })

  it("the workflow publishes what was checked, with provenance, its notes and its list of parts", () => {
    const steps = readFileSync(join(root, ".github/workflows/release.yml"), "utf8")
    const order = [
      "id-token: write",
      "npm ci",
      "npm run check",
      "npm run build",
      "npm run release -- --sbom",
      "npm run release -- --notes",
      "npm run release -- --repository",
      "npm publish --workspaces --provenance",
      "--notes-file dist/notes.md dist/sbom.cdx.json",
    ]
    const places = order.map((step) => steps.indexOf(step))
    expect(places.every((place, n) => place > (places[n - 1] ?? -1))).toBe(true)
  })
})
