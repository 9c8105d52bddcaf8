import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"
import {
  cell,
  heading,
  item,
  list,
  numberLevel,
  type OpenDocumentParts,
  openDocumentText,
  paragraph,
  row,
  span,
  style,
  table,
} from "./openDocument.ts"

const read = async (document: OpenDocumentParts | string) =>
  converted(await openDocumentText(typeof document === "string" ? { text: document } : document), "text.odt")

const markdownOf = async (document: OpenDocumentParts | string) => (await read(document)).markdown

describe("paragraphs of OpenDocument", () => {
  it("are blocks, and empty ones are nothing", async () => {
    expect(await markdownOf(paragraph("one") + paragraph("") + paragraph(" ") + paragraph("two"))).toBe(
      "one\n\ntwo\n",
    )
  })

  it("have their white space as the standard says: runs of it are one space, elements are more", async () => {
    const text = paragraph("a\n   b<text:s text:c='3'/>c<text:tab/>d<text:line-break/>e")
    expect(await markdownOf(text)).toBe("a b c\td  \ne\n")
  })

  it("do not grow by a count of spaces", async () => {
    expect(await markdownOf(paragraph('a<text:s text:c="1000000000"/>b'))).toBe("a b\n")
  })

  it("are read out of fields of every kind, known or not", async () => {
    expect(await markdownOf(paragraph("<text:page-number>3</text:page-number> <text:x>y</text:x>"))).toBe(
      "3 y\n",
    )
  })

  it("have the codes of symbol fonts as Unicode; one that is not known is left out with a warning", async () => {
    const automatic =
      `<style:font-face style:name="Symbol1" svg:font-family="'Symbol'"/>` +
      style("text", "S", 'style:font-name="Symbol1"') +
      style("paragraph", "W", 'style:font-name="Wingdings"')
    const text = paragraph(`a ${span("S", "\uf061\uf0de")} \uf061`) + paragraph("\uf0fc", "W")
    expect(await markdownOf({ automatic, text })).toBe("a α⇒ \uf061\n\n✔\n")
    expect(await read({ automatic, text: paragraph("a\uf0ff\uf022", "W") })).toMatchObject({
      markdown: "a✂\n",
      codes: ["symbols_left_out"],
    })
  })

  it("have the boxes to tick that LibreOffice keeps of Word, and the text of its other fields", async () => {
    const field = (type: string, content: string) =>
      `<field:fieldmark field:type="vnd.oasis.opendocument.field.${type}">${content}</field:fieldmark>`
    const state = (value: boolean) => `<field:param field:name="Checkbox_Checked" field:value="${value}"/>`
    const [yes, no] = [field("FORMCHECKBOX", state(true)), field("FORMCHECKBOX", state(false))]
    const text = paragraph(`a ${yes} b ${no} c ${field("FORMCHECKBOX", "")} ${field("FORMTEXT", "d")}`)
    expect(await markdownOf(text)).toBe("a ☒ b ☐ c ☐ d\n")
  })

  it("are bold and italic by their styles, which inherit", async () => {
    const automatic =
      style("text", "B", 'fo:font-weight="bold"') +
      style("text", "N", 'fo:font-weight="normal"') +
      style("text", "I", 'fo:font-style="italic"', 'style:parent-style-name="B"') +
      style("paragraph", "P", 'fo:font-weight="700"')
    const text = paragraph(`a ${span("B", "b")} ${span("I", "c")}`) + paragraph(`d ${span("N", "e")}`, "P")
    expect(await markdownOf({ automatic, text })).toBe("a **b *c***\n\n**d** e\n")
  })

  it("are quotations and code by the names of their styles", async () => {
    const automatic =
      style("paragraph", "P", "", 'style:parent-style-name="Quotations"') +
      style("text", "T", "", 'style:parent-style-name="Source_20_Text"')
    const text = paragraph("one", "P") + paragraph(`run ${span("T", 'a<text:s text:c="2"/>b')} now`)
    expect(await markdownOf({ automatic, text })).toBe("> one\n\nrun `a  b` now\n")
  })

  it("keep what stands above, below or is struck", async () => {
    const automatic =
      style("text", "U", 'style:text-position="super 58%"') +
      style("text", "D", 'style:text-position="-33% 58%"') +
      style("text", "S", 'style:text-line-through-style="solid"')
    const text = paragraph(`m${span("U", "2")} H${span("D", "2")}O ${span("S", "gone")}`)
    expect(await markdownOf({ automatic, text })).toBe("m² H₂O ~~gone~~\n")
  })

  it("have links", async () => {
    const link = '<text:a xlink:href="https://example.com/">b</text:a>'
    expect(await markdownOf(paragraph(`a ${link} <text:a xlink:href="#there">c</text:a>`))).toBe(
      "a [b](https://example.com/) c\n",
    )
  })

  it("give the reading of a word in parentheses after it", async () => {
    const ruby =
      "<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>"
    expect(await markdownOf(paragraph(ruby))).toBe("東京(とうきょう)\n")
  })

  it("that are headings have their level", async () => {
    expect(await markdownOf(heading(2, "a") + heading(9, "b"))).toBe("## a\n\n###### b\n")
  })

  it("in the styles of title and headings are headings too", async () => {
    const automatic =
      style("paragraph", "P1", "", 'style:parent-style-name="Title"') +
      style("paragraph", "P2", "", 'style:parent-style-name="Heading_20_2"')
    expect(await markdownOf({ automatic, text: paragraph("a", "P1") + paragraph("b", "P2") })).toBe(
      "# a\n\n## b\n",
    )
  })

  it("that are headings carry their numbers as text", async () => {
    const styles = `<text:outline-style>${
      numberLevel(1, 'style:num-format="I" style:num-suffix="."', "outline-level-style") +
      numberLevel(2, 'style:num-format="1" text:display-levels="2"', "outline-level-style")
    }</text:outline-style>`
    const text =
      heading(1, "a") +
      heading(2, "<text:number>9.9</text:number>b") +
      heading(1, "c", 'text:is-list-header="true"') +
      heading(1, "d") +
      heading(1, "e", 'text:restart-numbering="true" text:start-value="7"')
    expect(await markdownOf({ styles, text })).toBe("# I. a\n\n## I.1 b\n\n# c\n\n# II. d\n\n# VII. e\n")
  })
})

describe("lists of OpenDocument", () => {
  const automatic =
    `<text:list-style style:name="N">${
      numberLevel(1, 'style:num-format="1" style:num-suffix="."') +
      numberLevel(2, 'style:num-format="a" text:start-value="3"')
    }</text:list-style>` +
    `<text:list-style style:name="W">${numberLevel(1, 'style:num-format="A" style:num-prefix="Annex "')}</text:list-style>` +
    `<text:list-style style:name="O">${numberLevel(1, 'style:num-format=""')}</text:list-style>`
  const numbered = 'text:style-name="N"'

  it("have bullets and levels", async () => {
    expect(await markdownOf(list(item("a", list(item("b"))) + item("c")))).toBe("- a\n  - b\n- c\n")
  })

  it("have numbers by their styles, which lists inside inherit", async () => {
    const text = list(item("a", list(item("b"))) + item("c", list(item("d"))), numbered)
    expect(await markdownOf({ automatic, text })).toBe("1. a\n   - c b\n2. c\n   - c d\n")
  })

  it("begin where an item says", async () => {
    const text = list(item("a", "", 'text:start-value="5"') + item("b"), numbered)
    expect(await markdownOf({ automatic, text })).toBe("5. a\n6. b\n")
  })

  it("go on from the last one of their style, or from one by name, if they say so", async () => {
    const text =
      list(item("a"), `${numbered} xml:id="l1"`) +
      paragraph("x") +
      list(item("b"), `${numbered} text:continue-numbering="true"`) +
      paragraph("y") +
      list(item("c"), numbered) +
      paragraph("z") +
      list(item("d"), `${numbered} text:continue-list="l1"`)
    expect(await markdownOf({ automatic, text })).toBe("1. a\n\nx\n\n2. b\n\ny\n\n1. c\n\nz\n\n3. d\n")
  })

  it("that follow each other are told apart, unless the one goes on with the other", async () => {
    const more = `${numbered} text:continue-numbering="true"`
    expect(await markdownOf(list(item("a")) + list(item("b")))).toBe("- a\n\n* b\n")
    const apart = list(item("a"), numbered) + list(item("b"), numbered)
    expect(await markdownOf({ automatic, text: apart })).toBe("1. a\n\n1) b\n")
    const together = list(item("a"), numbered) + list(item("b"), more)
    expect(await markdownOf({ automatic, text: together })).toBe("1. a\n2. b\n")
  })

  it("count no item that holds only another list", async () => {
    const inner = (content: string) => `<text:list-item>${list(item(content))}</text:list-item>`
    const more = `${numbered} text:continue-numbering="true"`
    const text = list(item("a") + inner("b"), numbered) + paragraph("x") + list(inner("c"), more)
    expect(await markdownOf({ automatic, text })).toBe("1. a\n   - c b\n\nx\n\n- d c\n")
  })

  it("have headers without a number, and further paragraphs in an item", async () => {
    const text = list(
      `<text:list-header>${paragraph("h")}</text:list-header>${item("a", paragraph("b"))}${item("c")}`,
      numbered,
    )
    expect(await markdownOf({ automatic, text })).toBe("h\n\n1. a\n\n   b\n2. c\n")
  })

  it("of contents have the number of the page behind each entry, and their levels", async () => {
    const entry = (content: string, level: number) => paragraph(content, `Contents_20_${level}`)
    const text =
      paragraph("Contents", "Contents_20_Heading") +
      entry("1<text:tab/>Quays<text:tab/>3", 1) +
      entry("1.1<text:tab/>Depth<text:tab/>4", 2) +
      entry("2<text:tab/>Sheds<text:tab/>9", 1)
    expect(
      await markdownOf(
        `<text:table-of-content><text:index-body>${text}</text:index-body></text:table-of-content>`,
      ),
    ).toBe("Contents\n\n- 1 Quays 3\n  - 1.1 Depth 4\n- 2 Sheds 9\n")
  })

  describe("whose text is indented", () => {
    const margin = (name: string, left: string, first = "0cm") =>
      `<style:style style:family="paragraph" style:name="${name}"><style:paragraph-properties fo:margin-left="${left}" fo:text-indent="${first}"/></style:style>`
    const bullet = (level: number, properties: string) =>
      `<text:list-level-style-bullet text:level="${level}" text:bullet-char="•">${properties}</text:list-level-style-bullet>`
    const aligned = (left: string) =>
      `<style:list-level-properties><style:list-level-label-alignment fo:margin-left="${left}"/></style:list-level-properties>`
    const spaced = '<style:list-level-properties text:space-before="0.5in" text:min-label-width="18pt"/>'
    const automatic =
      `<text:list-style style:name="A">${bullet(1, aligned("1.27cm"))}${bullet(2, spaced)}</text:list-style>` +
      margin("One", "36pt") +
      margin("Two", "25.4mm") +
      margin("Hanging", "3pc", "-3pc") +
      margin("Small", "5mm")
    const of = (items: string) => list(items, 'text:style-name="A"')

    it("go on in paragraphs that begin below it", async () => {
      const text =
        of(item("a", list(item("b")))) + paragraph("c", "Two") + paragraph("d", "One") + of(item("e"))
      expect(await markdownOf({ automatic, text })).toBe("- a\n  - b\n\n    c\n\n  d\n\n* e\n")
    })

    it("do not go on where other text begins there too, further left, or in its first line alone", async () => {
      const all = paragraph("a", "One") + of(item("b")) + paragraph("c", "One")
      expect(await markdownOf({ automatic, text: all })).toBe("a\n\n- b\n\nc\n")
      for (const name of ["Hanging", "Small", "Standard"])
        expect(await markdownOf({ automatic, text: of(item("a")) + paragraph("b", name) }), name).toBe(
          "- a\n\nb\n",
        )
    })
  })

  it("go on in paragraphs whose bullet is a space", async () => {
    const automatic =
      '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char=" "/></text:list-style>'
    const blank = (content: string) => list(item(content), 'text:style-name="B"')
    expect(await markdownOf({ automatic, text: blank("a") + list(item("b")) + blank("c") })).toBe(
      "a\n\n- b\n\n  c\n",
    )
  })

  it("without number and bullet are paragraphs, and words in labels are text", async () => {
    const text = list(item("a"), 'text:style-name="O"') + list(item("b"), 'text:style-name="W"')
    expect(await markdownOf({ automatic, text })).toBe("a\n\nAnnex A b\n")
  })

  it("do not reach into tables and boxes inside of their items", async () => {
    const text = list(item("a", table(row(cell("b") + cell("c"))))) + paragraph("d")
    expect(await markdownOf(text)).toBe("- a\n\n| b | c |\n| --- | --- |\n\nd\n")
  })
})

describe("paragraphs of OpenDocument in a style for code", () => {
  const automatic = style("paragraph", "P1", "", 'style:parent-style-name="Preformatted_20_Text"')
  const code = (content: string) => paragraph(content, "Preformatted_20_Text")

  it("are one block, with their spaces and empty lines", async () => {
    const text =
      code('if a:<text:line-break/><text:s text:c="4"/>*b*') +
      code("") +
      paragraph("c", "P1") +
      paragraph("d")
    expect(await markdownOf({ automatic, text })).toBe("```\nif a:\n    *b*\n\nc\n```\n\nd\n")
  })

  it("do not grow by a count of spaces", async () => {
    const [fence, line] = (await markdownOf(code('a<text:s text:c="1000000000"/>b'))).split("\n")
    expect([fence, line?.length]).toEqual(["```", 102])
  })

  it("belong to the item that they stand in", async () => {
    const text = list(item("a", code("b") + code("c") + paragraph("d")) + item("e"))
    expect(await markdownOf(text)).toBe("- a\n  ```\n  b\n  c\n  ```\n  d\n- e\n")
  })
})

describe("paragraphs of OpenDocument in a font of equal widths", () => {
  const fixed = style("paragraph", "P1", 'style:font-name="F1"')
  const face = '<style:font-face style:name="F1" svg:font-family="&apos;Liberation Mono&apos;"/>'
  const code = (content: string) => paragraph(content, "P1")

  it("are code where it shows that they are, with their spaces and empty lines", async () => {
    const text = code("if (a) {") + code('<text:s text:c="4"/>*b*') + code("") + code("}") + paragraph("c")
    expect(await markdownOf({ automatic: face + fixed, text })).toBe(
      "```\nif (a) {\n    *b*\n\n}\n```\n\nc\n",
    )
    expect(await markdownOf({ automatic: face + fixed, text: code("Yours sincerely") })).toBe(
      "Yours sincerely\n",
    )
  })

  it("are text in a document whose own text has such a font", async () => {
    const byDefault =
      '<style:default-style style:family="paragraph"><style:text-properties style:font-name="Courier New"/></style:default-style>'
    const other =
      '<style:default-style style:family="table"><style:text-properties style:font-name="Courier New"/></style:default-style>'
    const text = code("a {") + code("}")
    expect(await markdownOf({ automatic: face + fixed, styles: byDefault, text })).toBe("a {\n\n}\n")
    expect(await markdownOf({ automatic: face + fixed, styles: other, text })).toContain("```")
  })
})

describe("tables of OpenDocument", () => {
  it("are Markdown tables, with their head rows and covered cells", async () => {
    const covered = "<table:covered-table-cell/>"
    const text = table(
      `<table:table-header-rows>${row(cell("a") + cell("b", 'table:number-columns-spanned="2"') + covered)}</table:table-header-rows>`,
      row(cell("c") + cell("") + cell("d")),
    )
    expect(await markdownOf(text)).toBe("| a | b | b |\n| --- | --- | --- |\n| c |  | d |\n")
  })

  it("repeat cells and rows", async () => {
    const twice = cell("a", 'table:number-columns-repeated="2"')
    expect(
      await markdownOf(table(row(twice), row(cell("b") + cell("c"), 'table:number-rows-repeated="2"'))),
    ).toBe("| a | a |\n| --- | --- |\n| b | c |\n| b | c |\n")
  })

  it("repeat empty cells up to the last one that holds something", async () => {
    const empty = (times: number) => cell("", `table:number-columns-repeated="${times}"`)
    expect(await markdownOf(table(row(cell("a") + empty(2) + cell("b") + empty(1_000_000_000))))).toBe(
      "| a |  |  | b |\n| --- | --- | --- | --- |\n",
    )
  })

  it("repeat no empty rows", async () => {
    const text = table(row(cell("a") + cell("b")), row(cell(""), 'table:number-rows-repeated="1000000"'))
    expect(await markdownOf(text)).toBe("| a | b |\n| --- | --- |\n|  |  |\n")
  })

  it.each([
    ["columns", table(row(cell("a", 'table:number-columns-repeated="1000000000"')))],
    ["rows", table(row(cell("a") + cell("b"), 'table:number-rows-repeated="1000000000"'))],
  ])("are refused by their count if %s repeat too often", async (_, text) => {
    expect(await refusalOf(await openDocumentText({ text }), "table.odt")).toMatchObject({
      code: "result_too_large",
    })
  })

  it("inside of cells are text; of one cell they are frames", async () => {
    const inner = table(row(cell("b") + cell("c")))
    expect(await markdownOf(table(row(cell(paragraph("a") + inner) + cell("d"))))).toBe(
      "| a<br>b, c | d |\n| --- | --- |\n",
    )
    expect(await markdownOf(table(row(cell(heading(1, "a")))))).toBe("# a\n")
  })
})

describe("what stands apart in OpenDocument", () => {
  const frame = (content: string) => `<draw:frame>${content}</draw:frame>`

  it("text boxes and shapes follow their paragraph, and are not in its format", async () => {
    const automatic = style("text", "B", 'fo:font-weight="bold"')
    const box = frame(`<draw:text-box>${paragraph("box")}</draw:text-box>`)
    const shape = `<draw:custom-shape>${paragraph("shape")}</draw:custom-shape>`
    const text =
      paragraph(`a ${span("B", `b${box}`)} c${shape}`) +
      frame(`<draw:text-box>${paragraph("page")}</draw:text-box>`)
    expect(await markdownOf({ automatic, text })).toBe("a **b** c\n\nbox\n\nshape\n\npage\n")
  })

  it("notes stand at the end", async () => {
    const note = (text: string) =>
      `<text:note><text:note-citation>9</text:note-citation><text:note-body>${paragraph(text)}</text:note-body></text:note>`
    expect(await markdownOf(paragraph(`a${note("one")} b${note("two")}`) + paragraph(`c${note("")}`))).toBe(
      "a[^1] b[^2]\n\nc\n\n[^1]: one\n\n[^2]: two\n",
    )
  })

  it("tables of contents are text, their templates are not", async () => {
    const contents = `<text:table-of-content><text:table-of-content-source><text:index-title-template>T</text:index-title-template></text:table-of-content-source><text:index-body>${paragraph("a<text:tab/>1")}</text:index-body></text:table-of-content>`
    expect(await markdownOf(contents)).toBe("a\t1\n")
  })

  it("scripts, forms, and titles and descriptions of drawings are no text", async () => {
    const image = frame("<svg:title>t</svg:title><svg:desc>d</svg:desc>")
    const text = `<office:forms><text:p>f</text:p></office:forms>${paragraph(`a${image}<text:script>s</text:script>`)}`
    expect(await markdownOf(text)).toBe("a\n")
  })
})

describe("what is left out of OpenDocument texts becomes a warning", () => {
  const warned = async (document: OpenDocumentParts | string) => {
    const { markdown, codes } = await read(document)
    return [markdown, ...codes]
  }

  it("images_not_interpreted: once for each frame, whatever is embedded in it", async () => {
    const image = "<draw:image><office:binary-data>QUJD</office:binary-data></draw:image>"
    expect(await warned(paragraph(`a<draw:frame>${image}${image}</draw:frame>`))).toEqual([
      "a\n",
      "images_not_interpreted",
    ])
  })

  it("images_not_interpreted: what the author says of a picture stands in its place", async () => {
    const frame = (rest: string) => `<draw:frame><draw:image/>${rest}</draw:frame>`
    const described = frame("<svg:title>Quay</svg:title><svg:desc>A quay at night</svg:desc>")
    expect(await warned(paragraph(`see ${described}.`))).toEqual([
      "see A quay at night.\n",
      "images_not_interpreted",
    ])
    expect(await warned(frame("<svg:title>Quay</svg:title>"))).toEqual(["Quay\n", "images_not_interpreted"])
  })

  it("embedded_documents_left_out: charts and other objects", async () => {
    const object = "<draw:frame><draw:object/><draw:image/></draw:frame>"
    expect(await warned(paragraph(`a${object}`))).toEqual(["a\n", "embedded_documents_left_out"])
  })

  it("objects that are equations are LaTeX; others, those that are too large and absent ones are left out", async () => {
    const mathMl = (content: string) =>
      `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>${content}<annotation encoding="StarMath 5.0">x</annotation></semantics></math>`
    const parts = {
      "Object 1/content.xml": mathMl("<mrow><mi>a</mi><mo>=</mo><msup><mi>b</mi><mn>2</mn></msup></mrow>"),
      "Object 2/content.xml": "<chart><math>a</math></chart>",
      "Object 3/content.xml": mathMl(`<mi>${"a".repeat(1024 * 1024)}</mi>`),
    }
    const frame = (name: string) =>
      `<draw:frame><draw:object xlink:href="./${name}"/><draw:image/><svg:desc>words</svg:desc></draw:frame>`
    const of = async (name: string) => warned({ parts, text: paragraph(`so ${frame(name)} and`) })
    expect(await of("Object 1")).toEqual(["so $a=b^{2}$ and\n"])
    for (const other of ["Object 2", "Object 3", "Object 4", `${"/".repeat(200_000)}x`])
      expect(await of(other), other).toEqual(["so words and\n", "embedded_documents_left_out"])
  })

  it("tracked_changes: what was deleted stands apart and is left out", async () => {
    const changes = `<text:tracked-changes><text:changed-region><text:deletion>${paragraph("x")}</text:deletion></text:changed-region></text:tracked-changes>`
    expect(await warned(changes + paragraph('a<text:change text:change-id="c"/>b'))).toEqual([
      "ab\n",
      "tracked_changes",
    ])
  })

  it("comments_left_out: empty ones; others are referred to where they stand, and follow at the end", async () => {
    const comment = (text: string) =>
      `<office:annotation><dc:creator>Me</dc:creator>${text}</office:annotation>`
    expect(await warned(paragraph(`a${comment("")}b`))).toEqual(["ab\n", "comments_left_out"])
    expect(await warned(paragraph(`a${comment(paragraph("x"))}b`))).toEqual([
      "a[^c1]b\n\n[^c1]: Comment by Me: x\n",
    ])
  })

  it("hidden_text_left_out: sections, paragraphs and texts", async () => {
    const section = `<text:section text:display="none">${paragraph("x")}</text:section>`
    const hidden = paragraph('x<text:hidden-paragraph text:is-hidden="true"/>')
    const inside = paragraph('a<text:hidden-text text:is-hidden="true">x</text:hidden-text>')
    const automatic = style("text", "H", 'text:display="none"')
    for (const text of [section, hidden, inside, paragraph(span("H", "x"))]) {
      expect(await warned({ automatic, text: text + paragraph("b") })).toEqual([
        text === inside ? "a\n\nb\n" : "b\n",
        "hidden_text_left_out",
      ])
    }
  })

  it("headers_footers_left_out: if they hold letters", async () => {
    const master = (text: string) =>
      `<style:master-page><style:header>${paragraph(text)}</style:header></style:master-page>`
    expect(await warned({ text: paragraph("a"), master: master("Draft") })).toEqual([
      "a\n",
      "headers_footers_left_out",
    ])
    expect(await warned({ text: paragraph("a"), master: master("- 1 -") })).toEqual(["a\n"])
  })

  it("no_text: a document that holds none", async () => {
    expect(await warned("")).toEqual(["", "no_text"])
  })
})
