import { describe, expect, it } from "vitest"
import { line, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

/** In Helvetica, whose digits are 0.556 of the size wide, and whose colon is 0.278. */
const numbered = (
  top: number,
  lines: ReadonlyArray<readonly [depth: number, words: string]>,
  first = 1,
): string =>
  lines
    .map(([depth, words], at) => {
      const number = `${first + at}:`
      const bottom = top - 13 * at
      return (
        text(96 - 12 * (0.556 * (number.length - 1) + 0.278), bottom, number) +
        text(100 + 18 * depth, bottom, words)
      )
    })
    .join("")

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
const read = (content: string): Promise<string> =>
  markdownOf(pdfOf(pages([{ content }], { objects: { 3: helvetica } })))

const search: ReadonlyArray<readonly [depth: number, words: string]> = [
  [0, "low := 0"],
  [0, "while low < high do"],
  [1, "middle := (low + high) / 2"],
  [1, "if holds(middle) then"],
  [2, "high := middle"],
  [1, "else"],
  [2, "low := middle + 1"],
  [1, "end if"],
  [0, "end while"],
  [0, "return low"],
]

describe("file-md-json: algorithms of a PDF, whose lines are counted", () => {
  it("are code with the depths of their lines, without the lines around them", async () => {
    const drawn = [716, 696, 560].map((y) => line(72, y, 400, y)).join("")
    const markdown = await read(text(72, 702, "Algorithm 1 Search by halves") + drawn + numbered(682, search))
    expect(markdown).toBe(
      [
        "Algorithm 1 Search by halves\n",
        "```",
        " 1: low := 0",
        " 2: while low < high do",
        " 3:   middle := (low + high) / 2",
        " 4:   if holds(middle) then",
        " 5:     high := middle",
        " 6:   else",
        " 7:     low := middle + 1",
        " 8:   end if",
        " 9: end while",
        "10: return low",
        "```\n",
      ].join("\n"),
    )
  })

  it("have what goes on below a line in it, and comments at the other side", async () => {
    const content =
      numbered(700, [[0, "for all boats of the harbour do"]]) +
      text(118, 687, "which are not tied to the quay") +
      numbered(
        674,
        [
          [1, "tie it"],
          [0, "end for"],
        ],
        2,
      ) +
      text(360, 674, "// by hand") +
      numbered(648, [[0, "return the boats that are"]], 4) +
      text(100, 635, "tied") +
      text(72, 596, "This is the text below.")
    expect(await read(content)).toBe(
      [
        "```",
        "1: for all boats of the harbour do which are not tied to the quay",
        "2:   tie it // by hand",
        "3: end for",
        "4: return the boats that are tied",
        "```\n",
        "This is the text below.\n",
      ].join("\n"),
    )
  })

  it("hold no words of a column beside them", async () => {
    const beside = search.map((_, at) => text(262, 682 - 13 * at, "a text that is none of it")).join("")
    const markdown = await read(
      text(72, 702, "Algorithm 1 Search by halves") + numbered(682, search) + beside,
    )
    expect(markdown).toContain(" 3:   middle := (low + high) / 2\n 4:   if holds(middle) then\n")
    expect(markdown).toContain("a text that is none of it a text that is none of it")
  })

  it("say what is done, or stand below a title with their number", async () => {
    const verses: ReadonlyArray<readonly [depth: number, words: string]> = [
      [0, "The lamp is lit at night."],
      [0, "It burns until the day."],
      [0, "The oil is of a whale."],
    ]
    expect(await read(numbered(682, verses))).not.toContain("```")
    expect(await read(text(72, 702, "Protocol 1 Of the lamp") + numbered(682, verses))).toContain(
      "```\n1: The lamp is lit at night.\n",
    )
  })
})
