import { describe, expect, it } from "vitest"
import { lines, onePage, type PdfObjects, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const line = (bottom: number, left = 72, right = 522): string =>
  `${left} ${bottom} m ${right} ${bottom} l S\n`

/** Text in Helvetica, and a second font. */
const fonts = (second: string): PdfObjects => ({
  3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  4: second,
})
const withFonts = (second: string, content: string): Buffer =>
  pdfOf(pages([{ content }], { objects: fonts(second) }))

/** A font without a description, whose characters have these widths, in thousandths of the size. */
const called = (name: string, width: (code: number) => number): string => {
  const widths = Array.from({ length: 96 }, (_, index) => width(32 + index)).join(" ")
  return `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 127 /Widths [${widths}] >>`
}

/** All but one that is not used: PDFium itself takes note where all are equal, unless the font is part of the file. */
const equal = (code: number): number => (code === 127 ? 500 : 600)

const times = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>"
const helveticaBold = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"

const sentences = [
  "This is the first line of a text of several lines which has",
  "no meaning but its length, so that it is not a title itself",
  "and ends with a full stop.",
]
const paragraph = (top: number): string => lines(sentences, { top })

const code = (first: number): string =>
  ["SELECT     name,", "           owner", "FROM       ships"]
    .map((each, index) => text(72, first - 14 * index, each, { font: "B" }))
    .join("")

describe("file-md-json: fonts of a PDF", () => {
  it("reads text as code whose characters are equally wide, whatever its font is called", async () => {
    const content = paragraph(740) + code(660) + paragraph(600)
    expect(await markdownOf(withFonts(called("BookMaster", equal), content))).toContain(
      "```\nSELECT     name,\n           owner\nFROM       ships\n```\n",
    )
    const uneven = (character: number): number => (character === 0x6d ? 800 : equal(character))
    expect(await markdownOf(withFonts(called("BookMaster", uneven), content))).not.toContain("```")
  })

  it("leaves a line of code in its sentence, and one with gaps to its table", async () => {
    const sentence =
      text(72, 700, "The command of which this text tells is called") +
      text(400, 700, "migrate", { font: "B" }) +
      text(72, 686, "--all --within.time", { font: "B" }) +
      text(72, 672, "by all who work with it.")
    const font = called("BookMaster", equal)
    expect(await markdownOf(withFonts(font, sentence + paragraph(600)))).not.toContain("```")
    const cells = [700, 684, 668].flatMap((bottom, row) =>
      [72, 272, 472].map((left) =>
        text(left, bottom, row === 1 ? "wim" : "Value", { font: row === 1 ? "B" : "F" }),
      ),
    )
    expect(await markdownOf(withFonts(font, cells.join("") + paragraph(600)))).toContain(
      "| wim | wim | wim |",
    )
  })

  it("takes lines in another font and size for titles of the paragraphs below them, if there are some", async () => {
    const title = (bottom: number, words: string) => text(72, bottom, words, { font: "B", size: 12.5 })
    const first = title(714, "About the first") + paragraph(700)
    const second = title(634, "About the second") + paragraph(620)
    const markdown = await markdownOf(withFonts(times, first + second))
    expect(markdown).toContain("# About the first\n\nThis is the first line")
    expect(markdown).toContain("# About the second\n\nThis is the first line")
    const one = await markdownOf(withFonts(times, first))
    expect(one).toContain("About the first\n\nThis is the first line")
    expect(one).not.toContain("#")
  })

  it("takes bold lines for titles also where they and the text below are smaller than the rest", async () => {
    const small =
      text(72, 540, "In a box", { font: "B", size: 10 }) +
      lines(sentences, { top: 526, size: 8, leading: 10 })
    const rest = [740, 690, 640, 590].map((top) => paragraph(top)).join("")
    expect(await markdownOf(withFonts(helveticaBold, rest + small))).toContain("# In a box\n\nThis is")
  })

  it.each(["A.", "IV.", "(2)", "b)"])("keeps the mark %s of a title as it is written", async (mark) => {
    const before = { "A.": "B.", "IV.": "V.", "(2)": "(3)", "b)": "c)" }[mark]
    const titles =
      text(72, 720, `${mark} Ships and boats`, { font: "B", size: 14 }) +
      paragraph(700) +
      text(72, 652, `${before} Quays`, { font: "B", size: 14 }) +
      paragraph(632)
    expect(await markdownOf(withFonts(helveticaBold, titles))).toContain(`# ${mark} Ships and boats\n`)
  })
})

describe("file-md-json: titles of figures and listings in a PDF", () => {
  const columns = [702, 686, 672].flatMap((bottom, row) => [
    text(76, bottom, `Name ${row}`),
    text(300, bottom, `Value ${row}`),
  ])
  const table = "| Name 0 | Value 0 |\n| --- | --- |\n| Name 1 | Value 1 |\n| Name 2 | Value 2 |\n"
  const drawn = [716, 698, 667].map((bottom) => line(bottom)).join("") + columns.join("")

  it.each(["Figure 3.", "Fig. 12:", "Table 1-2", "Abbildung 4", "Listing 7", "Example 2-1"])(
    "the title %s above or below is no row of a table",
    async (title) => {
      const words = text(72, 655, title) + text(300, 655, "What it shows")
      expect(await markdownOf(onePage(drawn + words))).toContain(`${table}\n`)
      expect(await markdownOf(withFonts(times, drawn + words))).toContain(`${table}\n`)
      const above = text(72, 722, title) + text(300, 722, "What it shows")
      expect(await markdownOf(onePage(drawn + above))).toContain(table)
    },
  )

  it("a list of figures is a table", async () => {
    const figures = [700, 684, 668].map(
      (bottom, row) =>
        text(76, bottom, `Figure ${row}`) + text(250, bottom, `Ship ${row}`) + text(400, bottom, `${row}`),
    )
    expect(await markdownOf(onePage(figures.join("")))).toContain("| Figure 0 | Ship 0 | 0 |")
  })

  it("a row that only begins like one is a row", async () => {
    const words = text(76, 655, "Figure") + text(300, 655, "skating")
    expect(await markdownOf(onePage(drawn + words))).toContain("| Figure | skating |")
  })

  it("a listing between two lines with its title above is code, and no table", async () => {
    const listing = [line(676), line(620), text(72, 682, "Example 2-1 Who owns the ships"), code(660)]
    const pdf = withFonts(called("BookMaster", equal), paragraph(760) + listing.join("") + paragraph(600))
    const markdown = await markdownOf(pdf)
    expect(markdown).toContain("Example 2-1 Who owns the ships\n\n```\nSELECT     name,\n")
    expect(markdown).not.toContain("|")
  })
})
