/** A process that runs a pool with a job that hangs, for the test that kills it. */
import { ParsingPool, siblingModule } from "@atelier/intake"
import * as Effect from "effect/Effect"

const call = Effect.gen(function* () {
  const pool = yield* ParsingPool
  const module = siblingModule("jobs", import.meta.url)
  const claim = { owner: "one", kind: "parse" } as const
  const hanging = { ...claim, module, function: "hang", input: process.argv[2] ?? "", timeoutMillis: 600_000 }
  return yield* pool.call(hanging)
})

await Effect.runPromise(Effect.provide(call, ParsingPool.layer()))
