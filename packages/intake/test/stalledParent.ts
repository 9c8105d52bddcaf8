/** Asks for a second process, then stands still while that starts: what is handed over is not taken. */
import { writeFileSync } from "node:fs"
import process from "node:process"
import { ParsingPool, siblingModule } from "@atelier/intake"
import { Effect } from "effect"

const [file = "", turns = "1"] = process.argv.slice(2)
const module = siblingModule("jobs", import.meta.url)

const program = Effect.gen(function* () {
  const pool = yield* ParsingPool
  const call = (name: string) =>
    pool.call({
      owner: "one",
      kind: "parse",
      module,
      function: name,
      input: null,
      timeoutMillis: 300_000,
    })
  yield* Effect.ignore(call("exit"))
  // The fork server is there, so that the next process is started at once.
  yield* call("pid")
  yield* Effect.ignore(call("exit"))
  yield* Effect.forkChild(call("pid"))
  for (let turn = 0; turn < Number(turns); turn++)
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  writeFileSync(file, "stalled")
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})

await Effect.runPromise(program.pipe(Effect.provide(ParsingPool.layer({ size: 1, sandbox: "off" }))))
