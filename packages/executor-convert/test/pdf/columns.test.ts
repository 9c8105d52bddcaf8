import { describe, expect, it } from "vitest"
import { lines, onePage, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

/** Lines of one of two columns, 230 points wide. */
const column = (side: 0 | 1, top: number, list: ReadonlyArray<string>, indent = 0): string =>
  lines(list, { left: 60 + 260 * side + indent, top, size: 9, leading: 11 })

const full = [
  "These words go over the whole of a column",
  "and these, too, nearly to the end of it,",
  "as do the words of this line of the text",
  "before the last one.",
]
const sure = (top: number): string => column(0, top, full) + column(1, top, full)

const title = (top: number, words: string): string => text(200, top, words, { size: 16 })

describe("file-md-json: two columns of a PDF", () => {
  it("are columns between titles also where they have a few lines alone, and an item goes on in the next", async () => {
    const content =
      sure(700) +
      title(630, "Of boats and their owners") +
      text(60, 600, "1.", { size: 9 }) +
      column(0, 600, ["Look at the tides before, and keep", "to the channels that are marked and"], 14) +
      column(1, 600, ["Buoys, and ask for help."], 14)
    expect(await markdownOf(onePage(content))).toContain(
      "1. Look at the tides before, and keep to the channels that are marked and Buoys, and ask for help.\n",
    )
  })

  it("are read pair by pair where the document goes on below both", async () => {
    const pair = (top: number, name: string) =>
      column(0, top, [
        `The ${name} text begins at the left side of`,
        "its column, goes over three lines, and",
        "then it goes on",
      ]) + column(1, top, ["at the top of the other column, which", `ends the ${name} text.`])
    const markdown = await markdownOf(
      onePage(sure(700) + title(630, "Of boats and their owners") + pair(600, "first") + pair(550, "second")),
    )
    for (const name of ["first", "second"])
      expect(markdown).toContain(
        `The ${name} text begins at the left side of its column, goes over three lines, and then it goes on at the top of the other column, which ends the ${name} text.`,
      )
  })

  it("do not begin with what is written at the right above all of the left one, as the head of a letter is", async () => {
    const head = lines(["Harbour Office", "Quay 4, Bergen", "Telephone 555 217"], {
      left: 400,
      top: 720,
      size: 9,
    })
    const address = lines(["Mr and Mrs Moss", "Elm Street 3", "Norwich", "11 June 2024"], {
      top: 640,
      size: 9,
    })
    const letter = lines(
      Array.from(
        { length: 5 },
        () => "Thank you for your letter of the fourth of June, which I have read with some care and",
      ),
      { top: 560, size: 10 },
    )
    const markdown = await markdownOf(onePage(head + address + letter))
    expect(markdown).toMatch(/^Harbour Office.*Telephone 555 217.*Mr and Mrs Moss.*Thank you/s)
  })

  it("do not begin with the last line of the text that goes over both above them", async () => {
    const across =
      "These words are those of a text that goes over both of the columns of the page in the harbour of"
    const content = text(60, 714, across, { size: 9 }) + text(60, 703, "Bergen and end there.", { size: 9 })
    expect(await markdownOf(onePage(content + sure(680)))).toContain(`${across} Bergen and end there.\n`)
  })

  it("are columns of their own below others that are parted elsewhere, though the right one begins beside a title", async () => {
    const narrow = (top: number, list: ReadonlyArray<string>) =>
      lines(list, { left: 60, top, size: 9, leading: 11 })
    const wide = (top: number, list: ReadonlyArray<string>) =>
      lines(list, { left: 200, top, size: 9, leading: 11 })
    const above = ["Received in", "the month of", "August, and", "accepted in", "the winter."]
    const summary = [
      "These are the words of a summary that stands beside",
      "the dates of its paper and goes on for a few lines",
      "to the end of it, which is as far away as the end",
      "of the dates, or a little further down than that of",
      "the dates at its left.",
    ]
    const left = [
      "The lamps of the harbour stand on posts",
      "by the water, where they are seen from",
      "all ships that come in at night, and by",
    ]
    const right = [
      "the men who watch them from a tower on",
      "the hill, which is as old as they, and has",
      "a roof of red tiles and a door of oak. The",
      "lamps are lit at dusk by one of the men.",
    ]
    const content =
      narrow(700, above) +
      wide(700, summary) +
      text(60, 626, "Lamps", { size: 10 }) +
      lines(left, { left: 60, top: 606, size: 9, leading: 11 }) +
      lines(right, { left: 320, top: 630, size: 9, leading: 11 })
    const markdown = await markdownOf(onePage(content))
    expect(markdown).toContain(`${above.join(" ")}\n\n${summary.join(" ")}\n`)
    expect(markdown).toContain(`${[...left, ...right].join(" ")}\n`)
  })

  it("are columns above and below a table that goes over both", async () => {
    const rows = ["Lamp", "Chair", "Table", "Spoon"]
      .map((name, index) =>
        [60, 150, 330, 430]
          .map((left, cell) =>
            text(left, 630 - 14 * index, cell === 0 ? name : `${cell}${index}.00`, { size: 9 }),
          )
          .join(""),
      )
      .join("")
    const markdown = await markdownOf(
      onePage(sure(700) + text(230, 648, "A head over the gutter", { size: 9 }) + rows + sure(566)),
    )
    expect(markdown).toContain("| Chair | 11.00 | 21.00 | 31.00 |")
    expect(markdown.split(full.join(" "))).toHaveLength(5)
  })

  it("are none in a table of a few rows between titles", async () => {
    const rows = ["Lamp", "Chair", "Table"]
      .map(
        (name, index) =>
          column(0, 600 - 11 * index, [name]) + column(1, 600 - 11 * index, [`1${index} pieces`]),
      )
      .join("")
    const markdown = await markdownOf(onePage(sure(700) + title(630, "Of boats and their owners") + rows))
    expect(markdown).toContain("| Chair | 11 pieces |")
  })

  it("stay apart where the number of their page stands in the narrow room between them", async () => {
    // Characters are 5.4 points wide, so that the longest line ends 11 points before the other column.
    const narrow = (left: number): string => lines(full, { left, top: 700, size: 9, leading: 11 })
    const markdown = await markdownOf(
      onePage(narrow(60) + narrow(60 + 41 * 5.4 + 11) + text(284, 645, "1", { size: 9 })),
    )
    expect(markdown).toBe(`${full.join(" ")}\n\n${full.join(" ")}\n`)
  })

  it("stay apart where a line is too long for the left one", async () => {
    const long = [
      "These words go over the whole of a column",
      "and say where the rest of it can be found:",
      "https://example.org/a-very-long-address-of-no-use-x",
      "and the words of this line go on after it,",
      "and these words are the last.",
    ]
    const markdown = await markdownOf(onePage(column(0, 700, long) + column(1, 700, full)))
    expect(markdown).toContain(full.join(" "))
    expect(markdown.indexOf("are the last")).toBeLessThan(markdown.indexOf("as do the words"))
  })

  it("are read one after the other whatever the order of their lines in the file, if these are long and few stand beside one another", async () => {
    const words = (side: string, at: number) => `These words of line ${at} are of the ${side} one.`
    const long = Array.from({ length: 16 }, (_, at) => [
      column(0, 700 - 11 * at, [words("left", at)]),
      column(1, 695.5 - 11 * at, [words("right", at)]),
    ])
    const markdown = await markdownOf(onePage(long.flat().join("")))
    expect(markdown.indexOf("of line 15 are of the left")).toBeLessThan(
      markdown.indexOf("of line 0 are of the right"),
    )
    // The cells of a table stand beside one another.
    const rows = long.map(
      ([left = "", right = ""]) =>
        left + right.replaceAll(/ (\d+)(?:\.5)? Tm/g, (_, y) => ` ${Number(y) + 5} Tm`),
    )
    expect(await markdownOf(onePage(rows.join("")))).toContain("| --- | --- |")
  })

  it("stay apart from a note of smaller lines at their side, which the file has between them", async () => {
    const note = (lines: ReadonlyArray<string>, top: number): string =>
      lines.map((each, at) => text(20, top - 8 * at, each, { size: 6 })).join("")
    const narrow = (left: number): string =>
      lines(
        full.map((each) => each.slice(0, 40)),
        { left, top: 700, size: 9, leading: 11 },
      )
    const more = (left: number): string =>
      lines(
        [...full, ...full].map((each) => each.slice(0, 40)),
        { left, top: 656, size: 9, leading: 11 },
      )
    const aside = ["Ada King is a", "writer of notes", "at the side of"]
    const content =
      note(aside.slice(0, 1), 703) +
      narrow(120) +
      note(aside, 640) +
      more(120) +
      note(aside, 600) +
      narrow(350) +
      more(350)
    const markdown = await markdownOf(onePage(content))
    expect(markdown).toContain("Ada King is a writer of notes at the side of")
    expect(markdown).not.toMatch(/side of the whole|column Ada/)
  })

  it("goes on past the notes in its margin, which the document writes behind it, however few lines they have", async () => {
    const body = Array.from(
      { length: 10 },
      (_, at) => `The text of this page goes on in its line ${at + 1}, and then`,
    )
    const note = ["Competing interests: The authors", "have none that they know of."]
    const written = (size: number, left: number, margin = note) =>
      markdownOf(
        onePage(
          lines(body, { left: 200, size: 10, leading: 14 }) +
            lines(margin, { left, top: 699, size, leading: 11 }),
        ),
      )
    expect(await written(7, 36)).toBe(`${body.join(" ")}\n\n${note.join(" ")}\n`)
    // No notes: the cells of rows, and what is as large as the text.
    expect(await written(7, 36, ["Sales    12    14", "Costs    10    11"])).not.toContain(body.join(" "))
    expect(await written(9, 24)).not.toContain(body.join(" "))
  })

  it("goes on past the notes in the margin to its right, which the document writes beside its lines", async () => {
    const body = Array.from(
      { length: 10 },
      (_, at) => `The text of this page goes on in its line ${at + 1}, and then`,
    )
    const notes = ["The lamps of the quay", "are lit by day.", "As said above."]
    const written = (size: number, left: number, width = 22) =>
      markdownOf(
        onePage(
          body
            .map((words, at) => {
              const note = at % 3 === 1 ? (notes[(at - 1) / 3] ?? "").padEnd(width, "s") : ""
              return (
                text(72, 700 - 14 * at, words, { size: 10 }) +
                (note === "" ? "" : text(left, 698 - 14 * at, note, { size }))
              )
            })
            .join(""),
        ),
      )
    expect(await written(7, 420)).toMatch(
      new RegExp(`^${body.join(" ")}\\n\\n[\\s\\S]*quay[\\s\\S]*by day[\\s\\S]*above`),
    )
    // What is as large as the text, or stands within its lines, is none.
    expect(await written(10, 420)).not.toContain(body.join(" "))
  })

  it("are addresses beside one another, each written to its end; the terms and texts of a glossary are rows", async () => {
    const seller = ["Harbour Boats Ltd", "12 High Street", "Bristol"]
    const buyer = ["Bill to", "Ann Baker"]
    const bill =
      text(60, 740, "The bill for a boat and for its sails.") +
      column(0, 700, seller) +
      column(1, 700, buyer) +
      text(60, 640, "Paid in full.")
    expect(await markdownOf(onePage(bill))).toMatch(
      /Harbour Boats.*\n+12 High.*\n+Bristol\n+Bill to\s+Ann Baker\n+(?:# )?Paid/,
    )
    const terms = [700, 660, 620].map((top) =>
      [
        column(0, top, ["Boats of", "the harbour"]),
        column(1, top, ["All that sail", "and those that do", "not."]),
      ].join(""),
    )
    const glossary = await markdownOf(onePage(terms.join("")))
    expect(glossary.match(/^\| Boats of the harbour \| All that sail/gm)).toHaveLength(3)
  })

  it("are read where the document writes other pairs above them, and the head of the page last", async () => {
    const codes = Array.from({ length: 9 }, (_, at) => `G06F ${at} of the list`)
    const names = Array.from({ length: 9 }, (_, at) => `Owner ${at} in the harbour`)
    const head = column(0, 740, ["Office of boats"]) + column(1, 740, ["Number 17"])
    const written = head + column(0, 720, codes) + column(1, 720, names)
    const page =
      written + text(60, 600, "All of it: 12 boats", { size: 9 }) + text(400, 760, "Number 17", { size: 9 })
    const words = (await markdownOf(onePage(page))).split(/\s+/)
    expect(words.lastIndexOf("G06F")).toBeLessThan(words.indexOf("Owner"))
    expect(words.lastIndexOf("Owner")).toBeLessThan(words.indexOf("All"))
  })

  it("the number of an equation at the side of one is no mark of the text in the other", async () => {
    const content =
      column(0, 700, [...full, ...full, ...full]) +
      text(60, 554, "a = b", { size: 9 }) +
      text(60, 538, "+ c", { size: 9 }) +
      text(271, 546, "(3)", { size: 9 }) +
      column(0, 524, full) +
      column(
        1,
        700,
        Array.from({ length: 18 }, () => "and on goes the other column of the text"),
      )
    const page = onePage(content.replaceAll("1 0 0 1 320", "1 0 0 1 310"))
    expect(await markdownOf(page)).not.toMatch(/\(3\) and on goes/)
  })

  it("a caption without a full stop does not go on in the text below its figure", async () => {
    const caption = "Figure 4 Ships in the harbour of Bergen, and the two lights on its moles by night"
    const content =
      text(60, 740, caption, { size: 9 }) +
      text(60, 729, "as seen from the quay", { size: 9 }) +
      column(0, 690, ["were seen by the pilots who came in", "by night.", ...full, ...full]) +
      column(1, 690, [...full, ...full, ...full])
    expect(await markdownOf(onePage(content))).toContain("as seen from the quay\n\nwere seen by the pilots")
  })

  it("begin below what stands centred above each of them, such as the authors of a paper", async () => {
    const authors = (middle: number, name: string): string =>
      [name, "Institute of Lamps", "Bristol, England"]
        .map((line, at) => text(middle - 2.7 * line.length, 700 - 11 * at, line, { size: 9 }))
        .join("")
    // Above the middles of the columns, or nearer to one another.
    for (const [first, second] of [
      [175, 435],
      [195, 415],
    ] as const) {
      const content =
        title(740, "Of boats and their owners") +
        authors(first, "Ada Byron") +
        column(0, 640, [...full, ...full]) +
        authors(second, "Mary Baker") +
        column(1, 640, [...full, ...full])
      const words = (await markdownOf(onePage(content))).split(/\s+/)
      expect(words.indexOf("Mary")).toBeLessThan(words.indexOf("These"))
      expect(words.indexOf("Ada")).toBeLessThan(words.indexOf("Mary"))
    }
  })

  it("begin below several of them, whose addresses begin with numbers, and whose names are no titles", async () => {
    const author = (middle: number, top: number, name: string): string => {
      const below = [
        "LAMPS",
        "51 Quay Street of the Old Town",
        "38330 Bristol by the Sea, England",
        "lamps@town.example",
      ]
      return (
        text(middle - 3.6 * name.length, top, name, { size: 12 }) +
        below
          .map((line, at) => text(middle - 2.7 * line.length, top - 12 - 11 * at, line, { size: 9 }))
          .join("")
      )
    }
    const content =
      title(750, "Of boats and their owners") +
      author(181, 710, "Ada Byron") +
      author(181, 640, "Grace Hopper") +
      column(0, 560, [...full, ...full]) +
      author(420, 710, "Mary Baker") +
      author(420, 640, "Anna Berg") +
      column(1, 560, [...full, ...full])
    const markdown = await markdownOf(onePage(content))
    const places = ["Ada Byron", "Grace Hopper", "Mary Baker", "Anna Berg", "These words go"].map((words) =>
      markdown.indexOf(words),
    )
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(markdown.match(/^#.*$/gm)).toEqual(["# Of boats and their owners"])
  })
})

describe("file-md-json: a text of a PDF that goes on past what stands between", () => {
  const first = ["The harbour has three lamps, of which the", "keeper lights the first one at sunset, and"]
  const rest = ["the others when he hears of ships that are", "late. All of them are white."]
  const joined = [...first, ...rest].join(" ")
  const caption = "Figure 3. The lamps of the harbour, from the sea."
  const at = (top: number, list: ReadonlyArray<string>, size = 9) =>
    lines(list, { left: 60, top, size, leading: 11 })
  const figure = (top: number, title: string) =>
    text(80, top, "tower", { size: 6 }) + text(180, top - 20, "quay", { size: 6 }) + at(top - 50, [title])
  const before = at(700, full) + at(640, first)
  const behind = (top: number, size?: number) => at(top, rest, size) + at(top - 40, full)
  const onPages = (...contents: ReadonlyArray<string>) =>
    markdownOf(pdfOf(pages(contents.map((content) => ({ content })))))

  it("goes on below a figure and its caption, on the same page or the next one", async () => {
    const stands = `${joined}\n\ntower quay\n\n${caption}\n`
    expect(await onPages(before + figure(600, caption) + behind(520))).toContain(stands)
    expect(await onPages(before, figure(700, caption) + behind(620))).toContain(stands)
  })

  it("goes on at the head of the next page past a note in smaller type", async () => {
    const note = lines(["It is not allowed to copy this text but", "for the keeper."], {
      left: 60,
      top: 590,
      size: 7,
      leading: 9,
    })
    expect(await onPages(before + note, behind(700))).toContain(`${joined}\n\nIt is not allowed`)
    expect(await onPages(before + note + behind(540))).toContain("for the keeper.\n\nthe others")
  })

  it("ends where its last line has room, a formula alone stands between, or the rest is in larger type", async () => {
    const short = at(700, full) + at(640, [first[0] ?? "", "keeper lights the"])
    expect(await onPages(short + figure(600, caption) + behind(520))).toContain(`${caption}\n\nthe others`)
    expect(await onPages(before + text(120, 605, "a = b + c", { size: 9 }) + behind(581))).toContain(
      "a = b + c\n\nthe others",
    )
    expect(await onPages(before + figure(600, caption) + behind(520, 11))).toMatch(
      /the sea\.\n\n#* ?the others/,
    )
  })
})

describe("file-md-json: labels beside their values in a PDF", () => {
  const labels = ["Date:", "Due date:", "Method:", "Interest:"]
  const values = ["17.04.2026", "24.04.2026", "Transfer", "0.2% a day"]
  const column = (left: number, words: ReadonlyArray<string>): string =>
    words.map((each, at) => text(left, 700 - 14 * at, each)).join("")

  it("are rows, though the document writes all labels and then all values", async () => {
    expect(await markdownOf(onePage(column(72, labels) + column(320, values)))).toBe(
      "| Date: | 17.04.2026 |\n| --- | --- |\n| Due date: | 24.04.2026 |\n| Method: | Transfer |\n| Interest: | 0.2% a day |\n",
    )
  })

  it("are rows, too, where all values are numbers, far at the right as in a list of pages or prices", async () => {
    const goods = ["Rope of hemp", "Tar", "Sails of linen", "Oars", "Nets"]
    const prices = ["12.50", "7.25", "140.00", "3.75", "18.00"]
    const markdown = await markdownOf(onePage(column(72, goods) + column(420, prices)))
    expect(markdown.split("\n").filter((row) => row.startsWith("|") && !row.includes("---"))).toEqual(
      goods.map((each, at) => `| ${each} | ${prices[at]} |`),
    )
  })

  it("are columns where numbers stand beside few of the texts, as those of verses in the margin do", async () => {
    const verses = Array.from(
      { length: 20 },
      (_, at) => `the rope of ship ${"abcdefghijklmnopqrst"[at]} is long`,
    )
    const numbers = [5, 10, 15, 20].map((count) => text(420, 714 - 14 * count, `${count}`)).join("")
    const markdown = await markdownOf(onePage(column(72, verses) + numbers))
    expect(markdown).toContain("the rope of ship e is long the rope of ship f is long")
  })

  it("are columns where the left one holds none", async () => {
    const names = labels.map((label) => label.replace(":", " of it"))
    expect(await markdownOf(onePage(column(72, names) + column(320, values)))).not.toContain("|")
  })
})
