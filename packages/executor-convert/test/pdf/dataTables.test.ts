import { describe, expect, it } from "vitest"
import { at, line, lines, onePage, pages, pdfOf, small, text } from "./makePdf.ts"
import { markdownOf, rowsOf } from "./readPdf.ts"

const shown = async (content: string): Promise<ReadonlyArray<string>> =>
  rowsOf(await markdownOf(onePage(content)))

describe("file-md-json: labels of several lines in tables of numbers of a PDF", () => {
  const values = (bottom: number, label: string, left: number, first: string, second: string): string =>
    at(bottom, { [left]: label, 300: first, 380: second })
  const head = at(716, { 72: "Goods of the harbour", 300: "1999", 380: "2000" })
  const other =
    values(702, "Rope", 72, "3.6", "6.1") +
    values(690, "Tar and pitch", 72, "0.9", "1.8") +
    values(678, "Lamps of the larger kind", 72, "0.7", "1.4")

  it("are one cell, whose values stand beside the last of its lines", async () => {
    const wrapped =
      small(72, 666, "Sails of canvas, with what is") +
      small(81, 654, "needed to mend them, such as") +
      values(642, "needles", 81, "0.4", "0.6")
    const rows = await shown(head + other + wrapped + values(630, "Anchors", 72, "1.2", "2.2"))
    expect(rows).toEqual([
      "| Goods of the harbour | 1999 | 2000 |",
      "| Rope | 3.6 | 6.1 |",
      "| Tar and pitch | 0.9 | 1.8 |",
      "| Lamps of the larger kind | 0.7 | 1.4 |",
      "| Sails of canvas, with what is needed to mend them, such as needles | 0.4 | 0.6 |",
      "| Anchors | 1.2 | 2.2 |",
    ])
  })

  it("are rows of their own where they are titles of groups, whose rows begin alike", async () => {
    const grouped =
      small(72, 666, "Sails of canvas by their kinds") +
      values(654, "large ones", 81, "0.4", "0.6") +
      values(642, "small ones", 81, "0.2", "0.3")
    const rows = await shown(head + other + grouped)
    expect(rows.slice(4)).toEqual([
      "| Sails of canvas by their kinds |  |  |",
      "| large ones | 0.4 | 0.6 |",
      "| small ones | 0.2 | 0.3 |",
    ])
  })

  it("are rows of their own above others that had room for their first word", async () => {
    const titled = small(72, 666, "Sails") + values(654, "Canvas", 81, "0.4", "0.6")
    const rows = await shown(head + other + titled + values(642, "Anchors", 72, "1.2", "2.2"))
    expect(rows.slice(4, 6)).toEqual(["| Sails |  |  |", "| Canvas | 0.4 | 0.6 |"])
  })

  it("are one cell also where dots lead to their value", async () => {
    const led = (bottom: number, label: string, left: number, value: string): string => {
      const end = left + 5.4 * (label.length + 1)
      return at(bottom, { [left]: label, [end]: ".".repeat(Math.floor((290 - end) / 5.4)), 300: value })
    }
    const rows = await shown(
      led(700, "Rope", 72, "9628") +
        led(688, "Tar and pitch", 72, "9629") +
        led(676, "Lamps", 72, "9631") +
        small(72, 664, "Sails of canvas, with what is needed to") +
        led(652, "mend them", 81, "9813") +
        led(640, "Anchors", 72, "9641"),
    )
    expect(rows).toContain("| Sails of canvas, with what is needed to mend them | 9813 |")
  })
})

describe("file-md-json: texts of several lines in the last column of a table of a PDF", () => {
  const rules = [720, 700, 600].map((y) => line(72, y, 540, y)).join("")
  const head = at(706, { 72: "Index", 150: "What is done" })
  const written = (
    texts: ReadonlyArray<readonly [label: string, left: number, words: string]>,
  ): Promise<ReadonlyArray<string>> =>
    shown(
      rules +
        head +
        texts
          .map(
            ([label, left, words], at) =>
              (label === "" ? "" : small(72, 688 - 11 * at, label)) + small(left, 688 - 11 * at, words),
          )
          .join(""),
    )

  it("are in one cell, also where their lines but the first stand further in, and are as far from one another as rows", async () => {
    expect(
      await written([
        ["0.6", 150, "Low risk of loss. Use lamps by the needs of ships."],
        ["1.2", 150, "Medium risk. Look at the index and at all of the places that"],
        ["", 162, "may be of concern later on. Keep to the lamps of the quay"],
        ["", 162, "and to the rules of the harbour, as told by the Office of"],
        ["", 162, "Lamps."],
        ["1.8", 150, "High risk. Use no lamps."],
      ]),
    ).toEqual([
      "| Index | What is done |",
      "| 0.6 | Low risk of loss. Use lamps by the needs of ships. |",
      "| 1.2 | Medium risk. Look at the index and at all of the places that may be of concern later on. Keep to the lamps of the quay and to the rules of the harbour, as told by the Office of Lamps. |",
      "| 1.8 | High risk. Use no lamps. |",
    ])
  })

  it("are rows where a line that begins in upper case had room above", async () => {
    const rows = await written([
      ["0.6", 150, "Ferries of the old kind, with the lamps of the quay beside them"],
      ["1.2", 150, "Tugs of the harbour, and those of the"],
      ["", 162, "yard, with one mast"],
      ["", 162, "Tugs of the yard with two masts, which the Office may see"],
      ["", 162, "Tugs with no mast"],
      ["1.8", 150, "Lamps of the quay"],
    ])
    expect(rows).toHaveLength(6)
  })
})

describe("file-md-json: tables of a PDF whose lines part columns alone", () => {
  const columns = [60, 100, 190, 230, 280, 430, 480, 540]
  const drawn = (bottom: number): string =>
    [720, 700, bottom].map((y) => line(60, y, 540, y)).join("") +
    columns.map((x) => line(x, bottom, x, 720)).join("")
  const heads = at(706, {
    64: "Item",
    104: "Day and hour",
    194: "Ship",
    234: "Mast",
    284: "Event",
    434: "Quay",
    484: "Sort",
  })
  const row = (index: number, bottom: number, event: string): string =>
    at(bottom, {
      64: `${129 + index}`,
      104: `10${index} 12:3${index}:25`,
      194: "32",
      ...(event === "" ? {} : { 284: event }),
      484: index % 2 === 0 ? "2V" : "1DP",
    })
  const events = ["Rise", "Set", "Rise", "Ferry leaves", "Set", "Rise", "Set"]

  it("have the rows that nearly all columns with something show, also where most of the others are empty", async () => {
    const rows = events.map((event, index) => row(index, 686 - 14 * index, event))
    expect(await shown(drawn(590) + heads + rows.join(""))).toEqual([
      "| Item | Day and hour | Ship | Mast | Event | Quay | Sort |",
      ...events.map(
        (event, index) =>
          `| ${129 + index} | 10${index} 12:3${index}:25 | 32 |  | ${event} |  | ${index % 2 === 0 ? "2V" : "1DP"} |`,
      ),
    ])
  })

  it("have them also where boxes are drawn around texts of one column, which stand below what the first column counts", async () => {
    const boxed = (top: number, bottom: number): string =>
      [top, bottom].map((y) => line(280, y, 430, y)).join("")
    const content =
      drawn(540) +
      heads +
      events
        .map((event, index) =>
          row(index, [686, 672, 658, 620, 606, 592, 578][index] ?? 0, index === 2 ? "" : event),
        )
        .join("") +
      boxed(655, 629) +
      small(284, 646, "The light is put out,") +
      small(284, 636, "and lit once more")
    const rows = await shown(content)
    expect(rows).toHaveLength(8)
    expect(rows[3]).toBe("| 131 | 102 12:32:25 | 32 |  | The light is put out, and lit once more |  | 2V |")
    expect(rows[4]).toBe("| 132 | 103 12:33:25 | 32 |  | Ferry leaves |  | 1DP |")
  })

  it("are one row where their columns hold texts of several lines", async () => {
    const texts = [
      "This is a text that",
      "goes on in its cell",
      "from line to line",
      "and has no figures",
      "in any of them, as",
      "it is one sentence",
    ]
    const content =
      drawn(600) +
      heads +
      texts
        .map((words, index) =>
          at(686 - 14 * index, { 284: words, 104: "of a harbour".slice(0, 6 + index), 434: "and so" }),
        )
        .join("")
    expect(await shown(content)).toHaveLength(2)
  })
})

describe("file-md-json: a table of a PDF with lines around its head alone", () => {
  it("has the rows below, also where their cells are wider than the heads", async () => {
    const head =
      at(728, { 230: "Number", 330: "Share" }) +
      at(717, { 230: "of the", 330: "of all" }) +
      at(706, { 80: "Substance", 230: "list", 330: "(%)" })
    const names = ["Ethylbenzene", "trans-1,3-Dichloropropene", "Isopropylbenzene (cumene)", "Naphthalene"]
    const rows = names.map((name, index) =>
      at(688 - 12 * index, { 62: `${42 + index}`, 80: name, 230: `10${index}-41-4`, 330: `${index}.6` }),
    )
    const content = line(60, 740, 420, 740) + line(60, 700, 420, 700) + head + rows.join("")
    const markdown = await markdownOf(onePage(content))
    expect(markdown.match(/^\| ---/gm)).toHaveLength(1)
    expect(rowsOf(markdown).slice(-names.length)).toEqual(
      names.map((name, index) => `| ${42 + index} | ${name} | 10${index}-41-4 | ${index}.6 |`),
    )
  })
})

describe("file-md-json: heads in a table of a PDF that are wider than their numbers", () => {
  it("stand in the columns of these, also where lines part groups of columns alone", async () => {
    const drawn =
      [720, 700, 600].map((y) => line(60, y, 520, y)).join("") +
      [60, 140, 520].map((x) => line(x, 600, x, 720)).join("")
    const head = at(706, {
      64: "Region",
      142: "Remdesivir",
      208: "Molnupiravir",
      290: "Total in all",
      380: "Remdesivir %",
      458: "Molnupir. %",
    })
    const ends = [190, 250, 340, 430, 500]
    const rows = Array.from({ length: 6 }, (_, index) => {
      const cells = [`${27 + index}`, `${23 * (index + 1)}`, `${50 + index}`, `${index},0%`, "1,5%"]
      return (
        small(64, 686 - 14 * index, `Coast ${"abcdef"[index]}`) +
        cells
          .map((cell, column) => small((ends[column] ?? 0) - 5.4 * cell.length, 686 - 14 * index, cell))
          .join("")
      )
    })
    expect((await shown(drawn + head + rows.join(""))).slice(0, 2)).toEqual([
      "| Region | Remdesivir | Molnupiravir | Total in all | Remdesivir % | Molnupir. % |",
      "| Coast a | 27 | 23 | 50 | 0,0% | 1,5% |",
    ])
  })
})

describe("file-md-json: rows of a PDF that share most of their cells", () => {
  it("have the text of each of these", async () => {
    const columns = [60, 160, 220, 320, 380, 440]
    const drawn =
      [720, 700, 660, 620].map((y) => line(60, y, 440, y)).join("") +
      line(220, 680, 320, 680) +
      line(220, 640, 320, 640) +
      columns.map((x) => line(x, 620, x, 720)).join("")
    const content =
      drawn +
      at(706, { 64: "Survey", 164: "Towns", 224: "Group", 324: "Share", 384: "Size" }) +
      at(677, { 64: "Lamps", 164: "2400", 324: "10%", 384: "1728" }) +
      at(687, { 224: "Men" }) +
      at(667, { 224: "Women" }) +
      at(637, { 64: "Oil", 164: "1200", 324: "5%", 384: "1825" }) +
      at(647, { 224: "Men" }) +
      at(627, { 224: "Women" })
    expect(await shown(content)).toEqual([
      "| Survey | Towns | Group | Share | Size |",
      "| Lamps | 2400 | Men | 10% | 1728 |",
      "| Lamps | 2400 | Women | 10% | 1728 |",
      "| Oil | 1200 | Men | 5% | 1825 |",
      "| Oil | 1200 | Women | 5% | 1825 |",
    ])
  })
})

describe("file-md-json: tables that are typed with dashes and bars in a PDF", () => {
  const typed = [
    "---------------------------------------------",
    "|PORT              |  Ships    |  Boats      |",
    "|------------------+-----------+-------------|",
    "|HARBOUR (NORTH)   |     |     |      |      |",
    "|------------------|     |     |      |      |",
    "|437GD QUAY        |2,917| 0.0%| 2,910|  0.0%|",
    "|------------------+-----+-----+------+------|",
    "|438   OLD MOLE    |  122| 0.3%|   112|  0.3%|",
    "|------------------+-----+-----+------+------|",
    "|438GB TAR|PITCH   |  578| 0.0%|   511|  0.0%|",
    "---------------------------------------------",
  ]
  const table = (list: ReadonlyArray<string>): string =>
    list.map((words, index) => text(72, 700 - 10 * index, words, { size: 9 })).join("")

  it("are tables, with heads over several columns", async () => {
    expect(await shown(text(72, 720, "Ships by ports") + table(typed))).toEqual([
      "| PORT | Ships | Ships | Boats | Boats |",
      "| HARBOUR (NORTH) |  |  |  |  |",
      "| 437GD QUAY | 2,917 | 0.0% | 2,910 | 0.0% |",
      "| 438 OLD MOLE | 122 | 0.3% | 112 | 0.3% |",
      "| 438GB TAR PITCH | 578 | 0.0% | 511 | 0.0% |",
    ])
  })

  it("are code in a text of another font", async () => {
    const prose = "The lamp stands on the table beside the window, where it is seen from the street."
    const page = pages(
      [
        {
          content:
            table(typed).replaceAll("/F ", "/B ") + lines(Array(20).fill(prose), { top: 560, size: 9 }),
        },
      ],
      {
        objects: {
          3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
          4: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
        },
      },
    )
    expect(await markdownOf(pdfOf(page))).toContain("|437GD QUAY        |2,917|")
  })
})
