import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"
import { cell, cells, row, rowsRepeated, sheet, spreadsheet, table, value } from "./spreadsheet.ts"

const markdownOf = async (document: Promise<Buffer>): Promise<string> =>
  (await converted(await document, "a.ods")).markdown

/** What stands in the only sheet. */
const shown = async (...parts: Parameters<typeof sheet>): Promise<string> => {
  const markdown = await markdownOf(sheet(...parts))
  expect(markdown.startsWith("## Sheet\n")).toBe(true)
  return markdown.slice("## Sheet\n\n".length).trimEnd()
}

describe("ODS: sheets and tables", () => {
  it("writes a heading and a table for each sheet, whatever groups its rows", async () => {
    const first = table(
      "A",
      `<table:table-header-rows>${row(cell("x") + cell("y"))}</table:table-header-rows><table:table-row-group>${row(cell("1") + cell("2"))}</table:table-row-group>`,
    )
    expect(await markdownOf(spreadsheet({ content: first + table("B", row(cell("z"))) }))).toBe(
      "## A\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n## B\n\nz\n",
    )
  })

  it("repeats cells and rows as often as they say, but not the empty ones around", async () => {
    const rows = [
      row(cells(16384, ""), rowsRepeated(10)),
      row(cells(2, "") + cells(2, "a") + cells(3, "") + cell("b") + cells(16000, "")),
      row(cells(2, "") + cell("c") + cells(16000, ""), rowsRepeated(2)),
      row(cells(16384, ""), rowsRepeated(1_048_000)),
    ]
    expect(await shown(rows.join(""))).toBe(
      [
        "| a | a |  |  |  | b |",
        "| --- | --- | --- | --- | --- | --- |",
        "| c |  |  |  |  |  |",
        "| c |  |  |  |  |  |",
      ].join("\n"),
    )
  })

  it("repeats what cells are merged with in rows and columns with others", async () => {
    const covered = "<table:covered-table-cell/>"
    const wide =
      '<table:table-cell table:number-columns-spanned="2" table:number-rows-spanned="2"><text:p>wide</text:p></table:table-cell>' +
      covered
    const rows = row(wide + cell("a")) + row(covered + covered + cell("b")) + row(cell("1") + cell("2"))
    expect(await shown(rows)).toBe(
      "| wide | wide | a |\n| --- | --- | --- |\n| wide | wide | b |\n| 1 | 2 |  |",
    )
  })

  it("leaves cells empty that are covered by nothing", async () => {
    const covered =
      '<table:covered-table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:covered-table-cell>'
    const rows = row(cell("1") + cell("2") + cell("3")) + row(cell("wide") + covered)
    expect(await shown(rows)).toBe("| 1 | 2 | 3 |\n| --- | --- | --- |\n| wide |  |  |")
  })

  it("passes over deleted cells of tracked changes and over copies of other files", async () => {
    const content =
      `<table:tracked-changes>${table("Deleted", row(cell("gone")))}</table:tracked-changes>` +
      table("A", row(cell("here"))) +
      `<table:dde-links><table:dde-link>${table("Copy", row(cell("elsewhere")))}</table:dde-link></table:dde-links>`
    expect(await markdownOf(spreadsheet({ content }))).toBe("## A\n\nhere\n")
  })
})

describe("ODS: what a cell shows", () => {
  it("is its text, whatever its value", async () => {
    const shows =
      '<table:table-cell office:value-type="float" office:value="0.5"><text:p>50 %</text:p></table:table-cell>'
    const empty = '<table:table-cell office:value-type="float" office:value="7"><text:p/></table:table-cell>'
    expect(await shown(row(shows + empty + cell("a")))).toBe("| 50 % |  | a |\n| --- | --- | --- |")
  })

  it("is its value where there is no text", async () => {
    const values = [
      value("float", 'office:value="1.5"'),
      value("percentage", 'office:value="0.285"'),
      value("currency", 'office:value="3" office:currency="EUR"'),
      value("date", 'office:date-value="2024-02-29T12:00:00"'),
      value("time", 'office:time-value="PT36H30M00S"'),
      value("boolean", 'office:boolean-value="true"'),
      value("string", 'office:string-value="a*b*"'),
    ]
    expect(await shown(row(values.join("")))).toContain(
      "| 1.5 | 28.5% | 3 EUR | 2024-02-29 12:00:00 | 36:30:00 | TRUE | a\\*b\\* |",
    )
  })

  it("has a line for each paragraph and line break; white space is a space", async () => {
    const text = cell("one", "two<text:line-break/>three", "a<text:s text:c='9'/>b<text:tab/>c  \n d")
    expect(await shown(row(text + cell("x")))).toBe("| one<br>two<br>three<br>a b c d | x |\n| --- | --- |")
  })

  it("keeps spans, links and fields", async () => {
    const text =
      '<text:span>bo<text:span>ld</text:span></text:span> <text:a xlink:href="https://example.org">link</text:a> <text:a xlink:href="#Sheet2">place</text:a> <text:sheet-name>Sheet</text:sheet-name>'
    expect(await shown(row(cell(text)))).toBe("bold [link](https://example.org) place Sheet")
  })

  it("keeps what stands above and below the line, and what is struck", async () => {
    const style = (name: string, properties: string) =>
      `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`
    const automatic =
      style("T1", 'style:text-position="super 58%"') +
      style("T2", 'style:text-position="sub 58%"') +
      style("T3", 'style:text-line-through-style="solid" fo:font-weight="bold"')
    const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`
    const text = `2015${span("T1", "1")} H${span("T2", "2")}O ${span("T3", `a${span("T1", "2")}`)}${span("T4", "b")}`
    expect(await shown(row(cell(text)), { automatic })).toBe("2015¹ H₂O ~~a²~~b")
  })

  it("strikes out a cell whose style does, its own, its row's or its column's", async () => {
    const style = (name: string, properties: string) =>
      `<style:style style:name="${name}" style:family="table-cell"><style:text-properties ${properties}/></style:style>`
    const automatic =
      style("struck", 'style:text-line-through-type="single"') +
      style("plain", 'style:text-line-through-style="none"')
    const styled = (name: string, text: string) =>
      `<table:table-cell table:style-name="${name}"><text:p>${text}</text:p></table:table-cell>`
    const columns =
      '<table:table-column/><table:table-column table:default-cell-style-name="struck"/><table:table-column/>'
    const rows = [
      row(cell("a") + cell("b") + styled("struck", "c")),
      row(cell("d") + styled("plain", "e") + cell("f")),
      row(cell("g") + cell("h"), ' table:default-cell-style-name="struck"'),
      row(cell("i") + cell("j"), ' table:default-cell-style-name="plain"'),
    ]
    expect(await shown(columns + rows.join(""), { automatic })).toBe(
      "| a | ~~b~~ | ~~c~~ |\n| --- | --- | --- |\n| d | e | f |\n| ~~g~~ | ~~h~~ |  |\n| i | j |  |",
    )
  })

  it("formulas_without_values: warns of a formula that was never calculated", async () => {
    const formula = '<table:table-cell table:formula="of:=1+1"/>'
    const { markdown, codes } = await converted(await sheet(row(cell("a") + formula)), "a.ods")
    expect(markdown).toBe("## Sheet\n\na\n")
    expect(codes).toEqual(["formulas_without_values"])
  })
})

describe("ODS: what is not in the cells", () => {
  it("hidden_sheets: gives hidden sheets with a warning", async () => {
    const automatic =
      '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>' +
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>'
    const content =
      table("A", row(cell("1")), ' table:style-name="ta1"') +
      table("B", row(cell("2")), ' table:style-name="ta2"')
    const { markdown, warnings } = await converted(await spreadsheet({ content, automatic }), "a.ods")
    expect(markdown).toBe("## A\n\n1\n\n## B\n\n2\n")
    expect(warnings).toEqual([{ code: "hidden_sheets", message: "1 hidden sheet is part of the result." }])
  })

  it.each([
    ["collapsed row", row(cell("1"), ' table:visibility="collapse"')],
    ["filtered row", row(cell("1"), ' table:visibility="filter"')],
    [
      "column",
      `<table:table-column/><table:table-column table:visibility="collapse"/>${row(cells(1, "") + cell("1"))}`,
    ],
  ])("hidden_cells: gives a %s with a warning", async (_, content) => {
    const { markdown, codes } = await converted(await sheet(content), "a.ods")
    expect(markdown).toBe("## Sheet\n\n1\n")
    expect(codes).toEqual(["hidden_cells"])
  })

  it("leaves out comments, images, charts and objects with a warning for each", async () => {
    const comment = "<office:annotation><dc:date>2024</dc:date><text:p>remark</text:p></office:annotation>"
    const image = '<draw:frame><draw:image xlink:href="a.svg"/><draw:image xlink:href="a.png"/></draw:frame>'
    const object = (href: string) =>
      `<draw:frame><draw:object xlink:href="${href}"/><draw:image xlink:href="x.png"/></draw:frame>`
    const inside = `<table:table-cell>${comment}<text:p>a</text:p>${image}</table:table-cell>`
    const over = `<table:shapes>${object("./Object 1")}${object("./Object 2")}</table:shapes>`
    const manifest =
      '<manifest:file-entry manifest:full-path="Object 1/" manifest:media-type="application/vnd.oasis.opendocument.chart"/>'
    const { markdown, codes } = await converted(await sheet(over + row(inside), { manifest }), "a.ods")
    expect(markdown).toBe("## Sheet\n\na\n")
    expect(codes).toEqual([
      "charts_not_interpreted",
      "embedded_documents_left_out",
      "comments_left_out",
      "images_not_interpreted",
    ])
  })

  it("gives the text of boxes over the cells behind them", async () => {
    const box = "<draw:frame><draw:text-box><text:p>in a box</text:p></draw:text-box></draw:frame>"
    const shape = "<draw:custom-shape><text:p>in a <text:span>shape</text:span></text:p></draw:custom-shape>"
    const inside = `<table:table-cell><text:p>a</text:p>${box}</table:table-cell>`
    expect(await shown(`<table:shapes>${shape}</table:shapes>${row(inside)}`)).toBe(
      "a\n\nin a shape\n\nin a box",
    )
  })
})

describe("ODS: what is refused", () => {
  it.each([
    ["rows", row(cell("x".repeat(1000)), rowsRepeated(1_048_576))],
    ["cells", row(cells(16384, "x")).repeat(1000)],
    ["rows and cells", row(cells(16384, "x"), rowsRepeated(1_048_576))],
    ["what is no number", row(cells("1e308", "x"), rowsRepeated("9".repeat(30)))],
  ])("result_too_large: repeated %s that would explode", async (_, content) => {
    const refusal = await refusalOf(await sheet(content), "a.ods")
    expect(refusal).toMatchObject({ code: "result_too_large", message: expect.stringContaining("20971520") })
  })
})
