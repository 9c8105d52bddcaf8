import { describe, expect, it } from "vitest"
import {
  codesAt,
  line,
  lines,
  onePage,
  type PdfObjects,
  pages,
  pdfOf,
  stream,
  text,
  withCharacters,
} from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const font = (name: string): string =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`

/** Text in Helvetica, with code in Courier as the other font. */
const fonts: PdfObjects = { 3: font("Helvetica"), 4: font("Courier") }
const withCode = (...contents: ReadonlyArray<string>): Promise<string> =>
  markdownOf(
    pdfOf(
      pages(
        contents.map((content) => ({ content })),
        { objects: fonts },
      ),
    ),
  )

const bullet = (bottom: number, words: string, left = 72): string =>
  text(left, bottom, "\u0095") + text(left + 18, bottom, words)
const code = (left: number, bottom: number, words: string): string =>
  text(left, bottom, words, { font: "B", size: 10 })
const prose = (top: number, left = 72): string =>
  lines(
    [
      "The lamp stands on the table beside the window, where it is seen from the",
      "street. It was bought in a market and is older than the town.",
    ],
    { left, top },
  )

describe("file-md-json: what belongs to an item of a list in a PDF", () => {
  it("have bullets that are drawn as shadings, as the balls of slides are", async () => {
    const shading =
      "<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [3 3 0 3 3 3] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [0 0 1] /N 1 >> >>"
    const ball = (size: number) =>
      stream(
        `0 0 ${size} ${size} re W n /S sh`,
        `/Type /XObject /Subtype /Form /BBox [0 0 ${size} ${size}] /Resources << /Shading << /S ${shading} >> >>`,
      )
    const item = (bottom: number, words: string) =>
      `q 1 0 0 1 72 ${bottom + 1} cm /I Do Q\n${text(90, bottom, words)}`
    const content =
      text(72, 700, "Of harbours") + item(660, "Lamps") + item(640, "Ropes") + item(620, "Chairs")
    const shown = (size: number) => markdownOf(pdfOf(pages([{ content }], { objects: { 5: ball(size) } })))
    expect(await shown(6)).toBe("Of harbours\n\n- Lamps\n- Ropes\n- Chairs\n")
    expect(await shown(16)).not.toContain("- ")
  })

  it("stand between two texts in boxes, which make no table of them", async () => {
    const boxed = (bottom: number, words: string) =>
      `68 ${bottom - 4} 476 15 re S\n${text(72, bottom, words)}`
    const items = [1, 2, 3, 4, 5].map(
      (number) =>
        text(90, 700 - 28 * number, `${number}.`) +
        text(108, 700 - 28 * number, "start with any lamp that stands") +
        text(108, 686 - 28 * number, "and so it is mended at last"),
    )
    const page = boxed(720, "All of this is easy.") + items.join("") + boxed(522, "The above is harder.")
    const written = await withCode(page)
    expect(written).not.toContain("|")
    expect(written.match(/^\d\. /gm)).toHaveLength(5)
  })

  it("entries in two columns between a line above and one below are no rows of a table", async () => {
    const entries = (left: number, first: number): string =>
      Array.from({ length: 5 }, (_, at) => {
        const top = 700 - 24 * at
        return (
          text(left, top, `${first + at}.`, { size: 9 }) +
          text(left + 24, top, "Baker A. The lights of the harbour of Bergen", { size: 9 }) +
          text(left + 24, top - 11, "and of its quay by night. Moss; 1964.", { size: 9 })
        )
      }).join("")
    const rules = line(60, 715, 550, 715) + line(60, 586, 550, 586)
    const markdown = await withCode(rules + entries(60, 11) + entries(320, 16))
    expect(markdown).not.toContain("|")
    expect(markdown).toMatch(/^11\. Baker A\..* 1964\.\n12\. Baker .*\n20\. Baker A\. .* 1964\.\n$/s)
  })

  it("an item goes on further out than its mark, in lower case behind a full line", async () => {
    const clause = (mark: string, top: number) =>
      text(140, top, `${mark} The seller shall bear the cost of all the lamps that are`, { size: 9 }) +
      lines(
        ["needed for the filing of the papers at the harbour and in the town, also of", "those of others."],
        {
          left: 72,
          top: top - 11,
          leading: 11,
          size: 9,
        },
      )
    const marks = ["3.1.1", "3.1.2"]
    const content =
      text(90, 712, "3.1 What is borne.", { size: 9 }) +
      marks.map((mark, at) => clause(mark, 701 - 33 * at)).join("")
    expect(await markdownOf(onePage(content))).toBe(
      `3.1 What is borne.\n\n${marks
        .map(
          (mark) =>
            `- ${mark} The seller shall bear the cost of all the lamps that are needed for the filing of the papers at the harbour and in the town, also of those of others.\n`,
        )
        .join("")}`,
    )
  })

  it("a long dash begins the source of a quotation; items have one below another", async () => {
    const quoted = ["The lamp is the joy of the harbour.", "— Ada, who lives there"]
    const set = (list: ReadonlyArray<string>, leading: number) =>
      markdownOf(
        onePage(
          lines(
            list.map((each) => each.replace("—", "\x97")),
            { leading },
          ),
        ),
      )
    expect(await set([...quoted, "It was put there long ago.", ...quoted], 40)).toBe(
      `${[...quoted, "It was put there long ago.", ...quoted].join("\n\n")}\n`,
    )
    const items = ["The lamps are:", "— that of the harbour", "— that of the market"]
    for (const leading of [14, 40]) {
      expect(await set(items, leading)).toBe(
        "The lamps are:\n\n- that of the harbour\n- that of the market\n",
      )
    }
  })

  it("a dash that begins a line within a sentence is no mark, also where lines are set wide", async () => {
    const text = [
      "The owners of the two lamps, who agree on little else in it",
      "— urge us to find that the order is one of the few that may",
      "be looked at by a court. In other words, they ask that this",
      "court look at it. The town, on the other hand, has not been",
      "heard at all. It is told here what the court has found, and",
      "why it was found.",
    ]
    const dashed = text.map((each) => each.replace("—", "-"))
    expect(await markdownOf(onePage(lines(dashed, { leading: 26 })))).toBe(`${dashed.join(" ")}\n`)
  })

  it("are the paragraphs and the code that begin below its text", async () => {
    const markdown = await withCode(
      prose(740) +
        bullet(690, "Install the lamp:") +
        code(90, 664, "lamp install") +
        code(90, 652, "  --here") +
        text(90, 626, "It gives light then.") +
        bullet(600, "Sell the lamp.") +
        text(90, 574, "Not before it gives light.") +
        prose(540),
    )
    expect(markdown.split("\n\n").slice(1, -1).join("\n\n")).toBe(
      [
        "- Install the lamp:",
        "  ```",
        "  lamp install",
        "    --here",
        "  ```",
        "  It gives light then.",
        "- Sell the lamp.  ",
        "  Not before it gives light.",
      ].join("\n"),
    )
  })

  it("are the lines that are set so wide that each stands by itself, as one text", async () => {
    const set = [
      "The lamp stands on the table beside the window, where it is seen",
      "from all streets of the town and from the harbour, as lamps are,",
      "and gives light.",
    ]
    const item = set.map((words, index) => text(90, 690 - 26 * index, words)).join("")
    const markdown = await withCode(prose(740, 60) + text(72, 690, "\u0095") + item + bullet(600, "Next"))
    expect(markdown).toContain(`- ${set.join(" ")}\n- Next\n`)
  })

  it("goes on in the outer item where it begins below the text of that one", async () => {
    const markdown = await withCode(
      prose(740) +
        bullet(690, "Outer") +
        bullet(676, "Inner", 108) +
        text(90, 650, "Below the outer one.") +
        bullet(624, "Next"),
    )
    expect(markdown).toContain("- Outer\n  - Inner\n\n  Below the outer one.\n- Next\n")
  })

  it("is no paragraph in a document that sets its marks outside of its text, and no code that stands so elsewhere", async () => {
    const outside = await withCode(prose(740) + bullet(690, "An item", 54) + prose(660) + prose(600))
    expect(outside).toContain("- An item\n\nThe lamp")
    const indented = await withCode(
      prose(740) +
        code(90, 690, "lamp") +
        prose(660) +
        code(90, 610, "lamp") +
        bullet(590, "An item") +
        code(90, 564, "lamp"),
    )
    expect(indented).toContain("- An item\n\n```\nlamp\n```\n")
  })

  it("keeps the items of a résumé together, with a place and a date at the other side, and those below a line of their own", async () => {
    const item = (top: number, [what, where, as, when]: ReadonlyArray<string>) =>
      bullet(top, what ?? "") +
      text(486, top, where ?? "") +
      text(90, top - 14, as ?? "", { size: 11 }) +
      text(481, top - 14, when ?? "", { size: 11 })
    const page =
      item(700, ["Harbour Works", "Old Town", "Keeper of the lamps", "2016 - 2018"]) +
      item(660, ["Boat Yard", "New Town", "Carpenter of boats", "2010 - 2014"]) +
      item(620, ["Oil Mill", "Low Town", "Miller of oil", "2008 - 2010"]) +
      bullet(592, "The mill was the first one of the town with a wheel of iron.", 100)
    expect(await withCode(page)).toBe(
      [
        "- Harbour Works Old Town  \n  Keeper of the lamps 2016 - 2018",
        "- Boat Yard New Town  \n  Carpenter of boats 2010 - 2014",
        "- Oil Mill Low Town  \n  Miller of oil 2008 - 2010",
        "  - The mill was the first one of the town with a wheel of iron.\n",
      ].join("\n"),
    )
  })

  it("makes no title of a question in bold with a note below it, and the answers are inside of it", async () => {
    const bold = (bottom: number, words: string, left = 94) => text(left, bottom, words, { font: "B" })
    const question = (top: number, number: number) =>
      bold(top, `${number}.`, 72) +
      bold(top, "Which of the lamps of the town are seen from the harbour") +
      bold(top - 14, "on a day without fog?") +
      bold(top - 42, "(Please select one.)") +
      text(94, top - 66, "\u0095 None") +
      text(94, top - 80, "\u0095 Those of the church")
    const page = lines(["The questions are about lamps."], { top: 750 }) + question(710, 1) + question(600, 2)
    const asked = "Which of the lamps of the town are seen from the harbour on a day without fog?"
    const answers = "   (Please select one.)\n   - None\n   - Those of the church\n"
    expect(await markdownOf(onePage(page))).toBe(
      `The questions are about lamps.\n\n1. ${asked}  \n${answers}2. ${asked}  \n${answers}`,
    )
  })

  it("goes on over pages, and each page begins at its own text", async () => {
    const markdown = await withCode(
      prose(740) + bullet(690, "An item"),
      text(90, 740, "Of two pages.") + bullet(700, "Next"),
    )
    expect(markdown).toContain("- An item\n\n  Of two pages.\n- Next\n")
  })

  it("may all be in a font of equal widths: its mark tells an item from code", async () => {
    const item = (bottom: number, words: string) => text(72, bottom, "\u0095") + code(90, bottom, words)
    const markdown = await withCode(prose(740) + item(690, "lamp.on()") + item(676, "lamp.off()"))
    expect(markdown).toContain("- lamp.on()\n- lamp.off()\n")
  })

  it("goes on further out where its first line is indented and full, and the sentence goes on in lower case", async () => {
    const item = (top: number, next: string): string =>
      text(84, top, "1) Of the lamps: all that are seen from the harbour of the town are") +
      lines([next, "out in the morning, before the first of the boats has left for the sea."], {
        top: top - 14,
      })
    const markdown = await withCode(
      prose(740) + item(680, "lit in the evening by the people who live beside them, and put"),
    )
    expect(markdown).toContain(
      "town are lit in the evening by the people who live beside them, and put out in",
    )
    const apart = await withCode(
      prose(740) + item(680, "They are lit in the evening by the people who live there, and put"),
    )
    expect(apart).toContain("town are\n\nThey are lit")
  })

  it("is none within a paragraph, where a line happens to begin with a number", async () => {
    const full = "All lamps of this town that are older than the harbour itself stand in the area"
    const within = (above: string): Promise<string> =>
      withCode(
        lines(
          [
            "In the town there are many lamps, of which the people here are very proud.",
            above,
            "4. The others were bought later, in the markets of other towns, and stand",
            "in the streets around it.",
          ],
          { top: 740 },
        ),
      )
    expect(await within(full)).toContain("stand in the area 4. The others")
    // A point behind a short form ends no sentence.
    const short = "All lamps of this town that are older than the harbour are listed in 83 Stat."
    expect(await within(short)).toContain("in 83 Stat. 4. The others")
    expect(await within("They stand in these areas:")).toContain("\n4. The others")
  })
})

describe("file-md-json: bullets of a PDF that are other signs", () => {
  const rows = ["Lamps of iron", "Chairs of wood", "Tables of oak"]
  const list = (signs: string, textLeft: number): string =>
    rows
      .map((row, at) => text(72, 700 - 14 * at, signs.charAt(at)) + text(textLeft, 700 - 14 * at, row))
      .join("")
  const items = rows.map((row) => `- ${row}\n`).join("")

  it("are the same below one another, each apart from its text", async () => {
    expect(await markdownOf(onePage(list("!!!", 98)))).toBe(items)
    expect(await markdownOf(onePage(list("\xbb\xbb\xbb", 98)))).toBe(items)
    expect(await markdownOf(onePage(list("!!!", 86)))).toContain("! Chairs of wood")
    expect(await markdownOf(onePage(list("!>~", 98)))).not.toMatch(/^- /m)
  })
})

describe("file-md-json: bullets of a PDF that LaTeX sets in inner lists", () => {
  it("are asterisks of formulas; one alone is the mark of a note", async () => {
    const asterisks = (count: number): Promise<string> => {
      const marked = Array.from({ length: count }, (_, at) =>
        codesAt([72, 700 - 14 * at, "a"], [84, 700 - 14 * at, "bcb"]),
      )
      return markdownOf(withCharacters(["∗", "w", "h"], marked.join("")))
    }
    expect(await asterisks(3)).toBe("- whw\n- whw\n- whw\n")
    expect(await asterisks(1)).toBe("∗ whw\n")
  })
})

describe("file-md-json: lists within items of a PDF", () => {
  const item = (bottom: number, depth: number, mark: string, words: string): string =>
    text(72 + 36 * depth, bottom, mark) + text(108 + 36 * depth, bottom, words)

  it("may have a single item with a letter or a Roman number, which is no initial of a name", async () => {
    const list = (letter: string, words: string): string =>
      item(700, 0, "1.", "Find the lamp") +
      item(684, 1, letter, words) +
      item(668, 0, "2.", "Light it") +
      item(652, 1, "i.", "By hand") +
      item(636, 0, "3.", "Go home")
    expect(await markdownOf(onePage(list("a.", "Look on the quay")))).toBe(
      "1. Find the lamp\n   - a. Look on the quay\n2. Light it\n   - i. By hand\n3. Go home\n",
    )
    expect(await markdownOf(onePage(list("A.", "Berg, who has one")))).not.toContain("- A.")
  })

  it("go on with the next letter on another page", async () => {
    const first = item(120, 0, "i.", "Look on the quay") + item(104, 0, "ii.", "Look in the boats")
    const read = (mark: string): Promise<string> =>
      markdownOf(pdfOf(pages([{ content: first }, { content: item(700, 0, mark, "look at the wall") }])))
    expect(await read("iii.")).toBe(
      "- i. Look on the quay\n- ii. Look in the boats\n- iii. look at the wall\n",
    )
    expect(await read("v.")).not.toContain("- v.")
  })
})

describe("file-md-json: tables of contents in a PDF", () => {
  const entry = (title: string, page: number, characters = 38): string =>
    `${title} ${".".repeat(characters - title.length - 1 - `${page}`.length)}${page}`
  const column = (left: number, entries: ReadonlyArray<readonly [title: string, indent: number]>): string =>
    entries
      .map(([title, indent], at) =>
        text(left + indent, 700 - 11 * at, entry(title, at + 3, 38 - indent / 6), { size: 10 }),
      )
      .join("")

  it("have an item for each entry, whose dots stand at its words and at its number", async () => {
    const titles = ["What is a lamp of iron?", "How common are they now?", "Who are they made by?"]
    const markdown = await markdownOf(
      onePage(
        column(
          60,
          titles.map((title) => [title, 0]),
        ),
      ),
    )
    expect(markdown).toBe(titles.map((title, at) => `- ${title} ${at + 3}\n`).join(""))
  })

  it("have an item for each entry of an appendix, whose page is a letter or counted behind one", async () => {
    const entries = ["What is a lamp of iron? 3", "How common are they now? 17", "Goods A", "Prices B-2"]
    const rows = entries.map((each, at) => {
      const [title, page] = [each.slice(0, each.lastIndexOf(" ")), each.slice(each.lastIndexOf(" ") + 1)]
      return text(72, 700 - 14 * at, `${title}${".".repeat(50 - title.length - page.length)}${page}`)
    })
    expect(await markdownOf(onePage(rows.join("")))).toBe(entries.map((each) => `- ${each}\n`).join(""))
  })

  it("are few below a title that says what they are, and where several titles are of one page", async () => {
    const titles = ["Lamps", "Chairs", "Tables", "Beds"]
    const rows = titles.map(
      (title, at) =>
        text(72, 660 - 18 * at, `${at + 1}`) +
        text(100, 660 - 18 * at, title) +
        text(450, 660 - 18 * at, `${at < 3 ? 1 : 2}`),
    )
    const read = (title: string): Promise<string> =>
      markdownOf(
        pdfOf(
          pages([
            { content: text(72, 690, title, { size: 16 }) + rows.join("") },
            { content: text(72, 700, "The beds of the town are made of oak, and few of iron.") },
          ]),
        ),
      )
    expect(await read("Contents")).toContain("- 1 Lamps 1\n- 2 Chairs 1\n- 3 Tables 1\n- 4 Beds 2\n")
    expect(await read("Goods")).toContain("| 2 | Chairs | 1 |")
  })

  it("have their numbers also where these stand in boxes below one another", async () => {
    const titles = ["What is a lamp of iron?", "How common are they now?", "Who are they made by?"]
    const rows = titles.map((title, at) => {
      const top = 700 - 14 * at
      const box = `${line(400, top - 4, 430, top - 4)}${line(400, top + 10, 430, top + 10)}${line(400, top - 4, 400, top + 10)}${line(430, top - 4, 430, top + 10)}`
      const dots = ".".repeat(44 - title.length)
      return `${text(402, top, `${at + 3}`)}${text(72, top, title + dots)}${box}`
    })
    expect(await markdownOf(onePage(rows.join("")))).toBe(
      titles.map((title, at) => `- ${title} ${at + 3}\n`).join(""),
    )
  })

  it("have an item for each entry, whose dots are words, and whose numbers stand apart between two lines", async () => {
    const entries = ["1.1 Harbours", "1.2 Ships and boats", "1.3 Sails", "1.4 Oars"]
    const pagesOf = (...numbers: ReadonlyArray<number>): Promise<string> => {
      const rows = entries.map((entry, at) => {
        const dots = Array.from({ length: 20 }, (_, index) => text(220 + 12 * index, 690 - 16 * at, "."))
        return text(72, 690 - 16 * at, entry) + dots.join("") + text(500, 690 - 16 * at, `${numbers[at]}`)
      })
      return withCode(line(72, 712, 530, 712) + rows.join("") + line(72, 628, 530, 628))
    }
    expect(await pagesOf(1, 2, 2, 14)).toBe(
      "- 1.1 Harbours 1\n- 1.2 Ships and boats 2\n- 1.3 Sails 2\n- 1.4 Oars 14\n",
    )
    expect(await pagesOf(9, 2, 12, 4)).toContain("|")
    expect(await pagesOf(1100, 1105, 1631, 1724)).toContain("|")
  })

  it("have long titles as one entry, which go on below their first line, and such with room for few dots", async () => {
    const dots = (bottom: number, from: number): string =>
      Array.from({ length: Math.floor((452 - from) / 12) }, (_, index) =>
        text(from + 12 * index, bottom, "."),
      ).join("")
    const entry = (bottom: number, left: number, title: string, page: string): string =>
      text(left, bottom, title) + dots(bottom, left + 7.2 * (title.length + 1)) + text(484, bottom, page)
    const contents =
      entry(700, 72, "1 Harbours", "1") +
      text(72, 684, "1.1 The harbours of the north, with lights and boats of") +
      entry(668, 108, "all kinds in them", "2") +
      text(72, 652, "1.2 Harbours of the south, which have locks of a double-") +
      entry(636, 108, "Gate kind", "3") +
      text(72, 620, "1.3 The harbours of the west and their dockyards to-") +
      entry(604, 108, "day", "4") +
      text(72, 588, "1.4 Ports of the east that have no light at") +
      text(396, 588, ". . .") +
      text(484, 588, "5") +
      entry(572, 72, "2 Ships of the north and of the south", "6") +
      text(72, 556, "A All that has to be said of lamps of iron and") +
      text(484, 556, "7") +
      entry(540, 108, "A.1 Oil of all the whales of the north", "7") +
      entry(524, 108, "A.2 Wicks", "8") +
      entry(508, 108, "A.3 The glass that is around them", "9")
    expect(await markdownOf(onePage(contents))).toBe(
      [
        "- 1 Harbours 1",
        "- 1.1 The harbours of the north, with lights and boats of all kinds in them 2",
        "- 1.2 Harbours of the south, which have locks of a double-Gate kind 3",
        "- 1.3 The harbours of the west and their dockyards today 4",
        "- 1.4 Ports of the east that have no light at 5",
        "- 2 Ships of the north and of the south 6",
        "",
        "A All that has to be said of lamps of iron and 7",
        "",
        "- A.1 Oil of all the whales of the north 7",
        "- A.2 Wicks 8",
        "- A.3 The glass that is around them 9\n",
      ].join("\n"),
    )
  })

  it("have no dots, where numbers at the right go up and are pages of the document", async () => {
    const titles = ["Of boats", "The lamp in the town", "Windows", "Of the street", "Doors"]
    const numbered = (numbers: ReadonlyArray<string>, label?: string): string =>
      titles
        .map((title, at) => {
          const item = label === undefined ? "" : text(72, 700 - 20 * at, `${label} ${at + 1}`)
          return item + text(160, 700 - 20 * at, title) + text(500, 700 - 20 * at, numbers[at] ?? "")
        })
        .join("")
    const rest = Array.from({ length: 11 }, (_, at) => ({
      content: text(72, 700, `Page ${at + 2} is text.`),
    }))
    const first = async (content: string): Promise<string> => {
      const markdown = await markdownOf(pdfOf(pages([{ content }, ...rest])))
      return (markdown.split("Page 2")[0] ?? "").trim()
    }
    const entries = ["Of boats ii", "The lamp in the town 2", "Windows 2", "Of the street 5", "Doors 12"]
    const numbers = entries.map((entry) => entry.split(" ").at(-1) ?? "")
    expect(await first(numbered(numbers))).toBe(entries.map((entry) => `- ${entry}`).join("\n"))
    expect(await first(numbered(numbers, "Item"))).toBe(
      entries.map((entry, at) => `- Item ${at + 1} ${entry}`).join("\n"),
    )
    for (const others of [
      ["1", "2", "3", "4", "5"],
      ["12", "9", "5", "2", "1"],
      ["1", "2", "5", "9", "13"],
    ])
      expect(await first(numbered(others))).toContain("| Of boats |")
  })

  it("go on in the next column at the same levels, also where its titles hang out over the room between", async () => {
    const left = column(60, [
      ["The lamps", 0],
      ["Of iron", 12],
      ["Of brass", 12],
      ["Of wood", 12],
    ])
    const right = column(291, [
      ["The tables", 0],
      ["Of oak", 12],
      ["Of pine", 12],
      ["Of stone", 12],
    ])
    expect(await markdownOf(onePage(left + right))).toBe(
      [
        "- The lamps 3\n  - Of iron 4\n  - Of brass 5\n  - Of wood 6",
        "- The tables 3\n  - Of oak 4\n  - Of pine 5\n  - Of stone 6\n",
      ].join("\n"),
    )
  })

  it("have counted entries in both columns", async () => {
    const half = (left: number, from: number) =>
      Array.from({ length: 6 }, (_, at) =>
        text(left, 700 - 11 * at, `${from + at}. Of iron ............... ${from + at + 9}`, { size: 10 }),
      ).join("")
    expect(await markdownOf(onePage(half(60, 1) + half(320, 7)))).toBe(
      Array.from({ length: 12 }, (_, at) => `${at + 1}. Of iron ${at + 10}\n`).join(""),
    )
  })
})

describe("file-md-json: code in a PDF", () => {
  it("is none where a bold line in its font stands above a text: that is a title", async () => {
    const page =
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 11 0 R /Resources << /Font << /F 3 0 R /B 4 0 R /T 6 0 R >> >> >>"
    const objects: PdfObjects = { ...fonts, 6: font("Courier-Bold"), 10: page }
    const title = "BT /T 11 Tf 1 0 0 1 72 690 Tm (lamp.switch\\(\\)) Tj ET\n"
    const content =
      prose(740) + title + prose(670) + code(72, 620, "lamp.on(1)") + code(72, 608, "lamp.off(1)")
    const pdf = pdfOf(pages([{ content }], { objects }))
    const markdown = await markdownOf(pdf)
    expect(markdown).toContain("\n# lamp.switch()\n")
    expect(markdown).toContain("```\nlamp.on(1)\nlamp.off(1)\n```\n")
  })

  it("is no table where each of its lines has a colour behind it", async () => {
    const listing = ["lamp  = [1, 2, 3, 4]", "chair = [5, 6, 7, 8]", "table = [9, 0, 1, 2]"]
    const content = listing.map((words, index) => {
      const bottom = 690 - 14 * index
      return `0.9 g 70 ${bottom - 3} 124 13 re f 0 g\n${code(72, bottom, words)}`
    })
    expect(await withCode(prose(740) + content.join("") + prose(620))).toContain(
      `\`\`\`\n${listing.join("\n")}\n\`\`\`\n`,
    )
  })

  it("goes on over pages as one, also where its rest begins further in", async () => {
    const begin = ["if (lamp) {", "  light(lamp)"]
    const rest = ["  wait(lamp)", "  close(lamp)"]
    const block = (top: number, list: ReadonlyArray<string>) =>
      list.map((each, at) => code(72, top - 12 * at, each)).join("")
    const markdown = await withCode(prose(740) + block(650, begin), block(740, rest) + prose(650))
    expect(markdown).toContain(`\`\`\`\n${[...begin, ...rest].join("\n")}\n\`\`\`\n`)
    const apart = await withCode(
      prose(740) + block(650, begin),
      text(72, 740, "It is old.") + block(700, rest),
    )
    expect(apart.match(/^```$/gm)).toHaveLength(4)
  })

  it("has empty lines, however far its lines are from one another", async () => {
    for (const height of [12, 15, 17, 18]) {
      const block = ["let a = 1", "let b = 2", "", "lamp(a, b)"].map((each, at) =>
        each === "" ? "" : code(72, 650 - height * at, each),
      )
      const written = await withCode(prose(740) + block.join("") + prose(500))
      expect(written, `${height}`).toMatch(/```\nlet a = 1\nlet b = 2\n\nlamp\(a, b\)\n```/)
    }
    // Two listings stand further apart.
    const listing = (top: number) => code(72, top, "let a = 1") + code(72, top - 18, "let b = 2")
    expect((await withCode(prose(740) + listing(650) + listing(580))).match(/^```$/gm)).toHaveLength(4)
  })

  it("may be most of a document, where text stands around it", async () => {
    const block = (top: number) =>
      Array.from({ length: 8 }, (_, at) => code(72, top - 12 * at, "let a = b + c ; // d e f g h")).join("")
    const text = prose(740) + block(700) + prose(590) + block(550) + prose(440) + block(400)
    const markdown = await withCode(text, text)
    expect(markdown.match(/^```$/gm)).toHaveLength(12)
    const typewritten = await withCode(block(700) + block(500) + text.slice(0, 200))
    expect(typewritten).not.toContain("```")
  })
})

describe("file-md-json: labels in a PDF", () => {
  const label = text(72, 690, "Options:", { font: "B" })
  const sentences = (top: number) =>
    lines(["The lamp stands on the table beside the window,", "where it is seen from the street."], { top })

  it("a bold line with a colon is no title above a list, which it introduces; above a text it is one", async () => {
    const aboveText = onePage(sentences(740) + label + sentences(664))
    expect(await markdownOf(aboveText)).toContain("# Options:\n")
    const aboveList = onePage(sentences(740) + label + lines(["\u0095 One", "\u0095 Two"], { top: 664 }))
    expect(await markdownOf(aboveList)).toContain("\nOptions:\n\n- One\n- Two\n")
  })
})

describe("file-md-json: numbers behind a point in a PDF", () => {
  const item = (top: number, number: string, words: ReadonlyArray<string>, gap = 54) =>
    text(90, top, number) + lines(words, { left: 90 + gap, top })
  const sentences = (top: number) =>
    lines(["The lamps stand on the quays beside the windows,", "where they are seen from the street."], {
      top,
    })

  it("begin items, as in the sections of a specification, where they stand apart from their text", async () => {
    const content =
      sentences(740) +
      item(690, ".1", [
        "The lamps are made of iron and of copper and",
        "stand on the quays of the harbour.",
      ]) +
      item(650, ".2", ["The lamps are lit at dusk."])
    const markdown = await markdownOf(onePage(content))
    expect(markdown).toContain(
      "- .1 The lamps are made of iron and of copper and stand on the quays of the harbour.\n- .2 The lamps are lit at dusk.",
    )
  })

  it("are parts of numbers where they stand at their text, or alone in it", async () => {
    const near = sentences(740) + item(690, ".5", ["inch of rain fell on the lamps."], 20)
    expect(await markdownOf(onePage(near))).toContain(".5 inch of rain fell")
    const alone = sentences(740) + item(690, ".5", ["inch of rain fell on the lamps."])
    expect(await markdownOf(onePage(alone))).not.toContain("- .5")
  })
})

describe("file-md-json: dashes in a PDF", () => {
  const sentences = lines(
    ["The lamps stand on the quays beside the windows,", "where they are seen from the street."],
    { top: 740 },
  )

  it("begin items that have another dash within their text; those between texts begin none", async () => {
    const items = lines(
      ["- In the summer: 10:00 am - 8:00 pm", "- In the winter they are lit all day - on each of the quays."],
      { top: 690 },
    )
    expect(await markdownOf(onePage(sentences + items))).toContain(
      "- In the summer: 10:00 am - 8:00 pm\n- In the winter they are lit all day - on each of the quays.",
    )
    const row = lines(["- iron - copper - tin - wood", "- one two - three four - five six"], { top: 690 })
    expect(await markdownOf(onePage(sentences + row))).not.toMatch(/^- /m)
  })
})
