import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, type Plugin } from "esbuild"
import { filesBelow, packagesOf, root, siblingModules } from "../../scripts/workspace.ts"

/**
 * The commands as one bundle of the sources, for tests: most of a start is the loading of some nine hundred modules,
 * and the tests start hundreds of processes. What the packages publish is held by `npm run build:check`.
 */

const cache = join(root, "node_modules", ".cache", "bundle")

const sources = (): ReadonlyArray<string> =>
  packagesOf(root).flatMap(({ folder }) => [
    join(folder, "package.json"),
    ...filesBelow(join(folder, "src")),
    ...(existsSync(join(folder, "openapi.json")) ? [join(folder, "openapi.json")] : []),
  ])

/** Names a state of the sources and of what is installed. */
const stateOf = (files: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const file of [...files, fileURLToPath(import.meta.url), join(root, "package-lock.json")]) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest("hex").slice(0, 16)
}

/** Runs a main file of `packages/cli`, made from the sources as they are now. */
export const bundledCommands = (): string => {
  const folder = join(cache, stateOf(sources()))
  if (!existsSync(folder))
    execFileSync(process.execPath, [fileURLToPath(import.meta.url)], { stdio: "inherit" })
  return join(folder, "packages/cli/src/main.js")
}

const main = join(root, "packages/cli/src/main.ts")

/** Each module is where it would be without the bundle, as far as it can tell. */
const places = (folder: string): Plugin => ({
  name: "places",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      // What is printed for others is left as it is.
      if (path.includes("/scaffold/")) return undefined
      const place = join(folder, relative(root, path)).replace(/\.ts$/, ".js")
      const text = readFileSync(path, "utf8")
      return {
        contents: text.replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(place).href)),
        loader: "ts",
      }
    })
  },
})

/** Packages with files of their own. */
const outside = [
  "@resvg/*",
  "@expo-google-fonts/*",
  "@hyzyla/pdfium",
  "tesseract.js-core",
  "@tesseract.js-data/*",
  "pg-native",
  // CommonJS that is exported again as a whole.
  "undici",
]

/** What a cache keeps of runs that are over. Other processes do the same. */
export const removeOld = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const other = join(folder, name)
    const made = statSync(other, { throwIfNoEntry: false })
    if (made !== undefined && Date.now() - made.mtimeMs > keptMs) {
      rmSync(other, { recursive: true, force: true })
    }
  }
}

const keptMs = 3_600_000

const make = async (): Promise<void> => {
  const files = sources()
  const folder = join(cache, stateOf(files))
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, "new-"))
  await build({
    absWorkingDir: root,
    entryPoints: [main, ...packagesOf(root).flatMap(({ folder }) => siblingModules(join(folder, "src")))],
    outdir: made,
    outbase: root,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    conditions: ["atelier:source"],
    external: outside,
    plugins: [places(folder)],
    // Some packages are CommonJS, which asks for `require`.
    banner: {
      js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);',
    },
    logLevel: "warning",
  })
  // Without it Node reads each module twice, to find out what it is.
  writeFileSync(join(made, "package.json"), '{ "type": "module" }')
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) cpSync(file, join(made, relative(root, file)))
  }
  // Parsing processes run as another user.
  chmodSync(made, 0o755)
  removeOld(cache)
  try {
    renameSync(made, folder)
  } catch (error) {
    // Made by another process meanwhile.
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await make()
