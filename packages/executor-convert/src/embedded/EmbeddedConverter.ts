import { PooledExecutor } from "@atelier/executor"
import { type ParsingPool, siblingModule } from "@atelier/intake"
import * as Effect from "effect/Effect"
import type { Converter } from "../Converter.ts"
import { definition } from "../definition.ts"

/** URL of what converts documents in a parsing process. */
export const parsingModule = siblingModule("convert", import.meta.url)

/** The converter that needs no vendor and no network: it runs wholly in the parsing pool. */
export const make: Effect.Effect<Converter, never, ParsingPool> = Effect.map(
  PooledExecutor.make(definition, parsingModule),
  ({ run }): Converter => ({ name: "embedded", convert: run }),
)
