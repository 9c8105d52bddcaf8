import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * The files and folders that modules are loaded from, and that a parsing process may therefore read: packages
 * below `node_modules` as wholes, of others what they export, and the folders of the modules themselves. Data
 * that lies beside the code of an application is not among them.
 */
export class CodePaths {
  private readonly paths = new Set<string>()
  private readonly modules = new Set<string>()

  /** Counts how often paths were added: a process that was started before does not know them. */
  get generation(): number {
    return this.modules.size
  }

  /** Files and folders, none inside another. */
  get list(): ReadonlyArray<string> {
    const all = [...this.paths]
    return all.filter((path) => !all.some((other) => path.startsWith(other + sep)))
  }

  /** Adds what the module (a URL) may load. */
  add(module: string): void {
    const folder = folderOf(module)
    if (folder === undefined || this.modules.has(folder)) return
    this.modules.add(folder)
    const own = packageOf(folder)
    if (own !== undefined) this.addPackage(own)
    if (folder !== own) this.paths.add(folder)
    else for (const file of codeIn(folder)) this.paths.add(file)
    for (let above = folder; ; above = dirname(above)) {
      this.addModules(join(above, "node_modules"))
      if (above === dirname(above)) break
    }
  }

  /**
   * A folder `node_modules`, and the packages outside of it that it links to, as those of a workspace. Of packages
   * that lie in another `node_modules`, that folder as a whole: what they need lies beside them, and a file system of
   * hundreds of mounted packages cannot be made.
   */
  private addModules(folder: string): void {
    if (this.paths.has(folder) || !existsSync(folder)) return
    this.paths.add(folder)
    for (const link of linksIn(folder)) {
      const linked = realpathOf(link)
      if (linked !== undefined && !linked.startsWith(folder + sep)) this.addPackage(linked)
    }
  }

  private addPackage(root: string): void {
    const modules = modulesAround(root)
    if (modules !== undefined) {
      this.addModules(modules)
      return
    }
    const manifest = join(root, "package.json")
    if (!existsSync(manifest)) return
    this.paths.add(manifest)
    for (const folder of exportedFolders(manifest)) {
      if (existsSync(join(root, folder))) this.paths.add(join(root, folder))
    }
    this.addModules(join(root, "node_modules"))
  }
}

const folderOf = (module: string): string | undefined => {
  if (!module.startsWith("file:")) return undefined
  const path = realpathOf(fileURLToPath(module))
  return path === undefined ? undefined : dirname(path)
}

const realpathOf = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

const packageOf = (folder: string): string | undefined => {
  if (existsSync(join(folder, "package.json"))) return folder
  return dirname(folder) === folder ? undefined : packageOf(dirname(folder))
}

/** The outermost folder `node_modules` that a path lies in. */
const modulesAround = (path: string): string | undefined => {
  const parts = path.split(sep)
  const at = parts.indexOf("node_modules")
  return at === -1 ? undefined : parts.slice(0, at + 1).join(sep)
}

const linksIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) return [path]
    return entry.isDirectory() && entry.name.startsWith("@") ? linksIn(path) : []
  })

/** Where a module lies at the root of its package, beside who knows what. */
const codeIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((name) => /\.([cm]?[jt]s|wasm)$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    exports: Schema.optional(Schema.Unknown),
    main: Schema.optional(Schema.Unknown),
  }),
)

/** The first parts of the paths that a package exports: `src`, `dist`. */
const exportedFolders = (manifest: string): ReadonlySet<string> => {
  const read = Schema.decodeUnknownOption(Manifest)(readFileSync(manifest, "utf8"))
  const targets = Option.isNone(read) ? [] : [...targetsOf(read.value.exports), ...targetsOf(read.value.main)]
  return new Set(
    targets
      .map((target) => target.replace(/^\.\//, "").split("/"))
      .flatMap(([folder = "", ...rest]) =>
        rest.length > 0 && !/^(\.\.?|\*)?$/.test(folder) ? [folder] : [],
      ),
  )
}

const targetsOf = (exported: unknown): ReadonlyArray<string> => {
  if (typeof exported === "string") return [exported]
  return typeof exported === "object" && exported !== null ? Object.values(exported).flatMap(targetsOf) : []
}
