import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { type Package, packagesOf, readManifest, root, twoAtATime } from "./workspace.ts"

/** The problems of the package as it would be published; empty if there are none. */
const problemsOf = async (each: Package): Promise<ReadonlyArray<string>> => [
  ...(await publintProblems(each)),
  ...(await attwProblems(each)),
  ...commandProblems(each),
]

const publintProblems = async ({ folder }: Package): Promise<ReadonlyArray<string>> => {
  const { messages } = await publint({ pkgDir: folder, pack: "npm", strict: true })
  const manifest = { ...readManifest(folder) }
  return messages.map((message) => `publint: ${formatMessage(message, manifest) ?? message.code}`)
}

/** Do the types resolve for a user of the package, and do they match the module that runs? */
const attwProblems = async ({ folder, manifest }: Package): Promise<ReadonlyArray<string>> => {
  // Files for browsers have no types.
  if (!Object.keys(manifest.exports ?? {}).includes(".")) return []
  const args = [
    "--pack",
    folder,
    "--profile",
    "esm-only",
    "--no-emoji",
    "--no-color",
    "--format",
    "table-flipped",
  ]
  const child = spawn("attw", args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  return code === 0 ? [] : [`attw:\n${stdout}${stderr}`]
}

/** A command names a file that is there and says what runs it. */
const commandProblems = ({ folder, manifest }: Package): ReadonlyArray<string> =>
  Object.entries(manifest.bin ?? {}).flatMap(([name, path]) => {
    const file = join(folder, path)
    if (!existsSync(file)) return [`${name}: ${path} is not there`]
    return readFileSync(file, "utf8").startsWith("#!/usr/bin/env node\n") ? [] : [`${name}: no #! line`]
  })

/** What a package needs beside those of this repository is linked; they themselves are as npm would publish them. */
const install = (packages: ReadonlyArray<Package>, folder: string): void => {
  const [packed, modules] = [join(folder, "packed"), join(folder, "node_modules")]
  mkdirSync(packed)
  mkdirSync(join(modules, "@atelier"), { recursive: true })
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@atelier" && name !== ".bin") {
      symlinkSync(join(root, "node_modules", name), join(modules, name))
    }
  }
  const names = packages.flatMap(({ manifest }) => ["--workspace", manifest.name])
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", packed, ...names], {
    cwd: root,
  })
  for (const { manifest } of packages) {
    const archive = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`
    const to = join(modules, manifest.name)
    mkdirSync(to, { recursive: true })
    execFileSync("tar", ["--strip-components=1", "-xzf", join(packed, archive), "-C", to])
  }
}

/** Commands of packages that were packed and installed: with plain Node, without the condition that names the sources. */
const installedProblems = (packages: ReadonlyArray<Package>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-packed-"))
  try {
    install(packages, folder)
    return packages.flatMap(({ manifest }) =>
      Object.entries(manifest.bin ?? {}).flatMap(([name, path]) => {
        const file = join(folder, "node_modules", manifest.name, path)
        return Object.entries({ "--help": 0, absent: 2 }).flatMap(([argument, wanted]) => {
          const found = spawnSync(process.execPath, [file, argument], { encoding: "utf8" })
          return found.status === wanted
            ? []
            : [`installed, ${name} ${argument} ended with ${found.status}:\n${found.stdout}${found.stderr}`]
        })
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const built = packagesOf(root).filter(({ folder }) => existsSync(join(folder, "dist")))
await twoAtATime(built, async (each) => {
  const problems = await problemsOf(each)
  for (const problem of problems) console.log(`${each.manifest.name}: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
})
for (const problem of installedProblems(built)) {
  console.log(problem)
  process.exitCode = 1
}
console.log(`checked ${built.length} packages`)
