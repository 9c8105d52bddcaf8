import JSZip from "jszip"
import { describe, expect, it } from "vitest"
import { converted, fileBytesMax, refusalOf } from "./documents.ts"
import { paragraph, word } from "./docx/word.ts"
import { paragraph as odtParagraph, openDocumentText } from "./odt/openDocument.ts"

const docx = await word({ body: paragraph("Hello") })
const odt = await openDocumentText({ text: odtParagraph("Hello") })

const changed = async (document: Buffer, change: (zip: JSZip) => unknown): Promise<Buffer> => {
  const zip = await JSZip.loadAsync(document)
  await change(zip)
  return zip.generateAsync({ type: "nodebuffer" })
}

const html = "<!DOCTYPE html><html><head><meta charset='x'></head><body><p>Grüße</p></body></html>"
const utf16 = (text: string) => Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")])
const utf16be = (text: string) => utf16(text).swap16()
const latin1 = (text: string) => Buffer.from(text, "latin1")

describe("document-tools 4.2: extension, signature and structure must agree", () => {
  it.each([
    ["a Word document as ODT", docx, "a.odt"],
    ["a Word document as XLSX", docx, "a.xlsx"],
    ["a Word document as PDF", docx, "a.pdf"],
    ["a Word document as XLS", docx, "a.xls"],
    ["a Word document as HTML", docx, "a.html"],
    ["a Word document as XML", docx, "a.xml"],
    ["a Word document as CSV", docx, "a.csv"],
    ["an OpenDocument text as DOCX", odt, "a.docx"],
    ["an OpenDocument text as ODS", odt, "a.ods"],
    ["an HTML page as XLS", html, "a.xls"],
    ["a PDF as HTML", "%PDF-1.7\n", "a.html"],
    ["a PDF as CSV", "%PDF-1.7\n", "a.csv"],
    ["RTF as DOCX", "{\\rtf1 Hello}", "a.docx"],
    ["a script as CSV", "#!/bin/sh\necho 1,2\n", "a.csv"],
    ["a script as HTML", "#!/usr/bin/env php\n<html></html>", "a.html"],
    ["an executable as DOCX", Buffer.from("\x7fELF\x02\x01\x01"), "a.docx"],
    ["text as PDF", "Hello", "a.pdf"],
  ])("refuses %s", async (_, bytes, filename) => {
    expect(await refusalOf(bytes, filename)).toMatchObject({ code: "file_type_not_accepted" })
  })

  it.each(["a.doc", "a.docm", "a.pptx", "a.zip", "docx", "a."])(
    "refuses a file named %s",
    async (filename) => {
      expect(await refusalOf(docx, filename)).toMatchObject({
        code: "file_type_not_accepted",
        message: expect.stringContaining(".pdf .docx .xlsx .xls .csv .html .htm .xml .odt .ods"),
      })
    },
  )

  it("refuses macros under the name of a document", async () => {
    const bytes = await changed(docx, (zip) => zip.file("word/vbaProject.bin", "macros"))
    expect(await refusalOf(bytes, "a.docx")).toMatchObject({ code: "file_macro" })
  })

  it("refuses an encrypted OpenDocument text", async () => {
    const bytes = await changed(odt, (zip) =>
      zip.file(
        "META-INF/manifest.xml",
        '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="content.xml" m:media-type="text/xml"><m:encryption-data/></m:file-entry></m:manifest>',
      ),
    )
    expect(await refusalOf(bytes, "a.odt")).toMatchObject({ code: "file_encrypted" })
  })

  it("also looks for definitions of a document type in parts to which nothing leads", async () => {
    const bytes = await changed(docx, (zip) =>
      zip.file("word/unused.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a/>'),
    )
    expect(await refusalOf(bytes, "a.docx")).toMatchObject({
      code: "file_corrupt",
      message: expect.stringContaining("word/unused.xml"),
    })
  })

  it("refuses XML with a document type definition", async () => {
    expect(await refusalOf('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "a.xml")).toMatchObject({
      code: "file_corrupt",
    })
  })

  it("refuses a file over the tool's limit", async () => {
    const bytes = Buffer.alloc(fileBytesMax + 1, "a,b\n")
    expect(await refusalOf(bytes, "a.csv")).toMatchObject({
      code: "invalid_file",
      message: expect.stringContaining(String(fileBytesMax)),
    })
  })
})

describe("text that is converted", () => {
  it.each([
    ["UTF-8", "é;ü\n"],
    ["UTF-8 with a byte order mark", "\ufeffé;ü\n"],
    ["UTF-16, little-endian with a byte order mark", utf16("é;ü\n")],
    ["UTF-16, big-endian with a byte order mark", utf16be("é;ü\n")],
  ])("may be %s", async (_, bytes) => {
    const { contentType, markdown } = await converted(bytes, "a.csv")
    expect(contentType).toBe("text/csv")
    expect(markdown).toBe("| é | ü |\n| --- | --- |\n")
  })

  it.each(["windows-1252", "ISO-8859-1", "'latin1'"])(
    "may be %s if it is HTML that says so",
    async (charset) => {
      const { contentType, markdown } = await converted(
        latin1(html.replace("'x'", charset.startsWith("'") ? charset : `"${charset}"`)),
        "a.htm",
      )
      expect(contentType).toBe("text/html")
      expect(markdown).toContain("Grüße")
    },
  )

  it.each([
    ["UTF-8", Buffer.from("<p>a\u007fb\u0008 é</p>")],
    ["another encoding", latin1('<meta charset="latin1"><p>a\u007fb\u0008 é</p>')],
    ["UTF-16", utf16("<p>a\u007fb\u0008 é</p>")],
  ])("may have control characters in HTML of %s, which show nothing", async (_, bytes) => {
    const { markdown } = await converted(bytes, "a.html")
    expect(markdown).toBe("ab é\n")
  })

  it.each([
    ["another encoding in CSV", latin1("é;ü\n"), "a.csv"],
    ["another encoding in HTML that says nothing", latin1("<p>é</p>"), "a.html"],
    ["another encoding in HTML that says UTF-8", latin1('<meta charset="utf-8"><p>é</p>'), "a.html"],
    ["an unknown encoding", latin1('<meta charset="x-mine"><p>é</p>'), "a.html"],
    ["half a character of UTF-16", Buffer.concat([utf16("ab"), Buffer.of(0)]), "a.csv"],
    ["control characters", "a,b\0\n", "a.csv"],
    ["control characters in UTF-16", utf16("a,b\u0001\n"), "a.csv"],
    ["binary data in HTML", "<p>a\0b</p>", "a.html"],
    ["binary data in HTML of another encoding", latin1('<meta charset="latin1"><p>é\0</p>'), "a.html"],
  ])("may not be %s", async (_, bytes, filename) => {
    expect(await refusalOf(bytes, filename)).toMatchObject({ code: "file_not_utf8" })
  })
})

describe("results", () => {
  it("say who made them", async () => {
    const { json } = await converted(docx, "a.docx")
    expect(json).toMatchObject({ structure_source: "converter:embedded", input_bytes: docx.length })
  })

  it("document-tools 8: are refused over their limit, in numbers", async () => {
    const large = await word({ body: paragraph("Hello ".repeat(1000)) })
    expect(await refusalOf(large, "a.docx", { resultBytesMax: 1000 })).toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("1000"),
    })
  })
})
