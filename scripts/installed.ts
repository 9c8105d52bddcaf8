import { existsSync, readdirSync, realpathSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Manifest, readManifest } from "./workspace.ts"

/** A package that an installation brings along, with the bytes of its files. */
export interface Installed {
  readonly name: string
  readonly bytes: number
}

interface WithFiles extends Manifest {
  readonly files?: ReadonlyArray<string>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const bytesIn = (path: string): number => {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).size
  const names = readdirSync(path).filter((name) => name !== "node_modules")
  return names.reduce((sum, name) => sum + bytesIn(join(path, name)), 0)
}

/** Of a package of this repository, what npm would publish. */
const sizeOf = (folder: string, { files, name }: WithFiles): number =>
  name.startsWith("@atelier/") && files !== undefined
    ? files.reduce((sum, file) => sum + bytesIn(join(folder, file)), 0)
    : bytesIn(folder)

const folderOf = (name: string, from: string): string | undefined => {
  const folder = join(from, "node_modules", name)
  if (existsSync(folder)) return realpathSync(folder)
  return dirname(from) === from ? undefined : folderOf(name, dirname(from))
}

/** Every package that installing the one in `folder` brings along, itself too; not those that are optional. */
export const installedWith = (folder: string): ReadonlyArray<Installed> => {
  const found = new Map<string, Installed>()
  const visit = (at: string): void => {
    if (found.has(at)) return
    const manifest: WithFiles = readManifest(at)
    found.set(at, { name: manifest.name, bytes: sizeOf(at, manifest) })
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = manifest
    const peers = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta[name]?.optional !== true,
    )
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]) {
      const next = folderOf(name, at)
      if (next !== undefined) visit(next)
    }
  }
  visit(folder)
  return [...found.values()]
}
