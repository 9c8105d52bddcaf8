import { describe, expect, it } from "vitest"
import { refusalOf } from "../documents.ts"
import { lines, onePage, pages, pdfOf, stream, text } from "./makePdf.ts"
import { refused } from "./readPdf.ts"

/** A page whose one form is read ten to the power of ten times. */
const nestedForms = (): Buffer => {
  const form = (level: number) =>
    stream(
      "/X Do ".repeat(10),
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${level + 1} 0 R >> >>`,
    )
  const levels = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [50 + index, form(50 + index)]))
  const last = stream(
    text(0, 0, "a"),
    "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F 3 0 R >> >>",
  )
  const page = {
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
    10: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 11 0 R /Resources << /XObject << /X 50 0 R >> >> >>",
    11: stream("/X Do"),
  }
  return pdfOf({ ...page, 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>", ...levels, 60: last })
}

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

  it("memory: forms that hold one another ten times over, ten levels deep", async () => {
    const { code, message } = await refused(nestedForms())
    expect({ code, message }).toEqual({
      code: "archive_limit_exceeded",
      message: "Reading the PDF takes more than the 268435456 bytes of memory that are allowed.",
    })
  }, 60_000)

  it("issue 11: memory that is refused is no damage, whatever PDFium makes of it, time after time", async () => {
    // PDFium says of such a page that there is none.
    const content = stream(Buffer.alloc(300 * 1024 * 1024, " "))
    const pdf = pdfOf({ ...pages([{ content: "" }]), 11: content })
    for (let round = 0; round < 3; round++) {
      expect((await refused(pdf)).code).toBe("archive_limit_exceeded")
    }
  }, 120_000)

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
