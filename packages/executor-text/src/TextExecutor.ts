import type { ToolExecutor } from "@atelier/core"
import { PooledExecutor } from "@atelier/executor"
import { type ParsingPool, siblingModule } from "@atelier/intake"
import type * as Effect from "effect/Effect"
import { definition } from "./definition.ts"

/**
 * Text that is read in the server's own process. Nothing in it is parsed: it is looked at once, byte by byte, and
 * copied, which takes less than a millisecond for this many bytes, whatever they are.
 */
const hereBytesMax = 64 * 1024

/** URL of what reads documents in a parsing process. */
export const parsingModule = siblingModule("parse", import.meta.url)

/** The executor of text-md-json: small documents are read at once, larger ones in the parsing pool. */
export const make: Effect.Effect<ToolExecutor, never, ParsingPool> = PooledExecutor.make(
  definition,
  parsingModule,
  { hereBytesMax },
)
