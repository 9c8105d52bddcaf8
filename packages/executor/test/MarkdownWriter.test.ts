import { escapeMarkdown, MarkdownWriter } from "@atelier/executor/parsing"
import { Refusal } from "@atelier/intake/bytes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { linesOf, markdownLike } from "./arbitraries.ts"
import { listsOf, rendered } from "./rendered.ts"

const bytesMax = 10_000_000

const written = (write: (writer: MarkdownWriter) => void): string => {
  const writer = new MarkdownWriter(bytesMax)
  write(writer)
  return writer.toString()
}

/** The items of each list, by the number with which each begins, "-" for a bullet; lists in the order of their ends. */
const listsMeant = (
  items: ReadonlyArray<{
    readonly level: number
    readonly number: number | undefined
    readonly list: string
  }>,
): ReadonlyArray<string> => {
  const ended: Array<string> = []
  const open: Array<{ shown: string; number: number | undefined; list: string }> = []
  const endBelow = (depth: number) => {
    for (const { shown } of open.splice(depth).reverse()) ended.push(shown)
  }
  for (const { level, number, list } of items) {
    endBelow(level + 1)
    const at = open[level]
    const next = at?.number === undefined ? undefined : at.number + 1
    if (at !== undefined && next === number && (number !== undefined || at.list === list)) {
      at.shown += ` ${number ?? "-"}`
      at.number = number
    } else {
      endBelow(level)
      open.push({ shown: `${number ?? "-"}`, number, list })
    }
  }
  endBelow(0)
  return ended
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
        "    c\n",
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

  it("lists that follow each other are told apart, in whatever order, by their marks", () => {
    const item = fc.record({
      level: fc.nat(2),
      number: fc.option(fc.constantFrom(1, 2, 3, 7), { nil: undefined }),
      list: fc.constantFrom("x", "y"),
    })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), (items) => {
        const write = (writer: MarkdownWriter) => {
          for (const { level, number, list } of items) writer.listItem(level, "a", number, list)
        }
        const markdown = written(write)
        expect(listsOf(markdown)).toEqual(listsMeant(items))
        expect(written(write)).toBe(markdown)
      }),
      { numRuns: 2000 },
    )
  })

  it("a list of other bullets, or with a number that does not follow, is one of its own", () => {
    const markdown = written((writer) => {
      writer.listItem(0, "a", undefined, "x")
      writer.listItem(0, "b", undefined, "y")
      writer.listItem(1, "c", undefined, "z")
      writer.listItem(1, "**d**", undefined, "x")
      writer.listItem(0, "e", undefined, "z")
      writer.listItem(0, "f", 1)
      writer.listItem(0, "g", 2, "x")
      writer.listItem(0, "h", 5)
      writer.listItem(0, "i", 1)
    })
    expect(markdown).toBe("- a\n\n* b\n  - c\n  * **d**\n\n- e\n\n1. f\n2. g\n\n5) h\n\n1. i\n")
  })

  it("no item is a rule, whatever its mark and its text", () => {
    for (const text of ["-", "--", "- -", "*", "**", "* *", "***"]) {
      const markdown = written((writer) => {
        writer.listItem(0, text, undefined, "x")
        writer.listItem(0, text, undefined, "y")
      })
      expect(rendered(markdown)).toEqual([
        { path: "ul li p", text },
        { path: "ul li p", text },
      ])
    }
  })

  it("an item goes on in paragraphs and code, whose text is theirs, and the list goes on after them", () => {
    const item = fc.record({
      level: fc.nat(3),
      number: fc.option(fc.constantFrom(1, 9, 10, 999_999_999), { nil: undefined }),
      parts: fc.array(
        fc.record({
          isCode: fc.boolean(),
          text: fc.constantFrom("x", "- y\n\n  z", "```\n1. w", "# v\n==="),
        }),
        { maxLength: 3 },
      ),
    })
    const nothing: ReadonlyArray<{ readonly path: string; readonly text: string }> = []
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const tags: Array<string> = []
        const expected = items.flatMap(({ level, number, parts }) => {
          tags.splice(level, tags.length, number === undefined ? "ul" : "ol")
          const path = `${tags.join(" li ")} li`
          return [
            { path: `${path} p`, text: "a" },
            ...parts.map(({ isCode, text }) =>
              isCode
                ? { path: `${path} fence`, text: `${text}\n` }
                : { path: `${path} p`, text: text.replace(/\n+ */g, "\n") },
            ),
          ]
        })
        const markdown = written((writer) => {
          let depth = -1
          for (const { level, number, parts } of items) {
            writer.listItem(level, "a", number)
            depth = Math.min(level, depth + 1)
            for (const { isCode, text } of parts) {
              if (isCode) writer.code(text, "", depth)
              else writer.paragraph(escapeMarkdown(text), depth)
            }
          }
        })
        expect(rendered(markdown)).toEqual(items.length === 0 ? nothing : expected)
      }),
      { numRuns: 2000 },
    )
  })

  it("what belongs to an item further out ends those inside of it, and nothing belongs to a list that has ended", () => {
    const markdown = written((writer) => {
      writer.listItem(0, "a")
      writer.listItem(1, "b")
      writer.code("c", "", 0)
      writer.listItem(1, "d")
      writer.paragraph("e", 0)
      writer.heading(1, "f")
      writer.paragraph("g", 0)
    })
    expect(markdown).toBe("- a\n  - b\n  ```\n  c\n  ```\n  - d\n\n  e\n\n# f\n\ng\n")
  })

  it("the lines of code in an item count with what stands before them", () => {
    const writer = new MarkdownWriter(1000)
    writer.listItem(0, "a", 999_999_999)
    expect(() => writer.code("\nx".repeat(400), "", 0)).toThrow("at most 1000 are allowed")
  })

  it("another block ends the list: what follows starts a new one", () => {
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

describe("MarkdownWriter: parts", () => {
  /** What is written of a part. */
  const block = fc.oneof(
    markdownLike.map((text) => (writer: MarkdownWriter) => writer.paragraph(text)),
    markdownLike.map((text) => (writer: MarkdownWriter) => writer.heading(2, text)),
    markdownLike.map((text) => (writer: MarkdownWriter) => writer.code(text)),
    markdownLike.map((text) => (writer: MarkdownWriter) => writer.table([[text], ["𝛑"]])),
    fc.tuple(markdownLike, fc.nat(2)).map(
      ([text, level]) =>
        (writer: MarkdownWriter) =>
          writer.listItem(level, text),
    ),
  )

  it("follow one another, hold all of the text, and nothing but line feeds stands between them", () => {
    fc.assert(
      fc.property(fc.array(fc.array(block, { maxLength: 4 }), { maxLength: 6 }), (parts) => {
        const writer = new MarkdownWriter(bytesMax)
        for (const part of parts) {
          writer.beginPart()
          for (const write of part) write(writer)
        }
        const markdown = writer.toString()
        expect(writer.parts.map(({ number }) => number)).toEqual(parts.map((_, index) => index + 1))
        let at = 0
        for (const [index, { start, end }] of writer.parts.entries()) {
          expect(markdown.slice(at, start)).toMatch(/^\n*$/)
          expect(end).toBeGreaterThanOrEqual(start)
          if (parts[index]?.length === 0) expect(end).toBe(start)
          at = end
        }
        expect(markdown.slice(at)).toMatch(/^\n?$/)
      }),
    )
  })

  it("one without text is empty, at the end of the one before; a table may go on in the next", () => {
    const writer = new MarkdownWriter(bytesMax)
    function* rows() {
      yield ["a"]
      yield ["b"]
      writer.beginPart("second")
      yield ["c"]
    }
    writer.beginPart()
    writer.beginPart()
    writer.table(rows(), 1)
    writer.beginPart()
    writer.paragraph("end")
    const markdown = writer.toString()
    expect(writer.parts.map(({ start, end }) => markdown.slice(start, end))).toEqual([
      "",
      "| a |\n| --- |\n| b |",
      "| c |",
      "end",
    ])
    expect(writer.parts[2]).toEqual({ number: 3, name: "second", start: 20, end: 25 })
  })

  it("are counted in UTF-16 units, also behind what was encoded already", () => {
    const writer = new MarkdownWriter(bytesMax)
    writer.beginPart()
    for (let count = 0; count < 30; count++) writer.paragraph("𝛑".repeat(3_000))
    writer.beginPart()
    writer.paragraph("end")
    const [, { start, end } = { start: 0, end: 0 }] = writer.parts
    expect(writer.toString().slice(start, end)).toBe("end")
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
