import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import {
  type Import,
  isBuiltin,
  isRelative,
  isSource,
  placeOf,
  readTree,
  splitSpecifier,
  type Tree,
} from "../scripts/imports.ts"
import { filesBelow, type Package } from "../scripts/workspace.ts"

/**
 * The layers of the packages as data, and the rules that every import is held to.
 * `violations(base)` reads the tree at `base`, so that the rules can be shown to fail on a wrong one.
 */

/** The packages that each may import. A package that is not named may import none; `cli` and `node` may import all. */
const packageArrows: Readonly<Record<string, ReadonlyArray<string>>> = {
  core: [],
  intake: [],
  sql: ["core"],
  blobs: ["core"],
  models: ["core", "intake"],
  executor: ["core", "intake"],
  "executor-text": ["core", "executor", "intake"],
  "executor-pptx": ["core", "executor", "intake"],
  "executor-convert": ["core", "executor", "intake"],
  "executor-notebook": ["core", "executor", "intake"],
  "executor-epub": ["core", "executor", "intake"],
  "executor-scan": ["core", "executor", "executor-convert", "intake"],
  plugin: ["core", "intake", "models"],
  api: ["core"],
  http: ["api", "core", "intake"],
  client: [],
  console: ["api"],
}
/** Packages that put the others together (design: only they import all). */
const compositionRoots: ReadonlyArray<string> = ["cli", "node"]

/** The folders of core, from the bottom up; a file imports its own layer and those below. */
const coreLayers: ReadonlyArray<string> = ["domain", "ports", "services", "workers", "testing"]

/** Test tools that only the `testing` of these packages may use, and what of outside code core and the api may use. */
const testingTools: ReadonlyArray<string> = ["vitest", "@effect/vitest", "fast-check"]
const withTesting: ReadonlyArray<string> = ["core", "models"]
const effectAlone: ReadonlyArray<string> = ["core", "api"]
const withoutNode: ReadonlyArray<string> = ["api", "client", "console"]

/** Packages whose dependencies are built into their files. */
const bundled: ReadonlyArray<string> = ["console"]

/** Every broken rule, as one sentence each. */
export const violations = (base: string): ReadonlyArray<string> => {
  const tree = readTree(base)
  return [
    ...tree.imports.flatMap((each) => importViolations(tree, each)),
    ...tree.packages.flatMap((each) => dependencyViolations(tree, each)),
    ...rootViolations(tree),
    ...cycles(tree),
  ]
}

const importViolations = (tree: Tree, each: Import): ReadonlyArray<string> => {
  const problem = isRelative(each.specifier) ? relativeProblem(tree, each) : packageProblem(tree, each)
  const from = relative(tree.base, each.file)
  return problem === undefined ? [] : [`${from} imports ${each.specifier}: ${problem}`]
}

const relativeProblem = (tree: Tree, { file, specifier }: Import): string | undefined => {
  const target = resolve(dirname(file), specifier)
  if (!existsSync(target)) return "no such file"
  const from = placeOf(tree, file)
  const to = placeOf(tree, target)
  if (from.owner !== to.owner) return "another package is imported by its name"
  if (from.area === "src" && to.area !== "src" && to.path !== "package.json")
    return "sources import sources only"
  return from.short === "core" && from.area === "src" ? layerProblem(from.path, to.path) : undefined
}

const layerProblem = (from: string, to: string): string | undefined => {
  const layerOf = (path: string): number => coreLayers.indexOf(path.split("/")[1] ?? "")
  const isEntryPoint = (path: string): boolean => path.split("/").length === 2
  if (isEntryPoint(from)) return undefined
  if (isEntryPoint(to)) return "the entry point is for other packages"
  if (layerOf(from) < 0 || layerOf(to) < 0) return "not a layer of core"
  return layerOf(to) > layerOf(from) ? "a layer imports its own and those below" : undefined
}

const packageProblem = (tree: Tree, { file, specifier, names }: Import): string | undefined => {
  const { short, area, path } = placeOf(tree, file)
  const { name, subpath } = splitSpecifier(specifier)
  const target = tree.packages.find(({ manifest }) => manifest.name === name)
  if (target !== undefined && !Object.keys(target.manifest.exports ?? {}).includes(subpath)) {
    return "not in the package's exports"
  }
  if (short === undefined || area !== "src") return undefined
  if (target !== undefined) return arrowProblem(tree, short, target, names)
  if (isBuiltin(specifier)) return withoutNode.includes(short) ? "this package runs without Node" : undefined
  return outsideProblem(short, path, specifier)
}

const arrowProblem = (
  tree: Tree,
  short: string,
  target: Package,
  names: Import["names"],
): string | undefined => {
  const to = relative(join(tree.base, "packages"), target.folder)
  if (to === short) return "a package does not import itself by name"
  if (compositionRoots.includes(short)) return undefined
  if (!(packageArrows[short] ?? []).includes(to)) return "arrows go down only"
  if (to !== "core") return undefined
  if (short === "api") return domainProblem(tree, target, names)
  return short === "http" ? portsProblem(tree, target, names) : undefined
}

/** The port of the object that callbacks carry is HTTP's to implement: it is the one that readers get. */
const implementedByHttp: ReadonlyArray<string> = ["TaskRendering"]

/** HTTP asks services, and may name the records that ports speak of; what stores and queues do is the services' business. */
const portsProblem = (tree: Tree, core: Package, names: Import["names"]): string | undefined => {
  if (names === undefined) return "take names, so that they can be seen to be of services"
  const ports = join(core.folder, "src", "ports")
  const isPort = (name: string): boolean => {
    const file = definedAt(tree, core, name)
    return (
      file?.startsWith(`${ports}/`) === true &&
      !implementedByHttp.includes(name) &&
      new RegExp(`class ${name} extends|const ${name}\\b`).test(readFileSync(file, "utf8"))
    )
  }
  const found = names.filter(isPort)
  return found.length === 0 ? undefined : `http asks services, not ports: ${found.join(", ")}`
}

/** The api shares core's vocabulary, nothing that runs. */
const domainProblem = (tree: Tree, core: Package, names: Import["names"]): string | undefined => {
  if (names === undefined) return "take names, so that they can be seen to be of the domain"
  const domain = join(core.folder, "src", "domain")
  const outside = names.filter((name) => !definedAt(tree, core, name)?.startsWith(`${domain}/`))
  return outside.length === 0 ? undefined : `not of core's domain: ${outside.join(", ")}`
}

/** The file that the package's entry point takes `name` from. */
const definedAt = (tree: Tree, { folder }: Package, name: string): string | undefined => {
  const entryPoint = join(folder, "src", "index.ts")
  const entries = tree.modules.get(entryPoint)?.staticExports.flatMap((each) => each.entries) ?? []
  for (const { moduleRequest, exportName } of entries) {
    if (moduleRequest === null) continue
    const target = resolve(dirname(entryPoint), moduleRequest.value)
    if (exportName.name === name) return target
    const own = tree.modules.get(target)?.staticExports.flatMap((each) => each.entries) ?? []
    if (exportName.name === null && own.some((entry) => entry.exportName.name === name)) return target
  }
  return undefined
}

const outsideProblem = (short: string, path: string, specifier: string): string | undefined => {
  const { name } = splitSpecifier(specifier)
  const inTesting = withTesting.includes(short) && path.startsWith("src/testing/")
  if (inTesting && testingTools.includes(name)) return undefined
  if (effectAlone.includes(short) && name !== "effect") return `${short} depends on effect alone`
  return specifier === "effect"
    ? "import effect's modules one by one: the barrel costs start-up time"
    : undefined
}

/** What sources import is declared by their own package, and what it declares is used; tests may use the root's. */
const dependencyViolations = (tree: Tree, each: Package): ReadonlyArray<string> => {
  const outside = (area: string): ReadonlySet<string> =>
    new Set(
      tree.imports
        .filter(({ file }) => file.startsWith(`${join(each.folder, area)}/`))
        .filter(({ specifier }) => !isRelative(specifier) && !isBuiltin(specifier))
        .map(({ specifier }) => splitSpecifier(specifier).name),
    )
  const { dependencies, peerDependencies, optionalDependencies, devDependencies, name } = each.manifest
  const isBundled = bundled.includes(relative(join(tree.base, "packages"), each.folder))
  const atRunTime = {
    ...dependencies,
    ...peerDependencies,
    ...optionalDependencies,
    ...(isBundled ? devDependencies : {}),
  }
  const inTests = { ...atRunTime, ...devDependencies, ...rootTools(tree.base), [name]: "" }
  const files = filesBelow(join(each.folder, "src"))
  const peers = new Set(
    tree.packages
      .filter(({ manifest }) => manifest.name in (dependencies ?? {}))
      .flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {})),
  )
  const mentions = (dependency: string): boolean =>
    peers.has(dependency) ||
    files.some((file) => isSource(file) && readFileSync(file, "utf8").includes(`"${dependency}`))
  return [
    ...[...outside("src")]
      .filter((used) => !(used in atRunTime))
      .map((used) => `${name} does not declare ${used}`),
    ...[...outside("test")]
      .filter((used) => !(used in inTests))
      .map((used) => `${name}'s tests need ${used}`),
    ...(files.length === 0 ? [] : Object.keys(dependencies ?? {}))
      .filter((declared) => !mentions(declared))
      .map((declared) => `${name} declares ${declared} and does not use it`),
  ]
}

/** What belongs to no package takes the repository's own packages as they are, and declares the rest at the root. */
const rootViolations = (tree: Tree): ReadonlyArray<string> => {
  const used = tree.imports
    .filter(({ file, specifier }) => placeOf(tree, file).owner === undefined && !isRelative(specifier))
    .filter(({ specifier }) => !isBuiltin(specifier))
    .map(({ specifier }) => splitSpecifier(specifier).name)
    .filter((name) => !tree.packages.some(({ manifest }) => manifest.name === name))
  const tools = rootTools(tree.base)
  return [...new Set(used)]
    .filter((name) => !(name in tools) && !declaredElsewhere.includes(name))
    .map((name) => `the root does not declare ${name}`)
}

/** Of the client's development dependencies, which bring its TypeScript; of the reader of the Next.js example. */
const declaredElsewhere: ReadonlyArray<string> = ["@hey-api/openapi-ts", "react"]

const rootTools = (base: string): Readonly<Record<string, string>> => {
  const file = join(base, "package.json")
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).devDependencies : {}
}

/** Every cycle of files, types included, each told once from its first file on. */
const cycles = (tree: Tree): ReadonlyArray<string> => {
  const edges = Map.groupBy(tree.imports, ({ file }) => file)
  const found: Array<string> = []
  const done = new Set<string>()
  const path: Array<string> = []
  const visit = (file: string): void => {
    if (path.includes(file)) {
      const cycle = [...path.slice(path.indexOf(file)), file]
      found.push(`a cycle: ${cycle.map((each) => relative(tree.base, each)).join(" -> ")}`)
      return
    }
    if (done.has(file)) return
    path.push(file)
    for (const each of edges.get(file) ?? []) {
      const target = targetOf(tree, each)
      if (target !== undefined) visit(target)
    }
    path.pop()
    done.add(file)
  }
  for (const file of edges.keys()) visit(file)
  return found
}

const targetOf = (tree: Tree, { file, specifier }: Import): string | undefined => {
  if (isRelative(specifier)) return resolve(dirname(file), specifier)
  const { name, subpath } = splitSpecifier(specifier)
  const target = tree.packages.find(({ manifest }) => manifest.name === name)
  const entry = target?.manifest.exports?.[subpath]
  const source = typeof entry === "object" && entry !== null ? Object.values(entry)[0] : undefined
  return target !== undefined && typeof source === "string" ? join(target.folder, source) : undefined
}
