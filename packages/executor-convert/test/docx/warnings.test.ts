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

  it("equations_as_text: equations are one line of text", async () => {
    const { markdown, codes } = await read(
      `<w:p>${run("a ")}<m:oMath><m:r><w:rPr><w:i/></w:rPr><m:t>x+1</m:t></m:r></m:oMath>${run(" b")}</w:p>`,
    )
    expect(markdown).toBe("a x+1 b\n")
    expect(codes).toEqual(["equations_as_text"])
  })

  it.each([
    ["fractions", "<m:f><m:num>A+B</m:num><m:den>C</m:den></m:f>", "(A+B)/C"],
    [
      "powers and indices",
      "<m:sSubSup><m:e>A</m:e><m:sub>B</m:sub><m:sup>C-D</m:sup></m:sSubSup>",
      "A_B^(C-D)",
    ],
    ["roots", "<m:rad><m:deg>C</m:deg><m:e>A</m:e></m:rad>", "√A"],
    ["sums", '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>A</m:sub><m:e>B</m:e></m:nary>', "∑_AB"],
    ["brackets", '<m:d><m:dPr><m:begChr m:val="["/></m:dPr><m:e>A</m:e></m:d><m:d>B</m:d>', "[A)(B)"],
  ])("equations_as_text: %s are written as people type them", async (_, equation, text) => {
    const filled = equation.replace(/>([A-D][^<]*)</g, "><m:r><m:t>$1</m:t></m:r><")
    const { markdown } = await read(`<w:p><m:oMath>${filled}</m:oMath></w:p>`)
    expect(markdown.replaceAll("\\", "")).toBe(`${text}\n`)
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

  it("comments_left_out", async () => {
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
