import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ToolDefinition } from "@atelier/core"
import { bytesOf } from "@atelier/core/testing"
import { PooledExecutor } from "@atelier/executor"
import { ParsingPool, siblingModule } from "@atelier/intake"
import { afterAll, assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"

const definition: ToolDefinition = {
  id: "verb-md-json",
  name: "Verbs",
  description: "Does what its documents say.",
  extensions: [".verb"],
  maxFileBytes: 100,
  timeoutSeconds: 30,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.1",
}

const folder = mkdtempSync(join(tmpdir(), "pooled-executor-"))
afterAll(() => rmSync(folder, { recursive: true }))

const document = (text: string) => {
  const path = join(mkdtempSync(join(folder, "upload-")), "upload")
  writeFileSync(path, text)
  return { owner: "test", path, filename: "a.verb", bytes: text.length }
}

const module = siblingModule("parse", import.meta.url)

const inspect = (text: string, tool = definition) =>
  Effect.flatMap(PooledExecutor.make(tool, module), (executor) => executor.inspect(document(text)))

const run = (text: string, tool = definition) =>
  Effect.flatMap(PooledExecutor.make(tool, module), (executor) => {
    const outputDirectory = mkdtempSync(join(folder, "output-"))
    const job = { ...document(text), outputDirectory: Effect.succeed(outputDirectory) }
    return executor.run({ ...job, outputFormats: tool.outputFormats })
  })

const logged: Array<string> = []
const logs = Logger.layer([
  Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${JSON.stringify(message)}`)),
])

layer(Layer.merge(ParsingPool.layer({ size: 1 }), logs), { excludeTestServices: true })(
  "PooledExecutor: what an ending means",
  (it) => {
    it.effect("a document is checked, and read into the wanted results", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* inspect("hello"), { contentType: "text/x-verb" })
        const { results, warnings } = yield* run("hello 2*3*4")
        assert.deepStrictEqual(warnings, [{ code: "read", message: "It was read." }])
        const [markdown, json] = results.map((result) => bytesOf(result).toString())
        assert.strictEqual(markdown, "hello 2\\*3\\*4\n")
        assert.deepStrictEqual(JSON.parse(json ?? ""), {
          schema_version: "1.0",
          markdown,
          structure_source: "verb",
          capabilities: {
            ocr: false,
            page_coordinates: false,
            bounding_boxes: false,
            structured_tables: false,
            verbs: true,
          },
          warnings,
          input_bytes: 11,
        })
      }),
    )

    it.effect("a refusal is the file's fault, under its code, at upload and when it runs", () =>
      Effect.gen(function* () {
        const refused = { code: "file_macro" as const, message: "The document asks to be refused." }
        assert.deepInclude(yield* Effect.flip(inspect("refuse file_macro")), {
          _tag: "FileRefused",
          ...refused,
        })
        assert.deepInclude(yield* Effect.flip(run("refuse file_macro")), { ...refused, retryable: false })
        assert.deepInclude(yield* Effect.flip(run("x".repeat(101))), {
          code: "invalid_file",
          message: "The file has 101 bytes; at most 100 are accepted.",
        })
      }),
    )

    it.effect("a code that no upload is refused with becomes invalid_file at upload", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* Effect.flip(inspect("refuse result_too_large")), { code: "invalid_file" })
        assert.deepInclude(yield* Effect.flip(run("refuse result_too_large")), { code: "result_too_large" })
      }),
    )

    it.effect.each(["throw", "die"])(
      "a process that ends (%s) fails that task finally, and is logged",
      (verb) =>
        Effect.gen(function* () {
          logged.length = 0
          const failure = yield* Effect.flip(run(verb))
          assert.deepInclude(failure, { code: "executor_crashed", retryable: false })
          assert.include(failure.message, "Nothing is charged")
          const refusal = yield* Effect.flip(inspect(verb))
          assert.deepInclude(refusal, { _tag: "FileRefused", code: "invalid_file" })
          for (const { message } of [failure, refusal]) assert.notInclude(message, folder)
          assert.lengthOf(logged, 2)
          for (const line of logged) assert.match(line, /^Warn .*verb-md-json/)
          assert.deepStrictEqual(yield* inspect("next"), { contentType: "text/x-verb" })
        }),
    )

    it.effect("a time-out fails that task finally, and refuses that upload, both naming the time", () =>
      Effect.gen(function* () {
        const hasty = { ...definition, timeoutSeconds: 0.5 }
        const failure = yield* Effect.flip(run("hang", hasty))
        assert.deepInclude(failure, { code: "timeout", retryable: false })
        const refusal = yield* Effect.flip(inspect("hang", hasty))
        assert.deepInclude(refusal, { _tag: "FileRefused", code: "invalid_file" })
        for (const { message } of [failure, refusal]) assert.include(message, "0.5 s")
      }),
    )
  },
)

const nowhere = ParsingPool.layer({ bounds: { command: [join(folder, "no-such-program")], measured: false } })

layer(Layer.merge(nowhere, logs))("PooledExecutor: where no process can be started", (it) => {
  it.effect("a task is tried again, and an upload is told to come again: the file is not at fault", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* Effect.flip(run("hello")), { code: "executor_unavailable", retryable: true })
      assert.deepInclude(yield* Effect.flip(inspect("hello")), { code: "executor_unavailable" })
    }),
  )
})
