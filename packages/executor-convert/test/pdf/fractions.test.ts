import { describe, expect, it } from "vitest"
import { line, lines, onePage, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

/** Where the middle of characters stands that are drawn at a height; each is 0.6 of the size wide. */
const centred = (middle: number, bottom: number, characters: string, size = 12): string =>
  text(middle - 0.3 * size * characters.length, bottom, characters, { size })

/** A fraction whose formula has its baseline at a height. */
const fraction = (left: number, baseline: number, above: string, below: string): string => {
  const length = 7.2 * Math.max(above.length, below.length)
  const middle = left + length / 2
  return (
    centred(middle, baseline + 8, above) +
    line(left, baseline + 3, left + length, baseline + 3) +
    centred(middle, baseline - 6, below)
  )
}

describe("file-md-json: fractions and roots of a PDF", () => {
  it("what stands above and below the line of a fraction is a part of its formula", async () => {
    const formula = text(72, 700, "x =") + fraction(100, 700, "a + b", "2") + text(144, 700, "+ c")
    expect(await markdownOf(onePage(formula))).toBe("x = (a + b)/2 + c\n")
    const inText =
      lines(["Words of a line above that go over all of the column"], { top: 714 }) +
      text(72, 700, "and") +
      fraction(100, 700, "n", "m + 1") +
      text(144, 700, "of them, which end here.")
    expect(await markdownOf(onePage(inText))).toContain("and n/(m + 1) of them, which end here.")
  })

  it("a number above the line may be as small as the mark of a note", async () => {
    const small =
      lines(["Words of a line above that go over all of the column"], { top: 714 }) +
      text(72, 700, "and") +
      text(104, 704, "1", { size: 7 }) +
      line(100, 702.5, 112, 702.5) +
      text(100, 695, "log", { size: 7 }) +
      text(120, 700, "of them, which end here.")
    expect(await markdownOf(onePage(small))).toContain("and 1/(log) of them, which end here.")
  })

  it("fractions stand beside one another, and within one another", async () => {
    const beside = text(72, 700, "x =") + fraction(100, 700, "a", "b") + fraction(114, 700, "c", "d")
    expect(await markdownOf(onePage(beside))).toBe("x = a/b c/d\n")
    const within =
      text(72, 700, "x =") +
      text(100, 708, "1 +") +
      text(128.8, 713, "a", { size: 8 }) +
      line(128.8, 710.5, 133.6, 710.5) +
      text(128.8, 704.5, "b", { size: 8 }) +
      line(100, 703, 133.6, 703) +
      text(113, 694, "2")
    expect(await markdownOf(onePage(within))).toBe("x = (1 + a/b)/2\n")
  })

  it("formulas with fractions are no table", async () => {
    const formula = (top: number, number: string): string =>
      text(72, top, "x =") +
      fraction(100, top, "a + b", "2") +
      text(144, top, "+") +
      fraction(160, top, "c", "d + e") +
      text(400, top, number)
    const markdown = await markdownOf(onePage(formula(700, "(1)") + formula(660, "(2)")))
    expect(markdown).not.toContain("|")
    expect(markdown).toContain("x = (a + b)/2 + c/(d + e)")
  })

  it("the borders of cells are no lines of fractions", async () => {
    const cells = text(72, 700, "Lamps") + fraction(116, 700, "12", "14")
    const side = (left: number): string => line(left, 680, left, 720)
    expect(await markdownOf(onePage(cells))).toContain("12/14")
    expect(await markdownOf(onePage(cells + side(115) + side(131.4)))).not.toContain("12/14")
  })

  it("what stands above and below a line is no fraction without a formula at its middle, or where it is longer or goes on", async () => {
    const sum = text(300, 708, "1200") + line(300, 703, 328.8, 703) + text(300, 694, "1200")
    expect(await markdownOf(onePage(text(72, 708, "Lamps") + text(72, 694, "Sum") + sum))).not.toContain(
      "1200/",
    )
    const rule = text(72, 700, "x =") + text(100, 708, "a") + line(100, 703, 200, 703) + text(100, 694, "b")
    expect(await markdownOf(onePage(rule))).not.toContain("/")
    const underlined =
      text(72, 700, "x =") +
      text(100, 708, "some") +
      text(132, 708, "of them") +
      line(100, 703, 128.8, 703) +
      text(100, 694, "more")
    expect(await markdownOf(onePage(underlined))).not.toContain("/")
  })

  it("what stands below the line of a root is in brackets", async () => {
    const symbol = "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>"
    const root = (left: number, bottom: number, words: string): string =>
      text(left, bottom, "\xd6", { font: "B" }) +
      line(left + 6.6, bottom + 10, left + 6.6 + 7.2 * words.length, bottom + 10) +
      text(left + 6.6, bottom, words)
    const show = (content: string): Promise<string> =>
      markdownOf(pdfOf(pages([{ content }], { objects: { 4: symbol } })))
    expect(await show(text(72, 700, "x =") + root(100, 700, "a + b") + text(150, 700, "- 1"))).toBe(
      "x = √(a + b) - 1\n",
    )
    expect(await show(text(72, 700, "x =") + root(100, 700, "2") + text(122, 700, "a"))).toBe("x = √2 a\n")
    expect(await show(text(72, 700, "x =") + root(100, 700, "a + b."))).toBe("x = √(a + b).\n")
    expect(await show(text(72, 700, "x =") + root(100, 700, "D."))).toBe("x = √D.\n")
    const inFraction =
      text(72, 700, "x =") + text(111.5, 708, "1") + line(100, 703, 128.2, 703) + root(100, 691, "a+b")
    expect(await show(inFraction)).toBe("x = 1/√(a+b)\n")
  })
})
