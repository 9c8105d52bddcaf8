import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { text } from "node:stream/consumers"
import type { Package } from "./workspace.ts"

/** What every package says of itself beside its code. */
const required = ["package.json", "README.md", "LICENSE"]

/** What no user needs. */
const unwanted = /(^|\/)(test|tests|fixtures|node_modules)\/|\.test\.[jt]sx?$|\.tsbuildinfo$|(^|\/)\.[^/]+$/

/** The files that npm would publish. */
export const packedFiles = async (folder: string): Promise<ReadonlyArray<string>> => {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--silent"]
  const child = spawn("npm", args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
  const [stdout] = await Promise.all([text(child.stdout), once(child, "close")])
  const [packed]: ReadonlyArray<{ readonly files: ReadonlyArray<{ readonly path: string }> }> =
    JSON.parse(stdout)
  return (packed?.files ?? []).map(({ path }) => path)
}

/** What is missing in a package, is too much, or leads nowhere. */
export const contentProblems = async ({ folder, manifest }: Package): Promise<ReadonlyArray<string>> => {
  const files = new Set(await packedFiles(folder))
  const missing = required.filter((file) => !files.has(file)).map((file) => `packed without ${file}`)
  const extra = [...files].filter((file) => unwanted.test(file)).map((file) => `packed with ${file}`)
  const maps = [...files].filter((file) => file.endsWith(".map"))
  const lost = maps.flatMap((map) =>
    sourcesOf(join(folder, map))
      .map((source) => normalize(join(dirname(map), source)))
      .filter((source) => !files.has(source))
      .map((source) => `${map} names ${source}, which is not packed`),
  )
  const targets = targetsOf(manifest.exports).filter((target) => !target.includes("*"))
  const absent = targets
    .filter((target) => !files.has(normalize(target)))
    .map((target) => `exports ${target}, which is not packed`)
  return [...missing, ...extra, ...lost.slice(0, 3), ...absent]
}

const sourcesOf = (map: string): ReadonlyArray<string> =>
  existsSync(map) ? JSON.parse(readFileSync(map, "utf8")).sources : []

const targetsOf = (exports: unknown): ReadonlyArray<string> => {
  if (typeof exports === "string") return [exports]
  return typeof exports === "object" && exports !== null ? Object.values(exports).flatMap(targetsOf) : []
}
