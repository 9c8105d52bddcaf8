import { describe, expect, it } from "vitest"
import { lines, onePage, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

/** Lines that fill the width of their text. */
const above = [
  "These words go over nearly all of the width of the column,",
  "and so do all of these, as they stand in the second of it",
]

describe("file-md-json: marks of items in a PDF", () => {
  it("a number at the beginning of a line that goes on with a sentence is none", async () => {
    const list = [
      ...above,
      "52. laws that were made after it, as in the table of Tab.",
      "1. We say so, and go on with it for a while, and then end.",
    ]
    expect(await markdownOf(onePage(lines(list)))).toBe(`${list.join(" ")}\n`)
    expect(await markdownOf(onePage(lines(["Three of them:", "1. lamps", "2. chairs"])))).toContain(
      "1. lamps\n2. chairs",
    )
  })

  it("a dash at the beginning of a line that goes on with a sentence is none", async () => {
    const list = [
      ...above,
      "- what is left of it after some years, at the end of them",
      "and after the last.",
    ]
    expect(await markdownOf(onePage(lines(list)))).toBe(`${list.join(" ")}\n`)
  })

  it("a number without a space behind it is one where there is another", async () => {
    const alone = lines(["The sources:", "1.Smith, A. and Jones, B. on lamps."])
    expect(await markdownOf(onePage(alone))).toContain("1.Smith, A. and Jones, B. on lamps.")
    const two = lines(["The sources:", "1.Smith, A. and Jones, B. on lamps.", "2.Brown, C. on chairs."])
    expect(await markdownOf(onePage(two))).toContain(
      "1. Smith, A. and Jones, B. on lamps.\n2. Brown, C. on chairs.",
    )
  })

  it("a sign is none where a legend goes on in the next line", async () => {
    const legend = lines(["2014 2015 2016 \x95 China \x95 Malta", "\x95 Others"])
    expect(await markdownOf(onePage(legend))).not.toMatch(/^- Others/m)
  })

  it("a letter before a paragraph of lines that begin below it is none; where they begin behind it, it is", async () => {
    const words = ["of them, goes on", "over a few lines", "and ends."]
    const paragraph = (top: number, letter: string) => lines([`${letter} It says this`, ...words], { top })
    expect(await markdownOf(onePage(paragraph(700, "a.") + paragraph(630, "b.")))).toBe(
      ["a.", "b."].map((letter) => `${letter} It says this ${words.join(" ")}\n`).join("\n"),
    )
    const hanging = (top: number, letter: string) =>
      text(72, top, letter) + lines(["It says this one", ...words], { left: 96, top })
    expect(await markdownOf(onePage(hanging(700, "a.") + hanging(630, "b.")))).toBe(
      ["a", "b"].map((item) => `- ${item}. It says this one ${words.join(" ")}\n`).join(""),
    )
  })

  it("an asterisk is that of a note where it stands once, and a bullet where there are some", async () => {
    expect(await markdownOf(onePage(lines(["* Data are not available"])))).toBe(
      "\\* Data are not available\n",
    )
    expect(await markdownOf(onePage(lines(["* Lamps", "* Tables"])))).toBe("- Lamps\n- Tables\n")
  })

  it("a box beside a ticked one is none: both are a part of the line", async () => {
    // In ZapfDingbats o is a hollow square and 3 a tick.
    const sign = (left: number, code: string): string => text(left, 700, code, { font: "B" })
    const line = sign(72, "o") + text(90, 700, "yes") + sign(140, "3") + text(158, 700, "no")
    const dingbats = "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>"
    const pdf = pdfOf(pages([{ content: line }], { objects: { 4: dingbats } }))
    expect(await markdownOf(pdf)).toBe("❏ yes ✓ no\n")
  })

  it("the sign of a register of authors before a name, which is a link to that, is none, nor is the name a title", async () => {
    const sign = (bottom: number) => `0 0.6 0 rg 72 ${bottom} 6 6 re f 0 g\n`
    const names = ["Ada Byron", "Grace Hopper", "Mary Baker"]
    const read = (address: string) => {
      const shown = names.map(
        (name, at) =>
          sign(641 - 40 * at) +
          text(84, 640 - 40 * at, name, { font: "B" }) +
          text(84, 626 - 40 * at, "of the harbour office of the town"),
      )
      const links = names.map(
        (_, at) =>
          `<< /Type /Annot /Subtype /Link /Rect [80 ${636 - 40 * at} 200 ${652 - 40 * at}] /A << /S /URI /URI (${address}) >> >>`,
      )
      const content = text(72, 700, "Of harbours", { size: 20 }) + shown.join("") + lines(above, { top: 500 })
      return markdownOf(pdfOf(pages([{ content, entries: `/Annots [${links.join(" ")}]` }])))
    }
    expect(await read("https://orcid.org/0000-0002-1825-0097")).toMatch(/\n\n\[Ada Byron\]\(https:/)
    expect(await read("https://harbour.org/of")).toMatch(/\n- \[Ada Byron\]\(https:/)
  })

  it("a bullet that is drawn beside a line of another column is one", async () => {
    const bullet = (left: number, bottom: number) =>
      `${left} ${bottom} m ${left + 2} ${bottom + 3} l ${left + 4} ${bottom} l ${left + 2} ${bottom - 2} l f\n`
    const columns = [
      "These words fill a column to its right end,",
      "and so do these, which go on in the next.",
      "The third line is as long as the others are",
    ]
    const items = ["An item", "Another", "The last"]
    const content =
      columns.map((line, index) => text(60, 702 - 20 * index, line, { size: 9 })).join("") +
      items
        .map((line, index) => bullet(300, 702 - 20 * index) + text(310, 700 - 20 * index, line, { size: 9 }))
        .join("")
    expect(await markdownOf(onePage(content))).toContain("- An item\n- Another\n- The last\n")
  })
})

describe("file-md-json: words and lines of a PDF that go on", () => {
  it("an item goes on at the side of its column in a text whose paragraphs begin with an indent", async () => {
    const indented = ["These words begin a paragraph of the text, and they", "go on at the side of it."]
    const item = ["Mail: the Department of Lamps, Docket Operations,", "Harbour Street, Bristol."]
    const paragraph = (top: number, [first = "", second = ""]: ReadonlyArray<string>, mark = ""): string =>
      text(84, top, mark === "" ? first : `${mark} ${first}`) + text(72, top - 14, second)
    const content = (others: string): string =>
      others + paragraph(640, item, "\u0095") + paragraph(612, item, "\u0095")
    const items = `- ${item.join(" ")}\n`
    expect(await markdownOf(onePage(content(paragraph(700, indented) + paragraph(672, indented))))).toBe(
      `${indented.join(" ")}\n\n${indented.join(" ")}\n\n${items}${items}`,
    )
    expect(await markdownOf(onePage(content("")))).not.toContain(items)
  })

  it("a dash at the end of a line stands at its word, and an address goes on after its slashes", async () => {
    const cut = [
      "It flew over the town in the years 2018\u0096",
      "19 and is told of on a page at https://",
      "example.org as well.",
    ]
    expect(await markdownOf(onePage(lines(cut)))).toContain(
      "in the years 2018–19 and is told of on a page at https://example.org",
    )
  })

  it("a footnote goes on behind its first line, which begins with a raised mark", async () => {
    const rows = [
      "The flight of a lamp over the tables of the hall",
      "includes two turns, of which the second is late.",
    ]
    const note =
      text(84, 642, "2", { size: 5 }) +
      text(88, 640, rows[0] ?? "", { size: 8 }) +
      text(72, 628, rows[1] ?? "", { size: 8 })
    const above = lines([
      "The lamps of the hall are old, and they are lit in",
      "the evening, as all who live there say.",
    ])
    const markdown = await markdownOf(onePage(above + note))
    expect(markdown.split("\n\n")[1]).toBe(`2 ${rows.join(" ")}\n`)
  })

  it("a footnote begins with a raised number that touches its first word", async () => {
    const body = lines(
      [
        "The lamps of the hall are old, and they are lit in the",
        "evening, as all who live there say. It is told that one",
      ],
      { size: 10, top: 700, leading: 12 },
    )
    const rest = lines(["of them is never lit at all."], { size: 10, top: 700, leading: 12 })
    const note =
      `BT /F 7 Tf 1 0 0 1 72 603 Tm (2) Tj /F 8 Tf 1 0 0 1 76.2 600 Tm (The) Tj ET\n` +
      text(95.4, 600, "lamp that is meant here stands in the tower.", { size: 8 })
    const markdown = await markdownOf(pdfOf(pages([{ content: body + note }, { content: rest }])))
    expect(markdown).toContain("It is told that one of them is never lit at all.")
    expect(markdown).toContain("\n\n2 The lamp that is meant here stands in the tower.\n")
  })

  it("a note begins with its raised number in brackets, however far that hangs before it", async () => {
    const note = (left: number): string =>
      text(left, 604, "(1)", { size: 6 }) +
      text(100, 600, "Lamps are those of the harbour, and") +
      text(100, 587, "of the tower, if they are lit.")
    const page = (left: number): Promise<string> =>
      markdownOf(onePage(text(72, 700, "Lamps (1)") + note(left)))
    expect(await page(72)).toContain("(1) Lamps are those of the harbour, and of the tower, if they are lit.")
    expect(await page(40)).toContain("(1)\n\n")
  })

  it("a hyphen behind a number or within an address at the end of a line is kept", async () => {
    expect(
      await markdownOf(
        onePage(lines(["A cleric who lived and died in the 18th-", "century town of his fathers."])),
      ),
    ).toContain("18th-century")
    const address = [
      "It can be found at example.org/the-pro-",
      "gramme/of-it and elsewhere in the programme.",
    ]
    expect(await markdownOf(onePage(lines(address)))).toContain("the-pro-gramme/of-it")
  })

  it("a line of few words that is justified is a part of its text, however wide its spaces are", async () => {
    const full = ["The words of this line go over all of the", "width of it, as the words of this one do,"]
    const gap = (7.2 * ((full[0]?.length ?? 0) - "as these one".length + 2)) / 2
    const content =
      lines(full) +
      text(72, 672, "as") +
      text(72 + 14.4 + gap, 672, "these") +
      text(72 + 50.4 + 2 * gap, 672, "one") +
      lines(["do as well."], { top: 658 })
    expect(await markdownOf(onePage(content))).toContain("as these one do as well.")
  })

  it("so is a line of a title, above a text that goes as far to both sides", async () => {
    const full = ["The words of this line go over all of the", "width of it, as the words of this one do."]
    const gap = (7.2 * ((full[0]?.length ?? 0) - "of every lamp".length + 2)) / 2
    const title =
      text(72, 760, "of", { font: "B" }) +
      text(72 + 14.4 + gap, 760, "every", { font: "B" }) +
      text(72 + 50.4 + 2 * gap, 760, "lamp", { font: "B" }) +
      text(72, 746, "and of all those who made it", { font: "B" })
    expect(await markdownOf(onePage(title + lines(full, { top: 720 })))).toContain(
      "# of every lamp and of all those who made it\n",
    )
  })

  it("an item goes on over the ends of two columns", async () => {
    const small = (left: number, top: number, list: ReadonlyArray<string>) =>
      lines(list, { left, top, size: 9, leading: 11 })
    const item = [
      "that go on here in all lines of the",
      "column, which are four of them, and",
      "then in the next one, where a name",
      "begins the line: that of the father",
    ]
    const first =
      small(72, 700, above) +
      text(86, 660, "1.", { size: 9 }) +
      small(100, 660, ["An item of it that ends within its sentence, the words"])
    const second =
      small(88, 700, item) +
      small(348, 700, ["Thomas of the first one."]) +
      small(320, 678, [
        "These words go over the whole of a column",
        "and these, too, nearly to the end of it,",
        "as do the words of this line of the text",
        "before the last one.",
        "It ends.",
      ])
    expect(await markdownOf(pdfOf(pages([{ content: first }, { content: second }])))).toContain(
      `1. An item of it that ends within its sentence, the words ${item.join(" ")} Thomas of the first one.\n`,
    )
  })
})
