import { escapeMarkdown, MarkdownWriter } from "@atelier/executor/parsing"
import { Refusal } from "@atelier/intake/bytes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { linesOf, markdownLike } from "./arbitraries.ts"
import { rendered } from "./rendered.ts"

const bytesMax = 10_000_000

const written = (write: (writer: MarkdownWriter) => void): string => {
  const writer = new MarkdownWriter(bytesMax)
  write(writer)
  return writer.toString()
}

describe("MarkdownWriter: blocks", () => {
  it("stand apart by one empty line, list items do not, and the last line ends", () => {
    const markdown = written((writer) => {
      writer.heading(1, "Title")
      writer.paragraph("One\ntwo")
      writer.listItem(0, "a")
      writer.listItem(1, "b\nc")
      writer.listItem(0, "d", 10)
      writer.listItem(1, "e")
      writer.table([["x", "y|z", ""], ["1\n2"]])
      writer.code("let a = 1\n", "js")
      writer.quote("q\nr")
      writer.rule()
      writer.block("\n\n  <!-- as it is -->\n\n")
      writer.listItem(0, "f")
    })
    expect(markdown).toBe(
      [
        "# Title\n",
        "One  \ntwo\n",
        "- a",
        "  - b  ",
        "    c",
        "10. d",
        "    - e\n",
        "| x | y\\|z |  |",
        "| --- | --- | --- |",
        "| 1<br>2 |  |  |\n",
        "```js\nlet a = 1\n```\n",
        "> q  \n> r\n",
        "---\n",
        "  <!-- as it is -->\n",
        "- f\n",
      ].join("\n"),
    )
  })

  it("without content are not there", () => {
    const writer = new MarkdownWriter(bytesMax)
    writer.heading(1, " \n ")
    writer.paragraph("")
    writer.listItem(0, "\n")
    writer.table([])
    writer.table([[], []])
    writer.code("")
    writer.quote(" ")
    writer.block("\n \n")
    expect(writer.isEmpty).toBe(true)
    expect(writer.toString()).toBe("")
    writer.rule()
    expect(writer.isEmpty).toBe(false)
  })

  it("a heading has level 1 to 6, and keeps marks at its end", () => {
    const headings = [0, 1, 6, 7].map((level) => written((writer) => writer.heading(level, "C #")))
    expect(headings).toEqual(["# C \\#\n", "# C \\#\n", "###### C \\#\n", "###### C \\#\n"])
  })

  it("a table without a head keeps its shape", () => {
    expect(written((writer) => writer.table([["", ""], ["a"]]))).toBe("|  |  |\n| --- | --- |\n| a |  |\n")
  })

  it("whatever blocks come in a row, each is read as itself", () => {
    const kinds = {
      h3: (writer: MarkdownWriter, text: string) => writer.heading(3, text),
      p: (writer: MarkdownWriter, text: string) => writer.paragraph(text),
      "ul li p": (writer: MarkdownWriter, text: string) => writer.listItem(0, text),
      "ol li p": (writer: MarkdownWriter, text: string) => writer.listItem(0, text, 7),
      "blockquote p": (writer: MarkdownWriter, text: string) => writer.quote(text),
      "table thead tr th": (writer: MarkdownWriter, text: string) => writer.table([[text]]),
    }
    const block = fc.tuple(fc.constantFrom(...Object.entries(kinds)), markdownLike)
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
        const full = blocks.filter(([, text]) => linesOf(text).length > 0)
        const markdown = written((writer) => {
          for (const [[, write], text] of full) write(writer, escapeMarkdown(text))
        })
        const expected = full.map(([[path], text]) => ({
          path,
          text: linesOf(text).join(path === "h3" ? " " : "\n"),
        }))
        expect(rendered(markdown)).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })
})

describe("MarkdownWriter: lists", () => {
  it("any sequence of levels nests, and levels that jump are one below the item before", () => {
    const item = fc.record({
      level: fc.nat(6),
      number: fc.option(fc.constantFrom(0, 1, 2, 9, 10, 999_999_999, 5_000_000_000, -1, 1.5), {
        nil: undefined,
      }),
      text: fc.constantFrom("a", "b\nc", "- d", "4. e\n# f"),
    })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), (items) => {
        const markdown = written((writer) => {
          for (const { level, number, text } of items) writer.listItem(level, escapeMarkdown(text), number)
        })
        const tags: Array<string> = []
        const expected = items.map(({ level, number, text }) => {
          tags.splice(level, tags.length, number === undefined ? "ul" : "ol")
          return { path: `${tags.join(" li ")} li p`, text }
        })
        expect(rendered(markdown)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it("another block ends the list: what follows begins anew", () => {
    const markdown = written((writer) => {
      writer.listItem(0, "a")
      writer.paragraph("b")
      writer.listItem(3, "c")
    })
    expect(markdown).toBe("- a\n\nb\n\n- c\n")
  })
})

describe("MarkdownWriter: code", () => {
  it("nothing in the text closes its fence", () => {
    fc.assert(
      fc.property(markdownLike, (text) => {
        fc.pre(text !== "")
        const lines = text.replace(/\r\n?/g, "\n")
        expect(rendered(written((writer) => writer.code(text, "c++")))).toEqual([
          { path: "fence c++", text: lines.endsWith("\n") ? lines : `${lines}\n` },
        ])
      }),
      { numRuns: 2000 },
    )
  })

  it("a language that is no plain word is left out", () => {
    for (const language of ["a b", "a\n", "`", "x".repeat(41), ""]) {
      expect(written((writer) => writer.code("1", language))).toBe("```\n1\n```\n")
    }
  })
})

describe("MarkdownWriter: size", () => {
  it("bytes are counted as UTF-8 to the last one, and one more is refused with limit and value", () => {
    const documents = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(documents, (paragraphs) => {
        const write = (bytes: number): string => {
          const writer = new MarkdownWriter(bytes)
          for (const paragraph of paragraphs) writer.paragraph(paragraph)
          return writer.toString()
        }
        const whole = write(bytesMax)
        const bytes = Buffer.byteLength(whole)
        expect(write(bytes)).toBe(whole)
        if (bytes > 0) expect(() => write(bytes - 1)).toThrow(Refusal)
      }),
    )
    const writer = new MarkdownWriter(7)
    writer.paragraph("äöü")
    expect(() => writer.paragraph("b")).toThrow(
      expect.objectContaining({
        code: "result_too_large",
        message: "The Markdown result has 10 bytes or more; at most 7 are allowed.",
      }),
    )
  })

  it("stops as soon as it is over: a million blocks are not collected first", () => {
    const writer = new MarkdownWriter(1000)
    let count = 0
    expect(() => {
      for (; count < 1_000_000; count++) writer.paragraph("0123456789")
    }).toThrow(Refusal)
    expect(count).toBe(83)
  })

  it("the growth inside a JSON string is known", () => {
    fc.assert(
      fc.property(fc.array(markdownLike), (paragraphs) => {
        const writer = new MarkdownWriter(bytesMax)
        for (const paragraph of paragraphs) writer.block(paragraph)
        const { jsonGrowth } = writer
        const text = writer.toString()
        expect(jsonGrowth).toBe(Buffer.byteLength(JSON.stringify(text)) - 2 - Buffer.byteLength(text))
      }),
    )
  })

  it("lone surrogates are replaced, alike in every format", () => {
    expect(written((writer) => writer.paragraph("a\ud800b"))).toBe("a\ufffdb\n")
  })
})
