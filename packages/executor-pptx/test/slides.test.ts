import { describe, expect, it } from "vitest"
import {
  deck,
  layoutParts,
  namespaces,
  paragraph,
  presentationXml,
  relationshipsXml,
  run,
  shape,
  slideXml,
  textBox,
  title,
  usesLayout,
} from "./deck.ts"
import { parsed, refusalOf } from "./documents.ts"

/** The Markdown of a presentation. */
const markdownOf = async (...parts: Parameters<typeof deck>): Promise<string> =>
  parsed(await deck(...parts)).markdown

const hello = textBox("Hello")

describe("slides", () => {
  it("tell where they stand in the Markdown where the operator wants it (documents.page_offsets)", async () => {
    const bytes = await deck({ slides: [title("Welcome") + hello, "", hello] })
    const { json, markdown } = parsed(bytes, { pageOffsets: true })
    expect(json["slides"]).toEqual([
      { number: 1, start: 0, end: 26 },
      { number: 2, start: 28, end: 38 },
      { number: 3, start: 40, end: 57 },
    ])
    expect(markdown.slice(40, 57)).toBe("## Slide 3\n\nHello")
    expect(Object.keys(parsed(bytes).json)).not.toContain("slides")
  })

  it("have a heading with number and title each, and the title is not repeated", async () => {
    expect(await markdownOf({ slides: [title("Welcome") + hello, hello] })).toBe(
      "## Slide 1: Welcome\n\nHello\n\n## Slide 2\n\nHello\n",
    )
  })

  it("have their title in the heading wherever it stands in the slide, and a second one as text", async () => {
    const centred = shape(paragraph(run("First")), 'type="ctrTitle"')
    expect(await markdownOf({ slides: [hello + centred + title("Second")] })).toBe(
      "## Slide 1: First\n\nHello\n\nSecond\n",
    )
  })

  it("have a title of several lines in one line", async () => {
    const lines = shape(
      paragraph(`${run("One")}<a:br/>${run("two")}`) + paragraph(run("three")),
      'type="title"',
    )
    expect(await markdownOf({ slides: [lines] })).toBe("## Slide 1: One two three\n")
  })

  it("come in the order of the presentation's list, whatever the parts are called", async () => {
    const slides = ["one", "two", "three"].map((text) => textBox(text))
    const parts = { "ppt/presentation.xml": presentationXml(["rId3", "rId1", "rId2"]) }
    expect(await markdownOf({ slides, parts })).toBe(
      "## Slide 1\n\nthree\n\n## Slide 2\n\none\n\n## Slide 3\n\ntwo\n",
    )
  })

  it("that are hidden are marked in the heading", async () => {
    const slides = [
      { tree: title("Backup"), attributes: 'show="0"' },
      { tree: hello, attributes: 'show="false"' },
      { tree: hello, attributes: 'show="1"' },
    ]
    expect(await markdownOf({ slides })).toBe(
      "## Slide 1 (hidden): Backup\n\n## Slide 2 (hidden)\n\nHello\n\n## Slide 3\n\nHello\n",
    )
  })

  it("without text have their heading alone", async () => {
    expect(await markdownOf({ slides: ["", hello] })).toBe("## Slide 1\n\n## Slide 2\n\nHello\n")
  })

  it("give text without places in the order of the file, out of groups too", async () => {
    const group = (content: string) =>
      `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${content}</p:grpSp>`
    const tree = textBox("a") + group(textBox("b") + group(textBox("c")) + textBox("d")) + textBox("e")
    expect(await markdownOf({ slides: [tree] })).toBe("## Slide 1\n\na\n\nb\n\nc\n\nd\n\ne\n")
  })

  it("give the text of their own placeholders, not that of layout and master", async () => {
    const parts = layoutParts(
      shape(paragraph(run("Click to edit")), 'type="title"') + textBox("Confidential"),
      `<p:cSld><p:spTree>${textBox("Company")}</p:spTree></p:cSld>`,
    )
    const tree = shape("<a:p/>", 'type="title"') + hello
    expect(await markdownOf({ slides: [{ tree, relationships: usesLayout }], parts })).toBe(
      "## Slide 1\n\nHello\n",
    )
  })

  it("give footers and dates once, at their end, but not once more the number that the heading says", async () => {
    const field = (type: string, text: string) =>
      `<a:fld id="{1}" type="${type}"><a:rPr/><a:t>${text}</a:t></a:fld>`
    const tree =
      shape(paragraph(field("datetime1", "1 May 2024")), 'type="dt"') +
      shape(paragraph(run("Acme")), 'type="ftr"') +
      shape(paragraph(field("slidenum", "1")), 'type="sldNum"')
    expect(await markdownOf({ slides: [tree] })).toBe("## Slide 1\n\n1 May 2024\n\nAcme\n")
    expect(await markdownOf({ slides: [tree + textBox("one"), tree + textBox("two")] })).toBe(
      "## Slide 1\n\none\n\n1 May 2024\n\nAcme\n\n## Slide 2\n\ntwo\n",
    )
    const more = shape(paragraph(`${run("Page ")}${field("slidenum", "1")}`), 'type="sldNum"')
    const other = shape(paragraph(field("slidenum", "7")), 'type="sldNum"')
    const typed = shape(paragraph(run("12")), 'type="sldNum"')
    const signs = ["λ", "‹#›", "*"].map((sign) => shape(paragraph(run(sign)), 'type="sldNum"')).join("")
    const elsewhere = textBox("1") + shape(paragraph(`${run("See slide ")}${field("slidenum", "1")}`))
    expect(await markdownOf({ slides: [more + other + typed + signs + elsewhere] })).toBe(
      "## Slide 1\n\n1\n\nSee slide 1\n",
    )
  })
})

describe("parts of the presentation", () => {
  it("are found at absolute targets and at targets with backslashes", async () => {
    const slides = [textBox("one"), textBox("two")]
    const target = (number: number) =>
      number === 1 ? "/ppt/slides/slide1.xml" : "..\\ppt\\slides\\slide2.xml"
    expect(await markdownOf({ slides, target })).toBe("## Slide 1\n\none\n\n## Slide 2\n\ntwo\n")
  })

  it("are found under names with backslashes", async () => {
    const parts = { "ppt/slides/slide1.xml": null, "ppt\\slides\\slide1.xml": slideXml({ tree: hello }) }
    expect(await markdownOf({ slides: [hello], parts })).toBe("## Slide 1\n\nHello\n")
  })

  it("are read in the strict namespaces", async () => {
    const strict = (xml: string) =>
      xml
        .replaceAll(namespaces.p, "http://purl.oclc.org/ooxml/presentationml/main")
        .replaceAll(namespaces.a, "http://purl.oclc.org/ooxml/drawingml/main")
        .replaceAll(namespaces.r, "http://purl.oclc.org/ooxml/officeDocument/relationships")
    const link = paragraph(run("here", '<a:hlinkClick r:id="rId5"/>'))
    const bytes = await deck({
      slides: [
        {
          part: strict(slideXml({ tree: title("Strict") + shape(link) })),
          relationships: { rId5: { type: "hyperlink", target: "https://example.com/", external: true } },
        },
      ],
      parts: {
        "ppt/presentation.xml": strict(presentationXml(["rId1"])),
        "ppt/_rels/presentation.xml.rels": strict(
          relationshipsXml({ rId1: { type: "slide", target: "slides/slide1.xml" } }),
        ),
      },
    })
    expect(parsed(bytes).markdown).toBe("## Slide 1: Strict\n\n[here](https://example.com/)\n")
  })

  it("are read with any prefix, and with none", async () => {
    const unusual = slideXml({ tree: title("T") + hello })
      .replaceAll("<p:", "<x.1:")
      .replaceAll("</p:", "</x.1:")
      .replaceAll("xmlns:p=", "xmlns:x.1=")
      .replaceAll("<a:", "<")
      .replaceAll("</a:", "</")
      .replaceAll("xmlns:a=", "xmlns=")
    expect(await markdownOf({ slides: [{ part: unusual }] })).toBe("## Slide 1: T\n\nHello\n")
  })

  it("say nothing under the usual prefixes in other namespaces", async () => {
    const foreign = slideXml({ tree: hello }).replaceAll(namespaces.a, "urn:other")
    expect(await markdownOf({ slides: [{ part: foreign }] })).toBe("## Slide 1\n")
  })

  it("are read in UTF-16", async () => {
    const text = slideXml({ tree: textBox("Grüße 你好 😀") }).replace("UTF-8", "UTF-16")
    const littleEndian = Buffer.from(`\ufeff${text}`, "utf16le")
    const bigEndian = Buffer.from(littleEndian).swap16()
    expect(await markdownOf({ slides: [{ part: littleEndian }, { part: bigEndian }] })).toBe(
      "## Slide 1\n\nGrüße 你好 😀\n\n## Slide 2\n\nGrüße 你好 😀\n",
    )
  })
})

describe("a presentation is refused as file_corrupt", () => {
  const named = (number: number) => expect.stringContaining(`slide ${number}`)

  it("if a slide is not in it", async () => {
    const bytes = await deck({ slides: [hello, hello], parts: { "ppt/slides/slide2.xml": null } })
    expect(refusalOf(bytes)).toMatchObject({ code: "file_corrupt", message: named(2) })
  })

  it("if a slide has no relationship, or one that leads elsewhere", async () => {
    const target = { type: "slideLayout", target: "slides/slide1.xml" }
    const external = { type: "slide", target: "https://example.com/slide1.xml", external: true }
    for (const relationships of [{}, { rId1: target }, { rId1: external }]) {
      const parts = { "ppt/_rels/presentation.xml.rels": relationshipsXml(relationships) }
      expect(refusalOf(await deck({ slides: [hello], parts }))).toMatchObject({
        code: "file_corrupt",
        message: named(1),
      })
    }
  })

  it("if it lists a slide twice", async () => {
    const parts = { "ppt/presentation.xml": presentationXml(["rId1", "rId1"]) }
    expect(refusalOf(await deck({ slides: [hello], parts }))).toMatchObject({
      code: "file_corrupt",
      message: named(2),
    })
  })

  it("if a slide is not well-formed, even after everything that is read", async () => {
    const part = slideXml({ tree: hello }).replace("</p:sld>", "")
    expect(refusalOf(await deck({ slides: [{ part }] }))).toMatchObject({ code: "file_corrupt" })
  })
})
