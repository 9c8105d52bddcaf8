import type { ToolExecutor } from "@atelier/core"
import type { ParsingPool } from "@atelier/intake"
import * as Effect from "effect/Effect"
import type { LoadedPlugin } from "./Plugin.ts"
import { SettingRefused } from "./SettingRefused.ts"

/** The tools of plugins beside the built-in ones; refuses what is not a tool, and an id that is there already. */
export const withPluginTools = Effect.fnUntraced(function* (
  builtIn: ReadonlyArray<ToolExecutor>,
  plugins: ReadonlyArray<LoadedPlugin>,
): Effect.fn.Return<ReadonlyArray<ToolExecutor>, SettingRefused, ParsingPool> {
  const tools = [...builtIn]
  for (const { plugin } of plugins) {
    for (const given of plugin.tools ?? []) {
      const tool = Effect.isEffect(given) ? yield* given : given
      const problem = toolProblem(tool, tools)
      if (problem !== undefined) {
        return yield* new SettingRefused({ setting: "plugins", problem: `${plugin.name}: ${problem}` })
      }
      tools.push(tool)
    }
  }
  return tools
})

const idForm = /^[a-z0-9][a-z0-9-]{0,63}$/

const toolProblem = (
  tool: Partial<ToolExecutor>,
  before: ReadonlyArray<ToolExecutor>,
): string | undefined => {
  const { definition, inspect, run } = tool
  if (definition === undefined || typeof inspect !== "function" || typeof run !== "function") {
    return "a tool has a definition, inspect and run"
  }
  if (!idForm.test(definition.id)) return `the tool's id ${JSON.stringify(definition.id)} is not one`
  if (before.some((other) => other.definition.id === definition.id)) {
    return `there is a tool ${definition.id} already`
  }
  return undefined
}
