import { describe, expect, it } from "vitest"
import { line, lines, onePage, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const sentences = [
  "The lamp stands on the table beside the window, where it",
  "is seen from the street. It was bought in a market and is",
  "older than the town. It was never mended in its life, but",
  "still gives light.",
]
const bold = (left: number, bottom: number, words: string, size = 12) =>
  text(left, bottom, words, { size, font: "B" })
const headingsIn = (markdown: string) => markdown.split("\n").filter((line) => line.startsWith("#"))

describe("file-md-json: titles in a PDF", () => {
  it("large lines in a row are titles where each stands on a page of its own, as on slides with a picture", async () => {
    const title = (words: string) => text(72, 740, words, { size: 24 })
    const prose = lines([...sentences, ...sentences], { top: 700 })
    const titles = ["At noon", "At night", "In the fog"]
    const slides = [title("Of harbours") + prose, ...titles.map(title), title("The end") + prose]
    const apart = pdfOf(pages(slides.map((content) => ({ content }))))
    expect((await markdownOf(apart)).match(/^#.*$/gm)).toEqual(
      ["Of harbours", ...titles, "The end"].map((each) => `# ${each}`),
    )
    const together = titles.map((each, index) => text(72, 740 - 60 * index, each, { size: 24 })).join("")
    const onOne = pdfOf(pages([title("Of harbours") + prose, together].map((content) => ({ content }))))
    expect((await markdownOf(onOne)).match(/^#.*$/gm)).toEqual(["# Of harbours"])
  })

  it("lines that a program recognised in the picture of a page are none, as their sizes are estimates, but for far larger ones", async () => {
    const sizes = [11, 14, 11, 13, 11, 13.5, 11, 15]
    const said = sizes.map((size, index) =>
      text(
        72,
        680 - 40 * index,
        size === 11 ? "The board met in the town hall at two in the afternoon." : "Anna Berg, of the port",
        { size },
      ),
    )
    const page = (mode: number, some: ReadonlyArray<string>) =>
      onePage(`${mode} Tr\n${text(72, 720, "Minutes", { size: 24 })}${some.join("")}`)
    const headings = async (pdf: Uint8Array) => (await markdownOf(pdf)).match(/^#.*$/gm)
    expect(await headings(page(3, said))).toEqual(["# Minutes"])
    expect(await headings(page(0, said))).toHaveLength(5)
    // With one size alone, it is that of titles.
    expect(await headings(page(3, said.slice(0, 3)))).toHaveLength(2)
  })

  it("are versions and dates in bold, and short names of programs, also in the font of code; a number is none", async () => {
    const page = (title: string, size = 16) =>
      onePage(
        bold(72, 720, "The lamp", 20) +
          lines(sentences, { top: 690 }) +
          bold(72, 610, title, size) +
          lines(sentences, { top: 580 }),
      )
    const lastOf = async (title: string, size?: number) => headingsIn(await markdownOf(page(title, size)))[1]
    expect(await lastOf("[7.1.1] 2017-04-11")).toBe("## [7.1.1] 2017-04-11")
    expect(await lastOf("1.2.3")).toBe("## 1.2.3")
    expect(await lastOf("15.6.0 (June 13, 2017)", 12)).toBe("## 15.6.0 (June 13, 2017)")
    expect(await lastOf("2017-04-11")).toBe("## 2017-04-11")
    expect(await lastOf("tl;dr")).toBe("## tl;dr")
    expect(await lastOf("v-if", 12)).toBe("## v-if")
    expect(await lastOf("1,234.50")).toBeUndefined()
    expect(await lastOf("12.5")).toBeUndefined()
  })

  it("are repeated ones with nothing below some of them, and none are lines that stand together but once", async () => {
    const sections = ["Removals", "Changes", "Additions"]
    const part = (top: number, name: string) =>
      bold(72, top, name, 20) +
      text(72, top - 26, "All that is told of it stands here.") +
      sections.map((each, at) => bold(72, top - 52 - 32 * at, each, 15)).join("")
    const three = part(740, "Lamps") + part(580, "Boats") + part(420, "Sails")
    expect(headingsIn(await markdownOf(onePage(three)))).toHaveLength(12)
    const one = lines(sentences, { top: 300 })
    expect(headingsIn(await markdownOf(onePage(part(580, "Boats") + one)))).toEqual(["# Boats"])
  })

  it("are bold lines smaller than the text above it or above a table, where there are three, and none below another title", async () => {
    const part = (top: number, name: string, size = 10, indent = 0) =>
      bold(72, top, name, size) +
      lines(sentences.slice(0, 1), { left: 72 + indent, top: top - 20 }) +
      lines(sentences.slice(1), { top: top - 34 })
    const names = ["Of lamps", "Of boats", "Of sails"]
    const page = bold(72, 760, "The harbour", 20) + lines(sentences, { top: 730 })
    const small = names.map((name, at) => part(640 - 100 * at, name)).join("")
    expect(headingsIn(await markdownOf(onePage(page + small)))).toEqual([
      "# The harbour",
      ...names.map((name) => `## ${name}`),
    ])
    const two = part(640, "Of lamps") + part(540, "Of boats")
    expect(headingsIn(await markdownOf(onePage(page + two)))).toEqual(["# The harbour"])
    const indented = names.map((name, at) => part(640 - 100 * at, name, 10, 14)).join("")
    expect(headingsIn(await markdownOf(onePage(page + indented)))).toHaveLength(4)
    const bylines = names
      .map((name, at) => bold(72, 660 - 120 * at, name, 16) + part(640 - 120 * at, "Ada Byron"))
      .join("")
    expect(headingsIn(await markdownOf(onePage(bylines)))).toEqual(names.map((name) => `# ${name}`))
  })

  it("are told by their sizes as they are, where all of a page is printed smaller", async () => {
    const small = lines([...sentences, ...sentences, ...sentences], { top: 680, leading: 10, size: 7 })
    const page = (size: number) => onePage(text(72, 700, "Of the lamp", { size }) + small)
    expect(headingsIn(await markdownOf(page(8.19)))).toEqual(["# Of the lamp"])
    expect(headingsIn(await markdownOf(page(7.9)))).toEqual([])
  })

  it("none are bold labels above the first item of a list, links that are said again and again, and what is said of each title below it", async () => {
    const part = (top: number, name: string, ...below: ReadonlyArray<string>): string =>
      bold(72, top, name, 16) + below.map((each, at) => bold(72, top - 24 - 20 * at, each)).join("")
    const list = (top: number) => text(84, top, "1. Light it.") + text(84, top - 14, "2. Put it out.")
    const listed = part(720, "Of lamps", "Every night:") + list(676) + lines(sentences, { top: 630 })
    expect(headingsIn(await markdownOf(onePage(listed)))).toEqual(["# Of lamps"])
    const said = ["Masts", "Sails", "Ropes"].map(
      (name, at) =>
        part(720 - 130 * at, name, "Price of all: low") + lines(sentences, { top: 676 - 130 * at }),
    )
    expect(headingsIn(await markdownOf(onePage(said.join(""))))).toEqual(["# Masts", "# Sails", "# Ropes"])
    const named = ["Lamp::light and the dark", "Mast::set and the wind", "Rope::knot and the rest"].map(
      (name, at) =>
        part(720 - 130 * at, "Of it") +
        bold(72, 700 - 130 * at, name) +
        lines(sentences, { top: 680 - 130 * at }),
    )
    expect(headingsIn(await markdownOf(onePage(named.join(""))))).toHaveLength(6)
    const linked = ["Masts", "Sails", "Ropes"].map(
      (name, at) =>
        part(720 - 130 * at, name) +
        lines(sentences, { top: 690 - 130 * at }) +
        bold(72, 620 - 130 * at, "See it"),
    )
    const links = [0, 1, 2].map(
      (at) =>
        `<< /Type /Annot /Subtype /Link /Rect [70 ${616 - 130 * at} 120 ${632 - 130 * at}] /A << /S /URI /URI (https://lamps.org) >> >>`,
    )
    const page = { content: linked.join(""), entries: `/Annots [${links.join(" ")}]` }
    expect(headingsIn(await markdownOf(pdfOf(pages([page]))))).toEqual(["# Masts", "# Sails", "# Ropes"])
  })

  it("none are bold lines in a row, as authors or the texts of a drawing are; counted ones are", async () => {
    const names = ["Ada Byron", "Grace Hopper", "Mary Somerville", "Emmy Noether"]
    const alike = names.map((name, at) => bold(72, 600 - 40 * at, name)).join("")
    const page = bold(72, 720, "The lamp", 20) + lines(sentences, { top: 690 }) + alike
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual(["# The lamp"])
    const counted = names.map((name, at) => bold(72, 600 - 40 * at, `${at + 1}.1 ${name}`)).join("")
    const numbered = bold(72, 720, "The lamp", 20) + lines(sentences, { top: 690 }) + counted
    expect(headingsIn(await markdownOf(onePage(numbered)))).toHaveLength(5)
  })

  it("are those of a statute with their sign and number, which stand apart and may be in the type of the text", async () => {
    const section = (bottom: number, number: string, name: string, font: "F" | "B") =>
      text(72, bottom, number, { font }) + bold(140, bottom, name) + lines(sentences, { top: bottom - 20 })
    for (const font of ["F", "B"] as const) {
      const page = section(700, "\xa7 1", "Name", font) + section(600, "\xa7 2", "Seat of the office", font)
      expect(headingsIn(await markdownOf(onePage(page))).map((each) => each.replace(/^#+ /, ""))).toEqual([
        "§ 1 Name",
        "§ 2 Seat of the office",
      ])
    }
  })

  it("none are labels in bold that are filled in, where some follow one another", async () => {
    const head = (labels: ReadonlyArray<string>) =>
      labels.map((each, at) => bold(72, 700 - 16 * at, each)).join("") +
      lines(sentences, { top: 690 - 16 * labels.length })
    const minutes = ["Place: The old lighthouse", "Date: 4 May", "Chair: Ada Byron"]
    expect(headingsIn(await markdownOf(onePage(head(minutes))))).toEqual([])
    expect(headingsIn(await markdownOf(onePage(head(minutes.slice(0, 1)))))).toHaveLength(1)
  })

  it("none are lines in a row of which one is the date, as in a letter", async () => {
    const row = ["Harbour street seven", "May 4, 2021", "Harbour and town"]
    const alike = row.map((line, at) => text(72, 600 - 40 * at, line, { size: 16 })).join("")
    const page = bold(72, 720, "The lamp", 20) + lines(sentences, { top: 690 }) + alike
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual(["# The lamp"])
  })

  it("none goes on with names of the line above, which ends with a comma", async () => {
    const page = (first: string, second: string) =>
      text(72, 720, "The lamp", { size: 20 }) +
      bold(72, 690, first) +
      bold(72, 676, second) +
      lines(sentences, { top: 640 })
    const [first, second] = ["Ada Byron, Grace Hopper, Mary Somerville,", "Emmy Noether, Sophie Germain"]
    expect(headingsIn(await markdownOf(onePage(page(first, second))))).toEqual(["# The lamp"])
    for (const [above, title] of [
      ["Ada Byron, Grace Hopper, Mary Somerville", "Of lamps"],
      ["Lamps, tables, windows;", "2. Of lamps"],
    ] as const)
      expect(headingsIn(await markdownOf(onePage(page(above, title)))).at(-1)).toContain(title)
  })

  it("none are names with the marks of where they work, or an address of mail or the web", async () => {
    const page = (line: string) =>
      text(72, 720, "The lamp", { size: 20 }) + bold(72, 690, line) + lines(sentences, { top: 640 })
    for (const line of [
      "Ada Byron1 Grace Hopper1 Emmy Noether2",
      "Ada Byron a, Grace Hopper a, b, 1, Emmy Noether b, *",
      "ada.byron@lamps.example",
      "Seen at www.lamps.example/all",
    ])
      expect(headingsIn(await markdownOf(onePage(page(line))))).toEqual(["# The lamp"])
    for (const line of ["Of Windows7 and their lamps", "Who is @lamps", "Of Plan a, and of Old Plan b"])
      expect(headingsIn(await markdownOf(onePage(page(line))))).toHaveLength(2)
    const imprint = ["Lamps of the Town Ltd.", "lamps@town.example", "Quay Street 7"]
    const end = imprint.map((line, at) => text(72, 560 - 40 * at, line, { size: 20 })).join("")
    expect(headingsIn(await markdownOf(onePage(page("Windows") + end)))).toEqual(["# The lamp", "## Windows"])
  })

  it("none are the authors and the month below that of a document, in a type of their own", async () => {
    const body = lines(
      ["The text of a paragraph goes over two lines of", "the page, as texts do, and ends there."],
      {
        top: 600,
      },
    )
    const set = (...below: ReadonlyArray<string>) => {
      const head = below.map((each, at) => text(72, 705 - 40 * at, each, { size: 15 })).join("")
      return markdownOf(onePage(text(72, 740, "Of harbours and ships", { size: 22 }) + head + body))
    }
    expect(await set("Ada Byron and Charles van Holt", "March 2021")).toMatch(
      /^# Of harbours and ships\n\nAda Byron and Charles van Holt\n\nMarch 2021\n/,
    )
    expect(await set("Ada Byron", "University of Bergen")).toMatch(
      /ships\n\nAda Byron\n\nUniversity of Bergen\n/,
    )
    expect(await set("Ada Byron", "Release 2.1")).toMatch(/ships\n\nAda Byron\n\nRelease 2\.1\n/)
    expect(await set("Where All of These Ships Lie", "March 2021")).toContain(
      "## Where All of These Ships Lie\n",
    )
    expect(await set("Where They Lie")).toContain("## Where They Lie\n")
  })

  it("none is a note behind its sign, or the address that a browser prints at the end of a page", async () => {
    const large = (words: string) =>
      markdownOf(onePage(text(72, 740, words, { size: 20 }) + lines(sentences, { top: 660 })))
    expect(await large("Of harbours")).toMatch(/^# Of harbours/)
    for (const words of ["* As of June", "https://lamps.example/pages/a.aspx?lang=EN 27/06/08"])
      expect(headingsIn(await large(words))).toEqual([])
  })

  it("a bold line a little smaller than the text is one where its number is below that of another one", async () => {
    const written = async (number: string) => {
      const titles =
        text(72, 740, "2.1 Of lamps", { font: "B" }) +
        text(72, 620, `${number} Of oil`, { font: "B", size: 11 })
      return headingsIn(
        await markdownOf(onePage(titles + lines(sentences, { top: 710 }) + lines(sentences, { top: 590 }))),
      )
    }
    expect(await written("2.1.3")).toEqual(["# 2.1 Of lamps", "## 2.1.3 Of oil"])
    expect(await written("3.2.1")).toEqual(["# 2.1 Of lamps"])
  })

  it("none is the name of a person with degrees, also in the type of titles", async () => {
    const written = async (...list: ReadonlyArray<string>) => {
      const titles = list.map((words, at) => text(72, 740 - 24 * at, words, { font: "B" })).join("")
      return headingsIn(await markdownOf(onePage(titles + lines(sentences, { top: 660 }))))
    }
    expect(await written("Of lamps", "Ada M. Byron, PhD, ABPP")).toEqual(["# Of lamps"])
    expect(await written("Of lamps", "Ports, Quays")).toEqual(["# Of lamps", "# Ports, Quays"])
  })

  it("none are the authors of a document that stand each above an address, with marks of notes, in the type of its titles", async () => {
    const licence = "The figures may be used again where they are named, in works of the press and others."
    const authors = (last: string) =>
      ["Ada Byron*", "Grace Hopper* 1", last]
        .map((name, at) => bold(72, 690 - 44 * at, name) + text(72, 676 - 44 * at, `${at}@harbour.org`))
        .join("")
    const page = (last: string) =>
      text(72, 760, licence, { size: 10 }) +
      bold(72, 730, "Of harbours and ships", 20) +
      authors(last) +
      bold(72, 540, "Of the lamp") +
      lines(sentences, { top: 520 })
    expect(headingsIn(await markdownOf(onePage(page("Charles van Holt*"))))).toEqual([
      "# Of harbours and ships",
      "## Of the lamp",
    ])
    expect(headingsIn(await markdownOf(onePage(page("Where they all lie"))))).toContain(
      "## Where they all lie",
    )
    // Others stand beside one another above them, as in a table.
    const beside = [0, 1, 2].map((row) =>
      [0, 1, 2].map((at) =>
        text(72 + 160 * at, 690 - 12 * row, ["Mary Baker*", "Port of Oslo", `m${at}@sea.org`][row] ?? "", {
          size: 10,
        }),
      ),
    )
    const others = ["Ada Byron*", "Grace Hopper*"].map(
      (name, at) => bold(72, 630 - 44 * at, name) + text(72, 616 - 44 * at, `${at}@harbour.org`),
    )
    const rest = bold(72, 520, "Of the lamp") + lines(sentences, { top: 500 })
    const wide = bold(72, 730, "Of harbours and ships", 20) + beside.flat().join("") + others.join("") + rest
    expect(await markdownOf(onePage(wide))).toContain("| Mary Baker")
    expect(headingsIn(await markdownOf(onePage(wide)))).toEqual(["# Of harbours and ships", "## Of the lamp"])
  })

  it("none is an item in bold among others of its list, whose text begins below, nor a large sign of a formula", async () => {
    const page = (first: string, last: string) =>
      bold(72, 740, "Of the lamp", 16) +
      lines(sentences, { top: 710 }) +
      text(84, 640, `${first} Light it: put a match to it.`) +
      bold(84, 620, "2. Look at it:") +
      text(105, 604, "the light must not be red, and has to stand still.") +
      text(84, 584, `${last} Put it out: turn the wheel to the left.`)
    expect(headingsIn(await markdownOf(onePage(page("1.", "3."))))).toEqual(["# Of the lamp"])
    expect(headingsIn(await markdownOf(onePage(page("4.", "5."))))).toHaveLength(2)
    const symbol = "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>"
    const sum = (code: string) =>
      markdownOf(
        pdfOf(
          pages([{ content: `${lines(sentences)}BT /B 18 Tf 1 0 0 1 200 600 Tm (${code}) Tj ET\n` }], {
            objects: { 4: symbol },
          }),
        ),
      )
    expect(await sum("S")).toContain("\n\nΣ\n")
  })

  it("`Chapter 3` above the title of the chapter is as high as that, and the sections of the chapter are one level lower", async () => {
    const chapter = (label: string, title: string, section: string) =>
      bold(72, 740, label, 20) +
      bold(72, 700, title, 24) +
      bold(72, 660, section, 14) +
      lines(sentences, { top: 640 })
    const read = async (...labels: ReadonlyArray<string>) =>
      headingsIn(
        await markdownOf(
          pdfOf(pages(labels.map((label) => ({ content: chapter(label, "Of harbours", "Of their lamps") })))),
        ),
      )
    for (const label of ["Chapter 1", "Kapitel IV", "Appendix A", "Capítulo 2"]) {
      expect(await read(label)).toEqual([`# ${label}`, "# Of harbours", "## Of their lamps"])
    }
    expect(await read("Lamps of 1900")).toEqual(["## Lamps of 1900", "# Of harbours", "### Of their lamps"])
  })

  it("none are the date of a document, and what is said of its pages or with a label", async () => {
    const page = (...list: ReadonlyArray<string>) =>
      text(72, 740, "The lamp", { size: 20 }) +
      list
        .map(
          (line, at) =>
            text(72, 700 - 130 * at, line, { size: 16 }) + lines(sentences, { top: 670 - 130 * at }),
        )
        .join("")
    for (const line of [
      "March 12, 2024",
      "Tuesday, 12 March 2024",
      "12. M\u00e4rz 2024",
      "12 de marzo de 2024",
      "Page 1 of 8",
      "Page:1 of 8",
      "Time: 05:39:36 PM",
      "Date:11/15/2016",
    ])
      expect(headingsIn(await markdownOf(onePage(page(line))))).toEqual(["# The lamp"])
    for (const line of ["March 2024", "Lamps of 12 March 2024", "Lamps of 2024"])
      expect(headingsIn(await markdownOf(onePage(page(line))))).toHaveLength(2)
    expect(headingsIn(await markdownOf(onePage(page("March 12, 2024", "March 13, 2024"))))).toHaveLength(3)
  })

  it("those of a document may have some lines far apart in large type, as papers do, and a letter's head is none", async () => {
    const page = (size: number) =>
      ["Of Lamps", "And of Those", "Who Keep Them"]
        .map((line, at) => text(200, 740 - 40 * at, line, { size }))
        .join("") + lines(sentences, { top: 600 })
    expect(headingsIn(await markdownOf(onePage(page(24))))).toHaveLength(3)
    expect(headingsIn(await markdownOf(onePage(page(16))))).toEqual([])
  })

  it("none are the words that algorithms are written with", async () => {
    const page = (words: string) =>
      bold(72, 720, "The lamp", 20) +
      lines(sentences, { top: 690 }) +
      bold(72, 610, words) +
      lines(sentences, { top: 580 })
    for (const words of ["end for", "end while", "repeat", "else"])
      expect(headingsIn(await markdownOf(onePage(page(words))))).toEqual(["# The lamp"])
    for (const words of ["end of lamps", "resources"])
      expect(headingsIn(await markdownOf(onePage(page(words))))).toHaveLength(2)
  })

  it("those of sections in the type of the text, in capitals and with numbers that go up, are below that of the document", async () => {
    const section = (top: number, title: string) =>
      text(250, top, title) + lines(sentences, { top: top - 24 })
    const written = (...sections: ReadonlyArray<string>) =>
      markdownOf(
        onePage(
          bold(72, 740, "The lamp", 20) +
            sections.map((each, index) => section(700 - 110 * index, each)).join("") +
            bold(72, 700 - 110 * sections.length, "A. Its makers") +
            text(250, 680 - 110 * sections.length, "REFERENCES") +
            text(72, 660 - 110 * sections.length, "None."),
        ),
      )
    expect(headingsIn(await written("I. INTRODUCTION", "II. THE WINDOW", "III. THE STREET"))).toEqual([
      "# The lamp",
      "## I. INTRODUCTION",
      "## II. THE WINDOW",
      "## III. THE STREET",
      "### A. Its makers",
      "## REFERENCES",
    ])
    for (const others of [
      ["I. INTRODUCTION", "II. THE WINDOW"],
      ["I. INTRODUCTION", "II. The window", "III. The street"],
      ["II. THE WINDOW", "I. INTRODUCTION", "III. THE STREET"],
    ]) {
      expect(headingsIn(await written(...others))).toEqual(["# The lamp", "## A. Its makers"])
    }
  })

  it("a counted question in bold over two lines is one, where the list of contents has it", async () => {
    const titles = [
      ["What the lamps are for, and when were", "they lit?"],
      ["How should a lamp be trimmed before it", "is lit?"],
    ]
    const contents = (top: number) =>
      titles
        .map(([first, second], at) => lines([`${at + 1}. ${first}`, `   ${second}`], { top: top - 28 * at }))
        .join("")
    const sections = titles
      .map(([first = "", second = ""], at) =>
        [
          text(72, 560 - 100 * at, `${at + 1}. ${first}`, { font: "B" }),
          text(93.6, 546 - 100 * at, second, { font: "B" }),
          lines(["The lamps of the harbour are of iron, and", "their glass is as old as they are."], {
            top: 520 - 100 * at,
          }),
        ].join(""),
      )
      .join("")
    const asked = titles.map((words, at) => `${at + 1}. ${words.join(" ")}`)
    expect(headingsIn(await markdownOf(onePage(contents(700) + sections)))).toEqual(
      asked.map((title) => `# ${title}`),
    )
    expect(headingsIn(await markdownOf(onePage(sections)))).toEqual([])
  })

  it("that of a document between two lines is no row of a table with its authors, who stand below", async () => {
    const authors = ["Ada of the harbour", "Ben of the lamps", "Cleo of the tides"]
    const page =
      line(72, 740, 540, 740) +
      text(160, 718, "On the lamps of a harbour", { size: 18, font: "B" }) +
      line(72, 705, 540, 705) +
      authors
        .map(
          (name, at) =>
            text(72, 682 - 12 * at, name, { size: 10 }) +
            text(456, 682 - 12 * at, "x@example.org", { size: 10 }),
        )
        .join("") +
      lines(["The lamps of the harbour are of iron, and", "their glass is as old as they are."], { top: 600 })
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    expect(await markdownOf(pdfOf(pages([{ content: page }], { objects: { 3: font, 4: font } })))).toContain(
      "# On the lamps of a harbour\n\n| Ada of the harbour | x@example.org |",
    )
  })

  it("the letter of an annex counts as a number, apart from its title as a tab leaves it; captions with one are none", async () => {
    const titled = (top: number, number: string, title: string) =>
      bold(72, top, number) + bold(130, top, title) + lines(sentences, { top: top - 24 })
    const page =
      bold(72, 750, "The lamp", 20) +
      titled(720, "1", "Scope") +
      titled(610, "A.1", "Windows") +
      titled(500, "A.1.1", "Frames") +
      titled(390, "A.2", "Streets") +
      bold(72, 300, "Table A.1 Lamps of the town") +
      lines(sentences, { top: 270 })
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual([
      "# The lamp",
      "## 1 Scope",
      "### A.1 Windows",
      "#### A.1.1 Frames",
      "### A.2 Streets",
    ])
    const [first, second] = ["A.1", "A.2"].map(
      (number, at) => bold(72, 700 - 20 * at, number) + bold(130, 700 - 20 * at, "Of lamps"),
    )
    expect(await markdownOf(onePage(`${first}${second}${lines(sentences, { top: 640 })}`))).not.toContain("|")
  })

  it("none are lines in bold that follow one another with numbers of pages, as in contents without dots", async () => {
    const chapters = ["Of boats", "Of the lamp", "Of the window", "Of the street", "Of the town"]
    const entries = (last: (index: number) => number) =>
      bold(72, 740, "The lamp", 20) +
      lines(sentences, { top: 720 }) +
      chapters
        .map((each, index) => bold(72, 640 - 40 * index, `${index + 1} ${each} ${last(index)}`))
        .join("")
    expect(headingsIn(await markdownOf(onePage(entries((index) => 3 + 2 * index))))).toEqual(["# The lamp"])
    expect(headingsIn(await markdownOf(onePage(entries((index) => 1931 - index))))).toHaveLength(6)
  })

  it("a bold line with a full stop is one where it is larger than the text, if only by a little", async () => {
    const page = (size: number) =>
      bold(72, 720, "The lamp of the town.", size) + lines(sentences, { top: 690 })
    expect(headingsIn(await markdownOf(onePage(page(13))))).toEqual(["# The lamp of the town."])
    expect(headingsIn(await markdownOf(onePage(page(12))))).toEqual([])
  })

  it("the lines of one stay, where nothing on their page is larger", async () => {
    const title = ["Board of Education", "Special Meeting", "Agenda"]
    const page =
      title.map((line, at) => bold(200, 750 - 40 * at, line, 20)).join("") + lines(sentences, { top: 600 })
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual(title.map((line) => `# ${line}`))
  })

  it("none is a text that is larger than most, where a good part of the document is as large", async () => {
    const small = lines([...sentences, ...sentences, ...sentences, ...sentences], {
      top: 700,
      size: 8,
      leading: 10,
    })
    const large = lines(sentences, { top: 500, size: 11 })
    const page = small + large + text(72, 400, "Seen from the street", { size: 11 })
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual([])
  })

  it("underlined lines above text are some, but for links and what is said again and again", async () => {
    const underlined = (bottom: number, words: string) =>
      `${text(72, bottom, words)}72 ${bottom - 2} ${7.2 * words.length} 0.6 re f\n`
    const page = (...titles: ReadonlyArray<string>) =>
      onePage(
        titles
          .map((title, at) => underlined(740 - 100 * at, title) + lines(sentences, { top: 715 - 100 * at }))
          .join(""),
      )
    const written = async (...titles: ReadonlyArray<string>) => headingsIn(await markdownOf(page(...titles)))
    expect(await written("The lamp", "Of windows")).toEqual(["# The lamp", "# Of windows"])
    expect(await written("The lamp")).toEqual([])
    expect(await written("Read on.", "Read on.", "Read on.", "The lamp")).toEqual([])
    // Subsections may have the same titles.
    expect(await written("As planned", "As built", "As planned", "As planned")).toEqual([
      "# As planned",
      "# As built",
      "# As planned",
      "# As planned",
    ])
    const links = ["Top", "Top", "Top", "Top"].map((title, at) => underlined(740 - 40 * at, title))
    expect(headingsIn(await markdownOf(onePage(links.join("") + lines(sentences))))).toEqual([])
    expect(await written("www.lamps.example/a:", "It was lit.", "lamps", "http://lamps.example")).toEqual([])
  })

  it("those in small capitals are as large as the capitals that they begin with", async () => {
    const title = (bottom: number, words: string, first = 15) =>
      text(72, bottom, words.slice(0, 1), { size: first }) +
      text(72 + 0.6 * first, bottom, words.slice(1), { size: 12 })
    const page = (first?: number) =>
      onePage(
        title(720, "THE VIEW OF ALL THE WINDOWS AND OF ALL THE LAMPS THAT", first) +
          text(72, 702, "ARE LIT") +
          lines(sentences, { top: 660 }) +
          lines(sentences, { top: 590 }),
      )
    expect(headingsIn(await markdownOf(page()))).toEqual([
      "# THE VIEW OF ALL THE WINDOWS AND OF ALL THE LAMPS THAT ARE LIT",
    ])
    // The large letter that a text begins with.
    expect(headingsIn(await markdownOf(page(24)))).toEqual([])
  })

  it("in italics are questions and stand above lists, too, where others stand above paragraphs", async () => {
    const slanted = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Oblique /Encoding /WinAnsiEncoding >>"
    const part = (top: number, title: string, below: ReadonlyArray<string>) =>
      bold(72, top, title) + lines(below, { top: top - 20 })
    const written = async (...parts: ReadonlyArray<string>) =>
      headingsIn(await markdownOf(pdfOf(pages([{ content: parts.join("") }], { objects: { 4: slanted } }))))
    const sure = [part(740, "Of lamps", sentences), part(640, "Of windows", sentences)]
    const more = [
      part(540, "Are they old?", sentences),
      part(440, "What is lit", ["- The lamp", "- The window"]),
    ]
    expect(await written(...sure, ...more)).toEqual(
      ["Of lamps", "Of windows", "Are they old?", "What is lit"].map((each) => `# ${each}`),
    )
    expect(await written(...more, lines(sentences, { top: 340 }))).toEqual([])
  })

  describe("in a colour of their own", () => {
    const coloured = (colour: string, content: string): string => `${colour} rg\n${content}0 0 0 rg\n`
    const blue = "0.18 0.33 0.59"
    const body = (top: number): string =>
      lines(["The text of a paragraph goes over two lines of", "the page, as texts do, and ends there."], {
        top,
      })
    const set = (...titles: ReadonlyArray<string>): Promise<string> =>
      markdownOf(onePage(titles.map((each, at) => each + body(690 - 80 * at)).join("")))
    const title = (at: number, name: string, colour = blue): string =>
      coloured(colour, text(72, 710 - 80 * at, name))

    it("are some where two or more stand above text", async () => {
      const markdown = await set(
        title(0, "Of harbours"),
        title(1, "Of ships"),
        title(2, "Of sails", "0.6 0 0"),
      )
      expect(markdown.match(/^# .*/gm)).toEqual(["# Of harbours", "# Of ships", "# Of sails"])
    })

    it("are none where there is one, where they end as sentences do, or their colour is nearly that of the text", async () => {
      expect(await set(title(0, "Of harbours"), "", "")).not.toContain("#")
      expect(await set(title(0, "There are harbours."), title(1, "There are ships."))).not.toContain("#")
      expect(
        await set(title(0, "Of harbours", "0.1 0.1 0.1"), title(1, "Of ships", "0.1 0.1 0.1")),
      ).not.toContain("#")
    })

    it("are none where a good part of the text is so, or one comes back", async () => {
      const texts = title(0, "Of harbours") + body(690) + title(1, "Of ships") + body(610) + body(560)
      expect(await markdownOf(onePage(texts))).toContain("# Of ships")
      const markdown = await markdownOf(onePage(texts + coloured(blue, body(510))))
      expect(markdown).not.toContain("#")
      expect(await set(...[0, 1, 2].map((at) => title(at, "Next")))).not.toContain("#")
    })
  })

  it("in a colour of their own may come back below larger ones, and stand above tables", async () => {
    const blue = (content: string): string => `0.18 0.33 0.59 rg\n${content}0 0 0 rg\n`
    const cells = (top: number): string =>
      [0, 1, 2]
        .map((row) => text(76, top - 16 * row, `Lamp ${row}`) + text(300, top - 16 * row, `${row}.5`))
        .join("") + [14, -2, -18, -34].map((y) => `72 ${top + y} m 400 ${top + y} l S\n`).join("")
    const chapter = (name: string, top: number, size: number): string =>
      text(72, top, name, { size }) +
      blue(text(72, top - 25, "Objective")) +
      lines(sentences, { top: top - 45 }) +
      blue(text(72, top - 110, "Requirements")) +
      cells(top - 135)
    const read = (size: number): Promise<string> =>
      markdownOf(
        pdfOf(
          pages(
            ["Of harbours", "Of ships", "Of sails"].map((name) => ({ content: chapter(name, 700, size) })),
          ),
        ),
      )
    expect(headingsIn(await read(18))).toEqual(
      ["Of harbours", "Of ships", "Of sails"].flatMap((name) => [
        `# ${name}`,
        "## Objective",
        "## Requirements",
      ]),
    )
    expect(headingsIn(await read(12))).toEqual([])
  })

  it("are no sentences of some length that are a little larger than the text, unless they are bold or counted", async () => {
    const read = async (title: string, size: number): Promise<ReadonlyArray<string>> => {
      const part = (top: number): string =>
        text(72, top, title, { size }) + lines([...sentences, ...sentences, ...sentences], { top: top - 30 })
      return headingsIn(
        await markdownOf(onePage(part(740) + text(72, 520, "Of boats", { size }) + part(480))),
      )
    }
    const remark = "The lamps of the quay are all lit at night."
    expect(await read(remark, 15)).toEqual(["# Of boats"])
    expect(await read(remark, 20)).toEqual([`# ${remark}`, "# Of boats", `# ${remark}`])
    expect(await read(`1.2 ${remark}`, 15)).toContain(`# 1.2 ${remark}`)
  })

  it("bold ones stand above underlined ones of their size", async () => {
    const parts = ["The lamp", "Its light", "Its oil", "The window", "Its glass"].map((title, at) => {
      const top = 740 - 110 * at
      const isBold = title.startsWith("The")
      const drawn = isBold ? bold(72, top, title) : text(72, top, title)
      const under = isBold ? "" : `72 ${top - 2} ${7.2 * title.length} 0.6 re f\n`
      return drawn + under + lines(sentences, { top: top - 25 })
    })
    expect(headingsIn(await markdownOf(onePage(parts.join(""))))).toEqual([
      "# The lamp",
      "## Its light",
      "## Its oil",
      "# The window",
      "## Its glass",
    ])
  })

  it("those of two lines are one where these are as far from one another as those of the text, in shares of their size", async () => {
    const wide = 1.75
    const body = lines([...sentences, ...sentences], { top: 600, leading: 12 * wide })
    const title = (leading: number) =>
      ["The lamp beside the window of the old", "customs building at night"].map((words, at) =>
        text(72, 720 - at * leading, words, { size: 18 }),
      )
    const written = async (leading: number) =>
      headingsIn(await markdownOf(onePage(title(leading).join("") + body)))
    expect(await written(18 * wide)).toEqual([
      "# The lamp beside the window of the old customs building at night",
    ])
    expect(await written(18 * 2.2)).toHaveLength(2)
  })

  it("those in the middle go on in a third line, where the second one has no room for its first word", async () => {
    const centred = (top: number, words: string) => bold(277.2 - 6 * words.length, top, words, 20)
    const body = lines(sentences, { top: 560 }) + lines(sentences, { top: 460 })
    const title = (second: string) =>
      centred(700, "A world of lamps: the places for") + centred(676, second) + centred(652, "Old Lamps")
    const long = title("Finding and Keeping of Automatic")
    expect(headingsIn(await markdownOf(onePage(long + body)))).toEqual([
      "# A world of lamps: the places for Finding and Keeping of Automatic Old Lamps",
    ])
  })

  it("those in the middle of their page go on in a third line, where the lines of the text end a little before its side", async () => {
    const centred = (top: number, words: string) => bold(281.2 - 6 * words.length, top, words, 20)
    const body = lines(sentences, { top: 560 }) + lines(sentences, { top: 460 })
    const title =
      centred(700, "A world of lamps: the places for") +
      centred(676, "Finding and Keeping of Automatic") +
      centred(652, "Old Lamps")
    expect(headingsIn(await markdownOf(onePage(title + body)))).toEqual([
      "# A world of lamps: the places for Finding and Keeping of Automatic Old Lamps",
    ])
  })

  it("those in bold go on before three points that say that more follows, and may end with these", async () => {
    const body = lines(sentences, { top: 640 }) + lines(sentences, { top: 500 })
    const title = (end: string) =>
      bold(72, 700, "The lamps of iron and of copper that stand at the quays of", 12) + bold(72, 686, end, 12)
    const written = async (end: string) => headingsIn(await markdownOf(onePage(title(end) + body)))
    expect(await written("the harbour ...")).toEqual([
      "# The lamps of iron and of copper that stand at the quays of the harbour ...",
    ])
    expect(await written("the harbour.")).toEqual([])
  })

  it("none are the lines of a bold paragraph with a letter, as far from one another as those of the text, but for a rounding", async () => {
    const block = (top: number, font: "F" | "B", words: ReadonlyArray<string>, leading = 20.39) =>
      words.map((each, at) => text(at === 0 ? 108 : 72, top - leading * at, each, { font })).join("")
    const words = [
      "(1) The lamps of iron and of copper that stand at the quays",
      "of the harbour are lit at dusk by the men of the town, who",
      "keep all of them clean and dry.",
    ]
    const bold = [
      "(2) The lamps of the market square that stand at the shops",
      "of the town are lit at night.",
    ]
    const content = block(720, "F", words) + block(658.83, "B", bold, 20.42) + block(618.02, "F", words)
    const markdown = await markdownOf(onePage(content))
    expect(headingsIn(markdown)).toEqual([])
    expect(markdown).toContain("that stand at the shops of the town are lit at night.")
  })

  it("none are items of a slide in a larger type than most text of the document, which count up", async () => {
    const items = ["A lamp of iron", "A chair of wood", "A table of oak"]
    const list = (isBold: boolean): string =>
      items
        .map((words, at) =>
          isBold
            ? bold(72, 700 - 40 * at, `${at + 1}. ${words}`, 18)
            : text(72, 700 - 40 * at, `${at + 1}. ${words}`, { size: 18 }),
        )
        .join("")
    const body = lines(sentences, { top: 500 }) + lines(sentences, { top: 400 })
    expect(await markdownOf(onePage(list(false) + body))).toContain(
      "1. A lamp of iron\n2. A chair of wood\n3. A table of oak\n",
    )
    expect(headingsIn(await markdownOf(onePage(list(true) + body)))).toHaveLength(3)
  })

  it("none are sentences in a larger type, most of which is long sentences, as quotations are set", async () => {
    const body = lines(Array(8).fill(sentences).flat(), { top: 500 })
    const written = async (head: string) =>
      headingsIn(await markdownOf(pdfOf(pages([head + body, body, body].map((content) => ({ content }))))))
    const large = (bottom: number, words: ReadonlyArray<string>) =>
      lines(words, { top: bottom, size: 15, leading: 19 })
    const quoted = large(720, [
      "Nothing is as old as the light in a window",
      "of the town, nor was anything as often",
      "seen by those who had no time for it at all.",
    ])
    const remark = large(620, ["It was never lit."])
    const name = lines(sentences, { top: 590 }) + large(525, ["Of windows"])
    expect(await written(quoted + remark + name)).toEqual(["# Of windows"])
    expect(await written(remark + name)).toEqual(["# It was never lit.", "# Of windows"])
  })

  it("none is the caption of a table, or what ends within a sentence", async () => {
    const page =
      lines(sentences) + bold(72, 600, "Table 2: Lamps by year", 14) + bold(72, 540, "and a lamp;", 14)
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual([])
  })

  it("an example's is one where it is larger than the text", async () => {
    const page = (size: number) => lines(sentences) + bold(72, 600, "Example 3.7.2 (Lamps by year)", size)
    expect(headingsIn(await markdownOf(onePage(page(16))))).toEqual(["# Example 3.7.2 (Lamps by year)"])
    expect(headingsIn(await markdownOf(onePage(page(12))))).toEqual([])
  })

  it("those of examples are some in the size of the text where text follows most of them", async () => {
    const part = (top: number, number: number) =>
      bold(72, top, `Example ${number}: A lamp of oil`) + lines(sentences, { top: top - 20 })
    const page = lines(sentences) + part(600, 1)
    const titles = ["# Example 1: A lamp of oil", "# Example 2: A lamp of oil"]
    expect(headingsIn(await markdownOf(onePage(page + part(500, 2))))).toEqual(titles)
    const more = [480, 460].map((top, at) => bold(72, top, `Example ${3 + at}: Oil`)).join("")
    expect(headingsIn(await markdownOf(onePage(page + bold(72, 500, "Example 2: Oil") + more)))).toEqual([])
  })

  it("those of one size have the levels that their numbers say", async () => {
    const titles = ["3.4.2. Lamps", "3.5. Tables", "3.5.1. Beds", "Chairs"]
    const page =
      bold(72, 750, "The hall", 20) +
      titles
        .map((title, at) => bold(72, 700 - 90 * at, title) + lines(sentences, { top: 680 - 90 * at }))
        .join("")
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual([
      "# The hall",
      "### 3.4.2. Lamps",
      "## 3.5. Tables",
      "### 3.5.1. Beds",
      "## Chairs",
    ])
  })

  it("those of more sizes than there are levels are as high as others of about their size, on a cover first", async () => {
    const cover = [60, 44, 36, 32, 28]
      .map(
        (size, at) =>
          bold(72, 700 - 130 * at, `Lamps ${"ABCDE"[at]}`, size) + lines(sentences, { top: 670 - 130 * at }),
      )
      .join("")
    const page = (name: string) =>
      [24, 18, 14]
        .map(
          (size, at) =>
            bold(72, 700 - 130 * at, `${name} of ${size}`, size) + lines(sentences, { top: 670 - 130 * at }),
        )
        .join("")
    const contents = [cover, page("Tables"), page("Beds")].map((content) => ({ content }))
    const levels = headingsIn(await markdownOf(pdfOf(pages(contents))))
    expect(levels.slice(5)).toEqual([
      "#### Tables of 24",
      "##### Tables of 18",
      "###### Tables of 14",
      "#### Beds of 24",
      "##### Beds of 18",
      "###### Beds of 14",
    ])
  })

  it("those whose numbers go up are one outline, whatever their sizes", async () => {
    const titles: ReadonlyArray<readonly [string, number]> = [
      ["1. Lamps", 16],
      ["1.1 Of iron", 20],
      ["2. Tables", 16],
      ["2.1 Of wood", 14],
    ]
    const page = titles
      .map(
        ([title, size], at) =>
          bold(72, 740 - 90 * at, title, size) + lines(sentences, { top: 715 - 90 * at }),
      )
      .join("")
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual([
      "## 1. Lamps",
      "### 1.1 Of iron",
      "## 2. Tables",
      "### 2.1 Of wood",
    ])
  })

  it("none says where a quotation is from, behind a dash", async () => {
    const page = lines(sentences) + text(72, 640, "\u0097From a letter", { size: 16 })
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual([])
  })

  it("none is a part of a fraction, or goes on with the sentence above", async () => {
    const fraction = text(72, 600, "kout + n0", { size: 15 })
    expect(headingsIn(await markdownOf(onePage(lines(sentences) + fraction)))).toEqual([])
    const parted = lines(sentences.slice(0, 3)) + text(72, 630, "still gives light.", { size: 14 })
    expect(headingsIn(await markdownOf(onePage(parted)))).toEqual([])
  })

  it("a line of two parts that begins like a number without an end is read at once", async () => {
    const page = lines(sentences) + bold(72, 600, `${"I".repeat(60)}!`, 6) + bold(400, 600, "2021", 6)
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual([])
    const counted = lines(sentences) + bold(72, 600, "Chapter 3") + bold(300, 600, "Lamps")
    expect(headingsIn(await markdownOf(onePage(counted)))).toEqual(["# Chapter 3 Lamps"])
  })

  it("none is the second line of a caption", async () => {
    const row = (bottom: number, ...cells: ReadonlyArray<string>) =>
      cells.map((cell, at) => text(72 + 150 * at, bottom, cell)).join("")
    const table = row(560, "Lamp", "1", "2") + row(540, "Chair", "3", "4") + row(520, "Bed", "5", "6")
    const caption = bold(110, 620, "Table 6: Lamps by the state of") + bold(160, 590, "THE HOUSEHOLD")
    expect(headingsIn(await markdownOf(onePage(lines(sentences) + caption + table)))).toEqual([])
  })

  it("bold ones above text that is smaller than most, and those of the same look", async () => {
    const box =
      bold(72, 500, "We mend lamps", 9) +
      lines(sentences, { top: 488, size: 7, leading: 9 }) +
      bold(72, 430, "What we do", 9) +
      text(72, 420, "All kinds of work with lamps:", { size: 7 })
    const page = lines([...sentences, ...sentences, ...sentences]) + box
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual(["# We mend lamps", "# What we do"])
  })
})

describe("file-md-json: titles that begin a paragraph of a PDF", () => {
  const paragraph = (bottom: number, title: string, rest: string, width: number): string =>
    text(72, bottom, title, { font: "B" }) +
    text(72 + width, bottom, rest) +
    text(72, bottom - 14, "as long as they are loaded, and leave with the tide.")
  const set = (content: string, bold = "Times-Bold"): Promise<string> => {
    const font = (name: string) =>
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
    return markdownOf(pdfOf(pages([{ content }], { objects: { 3: font("Times-Roman"), 4: font(bold) } })))
  }
  const quay = "A quay is a wall along the water, and ships lie at it"

  it("are titles where they have the number of a section of the one above", async () => {
    for (const font of ["Times-Bold", "Times-Italic", "SFSX1000", "CMSSI10"]) {
      const content =
        text(72, 700, "2. Of harbours", { size: 16 }) +
        text(72, 670, "Harbours are places where ships lie.") +
        paragraph(640, "2.1. Quays and walls.", quay, 130) +
        paragraph(600, "2.2. Sluices.", quay, 90)
      const sentence = `${quay} as long as they are loaded, and leave with the tide.`
      expect(await set(content, font)).toBe(
        `# 2. Of harbours\n\nHarbours are places where ships lie.\n\n## 2.1. Quays and walls\n\n${sentence}\n\n## 2.2. Sluices\n\n${sentence}\n`,
      )
    }
  })

  it("keep what their paragraph goes on with on the next page", async () => {
    const fonts = ["Times-Roman", "Times-Bold"].map(
      (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
    )
    const first =
      text(72, 700, "2. Of harbours", { size: 16 }) +
      text(72, 84, "2.1. Quays and walls.", { font: "B" }) +
      text(202, 84, "A quay is a wall along the water, and ships lie at it") +
      text(72, 70, "as long as they are loaded, which takes them a day or two in most of these cases")
    const second = text(72, 720, "and they leave with the tide.")
    const objects = { 3: fonts[0] ?? "", 4: fonts[1] ?? "" }
    expect(await markdownOf(pdfOf(pages([{ content: first }, { content: second }], { objects })))).toContain(
      "## 2.1. Quays and walls\n\nA quay is a wall along the water, and ships lie at it as long as they are loaded, which takes them a day or two in most of these cases and they leave with the tide.\n",
    )
  })

  it("are titles where the number before them is in italics as they are, and that of an item is not", async () => {
    const content = (isAlike: boolean): string =>
      [0, 1]
        .map((at) => {
          const [top, mark] = [640 - 60 * at, `${at + 1})`]
          return (
            text(72, top, mark, { font: isAlike ? "B" : "F" }) +
            text(86, top, "Quays:", { font: "B" }) +
            text(130, top, `${quay}.`) +
            text(72, top - 14, "They leave with the tide, as long as there is one.")
          )
        })
        .join("")
    const markdown = await set(content(true), "Times-Italic")
    expect(markdown.match(/^# .*/gm)).toEqual(["# 1) Quays", "# 2) Quays"])
    expect(await set(content(false), "Times-Italic")).not.toContain("#")
  })

  it("are titles of texts that begin further in, and go on at the side of their column", async () => {
    const content =
      text(84, 640, "1) Quays:", { font: "B" }) +
      text(140, 640, "A quay is a wall, and ships lie at it, all of them, on the way from") +
      text(72, 626, "Bergen to the islands, which takes them a day or more, and back.") +
      text(72, 612, "They count the days.")
    expect(await set(content)).toContain("on the way from Bergen to the islands")
  })

  it("are titles in bold where the text is as far from them as its letters are large, as LaTeX sets them off", async () => {
    // As wide as `Quays` in bold, and as `Piers:`, with the gap.
    const wide = 32.68 + 12
    const other = "(walls) along the water, and all of the ships lie at them"
    const rest = "as long as they are loaded, and leave with the tide."
    const found = await set(paragraph(640, "Quays", quay, wide) + paragraph(600, "Quays", other, wide))
    expect(found).toBe(`# Quays\n\n${quay} ${rest}\n\n# Quays\n\n${other} ${rest}\n`)
    for (const gap of [-2, 2, -8]) {
      expect(await set(paragraph(640, "Quays", quay, wide + gap))).toBe(`Quays ${quay} ${rest}\n`)
    }
    expect(await set(paragraph(640, "Piers:", quay, 32.66 + 12))).toBe(`Piers: ${quay} ${rest}\n`)
    expect(await set(paragraph(640, "Quays", quay, wide), "Times-Italic")).toBe(`Quays ${quay} ${rest}\n`)
  })

  it("are set off from code, too, or by the size of code in them", async () => {
    const named = (name: string) =>
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
    const resources = "/Font << /F 3 0 R /B 4 0 R /C 6 0 R /D 7 0 R >>"
    const code = (left: number, words: string, font: string) =>
      text(left, 640, words, { size: 11 }).replace("/F ", `/${font} `)
    const setWith = (content: string) =>
      markdownOf(
        pdfOf(
          pages(
            [{ content: content + text(72, 626, "as long as they are loaded, and leave with the tide.") }],
            {
              objects: {
                3: named("Times-Roman"),
                4: named("Times-Bold"),
                6: named("Courier"),
                7: named("Courier-Bold"),
                10: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 11 0 R /Resources << ${resources} >> >>`,
              },
            },
          ),
        ),
      )
    const rest = "as long as they are loaded, and leave with the tide."
    const before = text(72, 640, "Quays", { font: "B" }) + code(72 + 32.68 + 12, "quay()", "C")
    expect(await setWith(before + text(162, 640, quay))).toBe(`# Quays\n\n\`quay()\` ${quay} ${rest}\n`)
    // Six letters of code, and a gap as wide as the letters of the text are large.
    const within = text(72, 640, "The", { font: "B" }) + code(95, "quay()", "D")
    expect(await setWith(within + text(95 + 6 * 6.6 + 12, 640, quay))).toBe(
      `# The quay()\n\n${quay} ${rest}\n`,
    )
  })

  it("are none without the section above, or where the sentence goes on behind them", async () => {
    const lone = await set(paragraph(640, "2.1. Quays and walls.", quay, 130))
    expect(lone).toContain("2.1. Quays and walls. A quay is")
    const term =
      text(72, 700, "2. Of harbours", { size: 16 }) +
      paragraph(640, "2.1. Quays", "are walls along the water, and ships lie at them", 80)
    expect(await set(term)).toContain("2.1. Quays are walls along the water")
  })
})

describe("file-md-json: titles of several lines in a PDF", () => {
  describe("in bold, in the middle below one another", () => {
    const centred = (top: number, list: ReadonlyArray<string>): string =>
      list.map((words, at) => text(306 - 3.6 * words.length, top - 14 * at, words, { font: "B" })).join("")
    const written = async (...list: ReadonlyArray<string>) =>
      headingsIn(await markdownOf(onePage(centred(740, list) + lines(sentences, { top: 660 }))))

    it("are one where they are in capitals, or go on with a word that no title ends or begins with", async () => {
      expect(
        await written("THE LIGHTS OF THE HARBOUR OFFICE", "GROUP FOR THE QUAYS", "AND WHO KEEPS THEM"),
      ).toEqual(["# THE LIGHTS OF THE HARBOUR OFFICE GROUP FOR THE QUAYS AND WHO KEEPS THEM"])
      expect(
        await written("The Keeping of Lamps", "For Those Who Come by Night", "(and Leave by Day)"),
      ).toEqual(["# The Keeping of Lamps For Those Who Come by Night (and Leave by Day)"])
    })

    it("are several where each is a text of its own, as those of an address or a song, or a day", async () => {
      for (const list of [
        ["12 Quay Street North", "Springfield, Bristol"],
        ["THE LIGHTS OF THE HARBOUR", "March 12, 2001"],
      ])
        expect(await written(...list)).not.toContain(`# ${list.join(" ")}`)
    })
  })

  const titled = (second: string, leading = 24): Promise<string> =>
    markdownOf(
      onePage(
        text(72, 720, "The lamps of the sea", { size: 20 }) +
          text(72, 720 - leading, second, { size: 20 }) +
          lines(sentences, { top: 640 }),
      ),
    )

  it("are one, though the first line had room for more", async () => {
    expect(await titled("Harbours and ships")).toContain("# The lamps of the sea Harbours and ships\n")
  })

  it("are one that stands far above the text, where a comma within its sentence ends the first line", async () => {
    const far = (first: string, second: string): Promise<string> =>
      markdownOf(
        onePage(
          text(72, 720, first, { size: 20 }) +
            text(72, 696, second, { size: 20 }) +
            lines([...sentences, ...sentences], { top: 560 }),
        ),
      )
    expect(await far("Look at the harbour,", "Not at the ships")).toContain(
      "# Look at the harbour, Not at the ships\n",
    )
    // Names of people, and two titles.
    for (const [first, second] of [
      ["Ada Byron, Grace Hopper,", "Emmy Noether"],
      ["Board of the harbour", "Special Meeting"],
    ] as const)
      expect(await far(first, second)).not.toContain(`${first} ${second}`)
  })

  it("are two where they stand apart, or the second begins with a number", async () => {
    for (const markdown of [await titled("Harbours and ships", 40), await titled("2. On harbours")])
      expect(markdown).toContain("# The lamps of the sea\n")
  })
})

describe("file-md-json: paragraphs in a PDF", () => {
  it("of lines that are set wide, as in a manuscript", async () => {
    const wide = [...sentences.slice(0, 3), "still gives light.", ...sentences]
    const paragraph = sentences.join(" ")
    const page = wide.map((line, at) => text(at % 4 === 0 ? 108 : 72, 720 - 25 * at, line)).join("")
    expect(await markdownOf(onePage(page))).toBe(`${paragraph}\n\n${paragraph}\n`)
  })

  it("of one line begin where others do that have more, and end with their sentence", async () => {
    const set = (short: string): Promise<string> => {
      const texts: ReadonlyArray<readonly [string, boolean]> = [
        ["The harbour lies between two hills, and the town goes up", true],
        ["both of them, as towns along this coast do.", false],
        [short, true],
        ["It says what the ships bring, and what they take to the", true],
        ["islands, as far as it was ever counted.", false],
      ]
      const content = texts
        .map(([each, isFirst], at) => text(isFirst ? 84 : 72, 700 - 14 * at, each))
        .join("")
      return markdownOf(onePage(content))
    }
    for (const short of [
      "There is a list of all that they carry, in two books.",
      "\x97 From the Book of the Harbour, and its Ships and all",
    ])
      expect(await set(short)).toContain(
        `\n\n${short.replace("\x97", "—")}\n\nIt says what the ships bring, and what they take to the islands`,
      )
    expect(await set("There is a list of all that they carry, and of the two")).toContain(
      "and of the two It says what",
    )
  })

  it("begin further in below a title that fills its line, in italics or in capitals in the middle", async () => {
    const font = (name: string) =>
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
    const body = (top: number): string =>
      [
        "The harbour lies between two hills, and",
        "its town goes up on both of them, as the",
        "towns along this coast do, in most cases.",
      ]
        .map((each, at) => text(at === 0 ? 86 : 72, top - 14 * at, each))
        .join("")
    const set = (title: string): Promise<string> =>
      markdownOf(
        pdfOf(
          pages([{ content: body(700) + body(658) + title + body(586) + body(544) }], {
            objects: { 3: font("Courier"), 4: font("Courier-Oblique") },
          }),
        ),
      )
    const isApart = (markdown: string): boolean =>
      /\n\n[^\n]*towns$/im.test(markdown) || /towns\n\n/i.test(markdown)
    expect(
      isApart(await set(text(72, 600, "A. Of the harbours of all these old towns", { font: "B" }))),
    ).toBe(true)
    expect(isApart(await set(text(86.4, 600, "I. THE HARBOURS OF ALL OF THESE TOWNS")))).toBe(true)
    expect(isApart(await set(text(72, 600, "Then there are harbours in these old town")))).toBe(false)
  })

  it("those of a patent begin with their numbers, which stand apart from them, and are no rows of a table", async () => {
    const paragraph = (number: string, top: number) =>
      text(30, top, number) +
      lines([sentences[0] ?? "", sentences[2] ?? "", "It is lit."], { left: 110, top })
    const numbers = ["[0002]", "[0003]", "[0004]"]
    const page =
      text(110, 716, "The lamps", { size: 13 }) +
      numbers.map((each, at) => paragraph(each, 700 - 46 * at)).join("")
    const written = (await markdownOf(onePage(page))).split("\n").filter((each) => each.startsWith("["))
    expect(written).toEqual(numbers.map((each) => `${each} ${sentences[0]} ${sentences[2]} It is lit.`))
  })

  it("those of an opinion begin with a paragraph sign and their numbers in the margin, however far these stand out", async () => {
    const paragraph = (number: string, top: number, left: number) =>
      text(left, top, number, { size: 10 }) +
      text(110, top, sentences[0] ?? "") +
      lines([sentences[2] ?? "", "and is lit."], { left: 80, top: top - 14 })
    for (const left of [20, 60])
      for (const sign of ["\u00b6 ", "\u00b6"]) {
        const numbers = [2, 3, 4, 5].map((number) => `${sign}${number}`)
        const page = numbers.map((each, at) => paragraph(each, 700 - 46 * at, left)).join("")
        expect((await markdownOf(onePage(page))).trimEnd().split("\n\n")).toEqual(
          numbers.map((each) => `${each} ${sentences[0]} ${sentences[2]} and is lit.`),
        )
      }
    const within = lines([
      sentences[0] ?? "",
      "\u00b6 12 of the opinion, and as the court said in",
      "the other one.",
    ])
    expect(await markdownOf(onePage(within))).toMatch(/^The .* \u00b6 12 of the .* other one\.\n$/)
  })

  it("one does not go on in another below it, in lower case, where lines stand far apart", async () => {
    const spaced = [
      "It is seen from the street and from the harbour at night.",
      "It was bought in a market of the old town by the church.",
      "It is old.",
      "It gives light to all of the ships that come in late.",
    ]
    const page =
      bold(72, 740, "Lamps") +
      bold(72, 716, "lamps.lightAtNight(window): bool") +
      lines(spaced, { top: 692, leading: 24 })
    expect(headingsIn(await markdownOf(onePage(page)))).toEqual([
      "# Lamps",
      "# lamps.lightAtNight(window): bool",
    ])
  })

  it("lines of a justified text whose spaces are wide are lines of it, and no rows of a table", async () => {
    const words = (bottom: number, ...all: ReadonlyArray<string>) => {
      const wide = all.reduce((sum, word) => sum + 7.2 * word.length, 0)
      const space = (340 - wide) / (all.length - 1)
      let left = 72
      return all
        .map((word) => {
          const shown = text(left, bottom, word)
          left += 7.2 * word.length + space
          return shown
        })
        .join("")
    }
    const content =
      words(700, "The", "lamp", "stands", "beside", "the", "window", "and") +
      words(688, "https://example.org/lamps", "is", "the", "place") +
      words(676, "international", "institutions", "may", "see") +
      text(72, 664, "that it is lit.")
    expect(await markdownOf(onePage(content))).toBe(
      "The lamp stands beside the window and https://example.org/lamps is the place international institutions may see that it is lit.\n",
    )
  })

  it("a place and a time at the sides of a page are a line, and no counted title", async () => {
    const left = ["The Union of Lamps in the Town", "1309 South Market Avenue", "Springfield, AB 94087"]
    const right = ["April 6, 2016", "7:30 a.m.", ""]
    const head = left.flatMap((words, at) => [
      text(72, 720 - 14 * at, words),
      text(440, 720 - 14 * at, right[at] ?? ""),
    ])
    const written = (await markdownOf(onePage(head.join("") + lines(sentences, { top: 640 })))).split("\n\n")
    expect(written.slice(0, 3)).toEqual(left.map((words, at) => `${words} ${right[at]}`.trim()))
  })

  it("go on past what stands along the side of the page, which is no title", async () => {
    const side = "BT /F 20 Tf 0 1 -1 0 30 200 Tm (arXiv:2103.15348v2 21 Jun 2021) Tj ET\n"
    const first = { content: lines(["The lamp stands on the table beside"]) + side }
    const second = { content: lines(["the window."]) }
    expect(await markdownOf(pdfOf(pages([first, second])))).toBe(
      "The lamp stands on the table beside the window.\n\narXiv:2103.15348v2 21 Jun 2021\n",
    )
  })

  it("entries of a bibliography are apart, whose lines but the first are indented, though the last of one is full", async () => {
    const entry = (top: number, ...words: ReadonlyArray<string>): string =>
      words.map((each, at) => text(at === 0 ? 72 : 84, top - 12 * at, each)).join("")
    const body =
      text(84, 712, "All who read this are thanked by the author") +
      text(72, 700, "for it, and the lamps.") +
      entry(688, "Ames, B., and C. Day. 1996. The lamps that are", "lit at sea. J. Sea Res. 85:83-94.") +
      entry(
        664,
        "Cole, D., and E. Fox. 1989. On the ropes of all",
        "harbours, and of those of the towers of a few",
        "towns. Science. 244:1475-1478.",
      ) +
      entry(
        628,
        "Gale, H. 1993. What is seen of the harbours in",
        "winter nights, by one who saw. Lamps. 90:102.",
      ) +
      entry(604, "Hill, J., and K. Lee. 1995. The sails of ships", "of the north. Sails. 108:3349-3358.") +
      entry(580, "Moss, N., and O. Pike. 1996. The masts of the", "ships of the south. Masts. 273:115.")
    const blocks = (await markdownOf(onePage(body))).split("\n\n")
    expect(blocks.map((block) => block.slice(0, 12).trim())).toEqual([
      "All who read",
      "Ames, B., an",
      "Cole, D., an",
      "Gale, H. 199",
      "Hill, J., an",
      "Moss, N., an",
    ])
  })
})

describe("file-md-json: columns in a PDF", () => {
  const column = (left: number) =>
    ["A lamp that stands beside", ...Array.from({ length: 14 }, () => "the window of the room so")]
      .map((line, at) => text(left, 690 - 14 * at, `${line} it`, { size: 9 }))
      .join("")
  const grid = [702, 480].map((y) => `72 ${y} m 512 ${y} l S\n`).join("")
  const sides = [72, 292, 512].map((x) => `${x} 480 m ${x} 702 l S\n`).join("")

  it("in a table with white borders are none; in one with borders that are seen they are cells", async () => {
    const page = column(78) + column(298)
    const white = await markdownOf(onePage(`${page}1 1 1 RG ${grid}${sides}`))
    expect(white).not.toContain("|")
    expect(white.match(/A lamp/g)).toHaveLength(2)
    expect(await markdownOf(onePage(`${page}0 0 0 RG ${grid}${sides}`))).toContain("|")
  })

  it("with white borders around short cells are a table", async () => {
    const cells =
      text(78, 690, "Lamp") + text(298, 690, "12.00") + text(78, 600, "Chair") + text(298, 600, "80.50")
    const rows = [702, 640, 480].map((y) => `72 ${y} m 512 ${y} l S\n`).join("")
    expect(await markdownOf(onePage(`${cells}1 1 1 RG ${rows}${sides}`))).toBe(
      "| Lamp | 12.00 |\n| --- | --- |\n| Chair | 80.50 |\n",
    )
  })
})
