import { extname } from "node:path"
import {
  intakeLimits,
  openPackage,
  openZip,
  type PackageFormat,
  type Refusal,
  relationshipsOf,
  verifyPackage,
} from "@atelier/intake/bytes"
import { describe, expect, it } from "vitest"
import { check, fixture, refusalOf, withParts } from "./fixtures.ts"

const contentTypesOf = (file: string): string =>
  Buffer.from(openZip(fixture(file)).read("[Content_Types].xml") ?? []).toString()

describe("openPackage", () => {
  it("every format is refused under the name of every other, and named", () => {
    const formats = ["docx", "pptx", "xlsx", "odt", "ods"] as const
    for (const format of formats) {
      for (const other of formats.filter((each) => each !== format)) {
        const refusal = refusalOf(() => openPackage(fixture(`plain.${format}`), other))
        expect(refusal?.code).toBe("file_type_not_accepted")
        expect(refusal?.message).toContain(`(${format.toUpperCase()}), not`)
        expect(refusal?.message).toContain(`(${other.toUpperCase()}).`)
      }
    }
  })

  it.each([
    ["plain.pptx", "ppt/presentation.xml"],
    ["plain.docx", "word/document.xml"],
    ["plain.xlsx", "xl/workbook.xml"],
    ["plain.odt", "content.xml"],
    ["plain.ods", "content.xml"],
    ["backslash-names.xlsx", "xl/workbook.xml"],
    ["main-part-elsewhere.docx", "Custom/Text.xml"],
  ])("finds the main part of %s", (file, mainPart) => {
    const format = extname(file).slice(1) as PackageFormat
    const document = openPackage(fixture(file), format)
    expect(document).toMatchObject({ format, mainPart })
    expect(document.archive.read(mainPart)?.length).toBeGreaterThan(100)
  })

  it("tells a part's content type, by name before extension, without regard to case", () => {
    const { contentTypeOf } = openPackage(fixture("plain.docx"), "docx")
    expect(contentTypeOf("Word/Document.XML")).toContain("wordprocessingml.document.main+xml")
    expect(contentTypeOf("[Content_Types].xml")).toBe("application/xml")
    expect(contentTypeOf("word/other.png")).toBeUndefined()
  })

  it("a document that says in its content types one thing twice is accepted, one that says two is not", async () => {
    const types = contentTypesOf("plain.docx")
    const again = '<Override PartName="/Word/Document.xml" ContentType="TYPE"/></Types>'
    const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    const twice = (type: string) =>
      withParts("plain.docx", {
        "[Content_Types].xml": types.replace("</Types>", again.replace("TYPE", type)),
      })
    expect(openPackage(await twice(main), "docx").mainPart).toBe("word/document.xml")
    const refusal = refusalOf(
      await twice("application/xml").then((bytes) => () => openPackage(bytes, "docx")),
    )
    expect(refusal).toMatchObject({ code: "file_corrupt" })
  })

  it("embedded workbooks with macros are macros, binary workbooks under a chart are not", async () => {
    const types = contentTypesOf("plain.pptx")
    const embedded = async (extension: string, type: string): Promise<Refusal | undefined> => {
      const bytes = await withParts("plain.pptx", {
        [`ppt/embeddings/book.${extension}`]: "not looked at",
        "[Content_Types].xml": types.replace(
          "</Types>",
          `<Default Extension="${extension}" ContentType="application/vnd.ms-excel.${type}.12"/></Types>`,
        ),
      })
      return refusalOf(() => openPackage(bytes, "pptx"))
    }
    expect(await embedded("xlsm", "sheet.macroEnabled")).toMatchObject({ code: "file_macro" })
    expect(await embedded("xlsb", "sheet.binary.macroEnabled")).toBeUndefined()
  })

  it("an OpenDocument file's empty libraries are no macros", async () => {
    const bytes = await withParts("plain.odt", {
      "Basic/script-lc.xml": "<a/>",
      "Basic/Standard/script-lb.xml": "<a/>",
      "Basic/Standard/dialog-lb.xml": "<a/>",
    })
    expect(refusalOf(() => check(bytes, "odt"))).toBeUndefined()
  })
})

describe("verifyPackage", () => {
  const broken = "<a><b></a>"
  const used = (target: string) => ({
    "word/_rels/document.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme" Target="${target}"/></Relationships>`,
  })

  it.each([
    ["word/theme.xml", used("theme.xml"), ""],
    ["word/_rels/document.xml.rels", {}, ""],
    ["_rels/.rels", {}, ""],
    [
      "word/theme.dat",
      used("theme.dat"),
      '<Override PartName="/word/theme.dat" ContentType="application/vnd.example+xml"/>',
    ],
  ])("checks %s, which belongs to the document", async (name, parts, override) => {
    const types = contentTypesOf("plain.docx")
    const bytes = await withParts("plain.docx", {
      ...parts,
      [name]: broken,
      "[Content_Types].xml": types.replace("</Types>", `${override}</Types>`),
    })
    const refusal = refusalOf(() => verifyPackage(openPackage(bytes, "docx")))
    expect(refusal?.code).toBe("file_corrupt")
  })

  it.each([
    ["docx", "word/left-over.xml"],
    ["docx", "[trash]/0000.xml"],
    ["pptx", "ppt/_rels/left-over.xml.rels"],
    ["odt", "left-over.xml"],
  ])("opens a %s with %s, which is no XML and to which nothing leads", async (format, name) => {
    const bytes = await withParts(`plain.${format}`, { [name]: "\u0000\u0001 no XML" })
    expect(refusalOf(() => check(bytes, format))).toBeUndefined()
    const hostile = await withParts(`plain.${format}`, { [name]: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' })
    expect(refusalOf(() => check(hostile, format))?.code).toBe("file_corrupt")
  })

  it("does not take for XML what does not say that it is", async () => {
    const bytes = await withParts("plain.docx", {
      "word/media/image1.png": "<a><b></a>",
      "word/notes.txt": "<",
    })
    expect(refusalOf(() => check(bytes, "docx"))).toBeUndefined()
  })
})

describe("relationshipsOf", () => {
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
  const one = (target: string, more = "") =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${type}" Target="${target}" ${more}/></Relationships>`
  const targetOf = async (target: string, more = ""): Promise<string | undefined> => {
    const bytes = await withParts("plain.pptx", {
      "ppt/slides/_rels/slide1.xml.rels": one(target, more),
      "ppt/media/Bild ä.png": "a",
    })
    return relationshipsOf(openZip(bytes), "ppt/slides/slide1.xml").get("rId1")?.target
  }

  it.each([
    ["../media/Bild ä.png", "ppt/media/Bild ä.png"],
    ["../media/Bild%20%C3%A4.png", "ppt/media/Bild ä.png"],
    ["/ppt/media/Bild ä.png", "ppt/media/Bild ä.png"],
    ["../MEDIA/bild ä.PNG", "ppt/media/Bild ä.png"],
    ["..\\media\\Bild ä.png", "ppt/media/Bild ä.png"],
    ["./../slides/./../media/Bild ä.png#part", "ppt/media/Bild ä.png"],
    ["slide1.xml", "ppt/slides/slide1.xml"],
    ["../media/none%2.png", "ppt/media/none%2.png"],
    ["../../../../etc/passwd", "../../etc/passwd"],
    ["#_ftn1", "#_ftn1"],
  ])("resolves %s to %s", async (target, part) => {
    expect(await targetOf(target)).toBe(part)
  })

  it("a target outside of the archive is the name of nothing in it", async () => {
    const bytes = await withParts("plain.pptx", {
      "ppt/_rels/presentation.xml.rels": one("../../ppt/slides/slide1.xml"),
    })
    const archive = openZip(bytes)
    const target = relationshipsOf(archive, "ppt/presentation.xml").get("rId1")?.target ?? ""
    expect(archive.has(target)).toBe(false)
  })

  it("leaves an external target as it is written", async () => {
    const url = "https://example.org/a/../b%20c?d=1&amp;e=2#f"
    expect(await targetOf(url, 'TargetMode="External"')).toBe("https://example.org/a/../b%20c?d=1&e=2#f")
  })

  it("relationships_max: as many are read, one more is refused with the limit", () => {
    const { archive } = openPackage(fixture("plain.pptx"), "pptx")
    const read = (max: number) => () =>
      relationshipsOf(archive, "ppt/presentation.xml", { ...intakeLimits, relationships_max: max })
    expect(read(2)().size).toBe(2)
    expect(refusalOf(read(1))).toMatchObject({
      code: "archive_limit_exceeded",
      message: expect.stringContaining("at most 1 are allowed (relationships_max)"),
    })
  })

  it("gives types by their last segment, in the order of the file; none where there is no such part", () => {
    const { archive } = openPackage(fixture("plain.pptx"), "pptx")
    const found = [...relationshipsOf(archive, "ppt/presentation.xml").values()]
    expect(found.map((each) => each.type)).toEqual(["slideMaster", "slide"])
    expect(relationshipsOf(archive, "").get("rId1")).toMatchObject({
      type: "officeDocument",
      external: false,
    })
    expect(relationshipsOf(archive, "ppt/nothing.xml").size).toBe(0)
  })
})
