import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { line, lines, onePage, pages, pdfOf, stream, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const area = (left: number, bottom: number, width: number, height: number, grey = 0.9) =>
  `${grey} g ${left} ${bottom} ${width} ${height} re f 0 g\n`

/** Three columns at 72, 222 and 372, row by row as a word processor writes them. */
const row = (bottom: number, cells: ReadonlyArray<string>) =>
  cells.map((cell, index) => text(76 + index * 150, bottom, cell)).join("")

const table = "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp | 12.00 | new |\n| Chair | 80.50 |  |\n"
const rows =
  row(700, ["Item", "Price", "Note"]) + row(680, ["Lamp", "12.00", "new"]) + row(660, ["Chair", "80.50"])

/** With more room between rows than between the lines of a text. */
const roomy = [
  ["Item", "Price", "Note"],
  ["Lamp", "12.00", "new"],
  ["Chair", "80.50", "old"],
  ["Table", "99.00", "used"],
  ["Bed", "120.00", "new"],
]
  .map((cells, index) => row(698 - 25 * index, cells))
  .join("")
const roomyTable =
  "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp | 12.00 | new |\n| Chair | 80.50 | old |\n| Table | 99.00 | used |\n| Bed | 120.00 | new |\n"

describe("file-md-json: tables of a PDF by what is drawn", () => {
  const across = [715, 695, 675, 655]
  const down = [72, 222, 372, 522]

  it("by lines around cells", async () => {
    const grid =
      across.map((y) => line(72, y, 522, y)).join("") + down.map((x) => line(x, 655, x, 715)).join("")
    expect(await markdownOf(onePage(grid + rows))).toBe(table)
  })

  it("by boxes, one for each cell, also as thin areas", async () => {
    const boxes = [695, 675, 655].flatMap((y) => [72, 222, 372].map((x) => `${x} ${y} 150 20 re S\n`))
    expect(await markdownOf(onePage(boxes.join("") + rows))).toBe(table)
    const thin =
      across.map((y) => area(72, y, 450, 0.5, 0)).join("") +
      down.map((x) => area(x, 655, 0.5, 60, 0)).join("")
    expect(await markdownOf(onePage(thin + rows))).toBe(table)
  })

  it("without the dots that lead to the numbers of a row and touch its label", async () => {
    const led = ["Lamps", "Chairs", "Tables of all the kinds"].map((label, index) =>
      [`${label}${".".repeat(30 - label.length)}`, `${12 + index}`, `${24 + index}`]
        .map((cell, column) => text([72, 320, 400][column] ?? 0, 700 - 14 * index, cell))
        .join(""),
    )
    expect(await markdownOf(onePage(led.join("")))).toBe(
      "| Lamps | 12 | 24 |\n| --- | --- | --- |\n| Chairs | 13 | 25 |\n| Tables of all the kinds | 14 | 26 |\n",
    )
  })

  it("without the dots that lead to the numbers of a row, which part its first column from them", async () => {
    const led = [
      ["Lamps and bulbs ........ 12", "14", "16"],
      ["Chairs ................. 22", "24", "26"],
      ["Tables ................. 32", "34", "36"],
    ].map((cells, index) =>
      cells.map((cell, column) => text([72, 300, 360][column] ?? 0, 700 - 14 * index, cell)).join(""),
    )
    expect(await markdownOf(onePage(led.join("")))).toBe(
      "| Lamps and bulbs | 12 | 14 | 16 |\n| --- | --- | --- | --- |\n| Chairs | 22 | 24 | 26 |\n| Tables | 32 | 34 | 36 |\n",
    )
    const contents = ["One ........ 1", "Two ........ 2", "Six ........ 6"].map((entry, index) =>
      text(72, 700 - 14 * index, entry),
    )
    expect(await markdownOf(onePage(contents.join("")))).toBe("- One 1\n- Two 2\n- Six 6\n")
    expect(await markdownOf(onePage(contents.slice(1).join("")))).toBe("Two 2\n\nSix 6\n")
  })

  it("not of the entries of a table of contents, whose numbers stand apart", async () => {
    const contents = ["One", "Two", "Three", "Four"].map(
      (title, index) =>
        text(72, 700 - 14 * index, `A.${index + 1}`) +
        text(130, 700 - 14 * index, `${title} ${".".repeat(30 - title.length)} ${index + 1}`),
    )
    expect(await markdownOf(onePage(contents.join("")))).toBe(
      "- A.1 One 1\n- A.2 Two 2\n- A.3 Three 3\n- A.4 Four 4\n",
    )
  })

  it("by lines around the cells of its head alone, where the rows below stand in its columns", async () => {
    const drawn =
      across.map((y) => line(72, y, 522, y)).join("") +
      [72, 522].map((x) => line(x, 655, x, 715)).join("") +
      [222, 372].map((x) => line(x, 695, x, 715)).join("")
    const full = row(700, ["Item", "Price", "Note"]) + row(680, ["Lamp", "12.00", "new"])
    const note = text(76, 660, "A note that goes over all of these columns of the table.")
    const third = row(660, ["Chair", "80.50", "old"])
    expect(await markdownOf(onePage(drawn + full + third))).toBe(
      "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp | 12.00 | new |\n| Chair | 80.50 | old |\n",
    )
    expect(await markdownOf(onePage(drawn + full + note))).toContain(
      "| A note that goes over all of these columns of the table. |  |  |",
    )
  })

  it("by lines between rows", async () => {
    const between = across.slice(1).map((y) => line(72, y, 522, y))
    expect(await markdownOf(onePage(between.join("") + rows))).toBe(table)
  })

  it("by three lines: above, below the head, and below", async () => {
    const three = [715, 695, 655].map((y) => line(72, y, 522, y))
    expect(await markdownOf(onePage(three.join("") + rows))).toBe(table)
  })

  it("by every other row having a colour, the first of them below the head or below the first row", async () => {
    expect(await markdownOf(onePage(area(72, 675, 450, 20) + rows))).toBe(table)
    const second = [area(72, 640, 450, 25), area(72, 590, 450, 25)].join("")
    expect(await markdownOf(onePage(second + roomy))).toBe(roomyTable)
  })

  it("by the colour of its head alone, cell by cell", async () => {
    const head = [72, 222, 372].map((left) => area(left, 690, 150, 25)).join("")
    expect(await markdownOf(onePage(head + roomy))).toBe(roomyTable)
  })

  it("of what is laid out within a frame, not of the frame", async () => {
    const frame =
      [715, 640, 560].map((y) => line(72, y, 522, y)).join("") +
      [72, 522].map((x) => line(x, 560, x, 715)).join("") +
      line(372, 560, 372, 640)
    const inside = [700, 685, 670, 655].map((y, index) => row(y, [`Field ${index}`, `Value ${index}`, "ok"]))
    const below = text(76, 620, "A note about all of it.") + text(376, 620, "Signed")
    const markdown = await markdownOf(onePage(frame + inside.join("") + below))
    for (let index = 0; index < 4; index++)
      expect(markdown).toContain(`| Field ${index} | Value ${index} | ok |`)
  })

  it("without the box above it that is wider, such as the frame of a title", async () => {
    const box =
      [770, 730].map((y) => line(72, y, 560, y)).join("") +
      [72, 560].map((x) => line(x, 730, x, 770)).join("")
    const drawn =
      [640, 580].map((y) => line(72, y, 372, y)).join("") +
      [222, 372].map((x) => line(x, 574, x, 728)).join("")
    const body = [626, 612, 598, 584].map((y, index) => row(y, [`Quay ${index}`, `1${index}`]))
    const words =
      text(100, 752, "Ships of the harbour") + text(100, 738, "All of them") + text(226, 650, "Ships")
    const markdown = await markdownOf(onePage(box + drawn + words + body.join("")))
    expect(markdown).not.toMatch(/\|.*Ships of the harbour/)
    expect(markdown).toContain("| Quay 0 | 10 |\n| Quay 1 | 11 |\n| Quay 2 | 12 |\n| Quay 3 | 13 |\n")
  })

  it("keeps the lines of a cell together, and repeats what lines leave over several columns", async () => {
    const drawn =
      [72, 222, 372, 522].map((x) => line(x, 620, x, x === 372 ? 695 : 715)).join("") +
      [715, 695, 665, 620].map((y) => line(72, y, 522, y)).join("")
    const words =
      text(76, 702, "Name") +
      text(226, 702, "Both of these columns") +
      text(76, 682, "First") +
      text(226, 682, "one that is") +
      text(226, 670, "too long") +
      text(376, 682, "a") +
      text(76, 652, "Second") +
      text(76, 640, "one") +
      text(226, 646, "b") +
      text(376, 646, "c")
    expect(await markdownOf(onePage(drawn + words))).toBe(
      "| Name | Both of these columns | Both of these columns |\n| --- | --- | --- |\n| First | one that is too long | a |\n| Second one | b | c |\n",
    )
  })

  it("by columns alone, also where cells are centred beside higher ones", async () => {
    const centred =
      text(76, 694, "Kind") +
      text(226, 700, "First") +
      text(226, 688, "quarter") +
      text(376, 700, "Second") +
      text(376, 688, "quarter") +
      row(666, ["Ferries", "412", "455"]) +
      row(644, ["Others", "140", "131"])
    expect(await markdownOf(onePage(centred))).toBe(
      "| Kind | First quarter | Second quarter |\n| --- | --- | --- |\n| Ferries | 412 | 455 |\n| Others | 140 | 131 |\n",
    )
  })

  it("by lines below rows, also where cells of many lines are centred beside one another", async () => {
    const cell = (left: number, top: number, words: ReadonlyArray<string>) => lines(words, { left, top })
    const head =
      cell(76, 725, ["Programme", "of it"]) +
      cell(226, 732, ["What it is", "all of it", "about"]) +
      text(376, 714, "Year")
    const long = [
      "Boats that",
      "go over",
      "the water",
      "between the",
      "two towns",
      "all of the",
      "long night",
    ]
    const first =
      cell(76, 655, ["Ferries", "at night"]) + cell(226, 690, [...long, "and day"]) + text(376, 648, "2005")
    const last = row(564, ["Trams", "Rails", "2016"])
    const drawn = [700, 582].map((y) => line(72, y, 522, y)).join("")
    const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const page = pages([{ content: drawn + head + first + last }], { objects: { 3: helvetica } })
    expect(await markdownOf(pdfOf(page))).toBe(
      "| Programme of it | What it is all of it about | Year |\n| --- | --- | --- |\n" +
        `| Ferries at night | ${long.join(" ")} and day | 2005 |\n| Trams | Rails | 2016 |\n`,
    )
  })

  /** A line below each cell, as browsers and word processors draw borders. */
  const borders = (bottom: number, sides: ReadonlyArray<number>) =>
    sides
      .slice(1)
      .map((right, index) => line(sides[index] ?? 0, bottom, right, bottom))
      .join("")

  it("by borders that are drawn cell by cell, where nothing else parts their columns", async () => {
    const sides = [72, 150, 190, 230]
    const cells = [
      ["Lamp", "17285", "82.7%"],
      ["Chair", "12200", "14.1%"],
      ["Table", "10031", "13.2%"],
    ]
    const page = cells.map((each, index) => {
      const bottom = 700 - 16 * index
      const texts = each.map((cell, column) => text((sides[column] ?? 0) + 3, bottom, cell, { size: 9 }))
      return texts.join("") + borders(bottom - 5, sides)
    })
    expect(await markdownOf(onePage(page.join("")))).toBe(
      "| Lamp | 17285 | 82.7% |\n| --- | --- | --- |\n| Chair | 12200 | 14.1% |\n| Table | 10031 | 13.2% |\n",
    )
  })

  it("with a row that the end of a column takes apart, many lines of which stand in the next column", async () => {
    const prose = (left: number, top: number, count: number) =>
      Array.from({ length: count }, (_, at) =>
        text(left, top - 12 * at, "A lamp that stands beside the windows", { size: 9 }),
      ).join("")
    const cells = (left: number, top: number, columns: ReadonlyArray<string>) =>
      columns
        .flatMap((words, column) =>
          words.split("/").map((each, at) => text(left + 3 + 80 * column, top - 10 * at, each, { size: 8 })),
        )
        .join("")
    const sides = (left: number) => [left, left + 80, left + 230]
    const content =
      prose(72, 700, 12) +
      cells(72, 540, ["Name", "What it is"]) +
      borders(535, sides(72)) +
      cells(72, 524, ["Lamp", "A thing that gives light"]) +
      borders(519, sides(72)) +
      cells(72, 508, ["Chair of", "A thing on which people"]) +
      cells(330, 700, ["the town", "sit, in/schools and/at home,/and which/often has/four legs."]) +
      borders(645, sides(330)) +
      cells(330, 634, ["Table", "A thing to eat at"]) +
      borders(629, sides(330)) +
      prose(330, 600, 9)
    const rowsThen = (await markdownOf(onePage(content))).split("\n").filter((each) => each.startsWith("|"))
    expect(rowsThen).toEqual([
      "| Name | What it is |",
      "| --- | --- |",
      "| Lamp | A thing that gives light |",
      "| Chair of the town | A thing on which people sit, in schools and at home, and which often has four legs. |",
      "| Table | A thing to eat at |",
    ])
  })

  it("without a line of justified text above them, or a larger one, that happens to keep to their columns", async () => {
    const sides = [72, 150, 230]
    const cells = [
      ["Lamp", "new"],
      ["Chair", "old"],
      ["Bed", "old"],
    ]
    const page = cells.map((each, index) => {
      const bottom = 700 - 14 * index
      const texts = each.map((cell, column) => text((sides[column] ?? 0) + 3, bottom, cell, { size: 9 }))
      return texts.join("") + borders(bottom - 4, sides)
    })
    const justified = [72, 115, 158, 201].map((left) => text(left, 712, "Words", { size: 9 })).join("")
    const larger = text(75, 724, "Of what", { size: 12 }) + text(153, 724, "Seen", { size: 12 })
    const written = await markdownOf(onePage(larger + justified + page.join("")))
    expect(written).toContain("Words Words Words Words\n\n| Lamp | new |\n")
  })

  it("by dotted lines, dot by dot, beside a column with a colour", async () => {
    const dots = (bottom: number) =>
      Array.from({ length: 225 }, (_, at) => `${72 + 2 * at} ${bottom} 1 1 re f\n`).join("")
    const cells = (bottom: number, ...columns: ReadonlyArray<string>) =>
      columns.map((cell, column) => text(76 + 150 * column, bottom, cell)).join("")
    const shaded = [area(72, 695, 150, 20), area(72, 667, 150, 28), area(72, 647, 150, 20)].join("")
    const page =
      shaded +
      [715, 695, 667, 647].map(dots).join("") +
      cells(700, "Item", "What it is for") +
      cells(682, "Lamp", "Seeing what is on") +
      cells(671, "", "a table") +
      cells(652, "Bed")
    expect(await markdownOf(onePage(page))).toBe(
      "| Item | What it is for |\n| --- | --- |\n| Lamp | Seeing what is on a table |\n| Bed |  |\n",
    )
  })

  it("without what stands above or below them and goes on beside them", async () => {
    const drawn = [715, 695, 675, 655].map((y) => line(132, y, 522, y)).join("")
    const cells = [
      ["Lamp", "12.00"],
      ["Chair", "80.50"],
      ["Table", "99.00"],
    ].map((each, at) => each.map((cell, column) => text(136 + 200 * column, 700 - 20 * at, cell)).join(""))
    const caption = text(72, 640, "The prices      of a lamp         are those of the last year")
    const written = await markdownOf(onePage(drawn + cells.join("") + caption))
    expect(written.split("\n\n").at(-1)).toMatch(/^The prices +of a lamp +are those of the last year\n$/)
  })

  it("two of them below one another, of the same width, with a title between", async () => {
    const ruled = [715, 695, 675, 615, 595, 575, 555].map((y) => line(72, y, 522, y)).join("")
    const wide = (bottom: number, cells: ReadonlyArray<string>) =>
      cells.map((cell, index) => text(76 + index * 250, bottom, cell)).join("")
    const second = wide(620, ["Town", "Distance"]) + wide(600, ["Bergen", "87"]) + wide(580, ["Oslo", "64"])
    const title = text(76, 650, "Table 2: how far it is to some of the towns")
    const first = row(700, ["Item", "Price", "Note"]) + row(680, ["Lamp", "12.00", "new"])
    expect(await markdownOf(onePage(ruled + first + title + second + wide(560, ["Hamar", "9"])))).toBe(
      "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp | 12.00 | new |\n\nTable 2: how far it is to some of the towns\n\n" +
        "| Town | Distance |\n| --- | --- |\n| Bergen | 87 |\n| Oslo | 64 |\n| Hamar | 9 |\n",
    )
  })

  it("two of them of the same width, whose lines are drawn cell by cell for other columns", async () => {
    const across = (y: number, ends: ReadonlyArray<number>) =>
      ends.map((end, index) => line(ends[index - 1] ?? 72, y, end, y)).join("")
    const first = [222, 372, 522]
    const second = [282, 442, 522]
    const wide = (bottom: number, cells: ReadonlyArray<string>) =>
      cells.map((cell, index) => text(76 + [0, 210, 370][index]!, bottom, cell)).join("")
    const content =
      [715, 695, 675].map((y) => across(y, first)).join("") +
      row(700, ["Item", "Price", "Note"]) +
      row(680, ["Lamp", "12.00", "new"]) +
      text(76, 655, "Of towns") +
      [645, 625, 605].map((y) => across(y, second)).join("") +
      wide(630, ["Town by the sea", "Distance", "By"]) +
      wide(610, ["Bergen in Norway", "87", "ship"])
    expect(await markdownOf(onePage(content))).toBe(
      "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp | 12.00 | new |\n\nOf towns\n\n" +
        "| Town by the sea | Distance | By |\n| --- | --- | --- |\n| Bergen in Norway | 87 | ship |\n",
    )
  })

  it("by lines between rows whose cells are left empty, to be filled in", async () => {
    const labels = ["Cells", "Divisions", "Daughter cells", "Purpose"]
    const across = [715, 695, 675, 655, 635, 615].map((y) => line(72, y, 522, y)).join("")
    const first = labels.map((label, index) => text(76, 680 - 20 * index, label)).join("")
    expect(await markdownOf(onePage(across + row(700, ["Mitosis", "Meiosis"]) + first))).toBe(
      `| Mitosis | Meiosis |\n| --- | --- |\n${labels.map((label) => `| ${label} |  |\n`).join("")}`,
    )
  })

  it("lines that part the sections of a text are none, though one of its lines is drawn out by wide spaces", async () => {
    const small = (bottom: number, words: string) => text(56, bottom, words, { size: 8 })
    const content =
      [736, 596, 187, 131].map((y) => line(56, y, 540, y)).join("") +
      small(
        670,
        "Many use lamps in the windows and on the walls, both of which have a higher price and more oil.",
      ) +
      small(612, "See the lamps of the harbour, of the church and of the town, or those of the smiths.") +
      small(580, "Features") +
      `3 Tw ${small(318, "No lamp stands in windows where it may need some cleaning of all of it when ships come")}`
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const written = await markdownOf(pdfOf(pages([{ content }], { objects: { 3: font } })))
    expect(written).not.toContain("|")
  })

  it("two of them with equal columns, with a short title between that is larger", async () => {
    const head = (bottom: number, cells: ReadonlyArray<string>) =>
      cells.map((cell, index) => text(76 + index * 150, bottom, cell, { font: "B" })).join("")
    const first = head(700, ["Item", "Price", "Note"]) + row(680, ["Lamp", "12.00", "new"])
    const second = head(600, ["Town", "Distance", "By"]) + row(580, ["Bergen", "87", "ship"])
    const title = text(76, 630, "Of towns", { size: 15 })
    const written = [
      "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp | 12.00 | new |\n\n",
      "Of towns\n\n| Town | Distance | By |\n| --- | --- | --- |\n| Bergen | 87 | ship |\n",
    ]
    const drawn = {
      threeLines: [715, 695, 675, 615, 595, 575].map((y) => line(72, y, 522, y)).join(""),
      heads: area(72, 695, 450, 20) + area(72, 595, 450, 20),
    }
    for (const each of Object.values(drawn)) {
      const markdown = await markdownOf(onePage(each + first + title + second))
      expect(markdown.replace(/^#+ /gm, "")).toBe(written.join(""))
    }
  })

  it("numbers that count beside texts are the marks of items, also between lines; beside names they are cells", async () => {
    const rules = [716, 696, 676, 656].map((at) => line(72, at, 540, at)).join("")
    const read = async (texts: ReadonlyArray<string>, first = 1) =>
      markdownOf(
        onePage(
          rules +
            texts
              .map(
                (each, row) => text(74, 702 - 20 * row, `(${first + row})`) + text(130, 702 - 20 * row, each),
              )
              .join(""),
        ),
      )
    const notes = [
      "The lamps of the harbour are lit at dusk.",
      "The ships come in at night.",
      "The rate of it is 21 percent.",
    ]
    expect(await read(notes)).toBe(`${notes.map((note, at) => `- (${at + 1}) ${note}`).join("\n")}\n`)
    expect(await read(["Bergen", "Oslo", "Trondheim"])).toContain("| (2) | Oslo |")
  })

  it("a frame around text, lines under headings, and columns of text between lines are none", async () => {
    const frame = "60 600 400 120 re S\n"
    expect(await markdownOf(onePage(frame + lines(["Some words in a frame"])))).toBe(
      "Some words in a frame\n",
    )
    const column = (left: number) =>
      lines(
        [
          "These are words of a",
          "column of text, which",
          "goes on for some lines",
          "and is no table at all.",
        ],
        { left, top: 690 },
      )
    const between = [715, 600].map((y) => line(72, y, 522, y)).join("")
    expect(await markdownOf(onePage(between + column(72) + column(320)))).not.toContain("|")
  })

  it("with the words that stand sideways in the head of its columns", async () => {
    const upwards = (left: number, bottom: number, characters: string) =>
      `BT /F 12 Tf 0 1 -1 0 ${left} ${bottom} Tm (${characters}) Tj ET\n`
    const grid =
      [760, 695, 675, 655].map((y) => line(72, y, 522, y)).join("") +
      [72, 222, 372, 522].map((x) => line(x, 655, x, 760)).join("")
    const head =
      text(76, 700, "Action") +
      upwards(292, 698, "May") +
      upwards(306, 698, "read") +
      upwards(442, 698, "None")
    const cells = row(680, ["Change", "X"]) + row(660, ["Remove", "", "X"])
    expect(await markdownOf(onePage(grid + head + cells))).toBe(
      "| Action | May read | None |\n| --- | --- | --- |\n| Change | X |  |\n| Remove |  | X |\n",
    )
  })

  it("goes on over pages, and its head is written once", async () => {
    const grid =
      across.map((y) => line(72, y, 522, y)).join("") + down.map((x) => line(x, 655, x, 715)).join("")
    const more =
      row(700, ["Item", "Price", "Note"]) + row(680, ["Table", "3.00", "old"]) + row(660, ["Bed", "9.50"])
    const pdf = pdfOf(pages([{ content: grid + rows }, { content: grid + more }]))
    expect(await markdownOf(pdf)).toBe(`${table}| Table | 3.00 | old |\n| Bed | 9.50 |  |\n`)
  })

  it("more lines than are looked at leave the text as it is", async () => {
    const many = "0 0 m 1 1 l S\n".repeat(60_000)
    expect(await markdownOf(onePage(many + lines(["Some words"])))).toBe("Some words\n")
  })
})

describe("file-md-json: what comes back on the pages of a PDF", () => {
  const page = (number: number, words: string) => ({
    content: text(200, 760, "A running header") + lines([words]) + text(300, 30, `${number}`),
  })

  it("running headers and page numbers are left out, with a warning that counts them", async () => {
    const pdf = pdfOf(pages([page(7, "One."), page(8, "Two."), page(9, "Three.")]))
    const { markdown, warnings } = await converted(pdf, "a.pdf")
    expect(markdown).toBe("One.\n\nTwo.\n\nThree.\n")
    expect(warnings).toEqual([
      {
        code: "headers_footers_left_out",
        message: "Running headers, footers and page numbers were left out: 6 line(s) on 3 page(s).",
      },
    ])
  })

  it("a line on a single page stays, and so do numbers that do not count pages", async () => {
    expect(await markdownOf(pdfOf(pages([page(7, "One.")])))).toBe("A running header\n\nOne.\n\n7\n")
    const pdf = pdfOf(pages([page(7, "One."), page(4, "Two."), page(6, "Three.")]))
    expect(await markdownOf(pdf)).toBe("One.\n\n7\n\nTwo.\n\n4\n\nThree.\n\n6\n")
  })

  it("a sentence, and a word, that the end of a page took apart are joined", async () => {
    const pdf = pdfOf(
      pages([page(1, "A sentence that is too long for a sin-"), page(2, "gle page of this.")]),
    )
    expect(await markdownOf(pdf)).toBe("A sentence that is too long for a single page of this.\n")
  })
})

describe("file-md-json: lists and code of a PDF", () => {
  it("bullets that are drawn", async () => {
    const disc = (x: number, y: number) =>
      `${x} ${y} m ${x} ${y + 2} ${x + 4} ${y + 2} ${x + 4} ${y} c ${x + 4} ${y - 2} ${x} ${y - 2} ${x} ${y} c f\n`
    const pdf = onePage(disc(62, 703) + disc(62, 689) + lines(["First", "Second"]))
    expect(await markdownOf(pdf)).toBe("- First\n- Second\n")
  })

  it("letters and Roman numbers that count; a name with an initial is none", async () => {
    expect(await markdownOf(onePage(lines(["a) One", "b) Two"])))).toBe("- a) One\n- b) Two\n")
    expect(await markdownOf(onePage(lines(["(i) One", "(ii) Two", "(iii) Three"])))).toBe(
      "- (i) One\n- (ii) Two\n- (iii) Three\n",
    )
    expect(await markdownOf(onePage(lines(["A. Smith wrote it."])))).toBe("A. Smith wrote it.\n")
  })

  it("the letter o far from its text, a bullet of word processors", async () => {
    const item = (top: number, words: string) => text(90, top, "o") + text(108, top, words)
    expect(await markdownOf(onePage(lines(["\u0095 One"]) + item(686, "Two") + item(672, "Three")))).toBe(
      "- One\n  - Two\n  - Three\n",
    )
    expect(await markdownOf(onePage(lines(["o gato", "dorme"])))).toContain("o gato")
  })

  it("numbers of several levels that count, with the number, also where their texts begin in one column", async () => {
    const item = (top: number, number: string, words: string) => text(72, top, number) + text(115, top, words)
    expect(await markdownOf(onePage(lines(["1. One", "1.1 Two", "1.2 Three", "2. Four", "2.1 Five"])))).toBe(
      "1. One\n\n- 1.1 Two\n- 1.2 Three\n\n2. Four\n\n- 2.1 Five\n",
    )
    const column = ["2.3.1. First", "2.3.2. Second", "2.3.3. Third"].map((line, index) => {
      const [number = "", words = ""] = line.split(" ")
      return item(700 - 14 * index, number, words)
    })
    expect(await markdownOf(onePage(column.join("")))).toBe(
      "- 2.3.1. First\n- 2.3.2. Second\n- 2.3.3. Third\n",
    )
    const numbers = ["0.06 One 0.15", "1.07 Two 2.16"].map((line, index) =>
      line
        .split(" ")
        .map((cell, at) => text(72 + 60 * at, 700 - 14 * index, cell))
        .join(""),
    )
    expect(await markdownOf(onePage(numbers.join("")))).toContain("| 0.06 | One | 0.15 |")
    expect(await markdownOf(onePage(lines(["2.5 kg of flour are needed."])))).toBe(
      "2.5 kg of flour are needed.\n",
    )
  })

  it("marks that stand at their text without a space", async () => {
    expect(await markdownOf(onePage(lines(["1.One", "2.Two", "3.E. Three"])))).toBe(
      "1. One\n2. Two\n3. E. Three\n",
    )
    expect(await markdownOf(onePage(lines(["a)One", "b)Two"])))).toBe("- a) One\n- b) Two\n")
    expect(await markdownOf(onePage(lines(["e.g. one of 3.5GHz"])))).toBe("e.g. one of 3.5GHz\n")
  })

  it("a letter that stands before three lines that begin with a capital; before two it is a word", async () => {
    expect(await markdownOf(onePage(lines(["r First", "r Second", "r Third"])))).toBe(
      "- First\n- Second\n- Third\n",
    )
    expect(await markdownOf(onePage(lines(["r First", "r Second"])))).not.toContain("- First")
  })

  it("a number after a bullet", async () => {
    expect(await markdownOf(onePage(lines(["\u0095 1. One", "\u0095 2. Two"])))).toBe("1. One\n2. Two\n")
  })

  it("lines in a font of equal widths are code, with their spaces, where other text has another font", async () => {
    const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const courier = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    const code = (bottom: number, left: number, words: string) =>
      text(left, bottom, words, { font: "B", size: 10 })
    const content =
      lines([
        "Some words that explain what the lines below them do, in a",
        "font that is not one of equal widths.",
      ]) +
      code(660, 72, "if (a) {") +
      code(648, 84, "b = c    // why") +
      code(624, 72, "}")
    const pdf = pdfOf(pages([{ content }], { objects: { 3: helvetica, 4: courier } }))
    expect(await markdownOf(pdf)).toBe(
      "Some words that explain what the lines below them do, in a font that is not one of equal widths.\n\n" +
        "```\nif (a) {\n  b = c    // why\n\n}\n```\n",
    )
  })

  it("what is lowered in code stands on its line", async () => {
    const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const content =
      lines(["Some words that explain what the lines below them do, in a", "font of no equal widths."]) +
      "BT /B 10 Tf 1 0 0 1 72 660 Tm (b = a) Tj -2 Ts /B 6 Tf (1) Tj ET\n" +
      text(72, 648, "c = b", { font: "B", size: 10 })
    const pdf = pdfOf(pages([{ content }], { objects: { 3: helvetica } }))
    expect(await markdownOf(pdf)).toContain("```\nb = a1\nc = b\n```\n")
  })

  it("characters of one glyph, and of two halves, are one word", async () => {
    const map = [
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def",
      "1 begincodespacerange <00> <FF> endcodespacerange",
      "3 beginbfchar <61> <00660066> <62> <0062> <63> <D83DDE00> endbfchar",
      "endcmap CMapName currentdict /CMap defineresource pop end end",
    ].join("\n")
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>"
    const pdf = pdfOf(pages([{ content: text(72, 700, "babcb") }], { objects: { 3: font, 6: stream(map) } }))
    expect(await markdownOf(pdf)).toBe("bffb😀b\n")
  })
})

it("file-md-json: the page of the documentation becomes what the documentation says", async () => {
  const page = readFileSync(new URL("../../../../docs/explain/documents.md", import.meta.url), "utf8")
  const [, shown] = /^````markdown\n([\s\S]*?)^````$/m.exec(page) ?? []
  const pdf = readFileSync(new URL("fixtures/harbour.pdf", import.meta.url))
  const { json, markdown } = await converted(pdf, "harbour.pdf")
  expect(markdown).toBe(shown)
  const [, fields = ""] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? []
  const said: { readonly markdown: string } = JSON.parse(fields)
  const cut = said.markdown.replace(/…$/, "")
  expect(said).toEqual({ ...json, markdown: `${markdown.slice(0, cut.length)}…` })
})

describe("file-md-json: contents, footnotes and initials of a PDF", () => {
  it("writes a table of contents as a list without the dots", async () => {
    const markdown = await markdownOf(
      onePage(
        lines([
          "The beginning ............................ 1",
          "Of harbours . . . . . . . . . . . . . . 12",
          "Of ships ................................ iv",
        ]),
      ),
    )
    expect(markdown).toBe("- The beginning 1\n- Of harbours 12\n- Of ships iv\n")
  })

  it("writes chapters without dots between sections with dots as entries of one list, without the running title of its second page", async () => {
    const bold = (left: number, bottom: number, words: string) => text(left, bottom, words, { font: "B" })
    const chapter = (bottom: number, number: number, title: string, page: number) =>
      bold(72, bottom, `${number}`) + bold(96, bottom, title) + bold(500, bottom, `${page}`)
    const section = (bottom: number, title: string, page: number) =>
      text(96, bottom, `${title} ${". ".repeat(28 - title.length / 2)}`) + text(500, bottom, `${page}`)
    const first =
      text(72, 740, "Contents", { size: 20, font: "B" }) +
      chapter(700, 1, "Of harbours", 1) +
      chapter(672, 2, "Of ships", 2) +
      section(658, "2.1 Of masts", 2) +
      section(644, "2.2 Of sails", 3) +
      chapter(616, 3, "Of lamps", 4) +
      section(602, "3.1 Of oil", 4) +
      section(588, "3.2 Of wicks", 5) +
      chapter(560, 4, "Of the sea", 6) +
      chapter(532, 5, "Of the wind", 7) +
      chapter(504, 6, "Of the moon", 8)
    const second = bold(72, 760, "ii") + bold(440, 760, "CONTENTS") + chapter(700, 7, "Of the end", 9)
    const rest = Array.from({ length: 9 }, (_, page) => ({
      content: lines([`The text of page ${page + 1} stands here, and goes on`, "until it is over."]),
    }))
    const markdown = await markdownOf(pdfOf(pages([{ content: first }, { content: second }, ...rest])))
    const list = markdown.slice(0, markdown.indexOf("\n\nThe text of"))
    expect(list.split("\n").slice(2)).toEqual([
      "- 1 Of harbours 1",
      "- 2 Of ships 2",
      "  - 2.1 Of masts 2",
      "  - 2.2 Of sails 3",
      "- 3 Of lamps 4",
      "  - 3.1 Of oil 4",
      "  - 3.2 Of wicks 5",
      "- 4 Of the sea 6",
      "- 5 Of the wind 7",
      "- 6 Of the moon 8",
      "- 7 Of the end 9",
    ])
  })

  it("takes a number with that of its chapter for the number of a page", async () => {
    const entries = ["Quays ·············· 1-1", "Lamps ·············· 2-14", "Pilots ············· 10-3"]
    const markdown = await markdownOf(onePage(lines(entries)))
    expect(markdown.replaceAll("\u00b7", "")).toBe("- Quays 1-1\n- Lamps 2-14\n- Pilots 10-3\n")
  })

  it("puts footnotes after the text of their page, not into a sentence that goes on in the next column", async () => {
    const left = lines(
      [
        "A sentence of the first column that is",
        "long and goes over some lines, such as",
        "these, and goes on at the top of the",
      ],
      { left: 50, size: 9, top: 300 },
    )
    const note = text(50, 200, "1", { size: 4 }) + text(56, 198, "A note of few words.", { size: 7 })
    const right = lines(
      [
        "second column, where it ends. The text",
        "that follows stands in the same column",
        "and nothing comes after it.",
      ],
      { left: 320, size: 9, top: 300 },
    )
    const markdown = await markdownOf(onePage(left + note + right))
    expect(markdown).toContain("at the top of the second column, where it ends.")
    expect(markdown.trimEnd().endsWith("1 A note of few words.")).toBe(true)
  })

  it("leaves what is set small and counted above the columns of a page, such as the places of its authors, there", async () => {
    const places =
      text(150, 560, "1", { size: 5 }) +
      text(156, 557, "Department of Geography in Bergen", { size: 8 }) +
      lines(["The harbours of the coast were looked at over ten years, and were found to be there."], {
        left: 50,
        size: 8,
        top: 535,
      })
    const title = text(150, 600, "Of harbours", { size: 18 })
    const column = (left: number, begin: string) =>
      lines([begin, "long and goes over some lines, such as", "these, until it ends."], {
        left,
        size: 10,
        top: 500,
      })
    const markdown = await markdownOf(
      onePage(
        title + places + column(50, "The text of a column that is") + column(320, "Another one, which is as"),
      ),
    )
    const order = ["# Of harbours", "Department", "were found to be there.", "The text of", "Another one"]
    expect(order.map((words) => markdown.indexOf(words)).toSorted((a, b) => a - b)).toEqual(
      order.map((words) => markdown.indexOf(words)),
    )
    expect(markdown).toContain("Department")
  })

  it("puts a large letter that stands over two lines into the word above that it begins", async () => {
    const rest = [
      "he harbour lay under a low sky, and the boats knocked",
      "the quay with a dull sound. It was the third of weeks.",
    ]
    const below = lines(["No boat had come down the river for days, as is known."], { top: 672 })
    const page = onePage(text(72, 686, "T", { size: 34 }) + lines(rest, { left: 94 }) + below)
    expect(await markdownOf(page)).toMatch(/^The harbour lay .* knocked the quay with/)
  })

  it("knows a footnote by its number and a bracket, which a word of the text above ends with", async () => {
    const left = lines(
      [
        "A sentence1) of the first column that is",
        "long and goes over some lines, such as",
        "these, and goes on at the top of the",
      ],
      { left: 50, size: 9, top: 300 },
    )
    const note = text(50, 200, "1) A note of few words.", { size: 7 })
    const right = lines(["second column, where it ends. The text", "that follows is there.", "It ends."], {
      left: 320,
      size: 9,
      top: 300,
    })
    const noted = await markdownOf(onePage(left + note + right))
    expect(noted).toContain("at the top of the second column")
    expect(noted).toContain("A note of few words.")
    const item = text(50, 200, "2) An item of a list.", { size: 7 })
    expect(await markdownOf(onePage(left + item + right))).toContain("2. An item of a list.")
  })

  it("knows footnotes as large as the text by a short line above them, and the number of the first behind a word", async () => {
    const body = [
      "The lamps of the quay are lit.1 They burn all night,",
      "and those of the moles2 burn by day.",
    ]
    const notes = [
      "1. All of them are white.",
      "2. They were red before, and those of",
      "the third quay, too.",
    ]
    const page = (length: number, above = body): Buffer =>
      pdfOf(
        pages([
          {
            content:
              lines(above, { left: 72, size: 10, top: 300 }) +
              lines(["The lamps of the town", "are lit as well, but for those of the ships that"], {
                left: 72,
                size: 10,
                top: 250,
              }) +
              line(72, 110, 72 + length, 110) +
              lines(notes, { left: 78, size: 10, top: 96, leading: 12 }),
          },
          { content: lines(["lie in the harbour."], { size: 10 }) },
        ]),
      )
    expect(await markdownOf(page(144))).toMatch(
      /for those of the ships that lie in the harbour\.[\s\S]*1\\\. All of them are white\.\n\n2\\\. They were red before, and those of the third quay, too\.\n$/,
    )
    // A list below a line across the page, or that no word refers to.
    expect(await markdownOf(page(400))).toContain("\n1. All of them are white.\n2. They")
    const plain = body.map((words) => words.replaceAll(/\d/g, ""))
    expect(await markdownOf(page(144, plain))).toContain("\n1. All of them are white.\n2. They")
  })

  it("an item goes on in the next column where its lines begin behind its mark, also with a capital", async () => {
    const hanging = (left: number, top: number, list: ReadonlyArray<string>) =>
      lines(list, { left: left + 14, size: 9, top })
    const words = ["The words of the item go over a few lines", "and end in this one.", "It is read whole."]
    const left =
      lines(["These words go over all of the column, as", "do these."], { left: 50, size: 9, top: 300 }) +
      text(50, 270, "1.", { size: 9 }) +
      hanging(50, 270, ["An item of a list is named after Thomas"])
    const right =
      hanging(320, 300, ["Bayes. He has published nothing about it."]) +
      lines(["A paragraph follows it, which goes over the", "next line and ends."], {
        left: 320,
        size: 9,
        top: 272,
      })
    const joined = await markdownOf(onePage(left + right))
    expect(joined).toContain(
      "1. An item of a list is named after Thomas Bayes. He has published nothing about it.\n",
    )
    const apart = lines(["Bayes has published nothing about it.", ...words], { left: 320, size: 9, top: 300 })
    expect(await markdownOf(onePage(left + apart))).toContain("after Thomas\n")
  })

  it("a sentence goes on in the next column with a name or a number behind a full line; a caption or a title stands apart", async () => {
    const left = [
      "The first column has a sentence that is",
      "long and goes over three lines, which was",
      "written in the last year about Thomas in",
    ]
    const rest = ["second column, where it ends. The text", "that follows stands in the same column."]
    const markdown = (list: ReadonlyArray<string>) =>
      markdownOf(
        onePage(lines(left, { left: 50, size: 9, top: 300 }) + lines(list, { left: 320, size: 9, top: 300 })),
      )
    expect(await markdown(["Bergen, a town that is not told of in the", ...rest])).toContain(
      "Thomas in Bergen, a town",
    )
    expect(await markdown(["1921, as is told at some length in the", ...rest])).toContain(
      "Thomas in 1921, as is told",
    )
    expect(await markdown(["Table 3. Of a town that is told of in the", ...rest])).toContain(
      "Thomas in\n\nTable 3.",
    )
    expect(await markdown(["A Title of Words", "", ...rest])).toContain("Thomas in\n\nA Title")
  })

  it("a sentence goes on in the next column with a name where some of its lines are set in another font", async () => {
    const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const left = ["The first column has a sentence that is", "long and goes over three lines, which was"]
    const right = ["Bergen, a town that is not told of in the", "second column, where it ends. The text"]
    const content =
      lines([...left, "written in the last year about Thomas in"], { left: 50, size: 9, top: 300 }) +
      lines(right, { left: 320, size: 9, top: 300 }) +
      text(320, 272, "that follows stands in the same column.", { size: 9, font: "B" })
    const pdf = pdfOf(pages([{ content }], { objects: { 4: helvetica } }))
    expect(await markdownOf(pdf)).toContain("Thomas in Bergen, a town")
  })

  it("bold lines above tables are titles where the tables hold all of the text", async () => {
    const title = (bottom: number, words: string) => text(72, bottom, words, { font: "B" })
    const first =
      row(700, ["Item", "Price", "Note"]) + row(680, ["Lamp", "12.00", "new"]) + row(660, ["Chair", "80.50"])
    const second =
      row(600, ["Town", "Distance", "By"]) +
      row(580, ["Bergen", "87", "sea"]) +
      row(560, ["Oslo", "64", "rail"])
    const drawn = [715, 695, 675, 655, 615, 595, 575, 555].map((y) => line(72, y, 522, y)).join("")
    const sides = [72, 222, 372, 522].flatMap((x) => [line(x, 655, x, 715), line(x, 555, x, 615)]).join("")
    const markdown = await markdownOf(
      onePage(drawn + sides + title(725, "Goods") + first + title(630, "Journeys") + second),
    )
    expect(markdown).toMatch(/^# Goods\n\n\|[^#]*\n# Journeys\n\n\|/)
  })

  it("a line like the titles in another font is one above the only line that its column has left", async () => {
    const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const times = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>"
    const part = (top: number, title: string, count: number) =>
      text(72, top, title, { font: "B" }) +
      lines(["These words go over nearly all of the width of the column", "and on."].slice(0, count), {
        top: top - 16,
      })
    const content = part(700, "First", 2) + part(640, "Second", 2) + part(580, "Third", 1)
    const page = pages([{ content }], { objects: { 3: times, 4: helvetica } })
    expect(await markdownOf(pdfOf(page))).toMatch(/^# First\n[^#]*\n# Second\n[^#]*\n# Third\n/)
  })

  it("knows items by bare numbers before indented lines", async () => {
    const item = (number: number, top: number) =>
      text(72, top, String(number)) +
      lines(["The text of an item goes over several", "lines that begin below one another."], {
        left: 90,
        top,
      })
    expect(await markdownOf(onePage(item(1, 700) + item(2, 660)))).toBe(
      "1. The text of an item goes over several lines that begin below one another.\n2. The text of an item goes over several lines that begin below one another.\n",
    )
  })

  it("keeps an item together whose first line leaves as much room at both sides", async () => {
    const content =
      lines([
        "These words go over all of the width of a column of text,",
        "and so do these words, nearly to the end of it, as it is.",
      ]) +
      text(100, 650, "5. Add a little water to each of the bags and then") +
      text(122, 636, "mix.") +
      text(100, 622, "6. Close them.")
    expect(await markdownOf(onePage(content))).toContain("each of the bags and then mix.\n6. Close them.")
  })

  it("joins the large letter that a paragraph begins with", async () => {
    const markdown = await markdownOf(
      onePage(
        text(72, 690, "D", { size: 30 }) +
          lines(["rop caps are used at the start", "of a section, and are large."], { left: 92 }) +
          lines(["They are seldom."], { top: 640 }),
      ),
    )
    expect(markdown).toContain("Drop caps are used")
  })
})
