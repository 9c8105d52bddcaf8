import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"

const markdownOf = async (text: string | Uint8Array): Promise<string> =>
  (await converted(text, "a.xml")).markdown

describe("XML as an outline", () => {
  it("has the root as heading and each element as an item inside of its parent", async () => {
    const xml =
      '<?xml version="1.0"?><catalog version="2"><book id="b1" lang="en"><title>A *title*</title><empty/></book><book>\n  text\n  more </book></catalog>'
    expect(await markdownOf(xml)).toBe(
      [
        "# catalog (version: 2)",
        "",
        "- **book** (id: b1, lang: en)",
        "  - **title**: A \\*title\\*",
        "  - **empty**",
        "- **book**: text more",
        "",
      ].join("\n"),
    )
  })

  it("takes a root that has only text", async () => {
    expect(await markdownOf("<note>Hello &amp; <![CDATA[<bye>]]></note>")).toBe("# note\n\nHello & \\<bye>\n")
  })

  describe("whose definition is elsewhere, and is not read", () => {
    const type = '<!DOCTYPE note PUBLIC "-//A//B//EN" "note.dtd" [<!ENTITY F SYSTEM "f.tif" NDATA TIF>]>'

    it("may name the characters of the sets that such definitions contain (ISO 8879, HTML)", async () => {
      const xml = `${type}<note by="&Eacute;mile">&ldquo;&agr;&sfgr;&ohgr;&KHgr;&rdquo; &lsqb;1&rsqb; &amp;ldquo; &#38;rdquo; <![CDATA[&ldquo;]]></note>`
      expect(await markdownOf(xml)).toBe("# note (by: Émile)\n\n“αςωΧ” [1] \\&ldquo; \\&rdquo; \\&ldquo;\n")
    })

    it.each([
      ["a name that is in none of them", `${type}<note>&chapter1;</note>`, "&chapter1;"],
      ["the name of an unparsed file", `${type}<note>&F;</note>`, "&F;"],
      ["the name of a property of objects", `${type}<note>&constructor;</note>`, "&constructor;"],
      ["a number that is no character", `${type}<note>&#x110000;</note>`, "&#x110000;"],
      ["the number of a control character", `${type}<note a="&#0;"/>`, "&#0;"],
      ["a number written as HTML may have it", `${type}<note>&#X41;</note>`, "&#X41;"],
      ["a long name", `${type}<note>&${"a".repeat(1_000)};</note>`, "&aaaa"],
      ["a name in a document that has its definition in itself", "<!DOCTYPE a []><a>&nbsp;</a>", "&nbsp;"],
      ["a name in a document without a type", "<a>&nbsp;</a>", "&nbsp;"],
    ])("is refused with %s", async (_, xml, name) => {
      const refusal = await refusalOf(xml, "a.xml")
      expect(refusal.code).toBe("file_corrupt")
      expect(refusal.message).toContain(name)
    })
  })

  it("keeps the prefix of a name, and leaves out declarations, comments and instructions", async () => {
    const xml =
      '<?pi?><a xmlns="urn:a" xmlns:b="urn:b" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"><!-- c --><b:c b:d="e"/></a>'
    expect(await markdownOf(xml)).toBe("# a\n\n- **b:c** (b:d: e)\n")
  })

  it("writes running text as one item, with what is marked in it", async () => {
    const xml = "<doc><p>This is <b>very <i>very</i></b> clear.</p></doc>"
    expect(await markdownOf(xml)).toBe("# doc\n\n- **p**: This is very very clear.\n")
  })

  it("keeps the structure beside text that stands between deeper elements", async () => {
    const xml = "<doc>before<a><b><c><d>x</d></c></b></a>after</doc>"
    expect(await markdownOf(xml)).toBe(
      "# doc\n\nbefore\n\n- **a**\n  - **b**\n    - **c**\n      - **d**: x\n\nafter\n",
    )
  })

  it("reads a text that is markup itself, as feeds hold their articles", async () => {
    const xml =
      '<item><body>&lt;p&gt;One &lt;b&gt;bold&lt;/b&gt; &amp;amp; &lt;a href="https://example.org"&gt;link&lt;/a&gt;&lt;/p&gt;&lt;p&gt;Two&lt;/p&gt;&lt;img&gt;</body><math>a &lt; b</math></item>'
    const { markdown, codes } = await converted(xml, "a.xml")
    expect(markdown).toBe(
      "# item\n\n- **body**: One **bold** & [link](https://example.org)  \n  Two\n- **math**: a < b\n",
    )
    expect(codes).toEqual(["images_not_interpreted"])
  })

  it.each([
    ["UTF-16 with a byte order mark", `\ufeff<?xml version="1.0" encoding="UTF-16"?><a>Grüße</a>`],
    ["UTF-16 without", `<?xml version="1.0" encoding="UTF-16"?><a>Grüße</a>`],
  ])("may be %s, in both orders", async (_, xml) => {
    const little = Buffer.from(xml, "utf16le")
    expect(await markdownOf(little)).toBe("# a\n\nGrüße\n")
    expect(await markdownOf(Buffer.from(little).swap16())).toBe("# a\n\nGrüße\n")
  })

  it("may be in an encoding that it declares", async () => {
    const xml = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>Gr\u00fc\u00dfe</a>', "latin1")
    expect(await markdownOf(xml)).toBe("# a\n\nGrüße\n")
    const cyrillic = Buffer.from([
      ...Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>'),
      0xcf,
      0xf0,
      ...Buffer.from("</a>"),
    ])
    expect(await markdownOf(cyrillic)).toBe("# a\n\nПр\n")
  })

  it("may have a document type declaration without definitions", async () => {
    expect(await markdownOf('<!DOCTYPE a SYSTEM "a.dtd"><a>b</a>')).toBe("# a\n\nb\n")
  })

  it("writes what is nested very deep at the deepest level that a list has", async () => {
    const depth = 200
    const xml = `${"<a>".repeat(depth)}x${"</a>".repeat(depth)}`
    const markdown = await markdownOf(xml)
    expect(markdown.split("\n").at(-2)).toBe(`${"  ".repeat(15)}- **a**: x`)
  })

  it.each([
    ["is not well-formed", "<a><b></a>"],
    ["declares entities", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ])("file_corrupt: refuses what %s", async (_, xml) => {
    expect(await refusalOf(xml, "a.xml")).toMatchObject({ code: "file_corrupt" })
  })

  it("archive_limit_exceeded: refuses elements nested deeper than the limit", async () => {
    expect(await refusalOf(`${"<a>".repeat(300)}${"</a>".repeat(300)}`, "a.xml")).toMatchObject({
      code: "archive_limit_exceeded",
      message: expect.stringContaining("256"),
    })
  })
})
