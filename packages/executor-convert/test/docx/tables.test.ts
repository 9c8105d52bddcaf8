import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"
import { abstractList, cell, item, level, list, paragraph, row, run, styled, table, word } from "./word.ts"

const markdownOf = async (body: string) => (await converted(await word({ body }), "table.docx")).markdown

describe("tables", () => {
  it("are Markdown tables", async () => {
    const body =
      paragraph("before") + table(row(cell("a"), cell("b")), row(cell("c"), cell("d"))) + paragraph("after")
    expect(await markdownOf(body)).toBe("before\n\n| a | b |\n| --- | --- |\n| c | d |\n\nafter\n")
  })

  it("repeat the text of merged cells", async () => {
    const wide = cell("a", '<w:gridSpan w:val="2"/>')
    const high = (merge: string, text: string) => cell(text === "" ? "<w:p/>" : text, merge)
    const body = table(
      row(wide, high('<w:vMerge w:val="restart"/>', "b")),
      row(cell("c"), cell("d"), high("<w:vMerge/>", "")),
    )
    expect(await markdownOf(body)).toBe("| a | a | b |\n| --- | --- | --- |\n| c | d | b |\n")
  })

  it("have cells before the first where a row begins later", async () => {
    const late = `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell("c")}</w:tr>`
    expect(await markdownOf(table(row(cell("a"), cell("b")), late))).toBe(
      "| a | b |\n| --- | --- |\n|  | c |\n",
    )
  })

  it("have the paragraphs of a cell as lines, items with their marks, and no marks of headings", async () => {
    const content = styled("Heading1", "a") + paragraph("b|c") + paragraph("<w:r/>")
    expect(await markdownOf(table(row(cell(content), cell("d"))))).toBe("| a<br>b\\|c | d |\n| --- | --- |\n")
  })

  it("inside of cells are text, one line for each row", async () => {
    const inner = table(row(cell("b"), cell("<w:p/>"), cell("c")), row(cell("d")))
    expect(await markdownOf(table(row(cell(paragraph("a") + inner), cell("e"))))).toBe(
      "| a<br>b, c<br>d | e |\n| --- | --- |\n",
    )
  })

  it("have the number of a row that is one of a list and has no text", async () => {
    const numbering = abstractList(1, level(0, "decimal", "%1.")) + list(1, 1)
    const numbered = (text: string) => row(cell(item("<w:r/>", 1)), cell(text))
    const { markdown } = await converted(
      await word({ numbering, body: table(numbered("a"), numbered("b")) + item("<w:r/>", 1) }),
      "table.docx",
    )
    expect(markdown).toBe("| 1. | a |\n| --- | --- |\n| 2. | b |\n")
  })

  it("have no columns that are narrower than margins: their cells are part of the one beside", async () => {
    const grid = (...widths: ReadonlyArray<number>) =>
      `<w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join("")}</w:tblGrid>`
    const wide = '<w:gridSpan w:val="2"/>'
    const late = `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell("c")}${cell("d")}${cell("<w:p/>")}</w:tr>`
    const rows = row(cell("a", wide), cell("b", wide)) + late
    const of = (...widths: ReadonlyArray<number>) =>
      markdownOf(`<w:tbl><w:tblPr/>${grid(...widths)}${rows}</w:tbl>`)
    expect(await of(5, 3000, 3000, 20)).toBe("| a | b |\n| --- | --- |\n| c | d |\n")
    expect(await of(400, 3000, 3000, 400)).toBe(
      "| a | a | b |  |\n| --- | --- | --- | --- |\n|  | c | d |  |\n",
    )
  })

  it("of one column that lay out a text are no tables", async () => {
    const text = (count: number) => table(row(cell("a")), row(cell(paragraph("b").repeat(count))))
    expect(await markdownOf(text(9))).toBe(`a\n${"\nb\n".repeat(9)}`)
    expect(await markdownOf(text(2))).toBe("| a |\n| --- |\n| b<br>b |\n")
    const empty = row(cell("<w:p/>"))
    expect(await markdownOf(table(empty, row(cell("Guide")), empty, empty))).toBe("Guide\n")
    expect(await markdownOf(table(row(cell("a")), row(cell("b"))))).toBe("| a |\n| --- |\n| b |\n")
  })

  it("of several columns that lay out a text are no tables either", async () => {
    const long = paragraph("b").repeat(21)
    expect(await markdownOf(table(row(cell("a"), cell(long))))).toBe(`a\n${"\nb\n".repeat(21)}`)
    expect(await markdownOf(table(row(cell("a"), cell(paragraph("b").repeat(20)))))).toMatch(/^\| a \| b<br>/)
    const alone = row(cell(paragraph("b").repeat(9)), cell("<w:p/>"))
    expect(await markdownOf(table(alone, row(cell("<w:p/>"), cell("c"))))).toBe(`${"b\n\n".repeat(9)}c\n`)
    expect(await markdownOf(table(alone, row(cell("c"), cell("d"))))).toMatch(/^\| b<br>/)
  })

  it("have the text of merged cells up to the last column with one of its own, and no column that is half of another", async () => {
    const over = (count: number) => `<w:gridSpan w:val="${count}"/>`
    const empty = cell("<w:p/>")
    const merged = table(row(cell("a", over(4)), empty), row(cell("b"), empty, cell("c"), empty, empty))
    expect(await markdownOf(merged)).toBe(
      "| a | a | a |  |  |\n| --- | --- | --- | --- | --- |\n| b |  | c |  |  |\n",
    )
    const halves = table(
      row(cell("a", over(2)), cell("b")),
      row(cell("c", over(2)), cell("d")),
      row(empty, empty, cell("e")),
    )
    expect(await markdownOf(halves)).toBe("| a | b |\n| --- | --- |\n| c | d |\n|  | e |\n")
  })

  it("have no column in which no row has a cell of its own, as where the borders of rows are not quite below one another", async () => {
    const over = (count: number) => `<w:gridSpan w:val="${count}"/>`
    const shifted = table(
      row(cell("#"), cell("What"), cell("State", over(2)), cell("Since")),
      row(cell("1"), cell("lamp"), cell("lit", over(2)), cell("2.0")),
      row(cell("2"), cell("oil", over(2)), cell("dry"), cell("3.0")),
    )
    expect(await markdownOf(shifted)).toBe(
      "| # | What | State | Since |\n| --- | --- | --- | --- |\n| 1 | lamp | lit | 2.0 |\n| 2 | oil | dry | 3.0 |\n",
    )
    const own = table(
      row(cell("a", over(2)), cell("b")),
      row(cell("c"), cell("d"), cell("e")),
      row(cell("f"), cell("g", over(2))),
    )
    expect(await markdownOf(own)).toBe("| a | a | b |\n| --- | --- | --- |\n| c | d | e |\n| f | g | g |\n")
  })

  it("of one cell are frames: what is in them stands by itself", async () => {
    expect(await markdownOf(table(row(cell(styled("Heading1", "a") + paragraph("b")))))).toBe("# a\n\nb\n")
  })

  it("have no rows that were deleted", async () => {
    const deleted = `<w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cell("x")}${cell("y")}</w:tr>`
    const { markdown, codes } = await converted(
      await word({ body: table(row(cell("a"), cell("b")), deleted, row(cell("c"), cell("d"))) }),
      "table.docx",
    )
    expect(markdown).toBe("| a | b |\n| --- | --- |\n| c | d |\n")
    expect(codes).toEqual(["tracked_changes"])
  })

  it("take the width of a cell from after a tracked change", async () => {
    const changed =
      '<w:gridSpan w:val="1"/><w:tcPrChange><w:tcPr><w:gridSpan w:val="3"/></w:tcPr></w:tcPrChange>'
    expect(await markdownOf(table(row(cell("a", changed), cell("b"))))).toBe("| a | b |\n| --- | --- |\n")
  })

  it("inside of content controls and around rows and cells of such are read", async () => {
    const control = (content: string) => `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`
    const body = control(`<w:tbl>${control(`<w:tr>${control(cell("a"))}${cell("b")}</w:tr>`)}</w:tbl>`)
    expect(await markdownOf(body)).toBe("| a | b |\n| --- | --- |\n")
  })

  it("are no wider than Word's 63 columns, whatever a cell says", async () => {
    const cells = Array.from({ length: 63 }, (_, column) => cell(`${column}`))
    const markdown = await markdownOf(
      table(row(cell("a", '<w:gridSpan w:val="1000000000"/>')), row(...cells)),
    )
    expect(markdown.split("\n")[0]?.match(/\|/g)).toHaveLength(64)
  })

  it("that could only become too large are refused while they are counted", async () => {
    const wide = row(cell("<w:p/>", '<w:gridSpan w:val="63"/>'))
    const bytes = await word({ body: table(wide.repeat(100)) })
    expect(await refusalOf(bytes, "table.docx", { resultBytesMax: 10_000 })).toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("10000"),
    })
  })

  it("do not end the format of text around: emphasis in cells is their own", async () => {
    expect(await markdownOf(table(row(cell(paragraph(run("a", "<w:b/>"))), cell("b"))))).toBe(
      "| **a** | b |\n| --- | --- |\n",
    )
  })
})
