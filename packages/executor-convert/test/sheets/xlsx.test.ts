import fc from "fast-check"
import MarkdownIt from "markdown-it"
import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"
import { formats, number, relationships, row, shared, sheet, text, workbook } from "./workbook.ts"

const markdownOf = async (document: Promise<Buffer>): Promise<string> =>
  (await converted(await document, "a.xlsx")).markdown

const codesOf = async (document: Promise<Buffer>): Promise<ReadonlyArray<string>> =>
  (await converted(await document, "a.xlsx")).codes

/** What the only cell of a sheet shows. */
const shown = async (...parts: Parameters<typeof sheet>): Promise<string> => {
  const markdown = await markdownOf(sheet(...parts))
  expect(markdown.startsWith("## Sheet\n")).toBe(true)
  return markdown.slice("## Sheet\n\n".length).trimEnd()
}

describe("XLSX: sheets and tables", () => {
  it("writes a heading and a table for each sheet, in the order of the workbook", async () => {
    const document = workbook({
      sheets: [
        { name: "B &amp; *b*", rows: row(text("x"), text("y")) + row(number(1), number(2)) },
        { name: "A", rows: row(text("z"), text("z")) },
        { name: "Empty" },
      ],
    })
    expect(await markdownOf(document)).toBe(
      "## B & \\*b\\*\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n## A\n\n| z | z |\n| --- | --- |\n\n## Empty\n",
    )
  })

  it("believes the cells and not the dimension, and leaves out what is empty around them", async () => {
    const rows =
      '<row r="1" s="1" customFormat="1"/><row r="5"><c r="B5" s="1"/><c r="C5"><v>1</v></c><c r="XFD5" s="1"/></row>' +
      '<row r="6"><c r="D6"><v>2</v></c></row><row r="1048576"><c r="XFD1048576" s="1"/></row>'
    expect(await shown(rows, { before: '<dimension ref="A1:XFD1048576"/>' })).toBe(
      "| 1 |  |\n| --- | --- |\n|  | 2 |",
    )
  })

  it("writes two cells in opposite corners as two paragraphs", async () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    expect(await shown(rows)).toBe("1\n\n2")
  })

  it("passes over very many rows that are styled and blank", async () => {
    const blank = Array.from(
      { length: 100_000 },
      (_, index) => `<row r="${index + 2}" s="1" customFormat="1"><c r="A${index + 2}" s="1"/></row>`,
    )
    expect(await shown(`<row r="1">${number(7)}</row>${blank.join("")}`)).toBe("7")
  })

  it("begins a new table behind an empty row, unless the table goes on in the same columns", async () => {
    const table = (from: number, ...letters: ReadonlyArray<string>) =>
      [from, from + 1]
        .map(
          (at) =>
            `<row r="${at}">${letters.map((name) => `<c r="${name}${at}"><v>${at}</v></c>`).join("")}</row>`,
        )
        .join("")
    const rows = `<row r="1">${text("Title")}</row>${table(3, "A", "B")}${table(6, "A", "B")}${table(9, "B", "C")}`
    expect(await shown(rows)).toBe(
      [
        "Title",
        "| 3 | 3 |\n| --- | --- |\n| 4 | 4 |\n|  |  |\n| 6 | 6 |\n| 7 | 7 |",
        "| 9 | 9 |\n| --- | --- |\n| 10 | 10 |",
      ].join("\n\n"),
    )
  })

  describe("tables side by side", () => {
    /** One text for each row: cells between bars, and nothing for an empty one. */
    const grid = (...lines: ReadonlyArray<string>) =>
      lines
        .map((line, index) => {
          const cells = line.split("|").map((cell, column) => {
            const reference = `${String.fromCharCode(65 + column)}${index + 1}`
            if (cell === "") return ""
            return /^\d+$/.test(cell)
              ? `<c r="${reference}"><v>${cell}</v></c>`
              : `<c r="${reference}" t="inlineStr"><is><t>${cell}</t></is></c>`
          })
          return `<row r="${index + 1}">${cells.join("")}</row>`
        })
        .join("")
    const table = (...lines: ReadonlyArray<string>) => {
      const [head = "", ...rows] = lines.map((line) => `| ${line.split("|").join(" | ")} |`)
      const below = head.replace(/[^|]+/g, " --- ")
      return [head, below, ...rows].join("\n")
    }

    it("are tables of their own with their titles, from the left, where they end in other rows", async () => {
      const rows = grid(
        "Income|||Spent",
        "Item|Sum||Item|Sum|Month",
        "Pay|3||Rent|4|5",
        "Gift|1||Food|2|5",
        "|||Fun|6|7",
        "Other",
        "Item|Sum",
        "Sale|7",
      )
      expect(await shown(rows)).toBe(
        [
          "Income",
          table("Item|Sum", "Pay|3", "Gift|1"),
          "Other",
          table("Item|Sum", "Sale|7"),
          "Spent",
          table("Item|Sum|Month", "Rent|4|5", "Food|2|5", "Fun|6|7"),
        ].join("\n\n"),
      )
    })

    it("have the cells that they are merged of", async () => {
      const rows = grid("Year||||Name|Age", "2024|1|||Ann|3", "|2|||Bob|4", "2025|5", "|6", "2026|7")
      const merged = ["A1:B1", "A2:A3", "A4:A5"].map((range) => `<mergeCell ref="${range}"/>`).join("")
      expect(await shown(rows, { after: `<mergeCells>${merged}</mergeCells>` })).toBe(
        [
          table("Year|Year", "2024|1", "2024|2", "2025|5", "2025|6", "2026|7"),
          table("Name|Age", "Ann|3", "Bob|4"),
        ].join("\n\n"),
      )
    })

    it("are two where they touch at no more than a corner, on either side", async () => {
      const rows = ["||Name|Age", "||Ann|1", "Town|Zip", "Rome|2", "||Year|Sum", "||2024|3"]
      expect(await shown(grid(...rows.slice(0, 4)))).toBe(
        `${table("Name|Age", "Ann|1")}\n\n${table("Town|Zip", "Rome|2")}`,
      )
      expect(await shown(grid(...rows.slice(2)))).toBe(
        `${table("Town|Zip", "Rome|2")}\n\n${table("Year|Sum", "2024|3")}`,
      )
    })

    it("are one where rows in a single column go on beside it, or stand below one another by one column", async () => {
      const list = await shown(grid("Plan|Year", "Build|2024", "||Roof", "||Door"))
      expect(list.match(/^\| ---/gm)).toHaveLength(1)
      const stairs = await shown(grid("A1|B1", "A2|B2", "|B3|C3", "|B4|C4"))
      expect(stairs.match(/^\| ---/gm)).toHaveLength(1)
    })

    it("are two where they have the same head", async () => {
      expect(await shown(grid("Name|Age||Name|Age", "Ann|1||Bob|2"))).toBe(
        `${table("Name|Age", "Ann|1")}\n\n${table("Name|Age", "Bob|2")}`,
      )
    })

    it("are one where a column is empty", async () => {
      const rows = ["Name|Age||Town|Zip", "Ann|1||Rome|2", "Bob|3||Oslo|4"]
      const whole = rows.map((row) => row.replace("||", "| |"))
      expect((await shown(grid(...rows))).replaceAll("|  |", "|   |")).toBe(
        table(...whole).replaceAll("|   |", "|   |"),
      )
    })

    it.each([
      [
        "heads of one or two rows over some of the columns",
        ["|||2024|2024", "|||Q1|Q2", "Ann|1||2|3", "Bob|4||5|6"],
      ],
      [
        "labels in one column",
        ["Name||Age|Town", "Ann||1|Rome", "Bob||2|Oslo", "||3|Bern", "||4|Lund", "||5|Pisa"],
      ],
      [
        "many empty cells",
        ["Name|Age||Town|Zip", "Ann|||Rome|", "Bob|||Oslo|", "|||Bern|", "|||Lund|", "|||Pisa|1"],
      ],
    ])("are one with %s", async (_, lines) => {
      const markdown = await shown(grid(...lines))
      expect(markdown.split("\n\n")).toHaveLength(1)
      expect(markdown.split("\n")).toHaveLength(lines.length + 1)
    })
  })

  it("puts rows and cells where their references say, in whatever order they come", async () => {
    const rows =
      '<row r="2"><c r="B2"><v>4</v></c><c r="A2"><v>3</v></c></row>' +
      '<row r="1"><c r="B1"><v>2</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>'
    expect(await shown(rows)).toBe("| 1 | 2 |\n| --- | --- |\n| 3 | 4 |")
  })

  it("counts on where references are missing or no references", async () => {
    const rows = `<row>${number(1)}<c r="?9"><v>2</v></c></row><row r="x"><c r="B2"><v>3</v></c>${number(4)}</row>`
    expect(await shown(rows)).toBe("| 1 | 2 |  |\n| --- | --- | --- |\n|  | 3 | 4 |")
  })

  it("repeats the value of merged cells in rows and columns with others", async () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c><c r="B1"/></row><row r="2"><c r="A2"><v>2</v></c><c r="B2"><v>3</v></c></row>'
    expect(await shown(rows, { after: '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>' })).toBe(
      "| 1 | 1 |\n| --- | --- |\n| 2 | 3 |",
    )
  })

  it("writes titles above a table and notes below it as text, and not as rows of merged cells", async () => {
    const rows =
      `<row r="1">${text("Report")}</row><row r="2">${text("in francs")}</row>` +
      `<row r="3">${text("Team")}${text("Won")}</row><row r="4">${text("Blues")}${number(1)}</row>` +
      `<row r="5">${text("Source")}</row>`
    const over = (...lines: ReadonlyArray<number>) => ({
      after: `<mergeCells>${lines.map((line) => `<mergeCell ref="A${line}:C${line}"/>`).join("")}</mergeCells>`,
    })
    const table = "| Team | Won |\n| --- | --- |\n| Blues | 1 |"
    expect(await shown(rows, over(1, 5))).toBe(`Report\n\nin francs\n\n${table}\n\nSource`)
    expect(await shown(rows)).toBe(`Report\n\nin francs\n\n${table}\n| Source |  |`)
  })

  it("keeps more than four lines above others in their table", async () => {
    const lines = Array.from({ length: 5 }, (_, at) => `<row r="${at + 1}">${text("Name")}</row>`).join("")
    const rows = `${lines}<row r="6">${text("Name")}${text("Place")}</row>`
    expect(await shown(rows)).toBe(`| Name |  |\n| --- | --- |\n${"| Name |  |\n".repeat(4)}| Name | Place |`)
  })

  it("keeps titles between the parts of a table in it, unless its head comes again", async () => {
    const part = (at: number, ...texts: ReadonlyArray<string>) =>
      `<row r="${at}">${text(texts[0] ?? "")}</row><row r="${at + 1}">${text(texts[1] ?? "")}${number(1)}</row><row r="${at + 2}">${text("b")}${number(2)}</row>`
    const begin = "North\n\n| a | 1 |\n| --- | --- |\n| b | 2 |"
    expect(await shown(part(1, "North", "a") + part(5, "South", "c"))).toBe(
      `${begin}\n|  |  |\n| South |  |\n| c | 1 |\n| b | 2 |`,
    )
    expect(await shown(part(1, "North", "a") + part(5, "South", "a"))).toBe(
      `${begin}\n\nSouth\n\n| a | 1 |\n| --- | --- |\n| b | 2 |`,
    )
  })

  it("repeats a merged head over some columns alone, and long notes never", async () => {
    const note = "word ".repeat(60).trim()
    const rows =
      `<row r="1"><c r="B1" t="inlineStr"><is><t>Year</t></is></c></row>` +
      `<row r="2">${text("Team")}${text("Won")}${text("Lost")}</row><row r="3">${text(note)}</row>`
    const after = '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="A3:C3"/></mergeCells>'
    expect(await shown(rows, { after })).toBe(
      `|  | Year | Year |\n| --- | --- | --- |\n| Team | Won | Lost |\n\n${note}`,
    )
  })

  it("adds no note below an empty row to a table of one column", async () => {
    const rows = ["Lamps", "Tables", "", "A note"]
      .map((words, at) => (words === "" ? "" : `<row r="${at + 1}">${text(words)}</row>`))
      .join("")
    expect(await shown(rows, { after: '<mergeCells><mergeCell ref="A4:C4"/></mergeCells>' })).toBe(
      "| Lamps |\n| --- |\n| Tables |\n\nA note",
    )
  })

  it("adds no empty cells where a long head is merged over some columns alone", async () => {
    const long = "word ".repeat(60).trim()
    const rows = `<row r="1"><c r="B1" t="inlineStr"><is><t>${long}</t></is></c></row><row r="2">${text("a")}${text("b")}</row><row r="9"><c r="F9"><v>1</v></c></row>`
    expect(await shown(rows, { after: '<mergeCells><mergeCell ref="B1:F1"/></mergeCells>' })).toBe(
      `|  | ${long} |\n| --- | --- |\n| a | b |\n\n1`,
    )
  })

  it("result_too_large: refuses merged cells over millions of others", async () => {
    const rows = Array.from({ length: 2_000 }, () => row(number(1), number(2))).join("")
    const merged = Array.from(
      { length: 3_000 },
      (_, at) => `<mergeCell ref="A${(at % 2_000) + 1}:XFD1048576"/>`,
    )
    const document = await sheet(rows, { after: `<mergeCells>${merged.join("")}</mergeCells>` })
    expect(await refusalOf(document, "a.xlsx")).toMatchObject({ code: "result_too_large" })
  })

  it("reads workbooks in the strict namespaces", async () => {
    const strict = "http://purl.oclc.org/ooxml"
    const document = workbook({
      sheets: [{}],
      parts: {
        "xl/workbook.xml": `<x:workbook xmlns:x="${strict}/spreadsheetml/main" xmlns:q="${strict}/officeDocument/relationships"><x:sheets><x:sheet name="S" q:id="s0"/></x:sheets></x:workbook>`,
        "xl/worksheets/sheet0.xml": `<x:worksheet xmlns:x="${strict}/spreadsheetml/main"><x:sheetData><x:row><x:c t="d"><x:v>2024-02-29T00:00:00</x:v></x:c><x:c t="d"><x:v>2024-02-29T12:30:00</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
      },
    })
    expect(await markdownOf(document)).toBe("## S\n\n| 2024-02-29 | 2024-02-29 12:30:00 |\n| --- | --- |\n")
  })
})

describe("XLSX: what a cell shows", () => {
  it("joins the runs of a shared string and leaves out its pronunciation", async () => {
    const strings =
      "<si><t>plain</t></si><si><r><t>to</t></r><r><rPr><b/></rPr><t>kyo</t></r><rPh sb='0' eb='1'><t>TOKYO</t></rPh></si>"
    expect(await shown(row(shared(1), shared(0), shared(1)), { strings })).toBe(
      "| tokyo | plain | tokyo |\n| --- | --- | --- |",
    )
  })

  it("joins the runs of an inline string, too", async () => {
    const cell =
      '<c t="inlineStr"><is><r><t>a</t></r><r><t> b</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>'
    expect(await shown(row(cell))).toBe("a b")
  })

  it("keeps what stands above and below the line in a run, and what is struck", async () => {
    const run = (text: string, property = "") =>
      `<r>${property === "" ? "" : `<rPr><b/>${property}</rPr>`}<t xml:space="preserve">${text}</t></r>`
    const [raised, lowered] = ['<vertAlign val="superscript"/>', '<vertAlign val="subscript"/>']
    const year = `<si>${run("2015")}${run("1", raised)}${run(" in m")}${run("2", raised)}</si>`
    const note = `<si>${run("a*b* ")}${run("c)", raised)}${run("&lt;b>")}</si>`
    const water = `${run("H")}${run("2", lowered)}${run("O ", '<vertAlign val="baseline"/>')}`
    const struck = `${run("4", "<strike/>")}${run("5", '<strike val="0"/>')}`
    const inline = `<c t="inlineStr"><is>${water}${struck}</is></c>`
    expect(await shown(row(shared(0), shared(1), inline, shared(0)), { strings: year + note })).toBe(
      "| 2015¹ in m² | a\\*b\\* <sup>c)</sup>\\<b> | H₂O ~~4~~5 | 2015¹ in m² |\n| --- | --- | --- | --- |",
    )
  })

  it("strikes out a cell whose font does, but where its stretches say which are", async () => {
    const fonts = '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>'
    const changes = "<dxfs><dxf><font><strike/></font></dxf></dxfs>"
    const styles = `${fonts}<cellXfs><xf/><xf fontId="1"/><xf fontId="2"/></cellXfs>${changes}`
    const strings = "<si><t>old\n\nprice</t></si><si><r><rPr><strike/></rPr><t>a</t></r><r><t>b</t></r></si>"
    const styled = (style: number, cell: string) => cell.replace("<c ", `<c s="${style}" `)
    const cells = [
      styled(1, shared(0)),
      styled(1, shared(1)),
      number(5, 1),
      styled(1, text("i")),
      styled(2, shared(0)),
      shared(0),
    ]
    expect(await shown(row(...cells), { strings, styles })).toContain(
      "| ~~old~~<br>~~price~~ | ~~a~~b | ~~5~~ | ~~i~~ | old<br>price | old<br>price |",
    )
  })

  it("decodes characters that XML cannot hold, once", async () => {
    const strings = "<si><t>a_x000D_\nb_x0009_c_x005F_x0041_ _x0001_d</t></si>"
    expect(await shown(row(shared(0), number(1)), { strings })).toBe(
      "| a<br>b\tc_x0041_ d | 1 |\n| --- | --- |",
    )
  })

  it("writes lines of a cell with <br>, and escapes what Markdown would take for markup", async () => {
    const cells = row(text("one\ntwo\r\nthree"), text("a|b *c* <d> &amp; [e](f) `g` 1. _h_"))
    const html = new MarkdownIt({ html: true }).render(await markdownOf(sheet(cells)))
    expect(html).toContain("<th>one<br>two<br>three</th>")
    expect(html).toContain("<th>a|b *c* &lt;d&gt; &amp;amp; [e](f) `g` 1. _h_</th>")
  })

  it("gives the stored values of formulas: numbers, texts, truth values, errors, empty texts", async () => {
    const cells = [
      "<c><f>1+1</f><v>2</v></c>",
      '<c t="str"><f>A1</f><v>a_x0042_&amp;c</v></c>',
      '<c t="b"><f>TRUE()</f><v>1</v></c><c t="b"><v>0</v></c>',
      '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c t="str"><f>""</f><v></v></c>',
      number("x"),
    ]
    const { markdown, codes } = await converted(await sheet(row(...cells)), "a.xlsx")
    expect(markdown).toContain("| 2 | aB&c | TRUE | FALSE | #DIV/0! |  | x |")
    expect(codes).toEqual([])
  })

  it("formulas_without_values: warns of formulas that were never calculated", async () => {
    const document = sheet(row("<c><f>SUM(A1:A2)</f></c>", "<c><f>A1</f></c>", number(1)))
    const { warnings, markdown } = await converted(await document, "a.xlsx")
    expect(markdown).toBe("## Sheet\n\n1\n")
    expect(warnings).toEqual([
      {
        code: "formulas_without_values",
        message: expect.stringContaining("2 formulas have no stored value"),
      },
    ])
  })

  it.each<[name: string, format: string | number, value: number | string, shows: string]>([
    ["no format", 0, "3.0000000000000004", "3"],
    ["no format, a fraction", 0, "0.30000000000000004", "0.3"],
    ["no format, all digits of an article number", 0, "4006381333931", "4006381333931"],
    ["no format, large", 0, "1e+21", "1E+21"],
    ["an integer", 1, "2.5", "3"],
    ["thousands", 3, "1234567.8", "1,234,568"],
    ["a percentage", 10, "0.1234", "12.34%"],
    ["a percentage that binary holds a little too low", 9, "0.285", "29%"],
    ["decimals that binary holds a little too low", "0.00", "1.005", "1.01"],
    ["a negative half", "0.00", "-0.125", "\\-0.13"],
    ["dollars", '"$"#,##0.00_);\\("$"#,##0.00\\)', "-1234.5", "($1,234.50)"],
    ["euros", "#,##0.00\\ [$€-407]", "1234.5", "1,234.50 €"],
    ["an accountant's zero", '_-* #,##0.00_-;\\-* #,##0.00_-;_-* "-"??_-;_-@_-', "0", "\\-"],
    ["a fraction", "# ?/?", "1.5", "1 1/2"],
    ["a fraction that is rounded to nothing", "# ?/2", "0.04", "0"],
    ["a negative one", "# ?/?", "-0.04", "0"],
    ["an empty format", "", "3.5", "3.5"],
    ["a language, which is no currency", "[$-409]0.00", "1.5", "1.50"],
    ["a unit behind the general format", 'General" kg"', "12.5", "12.5 kg"],
    ["a unit behind a negative number in it", 'General" kg";[Red]\\-General" kg"', "-3.5", "-3.5 kg"],
    ["the sign that a section writes itself", "General;[Red]-General", "-3.5", "-3.5"],
    ["a condition on the general format", '[>100]General" big";General" small"', "-7", "-7 small"],
    ["the digits of a language", "[DBNum1][$-804]General", "12323", "12323"],
    ["a date in a language", "[$-F800]dddd\\,\\ mmmm\\ dd", "45000", "Wednesday, March 15"],
    ["an exponent", "0.00E+00", "12345", "1.23E+04"],
    ["the reader's own date as ISO 8601", 14, "45000", "2023-03-15"],
    ["the reader's own date and time as ISO 8601", 22, "45000.25", "2023-03-15 06:00"],
    ["a date of East Asia as ISO 8601", 31, "45000", "2023-03-15"],
    ["a date as it is shown", "dd/mm/yyyy", "45000", "15/03/2023"],
    ["a date with points that nothing escapes", "dd.mm.yyyy", "45000", "15.03.2023"],
    ["fractions of seconds", "hh:mm:ss.00", "0.5000001", "12:00:00.01"],
    ["a currency that nothing quotes", "0.0 ₽", "1.25", "1.3 ₽"],
    ["a date in Chinese that nothing quotes", "yyyy年m月d日", "45000", "2023年3月15日"],
    ["a date with the name of the month", 15, "45000", "15-Mar-23"],
    ["the day that 1900 did not have", "yyyy-mm-dd", "60", "1900-02-29"],
    ["a time", 21, "0.5", "12:00:00"],
    ["hours beyond a day", "[h]:mm", "1.5", "36:00"],
    ["sections", '[>=100]"much";"little"', "5", "little"],
    ["nothing to be seen", ";;;", "5", ""],
    ["an invalid date", "yyyy-mm-dd", "-5", "\\-5"],
    ["an unreadable format", '0 "open', "5", "5"],
    ["a format that is too long", "0".repeat(256), "5", "5"],
    ["an unknown number for a format", 4711, "5", "5"],
  ])("shows numbers in their format: %s", async (_, format, value, shows) => {
    const { markdown } = await converted(
      await sheet(row(number(value)), { styles: formats(format) }),
      "a.xlsx",
    )
    const plain = (line: string) => line.replace(/\\([-.])/g, "$1")
    expect(plain(markdown)).toBe(plain(shows === "" ? "## Sheet\n" : `## Sheet\n\n${shows}\n`))
  })

  it("shows the same number in each of its formats, however often it comes", async () => {
    const cells = [0, 1, 0, 1].map((style) => `<c s="${style}"><v>0.5</v></c>`).join("")
    const styles = formats("0%", "0.00")
    expect(await shown(`<row>${cells}</row>`, { styles })).toContain("| 50% | 0.50 | 50% | 0.50 |")
  })

  it("counts days from 1904 on where the workbook says so", async () => {
    const properties = '<workbookPr date1904="1"/>'
    expect(await shown(row(number(43538)), { properties, styles: formats("yyyy-mm-dd") })).toBe("2023-03-15")
  })

  it("makes links to web and mail addresses, and no others", async () => {
    const rows = row(text("web"), text("place"), text("file"), text("both"))
    const link = (ref: string, target: string) => `<hyperlink ref="${ref}" ${target}/>`
    const document = sheet(rows, {
      after: `<hyperlinks>${link("A1", 'r:id="w"')}${link("B1", 'location="Sheet!A1"')}${link("C1", 'r:id="f"')}${link("D1:E9", 'r:id="m"')}</hyperlinks>`,
      relationships: [
        { id: "w", type: "hyperlink", target: "https://example.org/a_(b)", external: true },
        { id: "f", type: "hyperlink", target: "file:///C:/secret.xlsx", external: true },
        { id: "m", type: "hyperlink", target: "mailto:a@example.org", external: true },
      ],
    })
    expect(await markdownOf(document)).toContain(
      "| [web](<https://example.org/a_(b)>) | place | file | [both](mailto:a@example.org) |",
    )
  })

  it("shows any text as it is", async () => {
    const renderer = new MarkdownIt({ html: true })
    const decode = (html: string) =>
      html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
    const characters = fc.constantFrom(..."ab1 *_~`[](){}<>&;:!.,-+#|\\/'\"=é漢😀")
    const cell = fc
      .array(characters, { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join("").trim())
      .filter((value) => value !== "")
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 2, maxLength: 4 }), async (cells) => {
        const html = renderer.render(await markdownOf(sheet(row(...cells.map(text)))))
        const seen = [...html.matchAll(/<th>(.*?)<\/th>/gs)].map(([, inside = ""]) => decode(inside))
        expect(seen.map((value) => value.replace(/ +/g, " "))).toEqual(
          cells.map((value) => value.replace(/ +/g, " ")),
        )
      }),
      { numRuns: 150 },
    )
  })
})

describe("XLSX: what is not in the cells", () => {
  it("hidden_sheets: gives hidden sheets with a warning", async () => {
    const document = workbook({
      sheets: [
        { name: "A", rows: row(number(1)) },
        { name: "B", rows: row(number(2)), state: "hidden" },
        { name: "C", rows: row(number(3)), state: "veryHidden" },
      ],
    })
    const { markdown, warnings } = await converted(await document, "a.xlsx")
    expect(markdown).toBe("## A\n\n1\n\n## B\n\n2\n\n## C\n\n3\n")
    expect(warnings).toEqual([{ code: "hidden_sheets", message: "2 hidden sheets are part of the result." }])
  })

  it.each([
    ["row", { rows: `<row r="1" hidden="1">${number(1)}</row>` }],
    ["column", { rows: row(number(1)), before: '<cols><col min="1" max="2" hidden="true"/></cols>' }],
  ])("hidden_cells: gives a hidden %s with a warning", async (_, parts) => {
    const { markdown, codes } = await converted(await workbook({ sheets: [parts] }), "a.xlsx")
    expect(markdown).toBe("## Sheet\n\n1\n")
    expect(codes).toEqual(["hidden_cells"])
  })

  it("says nothing of hidden rows and columns in which nothing stands", async () => {
    const document = sheet(`${row(number(1))}<row r="9" hidden="1"/>`, {
      before: '<cols><col min="2" max="16384" hidden="1"/><col min="x" max="y" hidden="1"/></cols>',
    })
    expect(await codesOf(document)).toEqual([])
  })

  it("gives the text of boxes over the cells, once, and warns of charts and images", async () => {
    const drawing =
      '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">' +
      "<mc:AlternateContent><mc:Choice Requires='x'><xdr:sp><xdr:txBody><a:p><a:r><a:t>A </a:t></a:r><a:r><a:t>*box*</a:t></a:r></a:p><a:p><a:r><a:t>below</a:t></a:r></a:p></xdr:txBody></xdr:sp></mc:Choice>" +
      "<mc:Fallback><xdr:sp><xdr:txBody><a:p><a:r><a:t>A box</a:t></a:r></a:p></xdr:txBody></xdr:sp></mc:Fallback></mc:AlternateContent>" +
      "<xdr:graphicFrame><a:graphic><c:chart/></a:graphic></xdr:graphicFrame><xdr:pic/><xdr:pic/></xdr:wsDr>"
    const own = [{ id: "d", type: "drawing", target: "../drawings/drawing1.xml" }]
    const document = workbook({
      sheets: [{ rows: row(number(1)), relationships: own }, { relationships: own }],
      parts: { "xl/drawings/drawing1.xml": drawing },
    })
    const { markdown, warnings } = await converted(await document, "a.xlsx")
    expect(markdown).toBe("## Sheet\n\n1\n\nA \\*box\\*  \nbelow\n\n## Sheet\n")
    expect(warnings.map(({ code }) => code)).toEqual(["charts_not_interpreted", "images_not_interpreted"])
    expect(warnings[1]?.message).toContain("2 images were")
  })

  it("warns of comments and embedded documents", async () => {
    const document = workbook({
      sheets: [
        {
          rows: row(number(1)),
          relationships: [
            { id: "c", type: "comments", target: "../comments1.xml" },
            { id: "o", type: "oleObject", target: "../embeddings/object.xml" },
          ],
        },
      ],
      parts: {
        "xl/comments1.xml":
          '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><commentList><comment ref="A1"><text><t>c</t></text></comment><comment ref="A2"/></commentList></comments>',
        "xl/embeddings/object.xml": "<object/>",
      },
    })
    const { markdown, warnings } = await converted(await document, "a.xlsx")
    expect(markdown).toBe("## Sheet\n\n1\n")
    expect(warnings).toEqual([
      { code: "comments_left_out", message: expect.stringContaining("2 comments were") },
      { code: "embedded_documents_left_out", message: expect.stringContaining("1 embedded") },
    ])
  })

  it("no_text: warns of a workbook without any cell", async () => {
    expect(await codesOf(workbook({ sheets: [{}, {}] }))).toEqual(["no_text"])
  })
})

describe("XLSX: what is refused", () => {
  it.each([
    ["a sheet that has no part", { "xl/_rels/workbook.xml.rels": relationships([]) }, '"Sheet"'],
    [
      "a sheet that is listed twice",
      {
        "xl/workbook.xml":
          '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" r:id="s0"/><sheet name="B" r:id="s0"/></sheets></workbook>',
      },
      '"B"',
    ],
  ])("file_corrupt: %s", async (_, parts, named) => {
    const refusal = await refusalOf(await workbook({ sheets: [{ rows: row(number(1)) }], parts }), "a.xlsx")
    expect(refusal).toMatchObject({ code: "file_corrupt", message: expect.stringContaining(named) })
  })

  it("file_corrupt: a cell whose shared string is not there", async () => {
    const refusal = await refusalOf(await sheet(row(shared(7)), { strings: "<si><t>a</t></si>" }), "a.xlsx")
    expect(refusal).toMatchObject({ code: "file_corrupt", message: expect.stringMatching(/string 7\b.* 1,/) })
  })

  it("result_too_large: a few cells that span a table of millions, before it is made", async () => {
    const column = Array.from({ length: 2000 }, () => row(number(1)))
    const rows = `<row><c r="XFD1"><v>1</v></c></row>${column.join("")}`
    const refusal = await refusalOf(await sheet(rows), "a.xlsx")
    expect(refusal).toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("2001 rows and 16384 columns"),
    })
    expect(refusal.message).toContain("20971520")
  })

  it("result_too_large: one long text that very many cells share", async () => {
    const strings = `<si><t>${"x".repeat(100_000)}</t></si>`
    const cells = Array.from({ length: 20_000 }, () => shared(0)).join("")
    expect(await refusalOf(await sheet(row(cells), { strings }), "a.xlsx")).toMatchObject({
      code: "result_too_large",
    })
  })
})
