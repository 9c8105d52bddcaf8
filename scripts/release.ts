import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { packagesOf, root } from "./workspace.ts"

/**
 * `npm run release -- VERSION`: gives all packages, which have one version, the next one, and the changelog its
 * heading. What follows is said at its end; the workflow `release` publishes what is tagged.
 *
 * `npm run release -- --sbom`: writes what a release is made of, `dist/sbom.cdx.json` (CycloneDX).
 * `npm run release -- --notes`: writes the changelog's part of this version, `dist/notes.md`.
 * `npm run release -- --repository URL`: every package names where its sources are. npm compares it with the workflow
 * that publishes, and refuses the provenance of a package that names none.
 */

const npm = (...args: ReadonlyArray<string>): string =>
  execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })

const semantic = /^(\d+)\.(\d+)\.(\d+)(-[0-9a-z.]+)?$/

const writeSbom = (): void => {
  mkdirSync(join(root, "dist"), { recursive: true })
  const sbom = npm("sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only")
  writeFileSync(join(root, "dist", "sbom.cdx.json"), sbom)
  console.log(`written dist/sbom.cdx.json: ${JSON.parse(sbom).components.length} components`)
}

/** From the heading of this version to the next one. */
const writeNotes = (): void => {
  const version = readVersion()
  const [, notes] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(`\n## ${version} (`)
  if (notes === undefined) throw new Error(`CHANGELOG.md has no heading for ${version}`)
  const [, ...lines] = (notes.split("\n## ")[0] ?? "").split("\n")
  mkdirSync(join(root, "dist"), { recursive: true })
  writeFileSync(join(root, "dist", "notes.md"), `${lines.join("\n").trim()}\n`)
}

const setRepository = (url: string): void => {
  if (!/^https:\/\/[^\s?#]+$/.test(url)) throw new Error(`expected the repository's https URL, got ${url}`)
  for (const { folder } of packagesOf(root)) {
    const file = join(folder, "package.json")
    const manifest = JSON.parse(readFileSync(file, "utf8"))
    const directory = relative(root, folder)
    manifest.repository = { type: "git", url: `git+${url.replace(/\.git$/, "")}.git`, directory }
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

const readVersion = (): string => JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version

/** Exact versions of each other: packages of one release belong together. */
const setVersions = (from: string, to: string): void => {
  const own = new Set(packagesOf(root).map(({ manifest }) => manifest.name))
  for (const folder of [root, ...packagesOf(root).map((each) => each.folder)]) {
    const file = join(folder, "package.json")
    const manifest = JSON.parse(readFileSync(file, "utf8"))
    manifest.version = to
    for (const field of ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]) {
      for (const name of Object.keys(manifest[field] ?? {})) {
        if (own.has(name) && manifest[field][name] === from) manifest[field][name] = to
      }
    }
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

const unreleased = "## Unreleased\n"

/** What was collected under "Unreleased" is the release's. */
const setHeading = (version: string, date: string): void => {
  const file = join(root, "CHANGELOG.md")
  const text = readFileSync(file, "utf8")
  if (!text.includes(unreleased)) throw new Error("CHANGELOG.md has nothing under Unreleased")
  writeFileSync(file, text.replace(unreleased, `${unreleased}\n## ${version} (${date})\n`))
}

const release = (version: string): void => {
  const from = readVersion()
  if (!semantic.test(version)) throw new Error(`expected a version such as 0.2.0, got ${version}`)
  if (execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "") {
    throw new Error("commit first: the release is one commit of its own")
  }
  setVersions(from, version)
  setHeading(version, new Date().toISOString().slice(0, 10))
  npm("install", "--package-lock-only", "--ignore-scripts", "--silent")
  console.log(`${from} -> ${version}. Next: read CHANGELOG.md, npm run check, commit, and`)
  console.log(`  git tag -a v${version} -m v${version} && git push origin main v${version}`)
}

const [argument = "", value = ""] = process.argv.slice(2)
try {
  if (argument === "--sbom") writeSbom()
  else if (argument === "--notes") writeNotes()
  else if (argument === "--repository") setRepository(value)
  else release(argument)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
