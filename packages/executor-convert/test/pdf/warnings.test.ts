import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { pages, pdfOf, picture, pictureObject, stream, text } from "./makePdf.ts"

describe("file-md-json: a PDF without text", () => {
  it("is a result with the warning no_text_layer, where it is pictures alone", async () => {
    const scan = pdfOf(pages([{ content: picture }, { content: picture }], { objects: pictureObject }))
    expect(await converted(scan, "scan.pdf")).toMatchObject({ markdown: "", codes: ["no_text_layer"] })
  })

  it("is told page by page, where other pages have text; an empty page lacks none", async () => {
    const list = [text(72, 700, "Words"), picture, "", picture]
    const pdf = pdfOf(
      pages(
        list.map((content) => ({ content })),
        { objects: pictureObject },
      ),
    )
    const { markdown, warnings } = await converted(pdf, "a.pdf")
    expect(markdown).toBe("Words\n")
    expect(warnings).toEqual([
      { code: "pages_without_text", message: expect.stringContaining("Pages without a text layer: 2, 4.") },
    ])
  })

  it("names at most 20 pages", async () => {
    const list = [text(72, 700, "Words"), ...Array.from({ length: 30 }, () => picture)]
    const pdf = pdfOf(
      pages(
        list.map((content) => ({ content })),
        { objects: pictureObject },
      ),
    )
    const { warnings } = await converted(pdf, "a.pdf")
    expect(warnings[0]?.message).toContain("20, 21 and 10 more.")
  })
})

describe("file-md-json: what a PDF holds besides its text", () => {
  it("attached files are not read", async () => {
    const file = "<< /Type /Filespec /F (a.txt) /EF << /F 7 0 R >> >>"
    const catalog = "/Names << /EmbeddedFiles << /Names [(a.txt) 6 0 R] >> >>"
    const objects = { 6: file, 7: stream("attached words", "/Type /EmbeddedFile") }
    const pdf = pdfOf(pages([{ content: text(72, 700, "Words") }], { catalog, objects }))
    expect(await converted(pdf, "a.pdf")).toMatchObject({
      markdown: "Words\n",
      codes: ["embedded_documents_left_out"],
    })
  })

  it("fields and notes of a page are not read where there are more than 2,000", async () => {
    const note = "<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /Contents (note) >>"
    const page = { content: text(72, 700, "Words"), entries: `/Annots [${"6 0 R ".repeat(2_001)}]` }
    const { markdown, codes } = await converted(pdfOf(pages([page], { objects: { 6: note } })), "a.pdf")
    expect({ markdown, codes }).toEqual({ markdown: "Words\n", codes: ["form_fields_left_out"] })
  })

  it("scripts are not run: one that never ends changes nothing", async () => {
    const script = "<< /S /JavaScript /JS (while (true) {}) >>"
    const catalog = `/OpenAction ${script} /Names << /JavaScript << /Names [(a) ${script}] >> >>`
    const pdf = pdfOf(pages([{ content: text(72, 700, "Words") }], { catalog }))
    expect(await converted(pdf, "a.pdf")).toMatchObject({ markdown: "Words\n", codes: ["scripts_left_out"] })
  })
})
