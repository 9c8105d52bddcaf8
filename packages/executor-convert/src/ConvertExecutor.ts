import type { ToolExecutor } from "@atelier/core"
import { PooledExecutor } from "@atelier/executor"
import { type ParsingPool, siblingModule } from "@atelier/intake"
import * as Effect from "effect/Effect"
import type { Converter } from "./Converter.ts"
import { definition } from "./definition.ts"

/** URL of what checks documents in a parsing process. */
export const parsingModule = siblingModule("inspect", import.meta.url)

/**
 * The executor of file-md-json. Documents are inspected here, in the parsing pool, whatever the converter:
 * a document that these checks refuse never reaches a vendor.
 */
export const make = (converter: Converter): Effect.Effect<ToolExecutor, never, ParsingPool> =>
  Effect.map(
    PooledExecutor.make(definition, parsingModule),
    ({ inspect }): ToolExecutor => ({ definition, inspect, run: converter.convert }),
  )
