import { readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { join, relative } from "node:path"
import { type EcmaScriptModule, parseSync } from "oxc-parser"
import { filesBelow, type Package, packagesOf } from "./workspace.ts"

/** One import of one file. `names` is undefined where it takes the whole module. */
export interface Import {
  readonly file: string
  readonly specifier: string
  readonly names: ReadonlyArray<string> | undefined
}

/** A tree that was read: its packages, and the imports of each of its files. */
export interface Tree {
  readonly base: string
  readonly packages: ReadonlyArray<Package>
  readonly modules: ReadonlyMap<string, EcmaScriptModule>
  readonly imports: ReadonlyArray<Import>
}

const sourceFolders = ["scripts", "test", "examples", "benchmarks"]
export const isSource = (file: string): boolean =>
  /\.(ts|tsx)$/.test(file) && !/\/(fixtures|dist)\//.test(file)

/** Every source of the tree at `base`, with its imports. */
export const readTree = (base: string): Tree => {
  const packages = packagesOf(base)
  const folders = [
    ...packages.flatMap(({ folder }) => [join(folder, "src"), join(folder, "test")]),
    ...sourceFolders.map((name) => join(base, name)),
  ]
  const modules = new Map<string, EcmaScriptModule>()
  const imports: Array<Import> = []
  for (const file of folders.flatMap(filesBelow).filter(isSource)) {
    const source = readFileSync(file, "utf8")
    const { module, errors } = parseSync(file, source)
    const error = errors.find(({ severity }) => severity === "Error")
    if (error !== undefined) throw new Error(`${relative(base, file)}: ${error.message}`)
    modules.set(file, module)
    imports.push(...importsOf(file, source, module))
  }
  return { base, packages, modules, imports }
}

const importsOf = (file: string, source: string, module: EcmaScriptModule): ReadonlyArray<Import> => {
  const statics = module.staticImports.map(({ moduleRequest, entries }) => ({
    file,
    specifier: moduleRequest.value,
    names: namesTaken(entries.map(({ importName }) => importName)),
  }))
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, importName }) =>
      moduleRequest === null
        ? []
        : [{ file, specifier: moduleRequest.value, names: namesTaken([importName]) }],
    ),
  )
  const dynamics = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^(["'`])([^$]*)\1$/.exec(source.slice(start, end))?.[2]
    return literal === undefined ? [] : [{ file, specifier: literal, names: undefined }]
  })
  return [...statics, ...reexports, ...dynamics]
}

const namesTaken = (
  entries: ReadonlyArray<{ readonly kind: string; readonly name: string | null }>,
): ReadonlyArray<string> | undefined =>
  entries.every(({ kind }) => kind === "Name") ? entries.flatMap(({ name }) => name ?? []) : undefined

/** Which package a file belongs to, and the folder in it (`src`, `test`); neither for the root's own files. */
export const placeOf = ({ base, packages }: Tree, file: string) => {
  const owner = packages.find(({ folder }) => file.startsWith(`${folder}/`))
  const path = relative(owner?.folder ?? base, file)
  return {
    owner,
    short: owner && relative(join(base, "packages"), owner.folder),
    path,
    area: path.split("/")[0],
  }
}

export const isRelative = (specifier: string): boolean => specifier.startsWith(".")
export const isBuiltin = (specifier: string): boolean =>
  specifier.startsWith("node:") || builtinModules.includes(specifier)

/** `@scope/name/deep/file` and `name/deep/file` as package name and exports subpath. */
export const splitSpecifier = (specifier: string): { readonly name: string; readonly subpath: string } => {
  const parts = specifier.split("/")
  const name = parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/")
  return { name, subpath: `.${specifier.slice(name.length)}` }
}
