import type { ToolExecutor } from "@atelier/core"
import { PooledExecutor } from "@atelier/executor"
import { type ParsingPool, siblingModule } from "@atelier/intake"
import type * as Effect from "effect/Effect"
import { definition } from "./definition.ts"

/** The executor of text-md-json: every byte of a document is read in the parsing pool. */
export const make: Effect.Effect<ToolExecutor, never, ParsingPool> = PooledExecutor.make(
  definition,
  siblingModule("parse", import.meta.url),
)
