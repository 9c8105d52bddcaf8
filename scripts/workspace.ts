import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The repository's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** `NODE_COMPILE_CACHE` of short programs that run from the sources: most of their time is the loading of what they import. */
export const compiledFolder = join(root, "node_modules", ".cache", "compile")

/** The parts of a package.json that the tools here read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A workspace package: its folder, and its package.json. */
export interface Package {
  readonly folder: string
  readonly manifest: Manifest
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** Every package of the tree at `base`, by name. */
export const packagesOf = (base: string): ReadonlyArray<Package> =>
  readdirSync(join(base, "packages"))
    .toSorted()
    .map((name) => join(base, "packages", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))

/** Every file below `folder` as an absolute path, sorted; nothing when it does not exist. */
export const filesBelow = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted()
    : []

/** Modules that another process loads by URL: `siblingModule("parse", import.meta.url)` in a file below `folder`. */
export const siblingModules = (folder: string): ReadonlyArray<string> =>
  filesBelow(folder)
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/siblingModule\("([^"]+)", import\.meta\.url\)/g)].map(
        ([, name]) => join(dirname(file), `${name}.ts`),
      ),
    )
    .filter((file) => existsSync(file))

/** Does `work` for every item, two at a time. */
export const twoAtATime = async <A>(
  items: ReadonlyArray<A>,
  work: (item: A) => Promise<void>,
): Promise<void> => {
  const waiting = items.values()
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all([lane(), lane()])
}
