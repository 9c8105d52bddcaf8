import { type Adapter, httpAdapters } from "@atelier/models"
import type { LoadedPlugin } from "./Plugin.ts"

/** Adapters that are there without a plugin. */
export const builtInAdapters: ReadonlyArray<string> = ["local", "faulty", ...Object.keys(httpAdapters)]

/** Every adapter of an upstream by its name: the built-in ones and those of plugins. */
export const adaptersOf = (
  plugins: ReadonlyArray<LoadedPlugin>,
): { readonly [name: string]: Adapter | undefined } =>
  Object.assign({}, httpAdapters, ...plugins.map(({ plugin }) => plugin.adapters ?? {}))
