import type { ToolExecutor } from "@atelier/core"
import { PooledExecutor } from "@atelier/executor"
import { type ParsingPool, siblingModule } from "@atelier/intake"
import type * as Effect from "effect/Effect"
import { definition } from "./definition.ts"

/** URL of what reads documents in a parsing process. */
export const parsingModule = siblingModule("parse", import.meta.url)

/** The executor of notebook-md-json: every byte of a notebook is read in the parsing pool. */
export const make: Effect.Effect<ToolExecutor, never, ParsingPool> = PooledExecutor.make(
  definition,
  parsingModule,
)
