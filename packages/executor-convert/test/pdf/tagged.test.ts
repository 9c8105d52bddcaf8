import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { lines, type PdfObjects, type PdfPage, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

/** An element of a tag tree: its type, more entries, and the marked content or the elements in it. */
interface Element {
  readonly type: string
  readonly entries?: string
  readonly children: ReadonlyArray<Element | number>
}

const element = (type: string, children: Element["children"], entries = ""): Element => ({
  type,
  entries,
  children,
})

const firstElement = 100

/** A document of one page that is tagged like this; its page is object 10. */
const tagged = (
  content: string,
  children: ReadonlyArray<Element>,
  more: PdfObjects = {},
  others: ReadonlyArray<PdfPage> = [],
): Buffer => {
  const objects: PdfObjects = {}
  const parents = new Map<number, number>()
  let next = firstElement
  const add = ({ type, entries = "", children: inside }: Element, parent: number): number => {
    const own = next++
    const kids = inside.map((child) => {
      if (typeof child !== "number") return `${add(child, own)} 0 R`
      parents.set(child, own)
      return String(child)
    })
    objects[own] =
      `<< /Type /StructElem /S /${type} /P ${parent} 0 R /Pg 10 0 R ${entries} /K [${kids.join(" ")}] >>`
    return own
  }
  const top = add(element("Document", children), 90)
  const contents = Array.from(
    { length: Math.max(...parents.keys()) + 1 },
    (_, index) => `${parents.get(index) ?? top} 0 R`,
  )
  return pdfOf(
    pages([{ content, entries: "/StructParents 0" }, ...others], {
      catalog: "/MarkInfo << /Marked true >> /StructTreeRoot 90 0 R",
      objects: {
        90: `<< /Type /StructTreeRoot /K ${top} 0 R /ParentTree 91 0 R >>`,
        91: `<< /Nums [0 [${contents.join(" ")}]] >>`,
        ...objects,
        ...more,
      },
    }),
  )
}

/** A page behind the one with the tags. */
const another: ReadonlyArray<PdfPage> = [{ content: text(72, 700, "Another page has words of its own.") }]

const marked = (number: number, content: string): string => `/P << /MCID ${number} >> BDC\n${content}EMC\n`
const artifact = (content: string): string => `/Artifact BMC\n${content}EMC\n`

const prose = (number: number, bottom: number) =>
  marked(
    number,
    lines(["The text of a paragraph goes over two lines of", "the page, as texts do, and ends there."], {
      top: bottom,
    }),
  )

describe("file-md-json: tagged PDFs", () => {
  const paragraphsAt = (words: ReadonlyArray<string>): Buffer =>
    tagged(
      words.map((each, at) => marked(at, text(72, 700 - 14 * at, each))).join(""),
      words.map((_, at) => element("P", [at])),
    )

  it("lines of paragraphs that are tagged as one each are joined, where full ones end no sentence above the next", async () => {
    const words = [
      "The lamps of iron and of copper that stand at the quays of OLD",
      "BERGEN are lit at dusk by the men of the town, as the rules of",
      "No. 104 for lamps of class E say it, which the council of 1851",
      "Bergen has made for all of them and for the streets of its New",
      "Market.",
    ]
    expect(await markdownOf(paragraphsAt(words))).toBe(`${words.join(" ")}\n`)
  })

  it("the words of a paragraph whose tags go up and down the page stand as the page writes them downwards", async () => {
    const rows = [
      "Ships come in by night, and they keep",
      "between the two moles of the harbour",
      "until a pilot comes.",
    ]
    const content = rows.map((row, index) => marked(index, text(72, 700 - 14 * index, row))).join("")
    const list = element("L", [element("LI", [element("LBody", [3])])])
    const page = content + marked(3, text(72, 600, "An item of a list."))
    expect(await markdownOf(tagged(page, [element("P", [0, 2, 1]), list]))).toContain(rows.join(" "))
  })

  it("the words of a line stand from left to right, also those that one object draws into several gaps", async () => {
    const brackets = "BT /F 12 Tf 1 0 0 1 119 700 Tm [(\\()-4150(\\))] TJ ET\n"
    const content =
      marked(0, text(72, 700, "A lamp")) +
      marked(1, brackets) +
      marked(2, text(126, 700, "of iron") + text(187, 700, "shines.")) +
      prose(3, 670)
    const document = tagged(content, [element("P", [0, 1, 2]), element("P", [3])])
    expect(await markdownOf(document)).toContain("A lamp (of iron) shines.\n")
  })

  it("keep a paragraph whole whose runs of text are elements without a meaning, as browsers write them", async () => {
    const content =
      marked(5, text(72, 730, "Of harbours")) +
      marked(0, text(72, 700, "Press")) +
      marked(1, text(120, 700, "Start", { font: "B" })) +
      marked(2, text(170, 700, "and wait for")) +
      marked(3, text(260, 700, "the sign.")) +
      prose(4, 670)
    const parts = [0, 1, 2, 3].map((part) => element("NonStruct", [part]))
    const document = tagged(content, [element("H1", [5]), element("P", parts), element("P", [4])])
    expect(await markdownOf(document)).toBe(
      "# Of harbours\n\nPress Start and wait for the sign.\n\nThe text of a paragraph goes over two lines of the page, as texts do, and ends there.\n",
    )
  })

  it("an entry of a table of contents is no heading, though it has the tag of the one that it names", async () => {
    const content =
      marked(0, text(72, 740, "Of harbours ................. 3")) +
      marked(1, text(72, 726, "Of ships .................... 4")) +
      marked(2, text(72, 690, "Of harbours")) +
      prose(3, 670)
    const headings = [0, 1, 2].map((number) => element("H1", [number]))
    expect(await markdownOf(tagged(content, [...headings, element("P", [3])]))).toMatch(
      /^- Of harbours 3\n- Of ships 4\n\n# Of harbours\n\nThe text/,
    )
  })

  it("keep a sentence whole that goes on in a group within a link, as coordinates do", async () => {
    const content =
      prose(0, 740) +
      marked(1, text(72, 700, "Between the lamp")) +
      marked(2, text(194, 700, "48 N")) +
      marked(3, text(230, 700, "107 E")) +
      marked(4, text(273, 700, "and the quay lies"))
    const part = (number: number) => element("NonStruct", [number])
    const link = element("Link", [element("Div", [part(2), part(3)])])
    const document = tagged(content, [element("H1", [0]), element("P", [part(1), link, part(4)])])
    expect(await markdownOf(document)).toContain("\n\nBetween the lamp 48 N 107 E and the quay lies\n")
  })

  it("are read by their places where a form is filled in: texts without tags stand within a tagged table", async () => {
    const labels = ["Last name", "First name", "Town"]
    const cell = (number: number, row: number, column: number): string =>
      marked(number, text(72 + 150 * column, 700 - 40 * row, labels[column] ?? ""))
    const content =
      marked(9, text(72, 740, "Of harbours and the people in them")) +
      [0, 1].flatMap((row) => [0, 1, 2].map((column) => cell(3 * row + column, row, column))).join("")
    const row = (first: number) =>
      element(
        "TR",
        [0, 1, 2].map((column) => element("TD", [first + column])),
      )
    const tags = [element("H1", [9]), element("Table", [row(0), row(3)])]
    const filled = text(72, 675, "Baker") + text(222, 675, "Ann") + text(372, 675, "Hull")
    const names = "| Last name | First name | Town |"
    expect(await markdownOf(tagged(content + filled, tags))).toContain(
      `${names}\n| --- | --- | --- |\n| Baker | Ann | Hull |\n${names}\n`,
    )
    expect(await markdownOf(tagged(content, tags))).toContain(`${names}\n| --- | --- | --- |\n${names}\n`)
  })

  it("have the paragraphs and items apart that one element holds, with empty lines between them", async () => {
    const rows: ReadonlyArray<readonly [number, string]> = [
      [720, "All who see a lamp go out report it to the"],
      [706, "keeper of the harbour, in one of these ways:"],
      [678, "1. By a letter that they send to the tower"],
      [664, "and that says where the lamp is."],
      [650, "2. By a flag."],
      [622, "The keeper answers within a day of the week"],
      [608, "and says when it will be mended."],
    ]
    const body = rows.map(([bottom, words]) => text(72, bottom, words)).join("")
    const titled = marked(0, text(72, 760, "Of lamps")) + marked(1, body)
    const parts =
      "All who see a lamp go out report it to the keeper of the harbour, in one of these ways:\n\n" +
      "1. By a letter that they send to the tower and that says where the lamp is.\n2. By a flag.\n\n"
    const end = "The keeper answers within a day of the week and says when it will be mended.\n"
    expect(await markdownOf(tagged(titled, [element("H1", [0]), element("P", [1])]))).toBe(
      `# Of lamps\n\n${parts}${end}`,
    )
    const first = rows.slice(2, 5).map(([bottom, words]) => text(72, bottom, words.replace(/^\d\./, "-")))
    const listed =
      marked(0, text(72, 760, "Of lamps")) + marked(1, first.join("") + text(72, 636, "- By a bell."))
    const list = element("L", [element("LI", [element("LBody", [1])])])
    expect(await markdownOf(tagged(listed, [element("H1", [0]), list]))).toContain(
      "\n- By a flag.\n- By a bell.\n",
    )
  })

  it("have labels apart that one element holds, below lines that were ended on purpose", async () => {
    const rows = [
      "Place: Bristol",
      "Owner: Ann Baker",
      "Duties: All who work here mend the lamps and the",
      "ropes: those of the ships, and of the tower.",
    ]
    const body = rows.map((words, at) => text(72, 720 - 14 * at, words)).join("")
    const content = marked(0, text(72, 760, "Of work")) + marked(1, body)
    expect(await markdownOf(tagged(content, [element("H1", [0]), element("P", [1])]))).toBe(
      "# Of work\n\nPlace: Bristol\n\nOwner: Ann Baker\n\nDuties: All who work here mend the lamps and the ropes: those of the ships, and of the tower.\n",
    )
  })

  it("have a title that no element calls one, where it is larger than the text of its page", async () => {
    const of = (size: number) =>
      tagged(
        marked(0, text(72, 760, "Of harbours", { size: 24 })) +
          prose(1, 720) +
          marked(2, text(72, 660, "What is seen at night", { size })) +
          prose(3, 630),
        [element("H1", [0]), element("P", [1]), element("P", [2]), element("P", [3])],
      )
    expect(await markdownOf(of(16))).toContain("\n## What is seen at night\n")
    expect(await markdownOf(of(13))).toContain("\n\nWhat is seen at night\n")
  })

  it("have a list within an item that is tagged behind the list of that item, where it begins further in", async () => {
    const rows = [
      [72, "Lamps"],
      [90, "Of oil"],
      [90, "Of gas"],
      [72, "Boats"],
    ] as const
    const content = rows
      .map(([left, words], at) => marked(at, text(left, 700 - 14 * at, `\x95 ${words}`)))
      .join("")
    const list = (...items: ReadonlyArray<number>) =>
      element(
        "L",
        items.map((item) => element("LI", [element("LBody", [item])])),
      )
    const lists = [list(0), list(1, 2), list(3)]
    expect(await markdownOf(tagged(content + prose(4, 600), [...lists, element("P", [4])]))).toContain(
      "- Lamps\n  - Of oil\n  - Of gas\n- Boats\n",
    )
    const apart = [list(0), element("P", [4]), list(1, 2), list(3)]
    expect(await markdownOf(tagged(content + prose(4, 600), apart))).toContain(
      "\n- Of oil\n- Of gas\n- Boats\n",
    )
  })

  it("have a numbered title that is tagged as a list of one item, where it is larger than the text", async () => {
    const titled = (size: number, items: ReadonlyArray<number>, end = "") =>
      tagged(
        marked(0, text(72, 760, "1 Harbours", { size })) +
          prose(1, 720) +
          marked(2, text(72, 660, `1.1 At night${end}`, { size })) +
          marked(3, text(72, 600, "1.2 At noon", { size })),
        [
          element("L", [element("LI", [element("LBody", [0])])]),
          element("P", [1]),
          ...items.map((at) => element("L", [element("LI", [element("LBody", [at])])])),
          ...(items.length === 1 ? [element("P", [3])] : []),
        ],
      )
    expect(await markdownOf(titled(18, [2, 3]))).toMatch(
      /^# 1 Harbours\n.*\n## 1.1 At night\n\n## 1.2 At noon\n$/s,
    )
    expect(await markdownOf(titled(18, [2], "."))).toContain("- 1.1 At night.\n")
    expect(await markdownOf(titled(12, [2]))).toMatch(/^- 1 Harbours\n.*\n- 1.1 At night\n/s)
  })

  it("have one that is tagged so also where it is in bold capitals, as large as the text", async () => {
    const titled = (words: string, font: "F" | "B") =>
      tagged(marked(0, text(72, 760, words, { font })) + prose(1, 720), [
        element("L", [element("LI", [element("LBody", [0])])]),
        element("P", [1]),
      ])
    expect(await markdownOf(titled("5.0 HARBOURS AND LAMPS", "B"))).toMatch(/^# 5\.0 HARBOURS AND LAMPS\n/)
    expect(await markdownOf(titled("5.0 HARBOURS AND LAMPS", "F"))).toMatch(/^- 5\.0/)
    expect(await markdownOf(titled("5.0 Harbours and lamps", "B"))).toMatch(/^- 5\.0/)
  })

  it("have text that goes on from the page before as no item of its own, where all items have marks", async () => {
    const page = (mark: string) =>
      tagged(
        marked(0, text(90, 700, "Himeno for the entire school year.")) +
          marked(1, text(72, 680, `${mark} The lamps are mended.`)) +
          marked(2, text(72, 660, "2. The ropes are new.")),
        [
          element(
            "L",
            [0, 1, 2].map((content) => element("LI", [element("LBody", [content])])),
          ),
        ],
      )
    expect(await markdownOf(page("1."))).toBe(
      "Himeno for the entire school year.\n\n1. The lamps are mended.\n2. The ropes are new.\n",
    )
    expect(await markdownOf(page("Then:"))).toMatch(/^- Himeno for the entire school year.\n/)
  })

  it("have the numbers of items that are drawn outside of their lists, as browsers do", async () => {
    const item = (content: number, children: ReadonlyArray<Element> = []) =>
      element("LI", [content, ...children])
    const content =
      marked(0, text(90, 700, "Of lamps")) +
      marked(1, text(120, 680, "with a shade")) +
      marked(2, text(90, 660, "Of chairs")) +
      marked(3, text(72, 620, "A paragraph follows the list."))
    const list = element("L", [item(0, [element("L", [item(1)])]), item(2)])
    const markdown = (numbers: string) => markdownOf(tagged(content + numbers, [list, element("P", [3])]))
    const loose = (left: number) => text(left, 700, "4.") + text(left, 660, "5.")
    expect(await markdown(loose(70))).toBe(
      "4. Of lamps\n   - with a shade\n5. Of chairs\n\nA paragraph follows the list.\n",
    )
    // Further to the side they are of something else.
    expect(await markdown(loose(10))).toMatch(/^- Of lamps\n {2}- with a shade\n- Of chairs\n/)
  })

  it("have no marks of items apart that are drawn outside of their lists, as browsers do", async () => {
    const content =
      marked(0, text(72, 730, "Of harbours")) +
      text(72, 700, "\x95") +
      marked(1, text(90, 700, "Lamps and ropes")) +
      text(72, 680, "\x95") +
      marked(2, text(90, 680, "Sails")) +
      prose(3, 640)
    const items = [1, 2].map((item) => element("LI", [element("LBody", [item])]))
    expect(
      await markdownOf(tagged(content, [element("H1", [0]), element("L", items), element("P", [3])])),
    ).toBe(
      "# Of harbours\n\n- Lamps and ropes\n- Sails\n\nThe text of a paragraph goes over two lines of the page, as texts do, and ends there.\n",
    )
    const more = text(72, 600, "\x95") + text(90, 600, "Masts")
    expect(
      await markdownOf(tagged(content + more, [element("H1", [0]), element("L", items), element("P", [3])])),
    ).toContain("\n\n- Masts\n")
  })

  it("keep what is called no part of the text and stands within it, such as what was filled in", async () => {
    const content =
      prose(0, 740) +
      artifact(text(72, 790, "Running header")) +
      artifact(text(72, 690, "Filled in: 2019")) +
      prose(1, 650)
    const { markdown, codes } = await converted(
      tagged(content, [element("P", [0]), element("P", [1])], {}, another),
      "a.pdf",
    )
    expect(markdown).toContain("Filled in: 2019")
    expect(markdown).not.toContain("Running header")
    expect(codes).toContain("headers_footers_left_out")
  })

  it("keep the header and footer of a document with one page, which stand nowhere else", async () => {
    const content =
      marked(0, text(72, 700, "Of harbours")) +
      prose(1, 670) +
      artifact(text(72, 740, "Invoice 103767")) +
      artifact(text(72, 80, "Bank & Boats - 8888"))
    const tags = [element("H1", [0]), element("P", [1])]
    const { markdown, codes } = await converted(tagged(content, tags), "a.pdf")
    expect(markdown).toMatch(/^Invoice 103767\n\n# Of harbours\n\n[\s\S]*\n\nBank & Boats - 8888\n$/)
    expect(codes).toEqual([])
    expect(await markdownOf(tagged(content, tags, {}, another))).not.toMatch(/Invoice|Bank/)
  })

  it("have a table whose heads are called headings, and those are none", async () => {
    const heads = ["Reference", "Seller", "Due date"]
    const cells = ["None", "Ada", "March 3"]
    const content = [...heads, ...cells]
      .map((words, index) => marked(index, text(72 + 120 * (index % 3), 700 - (index < 3 ? 0 : 20), words)))
      .join("")
    const rows = [
      element(
        "TR",
        heads.map((_, index) => element("TH", [element("H1", [index])])),
      ),
      element(
        "TR",
        cells.map((_, index) => element("TD", [element("P", [3 + index])])),
      ),
    ]
    expect(await markdownOf(tagged(content, [element("Table", rows)]))).toBe(
      "| Reference | Seller | Due date |\n| --- | --- | --- |\n| None | Ada | March 3 |\n",
    )
  })

  it("have the items of a list side by side, whatever lists are said to be around it", async () => {
    const lines = ["Open the lamp", "Clean the glass", "With a cloth", "With sand", "Close the lamp"]
    const marks = ["1.", "2.", "-", "-", "3."]
    const content = lines
      .map((line, index) => {
        const bottom = 700 - 20 * index
        const mark = marked(2 * index + 1, text(72, bottom, marks[index] ?? ""))
        return mark + marked(2 * index + 2, text(100, bottom, line))
      })
      .join("")
    const item = (index: number, ...more: ReadonlyArray<Element>) =>
      element("LI", [element("Lbl", [2 * index + 1]), element("LBody", [2 * index + 2, ...more])])
    const list = element("L", [item(0), item(1, element("L", [item(2), item(3)])), item(4)])
    const around = element("L", [element("LI", [element("LBody", [element("L", [element("LI", [list])])])])])
    const heading = marked(0, text(72, 730, "Of lamps"))
    expect(await markdownOf(tagged(heading + content, [element("H1", [0]), around]))).toBe(
      "# Of lamps\n\n1. Open the lamp\n2. Clean the glass\n   - With a cloth\n   - With sand\n3. Close the lamp\n",
    )
  })

  it("have no items in paragraphs where lists are tagged", async () => {
    const lettered =
      marked(0, text(72, 700, "m. Sort the waste")) + marked(1, text(72, 680, "n. Keep it dry"))
    const item = marked(2, text(72, 640, "-")) + marked(3, text(100, 640, "Bins"))
    const paragraphs = [element("H1", [4]), element("P", [0]), element("P", [1])]
    const list = element("L", [element("LI", [element("Lbl", [2]), element("LBody", [3])])])
    const heading = marked(4, text(72, 730, "Of waste"))
    expect(await markdownOf(tagged(heading + lettered, paragraphs))).toContain("- m. Sort")
    expect(await markdownOf(tagged(heading + lettered + item, [...paragraphs, list]))).toContain(
      "\n\nm. Sort the waste\n\nn. Keep it dry\n\n",
    )
  })

  it("have the code and the texts of an item in it, also behind a list that it holds", async () => {
    const courier = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    const helvetica = courier.replace("Courier", "Helvetica")
    const code = (bottom: number, words: string) => text(90, bottom, words, { font: "B" })
    const content =
      prose(0, 740) +
      marked(1, text(90, 690, "Install it:")) +
      marked(2, code(676, "lamp install") + code(662, "  --here")) +
      marked(3, text(126, 648, "Inner")) +
      marked(4, text(90, 634, "Then look.")) +
      marked(5, text(90, 620, "Sell it."))
    const inner = element("L", [element("LI", [element("LBody", [3])])])
    const first = element("LI", [element("LBody", [1, element("P", [2]), inner, element("P", [4])])])
    const list = element("L", [first, element("LI", [element("LBody", [5])])])
    const pdf = tagged(content, [element("P", [0]), list], { 3: helvetica, 4: courier })
    expect((await markdownOf(pdf)).split("\n\n").slice(1).join("\n\n")).toBe(
      "- Install it:\n  ```\n  lamp install\n    --here\n  ```\n  - Inner\n\n  Then look.\n- Sell it.\n",
    )
  })

  it("have them also where cells of other rows go over several columns", async () => {
    const at = (number: number, left: number, bottom: number, words: string) =>
      marked(number, text(left, bottom, words))
    const content =
      at(0, 72, 700, "Harbour") +
      at(1, 300, 700, "Lamps") +
      at(2, 400, 700, "Ships") +
      at(3, 72, 680, "All of them") +
      at(4, 300, 680, "12") +
      at(5, 400, 680, "34") +
      at(6, 92, 660, "The old one") +
      at(7, 300, 660, "5") +
      at(8, 400, 660, "6") +
      at(9, 112, 640, "Its quay") +
      at(10, 300, 640, "1") +
      at(11, 400, 640, "2")
    const cell = (number: number, columns: number) =>
      element("TD", [number], columns > 1 ? `/A << /O /Table /ColSpan ${columns} >>` : "")
    const row = (first: number, columns: number) =>
      element("TR", [cell(first, columns), cell(first + 1, 1), cell(first + 2, 1)])
    const table = element("Table", [row(0, 3), row(3, 3), row(6, 2), row(9, 1)])
    expect(await markdownOf(tagged(content, [table]))).toBe(
      [
        "| Harbour |  |  | Lamps | Ships |",
        "| --- | --- | --- | --- | --- |",
        "| All of them |  |  | 12 | 34 |",
        "|  | The old one |  | 5 | 6 |",
        "|  |  | Its quay | 1 | 2 |",
        "",
      ].join("\n"),
    )
  })

  it("repeat a head over several columns and the label of several rows, and no title over all columns", async () => {
    const rows: ReadonlyArray<ReadonlyArray<readonly [words: string, columns?: number, rows?: number]>> = [
      [["Ships of the year", 4]],
      [
        ["Quay", 1, 2],
        ["Kind", 1, 2],
        ["Ships in", 2],
      ],
      [["June"], ["July"]],
      [["North", 1, 2], ["Ferry"], ["12"], ["14"]],
      [["Tug"], ["7"], ["8"]],
      [["All of them", 2], ["19"], ["22"]],
    ]
    const lefts = [[72], [72, 180, 280], [280, 380], [72, 180, 280, 380], [180, 280, 380], [72, 280, 380]]
    let content = prose(0, 720)
    let count = 1
    const tags = rows.map((row, at) =>
      element(
        "TR",
        row.map(([words, columns = 1, down = 1], index) => {
          content += marked(count, text(lefts[at]?.[index] ?? 0, 660 - 20 * at, words))
          return element("TD", [count++], `/A << /O /Table /ColSpan ${columns} /RowSpan ${down} >>`)
        }),
      ),
    )
    const markdown = await markdownOf(tagged(content, [element("P", [0]), element("Table", tags)]))
    expect(markdown.split("\n").filter((each) => each.startsWith("|") && !each.includes("---"))).toEqual([
      "| Ships of the year |  |  |  |",
      "| Quay | Kind | Ships in | Ships in |",
      "| Quay | Kind | June | July |",
      "| North | Ferry | 12 | 14 |",
      "| North | Tug | 7 | 8 |",
      "| All of them | All of them | 19 | 22 |",
    ])
  })

  it("have cells below those of their columns where the empty ones before them are not tagged", async () => {
    const columns = [72, 180, 280, 380]
    const rows = [
      ["Date", "Paid out", "Paid in", "Balance"],
      ["2 May", "40.00", "", "60.00"],
      ["3 May", "", "90.00", "150.00"],
      ["Carried", "", "", "150.00"],
    ]
    let content = prose(0, 700)
    let count = 1
    const tags = rows.map((row, index) => {
      const cells: Array<Element> = []
      for (const [column, words] of row.entries()) {
        if (words === "") continue
        content += marked(count, text(columns[column] ?? 0, 640 - 20 * index, words))
        cells.push(element(index === 0 ? "TH" : "TD", [count++]))
      }
      return element("TR", cells)
    })
    const document = tagged(content, [element("P", [0]), element("Table", tags)])
    const table = rows.map((row) => `| ${row.join(" | ")} |`)
    expect(await markdownOf(document)).toContain(
      [table[0], "| --- | --- | --- | --- |", ...table.slice(1)].join("\n"),
    )
  })

  it("have a number that is an element of its own before the title or the text that stands beside it", async () => {
    const at = (count: number, left: number, bottom: number, words: string) =>
      marked(count, text(left, bottom, words))
    const content =
      prose(0, 700) +
      at(1, 72, 640, "9.") +
      at(2, 108, 640, "The lamps of the harbour") +
      at(3, 72, 600, "10.") +
      at(4, 72, 580, "The ships that come in")
    const inline = (count: number) => element("P", [element("Span", [count])])
    const document = tagged(content, [element("H1", [0]), ...[1, 2, 3, 4].map(inline)])
    const markdown = await markdownOf(document)
    expect(markdown).toContain("9. The lamps of the harbour\n")
    expect(markdown).not.toContain("10. The ships")
  })

  it("have the cells of rows, of which none tells all, in the columns that they stand in, and a sign with its number", async () => {
    const ends = [240, 310, 410, 480]
    const signs = [190, 260, 350, 430]
    const rows = [
      ["Service cost", "$ 1,037", "$ 882", "$ 257", "$ 211"],
      ["Interest cost", "988", "1,018", "186", "197"],
      ["Expected return", "(1,809)", "", "(7)", "(7)"],
      ["Gains", "", "", "12", ""],
      ["Total", "$ 216", "$ 1,900", "$ 448", "$ 401"],
    ]
    let content = prose(0, 740)
    let count = 1
    const cell = (left: number, bottom: number, words: string, entries = ""): Element => {
      content += marked(count, text(left, bottom, words, { size: 9 }))
      return element("TD", [count++], entries)
    }
    const middle = (from: number, to: number, words: string): number => (from + to) / 2 - 2.7 * words.length
    const above = element("TR", [
      cell(middle(190, 310, "Pensions"), 700, "Pensions"),
      cell(middle(350, 480, "Others"), 700, "Others"),
    ])
    const years = element("TR", [
      cell(72, 684, "(in millions)"),
      ...["2015", "2014", "2015", "2014"].map((year, at) => cell((ends[at] ?? 0) - 21.6, 684, year)),
    ])
    const body = rows.map(([label = "", ...numbers], row) => {
      const bottom = 668 - 16 * row
      const cells = [cell(72, bottom, label, row === 0 ? "" : "/A << /O /Table /ColSpan 2 >>")]
      for (const [at, number] of numbers.entries()) {
        const [sign, value] = number.startsWith("$ ") ? ["$", number.slice(2)] : ["", number]
        if (sign !== "") cells.push(cell(signs[at] ?? 0, bottom, sign))
        if (value !== "") cells.push(cell((ends[at] ?? 0) - 5.4 * value.length, bottom, value))
      }
      return element("TR", cells)
    })
    const document = tagged(content, [element("P", [0]), element("Table", [above, years, ...body])])
    expect(await markdownOf(document)).toContain(
      [
        "|  | Pensions | Pensions | Others | Others |",
        "| --- | --- | --- | --- | --- |",
        "| (in millions) | 2015 | 2014 | 2015 | 2014 |",
        ...rows.map((row) => `| ${row.join(" | ")} |`),
      ].join("\n"),
    )
  })

  it("have one column where the first cell is told as its head, and the other holds a text alone", async () => {
    const box = (head: string, ...inside: ReadonlyArray<Element | number>) =>
      tagged(prose(0, 740) + marked(1, text(72, 690, "Note")) + prose(2, 670), [
        element("P", [0]),
        element("Table", [element("TR", [element(head, [1])]), element("TR", [element("TD", inside)])]),
      ])
    const row = "| The text of a paragraph goes over two lines of the page, as texts do, and ends there. |"
    expect(await markdownOf(box("TH", 2))).toContain(`| Note |\n| --- |\n${row}\n`)
    expect(await markdownOf(box("TD", 2))).not.toContain("|")
    const list = element("L", [element("LI", [element("LBody", [2])])])
    expect(await markdownOf(box("TH", list))).not.toContain("|")
  })

  it("have one column for an amount, where its sign is told as a cell of its own in some rows, as browsers do", async () => {
    const ends = [300, 420]
    const rows = [
      ["Cash", "$ 1,037", "$ 882"],
      ["Inventories", "988", "1,018"],
      ["Other assets", "1,809", "7"],
      ["Total", "$ 3,834", "$ 1,907"],
    ]
    let content = prose(0, 740)
    let count = 1
    const cell = (columns: number, left: number, bottom: number, words: string): Element => {
      content += marked(count, text(left, bottom, words, { size: 9 }))
      return element("TD", [count++], `/A << /O /Table /ColSpan ${columns} >>`)
    }
    const years = element("TR", [
      element("TD", [], "/A << /O /Table /ColSpan 3 >>"),
      cell(3, 258, 700, "2025"),
      cell(3, 378, 700, "2024"),
    ])
    const body = rows.map(([label = "", ...amounts], row) => {
      const bottom = 684 - 16 * row
      const cells = amounts.flatMap((amount, at) => {
        const end = ends[at] ?? 0
        const number = amount.replace("$ ", "")
        const left = end - 5.4 * number.length
        const room = element("TD", [])
        return number === amount
          ? [cell(2, left, bottom, number), room]
          : [cell(1, end - 60, bottom, "$"), cell(1, left, bottom, number), room]
      })
      return element("TR", [cell(3, 72, bottom, label), ...cells])
    })
    const document = tagged(content, [element("P", [0]), element("Table", [years, ...body])])
    expect(await markdownOf(document)).toContain(
      ["|  | 2025 | 2024 |", "| --- | --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`)].join(
        "\n",
      ),
    )
  })

  it("have heads that are told to go over columns of nothing but room above the cells that they stand over", async () => {
    const lefts = [72, 220, 320, 420]
    const rows = [
      ["", "2015", "2014", "2013"],
      ["Service cost", "1,037", "1,882", "1,257"],
      ["Interest cost", "1,988", "1,018", "1,186"],
      ["Losses", "1,745", "1,460", "1,681"],
    ]
    let content = prose(0, 740)
    let count = 1
    const tags = rows.map((row, at) => {
      const cells = row.flatMap((words, column) => {
        if (words === "") return []
        content += marked(count, text(lefts[column] ?? 0, 700 - 16 * at, words))
        return [element("TD", [count++], at === 0 ? "/A << /O /Table /ColSpan 4 >>" : "")]
      })
      return element("TR", cells)
    })
    const document = tagged(content, [element("P", [0]), element("Table", tags)])
    const table = rows.map((row) => `| ${row.join(" | ")} |`)
    expect(await markdownOf(document)).toContain(
      [table[0], "| --- | --- | --- | --- |", ...table.slice(1)].join("\n"),
    )
  })

  it("have the cells of a row in the columns that they stand in, where a few rows are told from their last cell", async () => {
    const rows = ["Ethanol", "Oil", "Gas", "Straw", "Grass", "Tallow"].map((name, row) => [
      name,
      `1.${row}0`,
      `2.${row}5`,
      `3.${row}9`,
    ])
    const lefts = [72, 200, 300, 400]
    const table = (told: ReadonlyArray<number>, columns = lefts) =>
      tagged(
        rows
          .flatMap((cells, row) =>
            cells.map((cell, at) => marked(4 * row + at, text(columns[at] ?? 0, 700 - 20 * row, cell))),
          )
          .join(""),
        [
          element(
            "Table",
            rows.map((_, row) =>
              element(
                "TR",
                (row === 2 ? told : [0, 1, 2, 3]).map((at) => element("TD", [element("P", [4 * row + at])])),
              ),
            ),
          ),
        ],
      )
    const written = rows.map((cells) => `| ${cells.join(" | ")} |`)
    const read = async (document: Buffer) =>
      (await markdownOf(document)).split("\n").filter((line) => line.startsWith("|") && !line.includes("---"))
    expect(await read(table([0, 3, 2, 1]))).toEqual(written)
    // Written from right to left, all rows are told so.
    expect(await read(table([0, 1, 2, 3], lefts.toReversed()))).toEqual(written)
  })

  it("have a small table in a cell as its text; boxes in cells are none", async () => {
    const words = ["nine", "eight", "seven", "six", "a", "b", "c", "d", "four", "three", "two", "one"]
    const content = words
      .map((word, at) => marked(at, text(72 + 60 * (at % 6), at < 6 ? 700 : 680, word)))
      .join("")
    const row = (cells: ReadonlyArray<number | Element>) =>
      element(
        "TR",
        cells.map((cell) => element("TD", [cell])),
      )
    const read = async (inner: Element) =>
      markdownOf(tagged(content, [element("Table", [row([0, 1, 2]), row([3, inner, 8]), row([9, 10, 11])])]))
    expect(await read(element("Table", [row([4, 5]), row([6, 7])]))).toBe(
      "| nine | eight | seven |\n| --- | --- | --- |\n| six | a b c d | four |\n| three | two | one |\n",
    )
    expect(await read(element("Table", [row([4]), row([5])]))).not.toContain("| nine")
  })

  it("have the headings, lists and tables that their tags say, though nothing in their look shows it", async () => {
    const content =
      marked(0, text(72, 700, "Of harbours")) +
      prose(1, 670) +
      marked(2, text(72, 620, "a)")) +
      marked(3, text(100, 620, "Ferries")) +
      marked(4, text(72, 600, "b)")) +
      marked(5, text(100, 600, "Others")) +
      marked(6, text(72, 560, "Ship")) +
      marked(7, text(140, 560, "Count")) +
      marked(8, text(72, 540, "Ferry")) +
      marked(9, text(140, 540, "12"))
    const item = (label: number, body: number) =>
      element("LI", [element("Lbl", [label]), element("LBody", [element("P", [body])])])
    const pdf = tagged(content, [
      element("H2", [0]),
      element("P", [1]),
      element("L", [item(2, 3), item(4, 5)]),
      element("Table", [
        element("TR", [element("TH", [6]), element("TH", [7])]),
        element("TR", [element("TD", [8]), element("TD", [9])]),
      ]),
    ])
    expect(await markdownOf(pdf)).toBe(
      "## Of harbours\n\nThe text of a paragraph goes over two lines of the page, as texts do, and ends there.\n\n- a) Ferries\n- b) Others\n\n| Ship | Count |\n| --- | --- |\n| Ferry | 12 |\n",
    )
  })

  it("have no headings that are paragraphs in the type of the text: these are items by their numbers, or text", async () => {
    const clause = [
      "The harbour reserves all rights in its boats that are not given to those who sail",
      "in them, and may take any boat back at the end of the year.",
    ]
    const content =
      marked(0, text(72, 700, "4. Of harbours")) +
      marked(1, lines([`5. ${clause[0]}`, clause[1] ?? ""], { top: 680, size: 9 })) +
      marked(2, lines([`5.1. ${clause[0]}`, clause[1] ?? ""], { top: 640, size: 9 })) +
      marked(3, lines(clause, { top: 600, size: 9 }))
    const pdf = tagged(content, [
      element("H1", [0]),
      element("H1", [1]),
      element("H2", [2]),
      element("P", [3]),
    ])
    expect(await markdownOf(pdf)).toBe(
      `# 4. Of harbours\n\n5. ${clause.join(" ")}\n\n- 5.1. ${clause.join(" ")}\n\n${clause.join(" ")}\n`,
    )
  })

  it("have the entries of contents inside of those that begin further out, whose tags tell one list or several", async () => {
    const entry = (number: number, left: number, title: string): string =>
      marked(number, text(left, 690 - 20 * number, `${title} ........ ${number + 1}`))
    const content =
      marked(9, text(72, 740, "Contents", { size: 18 })) +
      entry(0, 72, "Of harbours") +
      entry(1, 84, "Of quays") +
      entry(2, 84, "Of locks") +
      entry(3, 96, "Of gates") +
      entry(4, 72, "Of ships")
    const entryOf = (number: number) => element("TOCI", [element("P", [number])])
    const read = async (entries: ReadonlyArray<Element>) =>
      markdownOf(tagged(content, [element("H1", [9]), element("TOC", entries)], {}, another))
    const expected =
      "# Contents\n\n- Of harbours 1\n  - Of quays 2\n  - Of locks 3\n    - Of gates 4\n- Of ships 5\n\n"
    expect(await read([0, 1, 2, 3, 4].map(entryOf))).toContain(expected)
    const nested = [
      entryOf(0),
      element("TOC", [entryOf(1), entryOf(2), element("TOC", [entryOf(3)])]),
      entryOf(4),
    ]
    expect(await read(nested)).toContain(expected)
    expect(await read([element("TOC", [0, 1, 2, 3, 4].map(entryOf))])).toContain(expected)
  })

  it("have entries of contents without the first of their dots, where the others are no part of the text", async () => {
    const entry = (number: number, title: string): string => {
      const top = 690 - 20 * number
      const words = marked(number, text(72, top, `${title}.`) + text(400, top, `${number + 1}`))
      return words + artifact(text(200, top, "........"))
    }
    const titles = ["Of harbours", "Of ships"]
    const content =
      marked(9, text(72, 740, "Contents", { size: 18 })) + titles.map((each, at) => entry(at, each)).join("")
    const contents = element("TOC", [element("TOCI", [0]), element("TOCI", [1])])
    const document = tagged(content, [element("H1", [9]), contents], {}, another)
    expect(await markdownOf(document)).toContain("# Contents\n\n- Of harbours 1\n- Of ships 2\n\n")
  })

  it("begin with a heading that stands above all else, where the text is told before it", async () => {
    const content = prose(0, 600) + marked(1, text(72, 700, "Of harbours"))
    expect(await markdownOf(tagged(content, [element("P", [0]), element("H1", [1])]))).toMatch(
      /^# Of harbours\n\nThe text/,
    )
    const below = prose(0, 740) + marked(1, text(72, 700, "Of harbours"))
    expect(await markdownOf(tagged(below, [element("P", [0]), element("H1", [1])]))).toMatch(
      /# Of harbours\n$/,
    )
  })

  describe("of a slide", () => {
    /** Boxes with a title and a text each, two beside one another in each of two rows. */
    const boxes = ["Quays", "Locks", "Piers", "Moles"].map((title, at) => ({
      left: 72 + 260 * (at % 2),
      top: 640 - 120 * Math.trunc(at / 2),
      title,
      prose: `${title} keep ships from the sea.`,
    }))
    const drawn = (order: ReadonlyArray<number>) => {
      const shapes = order.map((at, place) => {
        const box = boxes[at]
        const [first, second] = [2 * place, 2 * place + 1]
        if (box === undefined) {
          const content = marked(first, text(72, 720, "Of harbours"))
          return { content, shape: element("Sect", [element("H1", [first])]) }
        }
        const { left, top, title, prose: words } = box
        return {
          content: marked(first, text(left, top, title)) + marked(second, text(left, top - 24, words)),
          shape: element("Sect", [element("P", [first]), element("P", [second])]),
        }
      })
      return tagged(
        shapes.map(({ content }) => content).join(""),
        shapes.map(({ shape }) => shape),
      )
    }
    const slide = (order: ReadonlyArray<number>) =>
      ["# Of harbours", ...order.flatMap((at) => [boxes[at]?.title, boxes[at]?.prose])].join("\n\n")

    it("have the shapes in the order of reading, where they are told in that in which they were drawn", async () => {
      expect(await markdownOf(drawn([3, 2, 1, 0, 4]))).toBe(`${slide([0, 1, 2, 3])}\n`)
    })

    it("keep the order of shapes that are told one below another", async () => {
      expect(await markdownOf(drawn([4, 0, 2, 1, 3]))).toBe(`${slide([0, 2, 1, 3])}\n`)
    })
  })

  it("leave out what is marked as no part of the text, with a count", async () => {
    const content =
      marked(0, text(72, 700, "Of harbours")) + prose(1, 670) + artifact(text(72, 640, "Draft for the board"))
    const { markdown, codes } = await converted(
      tagged(content, [element("H1", [0]), element("P", [1])], {}, another),
      "a.pdf",
    )
    expect(markdown).not.toContain("Draft")
    expect(codes).toEqual(["headers_footers_left_out"])
  })

  it("keep their text where a copy of it, as a shadow is, is no part of the text, whichever is printed first", async () => {
    // In pieces, as PDFium leaves out equal ones itself.
    const copy = artifact(text(73, 699, "Of") + text(73 + 3 * 7.2, 699, "harbours and boats"))
    const own = marked(0, text(72, 700, "Of harbours and boats"))
    const elements = [element("H1", [0]), element("P", [1])]
    for (const both of [copy + own, own + copy])
      expect(await markdownOf(tagged(both + prose(1, 660), elements))).toBe(
        "# Of harbours and boats\n\nThe text of a paragraph goes over two lines of the page, as texts do, and ends there.\n",
      )
  })

  it("keep a heading where others have a running header", async () => {
    const content = (number: number) =>
      marked(number, text(72, 774, "Of harbours", { size: 8 })) +
      prose(1, 670) +
      text(280, 20, "Page 1 of 1", { size: 8 })
    const children = [element("H1", [0]), element("P", [1])]
    expect(await markdownOf(tagged(content(0), children))).toMatch(/^# Of harbours\n\nThe text/)
    expect(await markdownOf(tagged(content(2), children))).not.toContain("Of harbours")
  })

  it("have what is said of a picture in its place", async () => {
    const content = marked(0, text(72, 700, "Of harbours")) + prose(1, 670) + marked(2, "0 0 9 9 re S\n")
    const pdf = tagged(content, [
      element("H1", [0]),
      element("Figure", [2], "/Alt (A crane lifts a container)"),
      element("P", [1]),
    ])
    expect(await markdownOf(pdf)).toContain("# Of harbours\n\nA crane lifts a container\n\nThe text")
  })

  it("have the cells that go over several columns, and no table where one only lays out a page", async () => {
    const content =
      marked(0, text(72, 700, "Both columns")) +
      marked(1, text(72, 680, "Ferry")) +
      marked(2, text(240, 680, "12")) +
      marked(3, text(72, 600, "Of quays")) +
      prose(4, 570)
    const pdf = tagged(content, [
      element("Table", [
        element("TR", [element("TH", [0], "/A << /O /Table /ColSpan 2 >>")]),
        element("TR", [element("TD", [1]), element("TD", [2])]),
      ]),
      element("Table", [element("TR", [element("TD", [element("H2", [3]), element("P", [4])])])]),
    ])
    const markdown = await markdownOf(pdf)
    expect(markdown).toContain(
      "| Both columns |  |\n| --- | --- |\n| Ferry | 12 |\n\n## Of quays\n\nThe text",
    )
  })

  it("are read by their looks where the tags tell nothing but paragraphs", async () => {
    const content = marked(0, text(72, 700, "Of harbours", { size: 20 })) + prose(1, 660)
    const pdf = tagged(content, [element("P", [0]), element("P", [1])])
    expect(await markdownOf(pdf)).toMatch(/^# Of harbours\n/)
  })

  it("are read by their looks where the tags hold little of the text", async () => {
    const content =
      marked(0, text(72, 700, "Small")) +
      text(72, 660, "Of harbours", { size: 20 }) +
      lines(["The text of a paragraph goes over two lines of", "the page, as texts do, and ends there."], {
        top: 630,
      })
    expect(await markdownOf(tagged(content, [element("H1", [0])]))).toContain("# Of harbours\n")
  })

  it("have no row of a text in a cell over all columns, above or below the others, or between them where there are some", async () => {
    const note =
      "A note of so many words that it is no label of the cells beside it, but a text that stands across all of the table."
    const cell = (number: number, entries = ""): Element => element("TD", [number], entries)
    const wide = "/A << /O /Table /ColSpan 2 >>"
    const row = (first: number, top: number): string =>
      marked(first, text(72, top, "lamp", { size: 6 })) +
      marked(first + 1, text(300, top, "old", { size: 6 }))
    const notes = (numbers: ReadonlyArray<number>, top: number): string =>
      numbers.map((number, at) => marked(number, text(72, top - 12 * at, note, { size: 6 }))).join("")
    const table = (...rows: ReadonlyArray<ReadonlyArray<Element>>): Element =>
      element(
        "Table",
        rows.map((cells) => element("TR", cells)),
      )
    const rowOf = (first: number): ReadonlyArray<Element> => [cell(first), cell(first + 1)]
    const lamps = "| lamp | old |\n| --- | --- |\n| lamp | old |\n"
    const below = tagged(prose(5, 740) + row(0, 700) + row(2, 690) + notes([4], 680), [
      element("P", [5]),
      table(rowOf(0), rowOf(2), [cell(4, wide)]),
    ])
    expect(await markdownOf(below)).toContain(`${lamps}\n${note}`)
    const one = tagged(prose(5, 740) + row(0, 700) + notes([4], 690) + row(2, 680), [
      element("P", [5]),
      table(rowOf(0), [cell(4, wide)], rowOf(2)),
    ])
    expect(await markdownOf(one)).toContain(`| ${note} |  |\n| lamp | old |`)
    const some = tagged(prose(9, 740) + row(0, 700) + row(2, 690) + notes([4, 5, 6], 680) + row(7, 640), [
      element("P", [9]),
      table(rowOf(0), rowOf(2), [cell(4)], [cell(5)], [cell(6)], rowOf(7)),
    ])
    expect(await markdownOf(some)).toContain(`${lamps}\n${note}\n\n${note}\n\n${note}\n\n`)
    // The first cell goes on from the row above: the text stands in the second.
    const high = tagged(
      prose(5, 740) + row(0, 700) + row(2, 690) + marked(4, text(310, 680, note.slice(0, 90), { size: 3 })),
      [element("P", [5]), table(rowOf(0), [cell(2, "/A << /O /Table /RowSpan 2 >>"), cell(3)], [cell(4)])],
    )
    expect(await markdownOf(high)).toContain("| lamp | old |\n| lamp | A note of so many words")
  })

  it("keep tables that are drawn and not tagged", async () => {
    const drawn =
      [600, 580, 560].map((y) => `72 ${y} m 272 ${y} l S\n`).join("") +
      [72, 172, 272].map((x) => `${x} 560 m ${x} 600 l S\n`).join("")
    const cells = ["Ship", "Count", "Ferry", "12"].map((cell, index) =>
      marked(2 + index, text(76 + 100 * (index % 2), 585 - 20 * Math.floor(index / 2), cell)),
    )
    const content = marked(0, text(72, 700, "Of harbours")) + prose(1, 670) + drawn + cells.join("")
    const pdf = tagged(content, [
      element("H1", [0]),
      ...[1, 2, 3, 4, 5].map((number) => element("P", [number])),
    ])
    expect(await markdownOf(pdf)).toContain("| Ship | Count |\n| --- | --- |\n| Ferry | 12 |\n")
  })

  it("are read in bounded work when elements hold one another in circles", async () => {
    const content = marked(0, text(72, 700, "Of harbours"))
    const circle = {
      101: "<< /Type /StructElem /S /Sect /P 102 0 R /Pg 10 0 R /K [102 0 R 102 0 R 102 0 R 0] >>",
      102: "<< /Type /StructElem /S /Sect /P 101 0 R /Pg 10 0 R /K [101 0 R 101 0 R 101 0 R] >>",
    }
    expect(await markdownOf(tagged(content, [element("Sect", [0])], circle))).toContain("Of harbours")
  })
})

describe("file-md-json: the outline of a PDF", () => {
  const serifs: PdfObjects = {
    3: "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>",
    4: "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>",
  }
  const bookmarks = (titles: ReadonlyArray<string>): PdfObjects => ({
    80: `<< /Type /Outlines /First 81 0 R /Last ${80 + titles.length} 0 R /Count ${titles.length} >>`,
    ...Object.fromEntries(
      titles.map((title, index) => [
        81 + index,
        `<< /Title (${title}) /Parent 80 0 R /Dest [10 0 R /Fit] ${index + 1 < titles.length ? `/Next ${82 + index} 0 R` : ""} >>`,
      ]),
    ),
  })

  it("says which lines are headings, and what their numbers are", async () => {
    const content =
      lines(["2. Of harbours"]) +
      lines(["The text of a paragraph goes over two lines of", "the page, as texts do, and ends there."], {
        top: 660,
      })
    const pdf = pdfOf(
      pages([{ content }], {
        catalog: "/Outlines 80 0 R",
        objects: bookmarks(["Of harbours", "Of ships"]),
      }),
    )
    expect(await markdownOf(pdf)).toMatch(/^# 2\. Of harbours\n\nThe text/)
  })

  it("says nothing where its bookmarks name paragraphs, as some programs make them", async () => {
    const paragraphs = [1, 2, 3].map(
      (count) => `${"The text of a paragraph goes on and on, as texts do. ".repeat(4)}${count}`,
    )
    const set = (titles: ReadonlyArray<string>) =>
      markdownOf(
        pdfOf(
          pages(
            [
              {
                content:
                  lines(["Of harbours"]) + lines(["The text of a paragraph stands here."], { top: 660 }),
              },
            ],
            {
              catalog: "/Outlines 80 0 R",
              objects: bookmarks(titles),
            },
          ),
        ),
      )
    expect(await set(["Of harbours", ...paragraphs])).toMatch(/^Of harbours/)
    expect(await set(["Of harbours", ...paragraphs.slice(1)])).toMatch(/^# Of harbours/)
    const longer = paragraphs.map((each) => each.repeat(4))
    expect(await set(["Of harbours", ...longer])).toMatch(/^Of harbours/)
  })

  it("says so also of titles with the letter of an appendix, or a Roman number, that bookmarks lack", async () => {
    const set = async (title: string) =>
      markdownOf(
        pdfOf(
          pages(
            [{ content: lines([title]) + lines(["The text of a paragraph stands here."], { top: 660 }) }],
            {
              catalog: "/Outlines 80 0 R",
              objects: bookmarks(["Of harbours"]),
            },
          ),
        ),
      )
    for (const letter of ["A", "A.1", "B.2.1", "IV.", "Appendix C:"]) {
      expect(await set(`${letter} OF HARBOURS`)).toMatch(/^# .*OF HARBOURS\n\nThe text/)
    }
    expect(await set("Ships OF HARBOURS")).toMatch(/^Ships/)
  })

  it("puts numbered titles that no bookmark names at the level of those with numbers as long", async () => {
    const titled = (top: number, title: string): string =>
      text(72, top, title, { size: 14 }) +
      lines(["The text of a paragraph goes over two lines of", "the page, as texts do, and ends there."], {
        top: top - 30,
      })
    const titles = ["1. Of harbours", "2. Of ships", "2.1. Of boats", "3. Of sails"]
    const content =
      text(72, 760, "The sea", { size: 20 }) + titles.map((each, at) => titled(730 - 90 * at, each)).join("")
    const pdf = pdfOf(
      pages([{ content }], {
        catalog: "/Outlines 80 0 R",
        objects: bookmarks(["1. Of harbours", "2. Of ships"]),
      }),
    )
    expect((await markdownOf(pdf)).split("\n").filter((line) => line.startsWith("#"))).toEqual([
      "# The sea",
      "## 1. Of harbours",
      "## 2. Of ships",
      "### 2.1. Of boats",
      "## 3. Of sails",
    ])
  })

  it("begins below the title of a document where that is larger and stands before it, and other titles are as high as those that look like them", async () => {
    const titled = (top: number, title: string, size = 14): string =>
      text(72, top, title, { size }) +
      lines(["The text of a paragraph goes over two lines of", "the page, as texts do, and ends there."], {
        top: top - 30,
      })
    const read = async (size: number) => {
      const titles = ["Abstract", "1. Of harbours", "2. Of ships", "References"]
      const content =
        text(72, 760, "The sea", { size }) + titles.map((each, at) => titled(730 - 90 * at, each)).join("")
      const objects = bookmarks(["Of harbours", "Of ships"])
      const markdown = await markdownOf(pdfOf(pages([{ content }], { catalog: "/Outlines 80 0 R", objects })))
      return markdown.split("\n").filter((line) => line.startsWith("#"))
    }
    expect(await read(20)).toEqual([
      "# The sea",
      "## Abstract",
      "## 1. Of harbours",
      "## 2. Of ships",
      "## References",
    ])
    expect((await read(14)).slice(1)).toEqual([
      "# Abstract",
      "# 1. Of harbours",
      "# 2. Of ships",
      "# References",
    ])
  })

  it("says which paragraphs begin with a title, in bold or italics", async () => {
    const content =
      text(72, 700, "1. Of harbours", { font: "B" }) +
      text(72, 670, "a) Quays and walls:", { font: "B" }) +
      text(185, 670, "A quay is a wall along the water, and ships lie at it") +
      text(72, 656, "as long as they are loaded, and leave with the tide.") +
      text(72, 630, "Sluices", { font: "B" }) +
      text(120, 630, "are gates that hold the water back, where there are any.")
    const marked = async (titles: ReadonlyArray<string>) => {
      const objects = { ...bookmarks(titles), ...serifs }
      return markdownOf(pdfOf(pages([{ content }], { catalog: "/Outlines 80 0 R", objects })))
    }
    expect(await marked(["1. Of harbours", "Quays and walls"])).toBe(
      "# 1. Of harbours\n\n# a) Quays and walls\n\nA quay is a wall along the water, and ships lie at it as long as they are loaded, and leave with the tide.\n\nSluices are gates that hold the water back, where there are any.\n",
    )
    expect(await marked(["1. Of harbours"])).toContain("a) Quays and walls: A quay is")
  })

  it("is read in bounded work when bookmarks follow one another in circles", async () => {
    const objects = {
      ...bookmarks(["One"]),
      81: "<< /Title (One) /Parent 80 0 R /Next 81 0 R /First 81 0 R >>",
    }
    const pdf = pdfOf(pages([{ content: lines(["Some text."]) }], { catalog: "/Outlines 80 0 R", objects }))
    expect(await markdownOf(pdf)).toBe("Some text.\n")
  })
})
