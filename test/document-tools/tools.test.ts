import { readFileSync } from "node:fs"
import { join } from "node:path"
import JSZip from "jszip"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.ts"
import { refusalIn } from "../support/answers.ts"
import { textAt } from "../support/server.ts"
import { openApp, type ServerApp } from "./app.ts"

let app: ServerApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const fixture = (name: string) =>
  new Uint8Array(readFileSync(join(root, "packages/intake/test/fixtures/accepted", name)))

interface Result {
  readonly markdown: string
  readonly warnings: ReadonlyArray<string>
  readonly json: unknown
}

/** The JSON result of a document that the tool takes and parses. */
const parse = async (
  tool: string,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<Result> => {
  const id = await app.submit({ tool, name, content })
  expect(await app.done(id)).toMatchObject({ status: "succeeded", error: null })
  const json = (await app.call(`/v1/tasks/${id}/result?format=json`)).body
  const warnings: ReadonlyArray<unknown> = Object(json).warnings
  return { json, markdown: textAt(json, "markdown"), warnings: warnings.map((each) => textAt(each, "code")) }
}
const refused = async (tool: string, name: string, content: string | Uint8Array<ArrayBuffer>) =>
  refusalIn(await app.upload({ tool, name, content }))

const noLayout = { ocr: false, page_coordinates: false, bounding_boxes: false, structured_tables: false }

describe("document-tools 1: text-md-json", () => {
  const text = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
    parse("text-md-json", name, content)

  it("document-tools 1: Markdown and TXT are kept as they are", async () => {
    const content = "# Title\n\n* one\n  <b>two</b> & ``` three\r\n\ttab\n"
    for (const name of ["a.md", "a.txt"]) expect((await text(name, content)).markdown).toBe(content)
  })

  it.each([
    ["a.csv", "name,age\nAda,36\n", "csv"],
    ["a.json", '{ "a": [1, 2] }\n', "json"],
    ["a.yaml", "a: 1\n", "yaml"],
    ["a.xml", "<a>1</a>\n", "xml"],
    ["a.html", "<p>1</p>\n", "html"],
    ["a.py", "print('```')\n", "python"],
    ["a.ts", "const a = `1`\n", "typescript"],
    ["a.sql", "select 1\n", "sql"],
  ])("document-tools 1: %s is placed in a Markdown code block", async (name, content, language) => {
    const { markdown, json } = await text(name, content)
    const fence = /^(`{3,})/.exec(markdown)?.[1] ?? expect.fail(markdown)
    expect(markdown).toBe(`${fence}${language}\n${content}${fence}\n`)
    expect(content).not.toContain(fence)
    expect(json).toMatchObject({ structure_source: "text", capabilities: noLayout })
  })

  it("document-tools 1: a UTF-8 BOM is allowed, and is not part of the text", async () => {
    expect((await text("a.txt", "\ufeffGrüße\n")).markdown).toBe("Grüße\n")
  })

  it.each([
    ["GBK", Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a])],
    ["Latin-1", Buffer.from("Gr\xfc\xdfe", "latin1")],
    ["UTF-16", Buffer.from("\ufeffhello", "utf16le")],
    ["an overlong form", Buffer.from([0x61, 0xc0, 0xaf])],
    ["a lone surrogate", Buffer.from([0xed, 0xa0, 0x80])],
    ["a cut character", Buffer.from([0x61, 0xe2, 0x82])],
  ])("document-tools 1: %s is rejected", async (_, bytes) => {
    for (const name of ["a.txt", "a.csv"]) {
      expect(await refused("text-md-json", name, new Uint8Array(bytes))).toBe("400 file_not_utf8 file")
    }
  })

  it("document-tools 1: every illegal control character is rejected; tab, line ends and form feed are not", async () => {
    const legal = new Set([0x09, 0x0a, 0x0c, 0x0d])
    for (let code = 0; code <= 0x20; code++) {
      const control = code === 0x20 ? 0x7f : code
      const { status } = await app.upload({ content: `a${String.fromCharCode(control)}b` })
      expect([control, status]).toEqual([control, legal.has(control) ? 201 : 400])
    }
  })

  it.each([
    ["a PNG", Buffer.from("89504e470d0a1a0a0000000d", "hex")],
    ["an executable", Buffer.from("7f454c4602010100", "hex")],
    ["a PDF", Buffer.from("%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n")],
    ["a ZIP", Buffer.from(fixture("plain.docx"))],
  ])("document-tools 1: binary data is rejected: %s", async (_, bytes) => {
    expect(await refused("text-md-json", "a.txt", new Uint8Array(bytes))).toMatch(
      /^400 (file_type_not_accepted|file_not_utf8) file$/,
    )
  })
})

describe("document-tools 1: pptx-md-json", () => {
  const slides = (content: Uint8Array<ArrayBuffer>) => parse("pptx-md-json", "deck.pptx", content)

  it("document-tools 1: Markdown by slide number, of text boxes and table cells, in the order of the deck", async () => {
    const { markdown, json, warnings } = await slides(
      await deckOf(
        title("First") + box("One line") + box("Another"),
        title("Second") + table(["a", "b"], ["c|d", "e"]),
      ),
    )
    expect(markdown).toMatch(/^#+ .*1.*First\n\nOne line\n\nAnother\n\n#+ .*2.*Second\n/)
    expect(markdown).toMatch(/\| a +\| b +\|\n\| -.*\n\| c\\\|d +\| e +\|/)
    expect(json).toMatchObject({
      structure_source: "pptx-xml",
      capabilities: noLayout,
      schema_version: "1.0",
    })
    expect(warnings).toEqual([])
  })

  it("document-tools 1: charts and images are not interpreted; each is a warning", async () => {
    const { markdown, warnings } = await slides(await deckOf(title("Sales") + chart + picture))
    expect(markdown).toMatch(/^#+ .*Sales\n*$/)
    expect(warnings).toEqual(["charts_not_interpreted", "images_not_interpreted"])
  })

  it("document-tools 1: results are the same on every run", async () => {
    const content = await deckOf(title("First") + box("One"))
    const [first, second] = [await slides(content), await slides(content)]
    expect(second.json).toEqual(first.json)
  })

  it("document-tools 1: legacy .ppt and macro .pptm are unsupported, under whatever name", async () => {
    for (const name of ["a.ppt", "a.pptm", "a.potm", "a.pps"]) {
      expect(await refused("pptx-md-json", name, fixture("plain.pptx"))).toBe(
        "400 file_type_not_accepted file",
      )
    }
  })
})

describe("document-tools 1: file-md-json", () => {
  const plain = {
    "a.docx": fixture("plain.docx"),
    "a.xlsx": fixture("plain.xlsx"),
    "a.xls": fixture("plain.xls"),
    "a.odt": fixture("plain.odt"),
    "a.ods": fixture("plain.ods"),
    "a.csv": "name,greeting\nAda,Hello from a list\n",
    "a.html": "<html><body><h1>Hello from a page</h1><script>no()</script></body></html>",
    "a.xml": "<letter><line>Hello from XML</line></letter>",
    "a.pdf": pdf("BT /F1 24 Tf 72 700 Td (Hello from a PDF) Tj ET"),
  }

  it.each(Object.entries(plain))("document-tools 1: the text of %s", async (name, content) => {
    const { markdown, json } = await parse("file-md-json", name, content)
    expect(markdown).toMatch(/Hello/)
    expect(markdown).not.toContain("no()")
    expect(json).toMatchObject({
      structure_source: expect.stringMatching(/^converter:/),
      capabilities: noLayout,
      input_bytes: Buffer.byteLength(content),
    })
  })

  it("document-tools 1: a PDF without a text layer succeeds with the warning no_text_layer, and no text", async () => {
    const { markdown, warnings } = await parse("file-md-json", "scan.pdf", pdf("0 0 100 100 re f"))
    expect(markdown.trim()).toBe("")
    expect(warnings).toContain("no_text_layer")
  })

  it("document-tools 1: legacy .xls is handled here; legacy .doc and .ppt nowhere", async () => {
    for (const tool of ["text-md-json", "file-md-json", "pptx-md-json"]) {
      for (const name of ["a.doc", "a.ppt"]) {
        expect(await refused(tool, name, fixture("plain.xls"))).toBe("400 file_type_not_accepted file")
      }
    }
  })

  it("document-tools 1: only files that pass the signature checks are accepted: the name must match the content", async () => {
    const wrong = [
      ["a.pdf", plain["a.docx"]],
      [
        "a.pdf",
        new Uint8Array(
          Buffer.from(`${"junk".repeat(300)}${Buffer.from(plain["a.pdf"]).toString("latin1")}`, "latin1"),
        ),
      ],
      ["a.docx", plain["a.pdf"]],
      ["a.xlsx", plain["a.docx"]],
      ["a.csv", plain["a.xlsx"]],
      ["a.html", plain["a.pdf"]],
    ] as const
    for (const [name, content] of wrong) {
      const refusal = await refused("file-md-json", name, content)
      expect([name, refusal]).toEqual([name, expect.stringMatching(/^400 file_\w+ file$/)])
    }
  })
})

const body = (text: string) => `<p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody>`
const shape = (placeholder: string, text: string) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name=""/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr/>${body(text)}</p:sp>`
const title = (text: string) => shape('<p:ph type="title"/>', text)
const box = (text: string) => shape("", text)
const graphic = (kind: string, content: string) =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name=""/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/${kind}">${content}</a:graphicData></a:graphic></p:graphicFrame>`
const table = (...rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const cell = (text: string) => `<a:tc>${body(text).replaceAll("p:txBody", "a:txBody")}<a:tcPr/></a:tc>`
  const grid = `<a:tblGrid>${'<a:gridCol w="1"/>'.repeat(rows[0]?.length ?? 0)}</a:tblGrid>`
  return graphic(
    "table",
    `<a:tbl>${grid}${rows.map((row) => `<a:tr h="1">${row.map(cell).join("")}</a:tr>`).join("")}</a:tbl>`,
  )
}
const chart = graphic("chart", '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/>')
const picture = `<p:pic><p:nvPicPr><p:cNvPr id="4" name=""/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip/></p:blipFill><p:spPr/></p:pic>`

/** A deck whose slides hold these shapes: the fixture with its one slide repeated and filled. */
async function deckOf(...slides: ReadonlyArray<string>): Promise<Uint8Array<ArrayBuffer>> {
  const zip = await JSZip.loadAsync(fixture("plain.pptx"))
  const edit = async (part: string, change: (text: string) => string) =>
    zip.file(part, change((await zip.file(part)?.async("string")) ?? ""))
  /** The part with its element for the first slide repeated for each. */
  const repeated = (part: string, element: RegExp) =>
    edit(part, (text) =>
      text.replace(element, (first) =>
        slides
          .map((_, at) =>
            first
              .replace("slide1", `slide${at + 1}`)
              .replace(/(?<=rId|id=")\d+/g, (id) => String(Number(id) + at)),
          )
          .join(""),
      ),
    )
  const slide = (await zip.file("ppt/slides/slide1.xml")?.async("string")) ?? ""
  for (const [at, shapes] of slides.entries()) {
    zip.file(`ppt/slides/slide${at + 1}.xml`, slide.replace(/<p:sp>.*<\/p:sp>/s, shapes))
  }
  await repeated("[Content_Types].xml", /<Override [^>]*slide1\.xml[^>]*>/)
  await repeated("ppt/_rels/presentation.xml.rels", /<Relationship [^>]*slide1\.xml[^>]*>/)
  await repeated("ppt/presentation.xml", /<p:sldId [^>]*>/)
  return new Uint8Array(await zip.generateAsync({ type: "arraybuffer" }))
}

/** A PDF of one page that this content draws. */
function pdf(content: string): Uint8Array<ArrayBuffer> {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]
  let text = "%PDF-1.4\n"
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}`
  return new Uint8Array(
    Buffer.from(`${text}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`),
  )
}
