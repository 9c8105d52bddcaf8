import { describe, expect, it } from "vitest"
import { line, lines, onePage, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const at = (left: number, top: number, list: ReadonlyArray<string>, size = 9): string =>
  lines(list, { left, top, size, leading: 11 })

const across = (top: number, count: number): string =>
  at(
    60,
    top,
    Array.from(
      { length: count },
      () => "These words go over all of the page, from the one side of it to the other, and on to",
    ),
  )

const quay = [
  "The quay was built of the stone that",
  "the ships had brought as ballast, and",
  "it stood for two hundred years before",
  "the storm of that winter took it away",
  "in the course of one night.",
]
const harbour = [
  "The harbour has a light on each of its",
  "two moles, of which the one in the",
  "west is red. Ships that come in by",
  "night keep between them and wait for",
  "the pilot at the first of the buoys,",
  "which is marked on the chart.",
]

describe("file-md-json: texts of a PDF that stand beside one another for some lines", () => {
  it("the cells of a row at the middle of its tallest one, which the document writes one by one, begin on its first line", async () => {
    const row = (bottom: number, time: string, name: ReadonlyArray<string>, title: ReadonlyArray<string>) => {
      const cell = (left: number, list: ReadonlyArray<string>): string =>
        lines(list, { left, top: bottom + 7 * (list.length - 1) })
      return cell(72, [time]) + cell(180, name) + cell(290, title)
    }
    const programme =
      row(700, "09.00 - 09.30", ["Ada Byron"], ["The lamps of the harbour and of", "their keepers"]) +
      row(
        650,
        "09.30 - 10.00",
        ["Grace", "Hopper"],
        ["Who lit the lamps of the winter", "nights, and when", "and why"],
      ) +
      row(600, "10.00 - 10.30", ["Emmy", "Noether"], ["Of lamps"])
    expect((await markdownOf(onePage(programme))).replace(/(?:[|\s]|---)+/g, " ")).toContain(
      "09.00 - 09.30 Ada Byron The lamps of the harbour and of their keepers 09.30 - 10.00 Grace Hopper Who lit the lamps of the winter nights, and when and why 10.00 - 10.30 Emmy Noether Of lamps",
    )
  })

  it("are no cells of a row where they are the parts of fractions, or no other row is alike", async () => {
    const beside = (left: number, bottom: number, list: ReadonlyArray<string>): string =>
      text(72, bottom, "P(Ground = A | L) =") + lines(list, { left, top: bottom + 7 })
    const fractions = beside(220, 700, ["2", "3"]) + beside(220, 650, ["1", "3"])
    expect(await markdownOf(onePage(fractions))).not.toContain("= 2")
    const alone = beside(220, 700, ["The lamps of the harbour", "and their keepers"])
    expect(await markdownOf(onePage(alone))).not.toContain("= The lamps")
  })

  it("are no cells of a row that numbers beside them show, right below a row that goes on", async () => {
    const row = (
      bottom: number,
      number: string,
      name: ReadonlyArray<string>,
      counts: ReadonlyArray<string>,
    ) =>
      text(72, bottom, number) +
      lines(name, { left: 110, top: bottom + 7 }) +
      counts.map((count, at) => text(300 + 60 * at, bottom, count)).join("")
    const table =
      text(110, 725, "of the lamps") +
      row(700, "15", ["Keepers of the", "old tower"], ["15", "175", "14"]) +
      row(661, "16", ["Friends of the", "harbour"], ["7", "79", "6"]) +
      row(622, "17", ["Society of the", "lighthouse"], ["4", "65", "4"])
    expect(await markdownOf(onePage(table))).toContain("| 15 | Keepers of the old tower | 15 | 175 | 14 |")
  })

  it("are two captions, of which the second begins further above", async () => {
    const content =
      across(700, 4) +
      at(320, 611, [
        "Table 2: Ships that came in by night",
        "of the harbour. Most of them waited",
        "for the tide.",
      ]) +
      at(60, 600, ["Table 1: The number of the ships that", "came to the harbour by each of the", "winds."]) +
      across(540, 4)
    const markdown = await markdownOf(onePage(content))
    expect(markdown).toContain(
      "Table 1: The number of the ships that came to the harbour by each of the winds.\n",
    )
    expect(markdown).toContain(
      "Table 2: Ships that came in by night of the harbour. Most of them waited for the tide.\n",
    )
  })

  it("are a text and the caption of a figure that it flows around", async () => {
    const content =
      at(60, 644, ["Figure 3: The quay as it", "was in that winter."]) +
      at(320, 688, harbour) +
      across(610, 6)
    expect(await markdownOf(onePage(content))).toMatch(
      /^Figure 3: The quay as it was in that winter\.\n\nThe harbour has .* the chart\.\n/,
    )
  })

  it("are a text and a note in smaller type beside it, at other heights", async () => {
    const content =
      across(700, 4) +
      at(60, 640, harbour) +
      at(320, 613, ["The buoys are lit from the first of", "October on."], 7) +
      across(560, 4)
    const markdown = await markdownOf(onePage(content))
    expect(markdown).toContain(harbour.join(" "))
    expect(markdown).toContain("The buoys are lit from the first of October on.\n")
  })

  it("are two texts of one type, read from left to right, though the second is written first", async () => {
    const content = across(750, 9) + at(320, 640, harbour) + at(60, 640, quay) + across(560, 9)
    expect(await markdownOf(onePage(content))).toContain(`${quay.join(" ")}\n\n${harbour.join(" ")}\n`)
  })

  it("are none where as many lines stand at the same heights, as in cells", async () => {
    const cells = (top: number): string => at(60, top, quay) + at(320, top, harbour.slice(0, quay.length))
    const markdown = await markdownOf(onePage(across(750, 9) + cells(640) + across(574, 9)))
    expect(markdown).not.toContain(quay.join(" "))
  })

  it("are none where the document writes them row by row, as it does those of a table", async () => {
    const rows = [640, 574]
      .map((top) => at(60, top, quay) + at(320, top, harbour.slice(0, quay.length - 1)))
      .join("")
    const markdown = await markdownOf(onePage(across(750, 9) + rows + across(508, 16)))
    expect(markdown).toContain(`| ${quay.join(" ")} | The harbour has a light`)
  })
})

describe("file-md-json: what the tasks of an examination are worth", () => {
  const task = (bottom: number, words: string, mark: string): string =>
    text(72, bottom, words) + text(542 - 7.2 * mark.length, bottom, mark)

  it.each([
    ["[2]", "[3]", "[10]"],
    ["(2 marks)", "(1 mark)", "(10 marks)"],
  ])(
    "stands behind their text: %s beside the first line, %s and %s beside the last one",
    async (...marks) => {
      const [first = "", second = "", third = ""] = marks
      const content = [
        task(700, "(a) Name the lights of the harbour that burn all", first),
        text(94, 686, "night, and those that do not."),
        text(72, 666, "(b) Say why ships that come in by night keep be-"),
        text(94, 652, "tween the two moles.") + text(542 - 7.2 * second.length, 652, second),
        task(632, "(c) Draw a plan of the quays.", third),
      ]
      expect(await markdownOf(onePage(content.join("")))).toBe(
        [
          `- (a) Name the lights of the harbour that burn all night, and those that do not. ${first}`,
          `- (b) Say why ships that come in by night keep between the two moles. ${second}`,
          `- (c) Draw a plan of the quays. ${third}`,
          "",
        ].join("\n"),
      )
    },
  )

  it("is a cell where others stand beside it, and no mark where there are two", async () => {
    const row = (bottom: number, name: string): string =>
      text(72, bottom, name) + text(250, bottom, "1,250") + text(400, bottom, "[7]")
    const rows = [700, 684, 668].map((bottom, index) => row(bottom, `Ship ${index}`)).join("")
    expect(await markdownOf(onePage(rows))).toContain("| Ship 1 | 1,250 | [7] |")
    const two =
      task(700, "Name the lights of the harbour", "[2]") + task(686, "and draw a plan of it.", "[3]")
    expect(await markdownOf(onePage(two))).not.toBe(
      "Name the lights of the harbour [2] and draw a plan of it. [3]\n",
    )
  })
})

describe("file-md-json: texts of a PDF at both sides of a column of signs", () => {
  const parties = [
    "ADA BYRON, and all of the",
    "others of the harbour,",
    "",
    "Petitioners,",
    "v.",
    "THE TOWN.",
  ]
  const court = ["", "Docket No. 07-1315", "", "Judge Emmy Noether", "", ""]
  const page = (sign: string, left = parties, right = court): string =>
    across(740, 2) +
    left
      .map((words, at) => {
        const indent = words.endsWith("Petitioners,") ? 60 : 0
        const top = 690 - 14 * at
        return one(60 + indent, top, words) + one(300, top, sign) + one(330, top, right[at] ?? "")
      })
      .join("") +
    across(580, 3)
  const one = (left: number, top: number, words: string): string =>
    words === "" ? "" : at(left, top, [words])

  it("are two texts without the signs: the parties of a case, its number and its judge", async () => {
    for (const sign of [")", "]", ":", "§"]) {
      const markdown = await markdownOf(onePage(page(sign)))
      expect(markdown).toMatch(/harbour,\n[\s\S]*THE TOWN\.\n\nDocket No\. 07-1315\n\nJudge Emmy Noether\n/)
      expect(markdown).not.toContain(`\n${sign}`)
      expect(markdown).not.toContain("|")
    }
  })

  it("are none where brackets close others, or labels have a colon apart", async () => {
    const amounts = parties.map((_, at) => `Lamps of (12${at}`)
    expect(await markdownOf(onePage(page(")", amounts, ["", "", "", "Tables", "", ""])))).toContain("|")
    const labels = ["Name", "Street", "Town", "Country", "Number"]
    expect(await markdownOf(onePage(page(":", labels, ["Ada", "", "", "", ""])))).toContain(": |")
  })
})

describe("file-md-json: texts of a PDF beside one another that are written row by row", () => {
  const beside = (rows: ReadonlyArray<readonly [string, string]>, leading = 14): string =>
    across(700, 3) +
    rows
      .map((row, index) =>
        row
          .map((words, side) => at(60 + 260 * side, 640 - leading * index, words === "" ? [] : [words]))
          .join(""),
      )
      .join("") +
    across(480, 3)
  const blocksOf = async (content: string): Promise<ReadonlyArray<string>> =>
    (await markdownOf(onePage(content)))
      .split("\n")
      .filter((each) => each !== "" && !each.startsWith("These"))

  it("are the signatures of two parties, which have the same labels, with what stands above and below them", async () => {
    const rows = [
      ["THE HARBOUR LTD.", "THE TOWN"],
      ["By:", "By:"],
      ["Name: Ada Byron", "Name: Emmy Noether"],
      ["Director", "Head of the council"],
    ] as const
    for (const leading of [14, 27])
      expect(await blocksOf(beside(rows, leading))).toEqual(
        [0, 1].flatMap((side) => rows.map((row) => row[side])),
      )
  })

  it("are captions of one line, and those that go on in the next", async () => {
    const [first, second] = ["Figure 1: Ships of the night", "Figure 2: Ships of the day"]
    expect(await blocksOf(beside([[first, second]]))).toEqual([first, second])
    const wrapped = [
      [`${first} and`, second],
      ["of the morning", ""],
    ] as const
    expect(await blocksOf(beside(wrapped))).toEqual([`${first} and of the morning`, second])
  })

  it("are none where labels differ, or only one row has the same", async () => {
    const form = [
      ["Name: Ada Byron", "Date: 3 May 2024"],
      ["Town: Springfield", "Number: 12"],
      ["Street: Quay", "Country: Norway"],
    ] as const
    expect(await markdownOf(onePage(beside(form)))).toContain("| Name: Ada Byron | Date: 3 May 2024 |")
    const names = [
      ["Lamp::Array", "Lamp::Object"],
      ["Lamp::Date", "Lamp::Value"],
      ["Lamp::Error", "Lamp::Object"],
    ] as const
    expect(await markdownOf(onePage(beside(names)))).toContain("| Lamp::Date | Lamp::Value |")
    const once = [["Source: the harbour", "Source: the town"], ...form.slice(1)] as const
    expect(await markdownOf(onePage(beside(once)))).toContain("| Source: the harbour | Source: the town |")
  })
})

describe("file-md-json: lists of a PDF beside one another that are written row by row", () => {
  const item = (left: number, bottom: number, words: string): string =>
    text(left, bottom, "\u0095", { size: 9 }) + text(left + 14, bottom, words, { size: 9 })
  const kinds = ["Ferries", "Tugs", "Barges", "Rafts"]
  const goods = ["Ropes", "Tar", "Sails of canvas", "Lamps"]
  const both = (bottom: number): string =>
    kinds
      .map((kind, at) => item(72, bottom - 11 * at, kind) + item(320, bottom - 11 * at, goods[at] ?? ""))
      .join("")
  const listed = (list: ReadonlyArray<string>): string => list.map((words) => `- ${words}`).join("\n")
  const shown = (content: string): Promise<string> => markdownOf(onePage(content))

  it("are read one after the other, each below its head, with the lines that its items go on in", async () => {
    const heads =
      text(72, 661, "SHIPS", { size: 9, font: "B" }) +
      text(320, 661, "WHAT THEY CARRY", { size: 9, font: "B" })
    const rest =
      item(72, 606, "Boats of the") + text(86, 595, "harbour", { size: 9 }) + item(72, 584, "Yachts")
    const markdown = await shown(across(740, 3) + heads + both(650) + rest + across(540, 3))
    expect(markdown).toContain(
      `# SHIPS\n\n${listed([...kinds, "Boats of the harbour", "Yachts"])}\n\n# WHAT THEY CARRY\n\n${listed(goods)}\n`,
    )
  })

  it("stand between the paragraphs above and below them", async () => {
    const markdown = await shown(across(740, 3) + both(680) + across(600, 3))
    expect(markdown).toMatch(/on to\n\n- Ferries[\s\S]*- Rafts\n- Ropes[\s\S]*- Lamps\n\nThese words/)
  })

  it("are rows where their items are the same again and again, as answers to choose from", async () => {
    const answers = [0, 1, 2, 3].map((at) => item(72, 650 - 11 * at, "Yes") + item(320, 650 - 11 * at, "No"))
    expect(await shown(across(740, 3) + answers.join("") + across(580, 3))).not.toContain("- Yes\n- Yes")
  })
})

describe("file-md-json: frames beside one another, with texts that are written row by row", () => {
  const frame = (left: number, right: number, top = 660, bottom = 580): string =>
    line(left, top, right, top) +
    line(left, bottom, right, bottom) +
    line(left, bottom, left, top) +
    line(right, bottom, right, top)
  const rows = (list: ReadonlyArray<readonly [string, string]>): string =>
    list
      .map((row, index) => row.map((words, side) => at(66 + 260 * side, 640 - 14 * index, [words])).join(""))
      .join("")
  const parties = [
    ["Seller of the lamps", "Buyer of the lamps"],
    ["ATELIER NORTH LTD.", "HARBOUR OFFICE"],
    ["Quay Street 12", "Lamp Road 7"],
    ["Springfield", "Shelbyville"],
  ] as const
  const textOf = async (drawn: string): Promise<string> =>
    markdownOf(onePage(across(740, 3) + drawn + across(540, 3)))

  it("are read one after the other, also where one text has no frame", async () => {
    const inTurn = new RegExp([0, 1].flatMap((side) => parties.map((row) => row[side])).join("\\s+"))
    const markdown = await textOf(frame(60, 300) + frame(320, 560) + rows(parties))
    expect(markdown).toMatch(inTurn)
    expect(markdown).not.toContain("|")
    const apart =
      rows(parties.map(([seller]) => [seller, ""] as const)) +
      ["Date", "Number", "Terms"].map((words, index) => at(330, 634 - 21 * index, [words])).join("")
    const unframed = await textOf(frame(60, 300) + apart)
    expect(unframed).toMatch(/Springfield\s+Date\s+Number\s+Terms/)
  })

  it("are the columns of a table where their rows stand beside one another and have numbers", async () => {
    const cells = [
      ["Ships", "1,204"],
      ["Boats", "3,110"],
      ["Rafts", "45"],
    ] as const
    expect(await textOf(frame(60, 300) + frame(320, 560) + rows(cells))).toMatch(
      /Ships[ |]+1,204[\s\S]+Boats[ |]+3,110/,
    )
  })
})
