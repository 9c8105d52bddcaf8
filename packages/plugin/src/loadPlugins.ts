import { existsSync, readFileSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import type { LoadedPlugin, Plugin } from "./Plugin.ts"
import { problemOf } from "./problemOf.ts"
import { SettingRefused } from "./SettingRefused.ts"

/**
 * Loads plugins: packages by their name, files by their path, both from the folder `base`, or plugins themselves. One
 * that cannot be loaded, or that is not one, is refused by its place in the list.
 */
export const loadPlugins = (
  given: ReadonlyArray<string | Plugin>,
  base: string,
): Effect.Effect<ReadonlyArray<LoadedPlugin>, SettingRefused> =>
  Effect.gen(function* () {
    const loaded: Array<LoadedPlugin> = []
    for (const [index, each] of given.entries()) {
      const setting = `plugins.${index}`
      const source = typeof each === "string" ? each : "given"
      const plugin = typeof each === "string" ? yield* load(setting, each, base) : each
      const problem = problemOf(plugin, loaded)
      if (problem !== undefined) {
        return yield* new SettingRefused({ setting, problem: `${shown(source)} ${problem}` })
      }
      loaded.push({ plugin: plugin as Plugin, source })
    }
    return loaded
  })

const shown = (source: string): string => (source === "given" ? "the plugin" : JSON.stringify(source))

const load = (setting: string, specifier: string, base: string): Effect.Effect<unknown, SettingRefused> =>
  Effect.tryPromise({
    try: async () => {
      const module: { readonly default?: unknown } = await import(urlOf(specifier, base))
      return module.default
    },
    catch: (cause) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      return new SettingRefused({ setting, problem: `${shown(specifier)} cannot be loaded: ${why}` })
    },
  })

const isPath = (specifier: string): boolean => /^\.{0,2}\//.test(specifier) || isAbsolute(specifier)

const urlOf = (specifier: string, base: string): string => {
  const path = isPath(specifier) ? resolve(base, specifier) : entryOf(specifier, resolve(base))
  if (!existsSync(path)) throw new Error(`there is no file ${path}`)
  return pathToFileURL(path).href
}

interface Manifest {
  readonly exports?: unknown
  readonly main?: string
}

/** The entry point of a package that is installed for the folder, as an `import` there would find it. */
const entryOf = (name: string, folder: string): string => {
  const root = join(folder, "node_modules", name)
  if (existsSync(join(root, "package.json"))) {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    return join(root, entryPoint(manifest) ?? "index.js")
  }
  if (dirname(folder) === folder)
    throw new Error(`no package ${name} is installed for the configuration's folder`)
  return entryOf(name, dirname(folder))
}

const conditions = ["import", "node", "default"]

const entryPoint = ({ exports, main }: Manifest): string | undefined => {
  const isMap = typeof exports === "object" && exports !== null && "." in exports
  return targetOf(isMap ? exports["."] : exports) ?? main
}

const targetOf = (target: unknown): string | undefined => {
  if (typeof target === "string") return target
  if (typeof target !== "object" || target === null) return undefined
  const found = Object.entries(target).find(([condition]) => conditions.includes(condition))
  return found === undefined ? undefined : targetOf(found[1])
}
