import { describe, expect, it } from "vitest"
import { lines, onePage, type PdfObjects, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const box = (left: number, bottom: number, width: number, height: number): string =>
  `${left} ${bottom} ${width} ${height} re S\n`

/** A second font that is called so, whose characters are those of Courier. */
const called = (name: string): PdfObjects => ({
  4: `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
})
const withFont = (name: string, content: string): Buffer =>
  pdfOf(pages([{ content }], { objects: called(name) }))

const paragraph = (top: number): string =>
  lines(
    [
      "This is the first line of a text of several lines which has",
      "no meaning but its length, so that it is not a title itself",
      "and ends with a full stop.",
    ],
    { top },
  )

describe("file-md-json: how the text of a PDF looks", () => {
  const titles = text(72, 720, "About the first", { font: "B" }) + paragraph(700)
  const second = text(72, 620, "About the second", { font: "B" }) + paragraph(600)

  it.each(["SFBX1000", "CMBX10", "NimbusRomNo9L-Medi", "AdobeCorpID-MyriadBd", "Garamond-SemiBold"])(
    "takes a font that is called %s for bold: titles of the size of the text",
    async (name) => {
      const markdown = await markdownOf(withFont(`ABCDEF+${name}`, titles + second))
      expect(markdown).toContain("# About the first\n\nThis is the first line")
      expect(markdown).toContain("# About the second\n\nThis is the first line")
    },
  )

  /** The same, with the thickness that a font says its stems have. */
  const heavy = (name: string, stem: number, content: string): Buffer =>
    pdfOf(
      pages([{ content }], {
        objects: {
          4: `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /FirstChar 32 /LastChar 126 /Widths [${"600 ".repeat(95)}] /Encoding /WinAnsiEncoding /FontDescriptor 6 0 R >>`,
          6: `<< /Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [0 -200 600 700] /ItalicAngle 0 /Ascent 700 /Descent -200 /CapHeight 700 /StemV ${stem} >>`,
        },
      }),
    )

  it.each([
    ["ABCDEF+F1", 160, true],
    ["ABCDEF+F1", 600, false],
    ["ABCDEF+CMR10", 160, false],
    ["ABCDEF+AGaramondPro-Regular", 160, false],
  ])("takes a font called %s, with stems of %i, for bold: %s", async (name, stem, isBold) => {
    const markdown = await markdownOf(heavy(name, stem, titles))
    expect(markdown.startsWith("#")).toBe(isBold)
  })

  it("keeps a text together of which a heavy font sets most, and another one the rest", async () => {
    const content =
      text(72, 700, "The first line of a text in a font with heavy stems, that has", { font: "B" }) +
      text(72, 686, "no meaning but its length, so that most of the page is heavy", { font: "B" }) +
      text(72, 672, "beside one line in another font, which is") +
      text(72, 658, "unfortunately not, and ends in the heavy one at last.", { font: "B" })
    const markdown = await markdownOf(heavy("ABCDEF+F1", 160, content))
    expect(markdown).toContain("in another font, which is unfortunately not")
  })

  it("takes text for bold that is drawn with a line around its letters, where others have none", async () => {
    const drawn = (bottom: number, title: string): string =>
      `BT /F 12 Tf 2 Tr 1 0 0 1 72 ${bottom} Tm (${title}) Tj 0 Tr ET\n`
    const markdown = await markdownOf(
      onePage(
        drawn(720, "About the first") + paragraph(700) + drawn(620, "About the second") + paragraph(600),
      ),
    )
    expect(markdown).toContain("# About the first\n\nThis is the first line")
    expect(markdown).toContain("# About the second\n\nThis is the first line")
  })

  it.each(["Table A-1. Ships by country", "Table A4-12. Ships by country", "Source: The keeper, 1998"])(
    "takes %s for no title",
    async (caption) => {
      const content = text(72, 560, caption, { font: "B" }) + paragraph(540)
      const markdown = await markdownOf(onePage(titles + second + content))
      expect(markdown).toContain("# About the first")
      expect(markdown).toContain(`\n\n${caption}`)
    },
  )

  it("takes lines in italics above paragraphs for titles where there are some, and no font of a medium weight", async () => {
    const slanted = await markdownOf(withFont("Times-Italic", titles + second))
    expect(slanted).toContain("# About the first\n\nThis")
    expect(slanted).toContain("# About the second\n\nThis")
    expect(await markdownOf(withFont("Times-Italic", titles))).not.toContain("#")
    expect(await markdownOf(withFont("Roboto-Medium", titles))).not.toContain("#")
  })

  it("keeps the title that a paragraph begins with in it, though it fills most of a line", async () => {
    const first =
      text(72, 700, "What all of this is about in bold type.", { font: "B" }) + text(360, 700, "The text")
    const rest = lines(["begins in the same line, and it goes on here.", "And here it ends."], { top: 686 })
    expect(await markdownOf(onePage(first + rest + paragraph(600)))).toMatch(
      /^What all of this is about in bold type\. The text begins in the same line/,
    )
  })

  it("keeps a title of two lines together that goes on in lower case, beside a wider text", async () => {
    const title =
      text(72, 720, "Implement roles and a separation", { font: "B" }) +
      text(72, 706, "of duties", { font: "B" })
    expect(await markdownOf(onePage(title + paragraph(660)))).toContain(
      "# Implement roles and a separation of duties\n",
    )
  })

  it("keeps a sentence together whose bold ends within a line", async () => {
    const question =
      text(72, 720, "1. Are there some guidelines on how people are", { font: "B" }) +
      text(96, 706, "supervised?", { font: "B" }) +
      text(180, 706, "(Select all)")
    expect(await markdownOf(onePage(question + paragraph(660)))).toContain(
      "1. Are there some guidelines on how people are supervised? (Select all)\n",
    )
  })

  it("keeps a sentence together of which a whole line is bold", async () => {
    const bold = (bottom: number, words: string, left = 72) => text(left, bottom, words, { font: "B" })
    const beginning =
      bold(720, "Analyses of the lamps of the harbour, and of all the ships", 90) +
      bold(706, "That Sail at Night") +
      text(208, 706, "contain what was seen by those who looked") +
      text(72, 692, "from the quay, and from the tower above it in fog and rain.")
    const within =
      text(72, 640, "The people of the harbour are known for the care that they") +
      bold(626, "take of every lamp of all the ships that come in at night,") +
      text(72, 612, "and for the ropes that they make there in winter.")
    const markdown = await markdownOf(onePage(beginning + within + paragraph(560)))
    expect(markdown).toContain(
      "Analyses of the lamps of the harbour, and of all the ships That Sail at Night contain what was seen",
    )
    expect(markdown).toContain(
      "the care that they take of every lamp of all the ships that come in at night, and",
    )
    expect(markdown).not.toContain("#")
  })

  it("finds titles where they are most of the text: beside tables, and above a few words", async () => {
    const grid = [660, 640, 620].flatMap((bottom) => [72, 192, 312].map((left) => box(left, bottom, 120, 20)))
    const cells = [665, 645, 625].flatMap((bottom, row) =>
      [76, 196, 316].map((left, column) => text(left, bottom, `Cell ${row}.${column}`, { size: 10 })),
    )
    const title = text(72, 700, "A title of many letters over a table", { size: 16 })
    expect(await markdownOf(onePage(title + grid.join("") + cells.join("")))).toMatch(
      /^# A title of many letters over a table\n\n\| Cell 0.0/,
    )
    const few =
      text(72, 700, "A rather long first title", { size: 16, font: "B" }) +
      text(72, 680, "Some words", { size: 12 }) +
      text(72, 640, "Another rather long title", { size: 16, font: "B" }) +
      text(72, 620, "And some more", { size: 12 })
    expect(await markdownOf(onePage(few))).toBe(
      "# A rather long first title\n\nSome words\n\n# Another rather long title\n\nAnd some more\n",
    )
  })
})

describe("file-md-json: marks of list items in a PDF", () => {
  const list = (mark: string): string =>
    ["Apples", "Pears and plums", "Cherries"]
      .map((item, index) => {
        const bottom = 700 - 16 * index
        return `BT /B 12 Tf 1 0 0 1 72 ${bottom} Tm (${mark}) Tj ET\n${text(90, bottom, item)}`
      })
      .join("")
  const items = "- Apples\n- Pears and plums\n- Cherries\n"

  it.each([
    ["Wingdings", "l"],
    ["Wingdings-Regular", "\\247"],
    ["XYZDingbatsTwo", "r"],
    ["BookMaster", "\\177"],
  ])("reads one of the font %s (%s)", async (name, mark) => {
    expect(await markdownOf(withFont(`ABCDEF+${name}`, list(mark)))).toBe(items)
  })

  it("keeps whether a box is ticked", async () => {
    const boxes =
      `BT /B 12 Tf 1 0 0 1 72 700 Tm (\\376) Tj ET\n${text(90, 700, "Apples")}` +
      `BT /B 12 Tf 1 0 0 1 72 684 Tm (\\250) Tj ET\n${text(90, 684, "Pears")}`
    expect(await markdownOf(withFont("ABCDEF+Wingdings", boxes))).toBe("- ☑ Apples\n- ☐ Pears\n")
  })

  it("makes no column of them in a box, nor a table of numbered text between two lines", async () => {
    const bullets = [700, 684, 668].map(
      (y, row) => `BT /B 12 Tf 1 0 0 1 76 ${y} Tm (l) Tj ET\n${text(94, y, `Point ${row}`)}`,
    )
    const drawn = [716, 660].map((y) => `72 ${y} m 400 ${y} l S\n`).join("")
    const markdown = await markdownOf(withFont("ABCDEF+Wingdings", drawn + bullets.join("")))
    expect(markdown).toBe("- Point 0\n- Point 1\n- Point 2\n")
    const numbered =
      text(76, 700, "1.") +
      text(130, 700, "Which of these do you like most?") +
      [684, 668, 652].map((y, row) => text(130, y, `Answer ${row} of them`)).join("") +
      text(76, 636, "2.") +
      text(130, 636, "And which the least?") +
      [620, 604].map((y, row) => text(130, y, `Answer ${row} of them`)).join("")
    const framed = [716, 590].map((y) => `72 ${y} m 500 ${y} l S\n`).join("")
    expect(await markdownOf(onePage(framed + numbered))).not.toContain("|")
  })
})
