import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MarkdownWriter, Warnings, writeResults } from "@atelier/executor/parsing"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { markdownLike } from "./arbitraries.ts"

const folder = mkdtempSync(join(tmpdir(), "results-"))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (
  texts: ReadonlyArray<string>,
  resultBytesMax = 1_000_000,
  outputFormats: ReadonlyArray<"markdown" | "json"> = ["markdown", "json"],
) => {
  const outputDirectory = mkdtempSync(join(folder, "output-"))
  const markdown = new MarkdownWriter(1_000_000)
  for (const text of texts) markdown.block(text)
  const input = { path: "", filename: "", fileBytesMax: 0, outputDirectory, outputFormats, resultBytesMax }
  const warnings = [{ code: "seen", message: "Größe „漢字“" }]
  const finish = () =>
    writeResults(input, { markdown, structureSource: "test", warnings, inputBytes: 3 }).results
  return { finish, outputDirectory, markdown: markdown.toString() }
}

describe("writeResults", () => {
  it("contract, Tools: result.md is the Markdown, result.json holds it, and both have the said sizes", () => {
    fc.assert(
      fc.property(fc.array(markdownLike, { maxLength: 4 }), (texts) => {
        const { finish, markdown } = write(texts)
        const [first, second] = finish()
        const written = [first, second].map((result) => readFileSync(result?.path ?? ""))
        expect(written.map(({ length }) => length)).toEqual([first?.bytes, second?.bytes])
        expect(written[0]?.toString()).toBe(markdown)
        expect(written[1]?.toString()).toBe(
          JSON.stringify({
            schema_version: "1.0",
            markdown,
            structure_source: "test",
            capabilities: {
              ocr: false,
              page_coordinates: false,
              bounding_boxes: false,
              structured_tables: false,
            },
            warnings: [{ code: "seen", message: "Größe „漢字“" }],
            input_bytes: 3,
          }),
        )
      }),
      { numRuns: 200 },
    )
  })

  it("document-tools 2.3: only the wanted formats are written, in their order", () => {
    const { finish, outputDirectory } = write(["a"], 1000, ["json"])
    expect(finish().map(({ format, contentType }) => [format, contentType])).toEqual([
      ["json", "application/json"],
    ])
    expect(readdirSync(outputDirectory)).toEqual(["result.json"])
  })

  it("document-tools 8: a result over the limit is refused with limit and value, to the byte", () => {
    const [markdown, json] = write(['quote "\n']).finish()
    const [markdownBytes = 0, jsonBytes = 0] = [markdown?.bytes, json?.bytes]
    expect(() => write(['quote "\n'], markdownBytes - 1, ["markdown"]).finish()).toThrow(
      `The Markdown result would have ${markdownBytes} bytes; at most ${markdownBytes - 1} are allowed.`,
    )
    expect(() => write(['quote "\n'], jsonBytes - 1, ["json"]).finish()).toThrow(
      expect.objectContaining({ code: "result_too_large" }),
    )
    expect(write(['quote "\n'], jsonBytes).finish()).toHaveLength(2)
  })
})

describe("Warnings", () => {
  it("each code is there once, in the order of first appearance, with its count", () => {
    const warnings = new Warnings()
    const images = (count: number) => `${count} images were left out.`
    warnings.add("image", images)
    warnings.add("chart", () => "Charts were left out.")
    warnings.add("image", images)
    expect(warnings.list).toEqual([
      { code: "image", message: "2 images were left out." },
      { code: "chart", message: "Charts were left out." },
    ])
  })
})
