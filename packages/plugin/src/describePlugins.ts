import { ParsingPool } from "@atelier/intake"
import * as Effect from "effect/Effect"
import type { LoadedPlugin } from "./Plugin.ts"

/** What a plugin adds, by the ids of its parts. */
export interface PluginListing {
  readonly name: string
  /** The package or path in the configuration, or `given`. */
  readonly source: string
  readonly tools: ReadonlyArray<string>
  readonly adapters: ReadonlyArray<string>
  readonly models: ReadonlyArray<string>
}

/** What each plugin adds, for operators. */
export const describePlugins = (
  plugins: ReadonlyArray<LoadedPlugin>,
): Effect.Effect<ReadonlyArray<PluginListing>> =>
  Effect.forEach(plugins, ({ plugin: { adapters = {}, families = [], name, tools = [] }, source }) =>
    Effect.map(
      Effect.forEach(tools, (tool) => (Effect.isEffect(tool) ? tool : Effect.succeed(tool))),
      (made): PluginListing => ({
        name,
        source,
        tools: made.map(({ definition }) => definition.id),
        adapters: Object.keys(adapters),
        models: families.flatMap((family) => family.models.map(({ id }) => id)),
      }),
    ),
  ).pipe(Effect.provide(ParsingPool.layerIdle))
