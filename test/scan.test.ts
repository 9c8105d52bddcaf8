import { executorContract } from "@atelier/core/testing"
import { definition, ScanExecutor } from "@atelier/executor-scan"
import { ParsingPool } from "@atelier/intake"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { charactersRight, pdfOf, pngOf, scan } from "../benchmarks/support/scans.ts"

const plain = { font: "sans", size: 12, skew: 0, noise: 0, resolution: 200 } as const
const label = scan(["Harbour office"], plain, [220, 110])
const empty = { ...label, grey: new Uint8Array(label.grey.length).fill(255) }

const readBy = async (filename: string, data: Uint8Array) => {
  const document = { owner: "ada", filename, data, bytes: data.length }
  const program = Effect.gen(function* () {
    const tool = yield* ScanExecutor.make
    const outputDirectory = Effect.die("small results stay in memory")
    return yield* tool.run({ ...document, outputDirectory, outputFormats: ["markdown"] })
  })
  const { results, warnings } = await Effect.runPromise(Effect.provide(program, ParsingPool.layer()))
  const [result] = results
  return {
    markdown: result !== undefined && "data" in result ? Buffer.from(result.data).toString() : "",
    warnings,
  }
}

executorContract({
  name: definition.id,
  make: Effect.orDie(ScanExecutor.make),
  layer: ParsingPool.layer(),
  mutants: 3,
  accepted: [
    {
      name: "a picture of a page",
      filename: "page.png",
      bytes: pngOf(label),
      expect: ({ json, markdown, warnings }) => {
        assert.strictEqual(markdown, "Harbour office\n")
        assert.deepInclude(json, { structure_source: "scan:tesseract" })
        assert.match(warnings[0]?.message ?? "", /Confidence of 100, by page: 1: \d+\./)
      },
    },
  ],
  refused: [
    {
      name: "a picture that is too large",
      filename: "large.png",
      bytes: Buffer.concat([pngOf(label).subarray(0, 16), Buffer.from("0000ffff0000ffff", "hex")]),
      code: "archive_limit_exceeded",
    },
    {
      name: "more than 60 pages",
      filename: "long.pdf",
      bytes: pdfOf(Array.from({ length: 61 }, () => ({ width: 1, height: 1, grey: new Uint8Array(1) }))),
      code: "archive_limit_exceeded",
    },
    { name: "text", filename: "a.png", bytes: Buffer.from("text"), code: "file_type_not_accepted" },
    { name: "an empty file", filename: "a.pdf", bytes: new Uint8Array(), code: "file_type_not_accepted" },
  ],
})

const lines = [
  "Report of the harbour office",
  "Traffic grew in both quarters: 412 ferries came in, 43 more",
  "than in the year before, and 88 container ships from abroad.",
  "The tide tables are computed by a program that Ada wrote.",
]

describe("scan-md-json reads what the tests print", () => {
  it.each([
    { name: "as it is", paper: { ...plain, size: 14 } },
    { name: "in serifs, inclined by two degrees", paper: { ...plain, font: "serif", size: 15, skew: 2 } },
    { name: "in bold, with noise", paper: { ...plain, font: "bold", size: 13, noise: 0.2 } },
  ] as const)("$name: 98 of 100 characters are right", async ({ paper }) => {
    const { markdown } = await readBy("page.png", pngOf(scan(lines, paper, [500, 240])))
    expect(charactersRight(markdown, lines.join("\n")), markdown).toBeGreaterThan(0.98)
  })

  it("page by page, and says which have no text", async () => {
    const { markdown, warnings } = await readBy("scan.pdf", pdfOf([empty, label], [220, 110]))
    expect(markdown).toBe("Harbour office\n")
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^text_recognized .* by page: 2: \d+\.$/),
      "pages_without_text No text was recognised on these pages: 1.",
    ])
  })

  it("nothing on an empty page", async () => {
    const { markdown, warnings } = await readBy("empty.pdf", pdfOf([empty], [220, 110]))
    expect({ markdown, warnings }).toEqual({
      markdown: "",
      warnings: [{ code: "no_text", message: "No text was recognised." }],
    })
  })
})
