import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cell, deck, graphic, paragraph, run, shape, table, textBox } from "./deck.ts"
import { parsed, refusalOf } from "./documents.ts"

/** What stands below the heading of a presentation with this one slide. */
const below = async (tree: string): Promise<string> => {
  const { markdown } = parsed(await deck({ slides: [tree] }))
  return markdown.replace(/^## Slide 1\n\n?/, "")
}

const cells = (...texts: ReadonlyArray<string>) => texts.map((text) => cell(text)).join("")

describe("tables", () => {
  it("are Markdown tables with the first row as head, between the text around them", async () => {
    const tree = textBox("before") + table(2, cells("Name", "Age"), cells("Jo", "7")) + textBox("after")
    expect(await below(tree)).toBe("before\n\n| Name | Age |\n| --- | --- |\n| Jo | 7 |\n\nafter\n")
  })

  it("have lines and paragraphs of a cell in one cell, without its empty ones", async () => {
    expect(await below(table(2, cells("a\nb\n\nc", "d_x000B_e")))).toBe(
      "| a<br>b<br>c | d<br>e |\n| --- | --- |\n",
    )
  })

  it("have one space for the tabs that place words in a cell", async () => {
    expect(await below(table(2, cells("Driving \t\t a car", "the\tpark")))).toBe(
      "| Driving a car | the park |\n| --- | --- |\n",
    )
  })

  it("have pipes in cells escaped", async () => {
    expect(await below(table(2, cells("a|b", "\\|")))).toBe("| a\\|b | \\\\\\| |\n| --- | --- |\n")
  })

  it("have bullets of cells as text alone", async () => {
    const items = ["one", "two"].map((text) => paragraph(run(text), '<a:buChar char="•"/>', 1)).join("")
    const list = `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>${items}</a:txBody></a:tc>`
    expect(await below(table(1, list))).toBe("| one<br>two |\n| --- |\n")
  })

  it("repeat the text of cells that are merged across", async () => {
    const row = cell("wide", 'gridSpan="2"') + cell("", 'hMerge="1"') + cell("c")
    expect(await below(table(3, row, cells("1", "2", "3")))).toBe(
      "| wide | wide | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n",
    )
  })

  it("repeat the text of cells that are merged down", async () => {
    const rows = [cell("tall", 'rowSpan="2"') + cell("b"), cell("", 'vMerge="true"') + cell("d")]
    expect(await below(table(2, ...rows))).toBe("| tall | b |\n| --- | --- |\n| tall | d |\n")
  })

  it("do not show what merged cells held before", async () => {
    const row = cell("seen", 'gridSpan="2"') + cell("unseen", 'hMerge="1"')
    expect(await below(table(2, row, cell("unseen", 'vMerge="1"') + cell("x")))).toBe(
      "| seen | seen |\n| --- | --- |\n| seen | x |\n",
    )
  })

  it("keep their columns where a writer left out the cells that a merged one covers", async () => {
    const across = cell("wide", 'gridSpan="2"') + cell("c")
    const both = cell("a") + cell("square", 'gridSpan="2" rowSpan="2"')
    const below2 = cell("b") + cell("", 'gridSpan="2" vMerge="1"')
    expect(await below(table(3, across, both, below2))).toBe(
      "| wide | wide | c |\n| --- | --- | --- |\n| a | square | square |\n| b | square | square |\n",
    )
  })

  it("have no more cells than columns however far a cell claims to go", async () => {
    expect(await below(table(2, cell("a", 'gridSpan="999999999"') + cell("", 'hMerge="1"')))).toBe(
      "| a |  |\n| --- | --- |\n",
    )
  })

  it("without text are left out", async () => {
    expect(await below(table(2, cells("", " ")) + textBox("after"))).toBe("after\n")
  })

  it("in groups are tables", async () => {
    const group = `<p:grpSp><p:grpSpPr/>${table(1, cells("a"))}</p:grpSp>`
    expect(await below(group)).toBe("| a |\n| --- |\n")
  })

  it("inside of one another are one table", async () => {
    const inner = graphic("", `<a:tbl><a:tr>${cells("inner")}</a:tr></a:tbl>`)
    const tree = table(1, `<a:tc><a:txBody>${paragraph(run("outer"))}</a:txBody>${inner}</a:tc>`)
    expect(await below(tree)).toContain("inner")
  })

  it("of one slide have at most 1,000,000 cells, also those that merged ones cover", async () => {
    const row = `<a:tr>${cell("a", 'gridSpan="1000"')}${cell("b", 'gridSpan="1000"')}</a:tr>`
    const rows = (count: number) =>
      graphic("", `<a:tbl>${"<a:gridCol/>".repeat(1000)}${row.repeat(count)}</a:tbl>`)
    const refused = refusalOf(await deck({ slides: [textBox("a"), rows(500) + rows(501)] }))
    expect(refused.code).toBe("result_too_large")
    expect(refused.message).toBe(
      "The tables of slide 2 have 1000001 cells or more; at most 1000000 are allowed.",
    )
  })

  it("have as many cells in every row as the widest, whatever is merged", async () => {
    const span = fc.record({
      gridSpan: fc.integer({ min: 0, max: 5 }),
      hMerge: fc.boolean(),
      vMerge: fc.boolean(),
    })
    const rows = fc.array(fc.array(span, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(rows, async (spans) => {
        const made = spans.map((row) =>
          row
            .map(({ gridSpan, hMerge, vMerge }) =>
              cell("x", `gridSpan="${gridSpan}" hMerge="${hMerge}" vMerge="${vMerge}"`),
            )
            .join(""),
        )
        const lines = (await below(table(6, cells("head"), ...made))).trimEnd().split("\n")
        expect(lines).toHaveLength(spans.length + 2)
        expect(new Set(lines.map((line) => line.split("|").length)).size).toBe(1)
      }),
      { numRuns: 60 },
    )
  })
})

describe("text in shapes beside tables", () => {
  it("stays out of them", async () => {
    expect(await below(table(1, cells("a")) + shape(paragraph(run("b"))))).toBe("| a |\n| --- |\n\nb\n")
  })
})
