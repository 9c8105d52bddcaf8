import { builtInAdapters } from "./adapters.ts"
import type { LoadedPlugin } from "./Plugin.ts"

const nameForm = /^[A-Za-z0-9@/._-]{1,100}$/
const adapterForm = /^[a-z0-9][a-z0-9-]{0,63}$/
const parts: ReadonlyArray<string> = ["name", "tools", "adapters", "families"]

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What keeps a module's default export from being a plugin beside those before it; undefined if nothing does. */
export const problemOf = (given: unknown, before: ReadonlyArray<LoadedPlugin>): string | undefined => {
  if (!isObject(given)) return "has no plugin as its default export; it must be what definePlugin gives"
  const { adapters = {}, families = [], name, tools = [] } = given
  if (typeof name !== "string" || !nameForm.test(name)) {
    return "must have a name of 1 to 100 letters, digits and @ / . _ -"
  }
  const unknown = Object.keys(given).find((part) => !parts.includes(part))
  if (unknown !== undefined) return `has a part ${JSON.stringify(unknown)}; there are ${parts.join(", ")}`
  if (before.some(({ plugin }) => plugin.name === name))
    return `has the name ${name}, which another plugin has`
  if (!Array.isArray(tools) || !tools.every(isObject)) return "must have a list of tools as tools"
  if (!Array.isArray(families) || !families.every(isFamily)) {
    return "must have a list of families as families, each with models and closed"
  }
  return isObject(adapters)
    ? adaptersProblem(adapters, before)
    : "must have an object of adapters as adapters"
}

const isFamily = (family: unknown): boolean =>
  isObject(family) && Array.isArray(family["models"]) && Array.isArray(family["closed"])

const adaptersProblem = (
  adapters: { readonly [name: string]: unknown },
  before: ReadonlyArray<LoadedPlugin>,
): string | undefined => {
  const taken = [...builtInAdapters, ...before.flatMap(({ plugin }) => Object.keys(plugin.adapters ?? {}))]
  for (const [name, adapter] of Object.entries(adapters)) {
    if (!adapterForm.test(name)) {
      return `names an adapter ${JSON.stringify(name)}; a name is 1 to 64 lower-case letters, digits and hyphens`
    }
    if (taken.includes(name)) return `has an adapter ${name}, which there is already`
    if (!isObject(adapter) || typeof adapter["make"] !== "function")
      return `has an adapter ${name} without make`
  }
  return undefined
}
