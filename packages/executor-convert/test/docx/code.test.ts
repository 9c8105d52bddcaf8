import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import {
  abstractList,
  cell,
  item,
  level,
  list,
  paragraph,
  row,
  run,
  styled,
  table,
  textBox,
  type WordParts,
  word,
} from "./word.ts"

const style = (id: string, name: string, basedOn = ""): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${basedOn === "" ? "" : `<w:basedOn w:val="${basedOn}"/>`}</w:style>`

const styles =
  style("SourceCode", "Source Code") + style("Mine", "Of mine", "SourceCode") + style("Plain", "Plain Text")

const markdownOf = async (document: WordParts) =>
  (await converted(await word({ styles, ...document }), "code.docx")).markdown

const code = (text: string): string => styled("SourceCode", text)
const empty = '<w:p><w:pPr><w:pStyle w:val="SourceCode"/></w:pPr></w:p>'

describe("paragraphs of a style for code", () => {
  it("are one block with those directly before them, and nothing in it is escaped", async () => {
    const body =
      paragraph("text") + code("if (a * b) {") + code("    # c _d_") + code("}") + paragraph("more")
    expect(await markdownOf({ body })).toBe("text\n\n```\nif (a * b) {\n    # c _d_\n}\n```\n\nmore\n")
  })

  it("may be one with line breaks, and a style that inherits from one for code is one too", async () => {
    const lines = `${run("a")}<w:r><w:br/></w:r>${run("\tb", "<w:b/>")}`
    const body = paragraph(lines, '<w:pStyle w:val="Mine"/>') + styled("Plain", "c")
    expect(await markdownOf({ body })).toBe("```\na\n\tb\n```\n\nc\n")
  })

  it("keep empty lines between, and none around", async () => {
    expect(await markdownOf({ body: empty + code("a") + empty + empty + code("b") + empty })).toBe(
      "```\na\n\n\nb\n```\n",
    )
    expect(await markdownOf({ body: empty + paragraph("a") + empty })).toBe("a\n")
  })

  it("are two blocks where an empty paragraph, a table or a heading stands between", async () => {
    const heading = paragraph("h", '<w:outlineLvl w:val="0"/>')
    const body = code("a") + paragraph("<w:r/>") + code("b") + heading + code("c")
    expect(await markdownOf({ body })).toBe("```\na\n```\n\n```\nb\n```\n\n# h\n\n```\nc\n```\n")
  })

  it("belong to an item where their list says so, and are an item where they have its mark", async () => {
    const bullets = abstractList(1, level(0, "bullet", "•")) + list(1, 1)
    const blank = abstractList(2, level(0, "bullet", " ")) + list(2, 2)
    const styleOf = '<w:pStyle w:val="SourceCode"/>'
    const body =
      item("a", 1) + item("b", 2, 0, styleOf) + item("  c", 2, 0, styleOf) + item("d", 1, 0, styleOf)
    expect(await markdownOf({ numbering: bullets + blank, body })).toBe(
      "- a\n  ```\n  b\n    c\n  ```\n- d\n",
    )
  })

  it("of an item keep their empty lines, which have no place of their own", async () => {
    const indented = abstractList(1, level(0, "bullet", "•", 1, '<w:pPr><w:ind w:left="720"/></w:pPr>'))
    const line = (text: string) => paragraph(text, '<w:pStyle w:val="SourceCode"/><w:ind w:left="720"/>')
    const body = item("a", 1) + line("b") + empty + line("c") + empty + item("d", 1)
    expect(await markdownOf({ numbering: indented + list(1, 1), body })).toBe(
      "- a\n  ```\n  b\n\n  c\n  ```\n- d\n",
    )
  })

  it("stay in their item inside of a frame, and so do further paragraphs", async () => {
    const lists =
      abstractList(1, level(0, "bullet", "•")) +
      list(1, 1) +
      abstractList(2, level(0, "bullet", " ")) +
      list(2, 2)
    const inside =
      item("a", 1) + item("b", 2, 0, '<w:pStyle w:val="SourceCode"/>') + item("c", 2) + item("d", 1)
    const expected = "- a\n  ```\n  b\n  ```\n  c\n- d\n"
    const frame = `<w:tbl><w:tr><w:tc>${inside}</w:tc></w:tr></w:tbl>`
    expect(await markdownOf({ numbering: lists, body: frame })).toBe(expected)
    expect(await markdownOf({ numbering: lists, body: paragraph(textBox(inside)) })).toBe(expected)
  })

  it("are lines of text in cells, and blocks in text boxes and notes", async () => {
    const row = (...cells: ReadonlyArray<string>) =>
      `<w:tr>${cells.map((each) => `<w:tc>${each}</w:tc>`).join("")}</w:tr>`
    const table = `<w:tbl>${row(paragraph("a"), code("b*c*") + code("d"))}</w:tbl>`
    expect(await markdownOf({ body: table })).toBe("| a | b\\*c\\*<br>d |\n| --- | --- |\n")
    expect(await markdownOf({ body: paragraph(run("a") + textBox(code("b"))) })).toBe("a\n\n```\nb\n```\n")
  })

  it("of preformatted text are text where they have links, emphasis or the long lines of prose", async () => {
    const [named, long] = [style("Pre", "HTML Preformatted"), "word ".repeat(25)]
    const pre = (text: string, properties = "") => paragraph(run(text, properties), '<w:pStyle w:val="Pre"/>')
    const lines = async (...paragraphs: ReadonlyArray<string>) =>
      markdownOf({ styles: named, body: paragraphs.join("") })
    expect(await lines(pre("a_b_"), pre("  c"))).toBe("```\na_b_\n  c\n```\n")
    expect(await lines(pre("a"), pre("b", "<w:b/>"))).toBe("a\n\n**b**\n")
    expect(await lines(pre(long), pre("b"))).toBe(`${long.trim()}\n\nb\n`)
  })

  it("end the document", async () => {
    expect(await markdownOf({ body: code("```") })).toBe("````\n```\n````\n")
  })
})

describe("paragraphs in a font of equal widths", () => {
  const font = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`
  const mono = (text: string, properties = "") => paragraph(run(text, font("Consolas") + properties))
  const emptyMono = paragraph("", `<w:rPr>${font("Consolas")}</w:rPr>`)
  const keyword = (text: string) => run(text, `${font("Consolas")}<w:b/>`)

  it("are code where it shows that they are, with their spaces and empty lines and without emphasis", async () => {
    const lines =
      mono("<w:p>") +
      paragraph(keyword("  if") + run(" (a * b) {", font("Courier New"))) +
      emptyMono +
      mono("end")
    expect(await markdownOf({ body: paragraph(run("a")) + lines + paragraph(run("b")) })).toBe(
      "a\n\n```\n<w:p>\n  if (a * b) {\n\nend\n```\n\nb\n",
    )
  })

  it.each([
    "const a = 1",
    "run();",
    "$ npm install",
    "# a comment",
    "// another",
    "--flag",
    "my_name",
    "if x == y",
    "</end>",
    "}",
    "items.map(f)",
  ])("are code: %s", async (line) => {
    expect(await markdownOf({ body: mono(line) })).toBe(`\`\`\`\n${line}\n\`\`\`\n`)
  })

  it.each([
    "Yours sincerely",
    "The item(s); the others.",
    "Mail a person <person@example.org>",
    "https://example.org/?a=b",
    "Chapter 2 - 1",
    "50 % = half",
  ])("are no code: %s", async (line) => {
    expect(await markdownOf({ body: mono(line) })).not.toContain("```")
  })

  it("are none where one of them is a line of prose, or has an equation or a note", async () => {
    const [long, braces] = ["word ".repeat(25).trim(), mono("a {") + mono("}")]
    expect(await markdownOf({ body: braces + mono(long) })).toBe(`a {\n\n}\n\n${long}\n`)
    const equation = "<m:oMath><m:r><m:t>a</m:t></m:r></m:oMath>"
    const mixed = paragraph(run("{ ", font("Consolas")) + equation)
    expect(await markdownOf({ body: braces + mixed })).not.toContain("```")
    expect(await markdownOf({ body: paragraph(equation, `<w:rPr>${font("Consolas")}</w:rPr>`) })).toBe(
      "$a$\n",
    )
  })

  it("are text with other text in their line, in a heading, an item and a cell", async () => {
    const inOther = paragraph(run("a_b", font("Consolas")) + run(" is set"))
    const numbering = abstractList(1, level(0, "bullet", "•")) + list(1, 1)
    const [heading, ofList] = [
      '<w:outlineLvl w:val="0"/>',
      '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>',
    ]
    const line = run("a_b", font("Consolas"))
    const cells = table(row(cell(mono("a_b")), cell(mono("c"))))
    const body = inOther + paragraph(line, heading) + paragraph(line, ofList) + cells
    expect(await markdownOf({ numbering, body })).toBe(
      "a_b is set\n\n# a_b\n\n- a_b\n\n| a_b | c |\n| --- | --- |\n",
    )
  })

  it("are code in a frame, and below a title in a table of one column", async () => {
    const lines = paragraph(keyword("if") + run(" (a) {", font("Consolas"))) + mono("  b") + mono("}")
    const fenced = "```\nif (a) {\n  b\n}\n```\n"
    expect(await markdownOf({ body: table(row(cell(lines))) })).toBe(fenced)
    expect(await markdownOf({ body: table(row(cell("Example")), row(cell(lines))) })).toBe(
      `Example\n\n${fenced}`,
    )
  })

  it("are lines without emphasis in a cell of several", async () => {
    const lines = paragraph(keyword("if") + run(" (a) {", font("Consolas"))) + mono("}")
    const body = table(row(cell("Input"), cell("Output")), row(cell(lines), cell("c")))
    expect(await markdownOf({ body })).toBe("| Input | Output |\n| --- | --- |\n| if (a) {<br>} | c |\n")
  })

  it("take a time that grows with their text, whatever white space they have", {
    timeout: 30_000,
  }, async () => {
    const breaks = `<w:r><w:rPr>${font("Consolas")}</w:rPr><w:t>a</w:t>${"<w:br/>".repeat(300_000)}<w:t>b</w:t></w:r>`
    expect(await markdownOf({ body: paragraph(breaks) })).toMatch(/^a\s+b\n$/)
  })

  it("have it from the style of the paragraph or of the run, too", async () => {
    const fixed = (type: string) =>
      `<w:style w:type="${type}" w:styleId="${type}"><w:name w:val="Mine ${type}"/><w:rPr>${font("Menlo")}</w:rPr></w:style>`
    const body =
      styled("paragraph", "a {") +
      paragraph(run("b", '<w:rStyle w:val="character"/>')) +
      styled("paragraph", "}")
    expect(await markdownOf({ styles: fixed("paragraph") + fixed("character"), body })).toBe(
      "```\na {\nb\n}\n```\n",
    )
    const other = paragraph(run("a {", font("Arial")), '<w:pStyle w:val="paragraph"/>')
    expect(await markdownOf({ styles: fixed("paragraph"), body: other })).toBe("a {\n")
  })

  it("are text in a document whose own text has such a font", async () => {
    const byDefault = `<w:docDefaults><w:rPrDefault><w:rPr>${font("Courier New")}</w:rPr></w:rPrDefault></w:docDefaults>`
    const normal = `<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/><w:rPr>${font("Courier New")}</w:rPr></w:style>`
    const body = paragraph(run("a {")) + mono("}")
    expect(await markdownOf({ styles: byDefault, body })).toBe("a {\n\n}\n")
    expect(await markdownOf({ styles: normal, body })).toBe("a {\n\n}\n")
  })
})
