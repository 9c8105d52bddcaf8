import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { build, type Plugin, transform } from "esbuild"
import { type Package, siblingModules } from "./workspace.ts"

const target = "es2024"
/** Stands for the URL of a module of the sources in the text of a bundle. */
const marker = "atelier-module:"

/**
 * Bundles the modules of a package to few files in `dist`, because loading hundreds takes longer than running them:
 * one for each entry point, for each module that another process loads, and for what they share. Other packages stay
 * outside.
 */
export const bundlePackage = async ({ folder, manifest }: Package): Promise<void> => {
  const [sources, dist] = [join(folder, "src"), join(folder, "dist")]
  const { outputFiles } = await build({
    entryPoints: [...new Set([...entriesOf(manifest, folder), ...siblingModules(sources)])],
    outbase: sources,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target,
    packages: "external",
    sourcemap: "linked",
    sourcesContent: false,
    tsconfigRaw: {},
    plugins: [ownUrl(sources)],
    logLevel: "warning",
    write: false,
  })
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, path.endsWith(".js") ? withUrls(text, dirname(path), dist) : text)
  }
}

/** The sources of what a package exports, and of its command. */
const entriesOf = ({ exports = {} }: Package["manifest"], folder: string): ReadonlyArray<string> =>
  Object.values(exports)
    .flatMap((target) => (typeof target === "object" && target !== null ? Object.values(target) : []))
    .filter((target) => typeof target === "string" && target.startsWith("./src/"))
    .concat("./src/main.ts")
    .map((target) => join(folder, String(target)))
    .filter((file) => existsSync(file))

/** A module that asks for its own URL finds what lies beside it, wherever the bundle has put it. */
const ownUrl = (sources: string): Plugin => ({
  name: "own-url",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = readFileSync(path, "utf8")
      if (!source.includes("import.meta.url")) return undefined
      const name = relative(sources, path).replace(/\.ts$/, ".js")
      const { code: contents } = await transform(source, {
        loader: "ts",
        target,
        sourcefile: basename(path),
        sourcemap: "inline",
        tsconfigRaw: {},
        define: { "import.meta.url": JSON.stringify(marker + name) },
      })
      return { contents, loader: "js" }
    }),
})

/** The folder is what counts; `new URL` would make another bundler look for a file. */
const withUrls = (text: string, folder: string, dist: string): string =>
  `${tracedModules(text, folder, dist)}${text}`.replaceAll(
    new RegExp(`"${marker}([^"]+)"`, "g"),
    (_, name: string) => {
      const wanted = relative(folder, join(dist, name))
      return dirname(wanted) === "."
        ? "import.meta.url"
        : `import.meta.url.replace(/[^/]*$/, ${JSON.stringify(wanted)})`
    },
  )

/**
 * A function that is never called, with imports of the modules that other processes load: what copies imported files,
 * such as Next.js for its standalone output, takes them along.
 */
const tracedModules = (text: string, folder: string, dist: string): string => {
  const call = new RegExp(`siblingModule\\d*\\("([^"]+)", "${marker}([^"]+)"\\)`, "g")
  const imports = [...text.matchAll(call)].map(([, name, self = ""]) => {
    const path = relative(folder, join(dist, dirname(self), `${name}.js`))
    return `import("${path.startsWith(".") ? path : `./${path}`}")`
  })
  return imports.length === 0 ? "" : `const tracedModules = () => [${imports.join(", ")}]; `
}
