import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConvertExecutor, EmbeddedConverter } from "@atelier/executor-convert"
import { ParsingPool } from "@atelier/intake"
import { afterAll, assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { nestedForms } from "./makePdf.ts"

const folder = mkdtempSync(join(tmpdir(), "pdf-memory-"))
afterAll(() => rmSync(folder, { recursive: true }))

layer(ParsingPool.layer({ size: 1 }), { excludeTestServices: true })("a PDF in a parsing process", (it) => {
  it.effect(
    "the same bomb is refused with the same code, also where the process's memory is used up first",
    () =>
      Effect.gen(function* () {
        const executor = yield* Effect.flatMap(EmbeddedConverter.make, ConvertExecutor.make)
        const path = join(folder, "bomb")
        const bytes = nestedForms()
        writeFileSync(path, bytes)
        const job = { owner: "test", path, filename: "bomb.pdf", bytes: bytes.length }
        for (let round = 0; round < 3; round++) {
          const run = executor.run({
            ...job,
            outputDirectory: Effect.succeed(folder),
            outputFormats: ["markdown"],
          })
          assert.strictEqual((yield* Effect.flip(run)).code, "archive_limit_exceeded")
        }
      }),
    300_000,
  )
})
