import { Executors, globMatches, ImageModels } from "@atelier/core"
import * as Effect from "effect/Effect"
import type { ConfigFile } from "./ConfigFile.ts"
import { SettingError } from "./SettingError.ts"

/** Refuses overrides of unknown tools and models: a misspelt name would otherwise silently do nothing. */
export const requireKnownOverrides = Effect.fnUntraced(function* (config: ConfigFile) {
  const tools = (yield* Executors).map(({ definition }) => definition.id)
  const models = (yield* ImageModels).models.map(({ id }) => id)
  const tool = Object.keys(config.tools ?? {}).find((id) => !tools.includes(id))
  if (tool !== undefined) return yield* unknown(`tools.${tool}`, "tool", tools)
  const model = Object.keys(config.models ?? {}).find(
    (pattern) => !models.some((id) => globMatches(pattern, id)),
  )
  if (model !== undefined) return yield* unknown(`models.${model}`, "model", models)
})

const unknown = (setting: string, kind: string, known: ReadonlyArray<string>) =>
  Effect.fail(
    new SettingError({ setting, problem: `there is no such ${kind}; there are ${known.join(", ")}` }),
  )
