import { escapeMarkdown, MarkdownWriter, markdownLink } from "@atelier/executor/parsing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { linesOf, markdownLike } from "./arbitraries.ts"
import { rendered } from "./rendered.ts"

const numRuns = 3000
const bytesMax = 1_000_000

const written = (write: (writer: MarkdownWriter) => void): string => {
  const writer = new MarkdownWriter(bytesMax)
  write(writer)
  return writer.toString()
}

const reads = (write: (writer: MarkdownWriter, markdown: string) => void, path: string, lineBreak = "\n") =>
  fc.assert(
    fc.property(markdownLike, (text) => {
      const lines = linesOf(text)
      const blocks = rendered(written((writer) => write(writer, escapeMarkdown(text))))
      expect(blocks).toEqual(lines.length === 0 ? [] : [{ path, text: lines.join(lineBreak) }])
    }),
    { numRuns },
  )

describe("escapeMarkdown: any text is read as that text", () => {
  it("in a paragraph", () => reads((writer, markdown) => writer.paragraph(markdown), "p"))
  it("in a heading, in one line", () => reads((writer, markdown) => writer.heading(2, markdown), "h2", " "))
  it("in a bullet", () => reads((writer, markdown) => writer.listItem(0, markdown), "ul li p"))
  it("in a numbered item", () => reads((writer, markdown) => writer.listItem(0, markdown, 12), "ol li p"))
  it("in a quote", () => reads((writer, markdown) => writer.quote(markdown), "blockquote p"))

  it("in the cells of a table", () => {
    fc.assert(
      fc.property(fc.array(fc.array(markdownLike, { maxLength: 3 }), { maxLength: 3 }), (rows) => {
        const width = Math.max(0, ...rows.map((row) => row.length))
        const markdown = written((writer) => writer.table(rows.map((row) => row.map(escapeMarkdown))))
        const cells = rows.flatMap((row, index) =>
          Array.from({ length: width }, (_, column) => ({
            path: index === 0 ? "table thead tr th" : "table tbody tr td",
            text: linesOf(row[column] ?? "").join("\n"),
          })),
        )
        expect(rendered(markdown)).toEqual(cells)
      }),
      { numRuns },
    )
  })

  it("around and inside of a link", () => {
    const plain = markdownLike.map((text) => text.replace(/[*_~\r\n]/g, ""))
    const inside = plain.filter((text) => text.trim() !== "")
    fc.assert(
      fc.property(plain, inside, plain, (before, label, after) => {
        const link = markdownLink(escapeMarkdown(label), "https://a.example/b(c)?d=[e]&copy;=f")
        const [block, ...more] = rendered(
          written((writer) => writer.paragraph(escapeMarkdown(before) + link + escapeMarkdown(after))),
        )
        const text = `${before}«link_openhttps://a.example/b(c)?d=%5Be%5D&copy;=f»${label}«link_close»${after}`
        expect(more).toEqual([])
        expect(block).toEqual({ path: "p", text: text.trim() })
      }),
      { numRuns },
    )
  })
})

describe("escapeMarkdown: ordinary text stays as it is", () => {
  it.each([
    "The quick brown fox (jumps), over: the lazy dog; 100 % sure!",
    "snake_case and _ and __ alone",
    "C:\\path\\to and \\n",
    "3*4 is 12",
    "2 * 3 * 4",
    "a < b > c, 1 <2, <3",
    "AT&T, R&D & co., &c.",
    "see [1] and [a, b].",
    "a footnote* and more",
    "about ~5 to ~10",
    "x = {1} | y / z ^ 2 $ 3 # @",
    "Größe 漢字 😀",
  ])("%s", (text) => {
    expect(escapeMarkdown(text)).toBe(text)
  })

  it.each([
    ["2*3*4", "2\\*3\\*4"],
    ["__init__", "\\_\\_init\\_\\_"],
    ["<b>", "\\<b>"],
    ["&amp;", "\\&amp;"],
    ["a `b`", "a \\`b\\`"],
    ["[a](b)", "[a\\](b)"],
    ["\\*", "\\\\\\*"],
    ["~~gone~~", "\\~\\~gone\\~\\~"],
  ])("but %s does not", (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped)
  })

  it("a paragraph whose lines begin like blocks is escaped there only", () => {
    const lines = ["# a", "- b", "2024. c", "> d", "===", "1990s", "-5", "#tag", "+1"]
    expect(written((writer) => writer.paragraph(lines.join("\n")))).toBe(
      "\\# a  \n\\- b  \n2024\\. c  \n\\> d  \n\\===  \n1990s  \n-5  \n#tag  \n+1\n",
    )
  })
})

describe("markdownLink", () => {
  it.each([
    ["https://a.example/x_y*z", "[t](https://a.example/x_y*z)"],
    ["HTTP://a.example", "[t](HTTP://a.example)"],
    ["mailto:a@b.example", "[t](mailto:a@b.example)"],
    ["tel:+49-1", "[t](tel:+49-1)"],
    [" https://a.example/b c<d>\u0001\n\\ ", "[t](https://a.example/b%20c%3Cd%3E%01%0A%5C)"],
    ["https://a.example/b_(c)", "[t](<https://a.example/b_(c)>)"],
    ["https://a.example/?a&copy;", "[t](https://a.example/?a\\&copy;)"],
    ["javascript:alert(1)", "t"],
    ["data:text/html,x", "t"],
    ["file:///etc/passwd", "t"],
    ["../a.html", "t"],
    ["#part", "t"],
    ["//a.example", "t"],
    ["https://", "t"],
    ["", "t"],
  ])("%j", (target, link) => {
    expect(markdownLink("t", target)).toBe(link)
  })

  it.each([
    ["a[0]", "[a[0]](https://a.example)"],
    ["a]b[", "[a\\]b\\[](https://a.example)"],
    ["`a]`", "[`a]`](https://a.example)"],
    ["", ""],
    ["[in](https://b.example)", "[in](https://b.example)"],
  ])("text %j", (text, link) => {
    expect(markdownLink(text, "https://a.example")).toBe(link)
  })

  it("after an exclamation mark is no image", () => {
    const markdown = written((writer) =>
      writer.paragraph(`Look!${markdownLink("here", "https://a.example")}`),
    )
    expect(rendered(markdown)).toEqual([
      { path: "p", text: "Look!«link_openhttps://a.example»here«link_close»" },
    ])
  })
})

describe("hostile text of 4 million characters is escaped, whatever it repeats", () => {
  const units = [
    "*",
    "[",
    "]",
    "<",
    "`",
    "&",
    "\\",
    "*a",
    "`a",
    "&a",
    "a_",
    "~a ",
    "![",
    "](",
    "\n",
    "\n-",
    "|",
    "!`",
  ]
  it.each(units)("%j", (unit) => {
    const text = unit.repeat(4_000_000 / unit.length)
    const markdown = escapeMarkdown(text)
    expect(markdown.length).toBeGreaterThanOrEqual(text.length)
    const writer = new MarkdownWriter(64 * 1024 * 1024)
    writer.paragraph(markdown)
    writer.heading(1, markdown)
    writer.listItem(0, markdown)
    writer.table([[markdown]])
    writer.code(text)
    expect(markdownLink(markdown, "https://a.example").length).toBeGreaterThanOrEqual(markdown.length)
  })
})
