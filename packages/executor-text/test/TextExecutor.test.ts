import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { OutputFormat } from "@atelier/core"
import { bytesOf } from "@atelier/core/testing"
import { definition, TextExecutor } from "@atelier/executor-text"
import { ParsingPool } from "@atelier/intake"
import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"

const folder = mkdtempSync(join(tmpdir(), "text-md-json-"))
afterAll(() => rmSync(folder, { recursive: true }))

const document = (filename: string, content: string | Uint8Array) => {
  const path = join(mkdtempSync(join(folder, "upload-")), "upload")
  writeFileSync(path, content)
  return { owner: "test", path, filename, bytes: statSync(path).size }
}

const inspect = (filename: string, content: string | Uint8Array) =>
  Effect.flatMap(TextExecutor.make, (executor) => executor.inspect(document(filename, content)))

const both: ReadonlyArray<OutputFormat> = ["markdown", "json"]

/** Runs the executor; a result that was not wanted or not written is undefined. */
const run = Effect.fnUntraced(function* (
  filename: string,
  content: string | Uint8Array,
  outputFormats: ReadonlyArray<OutputFormat> = both,
) {
  const executor = yield* TextExecutor.make
  const outputDirectory = mkdtempSync(join(folder, "output-"))
  const job = { ...document(filename, content), outputDirectory: Effect.succeed(outputDirectory) }
  const output = yield* executor.run({ ...job, outputFormats })
  for (const result of output.results) assert.strictEqual(bytesOf(result).length, result.bytes)
  const read = (format: OutputFormat) => {
    const result = output.results.find((written) => written.format === format)
    return result && bytesOf(result).toString()
  }
  const codes = output.warnings.map((warning) => warning.code)
  return { ...output, codes, outputDirectory, markdown: read("markdown"), json: read("json") }
})

const check = <A, E, R>(
  arbitrary: fc.Arbitrary<A>,
  holds: (input: A) => Effect.Effect<void, E, R>,
  numRuns = 300,
) =>
  Effect.flatMap(Effect.context<R>(), (context) => {
    const property = fc.asyncProperty(arbitrary, (input) => Effect.runPromiseWith(context)(holds(input)))
    return Effect.promise(() => fc.assert(property, { numRuns }))
  })

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\n",
        "\r\n",
        "\t",
        "\f",
        '"',
        "\\",
        "\u0085",
        "\ufeff",
        "\u0001",
        "\u007f",
        "\n```\n",
        "~~~",
      ),
      fc.nat(9).map((length) => "`".repeat(length)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join("").toWellFormed())

const bytes = fc.oneof(
  { weight: 4, arbitrary: text.map((part) => Buffer.from(part)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 24 }).map((part) => Buffer.from(part)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(text, fc.uint8Array({ maxLength: 3 }), text)
      .map(([start, middle, end]) => Buffer.concat([Buffer.from(start), middle, Buffer.from(end)])),
  },
)

/** The text that document-tools 1 accepts, decoded; undefined for bytes that it does not. */
const accepted = (input: Uint8Array): string | undefined => {
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true }).decode(input)
    const isLegal = (character: string) =>
      "\t\n\f\r".includes(character) || (character >= " " && character !== "\u007f")
    return [...decoded].every(isLegal) ? decoded : undefined
  } catch {
    return undefined
  }
}

describe("definition", () => {
  it("document-tools 1, standard tools: size, time-out, price and formats of text-md-json", () => {
    assert.strictEqual(definition.id, "text-md-json")
    assert.strictEqual(definition.maxFileBytes, 10_485_760)
    assert.strictEqual(definition.timeoutSeconds, 30)
    assert.strictEqual(definition.unitPriceUsd, "0.0001")
    assert.deepStrictEqual([...definition.outputFormats], ["markdown", "json"])
    assert.includeMembers(
      [...definition.extensions],
      [".txt", ".md", ".csv", ".json", ".yaml", ".yml", ".xml", ".html", ".py", ".ts", ".c", ".sql"],
    )
    assert.strictEqual(new Set(definition.extensions).size, definition.extensions.length)
    for (const extension of definition.extensions) assert.match(extension, /^\.[a-z0-9]+$/)
  })
})

layer(ParsingPool.layer())("text-md-json", (it) => {
  it.effect(
    "document-tools 1: accepts exactly UTF-8 without illegal control characters, at upload as when it runs",
    () =>
      check(
        bytes,
        Effect.fnUntraced(function* (input) {
          const inspected = yield* Effect.result(inspect("a.md", input))
          const ran = yield* Effect.result(run("a.md", input))
          if (accepted(input) !== undefined) {
            assert.isTrue(inspected._tag === "Success" && ran._tag === "Success")
            return
          }
          if (inspected._tag === "Success" || ran._tag === "Success") return assert.fail("accepted")
          assert.include(["file_not_utf8", "file_type_not_accepted"], inspected.failure.code)
          assert.deepInclude(ran.failure, { code: inspected.failure.code, retryable: false })
        }),
      ),
  )

  it.effect("document-tools 1: Markdown and TXT are kept as they are, without the byte order mark", () =>
    check(
      fc.tuple(fc.constantFrom("a.md", "a.txt", "A.TXT"), fc.boolean(), text),
      Effect.fnUntraced(function* ([filename, marked, content]) {
        const input = Buffer.from((marked ? "\ufeff" : "") + content)
        const expected = accepted(input)
        if (expected === undefined) return
        const { markdown, json = "" } = yield* run(filename, input)
        assert.strictEqual(markdown, expected)
        assert.strictEqual(JSON.parse(json).markdown, expected)
      }),
    ),
  )

  it.effect("document-tools 1: everything else stands in a fence that nothing inside can close", () =>
    check(
      text,
      Effect.fnUntraced(function* (input) {
        const expected = accepted(Buffer.from(input))
        if (!expected) return
        const { markdown = "", json = "" } = yield* run("a.json", input)
        assert.strictEqual(JSON.parse(json).markdown, markdown)
        const fence = /^`{3,}/.exec(markdown)?.[0] ?? ""
        for (const ticks of expected.match(/`+/g) ?? []) assert.isBelow(ticks.length, fence.length)
        const lineEnd = expected.endsWith("\n") ? "" : "\n"
        assert.strictEqual(markdown, `${fence}json\n${expected}${lineEnd}${fence}\n`)
      }),
    ),
  )

  it.effect("contract, Tools: the JSON result", () =>
    Effect.gen(function* () {
      const { results, warnings, json = "" } = yield* run("pad.csv", "\ufeffa,b\n1,2\n")
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(
        results.map(({ format, contentType }) => [format, contentType]),
        [
          ["markdown", "text/markdown; charset=utf-8"],
          ["json", "application/json"],
        ],
      )
      assert.deepStrictEqual(JSON.parse(json), {
        schema_version: "1.0",
        markdown: "```csv\na,b\n1,2\n```\n",
        structure_source: "text",
        capabilities: {
          ocr: false,
          page_coordinates: false,
          bounding_boxes: false,
          structured_tables: false,
        },
        warnings: [],
        input_bytes: 11,
      })
    }),
  )

  it.effect.each([
    [
      "an unknown extension",
      "a.exe",
      "text",
      "file_type_not_accepted",
      '".exe" files are not accepted; accepted are .txt',
    ],
    ["no extension", "a", "text", "file_type_not_accepted", "without an extension"],
    [
      "an executable",
      "a.txt",
      readFileSync(process.execPath).subarray(0, 4096),
      "file_type_not_accepted",
      "executable",
    ],
    [
      "an archive",
      "a.txt",
      Buffer.from("PK\u0003\u0004\u0014\u0000"),
      "file_type_not_accepted",
      "a ZIP archive",
    ],
    ["a PDF, even if it is text", "a.txt", "%PDF-1.4\n%%EOF\n", "file_type_not_accepted", "a PDF document"],
    [
      "GBK",
      "a.txt",
      Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3),
      "file_not_utf8",
      "byte 0 (0xC4) is not valid UTF-8",
    ],
    ["UTF-16", "a.txt", Buffer.from("\ufeffhello", "utf16le"), "file_not_utf8", "UTF-16"],
    ["a control character", "a.txt", "ab\u0000", "file_not_utf8", "byte 2 is the control character U+0000"],
    [
      "more than 10 MiB",
      "a.txt",
      Buffer.alloc(10_485_761, "a"),
      "invalid_file",
      "10485761 bytes; at most 10485760",
    ],
  ] as const)("document-tools 4.2: refuses %s", ([, filename, content, code, message]) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(inspect(filename, content))
      assert.strictEqual(refused.code, code)
      assert.include(refused.message, message)
    }),
  )

  it.effect.each([
    ["a.md", "text/markdown"],
    ["a.CSV", "text/csv"],
    ["a.yml", "application/yaml"],
    ["a.html", "text/html"],
    ["run.sh", "text/plain"],
    [".env", "text/plain"],
    ["app.dockerfile", "text/plain"],
    ["archive.tar.json", "application/json"],
  ] as const)("contract, Tools: %s is %s", ([filename, contentType]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* inspect(filename, "#!/bin/sh\n")).contentType, contentType)
    }),
  )

  it.effect("an empty file gives an empty result and says so", () =>
    Effect.gen(function* () {
      for (const content of ["", "\ufeff"]) {
        const { markdown, json = "", codes } = yield* run("a.json", content)
        assert.strictEqual(markdown, "")
        assert.strictEqual(JSON.parse(json).markdown, "")
        assert.deepStrictEqual(codes, ["empty_file"])
      }
    }),
  )

  it.effect("C1 control characters are legal and give a warning", () =>
    Effect.gen(function* () {
      const { markdown, json = "", codes, warnings } = yield* run("a.txt", "ab\u0085c")
      assert.strictEqual(markdown, "ab\u0085c")
      assert.deepStrictEqual(codes, ["c1_controls"])
      assert.include(warnings[0]?.message ?? "", "byte 2")
      assert.deepStrictEqual(JSON.parse(json).warnings, warnings)
    }),
  )

  it.effect("document-tools 8: a result over 20 MiB is refused with its size, and no other", () =>
    Effect.gen(function* () {
      const quotes = Buffer.alloc(10_485_760, '"')
      const failure = yield* Effect.flip(run("a.txt", quotes))
      assert.deepInclude(failure, { code: "result_too_large", retryable: false })
      assert.include(failure.message, "at most 20971520")
      const { markdown = "" } = yield* run("a.txt", quotes, ["markdown"])
      assert.strictEqual(markdown.length, 10_485_760)
      const fence = yield* Effect.flip(run("a.json", Buffer.alloc(10_485_760, "`")))
      assert.strictEqual(fence.code, "result_too_large")
    }),
  )

  it.effect("a missing file is told without its path", () =>
    Effect.gen(function* () {
      const executor = yield* TextExecutor.make
      const missing = { owner: "test", path: join(folder, "missing"), filename: "a.txt", bytes: 1 }
      const job = { ...missing, outputDirectory: Effect.succeed(folder), outputFormats: both }
      const failure = yield* Effect.flip(executor.run(job))
      assert.strictEqual(failure.code, "executor_crashed")
      assert.notInclude(failure.message, folder)
      assert.notInclude((yield* Effect.flip(executor.inspect(missing))).message, folder)
    }),
  )
})

/** A pool without processes. */
const noPool = Layer.succeed(ParsingPool, {
  prepare: () => {},
  call: () => Effect.die("a parsing process was asked for"),
  sandbox: Effect.never,
})

layer(noPool)("small text costs no process", (it) => {
  const small = Buffer.from("`quoted`\n".repeat(6554)).subarray(0, 64 * 1024)
  const outputs = { outputDirectory: Effect.succeed(folder), outputFormats: both }
  const held = (data: Uint8Array, filename = "a.csv") => ({
    owner: "test",
    data,
    filename,
    bytes: data.length,
  })

  it.effect("up to 64 KiB in memory are checked and read at once, with the bytes that a process writes", () =>
    Effect.gen(function* () {
      const executor = yield* TextExecutor.make
      assert.deepStrictEqual(yield* executor.inspect(held(small)), { contentType: "text/csv" })
      const here = yield* executor.run({ ...held(small), ...outputs })
      const pooled = yield* Effect.provide(run("a.csv", small), ParsingPool.layer({ size: 1 }))
      assert.deepStrictEqual(
        here.results.map((result) => bytesOf(result).toString()),
        [pooled.markdown ?? "", pooled.json ?? ""],
      )
    }),
  )

  it.effect("what is no text is refused as it is by a process", () =>
    Effect.gen(function* () {
      const executor = yield* TextExecutor.make
      const refused = yield* Effect.flip(executor.inspect(held(Buffer.from([0x61, 0xff]))))
      assert.deepInclude(refused, { _tag: "FileRefused", code: "file_not_utf8" })
      const failed = yield* Effect.flip(executor.run({ ...held(Buffer.from([0x61, 0xff])), ...outputs }))
      assert.deepInclude(failed, { code: "file_not_utf8", retryable: false })
    }),
  )

  it.effect("one byte more, and whatever lies in a file, goes to the pool", () =>
    Effect.gen(function* () {
      const executor = yield* TextExecutor.make
      for (const one of [held(Buffer.alloc(64 * 1024 + 1, "a")), document("a.csv", "a")]) {
        const ended = yield* Effect.exit(executor.inspect(one))
        assert.include(JSON.stringify(ended), "a parsing process was asked for")
      }
    }),
  )
})

const corpus = fileURLToPath(new URL("../../../../shared/corpus/", import.meta.url))
const isThere = (() => {
  try {
    return readdirSync(corpus).length > 0
  } catch {
    return false
  }
})()

describe.skipIf(!isThere)("text-md-json on real files", () => {
  layer(ParsingPool.layer())((it) => {
    it.effect("refuses what is not UTF-8 and turns the rest into the same text", () =>
      Effect.gen(function* () {
        const files = readdirSync(corpus, { recursive: true, withFileTypes: true }).filter((entry) =>
          entry.isFile(),
        )
        const outcomes = new Map<string, string>()
        for (const { name, parentPath } of files) {
          const content = readFileSync(join(parentPath, name))
          const result = yield* Effect.result(run(name, content.subarray(0, definition.maxFileBytes)))
          outcomes.set(name, result._tag === "Success" ? "accepted" : result.failure.code)
          if (result._tag === "Failure") continue
          assert.include(result.success.markdown ?? "", accepted(content) ?? "no text")
          assert.strictEqual(JSON.parse(result.success.json ?? "").markdown, result.success.markdown)
        }
        assert.strictEqual(outcomes.get("test_mskanji.csv"), "file_not_utf8")
        assert.strictEqual(outcomes.get("test.json"), "accepted")
        for (const [name, outcome] of outcomes) {
          if (/\.(docx|xlsx?|pptx?|pdf|doc)$/i.test(name))
            assert.strictEqual(outcome, "file_type_not_accepted", name)
        }
      }),
    )
  })
})
