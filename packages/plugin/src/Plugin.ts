import type { ToolExecutor } from "@atelier/core"
import type { ParsingPool } from "@atelier/intake"
import type { Adapter, ModelFamily } from "@atelier/models"
import type * as Effect from "effect/Effect"

/** A document tool, or what makes it once there is a parsing pool. */
export type PluginTool = ToolExecutor | Effect.Effect<ToolExecutor, never, ParsingPool>

/** What a package or a file adds to a server, or to an application that embeds one (contract, Catalog and plugins). */
export interface Plugin {
  /** For messages, `atelier doctor` and the admin API: 1 to 100 letters, digits and `@ / . _ -`. */
  readonly name: string
  readonly tools?: ReadonlyArray<PluginTool>
  /** By the name that a channel's `adapter` has. */
  readonly adapters?: { readonly [name: string]: Adapter }
  readonly families?: ReadonlyArray<ModelFamily>
}

/** A plugin that is part of a process, and where it came from: the text of the setting, or `given`. */
export interface LoadedPlugin {
  readonly plugin: Plugin
  readonly source: string
}

/** Gives the plugin as it is, checked by its type; the default export of a plugin's module. */
export const definePlugin = (plugin: Plugin): Plugin => plugin
