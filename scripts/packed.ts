import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Package, root } from "./workspace.ts"

/** Packs packages into `folder` as npm would publish them; the archives by the names of the packages. */
export const pack = (packages: ReadonlyArray<Package>, folder: string): ReadonlyMap<string, string> => {
  mkdirSync(folder, { recursive: true })
  const names = packages.flatMap(({ manifest }) => ["--workspace", manifest.name])
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder, ...names], {
    cwd: root,
  })
  return new Map(
    packages.map(({ manifest: { name, version } }) => [
      name,
      join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`),
    ]),
  )
}
