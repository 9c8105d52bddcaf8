/** A process that runs a pool with a job that writes to a file and hangs, for the test that kills it. */
import { ParsingPool, siblingModule, Written } from "@atelier/intake"
import * as Effect from "effect/Effect"

const [, , sandbox, started = ""] = process.argv
const call = Effect.gen(function* () {
  const pool = yield* ParsingPool
  return yield* pool.call({
    owner: "one",
    kind: "parse",
    module: siblingModule("jobs", import.meta.url),
    function: "writeThenHang",
    input: {},
    writes: { started: new Written(async () => started, 0) },
    writeBytesMax: 100,
    timeoutMillis: 600_000,
  })
})

await Effect.runPromise(
  Effect.provide(call, ParsingPool.layer({ sandbox: sandbox === "off" ? "off" : "auto" })),
)
