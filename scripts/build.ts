import { spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { bundlePackage } from "./bundlePackage.ts"
import { filesBelow, type Package, packagesOf, root } from "./workspace.ts"

/**
 * Builds each package's `src` to `dist`: few ES modules, declarations, and every other file as it is.
 * A package is compiled against the built declarations of the ones below it, as its users will be.
 */
const build = async (): Promise<void> => {
  const packages = inDependencyOrder(packagesOf(root).filter(hasSource))
  for (const { folder } of packages) rmSync(join(folder, "dist"), { recursive: true, force: true })
  for (const each of packages) {
    declare(each)
    await bundlePackage(each)
    copyAssets(each)
    makeExecutable(each)
  }
  // npm packs what is in a package's own folder.
  for (const { folder } of packagesOf(root)) copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"))
  const pages = packagesOf(root).filter(isPages)
  for (const each of pages) buildPages(each)
  console.log(`built ${[...packages, ...pages].map(({ manifest }) => manifest.name).join(", ")}`)
}

const hasSource = ({ folder }: Package): boolean => existsSync(join(folder, "src", "index.ts"))

/** Pages for browsers build themselves. */
const isPages = ({ folder }: Package): boolean => existsSync(join(folder, "build.ts"))

const buildPages = ({ folder, manifest }: Package): void => {
  rmSync(join(folder, "dist"), { recursive: true, force: true })
  const { status } = spawnSync(process.execPath, [join(folder, "build.ts")], { stdio: "inherit" })
  if (status !== 0) throw new Error(`${manifest.name} does not build`)
}

const inDependencyOrder = (packages: ReadonlyArray<Package>): ReadonlyArray<Package> => {
  const ordered = new Set<Package>()
  const visit = (each: Package): void => {
    for (const name of Object.keys(each.manifest.dependencies ?? {})) {
      const below = packages.find(({ manifest }) => manifest.name === name)
      if (below !== undefined && !ordered.has(below)) visit(below)
    }
    ordered.add(each)
  }
  packages.forEach(visit)
  return [...ordered]
}

const declare = ({ folder, manifest }: Package): void => {
  const cache = join(root, "node_modules", ".cache", "build")
  const config = join(cache, `${manifest.name.replace("/", "-")}.json`)
  mkdirSync(cache, { recursive: true })
  const compilerOptions = {
    rootDir: join(folder, "src"),
    outDir: join(folder, "dist"),
    emitDeclarationOnly: true,
    sourceMap: false,
    typeRoots: [join(root, "node_modules", "@types")],
  }
  const include = [join(folder, "src")]
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions, include }),
  )
  const { status } = spawnSync("tsc", ["--project", config], { cwd: root, stdio: "inherit" })
  if (status !== 0) throw new Error(`${manifest.name} does not compile`)
}

const copyAssets = ({ folder }: Package): void => {
  for (const file of filesBelow(join(folder, "src"))) {
    if (file.endsWith(".ts") || file.endsWith(".tsx")) continue
    const to = join(folder, "dist", relative(join(folder, "src"), file))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(file, to)
  }
}

const makeExecutable = ({ folder, manifest }: Package): void => {
  for (const path of Object.values(manifest.bin ?? {})) {
    const file = join(folder, path)
    if (existsSync(file)) chmodSync(file, 0o755)
  }
}

try {
  await build()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
