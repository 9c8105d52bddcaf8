import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { paragraph, run, type WordParts, word } from "./word.ts"

const read = async (document: WordParts | string) =>
  converted(await word(typeof document === "string" ? { body: document } : document), "warned.docx")

const inRun = (content: string) => read(paragraph(`${run("a")}<w:r>${content}</w:r>${run("b")}`))

describe("what is left out of Word documents becomes a warning", () => {
  it("images_not_interpreted: images, with their number", async () => {
    const { markdown, warnings } = await inRun(
      "<w:drawing><pic:pic/></w:drawing><w:pict><v:shape><v:imagedata/></v:shape></w:pict>",
    )
    expect(markdown).toBe("ab\n")
    expect(warnings).toEqual([
      {
        code: "images_not_interpreted",
        message: "2 images were left out: nothing is recognised in images.",
      },
    ])
  })

  it("charts_not_interpreted, diagrams_not_interpreted", async () => {
    const { codes } = await inRun("<w:drawing><c:chart/></w:drawing><w:drawing><dgm:relIds/></w:drawing>")
    expect(codes).toEqual(["charts_not_interpreted", "diagrams_not_interpreted"])
  })

  it("diagrams_not_interpreted: the text of a diagram is a list, once", async () => {
    const point = (id: string, text: string, type = "node") =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
    const below = (above: string, id: string, order: number) =>
      `<dgm:cxn srcId="${above}" destId="${id}" srcOrd="${order}"/>`
    const diagram =
      '<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">' +
      `<dgm:ptLst>${point("r", "", "doc")}${point("2", "two")}${point("1", "one")}${point("3", "three")}</dgm:ptLst>` +
      `<dgm:cxnLst>${below("r", "1", 0)}${below("r", "2", 1)}${below("1", "3", 0)}</dgm:cxnLst></dgm:dataModel>`
    const shown = '<w:r><w:drawing><dgm:relIds r:dm="diagram"/></w:drawing></w:r>'
    const body = paragraph(`${run("before")}${shown}`) + paragraph(shown) + paragraph("after")
    const { markdown, codes } = await read({ body, diagram })
    expect(markdown).toBe("before\n\n- one\n  - three\n- two\n\nafter\n")
    expect(codes).toEqual(["diagrams_not_interpreted"])
  })

  it("embedded_documents_left_out: objects, and documents that are part of this one", async () => {
    expect((await inRun("<w:object><o:OLEObject/></w:object>")).codes).toEqual([
      "embedded_documents_left_out",
    ])
    expect((await read(`${paragraph("a")}<w:altChunk/><w:subDoc/>`)).warnings).toEqual([
      {
        code: "embedded_documents_left_out",
        message: "2 embedded documents or objects were left out.",
      },
    ])
  })

  it("images_not_interpreted: what the author says of a picture stands for it", async () => {
    const drawing =
      '<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="Picture 1" descr="A lamp"/><pic:pic/></wp:inline></w:drawing>'
    const { markdown, codes } = await inRun(drawing)
    expect(markdown).toBe("a A lamp b\n")
    expect(codes).toEqual(["images_not_interpreted"])
    for (const other of ["C:\\My pictures\\lamp 1.jpg", "Description automatically generated", ""]) {
      expect((await inRun(drawing.replace("A lamp", other))).markdown, other).toBe("ab\n")
    }
  })

  it("tracked_changes: insertions are kept, deletions are not", async () => {
    const { markdown, warnings } = await read(
      `<w:p><w:ins>${run("in")}</w:ins><w:del><w:r><w:delText>out</w:delText><w:t>out</w:t></w:r></w:del>` +
        `<w:moveFrom>${run("from")}</w:moveFrom><w:moveTo>${run("to")}</w:moveTo></w:p>`,
    )
    expect(markdown).toBe("into\n")
    expect(warnings.map(({ code, message }) => [code, message.slice(0, 2)])).toEqual([
      ["tracked_changes", "4 "],
    ])
  })

  it("tracked_changes: a paragraph whose end was deleted goes on in the next", async () => {
    const end = '<w:rPr><w:del w:id="1"/></w:rPr>'
    const { markdown, codes } = await read(
      `${paragraph("one ", end)}${paragraph("<w:r/>", end)}${paragraph("two")}${paragraph("three", end)}`,
    )
    expect([markdown, codes]).toEqual(["one two\n\nthree\n", ["tracked_changes"]])
  })

  it("comments_left_out: those that are not in the file", async () => {
    const { markdown, codes } = await inRun('<w:commentReference w:id="0"/>')
    expect([markdown, codes]).toEqual(["ab\n", ["comments_left_out"]])
  })

  it("headers_footers_left_out: if they hold letters, not numbers of pages alone", async () => {
    const body = paragraph("a")
    expect((await read({ body, header: paragraph("Draft") })).codes).toEqual(["headers_footers_left_out"])
    expect((await read({ body, footer: paragraph("- 1 -") })).codes).toEqual([])
  })

  it("no_text: a document that holds none", async () => {
    const { markdown, codes } = await read("")
    expect([markdown, codes]).toEqual(["", ["no_text"]])
  })
})
