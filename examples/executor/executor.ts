import type { ToolExecutor } from "@atelier/core"
import { PooledExecutor } from "@atelier/executor"
import { type ParsingPool, siblingModule } from "@atelier/intake"
import type * as Effect from "effect/Effect"
import { definition } from "./subtitles.ts"

/** The executor of `subtitles-md-json`; documents are read in the parsing pool only. */
export const make: Effect.Effect<ToolExecutor, never, ParsingPool> = PooledExecutor.make(
  definition,
  siblingModule("parse", import.meta.url),
)
