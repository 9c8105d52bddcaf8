import { describe, expect, it } from "vitest"
import { line, lines, pages, pdfOf, stream, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const grey = "0.8 g"
/** Areas, one beside the other, as the bars of a chart. */
const bars = [0, 1, 2, 3].map((at) => `${grey} ${20 + 40 * at} 20 20 ${30 + 10 * at} re f 0 g\n`).join("")
const small = (left: number, bottom: number, words: string, font: "F" | "B" = "F"): string =>
  text(left, bottom, words, { size: 9, font })

/** A page that shows a drawing of 300 by 160 points below a sentence, and goes on in another one below its caption. */
const read = (drawing: string, caption: string, before = "", after = ""): Promise<string> => {
  const box =
    "/Type /XObject /Subtype /Form /BBox [0 0 300 160] /Resources << /Font << /F 3 0 R /B 4 0 R >> >>"
  const content =
    before +
    lines(sentence.slice(0, 3), { top: 720, size: 10 }) +
    "q 1 0 0 1 72 500 cm /I Do Q\n" +
    small(72, 480, caption) +
    lines(sentence.slice(3), { top: 440, size: 10 }) +
    after
  return markdownOf(pdfOf(pages([{ content }], { objects: { 5: stream(drawing, box) } })))
}

const sentence = [
  "All of the lamps that stand along the quay of the harbour, and those",
  "that hang between the masts of ships, were counted in each of the",
  "years since the town was built at the mouth of the river, by those who",
  "keep them, and the numbers were written in a book. There it is said that",
  "none of them was lost.",
]

const chart =
  bars +
  text(100, 140, "Lamps by year", { size: 16, font: "B" }) +
  [1900, 1910, 1920, 1930].map((year, at) => small(20 + 40 * at, 6, `${year}`)).join("") +
  [3, 4, 5, 6].map((count, at) => small(25 + 40 * at, 54 + 10 * at, `${count}0`)).join("")

/** A table of numbers between lines, as a drawing. */
const table =
  [130, 110, 90, 70, 50].map((y) => line(10, y, 290, y)).join("") +
  [10, 100, 200, 290].map((x) => line(x, 50, x, 130)).join("") +
  [0, 1, 2, 3]
    .map((row) => [12, 110, 210].map((x) => small(x, 116 - 20 * row, `${row}${x}`)).join(""))
    .join("")

describe("file-md-json: figures of a PDF", () => {
  it("what is written in a drawing with a caption is one text behind that, no title and no table, and the text goes on past it", async () => {
    const markdown = await read(chart, "Figure 3. The lamps of all of these years")
    expect(markdown).not.toMatch(/^#|^\|/m)
    expect(markdown).toContain("by those who keep them, and the numbers were written")
    expect(markdown).toMatch(
      /\n\nFigure 3\. The lamps of all of these years\n\nLamps by year 60 50 40 30 1900 1910 1920 1930\n$/,
    )
    expect(await read(table, "Abb. 2: Lampen")).not.toContain("|")
  })

  it("is read as other text where its caption is that of a table, or where it has none", async () => {
    for (const caption of ["Table 3. The lamps of these years", "The lamps of all of these years"]) {
      expect(await read(table, caption)).toContain("| 012 | 0110 | 0210 |")
    }
    expect(await read(chart, "The lamps of all of these years")).toContain("# Lamps by year")
  })

  it("is read as other text where it holds phrases, is most of its page, or has no lines and areas", async () => {
    const phrases = [
      "Keep all of the lamps lit",
      "Count them in every year",
      "Write what you have seen",
      "Tell it to the harbour",
    ]
    const plan =
      [140, 115, 90, 65, 40].map((y) => line(10, y, 290, y)).join("") +
      [10, 40, 290].map((x) => line(x, 40, x, 140)).join("") +
      phrases
        .map((each, at) => small(14, 122 - 25 * at, `${at + 1}`) + small(50, 122 - 25 * at, each))
        .join("")
    expect(await read(plan, "Figure 1: The plan of the town")).toContain("| 1 | Keep all of the lamps lit |")
    const heads = text(20, 120, "Of lamps", { size: 16, font: "B" }) + small(20, 90, "They are lit.")
    expect(await read(heads, "Figure 1: The lamps")).toContain("# Of lamps")
    const box =
      "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F 3 0 R /B 4 0 R >> >>"
    const whole = bars + text(72, 740, "Of lamps", { size: 16, font: "B" }) + lines(sentence)
    const page = { content: `/I Do\n${small(72, 100, "Figure 1: The lamps")}` }
    const made = pages([page], { objects: { 5: stream(whole, box) } })
    expect(await markdownOf(pdfOf(made))).toContain("# Of lamps")
  })

  it("lines of a drawing are none of the tables of its page, however many they are", async () => {
    const dashes = Array.from({ length: 1_800 }, (_, at) => {
      const [left, bottom] = [20 + 8 * (at % 20), 10 + 1.6 * Math.floor(at / 20)]
      return line(left, bottom, left + 5, bottom)
    })
    const hatched = chart + dashes.join("")
    const grid =
      [400, 370, 340, 310].map((y) => line(72, y, 372, y)).join("") +
      line(222, 310, 222, 370) +
      [72, 372].map((x) => line(x, 310, x, 400)).join("") +
      [147, 297].map((x) => line(x, 310, x, 340)).join("")
    const cells =
      [90, 240].map((left) => small(left, 350, `On ${left}`)).join("") +
      [90, 165, 240, 315].map((left) => small(left, 320, `${left}`)).join("")
    const markdown = await read(
      hatched,
      "Figure 3. The lamps",
      "",
      grid + small(180, 380, "Of lamps") + cells,
    )
    expect(markdown).toContain("| On 90 | On 90 | On 240 | On 240 |")
  })

  it("a sentence goes on past a figure also below a title that looks like the beginning of one, and no label is its rest", async () => {
    const title = text(72, 750, "The lamps of the harbour and of the town and of all", { size: 18 })
    const caption = "Figure 3. The lamps of all of these years"
    expect(await read(chart, caption, title)).toContain("by those who keep them, and")
    const label = text(72, 470, "lamp", { size: 10 })
    expect(await read(chart, caption, title + label)).toContain("by those who keep them, and")
  })
})
