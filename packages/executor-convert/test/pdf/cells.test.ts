import { describe, expect, it } from "vitest"
import { isEvenlySpaced } from "../../src/embedded/pdf/Cells.ts"
import { fontOf } from "../../src/embedded/pdf/Fonts.ts"
import type { Word } from "../../src/embedded/pdf/Word.ts"
import { at, line, onePage, pages, pdfOf, small, text } from "./makePdf.ts"
import { markdownOf, rowsOf } from "./readPdf.ts"

/** Lines across at these heights and down at these places, over the whole table. */
const grid = (across: ReadonlyArray<number>, down: ReadonlyArray<number>): string => {
  const [top = 0, bottom = 0] = [across[0], across.at(-1)]
  const [left = 0, right = 0] = [down[0], down.at(-1)]
  return (
    across.map((y) => line(left, y, right, y)).join("") + down.map((x) => line(x, bottom, x, top)).join("")
  )
}

describe("file-md-json: cells of a PDF that lines merge", () => {
  const columns = [72, 172, 272, 372, 472]
  const rows = [720, 700, 680, 660, 640, 620]

  it("repeat a head over several columns and the label of several rows", async () => {
    const drawn =
      rows.map((y) => line({ 700: 272, 640: 172 }[y] ?? 72, y, 472, y)).join("") +
      columns.map((x) => line(x, 620, x, x === 372 ? 700 : 720)).join("")
    const words =
      at(696, { 76: "Quay", 176: "Kind" }) +
      at(706, { 340: "Ships in" }) +
      at(686, { 276: "June", 376: "July" }) +
      at(666, { 76: "North", 176: "Ferry", 276: "12", 376: "14" }) +
      at(646, { 176: "Ferry", 276: "7", 376: "8" }) +
      at(636, { 76: "South" }) +
      at(626, { 176: "Tug", 276: "3", 376: "2" })
    expect(rowsOf(await markdownOf(onePage(drawn + words)))).toEqual([
      "| Quay | Kind | Ships in | Ships in |",
      "| Quay | Kind | June | July |",
      "| North | Ferry | 12 | 14 |",
      "| South | Ferry | 7 | 8 |",
      "| South | Tug | 3 | 2 |",
    ])
  })

  it("repeat a head over several columns also where no lines part the columns of the rows below", async () => {
    const drawn =
      rows.map((y) => line(y === 700 ? 172 : 72, y, 572, y)).join("") +
      [72, 172, 372, 572].map((x) => line(x, x === 72 || x === 572 ? 620 : 680, x, 720)).join("") +
      [272, 472].map((x) => line(x, 680, x, 700)).join("")
    const row = (bottom: number, [name, ...counts]: ReadonlyArray<string>) =>
      at(bottom, {
        76: name ?? "",
        176: counts[0] ?? "",
        276: counts[1] ?? "",
        376: counts[2] ?? "",
        476: counts[3] ?? "",
      })
    const heads = at(696, { 76: "Quay" }) + at(706, { 262: "2007", 462: "2006" })
    const body =
      row(686, ["", "Ships", "Boats", "Ships", "Boats"]) +
      row(666, ["North", "12", "14", "10", "9"]) +
      row(646, ["South", "3", "5", "4", "4"]) +
      row(626, ["West", "7", "6", "8", "2"])
    expect(rowsOf(await markdownOf(onePage(drawn + heads + body))).slice(0, 3)).toEqual([
      "| Quay | 2007 | 2007 | 2006 | 2006 |",
      "| Quay | Ships | Boats | Ships | Boats |",
      "| North | 12 | 14 | 10 | 9 |",
    ])
  })

  it("stand once where they hold a title from the first column on, with nothing beside it", async () => {
    const drawn =
      rows.map((y) => line(72, y, 472, y)).join("") +
      columns.map((x) => line(x, 620, x, x === 172 || x === 272 ? 700 : 720)).join("")
    const heads = at(686, { 76: "Quay", 176: "June", 276: "July" })
    const body = [666, 646, 626].map((y) => at(y, { 76: "North", 176: "12", 276: "14", 376: "new" })).join("")
    const table = async (beside: string) =>
      rowsOf(await markdownOf(onePage(drawn + at(706, { 76: "Ships", 376: beside }) + heads + body)))[0]
    expect(await table("")).toBe("| Ships |  |  |  |")
    expect(await table("Kind")).toBe("| Ships | Ships | Ships | Kind |")
  })

  it("stand once where they hold a title over all columns, several texts, or more than a label", async () => {
    const drawn =
      rows.map((y) => line({ 680: 272, 640: 172 }[y] ?? 72, y, 472, y)).join("") +
      columns.map((x) => line(x, 620, x, x === 72 || x === 472 ? 720 : 700)).join("")
    const body =
      at(706, { 76: "Ships of the year" }) +
      at(666, { 276: "12", 376: "14" }) +
      at(646, { 176: "Ferry", 276: "7", 376: "8" }) +
      at(626, { 176: "Tug", 276: "3", 376: "2" })
    const apart = at(686, { 76: "North", 176: "Ferry", 276: "June", 376: "July" }) + at(652, { 76: "One" })
    expect(rowsOf(await markdownOf(onePage(drawn + body + apart + at(626, { 76: "Two" }))))).toEqual([
      "| Ships of the year |  |  |  |",
      "| North | Ferry | June | July |",
      "| North | Ferry | 12 | 14 |",
      "| One Two | Ferry | 7 | 8 |",
      "|  | Tug | 3 | 2 |",
    ])
    const long = Array.from({ length: 14 }, (_, row) =>
      text(76, 656 - 2.5 * row, "a text of some more words", { size: 2 }),
    )
    expect(rowsOf(await markdownOf(onePage(drawn + body + long.join("")))).at(-1)).toBe("|  | Tug | 3 | 2 |")
  })

  it("stand once in boxes of a form, which end at other places in each row", async () => {
    const ends = [[172, 372], [272], [222, 422], [322], [122, 272]]
    const drawn =
      rows.map((y) => line(72, y, 472, y)).join("") +
      [72, 472].map((x) => line(x, 620, x, 720)).join("") +
      ends
        .map((places, row) => places.map((x) => line(x, 700 - 20 * row, x, 720 - 20 * row)).join(""))
        .join("")
    const words = ends.map((places, row) =>
      [72, ...places].map((x) => small(x + 4, 706 - 20 * row, `F${row}-${x}`)),
    )
    const markdown = await markdownOf(onePage(drawn + words.flat().join("")))
    for (const field of ["F0-72", "F0-172", "F1-272", "F3-322", "F4-272"])
      expect(markdown.match(new RegExp(field, "g"))).toHaveLength(1)
  })
})

describe("file-md-json: cells of a PDF that lines do not part", () => {
  it("numbers below one another are columns, where lines part groups of columns alone", async () => {
    const drawn = grid([715, 680, 600], [72, 172, 302, 432])
    const head =
      at(703, { 76: "Age", 180: "People in towns", 310: "Elsewhere" }) +
      at(687, { 180: "Men", 214: "Women", 310: "Men", 336: "Women" })
    const body = [0, 1, 2, 3, 4]
      .map((each) =>
        at(668 - 14 * each, {
          76: `${each}-${each + 1}`,
          180: `1,${each}87`,
          214: "1,022",
          310: "292",
          332: `25${each}`,
        }),
      )
      .join("")
    const written = rowsOf(await markdownOf(onePage(drawn + head + body)))
    expect(written.slice(-5)).toEqual(
      [0, 1, 2, 3, 4].map((each) => `| ${each}-${each + 1} | 1,${each}87 | 1,022 | 292 | 25${each} |`),
    )
  })

  it("hold a number each, also where these are as wide as their cells and touch at the line between them", async () => {
    const lines = grid([720, 700, 680, 660], [72, 172, 272, 372])
    // Courier: each character is 5.4 wide.
    const beside = (bottom: number, first: string, second: string): string =>
      small(272 - 5.4 * first.length, bottom, first) + small(272, bottom, second)
    const words =
      at(706, { 76: "Item", 176: "Count", 276: "Value" }) +
      at(686, { 76: "Lamps" }) +
      beside(686, "90.", "13502.64") +
      at(666, { 76: "Ropes" }) +
      beside(666, "1,250", "7175.1")
    expect(rowsOf(await markdownOf(onePage(lines + words)))).toEqual([
      "| Item | Count | Value |",
      "| Lamps | 90. | 13502.64 |",
      "| Ropes | 1,250 | 7175.1 |",
    ])
    const digits = [..."13502"].map((digit, index) => small(258 + 5.4 * index, 686, digit)).join("")
    const overflowing =
      at(706, { 76: "Item", 176: "Count", 276: "Value" }) + at(686, { 76: "Lamps" }) + digits
    expect(await markdownOf(onePage(lines + overflowing))).toContain("13502")
  })

  it("a raised mark in a cell of its own stands in the row right below it", async () => {
    const lines = [702, 686, 616].map((y) => line(72, y, 372, y)).join("")
    const head = at(690, { 76: "Lamp", 180: "Burns", 280: "Source" })
    const body = ["12", "7", "55", "8"].map((mark, each) => {
      const bottom = 672 - 16 * each
      return at(bottom, { 76: `No. ${each}`, 180: "24 hours" }) + text(286, bottom + 4, mark, { size: 6 })
    })
    expect(rowsOf(await markdownOf(onePage(lines + head + body.join(""))))).toEqual([
      "| Lamp | Burns | Source |",
      "| No. 0 | 24 hours | 12 |",
      "| No. 1 | 24 hours | 7 |",
      "| No. 2 | 24 hours | 55 |",
      "| No. 3 | 24 hours | 8 |",
    ])
  })

  it("a head of two lines is one row, where lines part all rows of one line", async () => {
    const drawn = grid([715, 685, 665, 645, 625, 605], [72, 172, 272, 372])
    const head =
      at(703, { 76: "State", 180: "No. of", 280: "Preva-" }) + at(691, { 180: "homes", 280: "lence" })
    const body = [0, 1, 2, 3].map((each) => at(672 - 20 * each, { 76: `S${each}`, 180: "24", 280: "none" }))
    const written = rowsOf(await markdownOf(onePage(drawn + head + body.join(""))))
    expect(written.slice(0, 2)).toEqual(["| State | No. of homes | Prevalence |", "| S0 | 24 | none |"])
  })

  it("texts below one another are columns in a larger table, where lines part groups of columns alone", async () => {
    const across = Array.from({ length: 7 }, (_, row) => 715 - 15 * row)
    const drawn = grid(across, [72, 172, 272, 432])
    const body = across
      .slice(1)
      .map((y, row) => at(y + 4, { 76: `Lamp ${row}`, 180: "of iron", 280: "Ada King", 360: "in Leeds" }))
    const [first] = rowsOf(await markdownOf(onePage(drawn + body.join(""))))
    expect(first).toBe("| Lamp 0 | of iron | Ada King | in Leeds |")
    const small = grid(across.slice(0, 3), [72, 172, 272, 432]) + body.slice(0, 2).join("")
    expect(rowsOf(await markdownOf(onePage(small)))[0]).toBe("| Lamp 0 | of iron | Ada King in Leeds |")
  })

  it("lines of one text below a row go on with it where the first column counts the rows, whichever way the document writes them", async () => {
    const rules = line(60, 700, 540, 700) + line(60, 680, 540, 680) + line(60, 470, 540, 470)
    const head =
      text(64, 686, "Pos") + text(120, 686, "Text") + text(400, 686, "Price") + text(480, 686, "Sum")
    const item = (at: number, number: string): ReadonlyArray<string> => [
      text(64, 660 - 60 * at, number) +
        text(120, 660 - 60 * at, `Lamp ${"abc"[at]}`) +
        text(400, 660 - 60 * at, "3,89") +
        text(480, 660 - 60 * at, "3,89"),
      text(120, 645 - 60 * at, "Fee for each of them"),
      text(120, 630 - 60 * at, "01.05.14-31.05.14"),
      text(120, 615 - 60 * at, `To the tower ${"abc"[at]}`),
    ]
    const read = async (numbers: ReadonlyArray<string>) =>
      rowsOf(
        await markdownOf(
          onePage(
            rules +
              numbers
                .flatMap((number, at) => item(at, number))
                .toReversed()
                .join("") +
              head,
          ),
        ),
      )
    expect(await read(["1", "2", "3"])).toEqual([
      "| Pos | Text | Price | Sum |",
      ...["a", "b", "c"].map(
        (name, at) =>
          `| ${at + 1} | Lamp ${name} Fee for each of them 01.05.14-31.05.14 To the tower ${name} | 3,89 | 3,89 |`,
      ),
    ])
    expect((await read(["1", "7", "3"])).join()).not.toContain("Lamp a Fee for")
  })

  it("the title of a group, in bold above its rows, is a row of its own", async () => {
    const drawn = [720, 690, 660, 630].map((y) => line(72, y, 432, y)).join("")
    const group = (top: number, name: string, row: string): string =>
      text(76, top, name, { size: 9, font: "B" }) +
      at(top - 12, { 80: row, 220: "41.25", 320: "as last year" })
    const head = at(725, { 76: "Oil", 220: "Price", 320: "Note" })
    expect(
      rowsOf(
        await markdownOf(
          onePage(
            drawn +
              head +
              group(708, "Corn oil", "Midwest") +
              group(678, "Tallow", "Chicago") +
              group(648, "Grease", "Minneapolis"),
          ),
        ),
      ),
    ).toEqual([
      "| Oil | Price | Note |",
      "| Corn oil |  |  |",
      "| Midwest | 41.25 | as last year |",
      "| Tallow |  |  |",
      "| Chicago | 41.25 | as last year |",
      "| Grease |  |  |",
      "| Minneapolis | 41.25 | as last year |",
    ])
  })

  it("a number in brackets belongs to the number before it", async () => {
    const drawn = grid([715, 695, 615], [72, 172, 302])
    const body = [0, 1, 2, 3].map((each) =>
      at(683 - 14 * each, { 76: `Group ${each}`, 180: `6${each}`, 210: `(18.${each}%)` }),
    )
    const written = rowsOf(
      await markdownOf(onePage(drawn + at(701, { 76: "Group", 180: "Sample" }) + body.join(""))),
    )
    expect(written[1]).toBe("| Group 0 | 60 (18.0%) |")
  })

  it("labels beside rows that are parted in the other columns alone stand in those rows", async () => {
    const across = [715, 695, 675, 655, 635]
    const drawn =
      across.map((y) => line(172, y, 372, y)).join("") +
      [715, 635].map((y) => line(72, y, 172, y)).join("") +
      [72, 172, 272, 372].map((x) => line(x, 635, x, 715)).join("")
    const labels = ["Salaries", "Consultants", "Travel", "Office rent"]
    const column = (left: number, texts: ReadonlyArray<string>): string =>
      texts.map((words, index) => small(left, 701 - 20 * index, words)).join("")
    const content =
      column(76, labels) + column(180, ["10", "20", "30", "40"]) + column(280, ["1", "2", "3", "4"])
    expect(rowsOf(await markdownOf(onePage(drawn + content)))).toEqual(
      labels.map((label, index) => `| ${label} | ${index + 1}0 | ${index + 1} |`),
    )
  })

  it("the label of a group stands apart from the row of the total above it, further out than the rows around it", async () => {
    const places = ["The old quay", "The new quay", "The lamp", "The harbour", "The town", "The hill"]
    const lines = places.flatMap((place, at) => [
      { left: 76, words: place, values: [] },
      { left: 84, words: "By mail", values: ["643", `${at}43`, "4.51%"] },
      { left: 84, words: "By boat", values: ["643", `${at}89`, "4.95%"] },
      { left: 84, words: "Total", values: ["643", `${at}76`, "9.58%"] },
    ])
    // Such reports write all labels first.
    const content =
      grid([732, 712, 430], [72, 156, 196, 236, 290]) +
      at(718, { 76: "Place", 160: "Voters", 200: "Cast", 240: "Share" }) +
      lines.map(({ left, words }, at) => small(left, 700 - 11 * at, words)).join("") +
      lines
        .flatMap(({ values }, at) =>
          values.map((value, index) => small(160 + 40 * index, 700 - 11 * at, value)),
        )
        .join("")
    const rows = rowsOf(await markdownOf(onePage(content)))
    expect(rows).toContain("| Total | 643 | 076 | 9.58% |")
    expect(rows).toContain("| The new quay |  |  |  |")
    expect(rows).toContain("| By mail | 643 | 143 | 4.51% |")
  })

  it("labels of groups above the first row of numbers are rows of their own, each further out than the next", async () => {
    const labels = [
      "Both towns",
      "The old quay",
      "By mail",
      "By boat",
      "Total",
      "By mail",
      "By boat",
      "Total",
    ]
    // Such reports write all labels first.
    const content =
      grid([732, 712, 606], [72, 156, 196, 236, 290]) +
      at(718, { 76: "Place", 160: "Voters", 200: "Cast", 240: "Share" }) +
      labels.map((label, row) => small(76 + 8 * Math.min(row, 2), 700 - 11 * row, label)).join("") +
      labels
        .map((_, row) => (row < 2 ? "" : at(700 - 11 * row, { 160: "643", 200: `${row}89`, 240: "4.51%" })))
        .join("")
    expect(rowsOf(await markdownOf(onePage(content))).slice(1, 6)).toEqual([
      "| Both towns |  |  |  |",
      "| The old quay |  |  |  |",
      "| By mail | 643 | 289 | 4.51% |",
      "| By boat | 643 | 389 | 4.51% |",
      "| Total | 643 | 489 | 4.51% |",
    ])
  })

  it("a double line below a head is one, so that columns are those of the head's numbers, too", async () => {
    const upper = grid([715, 690], [72, 172, 252, 412])
    const lower = grid([687, 640], [72, 172, 252, 412])
    const head =
      at(698, { 76: "Setting", 180: "Shift", 280: "Length of the context" }).replace(" 698 ", " 700 ") +
      at(693, { 270: "8192", 320: "1638", 370: "3276" })
    const body = [0, 1, 2]
      .map((row) =>
        at(676 - 14 * row, {
          76: `Row ${row}`,
          180: "-",
          270: `8.0${row}`,
          320: `8.1${row}`,
          370: `8.2${row}`,
        }),
      )
      .join("")
    expect(rowsOf(await markdownOf(onePage(upper + lower + head + body))).slice(-3)).toEqual(
      [0, 1, 2].map((row) => `| Row ${row} | - | 8.0${row} | 8.1${row} | 8.2${row} |`),
    )
  })

  it("two lines of two cells are rows only where both have both: a cell of two paragraphs is one", async () => {
    const drawn = grid([715, 690, 655, 630], [72, 252, 432])
    const around = at(700, { 76: "Column A", 260: "Column B" }) + at(637, { 76: "The last", 260: "of all" })
    const set = async (second: Readonly<Record<number, string>>) => {
      const inside = at(680, { 76: "Made by", 260: "Central 5.4" }) + at(665, second)
      return rowsOf(await markdownOf(onePage(drawn + around + inside))).slice(1, -1)
    }
    expect(await set({ 76: "Tested by" })).toEqual(["| Made by Tested by | Central 5.4 |"])
    expect(await set({ 76: "Tested by", 260: "Designer 5.5" })).toEqual([
      "| Made by | Central 5.4 |",
      "| Tested by | Designer 5.5 |",
    ])
  })

  it("cells that the document writes one after the other are one row, however far apart their lines are", async () => {
    const drawn = grid([715, 695, 615], [72, 252, 432])
    const head = at(701, { 76: "Before", 260: "After" })
    const texts = [
      ["Light it.", "Use a match.", "Then wait."],
      ["Turn it.", "Do it slowly.", "Then wait."],
    ]
    const cell = (
      left: number,
      top: number,
      [first = "", second = "", third = ""]: ReadonlyArray<string>,
    ) => [small(left, top, first), small(left, top - 12, second), small(left, top - 36, third)]
    const [one, other] = [cell(76, 682, texts[0] ?? []), cell(260, 682, texts[1] ?? [])]
    expect(rowsOf(await markdownOf(onePage(drawn + head + [...one, ...other].join(""))))).toEqual([
      "| Before | After |",
      `| ${texts.map((each) => each.join(" ")).join(" | ")} |`,
    ])
  })

  it("cells that are written one after the other are rows where their texts go on behind gaps at the same heights", async () => {
    const drawn = grid([715, 695, 595], [72, 202, 432])
    const times = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>"
    const set = (second: number): Promise<string> => {
      const labels = small(76, 682, "Stationary:") + small(76, 664, "Major") + small(76, second, "Area")
      const texts =
        small(206, 664, "Lamps of more than ten") +
        small(206, 654, "pounds of iron") +
        small(206, 630, "Lamps of less than ten") +
        small(206, 620, "pounds of iron")
      const content = drawn + at(701, { 76: "Source", 206: "Definition" }) + labels + texts
      return markdownOf(pdfOf(pages([{ content }], { objects: { 3: times } })))
    }
    expect(rowsOf(await set(630))).toEqual([
      "| Source | Definition |",
      "| Stationary: |  |",
      "| Major | Lamps of more than ten pounds of iron |",
      "| Area | Lamps of less than ten pounds of iron |",
    ])
    expect(rowsOf(await set(640)).at(-1)).toContain("Lamps of more than ten pounds of iron Lamps of less")
  })

  it("numbers line by line are rows, whichever way the document writes them", async () => {
    const drawn = grid([715, 695, 615], [72, 232, 312, 392])
    const lines = [
      ["Younger ones", "85.1%", "14.9%"],
      ["Older ones", "17.3%", "82.7%"],
      ["All of them", "79.8%", "20.2%"],
    ]
    const byColumn = [0, 1, 2]
      .map((column) =>
        lines
          .map((cells, index) => small([76, 240, 320][column] ?? 0, 683 - 11 * index, cells[column] ?? ""))
          .join(""),
      )
      .join("")
    const head = at(701, { 76: "Group", 240: "With", 320: "Without" })
    expect(rowsOf(await markdownOf(onePage(drawn + head + byColumn))).slice(1)).toEqual(
      lines.map((cells) => `| ${cells.join(" | ")} |`),
    )
  })

  it("a line that begins in lower case goes on with the row above, where cells begin with capitals", async () => {
    const drawn = grid([715, 695, 665, 645, 615], [72, 192, 392])
    const content =
      at(701, { 76: "Item", 200: "What it is" }) +
      at(685, { 76: "Books and", 200: "Books can be dear. Supplies are" }) +
      at(674, { 76: "supplies", 200: "paper, pens and the like" }) +
      at(651, { 76: "Fees", 200: "What a school asks for" }) +
      at(635, { 76: "Travel and", 200: "The way home and back, with" }) +
      at(624, { 76: "the rest", 200: "clothes and a telephone" })
    expect(rowsOf(await markdownOf(onePage(drawn + content)))).toEqual([
      "| Item | What it is |",
      "| Books and supplies | Books can be dear. Supplies are paper, pens and the like |",
      "| Fees | What a school asks for |",
      "| Travel and the rest | The way home and back, with clothes and a telephone |",
    ])
  })

  it("it is a row of its own where it begins with the mark of an item, or has numbers below those of that row", async () => {
    const drawn = grid([715, 695, 625], [72, 232, 312, 392])
    const content =
      at(701, { 76: "Income", 240: "2022", 320: "2023" }) +
      at(685, { 76: "9) People", 240: "9.791", 320: "8.524" }) +
      at(673, { 76: "a) Wages", 240: "6.820", 320: "5.899" }) +
      at(661, { 76: "of which by night", 240: "120", 320: "0" }) +
      at(649, { 76: "Others" }) +
      at(637, { 76: "b) Dues", 240: "2.075", 320: "2.069" })
    expect(rowsOf(await markdownOf(onePage(drawn + content)))).toEqual([
      "| Income | 2022 | 2023 |",
      "| 9) People | 9.791 | 8.524 |",
      "| a) Wages | 6.820 | 5.899 |",
      "| of which by night | 120 | 0 |",
      "| Others |  |  |",
      "| b) Dues | 2.075 | 2.069 |",
    ])
  })

  it("a column of few entries is one, apart from those beside it", async () => {
    const content = Array.from({ length: 16 }, (_, index) => {
      const top = 700 - 16 * index
      const paid = index === 0 ? "Paid out" : index === 9 ? "" : `${10 + index}.00`
      const received = index === 0 ? "Paid in" : index === 9 ? "900.00" : ""
      const cells: ReadonlyArray<readonly [number, string]> = [
        [72, index === 0 ? "Date" : `${index} May`],
        [180, paid],
        [290, received],
        [400, index === 0 ? "Balance" : `${1500 - 20 * index}.00`],
      ]
      return cells.map(([left, words]) => (words === "" ? "" : text(left, top, words))).join("")
    })
    const markdown = await markdownOf(onePage(content.join("")))
    expect(markdown).toContain("| Date | Paid out | Paid in | Balance |\n")
    expect(markdown).toContain("| 8 May | 18.00 |  | 1340.00 |\n| 9 May |  | 900.00 | 1320.00 |\n")
  })

  it("a title over columns stands above the row that no line parts from it", async () => {
    const xs = [72, 152, 232, 312, 392]
    const across = [715, 695, 655, 635].map((y) => line(72, y, 392, y)).join("")
    const sides = [72, 392].map((x) => line(x, 635, x, 715)).join("")
    // Between the columns there are lines but beside the title.
    const parts = xs
      .slice(1, -1)
      .map((x) => line(x, 695, x, 715) + line(x, 655, x, 673) + line(x, 635, x, 655))
    const cells = (bottom: number, texts: ReadonlyArray<string>): string =>
      texts.map((words, index) => small((xs[index] ?? 0) + 4, bottom, words)).join("")
    const content =
      cells(701, ["Size", "Total", "Old", "New"]) +
      small(76, 681, "Small and very small holdings") +
      cells(660, ["I", "203", "166", "37"]) +
      cells(641, ["II", "68", "45", "23"])
    expect(rowsOf(await markdownOf(onePage(across + sides + parts.join("") + content)))).toEqual([
      "| Size | Total | Old | New |",
      "| Small and very small holdings |  |  |  |",
      "| I | 203 | 166 | 37 |",
      "| II | 68 | 45 | 23 |",
    ])
  })

  it("a frame whose lines part rows alone has the columns of its text", async () => {
    const across = [715, 695, 675, 655, 635]
    const drawn = grid(across, [72, 432])
    const rows = [
      ["State", "Revenue", "Capital"],
      ["Assam", "14,874", "161"],
      ["Bihar", "21,016", "5,329"],
      ["Goa", "4,055", "330"],
    ]
    const content = rows.map(([a = "", b = "", c = ""], index) =>
      at(701 - 20 * index, { 80: a, 220: b, 340: c }),
    )
    expect(rowsOf(await markdownOf(onePage(drawn + content.join(""))))).toEqual(
      rows.map((cells) => `| ${cells.join(" | ")} |`),
    )
  })

  it("what goes on below one or two of the cells between two lines is a part of these, however the document writes it", async () => {
    const entries = [
      ["03-01", "tb", "Harbour and Lamps", "5.00", "Paid on 03-01"],
      ["04-01", "db", "Oil and Wicks", "7.20", "for the tower", "Paid on 04-01"],
      ["05-01", "tb", "Harbour and Lamps", "1.10", "Paid on 05-01"],
      ["06-01", "cb", "Boats of the North", "9.99", "by request", "Paid on 07-01"],
    ]
    const rows = entries.map(([day = "", kind = "", name = "", sum = "", ...notes], index) => {
      const top = 690 - 50 * index
      return (
        at(top, { 76: day, 140: kind, 200: name, 420: sum }) +
        notes.map((note, line) => at(top - 12 * (line + 1), { 200: note })).join("") +
        line(72, top - 38, 500, top - 38)
      )
    })
    const head = line(72, 720, 500, 720) + at(708, { 76: "Day", 140: "Kind", 200: "Name", 420: "Sum" })
    const markdown = await markdownOf(onePage(head + line(72, 702, 500, 702) + rows.join("")))
    expect(rowsOf(markdown).slice(1)).toEqual(
      entries.map(
        ([day, kind, name, sum, ...notes]) => `| ${day} | ${kind} | ${[name, ...notes].join(" ")} | ${sum} |`,
      ),
    )
  })

  it("a frame around the text of a page is no cell; the row above the text is a table", async () => {
    const drawn =
      grid([740, 715], [72, 222, 372, 522]) +
      line(72, 715, 72, 400) +
      line(522, 715, 522, 400) +
      line(72, 400, 522, 400)
    const head = at(725, { 80: "Continuation sheet", 230: "Number 123", 380: "Page 2" })
    const sentence = "The lamp of the harbour is lit on each night of the year by the boys of the town."
    const body = Array.from({ length: 10 }, (_, index) => small(80, 695 - 12 * index, sentence)).join("")
    expect(await markdownOf(onePage(drawn + head + body))).toBe(
      `| Continuation sheet | Number 123 | Page 2 |\n| --- | --- | --- |\n\n${Array.from({ length: 10 }, () => sentence).join(" ")}\n`,
    )
  })

  it("heads further above their columns than these rows from one another are theirs, also where a space is all that parts two", async () => {
    const rows = (top: number) =>
      [
        { 72: "Lamp of iron", 250: "12", 330: "9.90", 420: "118.80" },
        { 72: "Oil and wicks", 255: "3", 330: "5.50", 426: "16.50" },
      ]
        .map((places, index) => at(top - 12 * index, places))
        .join("")
    const expected = [
      "| Article | Count | Price | Net amount |",
      "| Lamp of iron | 12 | 9.90 | 118.80 |",
      "| Oil and wicks | 3 | 5.50 | 16.50 |",
    ]
    const far = at(700, { 72: "Article", 240: "Count", 330: "Price", 410: "Net amount" })
    expect(rowsOf(await markdownOf(onePage(far + rows(666))))).toEqual(expected)
    expect(rowsOf(await markdownOf(onePage(far + rows(640))))).toEqual(expected.slice(1))
    // "Price" ends 5 points before "Net".
    const close = at(700, { 72: "Article", 240: "Count", 345: "Price Net amount" })
    expect(rowsOf(await markdownOf(onePage(close + rows(684))))).toEqual(expected)
    const band = `0.9 g 72 659 400 14 re f 72 687 400 14 re f 0 g\n`
    const three = rows(690) + at(663, { 72: "Boats", 255: "1", 330: "2.50", 426: "2.50" })
    expect(
      rowsOf(
        await markdownOf(
          onePage(band + at(706, { 72: "Article", 240: "Count", 345: "Price Net amount" }) + three),
        ),
      ),
    ).toEqual([...expected, "| Boats | 1 | 2.50 | 2.50 |"])
  })

  it("a word that its cell has no room for is put together, where its document has the whole word and not its part", async () => {
    const lined = (top: number, rows: number): string =>
      grid(
        Array.from({ length: rows + 1 }, (_, row) => top - 30 * row),
        [72, 128, 332],
      )
    const cell = (top: number, first: string, second: string, value: string): string =>
      at(top - 12, { 76: first }) + small(76, top - 23, second) + small(132, top - 12, value)
    const drawn =
      lined(720, 6) +
      cell(720, "Commercia", "l", "Of a commercial fleet") +
      cell(690, "Recommend", "ed size", "As recommended") +
      cell(660, "Requirem", "ents", "Of the port") +
      cell(630, "Harbour", "master", "The harbourmaster has a harbour") +
      cell(600, "Limestone", "quays", "Of stone") +
      cell(570, "Two ports", "ided", "None portsided")
    expect(rowsOf(await markdownOf(onePage(drawn)))).toEqual([
      "| Commercial | Of a commercial fleet |",
      "| Recommended size | As recommended |",
      "| Requirements | Of the port |",
      "| Harbour master | The harbourmaster has a harbour |",
      "| Limestone quays | Of stone |",
      "| Two ports ided | None portsided |",
    ])
  })

  it("the addresses of a bill stand in no table with its items, whose columns merged cells of the sum do not tell", async () => {
    const across = (y: number) => line(72, y, 540, y)
    const address = [
      "Ada of the Lamps and Oil,",
      "12 Harbour Street, at the",
      "tower near the boats of",
      "The Old Harbour",
    ]
    const labels = ["Date of the order 15-10", "Invoice of 16-10", "Tax no. 296708690", "Paid"]
    const addresses = labels.map((label, index) => {
      const own = address[index] ?? ""
      return at(730 - 11 * index, { 72: label, 178: own, 292: own, 406: own })
    })
    const items =
      at(673, { 76: "Product", 160: "Title", 285: "Qty", 340: "Price", 398: "Tax", 490: "Total" }) +
      at(645, { 76: "Cards", 160: "Memory of 16 GB", 285: "1", 340: "278.61", 398: "40.39", 490: "319.00" }) +
      at(625, { 76: "Wicks", 160: "Cotton, 2 m", 285: "2", 340: "10.00", 398: "1.00", 490: "11.00" }) +
      at(595, { 255: "Sum", 285: "3", 340: "288.61", 398: "41.39", 490: "330.00" })
    const sum = line(72, 580, 430, 580) + line(430, 580, 540, 580)
    const drawn = [745, 685, 665, 610].map(across).join("")
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const content = drawn + sum + addresses.join("") + items
    const markdown = await markdownOf(pdfOf(pages([{ content }], { objects: { 3: font } })))
    expect(markdown).toMatch(/The Old Harbour(?: \|)?\n\n\| Product/)
    expect(
      rowsOf(markdown)
        .slice(-4)
        .map((row) => row.replace(/\|(?: +\|)+/g, "|")),
    ).toEqual([
      "| Product | Title | Qty | Price | Tax | Total |",
      "| Cards | Memory of 16 GB | 1 | 278.61 | 40.39 | 319.00 |",
      "| Wicks | Cotton, 2 m | 2 | 10.00 | 1.00 | 11.00 |",
      "| Sum | 3 | 288.61 | 41.39 | 330.00 |",
    ])
  })

  it("the lines of a plan are no table, in whose few cells something stands; those of a form with heads or labels are", async () => {
    const steps = (from: number, step: number, count: number) =>
      Array.from({ length: count }, (_, index) => from + index * step)
    const drawn = grid(steps(700, -30, 9), steps(72, 60, 8))
    const plan = at(680, { 80: "Lift" }) + at(590, { 260: "Duct" }) + at(500, { 380: "Stairs" })
    expect(await markdownOf(onePage(drawn + plan))).toBe("Lift\n\nDuct\n\nStairs\n")
    const heads = at(680, { 80: "Name", 140: "Street", 200: "Place", 260: "Date" })
    expect(rowsOf(await markdownOf(onePage(drawn + heads)))).toHaveLength(8)
    const labels = ["Name", "Street", "Place", "Date", "Boat", "Mast"].map((label, index) =>
      at(680 - 30 * index, { 80: label }),
    )
    expect(rowsOf(await markdownOf(onePage(drawn + labels.join(""))))).toHaveLength(8)
  })

  it("the lines behind the numbers of a chart are no table; those of a table with empty cells have heads or labels", async () => {
    const lines = [700, 670, 640, 610, 580]
    const drawn = grid(lines, [72, 172, 272, 372, 472])
    const points = at(655, { 180: "22" }) + at(625, { 280: "17" }) + at(595, { 80: "9", 380: "14" })
    expect(await markdownOf(onePage(drawn + at(685, { 380: "41" }) + points))).toBe(
      "41\n\n22\n\n17\n\n9 14\n",
    )
    const words = points.replace(/\((?=\d)/g, "(No ")
    expect(rowsOf(await markdownOf(onePage(drawn + at(685, { 380: "No 41" }) + words)))).toHaveLength(4)
    const heads = at(685, { 80: "Iron", 180: "Tin", 380: "Lead" })
    const labels = [685, 655, 625].map((y, index) => at(y, { 80: ["Iron", "Tin"][index] ?? "Lead" })).join("")
    const number = at(595, { 380: "14" })
    expect(rowsOf(await markdownOf(onePage(drawn + heads + number)))).toHaveLength(4)
    expect(rowsOf(await markdownOf(onePage(drawn + labels + number)))).toHaveLength(4)
    const counted = labels.replace(/\((?=\p{L})/gu, "(1. ")
    expect(rowsOf(await markdownOf(onePage(drawn + counted + number)))).toHaveLength(4)
  })

  it("a table in a cell of another is a part of its text where it is small, and else stands behind it: no word is told twice", async () => {
    const outer =
      grid([700, 670, 570, 540], [72, 202, 402, 532]) +
      at(685, { 80: "nine", 210: "eight", 410: "seven" }) +
      at(645, { 80: "six", 410: "four" }) +
      at(555, { 80: "three", 210: "two", 410: "one" })
    const small =
      grid([660, 645, 630], [220, 270, 330]) +
      at(650, { 230: "a", 280: "b" }) +
      at(635, { 230: "c", 280: "d" })
    expect(rowsOf(await markdownOf(onePage(outer + small)))).toEqual([
      "| nine | eight | seven |",
      "| six | a b c d | four |",
      "| three | two | one |",
    ])
    const lines = [650, 635, 620, 605]
    const large =
      grid([660, 645, 630, 615, 600], [220, 270, 330]) +
      lines.map((bottom, row) => at(bottom, { 230: `a${row}`, 280: `b${row}` })).join("")
    expect(rowsOf(await markdownOf(onePage(outer + large)))).toEqual([
      "| nine | eight | seven |",
      "| six |  | four |",
      "| three | two | one |",
      ...lines.map((_, row) => `| a${row} | b${row} |`),
    ])
  })

  it("a table in a cell may begin or end at the side of that, where it stands a little away from its sides", async () => {
    const outer =
      grid([700, 670, 570, 540], [72, 202, 402, 532]) +
      at(685, { 80: "nine", 210: "eight", 410: "seven" }) +
      at(645, { 80: "six", 410: "four" }) +
      at(555, { 80: "three", 210: "two", 410: "one" })
    const lines = [660, 650, 640, 630, 620, 610, 600, 590, 580]
    const inner = (bottoms: ReadonlyArray<number>) =>
      grid([670, ...bottoms], [207.4, 300, 396.6]) +
      bottoms.map((y, row) => at(y + 2, { 215: `a${row}`, 305: `b${row}` })).join("")
    expect(rowsOf(await markdownOf(onePage(outer + inner(lines.slice(0, 3)))))).toEqual([
      "| nine | eight | seven |",
      "| six | a0 b0 a1 b1 a2 b2 | four |",
      "| three | two | one |",
    ])
    expect(rowsOf(await markdownOf(onePage(outer + inner(lines))))).toEqual([
      "| nine | eight | seven |",
      "| six |  | four |",
      "| three | two | one |",
      ...lines.map((_, row) => `| a${row} | b${row} |`),
    ])
    // A line that goes on to the side of the cell is one of the table.
    const parted = inner(lines.slice(0, 3)) + line(202, 650, 402, 650)
    expect(rowsOf(await markdownOf(onePage(outer + parted)))).not.toContain(
      "| six | a0 b0 a1 b1 a2 b2 | four |",
    )
  })

  it("items of a bill stand in one high row, without lines between them, also where its cells are merged over columns of others", async () => {
    const across = [715, 685, 615, 590]
    const drawn =
      across.map((y) => line(72, y, 532, y)).join("") +
      [72, 532].map((x) => line(x, 590, x, 715)).join("") +
      [142, 322].map((x) => line(x, 685, x, 715)).join("") +
      [232, 302, 372, 452].map((x) => line(x, 615, x, 685)).join("")
    const bill =
      at(697, { 80: "Buyer", 150: "Ada of the harbour", 330: "Paid by post" }) +
      at(672, { 80: "What", 240: "Unit", 310: "Count", 380: "Price", 460: "Sum" }) +
      at(658, { 80: "Lamps of iron", 240: "box", 310: "1", 380: "218.00", 460: "218.00" }) +
      at(644, { 80: "Tables", 240: "box", 310: "2", 380: "-43.40", 460: "-86.80" }) +
      at(630, { 80: "Together", 460: "131.20" }) +
      small(80, 600, "One hundred and thirty-one")
    const written = rowsOf(await markdownOf(onePage(drawn + bill)))
    const cells = written.map((row) =>
      row
        .split("|")
        .map((cell) => cell.trim())
        .filter((cell) => cell !== ""),
    )
    expect(cells.slice(1, 5)).toEqual([
      ["What", "Unit", "Count", "Price", "Sum"],
      ["Lamps of iron", "box", "1", "218.00", "218.00"],
      ["Tables", "box", "2", "-43.40", "-86.80"],
      ["Together", "131.20"],
    ])
  })

  it("no column stands beyond the first and last of the text where a table's colours go further", async () => {
    const rows = [
      ["Town", "Now", "Then"],
      ["Assam", "14", "16"],
      ["Bihar", "21", "53"],
      ["Goa", "40", "33"],
    ]
    const coloured = rows.map((_, index) =>
      [64, 76, 210, 330, 450]
        .slice(0, -1)
        .map((left, cell) => {
          const width = ([12, 134, 120, 120][cell] ?? 0) - 0.5
          return `0.9 g ${left} ${695 - 20 * index} ${width} 20 re f 0 g\n`
        })
        .join(""),
    )
    const content = rows.map(([a = "", b = "", c = ""], index) =>
      at(701 - 20 * index, { 80: a, 220: b, 340: c }),
    )
    const written = rowsOf(await markdownOf(onePage(coloured.join("") + content.join(""))))
    expect(written).toEqual(rows.map((cells) => `| ${cells.join(" | ")} |`))
  })

  it("a justified text between two tables of its width parts them, however wide its spaces are", async () => {
    const rules = [715, 697, 640, 580, 562, 520].map((y) => line(72, y, 372, y)).join("")
    const table = (top: number): string =>
      [0, 1, 2]
        .map((row) => at(top - 17 * row - (row === 0 ? 0 : 4), { 76: `Row ${row}`, 190: "1.5", 320: "2.5" }))
        .join("")
    // Words of 5.4 points a character, from one side of the tables to the other.
    const justified = (bottom: number, words: ReadonlyArray<string>): string => {
      const width = words.join("").length * 5.4
      const space = (300 - width) / (words.length - 1)
      const places = words.map((_, index) => 72 + words.slice(0, index).join("").length * 5.4 + space * index)
      return words.map((word, index) => small(places[index] ?? 0, bottom, word)).join("")
    }
    const between =
      justified(618, ["The", "numbers", "above", "are", "of", "last", "year,", "and", "these"]) +
      justified(604, ["are", "of", "the", "years", "before", "it,", "which", "were", "dryer."])
    const written = await markdownOf(onePage(rules + table(702) + between + table(567)))
    expect(rowsOf(written)).toHaveLength(6)
    expect(written).toContain(
      "\n\nThe numbers above are of last year, and these are of the years before it, which were dryer.\n\n",
    )
  })

  it("the spaces of a justified line are even, though those behind its sentences are wider, as TeX sets them", () => {
    const font = fontOf("Times", new Map())
    /** The words with these spaces behind them, as shares of their size. */
    const lineOf = (...words: ReadonlyArray<readonly [word: string, space: number]>): ReadonlyArray<Word> => {
      let left = 0
      return words.map(([characters, space], order) => {
        const right = left + 5 * characters.length
        const each = { text: characters, left, right, baseline: 12, size: 10, font, order }
        left = right + 10 * space
        return {
          ...each,
          bold: false,
          italic: false,
          mono: false,
          content: -1,
          link: "",
          hyphenated: false,
          spaced: false,
        }
      })
    }
    const written = (behind: number, within = 0.3) =>
      lineOf(["where", 0.3], ["it", within], ["takes", 0.3], ["place.", behind], ["They", 0.3], ["aim", 0])
    expect(isEvenlySpaced(written(0.3))).toBe(true)
    expect(isEvenlySpaced(written(0.53))).toBe(true)
    expect(isEvenlySpaced(written(2))).toBe(false)
    expect(isEvenlySpaced(written(0.3, 0.53))).toBe(false)
  })

  it("letters that are printed later, into places that were left free, stand in their words", async () => {
    const drawn = grid([715, 695, 675, 655], [72, 172, 302])
    const first =
      at(701, { 76: "Brand", 180: "Yield" }) +
      small(76, 681, "H") +
      small(86.8, 681, "fty") +
      small(180, 681, "1") +
      small(190.8, 681, "9") +
      at(661, { 76: "Stine", 180: "25" })
    const later = small(185.4, 681, ".") + small(81.4, 681, "e")
    expect(rowsOf(await markdownOf(onePage(drawn + first + later)))).toEqual([
      "| Brand | Yield |",
      "| Hefty | 1.9 |",
      "| Stine | 25 |",
    ])
  })

  it("the dots that lead to the next cell are left out; dots alone are a value", async () => {
    const drawn = [715, 695, 635].map((y) => line(72, y, 432, y)).join("")
    const leader = (label: string): string => `${label}${" .".repeat(18 - label.length / 2)}`
    const content =
      at(701, { 76: "Offence", 320: "2008", 380: "2009" }) +
      at(681, { 76: leader("Fraud"), 320: "173", 380: "168" }) +
      at(661, { 76: leader("Robbery."), 320: "....", 380: "102" }) +
      at(641, { 76: leader("Arson"), 320: "98", 380: "93" })
    expect(rowsOf(await markdownOf(onePage(drawn + content)))).toEqual([
      "| Offence | 2008 | 2009 |",
      "| Fraud | 173 | 168 |",
      "| Robbery | .... | 102 |",
      "| Arson | 98 | 93 |",
    ])
  })

  it("a head that is centred over a wide column stands in that column", async () => {
    const content =
      at(701, { 76: "Key", 300: "Name of the place" }) +
      ["Adelita", "Agua Azul", "Alegre", "Residencial San Nicolas de Arriba", "Arellano"]
        .map((name, index) => at(685 - 14 * index, { 76: `009${index}`, 160: name }))
        .join("")
    const written = rowsOf(await markdownOf(onePage(content)))
    expect(written[0]).toBe("| Key | Name of the place |")
    expect(written.slice(1, 3)).toEqual(["| 0090 | Adelita |", "| 0091 | Agua Azul |"])
    expect(written).toHaveLength(6)
  })

  it("numbers that count in equal steps are the axes of a chart, and no table; years beside other numbers are", async () => {
    const axes = [0, 1, 2, 3, 4].map((each) =>
      at(700 - 20 * each, { 72: `${54 - each},000`, 400: `0.${50 - 2 * each}` }),
    )
    expect(await markdownOf(onePage(axes.join("")))).not.toContain("|")
    const years = [0, 1, 2, 3, 4].map((each) =>
      at(700 - 20 * each, { 72: String(2001 + each), 400: String(each * each) }),
    )
    expect(rowsOf(await markdownOf(onePage(years.join(""))))).toHaveLength(5)
  })

  it("equations with their numbers at the right are no table", async () => {
    const linesOf = (text: string) =>
      onePage([700, 680, 660].map((y, each) => at(y, { 72: text, 450: `(${each + 1})` })).join(""))
    const equations = await markdownOf(linesOf("a = b + c"))
    expect(rowsOf(equations)).toEqual([])
    expect(equations).toContain("a = b + c (2)")
    expect(rowsOf(await markdownOf(linesOf("A lamp")))).toHaveLength(3)
  })

  it("what stands above and below the parts of an equation makes no table of it; labels do", async () => {
    const linesOf = ([first, second, third, last]: ReadonlyArray<string>) =>
      onePage(
        at(700, { 72: "a =", 150: "b + c", 250: "d", 350: "+ e" }) +
          at(688, { 150: first ?? "", 250: second ?? "", 350: "x" }) +
          at(676, { 150: third ?? "", 350: last ?? "" }),
      )
    expect(rowsOf(await markdownOf(linesOf(["i", "j", "k", "y"])))).toEqual([])
    expect(rowsOf(await markdownOf(linesOf(["Lamp", "Chair", "Iron", "Wood"])))).toHaveLength(3)
  })

  const names = [
    "A list of all of the goods",
    "Lamps",
    "Chairs and tables",
    "Books for children, old",
    "Cups",
  ]

  it("texts one by one between lines as long as the longest are a table of one column; longer lines are none, nor those under links", async () => {
    const drawn = (right: number, below = 5): Buffer => {
      const row = (name: string, bottom: number) =>
        small(76, bottom, name) + line(72, bottom - below, right, bottom - below)
      return onePage(names.map((name, index) => row(name, 700 - 18 * index)).join(""))
    }
    expect(rowsOf(await markdownOf(drawn(220)))).toEqual(names.map((name) => `| ${name} |`))
    expect(rowsOf(await markdownOf(drawn(420)))).toEqual([])
    expect(rowsOf(await markdownOf(drawn(220, 1.5)))).toEqual([])
  })

  it("so are lines far apart below a head, between three such lines; lines of a text are none", async () => {
    const drawn = (leading: number): Buffer => {
      const texts = names.map((name, index) => small(76, 700 - (index > 0 ? 6 : 0) - leading * index, name))
      const rules = [712, 699 - leading / 2, 692 - leading * 4].map((y) => line(72, y, 220, y))
      return onePage(texts.join("") + rules.join(""))
    }
    expect(rowsOf(await markdownOf(drawn(14)))).toEqual(names.map((name) => `| ${name} |`))
    expect(rowsOf(await markdownOf(drawn(11)))).toEqual([])
  })

  it("a cell goes on in the text below it on the next page, in lower case; a paragraph does not", async () => {
    const drawn = grid([200, 180, 160, 140], [72, 172, 272, 432])
    const table =
      at(186, { 76: "Item", 176: "Price", 276: "What is said of it" }) +
      at(166, { 76: "Chair", 176: "20.00", 276: "It is old." }) +
      at(146, { 76: "Lamp", 176: "12.00", 276: "It was bought in a market and" })
    const rest = (left: number): Promise<string> =>
      markdownOf(
        pdfOf(
          pages([
            { content: drawn + table },
            { content: small(left, 700, "is older than the town.") + small(72, 660, "The end of it.") },
          ]),
        ),
      )
    expect(rowsOf(await rest(276)).at(-1)).toBe(
      "| Lamp | 12.00 | It was bought in a market and is older than the town. |",
    )
    expect(rowsOf(await rest(76)).at(-1)).toBe("| Lamp | 12.00 | It was bought in a market and |")
  })

  it("a line in its columns on the next page is a row of the table; a larger one, as a numbered title, is none", async () => {
    const table = ["Foo", "Bar", "Baz"]
      .map((name, index) => at(160 - 14 * index, { 76: `${index + 1}`, 100: name, 420: `${index + 2}` }))
      .join("")
    const next = (size: number): Promise<string> => {
      const own = text(76, 700, "4", { size }) + text(100, 700, "Qux", { size })
      return markdownOf(
        pdfOf(pages([{ content: table }, { content: own + small(72, 660, "The text of it.") }])),
      )
    }
    expect(rowsOf(await next(9)).at(-1)).toBe("| 4 | Qux |  |")
    expect(rowsOf(await next(14)).at(-1)).toBe("| 3 | Baz | 4 |")
    expect(await next(14)).toContain("\n# 4 Qux\n")
  })

  /** A table on two pages, below what stands above it on the second: its head of two rows, which may come again, and rows. */
  const overPages = (above: string, again: boolean, second = "Tug"): Buffer => {
    const head = (top: number): string =>
      at(top, { 176: "June", 276: "July" }) + at(top - 20, { 76: "Name", 176: "tons", 276: "tons" })
    const body = (top: number, name: string): string =>
      at(top, { 76: name, 176: "12", 276: "14" }) + at(top - 20, { 76: `${name} II`, 176: "7", 276: "8" })
    const drawn = (count: number, top: number): string =>
      grid(
        Array.from({ length: count + 1 }, (_, row) => top - 20 * row),
        [72, 172, 272, 372],
      )
    return pdfOf(
      pages([
        { content: small(72, 240, "Table 2. Ships") + drawn(4, 220) + head(206) + body(166, "Ferry") },
        {
          content:
            above + drawn(again ? 4 : 2, 720) + (again ? head(706) : "") + body(again ? 666 : 706, second),
        },
      ]),
    )
  }
  const ships = [
    "|  | June | July |",
    "| Name | tons | tons |",
    "| Ferry | 12 | 14 |",
    "| Ferry II | 7 | 8 |",
    "| Tug | 12 | 14 |",
    "| Tug II | 7 | 8 |",
  ]

  it("all rows of a head that is repeated on the next page are left out, and a title that says that it goes on", async () => {
    expect(rowsOf(await markdownOf(overPages("", false)))).toEqual(ships)
    expect(rowsOf(await markdownOf(overPages("", true)))).toEqual(ships)
    expect(rowsOf(await markdownOf(overPages("", true, "Ferry")))).toHaveLength(6)
    for (const title of [
      "Table 2. Ships (Continued)",
      "Ships \x97 Continued",
      "Table 2 (cont.)",
      "Ships (cont'd)",
    ]) {
      const markdown = await markdownOf(overPages(small(72, 740, title), true))
      expect(rowsOf(markdown), title).toEqual(ships)
      expect(markdown.match(/Ships|Table 2/g)).toHaveLength(2)
    }
    expect(rowsOf(await markdownOf(overPages(small(72, 740, "Table 3. Boats"), true)))).toHaveLength(8)
  })

  it("a table that has another head on the next page is another table, also with other numbers in the same words", async () => {
    const page = (heads: ReadonlyArray<string>, first: number) => {
      const body = [0, 1, 2].map((row) => [`Quay ${first + row}`, `${first}${row}`, `7${row}`])
      const texts = [heads, ...body].map((row, index) =>
        row.map((words, column) => small(76 + 150 * column, 706 - 20 * index, words)).join(""),
      )
      return { content: grid([720, 700, 680, 660, 640], [72, 222, 372, 522]) + texts.join("") }
    }
    const headsOf = async (one: ReadonlyArray<string>, other: ReadonlyArray<string>) => {
      const markdown = await markdownOf(pdfOf(pages([page(one, 1), page(other, 4)])))
      return markdown.split("\n").flatMap((each, index, all) => (each.includes("---") ? all[index - 1] : []))
    }
    expect(await headsOf(["Place", "Ships", "Boats"], ["Place", "Crews", "Guests"])).toEqual([
      "| Place | Ships | Boats |",
      "| Place | Crews | Guests |",
    ])
    expect(await headsOf(["Place", "June 1", "July 1"], ["Place", "June 2", "July 2"])).toHaveLength(2)
    expect(await headsOf(["Place", "Ships", "Boats"], ["Place", "Ships", "Boats"])).toHaveLength(1)
    expect(await headsOf(["Place", "Ships", "Boats"], ["Quay 3", "12", "14"])).toHaveLength(1)
    expect(await headsOf(["Place", "Ships", "Boats"], ["All of them", "closed", "12"])).toHaveLength(1)
  })

  it("a column that is empty on one of two pages, where no line parts it, is one of both", async () => {
    const all = [72, 152, 232, 312, 392, 472]
    const texts = ["Ship", "Flag", "June", "July", "May"]
    const page = (top: number, empty: number | undefined): string => {
      const places = all.filter((_, index) => index !== empty)
      const rows = [0, 1].map((row) =>
        texts.map((words, column) =>
          column === empty ? "" : small((all[column] ?? 0) + 4, top - 14 - 20 * row, words),
        ),
      )
      return grid([top, top - 20, top - 40], places) + rows.flat().join("")
    }
    const rowsOver = async (
      first: number | undefined,
      second: number | undefined,
    ): Promise<ReadonlyArray<string>> =>
      rowsOf(await markdownOf(pdfOf(pages([{ content: page(160, first) }, { content: page(720, second) }]))))
    const [full, less] = ["| Ship | Flag | June | July | May |", "| Ship |  | June | July | May |"]
    expect(await rowsOver(undefined, 1)).toEqual([full, full, less, less])
    expect(await rowsOver(1, undefined)).toEqual([less, less, full, full])
  })

  /** Lines of one cell, which the document writes one after the other. */
  const cell = (left: number, top: number, ...words: ReadonlyArray<string>): string =>
    words.map((each, index) => small(left, top - 11 * index, each)).join("")

  it("cells whose lines stand closer than any others of their column are rows, whichever of them is centred", async () => {
    const content =
      cell(72, 700, "Version") +
      cell(150, 700, "Date") +
      cell(260, 700, "What is new") +
      cell(72, 673, "1.0") +
      cell(150, 684, "April", "30,", "2022") +
      cell(260, 673, "The first of all") +
      cell(72, 640, "1.1") +
      cell(150, 640, "May 2") +
      cell(260, 640, "Some mends") +
      cell(72, 619, "1.2") +
      cell(150, 619, "May 9") +
      cell(260, 624, "A second way to", "begin with")
    expect(rowsOf(await markdownOf(onePage(content)))).toEqual([
      "| Version | Date | What is new |",
      "| 1.0 | April 30, 2022 | The first of all |",
      "| 1.1 | May 2 | Some mends |",
      "| 1.2 | May 9 | A second way to begin with |",
    ])
  })

  it("a head may go over several columns, above heads of its own; a title over all of them is none", async () => {
    const body = [0, 1, 2]
      .map((each) =>
        at(630 - 20 * each, {
          72: `Party ${each}`,
          180: `1,65${each}`,
          260: `28,00${each}`,
          340: `1,62${each}`,
          420: `23,93${each}`,
        }),
      )
      .join("")
    const head =
      cell(180, 684, "First registration of", "all who stand") +
      cell(340, 684, "Last registration of", "all who stand") +
      cell(180, 654, "Places") +
      cell(260, 654, "Persons") +
      cell(340, 654, "Places") +
      cell(420, 654, "Persons") +
      cell(72, 668, "Party")
    expect(rowsOf(await markdownOf(onePage(head + body))).slice(0, 3)).toEqual([
      "| Party | First registration of all who stand | First registration of all who stand | Last registration of all who stand | Last registration of all who stand |",
      "|  | Places | Persons | Places | Persons |",
      "| Party 0 | 1,650 | 28,000 | 1,620 | 23,930 |",
    ])
    const titled =
      small(72, 684, "Registrations of all parties of the country, by the place where") +
      at(654, { 72: "Party", 180: "Places", 260: "Persons", 340: "Places", 420: "Persons" })
    expect(rowsOf(await markdownOf(onePage(titled + body)))[0]).toBe(
      "| Party | Places | Persons | Places | Persons |",
    )
  })

  it("a head that is in the middle of its columns stands in each of them, also where they are wider and a line parts it from their heads", async () => {
    const across = [715, 697, 679, 600].map((y) => line(60, y, 480, y)).join("")
    const head =
      at(703, { 219: "Boats", 374: "Men" }) +
      at(685, { 72: "Town", 180: "Large", 260: "Small", 340: "Here", 400: "There" })
    const body = [0, 1, 2].map((each) =>
      at(664 - 20 * each, { 72: `Town ${each}`, 180: "14", 260: "Seven", 340: "22", 400: "Eight" }),
    )
    expect(rowsOf(await markdownOf(onePage(across + head + body.join("")))).slice(0, 3)).toEqual([
      "|  | Boats | Boats | Men | Men |",
      "| Town | Large | Small | Here | There |",
      "| Town 0 | 14 | Seven | 22 | Eight |",
    ])
  })

  it("a head stands once where it is not certain how far it reaches", async () => {
    const heads = { 72: "Town", 130: "Large", 190: "Small", 250: "Both" }
    const others = { 310: "Here", 370: "There", 430: "Old", 490: "New" }
    const body = [0, 1, 2].map((each) =>
      at(664 - 20 * each, { 72: `Town ${each}`, 130: "1,652", 190: "28,00", 250: "23,93", ...others }),
    )
    const across = [715, 697, 679, 600].map((y) => line(60, y, 540, y)).join("")
    const above = at(703, { 145: "Boats out", 325: "Men aboard", 445: "Lamps lit" })
    const head = above + at(685, { ...heads, ...others })
    expect(rowsOf(await markdownOf(onePage(across + head + body.join(""))))[0]).toBe(
      "|  | Boats out |  |  | Men aboard |  | Lamps lit |  |",
    )
  })

  it("labels that are centred beside several rows stand in each of these", async () => {
    const names = ["Harbours", "Ferries", "Bridges", "Towers", "Mills"]
    const rows = names.map((name, index) =>
      at(680 - 20 * index, { 220: name, 330: `of the ${name.toLowerCase()}` }),
    )
    const content =
      at(700, { 72: "Area", 220: "Name", 330: "What" }) +
      rows.join("") +
      small(72, 660, "Of the sea") +
      small(72, 610, "Of the land")
    expect(rowsOf(await markdownOf(onePage(content)))).toEqual([
      "| Area | Name | What |",
      "| Of the sea | Harbours | of the harbours |",
      "| Of the sea | Ferries | of the ferries |",
      "| Of the sea | Bridges | of the bridges |",
      "| Of the land | Towers | of the towers |",
      "| Of the land | Mills | of the mills |",
    ])
  })

  it("labels that are centred beside the rows between two lines stand in each of them, also those of two columns", async () => {
    const head = { 72: "Layers", 150: "Heads", 230: "Language", 330: "Simple", 420: "All" }
    const group = (top: number, label: string, heads: string): string =>
      at(top - 18, { 72: label, 150: heads }) +
      at(top - 12, { 230: "Markup", 330: "0.965", 420: "0.955" }) +
      at(top - 24, { 230: "Tokens", 330: "0.969", 420: "0.961" })
    const across = [720, 700, 670, 640, 610].map((y) => line(60, y, 480, y)).join("")
    const body = group(700, "Six", "eight") + group(670, "Four", "four") + group(640, "Two", "eight")
    const rows = [
      "| Layers | Heads | Language | Simple | All |",
      ...["| Six | eight |", "| Four | four |", "| Two | eight |"].flatMap((labels) => [
        `${labels} Markup | 0.965 | 0.955 |`,
        `${labels} Tokens | 0.969 | 0.961 |`,
      ]),
    ]
    const ruled = across + at(707, head) + body
    expect(rowsOf(await markdownOf(onePage(ruled)))).toEqual(rows)
    const down = [60, 140, 220, 320, 410, 480].map((x) => line(x, 610, x, 720)).join("")
    expect(rowsOf(await markdownOf(onePage(ruled + down)))).toEqual(rows)
  })

  it("a label beside many rows between two lines stands in each, where it is near their middle; one beside lines of a text does not", async () => {
    const across = [720, 700, 640, 620, 600].map((y) => line(60, y, 480, y)).join("")
    const rows = ["Lamps", "Bells", "Boats", "Nets"].map((name, index) =>
      at(690 - 14 * index, { 150: name, 300: `${index}1`, 400: `${index}2` }),
    )
    const table = (label: number, last: string): string =>
      across +
      at(707, { 72: "Place", 150: "What", 300: "May", 400: "June" }) +
      at(label, { 72: "Quay" }) +
      rows.join("") +
      at(627, { 72: "Mill", 150: "Sacks", 300: "41", 400: "42" }) +
      at(607, { 72: "Sum", 150: last, 300: "51", 400: "52" })
    for (const label of [676, 669, 662]) {
      expect(rowsOf(await markdownOf(onePage(table(label, "All")))).slice(1, 5)).toEqual([
        "| Quay | Lamps | 01 | 02 |",
        "| Quay | Bells | 11 | 12 |",
        "| Quay | Boats | 21 | 22 |",
        "| Quay | Nets | 31 | 32 |",
      ])
    }
    expect(rowsOf(await markdownOf(onePage(table(690, "All")))).slice(1, 3)).toEqual([
      "| Quay | Lamps | 01 | 02 |",
      "|  | Bells | 11 | 12 |",
    ])
  })

  it("values stand in columns where lines part groups of them, also where most cells are empty and one text goes over all", async () => {
    const places = [160, 200, 240, 280]
    const across = [720, 700, 684, 636, 588, 572].map((y) => line(60, y, 480, y)).join("")
    const down = [60, 140, 320, 480].map((x) => line(x, 572, x, 720)).join("")
    const row = (bottom: number, values: ReadonlyArray<string>, scores: ReadonlyArray<string>): string =>
      values.map((value, index) => (value === "" ? "" : small(places[index] ?? 0, bottom, value))).join("") +
      scores.map((value, index) => small(340 + 60 * index, bottom, value)).join("")
    const content =
      across +
      down +
      row(707, ["N", "d", "h", "k"], ["Loss", "Score", "Size"]) +
      small(72, 690, "base") +
      row(690, ["6", "512", "8", "64"], ["4.92", "25.8", "65"]) +
      small(72, 657, "(A)") +
      row(672, ["", "", "1", "512"], ["5.29", "24.9"]) +
      row(657, ["", "", "4", "128"], ["5.00", "25.5"]) +
      row(642, ["", "", "16", "32"], ["4.91", "25.8"]) +
      small(72, 609, "(B)") +
      row(624, ["2", "", "", ""], ["6.11", "23.7", "36"]) +
      row(609, ["", "256", "", ""], ["5.19", "25.3", "50"]) +
      row(594, ["", "1024", "", ""], ["4.88", "25.5", "80"]) +
      small(72, 577, "(C)") +
      small(170, 577, "waves instead of places") +
      row(577, [], ["4.92", "25.7"])
    expect(rowsOf(await markdownOf(onePage(content)))).toEqual([
      "|  | N | d | h | k | Loss | Score | Size |",
      "| base | 6 | 512 | 8 | 64 | 4.92 | 25.8 | 65 |",
      "| (A) |  |  | 1 | 512 | 5.29 | 24.9 |  |",
      "| (A) |  |  | 4 | 128 | 5.00 | 25.5 |  |",
      "| (A) |  |  | 16 | 32 | 4.91 | 25.8 |  |",
      "| (B) | 2 |  |  |  | 6.11 | 23.7 | 36 |",
      "| (B) |  | 256 |  |  | 5.19 | 25.3 | 50 |",
      "| (B) |  | 1024 |  |  | 4.88 | 25.5 | 80 |",
      `| (C) |${" waves instead of places |".repeat(4)} 4.92 | 25.7 |  |`,
    ])
  })

  it("heads hardly further apart than words stand over their own columns, and a label beside their two lines makes one row of these", async () => {
    const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const across = [720, 690, 650, 610].map((y) => line(60, y, 480, y)).join("")
    const rows = [0, 1, 2, 3].map((row) =>
      at(676 - 20 * row, { 72: `Lamp ${row}`, 213.5: `7${row}.2`, 250.5: `8${row}.6`, 360: `9${row}.1` }),
    )
    const read = async (second: number) => {
      const content =
        across +
        at(710, { 205: "Lighthou", [second]: "Lighters", 358: "Wicks" }) +
        at(704, { 72: "Measure" }) +
        at(697, { 212: "2024", 249: "2025", 358: "2026" }) +
        rows.join("")
      return rowsOf(await markdownOf(pdfOf(pages([{ content }], { objects: { 3: helvetica } }))))
    }
    expect((await read(243.4)).slice(0, 2)).toEqual([
      "| Measure | Lighthou 2024 | Lighters 2025 | Wicks 2026 |",
      "| Lamp 0 | 70.2 | 80.6 | 90.1 |",
    ])
    // With a space between them they may be the words of a head over both columns.
    expect((await read(242))[0]).not.toContain("Lighthou 2024 | Lighters")
  })

  it("a head over some columns alone stands in each of them, where a line below it goes over these", async () => {
    const across = [720, 690, 610].map((y) => line(60, y, 480, y)).join("")
    const heads = at(709, { 190: "Part of it" }) + at(695, { 72: "Name", 200: "What", 380: "Size" })
    const rows = [0, 1, 2].map((row) =>
      at(676 - 20 * row, { 72: `Lamp ${row}`, 200: "Of iron", 380: `${row}0` }),
    )
    const table = (under: string): Promise<string> =>
      markdownOf(onePage(across + under + heads + rows.join("")))
    expect(rowsOf(await table(line(64, 704, 300, 704) + line(60, 630, 480, 630))).slice(0, 2)).toEqual([
      "| Part of it | Part of it |  |",
      "| Name | What | Size |",
    ])
    expect(rowsOf(await table(line(60, 630, 480, 630)))[0]).not.toContain("Part of it | Part of it")
  })

  it("two columns of values are two where a head, or a value for both, stands in their middle", async () => {
    const across = [720, 690, 625, 600].map((y) => line(60, y, 480, y)).join("")
    const under = line(165, 706, 270, 706) + line(320, 706, 425, 706)
    const pairs = [0, 1, 2, 3].map((each) =>
      at(678 - 14 * each, {
        72: `Boat ${each}`,
        180: `24.${each}`,
        240: `39.${each}`,
        335: `2${each}`,
        395: `3${each}`,
      }),
    )
    const content =
      across +
      under +
      at(711, { 205: "Score", 360: "Cost" }) +
      at(703, { 72: "Model" }) +
      at(695, { 175: "North", 235: "South", 330: "North", 390: "South" }) +
      pairs.join("") +
      at(608, { 72: "Ferry", 180: "27.3", 240: "38.1", 366: "33" })
    expect(rowsOf(await markdownOf(onePage(content)))).toEqual([
      "| Model | Score | Score | Cost | Cost |",
      "|  | North | South | North | South |",
      "| Boat 0 | 24.0 | 39.0 | 20 | 30 |",
      "| Boat 1 | 24.1 | 39.1 | 21 | 31 |",
      "| Boat 2 | 24.2 | 39.2 | 22 | 32 |",
      "| Boat 3 | 24.3 | 39.3 | 23 | 33 |",
      "| Ferry | 27.3 | 38.1 | 33 |  |",
    ])
  })

  it("labels in the middle of cells of paragraphs, written row by row, begin rows that no line parts", async () => {
    const paragraphs = (top: number, ...texts: ReadonlyArray<ReadonlyArray<string>>): string =>
      texts
        .flat()
        .map((each, at) => {
          const before = texts.findIndex((own) => own.includes(each))
          return small(172, top - 11 * at - 8 * before, each)
        })
        .join("")
    const content =
      line(72, 720, 472, 720) +
      at(708, { 76: "Name", 172: "What it is for" }) +
      line(72, 702, 472, 702) +
      small(76, 670, "Lamp") +
      paragraphs(
        690,
        ["Lights the quay of the harbour in the", "night.", "It has two:"],
        ["one by the sea,"],
      ) +
      small(76, 621, "Bell") +
      paragraphs(632, ["Tells the boats where the quay is, if it", "is not seen.", "It is rung."]) +
      line(72, 600, 472, 600)
    expect(rowsOf(await markdownOf(onePage(content)))).toEqual([
      "| Name | What it is for |",
      "| Lamp | Lights the quay of the harbour in the night. It has two: one by the sea, |",
      "| Bell | Tells the boats where the quay is, if it is not seen. It is rung. |",
    ])
  })

  const six = (bottom: number, name: string, values: ReadonlyArray<string>) =>
    small(72, bottom, name) + values.map((value, index) => small(150 + 70 * index, bottom, value)).join("")

  it("a cell at the left of its columns goes over those below it, in a head of three levels, centred or not", async () => {
    const head =
      cell(72, 682, "Names") +
      cell(150, 702, "What they trained") +
      cell(150, 684, "First") +
      cell(360, 684, "Later") +
      cell(150, 664, "One by", "one") +
      cell(220, 659, "Some") +
      cell(290, 664, "Two of", "them") +
      cell(360, 669, "All", "in a", "row") +
      cell(430, 664, "Best", "eight") +
      cell(500, 659, "Rest")
    const body = [0, 1, 2].map((each) =>
      six(625 - 20 * each, `Row ${each}`, ["52", "2.9", "126", "12", "60", "20"]),
    )
    expect(rowsOf(await markdownOf(onePage(head + body.join(""))))).toEqual([
      `| Names |${" What they trained |".repeat(6)}`,
      "|  | First | First | First | Later | Later | Later |",
      "|  | One by one | Some | Two of them | All in a row | Best eight | Rest |",
      ...[0, 1, 2].map((each) => `| Row ${each} | 52 | 2.9 | 126 | 12 | 60 | 20 |`),
    ])
  })

  it("a head over several columns stands above the only row that its page has room for", async () => {
    const head =
      cell(150, 84, "First registration") +
      cell(290, 84, "Last registration") +
      cell(150, 68, "Places") +
      cell(220, 68, "Persons") +
      cell(290, 68, "Places") +
      cell(360, 68, "Persons") +
      cell(72, 76, "Party")
    const body = at(48, { 72: "Lilac", 150: "35", 220: "498", 290: "30", 360: "457" })
    expect(rowsOf(await markdownOf(onePage(text(72, 700, "Of parties") + head + body)))).toEqual([
      "| Party | First registration | First registration | Last registration | Last registration |",
      "|  | Places | Persons | Places | Persons |",
      "| Lilac | 35 | 498 | 30 | 457 |",
    ])
  })

  it("a table begins with a cell of two lines beside a centred one, and goes on below the title of a group", async () => {
    const content =
      cell(72, 700, "Field of", "work") +
      cell(150, 694, "Care of the harbours and of their ferries") +
      cell(72, 670, "What it", "is for") +
      cell(150, 670, "To know of the tides and of the boats and how", "to keep them in a good state") +
      cell(72, 640, "Accomplishments") +
      cell(72, 610, "Ways") +
      cell(
        150,
        620,
        "To look at the tides before, and to keep",
        "to the channels that are marked, at all",
        "times",
      ) +
      cell(72, 570, "Skills") +
      cell(150, 575, "To read a chart of the harbour and of all", "the channels near it")
    expect(rowsOf(await markdownOf(onePage(content)))).toEqual([
      "| Field of work | Care of the harbours and of their ferries |",
      "| What it is for | To know of the tides and of the boats and how to keep them in a good state |",
      "| Accomplishments |  |",
      "| Ways | To look at the tides before, and to keep to the channels that are marked, at all times |",
      "| Skills | To read a chart of the harbour and of all the channels near it |",
    ])
  })

  it("a head above labels that stand apart is a form to fill in, below the title of a table or smaller than the text", async () => {
    const form = (top: number) =>
      cell(220, top, "Seen in the", "morning") +
      cell(330, top, "Seen at", "night") +
      cell(80, top - 30, "Number of", "boats") +
      ["Ferries", "Buoys"].map((name, index) => small(80, top - 60 - 19 * index, name)).join("")
    const written = [
      "|  | Seen in the morning | Seen at night |",
      "| Number of boats |  |  |",
      "| Ferries |  |  |",
      "| Buoys |  |  |",
    ]
    const read = async (above: string, top = 660) =>
      rowsOf(await markdownOf(onePage(above + form(top) + text(72, 500, "After it."))))
    expect(await read(text(60, 690, "Fill in this form."))).toEqual(written)
    expect(await read(small(80, 680, "Table 3. Of boats"))).toEqual(written)
    // Nothing tells it from the text around it.
    expect(await read(small(80, 680, "Fill in this form."))).toEqual([])
  })

  it("what stands below a line far below the last row, as the foot of a page does, is no row", async () => {
    const content = (foot: number): string =>
      at(700, { 72: "Item", 300: "Price" }) +
      line(72, 692, 540, 692) +
      at(680, { 72: "A boat", 300: "20" }) +
      at(660, { 72: "Sails", 300: "7" }) +
      line(72, foot, 540, foot) +
      at(foot - 14, { 72: "Receipt 17", 300: "Page 9" })
    expect(rowsOf(await markdownOf(onePage(content(100))))).toEqual([
      "| Item | Price |",
      "| A boat | 20 |",
      "| Sails | 7 |",
    ])
    expect(rowsOf(await markdownOf(onePage(content(650))))).toHaveLength(4)
  })

  it("two titles at the sides of a page are no head of the smaller rows below them", async () => {
    const large = (left: number, words: string): string => text(left, 720, words, { size: 18 })
    const rows = [690, 676, 662].map((bottom, index) =>
      at(bottom, {
        72: ["Number", "Date", "Place"][index] ?? "",
        200: ["17", "May 3", "Bristol"][index] ?? "",
      }),
    )
    const titled = await markdownOf(onePage(large(72, "Receipt") + large(400, "Harbour") + rows.join("")))
    expect(rowsOf(titled)).toEqual(["| Number | 17 |", "| Date | May 3 |", "| Place | Bristol |"])
  })

  it("labels with a colon have a row each, however close they stand and whichever way the document writes them", async () => {
    const fields = [
      ["First name:", "Ann"],
      ["Last name:", "Baker"],
      ["Born:", "1931"],
    ]
    const places = fields.map(([label = "", value = ""], row) => ({ label, value, bottom: 700 - 20 * row }))
    const content =
      places.map(({ label, bottom }) => text(40, bottom, label)).join("") +
      places.map(({ value, bottom }) => text(180, bottom + 1, value)).join("") +
      text(320, 661, "verified") +
      text(40, 640, "Gender:") +
      text(180, 641, "female") +
      text(320, 641, "other")
    expect(rowsOf(await markdownOf(onePage(content)))).toEqual([
      "| First name: | Ann |  |",
      "| Last name: | Baker |  |",
      "| Born: | 1931 | verified |",
      "| Gender: | female | other |",
    ])
  })

  it("a head that a thick line parts from the rows with the same columns below it is theirs", async () => {
    const columns = [72, 200, 330]
    const head = grid([720, 700], columns) + at(706, { 80: "Sign", 210: "Name" })
    const body = (top: number): string =>
      grid([top, top - 20, top - 40], columns) +
      at(top - 14, { 80: "a", 210: "the first" }) +
      at(top - 34, { 80: "b", 210: "the second" })
    expect(await markdownOf(onePage(head + body(697.4)))).toBe(
      "| Sign | Name |\n| --- | --- |\n| a | the first |\n| b | the second |\n",
    )
  })

  it("a label that comes near to its value is in its column where the value begins below others", async () => {
    const page = (left: number): string =>
      at(700, { 72: "Number", 161: "17" }) +
      at(686, { 72: "Date", 161: "May 3" }) +
      at(672, { 72: "Place", 161: "Bristol" }) +
      at(658, { 72: "Paid-in-cash-by", [left]: "Ann" })
    expect(rowsOf(await markdownOf(onePage(page(161))))[3]).toBe("| Paid-in-cash-by | Ann |")
    expect(rowsOf(await markdownOf(onePage(page(160))))).toHaveLength(3)
  })
})

describe("file-md-json: amounts in tables of a PDF", () => {
  const statement = (drawn: string): string =>
    drawn +
    at(706, { 76: "Goods", 283: "2025", 450: "2026" }) +
    at(690, { 76: "Lamps", 240: "$", 280: "1,200", 410: "$", 450: "800" }) +
    at(674, { 76: "Ropes and sails", 286: "300", 450: "(75)" }) +
    at(658, { 76: "Total", 240: "$", 280: "1,500", 410: "$", 450: "725" })
  const rows = [
    "| Goods | 2025 | 2026 |",
    "| Lamps | $ 1,200 | $ 800 |",
    "| Ropes and sails | 300 | (75) |",
    "| Total | $ 1,500 | $ 725 |",
  ]

  const bands = [684, 668, 652].map((y, band) => {
    const grey = band % 2 === 0 ? 0.9 : 1
    return `${grey} g 72 ${y} 270 16 re f 342 ${y} 180 16 re f 0 g\n`
  })

  it("have the sign of their currency in their cell, however far it stands from them", async () => {
    const ruled = [700, 650].map((y) => line(72, y, 522, y)).join("")
    for (const drawn of ["", ruled]) expect(rowsOf(await markdownOf(onePage(statement(drawn))))).toEqual(rows)
  })

  it("have it also where it stands nearer to the number of the column before", async () => {
    const names = ["Current cash", "Investments", "Receivables", "Inventory", "Other assets"]
    const content = names
      .map((name, row) => {
        const values = at(700 - 12 * row, { 72: name, 240: `10${row},900`, 330: `11${row},437` })
        return row === 0 ? values + at(700, { 200: "$", 284: "$" }) : values
      })
      .join("")
    expect(rowsOf(await markdownOf(onePage(content)))).toEqual([
      "| Current cash | $ 100,900 | $ 110,437 |",
      ...names.slice(1).map((name, row) => `| ${name} | 10${row + 1},900 | 11${row + 1},437 |`),
    ])
    const behind = names
      .map((name, row) =>
        at(700 - 12 * row, { 72: name, 240: `10${row},900`, 284: "$", 330: `11${row},437`, 374: "$" }),
      )
      .join("")
    expect(rowsOf(await markdownOf(onePage(behind)))[0]).toBe("| Current cash | 100,900 $ | 110,437 $ |")
  })

  it("are in columns of their own where one comes near to that of the column before", async () => {
    const ends: ReadonlyArray<readonly [number, string]> = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((row) => [
      row,
      row === 4 ? "100.00%" : "4.51%",
    ])
    const ruled = [711, 675, 639, 603].map((y) => line(72, y, 352, y)).join("")
    const content = ends
      .map(([row, share]) =>
        at(700 - 12 * row, { 72: `Lamp ${row}`, 283.8: "643", [341 - 5.4 * share.length]: share }),
      )
      .join("")
    expect(rowsOf(await markdownOf(onePage(ruled + content))).slice(3, 5)).toEqual([
      "| Lamp 3 | 643 | 4.51% |",
      "| Lamp 4 | 643 | 100.00% |",
    ])
  })

  it("are in columns of their own where areas of one colour go over several of them", async () => {
    expect(rowsOf(await markdownOf(onePage(statement(bands.join("")))))).toEqual(rows)
    const inOne = bands.map((band) => band.replace("270 16", "350 16").replace(/342 (\d+) 180/, "422 $1 100"))
    expect(rowsOf(await markdownOf(onePage(statement(inOne.join("")))))).toEqual(rows)
  })

  it("that are to be filled in keep a column of their own", async () => {
    const form =
      at(706, { 76: "Line", 240: "Amount", 410: "Rate" }) +
      at(690, { 76: "First", 240: "$", 410: "$ 25.75" }) +
      at(674, { 76: "Second", 240: "$", 410: "$ 31.75" }) +
      at(658, { 76: "Third", 240: "$", 410: "$ 42.75" })
    expect(rowsOf(await markdownOf(onePage(form)))[1]).toBe("| First | $ | $ 25.75 |")
  })

  it("end before a line of text that is drawn out to both sides", async () => {
    const words = "The rate of all lamps fell from one to two mainly".split(" ")
    let left = 72
    const spread = words.map((word) => {
      const drawnWord = text(left, 638, word, { size: 9 })
      left += word.length * 5.4 + 11
      return drawnWord
    })
    const markdown = await markdownOf(
      onePage(
        statement(bands.join("")) + spread.join("") + text(72, 627, "because of the ropes.", { size: 9 }),
      ),
    )
    expect(rowsOf(markdown)).toEqual(rows)
    expect(markdown).toContain("The rate of all lamps fell from one to two mainly")
  })
})

describe("file-md-json: columns of a PDF that stand no further apart than words", () => {
  /** Of a font whose letters and figures are half as wide as its size, capitals seven tenths and spaces a quarter. */
  const widthOf = (character: string): number =>
    character === " " ? 250 : /[A-Z]/.test(character) ? 700 : 500
  const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  const font = `<< /Type /Font /Subtype /TrueType /BaseFont /Helvetica /FirstChar 32 /LastChar 126 /Widths [${characters.map(widthOf).join(" ")}] /Encoding /WinAnsiEncoding >>`
  const right = (left: number, words: string): number =>
    left + [...words].reduce((sum, each) => sum + (widthOf(each) * 9) / 1000, 0)
  const read = async (content: string): Promise<string> =>
    await markdownOf(pdfOf(pages([{ content }], { objects: { 3: font } })))
  const above = small(72, 740, "What the harbour of the two islands had to lift in the first of its years.")
  const below = small(72, 600, "All of it was lifted by hand, as there was no crane before the second year.")
  const names = ["Rope of hemp", "Tar", "Sails of the old ferry"]
  /** The second column begins three points behind the longest of the names. */
  const second = right(73, "Sails of the old ferry") + 3
  const third = right(second, "Quantity") + 3

  it("are those of a table where no space is written between them", async () => {
    const head = at(720, { 85: "Goods", [second]: "Quantity", [third]: "Ships" })
    const counts = ["12", "7", "3"].map((count, index) =>
      at(706 - 14 * index, { 73: names[index] ?? "", [second]: `${count} bales`, [third]: "4" }),
    )
    expect(rowsOf(await read(above + head + counts.join("") + below))).toEqual([
      "| Goods | Quantity | Ships |",
      "| Rope of hemp | 12 bales | 4 |",
      "| Tar | 7 bales | 4 |",
      "| Sails of the old ferry | 3 bales | 4 |",
    ])
  })

  it("hold lines of one cell, and a cell beside the middle of these", async () => {
    const words =
      at(720, { 85: "Goods", [second]: "Quantity" }) +
      at(706, { 73: names[0] ?? "", [second]: "12 bales" }) +
      at(692, { 73: names[2] ?? "", [second]: "3" }) +
      small(73, 672, "Tar") +
      small(second, 677, "7 barrels, of") +
      small(second, 667, "which one is open")
    expect(rowsOf(await read(above + words + below))).toEqual([
      "| Goods | Quantity |",
      "| Rope of hemp | 12 bales |",
      "| Sails of the old ferry | 3 |",
      "| Tar | 7 barrels, of which one is open |",
    ])
  })

  it("are none where a space is written, or where words do not stand below one another", async () => {
    const rows = ["a b c of hemp", "a b c of tar", "a b c of oak"]
    const written = rows.map((row, index) => small(72, 720 - 11 * index, row)).join("")
    expect(rowsOf(await read(above + written + below))).toEqual([])
    const apart = [
      ["Lifted by the", "men of the quay, who"],
      ["had no crane until the", "second year came, and"],
      ["so all was", "brought to the sheds by hand"],
    ]
    const prose = apart.map(([one = "", other = ""], index) =>
      at(720 - 11 * index, { 72: one, [right(72, one) + 2.3]: other }),
    )
    const markdown = await read(above + prose.join("") + below)
    expect(rowsOf(markdown)).toEqual([])
    expect(markdown).toContain(
      "Lifted by the men of the quay, who had no crane until the second year came, and so",
    )
  })

  it("are none where the lines of a justified text go on in one another", async () => {
    const parts = [
      ["all of it was set down at", "the quay for those ", "who did"],
      ["not have a ship, or had no", "crew for any at all ", "and so"],
      ["lay beside the sheds, but", "few of all of them ", "had any"],
    ]
    const middle = right(72, "not have a ship, or had no")
    const drawn = (begin: string, shift: number) =>
      parts.map(([one = "", two = "", three = ""], index) =>
        at(720 - 14 * index, {
          72: `${begin}${one}`,
          [right(middle, begin) + 3 + shift * index]: `${begin}${two}`,
          [right(middle, begin + begin) + 109 - right(0, three)]: three,
        }),
      )
    expect(rowsOf(await read(above + drawn("", 0.9).join("") + below))).toEqual([])
    // With capitals, they are cells.
    expect(rowsOf(await read(above + drawn("X", 0).join("") + below))).toHaveLength(3)
  })

  it("hold names in lower case beside amounts that end below one another", async () => {
    const amounts = names.map((name, index) => {
      const amount = `${[120, 7, 1500][index]} bales`
      const goods = name.toLowerCase()
      return at(706 - 14 * index, {
        73: goods,
        [right(73, "sails of the old ferry") + 3]: `z${index}`,
        [right(73, "sails of the old ferry") + 60 - right(0, amount)]: amount,
      })
    })
    expect(rowsOf(await read(above + amounts.join("") + below))).toEqual([
      "| rope of hemp | z0 | 120 bales |",
      "| tar | z1 | 7 bales |",
      "| sails of the old ferry | z2 | 1500 bales |",
    ])
  })

  it("are those of a table also where words are several text objects, and none where letters are such", async () => {
    const rows = ["Rope", "Oars", "Hull"].map((name, index) => {
      const [middle, next] = [right(73, name.slice(0, 3)), right(73, name) + 3]
      return at(706 - 14 * index, {
        73: name.slice(0, 3),
        [middle]: name.slice(3),
        [next]: `of ${index + 4}`,
      })
    })
    expect(rowsOf(await read(above + rows.join("") + below))).toHaveLength(3)
    const letters = (left: number, bottom: number, word: string): string =>
      [...word].map((letter, index) => small(right(left, word.slice(0, index)), bottom, letter)).join("")
    const lettered = ["Rope", "Oars", "Hull"].map((name, index) => {
      const bottom = 706 - 14 * index
      return letters(73, bottom, name) + letters(right(73, name) + 2.3, bottom, `of${index + 4}`)
    })
    expect(rowsOf(await read(above + lettered.join("") + below))).toEqual([])
  })

  it("are none where the first holds nothing but one mark, or leaders stand between them", async () => {
    const marked = names.map((name, index) => at(706 - 14 * index, { 73: "z", [right(73, "z") + 3]: name }))
    expect(rowsOf(await read(above + marked.join("") + below))).toEqual([])
    const entries = ["Rope", "Oars", "Hull"].map((name, index) => {
      const [dots, number] = [right(73, name) + 3, right(73, `${name}......`) + 6]
      return at(706 - 14 * index, { 73: name, [dots]: "......", [number]: `${index + 4}` })
    })
    expect(rowsOf(await read(above + entries.join("") + below))).toEqual([])
  })

  describe("as a spreadsheet prints them", () => {
    /** What ends at a place. */
    const ending = (end: number, words: string): number => end - (right(0, words) - 0)
    const goods = [
      ["Rope", "336", "Bergen", "1.50"],
      ["Tar, black", "79", "Oslo", "12.75"],
      ["Sails", "1240", "Kiel", "8.00"],
    ]
    const row = (bottom: number, [item = "", count = "", port = "", price = ""]: ReadonlyArray<string>) =>
      at(bottom, { 73: item, [ending(190, count)]: count, 192: port, [ending(320, price)]: price })
    const head = (heads: ReadonlyArray<string>) =>
      at(720, Object.fromEntries(heads.map((each, column) => [[73, 130, 192, 262][column] ?? 0, each])))
    const table = [
      "| Goods | Pieces | Port | Price |",
      "| Rope | 336 | Bergen | 1.50 |",
      "| Tar, black | 79 | Oslo | 12.75 |",
      "| Sails | 1240 | Kiel | 8.00 |",
    ]

    it("have their heads at the left of the numbers that end at the right, and texts right behind these", async () => {
      const rows = goods.map((cells, index) => row(708 - 12 * index, cells)).join("")
      const heads = head(["Goods", "Pieces", "Port", "Price"])
      expect(rowsOf(await read(above + heads + rows + below))).toEqual(table)
      const title = small(73, 736, "Sold in June")
      expect(rowsOf(await read(title + heads + rows + below))).toEqual(table)
    })

    it("have them so where nothing but numbers stands there, also such as count in equal steps", async () => {
      const numbers = [1, 2, 3, 4, 5].map((count, index) =>
        [120, 190, 260]
          .map((end, column) => {
            const number = `${count * (column + 1)}`
            return small(ending(end, number), 708 - 12 * index, number)
          })
          .join(""),
      )
      const heads = at(720, { 73: "first", 124: "second", 194: "third" })
      expect(rowsOf(await read(above + heads + numbers.join("") + below)).slice(0, 3)).toEqual([
        "| first | second | third |",
        "| 1 | 2 | 3 |",
        "| 2 | 4 | 6 |",
      ])
    })

    it("are none where they end in points and commas, behind which some programs write no space", async () => {
      const clauses = [
        ["Rope,", "as the men say, is"],
        ["tarred.", "It is kept below a"],
        ["roof;", "the tar is not far"],
      ]
      const prose = clauses.map(([one = "", other = ""], index) =>
        at(720 - 11 * index, { 72: one, 112: other }),
      )
      expect(rowsOf(await read(above + prose.join("") + below))).toEqual([])
    })
  })
})

describe("file-md-json: boxes around the texts of a PDF", () => {
  const box = (left: number, top: number, bottom: number): string =>
    line(left, top, 470, top) +
    line(left, bottom, 470, bottom) +
    line(left, bottom, left, top) +
    line(470, bottom, 470, top)

  it("that begin at two places are no table, and hold lists", async () => {
    const content =
      box(72, 720, 704) +
      small(76, 708, "Hints of the harbour") +
      box(96, 704, 660) +
      small(100, 690, "1. Keep the rope dry, as it is of hemp.") +
      small(100, 678, "2. Keep the tar warm.") +
      small(100, 666, "3. Count the sails.")
    const markdown = await markdownOf(onePage(content))
    expect(rowsOf(markdown)).toEqual([])
    expect(markdown).toContain(
      "1. Keep the rope dry, as it is of hemp.\n2. Keep the tar warm.\n3. Count the sails.",
    )
  })
})
