import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CatalogOverrides, ToolOverride } from "../domain/CatalogOverrides.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { Limits } from "../domain/Limits.ts"
import { type Usd, usd } from "../domain/Money.ts"
import type { Principal } from "../domain/Principal.ts"
import { Executors, type ToolExecutor } from "../ports/Executor.ts"
import { SettingsStore } from "../ports/SettingsStore.ts"
import { Access, mayUseTool, quote } from "./Access.ts"
import { storedOverride } from "./storedOverride.ts"

/** A tool as this environment offers it (document-tools 2.1). */
export interface ToolEntry {
  readonly executor: ToolExecutor
  readonly published: boolean
  readonly unitPrice: Usd
  readonly maxFileBytes: number
}

/** Tools with the overrides of configuration and administrators, in force at once (document-tools 9.4). */
export class ToolCatalog extends Context.Service<
  ToolCatalog,
  {
    /** Every tool, unpublished ones included, for administrators. */
    readonly entries: Effect.Effect<ReadonlyArray<ToolEntry>, StorageError>
    /** Published tools that the key may use (document-tools 4.1). */
    readonly list: (principal: Principal) => Effect.Effect<ReadonlyArray<ToolEntry>, StorageError>
    /** A published tool for a key; refuses with `tool_not_found`, then `tool_not_allowed`. */
    readonly resolve: (principal: Principal, id: string) => Effect.Effect<ToolEntry, CoreError | StorageError>
    /** A published tool that recognises text in pictures of such files; the key may lack the right to use it. */
    readonly recognizer: (extension: string) => Effect.Effect<string | undefined, StorageError>
    /** The executor of a tool, published or not, because accepted tasks are finished. */
    readonly executor: (id: string) => ToolExecutor | undefined
    /** Replaces the administrator's override of a tool; refuses with `not_found`. */
    readonly override: (
      id: string,
      change: ToolOverride,
    ) => Effect.Effect<ToolEntry, CoreError | StorageError>
  }
>()("@atelier/core/services/ToolCatalog") {
  static readonly layer = Layer.effect(
    ToolCatalog,
    Effect.gen(function* () {
      const executors = yield* Executors
      const settings = yield* SettingsStore
      const stored = storedOverride(settings, "tool", ToolOverride)
      const configured = yield* CatalogOverrides
      const access = yield* Access
      const limits = yield* Limits
      const byId = new Map(executors.map((executor) => [executor.definition.id, executor]))

      const entryOf = Effect.fnUntraced(function* (executor: ToolExecutor) {
        const { definition } = executor
        const change = { ...configured.tools[definition.id], ...(yield* stored(definition.id)) }
        const entry: ToolEntry = {
          executor,
          published: change.published ?? definition.publishedByDefault ?? true,
          unitPrice: usd(change.unit_price ?? definition.unitPriceUsd),
          maxFileBytes: Math.min(
            change.max_file_bytes ?? definition.maxFileBytes,
            definition.maxFileBytes,
            limits.tool_file_bytes_max,
          ),
        }
        return entry
      })

      const resolve = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const executor = byId.get(id)
        const entry = executor === undefined ? undefined : yield* entryOf(executor)
        if (entry === undefined || !entry.published) {
          return yield* refuse(
            "tool_not_found",
            `There is no tool ${quote(id)}; the list of tools names those that there are.`,
          )
        }
        yield* access.requireTool(principal, id)
        return entry
      })

      const entries = Effect.suspend(() => Effect.forEach(executors, entryOf))

      const recognizer = Effect.fnUntraced(function* (extension: string) {
        for (const executor of executors) {
          const { extensions, id, recognizesText = false } = executor.definition
          if (!recognizesText || !extensions.includes(extension)) continue
          if ((yield* entryOf(executor)).published) return id
        }
        return undefined
      })

      return ToolCatalog.of({
        entries,
        resolve,
        recognizer,
        executor: (id) => byId.get(id),
        list: (principal) =>
          Effect.map(entries, (all) =>
            all.filter(
              ({ executor, published }) => published && mayUseTool(principal, executor.definition.id),
            ),
          ),
        override: Effect.fnUntraced(function* (id, change) {
          const executor = byId.get(id)
          if (executor === undefined) return yield* refuse("not_found", `There is no tool ${quote(id)}.`)
          yield* settings.put("tool", id, { ...(yield* stored(id)), ...change })
          return yield* entryOf(executor)
        }),
      })
    }),
  )
}
