import { describe, expect, it } from "vitest"
import { line, onePage, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const small = (left: number, bottom: number, words: string): string => text(left, bottom, words, { size: 9 })

const bold = (left: number, bottom: number, words: string): string =>
  text(left, bottom, words, { size: 9, font: "B" })

/** What ends at these places of a line, and the label at its left. */
const numbers = (bottom: number, label: string, ends: Readonly<Record<number, string>>): string =>
  Object.entries(ends)
    .map(([right, words]) => small(Number(right) - 5.4 * words.length, bottom, words))
    .join("") + (label === "" ? "" : small(72, bottom, label))

const centred = (bottom: number, middle: number, words: string): string =>
  small(middle - 2.7 * words.length, bottom, words)

const read = async (content: string): Promise<ReadonlyArray<string>> =>
  (await markdownOf(onePage(content))).split("\n").filter((each) => each !== "" && !each.includes("---"))

describe("file-md-json: heads above the numbers of a PDF that stand in columns", () => {
  const statement =
    numbers(620, "Current", {}) +
    numbers(608, "Lamps in stock", { 400: "1,290", 480: "1,405" }) +
    numbers(596, "Oil", { 400: "274", 480: "282" }) +
    numbers(584, "Total", { 400: "1,564", 480: "1,687" })
  const rows = [
    "| Current |  |  |",
    "| Lamps in stock | 1,290 | 1,405 |",
    "| Oil | 274 | 282 |",
    "| Total | 1,564 | 1,687 |",
  ]

  it("years are rows of the table, above the labels of its first rows, with what stands over all of them", async () => {
    const head = centred(664, 428, "December 31,") + numbers(652, "", { 400: "2023", 480: "2022" })
    expect(await read(head + numbers(634, "ASSETS", {}) + statement)).toEqual([
      "|  | December 31, |  |",
      "|  | 2023 | 2022 |",
      "| ASSETS |  |  |",
      ...rows,
    ])
    const unit = centred(634, 428, "(in thousands)")
    expect(await read(numbers(645, "", { 400: "2023", 480: "2022" }) + unit + statement)).toEqual([
      "|  | 2023 | 2022 |",
      "|  | (in thousands) |  |",
      ...rows,
    ])
    // A line below the heads parts them from their unit.
    expect(await read(numbers(653, "", { 400: "2023", 480: "2022" }) + unit + statement)).toEqual([
      "|  | 2023 | 2022 |",
      "|  | (in thousands) |  |",
      ...rows,
    ])
  })

  it("one that stands over the room between a sign and its numbers is the head of these; a sign may stand behind them, too", async () => {
    const row = (bottom: number, label: string, [first, second]: readonly [string, string], sign = "") =>
      numbers(bottom, label, { 400: first, 530: second }) +
      (sign === "" ? "" : small(310, bottom, sign) + small(440, bottom, sign))
    const heads =
      small(72, 640, "Ended") + centred(640, 360, "January 28, 2023") + centred(640, 490, "January 29, 2022")
    const body = [
      row(622, "Revenue", ["46,298", "51,761"], "$"),
      row(608, "Cost of sales", ["36,386", "40,121"]),
      row(594, "Gross profit", ["9,912", "11,640"]),
      row(580, "Net earnings", ["1,419", "2,454"], "$"),
    ]
    const expected = [
      "| Ended | January 28, 2023 | January 29, 2022 |",
      "| Revenue | $ 46,298 | $ 51,761 |",
      "| Cost of sales | 36,386 | 40,121 |",
      "| Gross profit | 9,912 | 11,640 |",
      "| Net earnings | $ 1,419 | $ 2,454 |",
    ]
    expect(await read(heads + body.join(""))).toEqual(expected)
    // Of two lines of heads, the lower one stands in that room alone.
    const two =
      centred(650, 372, "January 28, 2023") +
      centred(650, 502, "January 29, 2022") +
      centred(639, 342, "(52-weeks)") +
      centred(639, 472, "(53-weeks)")
    expect((await read(two + body.join(""))).slice(-5)).toEqual([
      "|  | (52-weeks) | (53-weeks) |",
      ...expected.slice(1),
    ])
    const loss = (bottom: number, label: string, first: string, second: string) =>
      row(bottom, label, [first, second], "$") + small(402, bottom, ")") + small(532, bottom, ")")
    const losses = [
      loss(622, "Total revenues", "(2,037", "(2,107"),
      loss(608, "Cash", "(1,407", "(1,131"),
      loss(594, "Equity", "(243", "(277"),
    ]
    expect(await read(losses.join(""))).toEqual([
      "| Total revenues | $ (2,037 ) | $ (2,107 ) |",
      "| Cash | $ (1,407 ) | $ (1,131 ) |",
      "| Equity | $ (243 ) | $ (277 ) |",
    ])
  })

  it("a number stands in its column with its sign or apart from it, also where others have none, and a head that begins before it", async () => {
    const row = (bottom: number, label: string, first: string, second: string, sign = "$") =>
      small(72, bottom, label) +
      (sign === "" ? "" : small(300, bottom, sign) + small(420, bottom, sign)) +
      numbers(bottom, "", { 390: first, 510: second })
    const joined = (bottom: number, label: string, first: string, second: string) =>
      small(72, bottom, label) + numbers(bottom, "", { 390: `$${first}`, 510: `$${second}` })
    const heads = small(308, 646, "Dec 31, 2022 AD") + small(428, 646, "Dec 25, 2021 AD")
    const rows = [
      row(628, "Paper", "954.7", "-"),
      row(614, "Institutions", "279.4", "269.8", ""),
      row(600, "Banks", "1,112.5", "1,869.4", ""),
      joined(586, "Total", "1,234,112,345.1", "2,169,812,345.8"),
    ]
    expect(await read(heads + rows.join(""))).toEqual([
      "|  | Dec 31, 2022 AD | Dec 25, 2021 AD |",
      "| Paper | $ 954.7 | $ - |",
      "| Institutions | 279.4 | 269.8 |",
      "| Banks | 1,112.5 | 1,869.4 |",
      "| Total | $1,234,112,345.1 | $2,169,812,345.8 |",
    ])
  })

  it("lines of heads that end at one height are one row between lines, also below other numbers; one over all columns is a row", async () => {
    const rules = [700, 640, 570].map((at) => line(72, at, 540, at)).join("")
    const at = (bottom: number, words: Readonly<Record<number, string>>): string =>
      Object.entries(words)
        .map(([middle, word]) => centred(bottom, Number(middle), word))
        .join("")
    const heads =
      at(666, { 300: "All", 400: "Growth" }) +
      at(656, { 300: "Optical", 400: "and other" }) +
      at(646, { 300: "Fibre", 400: "Businesses", 500: "Total" })
    const body = [626, 612, 598, 584]
      .map((bottom, at) =>
        numbers(bottom, `Lamp ${"abcd"[at]}`, { 310: `1,${at}66`, 410: `2,${at}28`, 510: `3,${at}82` }),
      )
      .join("")
    const rows = (await read(rules + heads + body)).slice(0, 2)
    expect(rows).toEqual([
      "|  | All Optical Fibre | Growth and other Businesses | Total |",
      "| Lamp a | 1,066 | 2,028 | 3,082 |",
    ])
    const titled = centred(676, 400, "In millions") + heads.replaceAll("Growth", "      ")
    expect((await read(rules + titled + body))[0]).toContain("In millions")
    expect((await read(rules + titled + body))[0]).not.toContain("Businesses")
  })

  it("one that a line parts from the heads below it goes over the columns of the line", async () => {
    const rules = [
      [700, 72],
      [684, 150],
      [670, 72],
      [620, 72],
      [570, 72],
    ]
      .map(([at = 0, from = 0]) => line(from, at, 480, at))
      .join("")
    const heads = small(72, 688, "Site") + small(150, 688, "Percentile")
    const row = (bottom: number, label: string, cells: ReadonlyArray<string>): string =>
      small(72, bottom, label) + cells.map((cell, at) => small(150 + 80 * at, bottom, cell)).join("")
    const body = [656, 642, 628, 606, 592, 578].map((bottom, at) =>
      row(bottom, `Quay ${"abcdef"[at]}`, ["P,T", "P", `P,${at}`, "T"]),
    )
    const levels = row(674, "", ["10", "20", "30", "40"])
    expect((await read(rules + heads + levels + body.join(""))).slice(0, 3)).toEqual([
      "| Site | Percentile | Percentile | Percentile | Percentile |",
      "|  | 10 | 20 | 30 | 40 |",
      "| Quay a | P,T | P | P,0 | T |",
    ])
  })

  it("cells over groups of columns have lines of their own, also where one line stands below all of them", async () => {
    const rules = [
      [700, 72],
      [663, 150],
      [640, 72],
      [605, 72],
      [570, 72],
    ]
      .map(([at = 0, from = 0]) => line(from, at, 540, at))
      .join("")
    const groups =
      centred(680, 212, "Spending-in-total") +
      centred(669, 212, "(bil.)") +
      centred(680, 432, "Number-of-buyers") +
      centred(669, 432, "(mil.)") +
      small(72, 656, "Kind")
    const row = (bottom: number, label: string, cells: ReadonlyArray<string>): string =>
      numbers(
        bottom,
        label,
        Object.fromEntries(cells.map((cell, at) => [[180, 220, 260, 400, 440, 480][at] ?? 0, cell])),
      )
    const years = row(648, "", ["1999", "2000", "2001", "1999", "2000", "2001"])
    const body = [626, 612, 598, 584].map((bottom, at) =>
      row(bottom, `Lamp ${"abcd"[at]}`, ["2.3", "4.1", `3.${at}`, "6.2", "5.3", `9.${at}`]),
    )
    expect((await read(rules + groups + years + body.join(""))).slice(0, 3)).toEqual([
      "| Kind | Spending-in-total (bil.) | Spending-in-total (bil.) | Spending-in-total (bil.) | Number-of-buyers (mil.) | Number-of-buyers (mil.) | Number-of-buyers (mil.) |",
      "|  | 1999 | 2000 | 2001 | 1999 | 2000 | 2001 |",
      "| Lamp a | 2.3 | 4.1 | 3.0 | 6.2 | 5.3 | 9.0 |",
    ])
  })

  it("a line over the middle of three columns goes over all, and one over a column of two is the first line of its head", async () => {
    const three = [620, 608, 596]
      .map((bottom, index) => numbers(bottom, `Lamp ${index}`, { 300: "290", 400: "405", 500: "117" }))
      .join("")
    const years = numbers(648, "", { 300: "2023", 400: "2022", 500: "2021" })
    const above = centred(659, 389, "Years ended")
    expect((await read(above + years + numbers(634, "Iron", {}) + three)).slice(0, 3)).toEqual([
      "|  | Years ended |  |  |",
      "|  | 2023 | 2022 | 2021 |",
      "| Iron |  |  |  |",
    ])
    // Right over one of five, it is not the first line of its head.
    const five = (
      bottom: number,
      label: string,
      [a = "", b = "", c = "", d = "", e = ""]: ReadonlyArray<string>,
    ) => numbers(bottom, label, { 240: a, 300: b, 360: c, 420: d, 480: e })
    const body = [620, 608, 596].map((bottom) => five(bottom, "Lamp", ["290", "405", "117", "200", "301"]))
    const heads = centred(659, 291, "Ended") + five(648, "", ["2023", "2022", "2021", "2020", "2019"])
    expect((await read(heads + numbers(634, "Iron", {}) + body.join(""))).slice(0, 2)).toEqual([
      "|  |  | Ended |  |  |  |",
      "|  | 2023 | 2022 | 2021 | 2020 | 2019 |",
    ])
    const two = numbers(659, "", { 480: "Grant" }) + numbers(648, "", { 400: "Lamps", 480: "price" })
    expect((await read(two + numbers(634, "Iron", {}) + statement)).slice(0, 2)).toEqual([
      "|  | Lamps | Grant price |",
      "| Iron |  |  |",
    ])
  })

  it("are those of two tables with lines of one length where a title between them begins further out than these", async () => {
    const table = (top: number, middle: number, ...rows: ReadonlyArray<readonly [string, string, string]>) =>
      rows
        .map(
          ([name, words, kind], at) =>
            text(80, top - 16 * at, name, { size: 8 }) +
            text(middle, top - 16 * at, words, { size: 8 }) +
            text(480, top - 16 * at, kind, { size: 8 }) +
            `74 ${top - 5 - 16 * at} m 540 ${top - 5 - 16 * at} l S\n`,
        )
        .join("")
    const content =
      table(
        720,
        130,
        ["Field", "Description", "Type"],
        ["key", "The key of the lamp and of its box", "text"],
        ["mast", "Where it hangs", "text"],
        ["oil", "What it burns", "text"],
      ) +
      text(50, 648, "The fields of the boats", { size: 8, font: "B" }) +
      table(
        630,
        200,
        ["Field", "Description", "Type"],
        ["the keeper of it", "Who rows it", "text"],
        ["the name of it", "How it is called in the harbour", "text"],
        ["the quay", "Where it lies", "text"],
      )
    const rows = await read(content)
    expect(rows.filter((each) => each.startsWith("|"))).toEqual([
      "| Field | Description | Type |",
      "| key | The key of the lamp and of its box | text |",
      "| mast | Where it hangs | text |",
      "| oil | What it burns | text |",
      "| Field | Description | Type |",
      "| the keeper of it | Who rows it | text |",
      "| the name of it | How it is called in the harbour | text |",
      "| the quay | Where it lies | text |",
    ])
    expect(rows).toContain("# The fields of the boats")
  })

  it("labels between numbers that end below one another are rows of one table; a larger one begins another", async () => {
    const below = [520, 508, 496]
      .map((bottom, index) => numbers(bottom, `Loan ${index}`, { 400: "41", 480: `9${index}` }))
      .join("")
    const titles = small(200, 556, "DEBTS") + numbers(534, "Short", {})
    expect((await read(statement + titles + below)).slice(3)).toEqual([
      "| Total | 1,564 | 1,687 |",
      "| DEBTS |  |  |",
      "| Short |  |  |",
      "| Loan 0 | 41 | 90 |",
      "| Loan 1 | 41 | 91 |",
      "| Loan 2 | 41 | 92 |",
    ])
    expect(await read(statement + text(72, 545, "DEBTS", { size: 14 }) + below)).not.toContain(
      "| DEBTS |  |  |",
    )
  })

  it("a label a little higher or lower than its numbers stands in their row", async () => {
    for (const offset of [-3.6, 3.6]) {
      const rows = [0, 1, 2, 3].map((row) => {
        const bottom = 620 - 18 * row
        const label = small(72, bottom + (row === 3 ? offset : 0), `All of lamp ${row}`)
        return label + numbers(bottom, "", { 400: "1,564", 480: "1,687" })
      })
      expect((await read(rows.join(""))).at(-1)).toBe("| All of lamp 3 | 1,564 | 1,687 |")
    }
  })

  it("they may stand at the left of numbers that end below one another", async () => {
    const body = [620, 608, 596].map((bottom, index) =>
      numbers(bottom, "", { 160: `201${index}`, 260: "120" }),
    )
    const head = bold(100, 632, "Year") + bold(161, 632, "Lamps made of iron")
    expect(await read(head + body.join(""))).toEqual([
      "| Year | Lamps made of iron |",
      "| 2010 | 120 |",
      "| 2011 | 120 |",
      "| 2012 | 120 |",
    ])
  })

  it("they may stand as far above as nothing else of one column does, where each has numbers below or at its right", async () => {
    const head =
      small(240, 655, "Votes in all") +
      small(320, 655, "Cast") +
      small(420, 655, "Share of") +
      small(420, 646, "those")
    const labels = small(72, 610, "Both towns") + small(80, 599, "The old quay")
    const body = ["By mail", "By boat", "Total"].map(
      (label, index) =>
        numbers(588 - 11 * index, "", { 310: "1643", 390: `${index}43`, 470: "4.51%" }) +
        small(88, 588 - 11 * index, label),
    )
    expect((await read(head + labels + body.join(""))).slice(0, 3)).toEqual([
      "|  | Votes in all | Cast | Share of those |",
      "| Both towns |  |  |  |",
      "| The old quay |  |  |  |",
    ])
  })

  it("numbers, and a line that goes over labels, are none", async () => {
    expect(
      (await read(numbers(652, "", { 400: "77", 480: "81" }) + numbers(634, "ASSETS", {}) + statement))[0],
    ).toBe("77 81")
    expect((await read(small(72, 640, "As was said in the last report of 2022 to all") + statement))[0]).toBe(
      "As was said in the last report of 2022 to all",
    )
  })
})
