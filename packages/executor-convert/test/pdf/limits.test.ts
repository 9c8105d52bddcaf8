import { describe, expect, it } from "vitest"
import { refusalOf } from "../documents.ts"
import { lines, nestedForms, onePage, pages, pdfOf, text } from "./makePdf.ts"
import { refused } from "./readPdf.ts"

describe("file-md-json: no PDF takes more than its share (archive_limit_exceeded, result_too_large)", () => {
  it("pages: 5,000", async () => {
    const objects = pages([{ content: text(72, 700, "a") }])
    const kids = (count: number) => `<< /Type /Pages /Count ${count} /Kids [${"10 0 R ".repeat(count)}] >>`
    expect(await refused(pdfOf({ ...objects, 2: kids(5_001) }))).toEqual({
      code: "archive_limit_exceeded",
      message: "The PDF has 5001 pages; at most 5000 are allowed.",
    })
  })

  it("characters of a page: 500,000", async () => {
    const pdf = onePage(lines(Array.from({ length: 20 }, () => "a".repeat(26_000))))
    const { code, message } = await refused(pdf)
    expect(code).toBe("archive_limit_exceeded")
    expect(message).toMatch(/^A page of the PDF holds 520\d\d\d characters; at most 500000 are allowed\.$/)
  })

  it("characters of the fields of a page: as many", async () => {
    const field = (number: number): string =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${number}) /V 30 0 R /Rect [160 696 400 712] >>`
    const pdf = pdfOf(
      pages([{ content: text(72, 700, "Your name:"), entries: "/Annots [6 0 R 7 0 R]" }], {
        catalog: "/AcroForm << /Fields [6 0 R 7 0 R] >>",
        objects: { 6: field(6), 7: field(7), 30: `(${"a".repeat(260_000)})` },
      }),
    )
    const { code, message } = await refused(pdf)
    expect(code).toBe("archive_limit_exceeded")
    expect(message).toMatch(/^A page of the PDF holds 52000\d characters; at most 500000 are allowed\.$/)
  })

  it("memory: forms that hold one another ten times over, ten levels deep", async () => {
    const { code, message } = await refused(nestedForms())
    expect({ code, message }).toEqual({
      code: "archive_limit_exceeded",
      message: "Reading the PDF takes more than the 268435456 bytes of memory that are allowed.",
    })
  })

  it("the result: what the tool allows", async () => {
    const pdf = pdfOf(
      pages(Array.from({ length: 20 }, () => ({ content: text(72, 700, "word ".repeat(20)) }))),
    )
    expect(await refusalOf(pdf, "a.pdf", { resultBytesMax: 1_000 })).toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("1000"),
    })
  })
})
