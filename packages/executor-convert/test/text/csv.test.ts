import fc from "fast-check"
import MarkdownIt from "markdown-it"
import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"

const markdownOf = async (text: string): Promise<string> => (await converted(text, "a.csv")).markdown

const table = (...rows: ReadonlyArray<string>): string => {
  const [head = ""] = rows
  const columns = head.split(/(?<!\\)\|/).length - 2
  return `${[head, `|${" --- |".repeat(columns)}`, ...rows.slice(1)].join("\n")}\n`
}

describe("CSV: rows and cells", () => {
  it("is one table whose head is the first row", async () => {
    expect(await markdownOf("name,value\na,1\nb,2")).toBe(table("| name | value |", "| a | 1 |", "| b | 2 |"))
  })

  it.each([
    ["line feeds", "a,b\nc,d\n"],
    ["carriage returns with line feeds", "a,b\r\nc,d\r\n"],
    ["carriage returns", "a,b\rc,d\r"],
    ["empty lines", "\n\na,b\n\n\nc,d\n\n"],
  ])("ends rows at %s", async (_, text) => {
    expect(await markdownOf(text)).toBe(table("| a | b |", "| c | d |"))
  })

  it("reads quoted cells with delimiters, quotes and line breaks", async () => {
    expect(await markdownOf('a,b\n"x, y","say ""hi"""\n"two\r\nlines",\n')).toBe(
      table("| a | b |", '| x, y | say "hi" |', "| two<br>lines |  |"),
    )
  })

  it("keeps text behind a closing quote, and quotes inside of a cell", async () => {
    expect(await markdownOf('a,b\n"x"y,5" pipe\n')).toBe(table("| a | b |", '| xy | 5" pipe |'))
  })

  it("escapes pipes and markup", async () => {
    expect(await markdownOf("a,b\nx|y,*z* <br>\n")).toBe(table("| a | b |", "| x\\|y | \\*z\\* \\<br> |"))
  })

  it("takes a single column", async () => {
    expect(await markdownOf("name\na\nb c\n")).toBe(table("| name |", "| a |", "| b c |"))
  })

  it("no_text: warns of a file without any", async () => {
    const { markdown, codes } = await converted("\n\n", "a.csv")
    expect(markdown).toBe("")
    expect(codes).toEqual(["no_text"])
  })

  it("gives every table back as it was written", async () => {
    const renderer = new MarkdownIt({ html: true })
    const decode = (html: string) =>
      html
        .replaceAll("<br>", "\n")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&")
    const character = fc.constantFrom(..."ab1 ,;|\t\n\"'*_<>&\\`[]()é😀")
    const cell = fc
      .array(character, { maxLength: 8 })
      .map((parts) => parts.join("").replace(/\s+/g, " ").trim())
    const rows = fc
      .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 4 }))
      .chain(([width, height]) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
          minLength: height,
          maxLength: height,
        }),
      )
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(",", ";", "\t", "|"), async (cells, delimiter) => {
        const text = cells
          .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(delimiter))
          .join("\r\n")
        const html = renderer.render(await markdownOf(text))
        const seen = [...html.matchAll(/<t[hd]>(.*?)<\/t[hd]>/gs)].map(([, inside = ""]) => decode(inside))
        expect(seen).toEqual(cells.flat())
      }),
      { numRuns: 200 },
    )
  })
})

describe("CSV: its delimiter", () => {
  it.each([
    ["a comma", "a,b\n1,2\n"],
    ["a semicolon", "a;b\n1;2\n"],
    ["a tab", "a\tb\n1\t2\n"],
    ["a bar", "a|b\n1|2\n"],
  ])("may be %s", async (_, text) => {
    expect(await markdownOf(text)).toBe(table("| a | b |", "| 1 | 2 |"))
  })

  it("is a semicolon where commas are decimal", async () => {
    expect(await markdownOf("name;price;tax\na;1,50;0,19\nb;2;0,19\n")).toBe(
      table("| name | price | tax |", "| a | 1,50 | 0,19 |", "| b | 2 | 0,19 |"),
    )
  })

  it("is not what stands in quotes", async () => {
    expect(await markdownOf('"a;b;c",1\n"d;e;f",2\n')).toBe(table("| a;b;c | 1 |", "| d;e;f | 2 |"))
  })

  it("is found in the beginning of a long file, whose last row there is cut", async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `row ${index};x, y, z`)
    const markdown = await markdownOf(`${rows.join("\n")}\n`)
    expect(markdown.startsWith(table("| row 0 | x, y, z |"))).toBe(true)
    expect(markdown.trimEnd().split("\n").at(-1)).toBe("| row 4999 | x, y, z |")
  })

  it("may be told in a line before the first", async () => {
    expect(await markdownOf("sep=;\r\na,1;b\r\nc;d\r\n")).toBe(table("| a,1 | b |", "| c | d |"))
    expect(await markdownOf("\ufeffsep=^\na^b\n")).toBe(table("| a | b |"))
  })
})

describe("CSV: what is irregular", () => {
  it("ragged_rows: fills rows that are too short, with a warning in numbers", async () => {
    const { markdown, warnings } = await converted("a,b,c\n1\n2,3,4\n5,6\n", "a.csv")
    expect(markdown).toBe(table("| a | b | c |", "| 1 |  |  |", "| 2 | 3 | 4 |", "| 5 | 6 |  |"))
    expect(warnings).toEqual([
      { code: "ragged_rows", message: expect.stringContaining("2 of 4 rows have fewer than the 3 cells") },
    ])
  })

  it("unclosed_quote: takes a quote that is never closed as text, and what follows too", async () => {
    const { markdown, warnings } = await converted('a,b\n"x",1\n"open,2\ny,3\n', "a.csv")
    expect(markdown).toBe(table("| a | b |", "| x | 1 |", '| "open | 2 |', "| y | 3 |"))
    expect(warnings).toEqual([{ code: "unclosed_quote", message: expect.stringContaining("row 3") }])
  })

  it("result_too_large: refuses a long row that makes very many rows long, in numbers", async () => {
    const refusal = await refusalOf(`${"a,".repeat(5_000)}b\n${"c\n".repeat(5_000)}`, "a.csv")
    expect(refusal).toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("5001 rows and 5001 columns"),
    })
  })
})
