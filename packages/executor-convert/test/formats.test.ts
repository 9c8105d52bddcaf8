import library from "@e965/xlsx"
import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "./documents.ts"

/** Two sheets, the second hidden: a date, a percentage, a merged cell, a line break, a boolean. */
const workbook = (bookType: "xlsx" | "biff8" | "ods"): Uint8Array => {
  const book = library.utils.book_new()
  const first = library.utils.aoa_to_sheet([
    ["Name", "When", "Share"],
    ["Ada|B", 45_413, 0.125],
    ["two\nlines", null, 3],
  ])
  Object.assign(first["B2"], { z: "dd/mm/yyyy" })
  Object.assign(first["C2"], { z: "0.0%" })
  first["!merges"] = [{ s: { r: 2, c: 0 }, e: { r: 2, c: 1 } }]
  library.utils.book_append_sheet(book, first, "First")
  library.utils.book_append_sheet(book, library.utils.aoa_to_sheet([["x"], [true]]), "Second")
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] }
  return library.write(book, { type: "buffer", bookType })
}

const sheets = `## First

| Name | When | Share |
| --- | --- | --- |
| Ada\\|B | 01/05/2024 | 12.5% |
| two<br>lines |  | 3 |

## Second

| x |
| --- |
| TRUE |
`

describe("spreadsheets", () => {
  it.each([
    ["XLSX", "xlsx", "book.xlsx"],
    ["XLS", "biff8", "book.xls"],
  ] as const)(
    "%s: a table for each sheet, numbers as they are shown, hidden sheets with a warning",
    async (_, type, name) => {
      const { markdown, codes } = await converted(workbook(type), name)
      expect(markdown).toBe(sheets)
      expect(codes).toEqual(["hidden_sheets"])
    },
  )

  it("ODS: a table for each sheet", async () => {
    const { markdown } = await converted(workbook("ods"), "book.ods")
    expect(markdown).toContain("## First\n\n| Name | When | Share |\n| --- | --- | --- |\n| Ada\\|B |")
    expect(markdown).toContain("| two<br>lines |  | 3 |\n\n## Second\n\n| x |\n| --- |\n| TRUE |\n")
  })

  it("a spreadsheet under the name of another format is refused", async () => {
    expect(await refusalOf(workbook("ods"), "book.xlsx")).toMatchObject({ code: "file_type_not_accepted" })
    expect(await refusalOf("<html><table><tr><td>a</table>", "book.xls")).toMatchObject({
      code: "file_type_not_accepted",
    })
  })
})

const csv = async (text: string) => {
  const { markdown, codes } = await converted(text, "table.csv")
  return { markdown, codes }
}
const head = "| --- | --- |"

describe("CSV", () => {
  it.each([",", ";", "\t", "|"])("delimiter %j is found", async (delimiter) => {
    const text = ["a", "b"].join(delimiter).concat("\n", ["1", "2"].join(delimiter), "\n")
    expect(await csv(text)).toEqual({ markdown: `| a | b |\n${head}\n| 1 | 2 |\n`, codes: [] })
  })

  it("quoted line breaks and pipes stay in their cell, ragged rows are filled with a warning", async () => {
    expect(await csv('a;b\n1;"x\ny|z"\n2\n')).toEqual({
      markdown: `| a | b |\n${head}\n| 1 | x<br>y\\|z |\n| 2 |  |\n`,
      codes: ["ragged_rows"],
    })
  })

  it("a byte order mark and a sep= line are no cells, a quote that is never closed is text", async () => {
    expect(await csv('\ufeffsep=,\nname,"open\n1,2\n')).toEqual({
      markdown: `| name | "open |\n${head}\n| 1 | 2 |\n`,
      codes: ["unclosed_quote"],
    })
  })

  it("an empty file gives no_text", async () => {
    expect(await csv("")).toEqual({ markdown: "", codes: ["no_text"] })
  })
})

const html = async (text: string | Uint8Array) => (await converted(text, "page.html")).markdown

describe("HTML", () => {
  it("scripts, styles, comments and hidden elements are not text", async () => {
    const page =
      "<title>T</title><script>x</script><style>y</style><!--c--><template>t</template><h1>Hi &amp; bye</h1>" +
      "<p hidden>h</p><p style='display:none'>n</p>"
    expect(await html(page)).toBe("# Hi & bye\n")
  })

  it("headings, emphasis, links, lists, tables, code and quotes are Markdown, also without end tags", async () => {
    const page =
      "<h2>Plan</h2><p>a <b>bold</b> <a href='https://e.org/x'>link</a> <a href='javascript:1'>no</a>" +
      "<ul><li>one<li>two</ul><table><tr><th>A<th>B<tr><td colspan=2>c|d</table>" +
      "<pre><code class='language-js'>let a\n</code></pre><blockquote>q</blockquote>"
    const markdown = await html(`<h1>Top</h1>${page}`)
    expect(markdown).toBe(
      `# Top\n\n## Plan\n\na **bold** [link](https://e.org/x) no\n\n- one\n- two\n\n| A | B |\n${head}\n` +
        "| c\\|d |  |\n\n```js\nlet a\n```\n\n> q\n",
    )
  })

  it("images are left out with a warning, their alternative text is kept", async () => {
    const { markdown, codes } = await converted("<p>a <img alt='pic' src=x></p>", "page.html")
    expect(markdown).toBe("a pic\n")
    expect(codes).toEqual(["images_not_interpreted"])
  })

  it("a declared encoding is read", async () => {
    expect(await html(Buffer.from("<meta charset=windows-1252><p>caf\xe9", "latin1"))).toBe("café\n")
  })

  it.each([
    ["20,000 nested elements", `${"<div>".repeat(20_000)}deep`],
    ["300,000 tags without an end", `${"<b>".repeat(300_000)}deep`],
  ])("%s are read", async (_, page) => {
    expect(await html(page)).toContain("deep")
  })
})

describe("XML", () => {
  it("is an outline of elements with their attributes and text", async () => {
    const text =
      "<catalog><book id='b1'><title>One &amp; two</title><price>3</price></book><book id='b2'/></catalog>"
    const { markdown } = await converted(text, "catalog.xml")
    expect(markdown).toBe(
      "# catalog\n\n- **book** (id: b1)\n  - **title**: One & two\n  - **price**: 3\n- **book** (id: b2)\n",
    )
  })

  it("with a document type declaration is refused", async () => {
    const text = "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"
    expect(await refusalOf(text, "a.xml")).toMatchObject({ code: "file_corrupt" })
  })
})
