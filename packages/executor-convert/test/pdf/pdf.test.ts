import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"
import { lines, onePage, pages, pdfOf, picture, pictureObject, stream, text } from "./makePdf.ts"

const markdownOf = async (pdf: Uint8Array): Promise<string> => (await converted(pdf, "a.pdf")).markdown
const refused = async (pdf: Uint8Array | string) => {
  const { code, message } = await refusalOf(pdf, "a.pdf")
  return { code, message }
}
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

describe("file-md-json: the text of a PDF", () => {
  it("joins the lines of a paragraph, and begins another where a line was ended on purpose", async () => {
    const pdf = onePage(
      lines([
        "The first paragraph fills its lines with words that go on",
        "until there is no room for another one, and then it ends.",
        "The end.",
        "A second paragraph begins where the first one left off at",
        "last.",
      ]),
    )
    expect(await markdownOf(pdf)).toBe(
      "The first paragraph fills its lines with words that go on until there is no room for another one, and then it ends. The end.\n\n" +
        "A second paragraph begins where the first one left off at last.\n",
    )
  })

  it("begins another paragraph after a gap", async () => {
    const pdf = onePage(text(72, 700, "One line of words.") + text(72, 670, "Another line, too."))
    expect(await markdownOf(pdf)).toBe("One line of words.\n\nAnother line, too.\n")
  })

  it("puts a word together that the end of a line took apart, where it goes on in lower case", async () => {
    const pdf = onePage(
      lines([
        "These lines are as long as a column is wide, and so a compli-",
        "cated word is taken apart at its end, here and in the Rhine-",
        "Main area, too, where the hyphen is a part of the name itself",
      ]),
    )
    const markdown = await markdownOf(pdf)
    expect(markdown).toContain("a complicated word")
    expect(markdown).toContain("Rhine-Main area")
    const numbers = onePage(lines(["Numbers of parts are divided by a hyphen, such as 4000-", "7000-12"]))
    expect(await markdownOf(numbers)).toContain("4000-7000-12")
  })

  it("takes ligatures apart, and leaves out soft hyphens and control characters", async () => {
    const map = [
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def",
      "1 begincodespacerange <00> <FF> endcodespacerange",
      "4 beginbfchar <61> <FB01> <62> <00AD> <63> <0000> <64> <0041> endbfchar",
      "endcmap CMapName currentdict /CMap defineresource pop end end",
    ].join("\n")
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>"
    const pdf = pdfOf(pages([{ content: text(72, 700, "dabdd") }], { objects: { 3: font, 6: stream(map) } }))
    expect(await markdownOf(pdf)).toBe("AfiAA\n")
    const lost = pdfOf(pages([{ content: text(72, 700, "dcd") }], { objects: { 3: font, 6: stream(map) } }))
    const { markdown, codes } = await converted(lost, "a.pdf")
    expect(markdown).not.toContain("\0")
    expect(codes).toEqual(["symbols_left_out"])
  })

  it("escapes what would be Markdown", async () => {
    expect(await markdownOf(onePage(text(72, 700, "2 * 3 * 4 and [a](b) <i>")))).not.toMatch(/[^\\]\[a\]/)
  })

  it("makes headings of larger text, with levels by size, and of a line in bold", async () => {
    const pdf = onePage(
      text(72, 740, "The title", { size: 24 }) +
        text(72, 700, "1. A chapter", { size: 18 }) +
        lines(
          [
            "Words of the text, which is the largest part of the page,",
            "and so its size is that of the text.",
          ],
          { top: 670 },
        ) +
        text(72, 630, "A small heading", { font: "B" }) +
        lines(["More words of the text, in the size that most words have."], { top: 600 }),
    )
    expect((await markdownOf(pdf)).split("\n").filter((line) => line.startsWith("#"))).toEqual([
      "# The title",
      "## 1. A chapter",
      "### A small heading",
    ])
  })

  it("makes lists of bullets and numbers, nested by their places", async () => {
    const bullet = "\u0095"
    const pdf = onePage(
      text(72, 700, `${bullet} First`) +
        text(100, 686, `${bullet} Inner`) +
        text(72, 672, `${bullet} Second`) +
        text(72, 640, "1. One") +
        text(72, 626, "2. Two"),
    )
    expect(await markdownOf(pdf)).toBe("- First\n  - Inner\n- Second\n1. One\n2. Two\n")
  })

  it("makes a table of text that stands in columns, and joins the lines of a cell", async () => {
    const row = (bottom: number, cells: ReadonlyArray<string>) =>
      cells.map((cell, index) => text(72 + index * 150, bottom, cell)).join("")
    const pdf = onePage(
      row(700, ["Item", "Price", "Note"]) +
        row(670, ["Lamp", "12.00", "made of"]) +
        text(372, 656, "brass") +
        row(626, ["Chair", "80.50", ""]),
    )
    expect(await markdownOf(pdf)).toBe(
      "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp | 12.00 | made of brass |\n| Chair | 80.50 |  |\n",
    )
  })

  it("reads one column after the other", async () => {
    const column = (left: number, word: string) =>
      lines(
        Array.from({ length: 6 }, (_, index) => `${word} line ${index} of a column`),
        { left },
      )
    const pdf = onePage(
      text(72, 740, "Across both columns, the whole page wide, goes this title") +
        column(72, "left") +
        column(330, "right"),
    )
    const markdown = await markdownOf(pdf)
    const order = [...markdown.matchAll(/(left|right) line (\d)/g)].map(([found]) => found)
    expect(order).toEqual(
      [...Array(6).keys()]
        .map((n) => `left line ${n}`)
        .concat([...Array(6).keys()].map((n) => `right line ${n}`)),
    )
    expect(markdown.startsWith("Across both columns")).toBe(true)
  })

  it.each([
    [90, "0 1 -1 0 300 100"],
    [180, "-1 0 0 -1 500 400"],
    [270, "0 -1 1 0 300 700"],
  ])("reads text that is turned by %i degrees", async (_degrees, matrix) => {
    const pdf = onePage(`BT /F 12 Tf ${matrix} Tm 14 TL (Turned words go) Tj T* (on in this line) Tj ET`)
    expect(await markdownOf(pdf)).toBe("Turned words go on in this line\n")
  })

  it("reads the values of form fields, which are no part of the page itself", async () => {
    const value = stream(
      text(2, 4, "Filled in"),
      "/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F 3 0 R >> >>",
    )
    const field =
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Filled in) /F 4 /Rect [200 696 400 716] /AP << /N 7 0 R >> >>"
    const page = { content: text(72, 700, "Your name:"), entries: "/Annots [6 0 R]" }
    const form = { catalog: "/AcroForm << /Fields [6 0 R] >>", objects: { 6: field, 7: value } }
    expect(await markdownOf(pdfOf(pages([page], form)))).toBe("Your name: Filled in\n")
  })

  it("begins a new block with each page, and marks none", async () => {
    const pdf = pdfOf(pages([{ content: text(72, 700, "One") }, { content: text(72, 700, "Two") }]))
    expect(await markdownOf(pdf)).toBe("One\n\nTwo\n")
  })

  it("every word of a page comes out, in its order", async () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/)
    const property = fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 60 }), async (words) => {
      const rows: Array<string> = [""]
      for (const each of words) {
        const last = rows.at(-1) ?? ""
        if (last.length + each.length > 50) rows.push(each)
        else rows[rows.length - 1] = last === "" ? each : `${last} ${each}`
      }
      expect((await markdownOf(onePage(lines(rows)))).split(/\s+/).filter(Boolean)).toEqual(words)
    })
    await fc.assert(property, { numRuns: 40 })
  })

  it("gives the same bytes on every run", async () => {
    const pdf = onePage(lines(["Some words", "on some lines", "of a page"]))
    expect((await converted(pdf, "a.pdf")).json).toEqual((await converted(pdf, "a.pdf")).json)
  })

  it("says what made the result, and no more than it can", async () => {
    const { contentType, json } = await converted(onePage(text(72, 700, "Words")), "a.pdf")
    expect(contentType).toBe("application/pdf")
    expect(json).toMatchObject({
      structure_source: "converter:embedded",
      capabilities: { ocr: false, page_coordinates: false, bounding_boxes: false, structured_tables: false },
    })
  })
})

describe("file-md-json: a PDF without text", () => {
  it("is a result with the warning no_text_layer, where it is pictures alone", async () => {
    const scan = pdfOf(pages([{ content: picture }, { content: picture }], { objects: pictureObject }))
    expect(await converted(scan, "scan.pdf")).toMatchObject({ markdown: "", codes: ["no_text_layer"] })
  })

  it("is told page by page, where other pages have text; an empty page lacks none", async () => {
    const list = [text(72, 700, "Words"), picture, "", picture]
    const pdf = pdfOf(
      pages(
        list.map((content) => ({ content })),
        { objects: pictureObject },
      ),
    )
    const { markdown, warnings } = await converted(pdf, "a.pdf")
    expect(markdown).toBe("Words\n")
    expect(warnings).toEqual([
      { code: "pages_without_text", message: expect.stringContaining("Pages without a text layer: 2, 4.") },
    ])
  })

  it("names at most 20 pages", async () => {
    const list = [text(72, 700, "Words"), ...Array.from({ length: 30 }, () => picture)]
    const pdf = pdfOf(
      pages(
        list.map((content) => ({ content })),
        { objects: pictureObject },
      ),
    )
    const { warnings } = await converted(pdf, "a.pdf")
    expect(warnings[0]?.message).toContain("20, 21 and 10 more.")
  })
})

describe("file-md-json: what a PDF holds besides its text", () => {
  it("attached files are not read", async () => {
    const file = "<< /Type /Filespec /F (a.txt) /EF << /F 7 0 R >> >>"
    const catalog = "/Names << /EmbeddedFiles << /Names [(a.txt) 6 0 R] >> >>"
    const objects = { 6: file, 7: stream("attached words", "/Type /EmbeddedFile") }
    const pdf = pdfOf(pages([{ content: text(72, 700, "Words") }], { catalog, objects }))
    expect(await converted(pdf, "a.pdf")).toMatchObject({
      markdown: "Words\n",
      codes: ["embedded_documents_left_out"],
    })
  })

  it("fields and notes of a page are not read where there are more than 2,000", async () => {
    const note = "<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /Contents (note) >>"
    const page = { content: text(72, 700, "Words"), entries: `/Annots [${"6 0 R ".repeat(2_001)}]` }
    const { markdown, codes } = await converted(pdfOf(pages([page], { objects: { 6: note } })), "a.pdf")
    expect({ markdown, codes }).toEqual({ markdown: "Words\n", codes: ["form_fields_left_out"] })
  })

  it("scripts are not run: one that never ends changes nothing", async () => {
    const script = "<< /S /JavaScript /JS (while (true) {}) >>"
    const catalog = `/OpenAction ${script} /Names << /JavaScript << /Names [(a) ${script}] >> >>`
    const pdf = pdfOf(pages([{ content: text(72, 700, "Words") }], { catalog }))
    expect(await converted(pdf, "a.pdf")).toMatchObject({ markdown: "Words\n", codes: ["scripts_left_out"] })
  })
})

describe("file-md-json: which PDFs are accepted (document-tools 4.2)", () => {
  const good = onePage(text(72, 700, "Words"))

  it("file_encrypted: one that opens with a password only", async () => {
    expect(await refused(fixture("file_encrypted.user-password.pdf"))).toMatchObject({
      code: "file_encrypted",
      message: expect.stringContaining("password"),
    })
  })

  it.each(readdirSync(new URL("fixtures", import.meta.url)).filter((name) => name.startsWith("accepted")))(
    "one that is encrypted without a password to open it: %s",
    async (name) => {
      expect(await markdownOf(fixture(name))).toBe("A secret text\n")
    },
  )

  it.each([
    ["white space", "\n", 1],
    ["a byte order mark", "\u00ef\u00bb\u00bf", 3],
    ["a stub", "MZ and a program that is hidden here\n", 37],
  ])(
    "file_type_not_accepted: one with %s before it; the message names the place",
    async (_what, stub, at) => {
      expect(await refused(Buffer.concat([Buffer.from(stub, "latin1"), good]))).toMatchObject({
        code: "file_type_not_accepted",
        message: expect.stringContaining(`byte ${at}`),
      })
    },
  )

  it.each([
    ["text", "Only text", "no PDF document"],
    ["nothing", "", "no PDF document"],
    ["a ZIP archive", "PK\u0003\u0004rest", "a ZIP archive"],
    ["a program", "\u007fELFrest", "an ELF executable"],
  ])("file_type_not_accepted: %s under the name of a PDF", async (_what, content, message) => {
    expect(await refused(content)).toMatchObject({
      code: "file_type_not_accepted",
      message: expect.stringContaining(message),
    })
  })

  it.each([
    ["the signature alone", good.subarray(0, 9)],
    ["half of one", good.subarray(0, good.length / 2)],
    ["noise after the signature", Buffer.concat([good.subarray(0, 9), Buffer.alloc(100_000, "\u0001x")])],
    ["a document without pages", pdfOf({ ...pages([]) })],
    [
      "a page tree that holds nothing but itself",
      pdfOf({ ...pages([]), 2: "<< /Type /Pages /Count 2 /Kids [2 0 R] >>" }),
    ],
  ])("file_corrupt: %s", async (_what, pdf) => {
    expect(await refused(pdf)).toMatchObject({ code: "file_corrupt" })
  })

  it.each([
    [
      "a table of offsets that is wrong",
      Buffer.from(good.toString("latin1").replace(/startxref\n\d+/, "startxref\n7"), "latin1"),
    ],
    ["no end", good.subarray(0, good.indexOf("startxref"))],
    [
      "a page tree that leads back into itself",
      pdfOf({
        ...pages([{ content: text(72, 700, "Words") }]),
        2: "<< /Type /Pages /Count 2 /Kids [10 0 R 2 0 R] >>",
      }),
    ],
    [
      "a page count of a billion",
      pdfOf({
        ...pages([{ content: text(72, 700, "Words") }]),
        2: "<< /Type /Pages /Count 1000000000 /Kids [10 0 R] >>",
      }),
    ],
  ])("one that can be mended: %s", async (_what, pdf) => {
    expect(await markdownOf(pdf)).toBe("Words\n")
  })

  it("a page that cannot be read is left out with a warning", async () => {
    const tree = { 2: "<< /Type /Pages /Count 2 /Kids [10 0 R 99 0 R] >>" }
    const pdf = pdfOf({ ...pages([{ content: text(72, 700, "Words") }]), ...tree })
    const { markdown, warnings } = await converted(pdf, "a.pdf")
    expect(markdown).toBe("Words\n")
    expect(warnings).toEqual([{ code: "pages_unreadable", message: expect.stringContaining(": 2.") }])
  })
})

describe("file-md-json: no PDF takes more than its share (archive_limit_exceeded, result_too_large)", () => {
  it("pages: 5,000", async () => {
    const objects = pages([{ content: text(72, 700, "a") }])
    const kids = (count: number) => `<< /Type /Pages /Count ${count} /Kids [${"10 0 R ".repeat(count)}] >>`
    expect(await refused(pdfOf({ ...objects, 2: kids(5_001) }))).toEqual({
      code: "archive_limit_exceeded",
      message: "The PDF has 5001 pages; at most 5000 are allowed.",
    })
  })

  it("characters of a page: 500,000", async () => {
    const pdf = onePage(lines(Array.from({ length: 20 }, () => "a".repeat(26_000))))
    const { code, message } = await refused(pdf)
    expect(code).toBe("archive_limit_exceeded")
    expect(message).toMatch(/^A page of the PDF holds 520\d\d\d characters; at most 500000 are allowed\.$/)
  })

  it("memory: forms that hold one another ten times over, ten levels deep", async () => {
    const form = (level: number) =>
      stream(
        "/X Do ".repeat(10),
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${level + 1} 0 R >> >>`,
      )
    const levels = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [50 + index, form(50 + index)]),
    )
    const last = stream(
      text(0, 0, "a"),
      "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F 3 0 R >> >>",
    )
    const page = {
      1: "<< /Type /Catalog /Pages 2 0 R >>",
      2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
      10: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 11 0 R /Resources << /XObject << /X 50 0 R >> >> >>",
      11: stream("/X Do"),
    }
    const { code, message } = await refused(
      pdfOf({ ...page, 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>", ...levels, 60: last }),
    )
    expect({ code, message }).toEqual({
      code: "archive_limit_exceeded",
      message: "Reading the PDF takes more than the 268435456 bytes of memory that are allowed.",
    })
  }, 60_000)

  it("the result: what the tool allows", async () => {
    const pdf = pdfOf(
      pages(Array.from({ length: 20 }, () => ({ content: text(72, 700, "word ".repeat(20)) }))),
    )
    expect(await refusalOf(pdf, "a.pdf", { resultBytesMax: 1_000 })).toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("1000"),
    })
  })
})

const corpus = fileURLToPath(new URL("../../../../../shared/corpus", import.meta.url))

describe.skipIf(!existsSync(corpus))(
  "file-md-json: PDFs of the corpus (skipped where ../shared/corpus is absent)",
  () => {
    const documents: ReadonlyArray<readonly [name: string, ...words: ReadonlyArray<string>]> = [
      [
        "markitdown/RECEIPT-2024-TXN-98765_retail_purchase.pdf",
        "# TECHMART ELECTRONICS",
        "Store #0342 - Downtown SF",
      ],
      [
        "markitdown/movie-theater-booking-2024.pdf",
        "| Start Date | End Date | # Shows | Gross Amount | Net Amount |",
      ],
      ["markitdown/SPARSE-2024-INV-1234_borderless_table.pdf", "INVENTORY"],
      [
        "markitdown/masterformat_partial_numbering.pdf",
        ".1 The intent of this Request for Proposal (RFP) is to solicit submissions",
      ],
      ["markitdown/test.pdf", "autogen", "Abstract"],
      ["officeparser/test.pdf"],
    ]
    it.each(documents)("%s", async (name, ...words) => {
      const markdown = await markdownOf(readFileSync(join(corpus, name)))
      for (const word of words) expect(markdown.toLowerCase()).toContain(word.toLowerCase())
      expect(markdown.length).toBeGreaterThan(500)
    })

    it("a scan has no text layer", async () => {
      const scan = readFileSync(join(corpus, "markitdown/MEDRPT-2024-PAT-3847_medical_report_scan.pdf"))
      expect((await converted(scan, "scan.pdf")).codes).toEqual(["no_text_layer"])
    })
  },
)
