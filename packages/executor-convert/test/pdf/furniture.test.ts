import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { line, lines, onePage, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const sentences = ["This is a text of several lines which has", "no meaning but its length, and ends here."]

describe("file-md-json: page furniture of pages out of a longer PDF", () => {
  const numbered = (number: number, words = sentences): { readonly content: string } => ({
    content:
      lines(words.map((each) => `${each} ${number}`)) + text(72, 30, `${number} The harbour, a history`),
  })

  it("footers whose numbers go up with gaps are left out", async () => {
    const markdown = await markdownOf(pdfOf(pages([7, 11, 20, 40].map((number) => numbered(number)))))
    expect(markdown).not.toContain("The harbour, a history")
  })

  it("footers with the title of a section, a line and their number are left out", async () => {
    const titles = ["Of harbours", "Of ships", "Of sails", "Of oars", "Of nets", "Of lamps"]
    const page = (title: string, at: number) => ({
      content:
        lines([`${title} there are words`, "on this page, which go on."]) +
        text(72, 40, at % 2 === 0 ? `${title} | ${at + 1}` : `${at + 1} | ${title}`),
    })
    const markdown = await markdownOf(pdfOf(pages(titles.map(page))))
    expect(markdown).not.toContain("|")
    expect(markdown).toContain("Of lamps there are words")
  })

  it("the line that parts a header or a footer from the text is none of a table", async () => {
    const across = (bottom: number, left = 72, right = 522): string => line(left, bottom, right, bottom)
    const page = (names: ReadonlyArray<string>) => ({
      content:
        text(72, 750, "The harbour of Bergen") +
        across(744) +
        lines([`What ${names[0]} says is on this page,`, "and goes on for a line."], { top: 720 }) +
        [680, 664, 648].map((bottom) => across(bottom)).join("") +
        [0, 1].map((row) => text(76, 668 - 16 * row, names[row] ?? "")).join("") +
        [0, 1].map((row) => text(230, 668 - 16 * row, "quay")).join("") +
        [0, 1].map((row) => text(380, 668 - 16 * row, "boat")).join("") +
        text(72, 600, "Others") +
        across(580, 200, 400) +
        text(204, 566, names[2] ?? "") +
        text(330, 566, "net") +
        across(60) +
        text(72, 48, "Of the town"),
    })
    const names = [
      ["Anna", "Bert", "Carl"],
      ["Dora", "Emil", "Fritz"],
      ["Gerd", "Hans", "Ida"],
    ]
    const markdown = await markdownOf(pdfOf(pages(names.map(page))))
    expect(markdown).toContain("| Anna | quay | boat |\n| --- | --- | --- |\n| Bert | quay | boat |\n\n")
    expect(markdown).not.toContain("| Others")
    expect(markdown.split("The harbour of Bergen").length).toBeLessThan(3)
  })

  it("the second line of a header is left out though it stands further down than other lines may", async () => {
    const page = (number: number) => ({
      content:
        text(72, 690, `${number}`) +
        text(150, 690, "The harbour of Bergen") +
        text(250, 644, "Report of the town") +
        lines([`The ${"abcd"[number]} page has words of its own,`, "which go on and on to their end."], {
          top: 600,
        }),
    })
    const markdown = await markdownOf(pdfOf(pages([0, 1, 2, 3].map(page))))
    // A header of several lines may be kept once.
    for (const line of ["The harbour of Bergen", "Report of the town"])
      expect(markdown.split(line).length).toBeLessThan(3)
  })

  it("a header in large type is left out on all pages of a long document", async () => {
    const page = (_: unknown, number: number) => ({
      content:
        text(72, 740, "The harbour of Bergen", { size: 20 }) +
        lines([`The page ${String.fromCharCode(97 + (number % 26))}${number} has words`, "of its own."], {
          top: 600,
        }),
    })
    const markdown = await markdownOf(pdfOf(pages(Array.from({ length: 100 }, page))))
    expect(markdown.split("The harbour of Bergen").length).toBeLessThan(3)
    expect(markdown).toContain("v99 has words of its own.")
  })

  it("a text of up to eight lines below the pages is left out but once, and the rows of a table above it are kept", async () => {
    const terms = [
      "This is given in good faith",
      "but without warranty of any",
      "kind. The office may change",
      "it at any time, and does not",
      "release you from the duty to",
      "read all of what it says in",
      "the terms and conditions.",
    ]
    const page = (name: string) => ({
      content:
        lines([`The page of ${name} has words of its own,`, "which go on and on to their end."]) +
        text(72, 150, "72 to 80") +
        text(200, 150, "Audit codes") +
        lines(terms, { top: 100, leading: 9, size: 8 }),
    })
    const markdown = await markdownOf(pdfOf(pages(["Ada", "Bea", "Cleo"].map(page))))
    for (const words of ["good faith", "terms and conditions"]) expect(markdown.split(words)).toHaveLength(2)
    expect(markdown.split("Audit codes")).toHaveLength(4)
  })

  it("a few words with the number of the page stand below texts of different lengths; other numbers, and those that are all close to the text, are kept", async () => {
    const page = (number: number, count: number, foot: string, gap = 40) => ({
      content:
        lines(
          Array.from(
            { length: count },
            (_, at) => `The line ${"abcdefghij"[at % 10]} of ${"uvwxyz"[number]} goes on`,
          ),
          {
            top: 740,
          },
        ) + text(72, 740 - 14 * (count - 1) - gap, foot),
    })
    const counts = [30, 8, 22, 12]
    const read = (foot: (index: number) => string, gap = 40, firstGap = gap) =>
      markdownOf(
        pdfOf(
          pages(counts.map((count, index) => page(index, count, foot(index), index === 0 ? firstGap : gap))),
        ),
      )
    const kept = (markdown: string): number => markdown.split("FORM").length - 1
    expect(kept(await read((index) => `2020 FORM 10-K ${48 + index}`))).toBeLessThan(2)
    expect(kept(await read((index) => `2020 FORM 10-K ${48 + index}`, 40, 14))).toBeLessThan(2)
    expect(kept(await read((index) => `2020 FORM 10-K ${48 + 7 * (index % 2)}`))).toBe(4)
    expect(kept(await read((index) => `2020 FORM 10-K ${48 + index}`, 14))).toBe(4)
  })

  it("a number alone, centred below the text, is left out of a single page; a year, one at its side or close to it is kept", async () => {
    const page = (left: number, bottom: number, number: string) =>
      markdownOf(onePage(lines(sentences) + text(left, bottom, number)))
    const [middle, right] = [72 + (7.2 * 42) / 2 - 7.2, 72 + 7.2 * 40]
    expect(await page(middle, 40, "62")).toBe(`${sentences.join(" ")}\n`)
    expect(await page(middle - 7.2, 40, "1998")).toContain("1998")
    expect(await page(right, 40, "62")).toContain("62")
    expect(await page(middle, 672, "62")).toContain("62")
  })

  it("a number between two signs counts the pages where it stands apart within its line", async () => {
    const page = (number: number, tail = "") => ({
      content:
        lines([`The ${"abcd"[number]} page has words of its own,`, "which end."], { top: 60 }) +
        text(72, 30, "The harbour") +
        text(250, 30, `- ${number + 5} -${tail}`) +
        text(450, 30, "The town"),
    })
    expect(await markdownOf(pdfOf(pages([0, 1, 2].map((at) => page(at)))))).not.toContain("- 6 -")
    expect(await markdownOf(pdfOf(pages([0, 1, 2].map((at) => page(at, " of it")))))).toContain("- 6 -")
  })

  it("a footer with a larger number is left out below a page whose text stands in a table", async () => {
    const row = (bottom: number, cells: ReadonlyArray<string>) =>
      cells.map((cell, index) => text(76 + index * 150, bottom, cell)).join("")
    const across = [715, 695, 675, 655].map((y) => `72 ${y} m 522 ${y} l S\n`).join("")
    const down = [72, 222, 372, 522].map((x) => `${x} 655 m ${x} 715 l S\n`).join("")
    const page = (number: number) => ({
      content:
        across +
        down +
        row(700, ["Item", "Price", "Note"]) +
        row(680, ["Lamp", `${number}7.00`, "new"]) +
        row(660, ["Chair", `${number}9.00`, "old"]) +
        text(72, 30, "The harbour of Bergen", { size: 7 }) +
        text(300, 30, `- ${number} -`, { size: 10 }) +
        text(450, 30, "The town", { size: 7 }),
    })
    expect(await markdownOf(pdfOf(pages([1, 2, 3, 4].map(page))))).not.toContain("The harbour")
  })

  it("a document that has nothing else is kept", async () => {
    const page = (number: number) => ({ content: text(72, 740, `Page ${number}`) })
    expect(await markdownOf(pdfOf(pages([1, 2, 3].map(page))))).toBe("Page 1\n\nPage 2\n\nPage 3\n")
  })

  it("titles beside the numbers of two facing pages, at their outer sides, are left out; beside other numbers they stay", async () => {
    const page = (foot: string) => ({ content: lines(sentences, { top: 500 }) + foot })
    const left = (number: number) => page(text(72, 30, String(number)) + text(300, 30, "Of harbours"))
    const right = (number: number) => page(text(72, 30, "Of the lamps") + text(500, 30, String(number)))
    const body = sentences.join(" ")
    expect(await markdownOf(pdfOf(pages([left(10), right(11)])))).toBe(`${body}\n\n${body}\n`)
    expect(await markdownOf(pdfOf(pages([left(10), right(14)])))).toContain("Of the lamps")
    expect(await markdownOf(pdfOf(pages([right(11), left(13)])))).toContain("Of harbours")
  })

  it("what begins or ends with a number above 99 that counts the pages is left out, also where it stands close to another such line", async () => {
    const page = (number: number, foot: string, head: string) => ({
      content:
        text(72, 760, head, { size: 9 }) +
        lines([`The ${"abcd"[number % 10]} page has words of its own,`, "which go on and on to their end."]) +
        text(72, 50, "Received 4 May 2012 by the office of the town", { size: 8 }) +
        text(72, 40, foot, { size: 8 }),
    })
    const printed = (first: number): Promise<string> =>
      markdownOf(
        pdfOf(
          pages([0, 1, 2, 3].map((at) => page(at, `A society of ships, volume 3 of 2012 ${first + at}`, ""))),
        ),
      )
    const markdown = await printed(3200)
    // The date and the volume are kept once.
    expect(markdown.split("A society of ships")).toHaveLength(2)
    expect(markdown.split("Received 4 May")).toHaveLength(2)
    const heads = [0, 1, 2, 3].map((at) => page(at, "", at % 2 === 0 ? `14${at} Of ships and quays` : ""))
    expect(await markdownOf(pdfOf(pages(heads)))).not.toContain("Of ships and quays")
    const days = [0, 1, 2, 3].map((at) => page(at, "", `Of ships and of quays ${at + 5}`))
    expect((await markdownOf(pdfOf(pages(days)))).split("Of ships and of quays").length).toBeGreaterThan(2)
  })

  it("a number behind the sentence at the foot of two pages is left out with it; one behind a short form is kept", async () => {
    const page = (at: number, foot: string) => ({
      content:
        lines([`The ${"ab"[at]} page has words of its own,`, "which go on and on to their end."]) +
        text(72, 40, `${foot} ${at + 3}`),
    })
    const printed = (foot: string): Promise<string> =>
      markdownOf(pdfOf(pages([0, 1].map((at) => page(at, foot)))))
    expect(
      await printed("For use with a keeper of lamps only. See the end for more information."),
    ).not.toContain("keeper")
    expect(await printed("The account of the keeper is No.")).toContain("keeper")
  })

  it("Roman numbers of pages before those that Arabic ones count are left out with their line", async () => {
    const page = (number: string, at: number) => ({
      content:
        lines([`The ${"abcd"[at]} page has words of its own,`, "which go on and on to their end."]) +
        text(72, 40, `A form for ships - Page ${number} of iii`),
    })
    const markdown = await markdownOf(pdfOf(pages(["i", "ii", "iii"].map(page))))
    expect(markdown).not.toContain("A form for ships")
  })

  it("the number of a page that begins a chapter stands at its foot where those of others stand at their heads", async () => {
    const page = (at: number) => ({
      content:
        (at === 0
          ? text(300, 40, "101")
          : text(72, 760, `Of ships and ${"abcdefgh"[at]}`) + text(500, 760, `${101 + at}`)) +
        lines([`The ${"abcdefgh"[at]} page has words of its own,`, "which go on and on to their end."]),
    })
    const written = (count: number): Promise<string> =>
      markdownOf(pdfOf(pages(Array.from({ length: count }, (_, at) => page(at)))))
    expect(await written(6)).not.toContain("101")
    expect(await written(2)).toContain("101")
  })

  it("titles beside the numbers of facing pages are left out below a stamp in the margin", async () => {
    const page = (at: number) => ({
      content:
        text(72, 780, "Loaded from www.ships.example on 29 April 2017", { size: 8 }) +
        (at === 0
          ? text(72, 764, "446", { size: 8 }) + text(400, 764, "Of ships", { size: 8 })
          : text(72, 764, "Of ships", { size: 8 }) + text(500, 764, "447", { size: 8 })) +
        lines([`The ${"ab"[at]} page has words of its own,`, "which go on and on to their end."]),
    })
    expect(await markdownOf(pdfOf(pages([0, 1].map(page))))).not.toContain("Of ships")
  })

  it("the numbers of pages that a browser printed stand below texts of different lengths; a page of a number alone is kept", async () => {
    const words = (page: number, count: number) =>
      Array.from(
        { length: count },
        (_, at) => `The line ${"abcdefghij"[at]} of page ${"uvwxyz"[page]} goes on to the`,
      )
    const page = (index: number, count: number) => ({
      content: lines(words(index, count), { top: 740 }) + text(300, 700 - 14 * count, String(index + 1)),
    })
    const counts = [30, 8, 22, 12, 17, 9]
    const whole = await markdownOf(pdfOf(pages(counts.map((count, index) => page(index, count)))))
    expect(whole).not.toMatch(/\d/)
    const few = await markdownOf(pdfOf(pages(counts.slice(0, 3).map((count, index) => page(index, count)))))
    expect(few).toMatch(/\d/)
    const alone = [1, 2, 3, 4, 5, 6].map((number) => ({
      content: text(300, 500 - 20 * number, String(number)),
    }))
    expect(await markdownOf(pdfOf(pages(alone)))).toBe("1\n\n2\n\n3\n\n4\n\n5\n\n6\n")
  })

  it("a note that names one source on several pages is kept: a small number stands before it", async () => {
    const note = "Of Harbours, Annual Report, May"
    const page = (size: number) => (words: string) => ({
      content: lines([words], { top: 400 }) + text(72, 42, "1", { size }) + text(80, 40, note, { size: 9 }),
    })
    const words = ["The first page says this.", "The second one says that.", "The third one says no more."]
    expect((await markdownOf(pdfOf(pages(words.map(page(5)))))).split(note)).toHaveLength(4)
    expect((await markdownOf(pdfOf(pages(words.map(page(9)))))).split(note).length).toBeLessThan(4)
    const counted = words.map((each, at) => ({
      content: page(5)(each).content.replace("72 42 Tm (1)", `72 40 Tm (${at + 4})`),
    }))
    expect((await markdownOf(pdfOf(pages(counted)))).split(note).length).toBeLessThan(4)
  })

  it("lines whose numbers go down are kept", async () => {
    const markdown = await markdownOf(pdfOf(pages([40, 11, 7].map((number) => numbered(number)))))
    expect(markdown.match(/The harbour, a history/g)).toHaveLength(3)
  })

  /** Written upwards along the right side. */
  const along = (words: string, left = 590): string =>
    `BT /F 12 Tf 0 1 -1 0 ${left} 200 Tm (${words}) Tj ET\n`
  const stamped = (...stamps: ReadonlyArray<string>): Buffer =>
    pdfOf(
      pages(
        stamps.map((stamp, at) => ({
          content: lines([`The text of page ${at + 1}.`], { top: 400 }) + stamp,
        })),
      ),
    )

  it("what comes back along the sides of the pages is left out and counted, what stands there once is kept", async () => {
    const { markdown, warnings } = await converted(
      stamped(along("Downloaded by guest"), along("Downloaded by guest"), along("Downloaded by guest")),
      "a.pdf",
    )
    expect(markdown).toBe("The text of page 1.\n\nThe text of page 2.\n\nThe text of page 3.\n")
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("3 line(s) on 3 page(s)"),
    ])
    const once = await markdownOf(stamped(along("An archive, 2020"), "", ""))
    expect(once).toContain("An archive, 2020")
    const elsewhere = stamped(along("A column", 300), along("A column", 400), along("A column", 500))
    expect((await markdownOf(elsewhere)).match(/A column/g)).toHaveLength(3)
  })

  it("a line in the margin in the type of 'Page 1 of 1' at the other end is left out, also of a single page", async () => {
    const page = (bottom: number, size: number): Buffer =>
      pdfOf(
        pages([
          {
            content:
              text(72, bottom, "Collected pages", { size }) +
              lines(sentences) +
              text(280, 20, "Page 1 of 1", { size: 8 }),
          },
        ]),
      )
    expect(await markdownOf(page(774, 8))).toBe(`${sentences.join(" ")}\n`)
    expect(await markdownOf(page(774, 9))).toContain("Collected pages")
    expect(await markdownOf(page(750, 8))).toContain("Collected pages")
  })
})

describe("file-md-json: lines that come back on pages and are more than a running header", () => {
  const bodies = ["The text of the first page.", "The text of the second one.", "The text of the third."]
  /** Pages with this above, and below, their text. */
  const document = (above: (page: number) => string, below: (page: number) => string = () => ""): Buffer =>
    pdfOf(pages(bodies.map((body, at) => ({ content: above(at + 1) + lines([body]) + below(at + 1) }))))
  const count = (markdown: string, words: string): number => markdown.split(words).length - 1

  it("a letterhead and an identifier are kept once, and so is what stands below the text, which goes on past it", async () => {
    const head = lines(["Office World Ltd", "VAT GB 417 2290 18"], { top: 760 })
    const markdown = await markdownOf(document(() => head))
    expect(markdown).toMatch(/^Office World Ltd\n\nVAT GB 417 2290 18\n\nThe text of the first page/)
    expect(count(markdown, "Office World")).toBe(1)
    const identified = (page: number) => text(72, 740, `Contract 2024-113, page ${page}`)
    expect(count(await markdownOf(document(identified)), "Contract 2024-113")).toBe(1)
    const sentences = ["This sentence ends on the next", "page, which is the second one."]
    const foot = text(72, 40, "Registered in England, 1026167")
    const split = pdfOf(pages(sentences.map((words) => ({ content: lines([words]) + foot }))))
    expect(await markdownOf(split)).toBe(`${sentences.join(" ")}\n\nRegistered in England, 1026167\n`)
  })

  it("what stands in the text, too, is not kept a second time", async () => {
    const title = text(72, 740, "Contract 2024-113")
    const markdown = await markdownOf(
      pdfOf(
        pages([
          { content: lines(["Contract 2024-113", "is made in two copies."]) },
          ...bodies.map((body) => ({ content: title + lines([body]) })),
        ]),
      ),
    )
    expect(count(markdown, "Contract 2024-113")).toBe(1)
  })

  it("the numbers of documents that were printed together tell them apart", async () => {
    const statement = (page: number) =>
      lines(["Water Co-operative", `Account statement no. ${3300 + page}`], { top: 760 })
    const markdown = await markdownOf(document(statement))
    expect(count(markdown, "Account statement no. 330")).toBe(3)
    expect(count(markdown, "Water Co-operative")).toBe(1)
    const invoice = (page: number) => text(72, 740, `Invoice ${page < 3 ? 71 : 85}, sheet ${page}`)
    const invoices = await markdownOf(document(invoice))
    expect([count(invoices, "Invoice 71"), count(invoices, "Invoice 85")]).toEqual([1, 1])
  })

  it("titles that count are no page numbers: large, bold, or without a gap; a number at the other side is one", async () => {
    const titles = async (title: (page: number) => string): Promise<number> =>
      count(await markdownOf(document(title)), "Week")
    expect(await titles((page) => text(72, 735, `Week ${page}`, { size: 20 }))).toBe(3)
    expect(await titles((page) => text(72, 735, `Week ${page}`, { font: "B" }))).toBe(3)
    expect(await titles((page) => text(72, 716, `Week ${page}`))).toBe(3)
    expect(await titles((page) => text(72, 740, `Week ${page}`))).toBe(0)
    expect(
      await titles((page) => text(72, 740, "Weekly", { font: "B" }) + text(500, 740, `${page + 90}`)),
    ).toBe(0)
    // A browser prints them so into the margin.
    const printed = (bottom: number) => (page: number) =>
      text(40, bottom, "Weekly", { size: 18 }) + text(360, bottom, `Page ${page} of 3`, { size: 18 })
    expect(count(await markdownOf(document(printed(772))), "Weekly")).toBe(0)
  })
})

describe("file-md-json: pages that say the same", () => {
  const letter =
    lines(["May 5, 2023", "To whom it may concern:"], { top: 740, leading: 24 }) + lines(sentences)

  it("are copies, all of whose lines are kept", async () => {
    const whole = `May 5, 2023\n\nTo whom it may concern:\n\n${sentences.join(" ")}\n`
    expect(await markdownOf(pdfOf(pages([{ content: letter }, { content: letter }])))).toBe(
      `${whole}\n${whole}`,
    )
    const short = text(72, 760, "A single line")
    expect(await markdownOf(pdfOf(pages(Array(4).fill({ content: short }))))).toBe(
      `${Array(4).fill("A single line\n").join("\n")}`,
    )
  })

  it("do not keep the header that they have in common with others", async () => {
    const header = text(72, 760, "The harbour, a history")
    const [one, two] = [header + lines(sentences), header + lines(["Another page, of a few words."])]
    const markdown = await markdownOf(pdfOf(pages([one, one, two, two].map((content) => ({ content })))))
    expect(markdown).not.toContain("harbour")
  })
})

describe("file-md-json: the title of a table that goes on over pages", () => {
  it("is no running header, though it stands at the top of each", async () => {
    const title = ["Table 2. Pupils by grade: Fall 1996", "Table 2. Pupils by grade: Fall 1996"]
    const all = title.map((each) => ({ content: text(72, 750, each) + lines(sentences) }))
    const markdown = await markdownOf(pdfOf(pages([...all, { content: lines(["The end."]) }])))
    expect(markdown.match(/Table 2/g)).toHaveLength(2)
  })
})

describe("file-md-json: a running header in large type", () => {
  it("is one where the number of its page begins or ends it, after the date of the issue", async () => {
    const header = (page: number): string => {
      const issue = "The Register / Vol. 85, No. 152 / August 6, 2020"
      return text(60, 750, page % 2 === 0 ? `${47_698 + page} ${issue}` : `${issue} ${47_698 + page}`, {
        size: 15,
      })
    }
    const markdown = await markdownOf(
      pdfOf(
        pages(
          [1, 2, 3, 4].map((page) => ({
            content: header(page) + lines(sentences.map((words) => `${page * page} ${words}`)),
          })),
        ),
      ),
    )
    expect(markdown.match(/The Register/g)).toHaveLength(2)
    expect(markdown).not.toContain("47701")
  })
})

describe("file-md-json: lines at the ends of pages that come back and are no furniture", () => {
  const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
  const courier = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
  /** Pages of text with this at their top; the font `B` has equal widths. */
  const below = (tops: ReadonlyArray<string>, size = 12): Promise<string> => {
    const body = (page: number): string =>
      lines(["The harbour is old, and its boats", `are older than number ${page} of them.`], {
        top: 500,
        size,
      })
    const list = tops.map((top, page) => ({ content: top + body(page) }))
    return markdownOf(pdfOf(pages(list, { objects: { 3: helvetica, 4: courier } })))
  }
  const count = (markdown: string, words: string): number => markdown.split(words).length - 1

  it("are the first lines of code", async () => {
    const code = (next: string): string =>
      text(72, 740, "package main", { font: "B" }) + text(72, 727, next, { font: "B" })
    expect(count(await below(["a", "b", "c"].map((name) => code(`import "${name}"`))), "package main")).toBe(
      3,
    )
    const stamp = text(72, 740, "Draft copy", { font: "B" })
    expect(count(await below([stamp, stamp, stamp]), "Draft copy")).toBe(0)
  })

  it("are the titles of a few slides of many, even where these are hardly larger than their text", async () => {
    const titles = Array.from({ length: 12 }, (_, page) =>
      page < 4 ? "Boats of the harbour" : `Slide ${"x".repeat(page)}`,
    )
    const slides = await below(
      titles.map((title) => text(72, 730, title, { size: 26 })),
      24,
    )
    expect(count(slides, "Boats of the harbour")).toBe(4)
    const all = await below(
      titles.map(() => text(72, 730, "Boats of the harbour", { size: 26 })),
      24,
    )
    expect(count(all, "Boats of the harbour")).toBeLessThan(2)
  })

  it("are none of them on the second and third page of three, of which the first one has none", async () => {
    const head = text(72, 750, "A story of the harbour")
    expect(count(await below(["", head, head]), "A story of")).toBe(0)
    // On two of more pages it may be the beginning of their text.
    expect(count(await below(["", head, head, ""]), "A story of")).toBe(2)
    expect(count(await below([head, head, ""]), "A story of")).toBe(2)
  })

  it("are those that come back on pages far from one another", async () => {
    const tops = (step: number): ReadonlyArray<string> =>
      Array.from({ length: 30 }, (_, page) => (page % step === 0 ? text(72, 740, "Exercises") : ""))
    expect(count(await below(tops(14)), "Exercises")).toBe(3)
    expect(count(await below(tops(2)), "Exercises")).toBe(0)
  })

  it("are the numbered titles of tables", async () => {
    const tops = [1, 2, 3].map((number) => text(72, 740, `TABLE ${number}/T.6`))
    expect(count(await below(tops), "/T.6")).toBe(3)
  })
})

describe("file-md-json: running headers that name the section of their page", () => {
  const titles = ["Nets", "2.1. Knots", "Ropes of hemp", "2.2. Ropes of wire", "Sails"]
  /** A number at the outer side of a page, and words at the inner side. */
  const headed = (number: (page: number) => number, size = 12): Buffer =>
    pdfOf(
      pages(
        titles.map((title, page) => {
          const [left, right] = page % 2 === 0 ? [500, 72] : [72, 300]
          const head = text(left, 740, `${number(page)}`, { size }) + text(right, 740, title, { size })
          return { content: head + lines(sentences) }
        }),
      ),
    )

  it("are left out where the number of the page stands apart beside them", async () => {
    const markdown = await markdownOf(headed((page) => page + 102))
    for (const title of titles) expect(markdown).not.toContain(title)
    expect(markdown).not.toMatch(/10\d/)
  })

  it("are kept where their numbers do not count the pages, or they are titles", async () => {
    const others = await Promise.all(
      [headed((page) => 2 * page + 102), headed((page) => page + 102, 18)].map(markdownOf),
    )
    for (const markdown of others) for (const title of titles) expect(markdown).toContain(title)
  })
})

describe("file-md-json: numbers of lines", () => {
  const halves = ["a line of the text that goes on", "and on until its words are over"]
  const written = Array.from({ length: 24 }, (_, index) => halves[index % 2] ?? "")
  /** A page of lines, with the number of every one that `step` divides beside them. */
  const numbered = (texts: ReadonlyArray<string>, step: number, first = 1): { readonly content: string } => {
    const numbers = texts.map((_, index) =>
      (first + index) % step === 0 ? text(60, 700 - 24 * index, `${first + index}`, { size: 9 }) : "",
    )
    return { content: numbers.join("") + lines(texts, { left: 90, leading: 24 }) }
  }

  it("are left out and counted where they count the lines of a text, also of a page with few", async () => {
    for (const step of [1, 5]) {
      const pdf = pdfOf(pages([numbered(written, step), numbered(written.slice(1, 6), step, 25)]))
      const { markdown, warnings } = await converted(pdf, "a.pdf")
      expect(markdown).not.toMatch(/\d/)
      expect(warnings[0]?.message).toContain(`${step === 1 ? 29 : 5} line(s) on 2 page(s)`)
    }
  })

  it("are left out also at another height than that of the lines, below a stamp that begins further to the left", async () => {
    const { content } = numbered(written, 1)
    const shifted = Array.from({ length: 24 }, (_, index) =>
      text(60, 709 - 24 * index, `${index + 1}`, { size: 9 }),
    )
    const stamp = text(45, 760, "Case 8:16 Document 40 Filed 08/05/16", { size: 9 })
    const texts = lines(written, { left: 90, leading: 23 })
    for (const page of [stamp + content, stamp + shifted.join("") + texts])
      expect(await markdownOf(onePage(page))).not.toMatch(/\b7\b/)
    expect(await markdownOf(onePage(text(45, 600, "Stamp", { size: 9 }) + content))).toMatch(/\b7\b/)
  })

  it("are left out below a header and above a footer that have numbers at the left, too", async () => {
    const { content } = numbered(written, 1)
    const header = text(60, 770, "LB704", { size: 9 }) + text(60, 756, "2025", { size: 9 })
    const markdown = await markdownOf(onePage(header + content + text(60, 100, "3", { size: 9 })))
    expect(markdown).not.toMatch(/\b7\b/)
    expect(markdown).toContain("2025")
  })

  it("are left out at both sides of a page with two columns of text, which are no table, also on a page with few", async () => {
    const column = ["a line of the text that goes on,", "and on until its words are over"]
    const sides = (count: number, first: number, gap = 1) =>
      [0, 1]
        .map((side) =>
          Array.from({ length: count }, (_, at) => {
            const number = `${first + at + side * (count + gap - 1)}`.padStart(3, "0")
            const bottom = 700 - (side === 0 ? 20 : 21) * at
            return (
              text(side === 0 ? 24 : 570, bottom, number, { size: 7 }) +
              text(side === 0 ? 60 : 320, bottom, column[at % 2] ?? "", { size: 11 })
            )
          }).join(""),
        )
        .join("")
    const last = text(24, 700, "069", { size: 7 }) + text(60, 700, "The end of it all.", { size: 11 })
    const { markdown, warnings } = await converted(
      pdfOf(pages([{ content: sides(34, 1) }, { content: last }])),
      "a.pdf",
    )
    expect(markdown).not.toMatch(/\d|\|/)
    expect(markdown).toContain("a line of the text that goes on, and on until")
    expect(warnings[0]?.message).toContain("69 line(s) on 2 page(s)")
    expect(await markdownOf(onePage(sides(34, 1, 3)))).toContain("007")
  })

  it("are left out where they count from one on below lines that are not counted, as in bills, and words are divided", async () => {
    const texts = [
      "Resolved by those who met, that the har-",
      "bour has a lamp on each of its moles, and",
      "that both of them are lit by the peo-",
      "ple of the town, in every night of the",
      "year, as long as there are any ships.",
    ]
    const recitals = lines(["Whereas the lamp stands on the table,", "and is seen from the street;"], {
      left: 72,
    })
    const bill = (list: ReadonlyArray<string>): string =>
      list.map((words, at) => text(75, 600 - 22 * at, `${at + 1}`) + text(100, 600 - 22 * at, words)).join("")
    const markdown = await markdownOf(onePage(recitals + bill(texts)))
    expect(markdown).toContain("that the harbour has a lamp on each of its moles")
    expect(markdown).not.toMatch(/\d/)
    expect(await markdownOf(onePage(recitals + bill(["Rope", "Tar", "Sails", "Lamps", "Oars"])))).toMatch(/3/)
  })

  it("are kept where they count the items of a list, or do not count", async () => {
    const words = written.map((_, index) => "item of some length here".slice(0, 6 + (index % 5) * 4))
    expect(await markdownOf(pdfOf(pages([numbered(words, 1)])))).toMatch(/\b7\b/)
    const heading = text(45, 760, "What the harbour keeps")
    const first = numbered(Array(24).fill("list item"), 1)
    const second = lines(Array(24).fill("list item of it"), { left: 330, leading: 24, top: 700 })
    for (const content of [first.content, first.content + second])
      expect(await markdownOf(onePage(heading + content))).toMatch(/\b7\b/)
    const uneven = written.map((_, index) => text(60, 700 - 24 * index, `${index + (index > 9 ? 9 : 1)}`))
    const content = uneven.join("") + lines(written, { left: 90, leading: 24 })
    expect(await markdownOf(pdfOf(pages([{ content }])))).toMatch(/\b20\b/)
  })
})

describe("file-md-json: numbers of pages within the text of a PDF", () => {
  const words = ["rope", "tar", "sails", "oars", "nets"]
  /** A slide whose last item reaches into the place of its number, which is written after it. */
  const slide = (number: string, index: number, size = 12) => ({
    content:
      text(72, 690, `The ${words[index]} of the harbour`, { size: 24 }) +
      text(72, 58, `- The ${words[index]} is sold by the men of the market`, { size: 20 }) +
      text(660, 56, number, { size }) +
      text(96, 34, `and by the ${words[(index + 1) % 5]} makers.`, { size: 20 }),
    entries: "/MediaBox [0 0 720 540]",
  })

  it("are left out where they stand at one place of many pages and count with them", async () => {
    const markdown = await markdownOf(pdfOf(pages(words.map((_, index) => slide(`${index + 4}`, index)))))
    expect(markdown).toContain("- The rope is sold by the men of the market and by the tar makers.")
    expect(markdown).not.toMatch(/\d/)
  })

  it("are kept where they do not count with the pages, or are words of the line", async () => {
    const other = words.map((_, index) => slide(`${index * index + 4}`, index))
    expect((await markdownOf(pdfOf(pages(other)))).match(/\d+/g)).toEqual(["4", "5", "8", "13", "20"])
    const counted = words.map((word, index) => ({
      content:
        lines(
          [
            `The ${word} of the harbour is sold by the men of the`,
            `market, who keep all of it in shed ${index + 4}`,
          ],
          {
            top: 70,
          },
        ) + text(72, 600, `Of the ${word} makers`),
    }))
    expect((await markdownOf(pdfOf(pages(counted)))).match(/\d+/g)).toEqual(["4", "5", "6", "7", "8"])
  })
})

describe("file-md-json: titles that come back on the pages of a PDF", () => {
  const goods = ["rope", "tar", "sails", "oars", "nets", "lamps"]
  const count = (markdown: string, words: string): number => markdown.split(words).length - 1

  it("are left out over several lines of a small page, also where the text stands over the last of them", async () => {
    const page = (word: string) => ({
      content:
        `0.8 g ${text(30, 150, "Read online about", { size: 16, font: "B" })}` +
        `${text(30, 132, "the harbour of", { size: 16, font: "B" })}` +
        `${text(30, 114, "Bergen", { size: 16, font: "B" })} 0 g ` +
        lines([`the ${word} of the market is`, `sold by men who keep ${word}`, "in the sheds there."], {
          left: 30,
          top: 113,
          size: 11,
        }),
      entries: "/MediaBox [0 0 300 200]",
    })
    const markdown = await markdownOf(pdfOf(pages(goods.map(page))))
    expect(count(markdown, "Read online")).toBe(1)
    expect(count(markdown, "Bergen")).toBeLessThan(2)
    for (const word of goods)
      expect(markdown).toContain(
        `the ${word} of the market is sold by men who keep ${word} in the sheds there.`,
      )
  })

  it("are left out in the outer margins of facing pages, with the numbers of these", async () => {
    const page = (word: string, index: number) => {
      const [body, side] = index % 2 === 0 ? [72, 480] : [200, 72]
      return {
        content:
          lines(
            Array.from({ length: 10 }, (_, at) => `Line ${"abcdefghij"[at]} of the ${word} has words here`),
            { left: body, top: 700 },
          ) +
          text(side, 690, index % 2 === 0 ? "Harbours" : "Review 7", { size: 14 }) +
          text(side, 640, `${index + 31}`, { size: 14, font: "B" }),
      }
    }
    const markdown = await markdownOf(pdfOf(pages(goods.map(page))))
    expect(markdown).not.toMatch(/Harbours|Review|3\d/)
    expect(count(markdown, "Line j")).toBe(6)
  })

  it("are kept in the margins of pages without their numbers, as notes are", async () => {
    const page = (word: string) => ({
      content:
        lines(
          Array.from({ length: 10 }, (_, at) => `Line ${"abcdefghij"[at]} of the ${word} has words here`),
          { left: 72, top: 700 },
        ) + text(480, 690, "Read all"),
    })
    expect(count(await markdownOf(pdfOf(pages(goods.map(page)))), "Read all")).toBe(6)
  })

  it("are left out below pages at heights that differ by less than a line, where they are long", async () => {
    const page = (address: string) => (bottom: number, index: number) => ({
      content:
        lines([`The ${goods[index]} of the market is`, "sold by men in sheds."], { size: 9 }) +
        text(72, bottom, address, { size: 9 }),
    })
    const counted = async (address: string): Promise<number> =>
      count(await markdownOf(pdfOf(pages([14, 18.5, 22.9].map(page(address))))), address)
    expect(await counted("Harbour Office, 12 Quay Street, Bergen, telephone 316 941")).toBe(0)
    expect(await counted("Harbour Office, Quay")).toBe(3)
  })

  it("are left out but once below pages, in large type, where they end in the number of the page and of all", async () => {
    const page = (word: string, index: number) => ({
      content:
        lines(
          Array.from({ length: 6 }, (_, at) => `Line ${"abcdef"[at]} of the ${word} has words here`),
          { size: 9 },
        ) +
        text(72, 40, "The tool of the harbours", { size: 14 }) +
        text(400, 40, `Page ${index + 1} of 6`, { size: 14 }),
    })
    expect(count(await markdownOf(pdfOf(pages(goods.map(page)))), "Page ")).toBe(1)
  })
})
