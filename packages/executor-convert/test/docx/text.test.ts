import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { convertLimits } from "../../src/Limits.ts"
import { converted, refusalOf } from "../documents.ts"
import {
  abstractList,
  field,
  item,
  level,
  list,
  paragraph,
  run,
  strict,
  styled,
  textBox,
  type WordParts,
  word,
} from "./word.ts"

const read = async (document: WordParts | string) =>
  converted(await word(typeof document === "string" ? { body: document } : document), "text.docx")

const markdownOf = async (document: WordParts | string) => (await read(document)).markdown

describe("paragraphs", () => {
  it("are blocks, and empty ones are nothing", async () => {
    expect(await markdownOf(paragraph("one") + paragraph("<w:r/>") + paragraph(" ") + paragraph("two"))).toBe(
      "one\n\ntwo\n",
    )
  })

  it("go on over the borders of runs", async () => {
    expect(await markdownOf(paragraph(run("Hel") + run("lo ") + run("world")))).toBe("Hello world\n")
  })

  it("are escaped, so that they show as they are", async () => {
    const body = paragraph("# no heading") + paragraph("- no item") + paragraph("*a* _b_ <i> [c](d) `e`")
    expect(await markdownOf(body)).toBe(
      "\\# no heading\n\n\\- no item\n\n\\*a\\* \\_b\\_ \\<i> [c\\](d) \\`e\\`\n",
    )
  })

  it("keep what stands above, below or is struck: as characters where Unicode has them", async () => {
    const raised = (text: string) => run(text, '<w:vertAlign w:val="superscript"/>')
    const lowered = (text: string) => run(text, '<w:vertAlign w:val="subscript"/>')
    const body = paragraph(
      `${run("5 m")}${raised("2")}${run(" of H")}${lowered("2")}${run("O, x")}${raised("a*")}${run(" on the 1")}${raised("st")}${run(", ")}${run("gone", "<w:strike/>")}`,
    )
    expect(await markdownOf(body)).toBe("5 m² of H₂O, x<sup>a\\*</sup> on the 1st, ~~gone~~\n")
  })

  it("are read in the strict variant of the standard", async () => {
    expect(await markdownOf({ body: paragraph("one"), namespaces: strict })).toBe("one\n")
  })

  it("inside of content controls, smart tags and custom XML are read", async () => {
    const control = `<w:sdt><w:sdtPr><w:alias w:val="no text"/><w:rPr><w:b/></w:rPr></w:sdtPr><w:sdtContent>${paragraph("one")}</w:sdtContent></w:sdt>`
    const inline = `<w:p><w:smartTag><w:customXml>${run("two")}</w:customXml></w:smartTag></w:p>`
    expect(await markdownOf(control + inline)).toBe("one\n\ntwo\n")
  })

  it("begin with their dropped capital", async () => {
    const capital = paragraph("O", '<w:framePr w:dropCap="drop" w:lines="3"/>')
    expect(await markdownOf(capital + paragraph("nce upon a time"))).toBe("Once upon a time\n")
    expect(await markdownOf(capital)).toBe("O\n")
  })
})

describe("headings", () => {
  const style = (id: string, name: string, more = "") =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`
  const outline = (level: number) => `<w:pPr><w:outlineLvl w:val="${level}"/></w:pPr>`

  it("have the level of their style's outline, whatever its id in other languages", async () => {
    const styles = style("berschrift2", "heading 2", outline(1)) + style("X", "Mine", outline(7))
    expect(await markdownOf({ styles, body: styled("berschrift2", "one") + styled("X", "two") })).toBe(
      "## one\n\n###### two\n",
    )
  })

  it("inherit it from the styles that theirs is based on", async () => {
    const styles =
      style("Base", "Base", outline(2)) + style("Derived", "Derived", '<w:basedOn w:val="Base"/>')
    expect(await markdownOf({ styles, body: styled("Derived", "one") })).toBe("### one\n")
  })

  it("are known by the names of their styles, in many languages, and without any styles by ids", async () => {
    const styles = style("A", "Überschrift 3") + style("B", "Heading 1") + style("C", "标题 2")
    const body = styled("A", "one") + styled("B", "two") + styled("C", "three")
    expect(await markdownOf({ styles, body })).toBe("### one\n\n# two\n\n## three\n")
    expect(await markdownOf(styled("Heading2", "four"))).toBe("## four\n")
  })

  it("are told by the name of a style that goes on after the level, but for those of text below one", async () => {
    const style = (id: string, name: string) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
    const styles = style("A", "Heading 2 Numbered") + style("B", "Heading 2 Body Text")
    expect(await markdownOf({ body: styled("A", "a") + styled("B", "b"), styles })).toBe("## a\n\nb\n")
  })

  it("are what a paragraph says itself before what its style says, and level 10 is body text", async () => {
    const styles = style("H", "heading 1", outline(0))
    const own = (level: number) => `<w:pStyle w:val="H"/><w:outlineLvl w:val="${level}"/>`
    const body = paragraph("one", own(3)) + paragraph("two", own(9))
    expect(await markdownOf({ styles, body })).toBe("#### one\n\ntwo\n")
  })

  it("of the title are of level 1", async () => {
    expect(await markdownOf({ styles: style("T", "Title"), body: styled("T", "one") })).toBe("# one\n")
  })

  it("are not bold or italic once more, and are one line", async () => {
    const styles = style("H", "heading 1", outline(0))
    const body = paragraph(
      `${run("one", "<w:b/>")}<w:r><w:br/></w:r>${run("two", "<w:i/>")}`,
      '<w:pStyle w:val="H"/>',
    )
    expect(await markdownOf({ styles, body })).toBe("# one two\n")
  })

  it("end in circles of inheritance too", async () => {
    const styles =
      style("A", "A", '<w:basedOn w:val="B"/>') + style("B", "B", `<w:basedOn w:val="A"/>${outline(0)}`)
    expect(await markdownOf({ styles, body: styled("A", "one") })).toBe("# one\n")
  })
})

describe("comments", () => {
  it("are referred to where they stand, and follow at the end with their authors", async () => {
    const comment = (id: number, author: string, text: string) =>
      `<w:comment w:id="${id}" w:author="${author}">${text}</w:comment>`
    const refer = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`
    const comments =
      comment(0, "Ann", paragraph("why?") + paragraph("since when?")) +
      comment(1, "", paragraph("yes")) +
      comment(2, "B", "<w:p/>")
    const footnotes = `<w:footnote w:id="1">${paragraph("note")}</w:footnote>`
    const body = paragraph(
      `${run("a")}${refer(1)}<w:r><w:footnoteReference w:id="1"/></w:r>${run("b")}${refer(0)}${refer(2)}`,
    )
    expect(await markdownOf({ body, comments, footnotes })).toBe(
      "a[^c1][^1]b[^c2]\n\n[^1]: note\n\n[^c1]: Comment: yes\n\n[^c2]: Comment by Ann: why?  \nsince when?\n",
    )
  })
})

describe("headings of Word", () => {
  it("are none by the level that the document's own text has in the outline", async () => {
    const styles =
      '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="N"/></w:style>'
    const body = styled("H2", "Quays") + paragraph("text") + paragraph("own", '<w:outlineLvl w:val="2"/>')
    expect(await markdownOf({ styles, body })).toBe("## Quays\n\ntext\n\n### own\n")
  })

  it("of more than 200 characters are text, and items of their list", async () => {
    const styles = '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style>'
    const numbering = abstractList(1, level(0, "decimal", "%1.")) + list(1, 1)
    const clause = (text: string) => item(text, 1, 0, '<w:pStyle w:val="H"/>')
    const long = "word ".repeat(41).trim()
    const body = clause("Quays") + clause(long) + styled("H", long) + styled("H", long.slice(0, 200).trim())
    expect(await markdownOf({ styles, numbering, body })).toBe(
      `# 1. Quays\n\n2. ${long}\n\n${long}\n\n# ${long.slice(0, 200).trim()}\n`,
    )
  })
})

describe("quotations and code inside of lines", () => {
  const named = (id: string, name: string, type: string, more = "") =>
    `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`

  it("are told by the names of their styles, also of those that they inherit from", async () => {
    const styles =
      named("Q", "Intense Quote", "paragraph") +
      named("Mine", "Mine", "paragraph", '<w:basedOn w:val="Q"/>') +
      named("V", "Verbatim Char", "character")
    const code = '<w:rStyle w:val="V"/>'
    const body =
      styled("Q", "one") +
      styled("Mine", "two") +
      paragraph(`${run("run ")}${run("a  `", code)}${run("b", code)}${run(" now")}`)
    expect(await markdownOf({ styles, body })).toBe("> one\n\n> two\n\nrun ``a  `b`` now\n")
  })

  it("are one where each word of code was marked for itself", async () => {
    const styles = named("V", "Verbatim Char", "character")
    const code = (text: string) => run(text, '<w:rStyle w:val="V"/>')
    const body =
      paragraph(`${run("take ")}${code("a")}${run(" ")}${code("=")}${run(" ")}${code("b")}${run(".")}`) +
      paragraph(`${code("a")}${run(", ")}${code("b")}${run("  ")}${code("c")}`) +
      paragraph(`${code("a")}${run("\u00a0")}${code("b")}${code("c")}${run(" ")}`)
    expect(await markdownOf({ styles, body })).toBe("take `a = b`.\n\n`a`, `b c`\n\n`a`\u00a0`bc`\n")
  })

  it("are no headings because they inherit from the title: subtitles, authors and dates", async () => {
    const styles =
      named("T", "Title", "paragraph") +
      ["Subtitle", "Author", "Date"]
        .map((name) => named(name, name, "paragraph", '<w:basedOn w:val="T"/>'))
        .join("") +
      named("Mine", "My title", "paragraph", '<w:basedOn w:val="T"/>')
    const body =
      styled("T", "one") +
      styled("Subtitle", "two") +
      styled("Author", "three") +
      styled("Date", "four") +
      styled("Mine", "five")
    expect(await markdownOf({ styles, body })).toBe("# one\n\ntwo\n\nthree\n\nfour\n\n# five\n")
  })
})

describe("bold and italic text", () => {
  it("is marked", async () => {
    const body = paragraph(
      `${run("a ")}${run("b", "<w:b/>")}${run(" ")}${run("c", "<w:i/>")}${run(" ")}${run("d", "<w:b/><w:i/>")}`,
    )
    expect(await markdownOf(body)).toBe("a **b** *c **d***\n")
  })

  it("is marked once over runs in the same format, and white space at its edges stays out of it", async () => {
    const body = paragraph(
      `${run("a")}${run(" b", "<w:b/>")}${run(" ")}${run("c ", "<w:b/>")}${run("d")}${run("  ", "<w:b/>")}`,
    )
    expect(await markdownOf(body)).toBe("a **b c** d\n")
  })

  it("is not marked where the property is off", async () => {
    const body = ["0", "false", "off"].map((off) => run("a", `<w:b w:val="${off}"/>`)).join("")
    expect(await markdownOf(paragraph(body))).toBe("aaa\n")
  })

  it("leaves a mark of punctuation outside that would stop its marks", async () => {
    const body = paragraph(`${run("Note:", "<w:b/>")}${run("text (")}${run("(x)", "<w:i/>")}${run("y)")}`)
    expect(await markdownOf(body)).toBe("**Note**:text (*(x*)y)\n")
  })

  it("that touches text in another format keeps what both share", async () => {
    const both = paragraph(`${run("a", "<w:b/>")}${run("b", "<w:b/><w:i/>")}`)
    const none = paragraph(`${run("a", "<w:b/>")}${run("b", "<w:i/>")}`)
    expect(await markdownOf(both + none)).toBe("**ab**\n\n**a**b\n")
  })

  it("lies inside of other emphasis where its marks can be read", async () => {
    const [b, i, s] = ["<w:b/>", "<w:i/>", "<w:strike/>"]
    const body =
      paragraph(`${run("all in ", i)}${run("one style", i + b)}${run(".", i)}`) +
      paragraph(`${run("ita", i)}${run("li", i + s)}${run("c", i)}`) +
      paragraph(`${run("a", b + i)}${run("b", b)}${run("c", b + i)}`)
    expect(await markdownOf(body)).toBe("*all in **one style**.*\n\n*ita~~li~~c*\n\n**abc**\n")
  })

  it("comes from styles: of paragraphs and of characters, which turn each other off", async () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="P"><w:name w:val="P"/><w:rPr><w:b/></w:rPr></w:style>' +
      '<w:style w:type="character" w:styleId="C"><w:name w:val="C"/><w:rPr><w:b/></w:rPr></w:style>'
    const strong = '<w:rStyle w:val="C"/>'
    const body =
      paragraph(`${run("a ")}${run("b", strong)}`, '<w:pStyle w:val="P"/>') +
      paragraph(`${run("c ")}${run("d", strong)}${run(" e", `${strong}<w:b w:val="0"/>`)}`)
    expect(await markdownOf({ styles, body })).toBe("**a** b\n\nc **d** e\n")
  })

  it("is not what was before a tracked change of the format", async () => {
    const body = paragraph(run("a", "<w:rPrChange><w:rPr><w:b/></w:rPr></w:rPrChange>"))
    expect(await markdownOf(body)).toBe("a\n")
  })
})

describe("text inside of runs", () => {
  const inRun = (content: string) => markdownOf(`<w:p><w:r>${content}</w:r></w:p>`)
  const [a, b] = ["<w:t>a</w:t>", "<w:t>b</w:t>"]

  it("breaks at w:br and w:cr", async () => {
    expect(await inRun(`${a}<w:br/>${b}<w:cr/>${a}`)).toBe("a  \nb  \na\n")
  })

  it("keeps tabs, not those that are tab stops", async () => {
    expect(await inRun(`${a}<w:tab/>${b}<w:ptab/>${a}`)).toBe("a\tb\ta\n")
    expect(await markdownOf(paragraph("a", '<w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs>'))).toBe("a\n")
  })

  it("has no-break hyphens as hyphens and loses optional ones", async () => {
    expect(await inRun(`${a}<w:noBreakHyphen/>${b}<w:softHyphen/>${a}`)).toBe("a-ba\n")
  })

  it("has the codes of symbol fonts in text as Unicode; one that is not known is left out with a warning", async () => {
    const inFont = (font: string, text: string) =>
      paragraph(run(text, `<w:rFonts w:ascii="${font}" w:hAnsi="${font}"/>`) + run("b"))
    expect(await markdownOf(inFont("Symbol", "\uf061\uf0de a ") + inFont("Wingdings", "\uf0fc"))).toBe(
      "α⇒ a b\n\n✔b\n",
    )
    for (const font of ["Webdings", "constructor", "__proto__", "Symbol".repeat(100_000)])
      expect(await read(inFont(font, "\uf021")), font.slice(0, 20)).toMatchObject({
        markdown: "b\n",
        codes: ["symbols_left_out"],
      })
  })

  it("has symbols as Unicode; one that is not known is left out with a warning", async () => {
    const symbol = (font: string, char: string) => `<w:sym w:font="${font}" w:char="${char}"/>`
    const known = symbol("Symbol", "F061") + symbol("Wingdings", "F0FC") + symbol("Arial", "20AC")
    expect(await inRun(known)).toBe("α✔€\n")
    const unknown = await read(`<w:p><w:r>${a}${symbol("Webdings", "F021")}</w:r></w:p>`)
    expect(unknown).toMatchObject({ markdown: "a\n", codes: ["symbols_left_out"] })
  })

  it("takes a line end inside of w:t as white space", async () => {
    expect(await inRun("<w:t>one\n  two</w:t>")).toBe("one two\n")
  })

  it("gives the reading of a word in parentheses after it", async () => {
    const ruby = `<w:ruby><w:rubyPr/><w:rt>${run("とうきょう")}</w:rt><w:rubyBase>${run("東京")}</w:rubyBase></w:ruby>`
    expect(await inRun(ruby)).toBe("東京(とうきょう)\n")
  })

  it("that is hidden is left out with a warning", async () => {
    const hidden = await read(paragraph(run("a") + run("b", "<w:vanish/>")))
    expect(hidden).toMatchObject({ markdown: "a\n", codes: ["hidden_text_left_out"] })
  })
})

describe("links", () => {
  it("lead to the targets of relationships and keep their place there", async () => {
    const body =
      `<w:p><w:hyperlink r:id="rId9">${run("one", "<w:b/>")}${run(" two")}</w:hyperlink></w:p>` +
      `<w:p><w:hyperlink r:id="rId9" w:anchor="here">${run("three")}</w:hyperlink></w:p>`
    expect(await markdownOf({ body, links: { rId9: "https://example.com/" } })).toBe(
      "[**one** two](https://example.com/)\n\n[three](https://example.com/#here)\n",
    )
  })

  it("inside of the document, and to other things than web and mail, are their text", async () => {
    const body = paragraph(
      `<w:hyperlink w:anchor="there">${run("one ")}</w:hyperlink><w:hyperlink r:id="rId9">${run("two")}</w:hyperlink>`,
    )
    expect(await markdownOf({ body, links: { rId9: "file:///etc/passwd" } })).toBe("one two\n")
  })

  it("with a target over 4096 characters are their text", async () => {
    const links = { rId9: `https://example.com/${"a".repeat(4096)}` }
    expect(
      await markdownOf({ body: `<w:p><w:hyperlink r:id="rId9">${run("one")}</w:hyperlink></w:p>`, links }),
    ).toBe("one\n")
  })

  it("whose targets alone are more than a result may hold are refused while they are counted", async () => {
    const link = `<w:hyperlink r:id="rId9">${run("one")}</w:hyperlink>${run(" ")}`
    const bytes = await word({
      body: `<w:p>${link.repeat(100)}</w:p>`,
      links: { rId9: `https://example.com/${"a".repeat(1000)}` },
    })
    expect(await refusalOf(bytes, "links.docx", { resultBytesMax: 10_000 })).toMatchObject({
      code: "result_too_large",
    })
  })

  it("are read out of fields", async () => {
    const complex = field(' HYPERLINK "https://example.com/" \\l "a" ', run("one"))
    const simple = `<w:fldSimple w:instr=" HYPERLINK https://example.org/ ">${run("two")}</w:fldSimple>`
    expect(await markdownOf(paragraph(complex) + paragraph(simple))).toBe(
      "[one](https://example.com/#a)\n\n[two](https://example.org/)\n",
    )
  })
})

describe("fields", () => {
  it("give their results, without their instructions", async () => {
    expect(await markdownOf(paragraph(field(' DATE \\@ "d" ', run("16 June"))))).toBe("16 June\n")
  })

  it("nest: a result inside of an instruction is no text", async () => {
    const inner = field(" MERGEFIELD x ", run("no"))
    const outer =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> IF </w:instrText></w:r>' +
      `${inner}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run("yes")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
    expect(await markdownOf(paragraph(`${outer}${run(" after")}`))).toBe("yes after\n")
  })

  it("go over several paragraphs", async () => {
    const body =
      paragraph(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>' +
          `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run("one")}`,
      ) + paragraph(`${run("two")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`)
    expect(await markdownOf(body)).toBe("one\n\ntwo\n")
  })

  it("that never end hide nothing of the next paragraph", async () => {
    const body = paragraph('<w:r><w:fldChar w:fldCharType="begin"/></w:r>') + paragraph("shown")
    expect(await markdownOf(body)).toBe("shown\n")
  })

  it("for check boxes are boxes", async () => {
    const box = (checked: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:sizeAuto/>${checked}</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
    const body =
      box('<w:default w:val="0"/>') +
      box('<w:default w:val="1"/>') +
      box('<w:default w:val="1"/><w:checked w:val="0"/>')
    expect(await markdownOf(paragraph(body))).toBe("☐☒☐\n")
  })
})

describe("notes", () => {
  const note = (kind: string, id: number, content: string) => `<w:${kind} w:id="${id}">${content}</w:${kind}>`
  const refer = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`

  it("are numbered as they are referred to, and stand at the end", async () => {
    const body =
      paragraph(run("one") + refer("endnote", 7) + run(" two") + refer("footnote", 8)) +
      paragraph(run("three") + refer("footnote", 8))
    const footnotes =
      note("footnote", 8, paragraph("eight") + paragraph("more")) + note("footnote", 9, paragraph("never"))
    const endnotes = note("endnote", 7, paragraph(`<w:r><w:endnoteRef/></w:r>${run(" seven")}`))
    expect(await markdownOf({ body, footnotes, endnotes })).toBe(
      "one[^1] two[^2]\n\nthree[^2]\n\n[^1]: seven\n\n[^2]: eight  \nmore\n",
    )
  })

  it("keep their links", async () => {
    const footnotes = note("footnote", 1, `<w:p><w:hyperlink r:id="rId9">${run("x")}</w:hyperlink></w:p>`)
    const links = { rId9: "https://example.com/" }
    expect(await markdownOf({ body: paragraph(run("a") + refer("footnote", 1)), footnotes, links })).toBe(
      "a[^1]\n\n[^1]: [x](https://example.com/)\n",
    )
  })

  it("have no mark of their own beside the reference", async () => {
    const body = paragraph(
      `${run("a")}<w:r><w:footnoteReference w:id="1" w:customMarkFollows="1"/><w:t>*</w:t></w:r>${run("b")}`,
    )
    expect(await markdownOf({ body, footnotes: note("footnote", 1, paragraph("one")) })).toBe(
      "a[^1]b\n\n[^1]: one\n",
    )
  })

  it("that are not there or empty are not referred to", async () => {
    const body = paragraph(run("a") + refer("footnote", 1) + refer("footnote", 2))
    expect(await markdownOf({ body, footnotes: note("footnote", 2, paragraph("<w:r/>")) })).toBe("a\n")
  })
})

describe("text boxes", () => {
  it("follow the paragraph that they are anchored in", async () => {
    const body = paragraph(run("one ") + textBox(paragraph("box") + paragraph("more")) + run("two"))
    expect(await markdownOf(body)).toBe("one two\n\nbox\n\nmore\n")
  })

  it("nest", async () => {
    const inner = textBox(paragraph("inner"))
    expect(await markdownOf(paragraph(textBox(paragraph(run("outer") + inner))))).toBe("outer\n\ninner\n")
  })

  it("that are there in several forms are read once: the first choice, else the fallback", async () => {
    const box = (text: string) => textBox(paragraph(text))
    const both = `<mc:AlternateContent><mc:Choice Requires="wps">${box("choice")}</mc:Choice><mc:Choice Requires="x">${box("second")}</mc:Choice><mc:Fallback>${box("fallback")}</mc:Fallback></mc:AlternateContent>`
    const one = `<mc:AlternateContent><mc:Fallback>${box("only")}</mc:Fallback></mc:AlternateContent>`
    expect(await markdownOf(paragraph(both) + paragraph(one))).toBe("choice\n\nonly\n")
  })

  it("of the kind called WordArt are text, but for watermarks", async () => {
    const art = (id: string) =>
      `<w:r><w:pict><v:shapetype><v:textpath on="t"/></v:shapetype><v:shape id="${id}"><v:textpath string="Of boats"/></v:shape></w:pict></w:r>`
    expect(await markdownOf(paragraph(art("_x0000_s1026")) + paragraph("a"))).toBe("Of boats\n\na\n")
    expect(await markdownOf(paragraph(art("PowerPlusWaterMarkObject1")) + paragraph("a"))).toBe("a\n")
  })
})

describe("a Word document inside of another", () => {
  const chunk = '<w:altChunk r:id="chunk"/>'
  /** Empty paragraphs of so many bytes, none of which is a long text. */
  const room = (bytes: number): string => `${" ".repeat(99_994)}<w:p/>`.repeat(Math.ceil(bytes / 100_000))
  const within = async (inner: Uint8Array, body = chunk) =>
    converted(await word({ body, chunk: ["chunk.dat", inner] }), "a.docx")

  it("stands where it is put, once, with its own lists and styles, and its notes among those of the whole", async () => {
    const inner = await word({
      body:
        styled("Title1", "inner") +
        item("x", 1) +
        paragraph('<w:r><w:t>n</w:t><w:footnoteReference w:id="1"/></w:r>'),
      styles: `<w:style w:type="paragraph" w:styleId="Title1"><w:name w:val="heading 2"/></w:style>`,
      numbering: abstractList(1, level(0, "decimal", "%1.", 4)) + list(1, 1),
      footnotes: `<w:footnote w:id="1">${paragraph("note")}</w:footnote>`,
    })
    const { markdown, codes } = await within(
      inner,
      `${paragraph("before")}${chunk}${chunk}${paragraph("after")}`,
    )
    expect(markdown).toBe("before\n\n## inner\n\n4. x\n\nn[^1]\n\nafter\n\n[^1]: note\n")
    expect(codes).toEqual(["embedded_documents_left_out"])
  })

  it("may have one inside as well", async () => {
    const innermost = await word({ body: paragraph("innermost") })
    const inner = await word({ body: `${paragraph("inner")}${chunk}`, chunk: ["chunk.dat", innermost] })
    expect((await within(inner)).markdown).toBe("inner\n\ninnermost\n")
  })

  it("is left out where it is too large together with the one that it is inside of", async () => {
    const half = room(0.6 * convertLimits.embedded_documents_bytes_max)
    const innermost = (more: string) => word({ body: `${paragraph("innermost")}${more}` })
    const of = async (more: string) =>
      within(
        await word({
          body: `${paragraph("inner")}${half}${chunk}`,
          chunk: ["chunk.dat", await innermost(more)],
        }),
      )
    expect(await of(half)).toMatchObject({ markdown: "inner\n", codes: ["embedded_documents_left_out"] })
    expect(await of("")).toMatchObject({ markdown: "inner\n\ninnermost\n", codes: [] })
  })

  it.each([
    ["it is damaged", async () => (await word({ body: paragraph("a") })).subarray(0, 900)],
    ["its XML is damaged", () => word({ body: "<w:p>" })],
    ["it holds macros", () => word({ body: paragraph("a"), parts: { "word/vbaProject.bin": "x" } })],
    [
      "it is too large",
      () => word({ body: `${paragraph("a")}${room(convertLimits.embedded_documents_bytes_max)}` }),
    ],
  ])("is left out with a warning where %s", async (_, inner) => {
    const { markdown, codes } = await within(await inner(), `${paragraph("a")}${chunk}`)
    expect(markdown).toBe("a\n")
    expect(codes).toEqual(["embedded_documents_left_out"])
  })
})

describe("HTML inside of a Word document", () => {
  const chunk = '<w:altChunk r:id="chunk"/>'
  const read = async (html: string | Uint8Array, body: string, file = "a.html") =>
    converted(await word({ body, chunk: [file, html] }), "a.docx")

  it("stands where it is put, once, with what an HTML file has", async () => {
    const html =
      '<!DOCTYPE html><title>t</title><style>p{}</style><h2>H</h2><p>a <b>b</b> <img src="c"><ol start="3"><li>x<ul><li>y</ul></ol><blockquote>q</blockquote><pre>c\n d</pre><hr><table><tr><th>1<th>2<tr><td>3<td>4</table>'
    const { markdown, codes } = await read(
      html,
      `${paragraph(run("before"))}${chunk}${paragraph(run("after"))}`,
    )
    expect(markdown).toBe(
      "before\n\n## H\n\na **b**\n\n3. x\n   - y\n\n> q\n\n```\nc\n d\n```\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n\nafter\n",
    )
    expect(codes).toEqual(["images_not_interpreted"])
    expect((await read("<p>a", chunk.repeat(3))).markdown).toBe("a\n")
  })

  it("may be in a cell, and in the encoding that it declares", async () => {
    const table = `<w:tbl><w:tr><w:tc>${chunk}</w:tc><w:tc>${paragraph(run("b"))}</w:tc></w:tr></w:tbl>`
    const latin = Buffer.from('<meta charset="windows-1252"><p>Gr\u00fc\u00dfe<ul><li>x</ul>', "latin1")
    expect((await read(latin, table)).markdown).toBe("| Grüße<br>- x | b |\n| --- | --- |\n")
  })

  it("may be a page that is archived with its pictures, as libraries for browsers write it", async () => {
    const archived =
      'MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html";\r\n boundary="----=b"\r\n\r\n------=b\r\n' +
      'Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n' +
      '<p style=3D"x">Gr=C3=BC=\r\n=C3=9Fe <img src=3D"cid:1">\r\n\r\n------=b\r\n' +
      "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n------=b--\r\n"
    const { markdown, codes } = await read(archived, `${chunk}${paragraph(run("after"))}`, "a.mht")
    expect(markdown).toBe("Grüße\n\nafter\n")
    expect(codes).toEqual(["images_not_interpreted"])
  })

  it.each([
    ["an archived page without HTML", "a.mht", "Content-Type: text/plain\r\n\r\na"],
    [
      "an archived page of too many levels",
      "a.mht",
      "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n".repeat(999),
    ],
    [
      "an archived page that is too large",
      "a.mht",
      `Content-Type: text/html\r\n\r\n<p>${randomBytes(4_200_000).toString("hex")}`,
    ],
    ["another format", "a.rtf", "{\\rtf1 a}"],
    ["what is no text", "a.html", new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0xff])],
  ])("is left out with a warning where it is %s", async (_, file, content) => {
    const { markdown, codes } = await read(content, `${paragraph(run("a"))}${chunk}`, file)
    expect(markdown).toBe("a\n")
    expect(codes).toEqual(["embedded_documents_left_out"])
  })

  it("result_too_large: counts with the text of the document", async () => {
    const html = `<table>${"<tr><td colspan=1000>x".repeat(20_000)}</table>`
    const document = await word({ body: `${paragraph(run("a"))}${chunk}`, chunk: ["a.html", html] })
    expect((await refusalOf(document, "a.docx")).code).toBe("result_too_large")
    // Tables that are nearly empty, in a cell, which is kept until its row is written.
    const rows = Array.from({ length: 1_200 }, (_, at) => `<tr><td colspan=${at + 1}><td>x`).join("")
    const cell = `<w:tbl><w:tr><w:tc>${chunk}</w:tc><w:tc>${paragraph(run("b"))}</w:tc></w:tr></w:tbl>`
    const kept = await word({ body: cell, chunk: ["a.html", `<table>${rows}</table>`.repeat(20)] })
    expect((await refusalOf(kept, "a.docx")).code).toBe("result_too_large")
  })
})
