import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
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
const attwProblems = async ({ folder }: Package): Promise<ReadonlyArray<string>> => {
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

/** A command starts from `dist` with plain Node, without the condition that names the sources. */
const commandProblems = ({ folder, manifest }: Package): ReadonlyArray<string> =>
  Object.entries(manifest.bin ?? {}).flatMap(([name, path]) => {
    const file = join(folder, path)
    if (!existsSync(file)) return [`${name}: ${path} is not there`]
    if (!readFileSync(file, "utf8").startsWith("#!/usr/bin/env node\n")) return [`${name}: no #! line`]
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, "--help"], { encoding: "utf8" })
    return status === 0 ? [] : [`${name} --help ended with ${status}:\n${stdout}${stderr}`]
  })

const built = packagesOf(root).filter(({ folder }) => existsSync(join(folder, "dist")))
await twoAtATime(built, async (each) => {
  const problems = await problemsOf(each)
  for (const problem of problems) console.log(`${each.manifest.name}: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
})
console.log(`checked ${built.length} packages`)
