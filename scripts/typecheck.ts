import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { root } from "./workspace.ts"

/**
 * Types of the whole repository, or of the folder that is named (`packages/core`) and what it imports. What was found
 * is kept, so that the next run looks at what changed.
 */
const cache = join(root, "node_modules", ".cache", "types")

const browserPackage = "packages/console"

const tsc = (args: ReadonlyArray<string>): number =>
  spawnSync(join(root, "node_modules", ".bin", "tsc"), args, { cwd: root, stdio: "inherit" }).status ?? 1

const checkPages = (): number => {
  const project = join(root, browserPackage, "tsconfig.json")
  const args = ["--project", project, "--incremental", "--tsBuildInfoFile", join(cache, "pages.tsbuildinfo")]
  return tsc(args)
}

/** A configuration for one folder: paths in it are absolute, since it lies with the caches. */
const configOf = (folder: string): string => {
  const path = join(cache, `${basename(folder)}.json`)
  mkdirSync(cache, { recursive: true })
  const include = [join(root, folder)]
  const typeRoots = [join(root, "node_modules", "@types")]
  writeFileSync(
    path,
    JSON.stringify({ extends: join(root, "tsconfig.json"), include, compilerOptions: { typeRoots } }),
  )
  return path
}

const [folder] = process.argv.slice(2)
if (folder !== undefined && !existsSync(join(root, folder, "package.json"))) {
  console.error(`${folder} is no package; say packages/core, or nothing for the whole repository`)
  process.exitCode = 2
} else {
  const project = folder === undefined ? join(root, "tsconfig.json") : configOf(folder)
  const kept = join(cache, `${folder === undefined ? "all" : basename(folder)}.tsbuildinfo`)
  const args = ["--noEmit", "--project", project, "--incremental", "--tsBuildInfoFile", kept]
  const status = tsc(args)
  // Pages for browsers have types of their own.
  const pages = folder === undefined || folder === browserPackage ? checkPages() : 0
  process.exitCode = status || pages
}
