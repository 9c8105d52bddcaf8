import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileRefused } from "@atelier/core"
import { bytesOf } from "@atelier/core/testing"
import { definition, NotebookExecutor } from "@atelier/executor-notebook"
import { ParsingPool } from "@atelier/intake"
import { afterAll, assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { make, notebook, whole } from "./notebooks.ts"

const folder = mkdtempSync(join(tmpdir(), "notebook-md-json-"))
afterAll(() => rmSync(folder, { recursive: true }))

const document = (content: string) => {
  const path = join(mkdtempSync(join(folder, "upload-")), "upload")
  writeFileSync(path, content)
  return { owner: "test", path, filename: "a.ipynb", bytes: content.length }
}

/** The Markdown and the warning codes of a notebook. */
const read = Effect.fnUntraced(function* (content: string) {
  const executor = yield* NotebookExecutor.make
  const outputDirectory = mkdtempSync(join(folder, "output-"))
  const outputFormats = ["markdown"] as const
  const job = { ...document(content), outputDirectory: Effect.succeed(outputDirectory), outputFormats }
  const { results, warnings } = yield* executor.run(job)
  return { markdown: results.map((result) => bytesOf(result).toString()).join(""), warnings }
})

const refusal = (content: string) =>
  Effect.flatMap(NotebookExecutor.make, (executor) => Effect.flip(executor.inspect(document(content))))

layer(ParsingPool.layer(), { excludeTestServices: true })("notebook-md-json", (it) => {
  it.effect("Markdown stays as it is, code and text outputs stand in fences, in the notebook's order", () =>
    Effect.gen(function* () {
      const { markdown, warnings } = yield* read(whole)
      assert.strictEqual(
        markdown,
        [
          "# Tides\n\n*High* water at 6.\n",
          "```python\nimport os\n\nprint('hi')\n```\n",
          "```\nhi\nthere\n```\n",
          "```\n<Figure>\n```\n",
          "**bold**\n",
          "```\nValueError\nbad `x`\n```\n",
          "```\n\\section{Tides}\n```\n",
        ].join("\n"),
      )
      assert.deepStrictEqual(warnings, [
        { code: "attachments_left_out", message: "1 attachment of a cell was left out." },
        {
          code: "images_not_interpreted",
          message:
            "1 image was left out: nothing is recognised in images; a text that stands for one is kept.",
        },
        {
          code: "html_outputs_left_out",
          message: "1 HTML output was left out; a text that stands for one is kept.",
        },
        { code: "outputs_left_out", message: "1 output without text was left out." },
      ])
    }),
  )

  it.effect.each([
    ["its language", { language_info: { name: "R" }, kernelspec: { language: "S" } }, "```r\n"],
    ["its kernel's language", { kernelspec: { language: "julia" } }, "```julia\n"],
    ["no language", {}, "```\n"],
    ["a language that is no plain word", { language_info: { name: "a`\nb" } }, "```\n"],
  ] as const)("code is marked with the language of a notebook with %s", ([, metadata, fence]) =>
    Effect.gen(function* () {
      const { markdown } = yield* read(notebook([make.code("1")], { metadata }))
      assert.strictEqual(markdown, `${fence}1\n\`\`\`\n`)
    }),
  )

  it.effect("code that holds fences cannot end its own", () =>
    Effect.gen(function* () {
      const { markdown } = yield* read(notebook([make.code("s = '''\n```\n````\n'''")]))
      assert.strictEqual(markdown, "`````python\ns = '''\n```\n````\n'''\n`````\n")
    }),
  )

  it.effect("Markdown that closes no fence ends with its cell", () =>
    Effect.gen(function* () {
      const output = make.result({ "text/markdown": "~~~\n2" })
      const { markdown } = yield* read(
        notebook([make.markdown("```\n1"), make.code("", output), make.raw("3")]),
      )
      assert.strictEqual(markdown, "```\n1\n```\n\n~~~\n2\n~~~\n\n```\n3\n```\n")
    }),
  )

  it.effect("what a terminal shows in the end is kept: no colours, no overwritten lines", () =>
    Effect.gen(function* () {
      const text = "\u001b[1;31mred\u001b[0m \u001b]0;title\u0007on\r\n 0%\r 50%\r100%\r\nbell\u0007\b\n"
      const { markdown } = yield* read(notebook([make.code("", make.stream(text))]))
      assert.strictEqual(markdown, "```\nred on\n100%\nbell\n```\n")
    }),
  )

  it.effect("an error without a traceback is named", () =>
    Effect.gen(function* () {
      const error = { output_type: "error", ename: "KeyError", evalue: "'a'", traceback: [] }
      const { markdown } = yield* read(notebook([make.code("", error)]))
      assert.strictEqual(markdown, "```\nKeyError: 'a'\n```\n")
    }),
  )

  it.effect.each([
    ["no JSON", "{", "not valid JSON"],
    ["a list", "[]", "the notebook is a list; it must be an object"],
    ["no nbformat", "{}", "it has no nbformat"],
    ["an odd nbformat", '{"nbformat":"four"}', 'nbformat is "four"; it must be a whole number'],
    ["no cells", '{"nbformat":4}', "cells is missing; it must be a list"],
    ["a cell that is null", notebook([null]), "cells[0] is null; it must be an object"],
    [
      "an unknown cell",
      notebook([{ cell_type: "x".repeat(999), source: "" }]),
      `${"x".repeat(40)}"; it must`,
    ],
    ["a number for text", notebook([make.raw("a"), make.markdown(7)]), "cells[1].source is 7; it must be"],
    ["a number in text", notebook([make.markdown(["a", {}])]), "cells[0].source[1] is an object"],
    ["outputs that are no list", notebook([{ ...make.code(""), outputs: 1 }]), "cells[0].outputs is 1"],
    ["an unknown output", notebook([make.code("", { output_type: "x" })]), 'outputs[0].output_type is "x"'],
    ["data that is no object", notebook([make.code("", make.result([]))]), "outputs[0].data is a list"],
    [
      "text data that is no text",
      notebook([make.code("", make.result({ "text/plain": true }))]),
      'outputs[0].data["text/plain"] is true',
    ],
    [
      "a traceback of numbers",
      notebook([make.code("", { output_type: "error", traceback: [1] })]),
      "traceback[0]",
    ],
    ["metadata that is text", notebook([], { metadata: "a" }), 'metadata is "a"; it must be an object'],
    [
      "attachments in a list",
      notebook([make.markdown("", { attachments: [] })]),
      "cells[0].attachments is a list",
    ],
  ] as const)("refuses %s as file_corrupt, with its place", ([, content, message]) =>
    Effect.gen(function* () {
      const refused = yield* refusal(content)
      assert.strictEqual(refused.code, "file_corrupt")
      assert.include(refused.message, message)
      assert.isBelow(refused.message.length, 300)
    }),
  )

  it.effect.each([
    [
      "10,001 cells",
      () => notebook(Array(10_001).fill(make.raw(""))),
      "10001 cells; the limit notebook_cells_max",
    ],
    [
      "257 levels",
      () => notebook([], { metadata: nested(256) }),
      "257 levels deep; the limit json_depth_max is 256",
    ],
    [
      "5 million levels",
      () => "[".repeat(5_000_000) + "]".repeat(5_000_000),
      "At byte 256 the JSON is 257 levels",
    ],
    ["2 million unclosed levels", () => '{"a":'.repeat(2_000_000), "257 levels deep"],
    [
      "3 million objects",
      () => notebook([], { metadata: Array(3_000_000).fill({}) }),
      "the limit json_nodes_max is",
    ],
  ] as const)("refuses %s as invalid_file, with limit and value", ([, content, message]) =>
    Effect.gen(function* () {
      const refused = yield* refusal(content())
      assert.strictEqual(refused.code, "invalid_file")
      assert.include(refused.message, message)
    }),
  )

  it.effect("brackets in strings are no levels", () =>
    Effect.gen(function* () {
      const text = `${"[{".repeat(1000)}\\" ${"[".repeat(1000)}`
      assert.strictEqual((yield* read(notebook([make.markdown(text)]))).markdown, `${text}\n`)
    }),
  )

  it.effect("refuses other formats of notebooks with what to do", () =>
    Effect.gen(function* () {
      const refused = yield* refusal(notebook([], { nbformat: 3 }))
      assert.strictEqual(refused.code, "file_type_not_accepted")
      assert.include(refused.message, "nbformat 3; accepted is 4")
    }),
  )

  it.effect("names of JavaScript are names like others", () =>
    Effect.gen(function* () {
      const content = `{"__proto__":{"source":"x"},"constructor":1,${whole.slice(1)}`
      assert.strictEqual((yield* read(content)).markdown, (yield* read(whole)).markdown)
    }),
  )

  it.effect("any value in any place ends in a result or a refusal of the file", () =>
    Effect.flatMap(Effect.context<ParsingPool>(), (context) => {
      const holds = Effect.fnUntraced(function* (place: number, value: unknown) {
        const ran = yield* Effect.result(read(replaced(whole, place, value)))
        if (ran._tag === "Success") return
        assert.include<string>(FileRefused.fields.code.literals, ran.failure.code)
        assert.isFalse(ran.failure.retryable)
      })
      const property = fc.asyncProperty(fc.nat(80), fc.jsonValue(), (place, value) =>
        Effect.runPromiseWith(context)(holds(place, value)),
      )
      return Effect.promise(() => fc.assert(property, { numRuns: 500 }))
    }),
  )

  it.effect("document-tools 8: a result over 20 MiB is refused with limit and value", () =>
    Effect.gen(function* () {
      const grows = make.code("`".repeat(definition.maxFileBytes - 1000))
      const failure = yield* Effect.flip(read(notebook([grows])))
      assert.strictEqual(failure.code, "result_too_large")
      assert.include(failure.message, "at most 20971520 are allowed")
    }),
  )
})

/** Lists inside one another. */
const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))

/** The JSON with the value at the `place`-th place, counted as they are read, replaced. */
const replaced = (json: string, place: number, value: unknown): string => {
  let count = 0
  return JSON.stringify(JSON.parse(json, (_, current: unknown) => (count++ === place ? value : current)))
}
