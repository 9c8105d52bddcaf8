import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import type { Package } from "./workspace.ts"

/** What every package says of itself beside its code. */
const required = ["package.json", "README.md", "LICENSE"]

/** What no user needs. */
const unwanted = /(^|\/)(test|tests|fixtures|node_modules)\/|\.test\.[jt]sx?$|\.tsbuildinfo$|(^|\/)\.[^/]+$/

/** The files of an archive that npm would publish. */
const filesIn = (archive: string): ReadonlyArray<string> =>
  execFileSync("tar", ["-tzf", archive], { encoding: "utf8" })
    .trimEnd()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""))

/** What is missing in a package, is too much, or leads nowhere. */
export const contentProblems = ({ folder, manifest }: Package, archive: string): ReadonlyArray<string> => {
  const files = new Set(filesIn(archive))
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
