import { WrittenResults } from "@atelier/executor"
import { MarkdownWriter, Warnings, writeResults } from "@atelier/executor/parsing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { markdownLike } from "./arbitraries.ts"

const write = (
  texts: ReadonlyArray<string>,
  resultBytesMax = 1_000_000,
  outputFormats: ReadonlyArray<"markdown" | "json"> = ["markdown", "json"],
) => {
  const written = new WrittenResults()
  const markdown = new MarkdownWriter(1_000_000)
  for (const text of texts) markdown.block(text)
  const document = new Uint8Array(3)
  const input = {
    document,
    filename: "",
    fileBytesMax: 3,
    write: written.write,
    outputFormats,
    resultBytesMax,
  }
  const warnings = [{ code: "seen", message: "Größe „漢字“" }]
  const finish = () => {
    writeResults(input, { markdown, structureSource: "test", warnings, inputBytes: 3 })
    return written
  }
  return { finish, markdown: markdown.toString() }
}

describe("writeResults", () => {
  it("contract, Tools: one result is the Markdown, the other holds it", () => {
    fc.assert(
      fc.property(fc.array(markdownLike, { maxLength: 4 }), (texts) => {
        const { finish, markdown } = write(texts)
        const written = finish()
        expect(written.bytes("markdown").toString()).toBe(markdown)
        expect(written.bytes("json").toString()).toBe(
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

  it("document-tools 2.3: only the wanted formats are written", () => {
    expect(write(["a"], 1000, ["json"]).finish().formats).toEqual(["json"])
  })

  it("document-tools 8: a result over the limit is refused with limit and value, to the byte", () => {
    const written = write(['quote "\n']).finish()
    const [markdownBytes, jsonBytes] = [written.bytes("markdown").length, written.bytes("json").length]
    expect(() => write(['quote "\n'], markdownBytes - 1, ["markdown"]).finish()).toThrow(
      `The Markdown result would have ${markdownBytes} bytes; at most ${markdownBytes - 1} are allowed.`,
    )
    expect(() => write(['quote "\n'], jsonBytes - 1, ["json"]).finish()).toThrow(
      expect.objectContaining({ code: "result_too_large" }),
    )
    expect(write(['quote "\n'], jsonBytes).finish().formats).toHaveLength(2)
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
