import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Builds the pages to `dist`, unless they are there from the same sources. Processes that build at once each build a
 * folder of their own; the last one stays.
 */
const folder = import.meta.dirname
const output = join(folder, "dist")
const stamp = join(output, ".sources")

const sources = ["src", "console.html", "account.html", "build.ts", "package.json"].flatMap((name) =>
  name === "src"
    ? readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted()
    : [join(folder, name)],
)
const digest = sources
  .reduce(
    (hash, file) => hash.update(file.slice(folder.length)).update(readFileSync(file)),
    createHash("sha256"),
  )
  .digest("hex")

const build = async (): Promise<void> => {
  const { build } = await import("vite")
  const made = `${output}.${process.pid}`
  await build({
    root: folder,
    configFile: false,
    base: "/console/",
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: made,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: [join(folder, "console.html"), join(folder, "account.html")] },
    },
  })
  writeFileSync(join(made, ".sources"), digest)
  try {
    rmSync(output, { recursive: true, force: true })
    renameSync(made, output)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    // Another process was faster.
    if (!isBuilt()) throw error
  }
}

const isBuilt = (): boolean => existsSync(stamp) && readFileSync(stamp, "utf8") === digest

if (!isBuilt()) await build()
