import type { TaskKind } from "@atelier/core"
import * as Effect from "effect/Effect"
import { SettingError } from "./SettingError.ts"
import type { Settings } from "./Settings.ts"

/** `api` answers requests, `worker` runs jobs and cleanups, `all` does both. */
export type Role = "all" | "api" | "worker"

// Spelled out, because core is loaded only when the settings are known to be valid.
const taskKinds: ReadonlyArray<TaskKind> = ["image", "tool"]

/** The part that a process plays. */
export interface Duties {
  readonly role: Role
  /** Tasks whose jobs it runs. */
  readonly kinds: ReadonlyArray<TaskKind>
}

/** One process that does everything. */
export const everything: Duties = { role: "all", kinds: taskKinds }

/** The duties that the flags of `serve` name; `kinds` is a list by comma. */
export const dutiesOf = Effect.fnUntraced(function* (role: Role, kinds: string | undefined) {
  if (kinds === undefined) return { role, kinds: taskKinds }
  const named = kinds.split(",").map((kind) => kind.trim())
  const known = taskKinds.filter((kind) => named.includes(kind))
  const unknown = named.filter((name) => !taskKinds.some((kind) => kind === name))
  if (unknown.length > 0 || known.length === 0) {
    const problem = `expected ${taskKinds.join(", ")} or both by comma, got ${JSON.stringify(kinds.slice(0, 100))}`
    return yield* new SettingError({ setting: "--kinds", problem })
  }
  if (role === "api") {
    const problem = "--role api runs no jobs, so it takes no kinds"
    return yield* new SettingError({ setting: "--kinds", problem })
  }
  return { role, kinds: known }
})

/** Refuses a role that the settings do not support. */
export const requireShared = Effect.fnUntraced(function* (settings: Settings, { role }: Duties) {
  if (role === "all") return
  if (settings.database.dialect === "sqlite") {
    const problem = `--role ${role} needs a database that processes share: expected postgres://…, got sqlite:…`
    return yield* new SettingError({ setting: "ATELIER_DATABASE_URL", problem })
  }
  // Callbacks contain the addresses of results, and a worker is not where customers reach the API.
  if (role === "worker" && (settings.mediaUrl ?? settings.publicUrl) === undefined) {
    const problem = "--role worker needs it, for the addresses of results in callbacks"
    return yield* new SettingError({ setting: "ATELIER_PUBLIC_URL", problem })
  }
})
