import { describe, expect, it } from "vitest"
import { line, lines, onePage, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const lefts = [72, 190, 310, 430]
const leading = 11
const size = 9

/** Cells beside one another, written one after the other, each at the middle of the highest; and where the row ends. */
const row = (
  top: number,
  cells: ReadonlyArray<ReadonlyArray<string>>,
): { readonly content: string; readonly bottom: number } => {
  const most = Math.max(...cells.map(({ length }) => length))
  const content = cells
    .map((cell, at) =>
      lines(cell, { left: lefts[at] ?? 0, top: top - ((most - cell.length) * leading) / 2, leading, size }),
    )
    .join("")
  return { content, bottom: top - (most - 1) * leading }
}

/** Rows below one another, with some room between them. */
const tableWith = (
  room: number,
  top: number,
  ...rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>
): string => {
  let next = top
  return rows
    .map((cells) => {
      const { content, bottom } = row(next, cells)
      next = bottom - leading - room
      return content
    })
    .join("")
}

const table = (top: number, ...rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>): string =>
  tableWith(8, top, ...rows)

const wrapped = (words: string): ReadonlyArray<string> =>
  words.match(/.{1,17}(?: |$)/g)?.map((each) => each.trim()) ?? []

const head = [["Duty"], ["Keeper"], ["Head keeper"], ["Master"]]
const lamps = [
  ["Lamps"],
  wrapped("Lights the lamps each night and puts them out when the sun is up."),
  wrapped("Knows all of the lamps of the harbour and mends those that are broken."),
  wrapped("Says which lamps are bought, and where they are to stand, in all of the harbours."),
]
const boats = [
  ["Boats"],
  wrapped("Rows to the buoys if the weather is fair."),
  wrapped("Rows to the buoys in any weather, with a keeper."),
  wrapped("Owns the boats and answers for what they cost."),
]
const rowsOf = (markdown: string): ReadonlyArray<string> =>
  markdown.split("\n").filter((each) => each.startsWith("|") && !each.includes("---"))
const written = (cells: ReadonlyArray<ReadonlyArray<string>>): string =>
  `| ${cells.map((cell) => cell.join(" ")).join(" | ")} |`

describe("file-md-json: tables of a PDF whose cells are texts of many lines, without lines between them", () => {
  it("have the rows that the document writes, cell by cell, though a few high rows look like columns", async () => {
    const high = (cells: ReadonlyArray<ReadonlyArray<string>>) =>
      cells.map((cell, at) => (at === 0 ? cell : [...cell, ...cell, ...cell]))
    const rows = [head, high(lamps), high(boats)]
    expect(rowsOf(await markdownOf(onePage(table(720, ...rows))))).toEqual(rows.map(written))
  })

  it("go on on the next page below the same head, with the rest of a row that the page has taken apart", async () => {
    const cut = (from: number, to?: number) =>
      lamps.map((cell, at) => (at === 0 ? (from === 0 ? cell : []) : cell.slice(from, to)))
    const first = table(720, head, boats, cut(0, 2))
    const second = table(720, head, cut(2), boats)
    expect(rowsOf(await markdownOf(pdfOf(pages([{ content: first }, { content: second }]))))).toEqual(
      [head, boats, lamps, boats].map(written),
    )
  })

  it("go on below the same head also where that has nothing above the first column", async () => {
    const open = [[], ...head.slice(1)]
    const wide = [["Boats of all kinds"], ...boats.slice(1)]
    const first = table(720, open, lamps, boats)
    const second = table(720, open, wide, wide)
    const markdown = await markdownOf(pdfOf(pages([{ content: first }, { content: second }])))
    expect(rowsOf(markdown)).toHaveLength(5)
  })

  it("end above a text that stands further below, and begin below a title", async () => {
    const page =
      text(72, 745, "Duties", { size, font: "B" }) +
      table(720, head, lamps, boats) +
      text(72, 520, "Source: the harbour", { size })
    const markdown = await markdownOf(onePage(page))
    expect(rowsOf(markdown)).toEqual([head, lamps, boats].map(written))
    expect(markdown).toMatch(/^# Duties\n/)
    expect(markdown).toMatch(/\n\nSource: the harbour\n$/)
  })

  it("have cells of several paragraphs, and none but the first column begins a row", async () => {
    const links = (top: number) =>
      [0, 1].map((at) => text(310, top - 27 * at, `Page ${at + 1} of the keeper`, { size })).join("")
    const rows = (top: number) =>
      text(72, top, "Lamps", { size }) +
      lines(["Lights the lamps", "each night."], { left: 190, top, leading, size }) +
      links(top)
    const page =
      row(740, head.slice(0, 3)).content +
      rows(720) +
      rows(660) +
      text(72, 600, "Of the boats", { size, font: "B" })
    const cells = "| Lamps | Lights the lamps each night. | Page 1 of the keeper Page 2 of the keeper |"
    const markdown = await markdownOf(onePage(page))
    expect(rowsOf(markdown)).toEqual([written(head.slice(0, 3)), cells, cells])
    expect(markdown).toMatch(/\n\n# Of the boats\n$/)
  })

  it("have the lines that are drawn between their rows, so that these are of no table below", async () => {
    const across = (...heights: ReadonlyArray<number>) => heights.map((y) => line(60, y, 560, y)).join("")
    const first = row(740, head).content + row(720, lamps).content + row(650, boats).content
    const names = [
      ["Name", "Rank", "Since", "What is told of all of them by others"],
      ["Ada", "Keeper", "1901", "She lit the lamps for most of her life, and put them out in the day."],
      [
        "Grace",
        "Master",
        "1902",
        "She bought the boats of the harbour, and sold them to the town at the end.",
      ],
      ["Emmy", "Keeper", "1903", "She rowed to the buoys."],
    ]
    const second = names.map((cells, at) =>
      cells
        .map((cell, column) => text([72, 130, 190, 240][column] ?? 0, 540 - 15 * at, cell, { size: 7 }))
        .join(""),
    )
    const title = text(
      60,
      580,
      "The election service exposes all of the keepers of it to those who ask for them.",
      { size },
    )
    const drawn = across(730, 660, 610) + across(535, 520, 505, 490)
    const markdown = await markdownOf(onePage(first + title + second.join("") + drawn))
    expect(rowsOf(markdown)).toEqual([
      ...[head, lamps, boats].map(written),
      ...names.map((cells) => `| ${cells.join(" | ")} |`),
    ])
    expect(markdown.match(/^\| ---/gm)).toHaveLength(2)
  })

  it("have a head that a line parts from the rest of the last cell of a row, which stands below it on the next page", async () => {
    const high = [
      ["Gulls"],
      ["None."],
      ["Some."],
      wrapped("Counts the gulls of the harbour from the tower each morning, with all others."),
    ]
    const cut = (from: number, to?: number) => high.map((cell) => cell.slice(from, to))
    const first = tableWith(3, 720, head, lamps, cut(0, 3))
    const second = tableWith(3, 720, head, cut(3), boats) + line(62, 717, 530, 717)
    const markdown = await markdownOf(pdfOf(pages([{ content: first }, { content: second }])))
    expect(rowsOf(markdown)).toEqual([head, lamps, high, boats].map(written))
  })

  it("go on with a row of their own below the same head, where a cell of it says the same as the one above, or all above have a few words", async () => {
    const first = table(720, head, lamps, [["Sails"], ["1907"], ["at the quay"], ["no one"]])
    for (const words of [
      ["1908", "at the quay", "no one"],
      ["A few", "in the mast", "all of it"],
    ]) {
      const second = table(720, head, [[], ...words.map((each) => [each])], boats)
      const markdown = await markdownOf(pdfOf(pages([{ content: first }, { content: second }])))
      expect(rowsOf(markdown)).toHaveLength(5)
    }
  })

  it("are none where columns of a text stand below one another between titles", async () => {
    const column = (left: number, top: number) =>
      lines([...wrapped("The lamps of the harbour are lit each night by a keeper who has no other duty.")], {
        left,
        top,
        leading,
        size,
      })
    const band = (top: number) => [72, 300].map((left) => column(left, top)).join("")
    const texts = band(720) + text(72, 640, "Of the boats", { size: 14 }) + band(620)
    expect(await markdownOf(onePage(texts))).not.toContain("|")
  })
})

describe("file-md-json: tables of a PDF through whose rows dots lead", () => {
  it("have no dots where the labels cover some of them, as a browser draws them", async () => {
    const rows = ["Bergen", "Oslo and the islands", "Trondheim", "Hammerfest"]
    const dotted = (isCovered: boolean): string =>
      rows
        .map((label, at) => {
          const top = 700 - 14 * at
          const dots = Array.from({ length: 20 }, (_, dot) => text(64 + 12 * dot, top, ".", { size: 9 }))
          const numbers = [3003, 461, 97].map((number, column) =>
            text(320 + 80 * column, top, `${number + at}`, { size: 9 }),
          )
          return `${isCovered ? dots.join("") : ""}${text(72, top, label, { size: 9 })}${numbers.join("")}`
        })
        .join("")
    const covered = await markdownOf(onePage(dotted(true)))
    expect(covered).toContain("| Oslo and the islands | 3004 | 462 | 98 |")
    expect(covered).toBe(await markdownOf(onePage(dotted(false))))
  })
})

describe("file-md-json: entries of a bibliography in a PDF", () => {
  const entries = [
    [
      "[RFC2119]",
      "A. Writer, Words for use in texts that tell",
      "how lamps of iron and of copper are lit, 1997.",
    ],
    ["[Lamp84]", "B. Reader, The lamps on the quays of the", "harbour, second edition, 1984."],
    ["[hut]", "The prize for the shortest text of all lamps,", "https://example.com/prize, 2006."],
  ]
  const written = (labels: ReadonlyArray<string>): Promise<string> =>
    markdownOf(
      onePage(
        entries
          .map(([, ...words], at) => {
            const top = 700 - 40 * at
            return text(72, top, labels[at] ?? "") + lines(words, { left: 190, top })
          })
          .join(""),
      ),
    )

  it("are texts where their labels stand in a column of their own", async () => {
    const markdown = await written(entries.map(([label = ""]) => label))
    expect(markdown).not.toContain("|")
    for (const [label = "", ...words] of entries)
      expect(markdown.replace(/\[(https:[^\]]*)\]\([^)]*\)/, "$1").replace(/\\/g, "")).toContain(
        `${label} ${words.join(" ")}`,
      )
  })

  it("are rows of a table where names stand there", async () => {
    expect(await written(["North quay", "South quay", "Market"])).toContain("| South quay | B. Reader")
  })
})
