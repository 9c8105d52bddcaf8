import { describe, expect, it } from "vitest"
import { onePage, pages, pdfOf, stream, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const square = (left: number, bottom: number, side = 9) => `${left} ${bottom} ${side} ${side} re S\n`
const crossed = (left: number, bottom: number) =>
  square(left, bottom) +
  `${left} ${bottom} m ${left + 9} ${bottom + 9} l S ${left + 9} ${bottom} m ${left} ${bottom + 9} l S\n`

describe("file-md-json: boxes to tick in a PDF", () => {
  const answers = text(72, 700, "Insured:") + text(150, 700, "yes") + text(200, 700, "no")

  it("that are drawn, with a cross or without", async () => {
    const ticked = crossed(138, 698) + square(188, 698)
    expect(await markdownOf(onePage(answers + ticked))).toBe("Insured: ☒ yes ☐ no\n")
  })

  it("with a smaller mark in one, or a letter", async () => {
    const filled = `${square(138, 698)}140 700 5 5 re f\n${square(188, 698)}`
    expect(await markdownOf(onePage(answers + filled))).toBe("Insured: ☒ yes ☐ no\n")
    const written = square(138, 698) + square(188, 698) + text(190, 699, "x", { size: 9 })
    expect(await markdownOf(onePage(answers + written))).toBe("Insured: ☐ yes ☒ no\n")
  })

  it("filled with a dark colour, which a light one is not", async () => {
    const filled = (shade: number) =>
      `${shade} g 138 698 9 9 re f 0 g\n${square(138, 698)}${square(188, 698)}`
    expect(await markdownOf(onePage(answers + filled(0)))).toBe("Insured: ☒ yes ☐ no\n")
    expect(await markdownOf(onePage(answers + filled(0.9)))).toBe("Insured: ☐ yes ☐ no\n")
  })

  it("but for those of a key to the colours of a chart, which are filled with different ones", async () => {
    const key = (shades: ReadonlyArray<number>): string =>
      ["Lamp", "Chair", "Table"]
        .map((word, at) => {
          const [bottom, shade] = [698 - 12 * at, shades[at] ?? 1]
          return `${shade} g 74 ${bottom} 9 9 re f 0 g\n${square(74, bottom)}${text(90, bottom + 2, word)}`
        })
        .join("")
    expect(await markdownOf(onePage(key([0, 1, 0.6])))).toBe("- Lamp\n- Chair\n- Table\n")
    expect(await markdownOf(onePage(key([0, 0.6, 0.6])))).toBe("- ☒ Lamp\n- ☐ Chair\n- ☐ Table\n")
    expect(await markdownOf(onePage(key([0, 1, 0])))).toBe("- ☒ Lamp\n- ☐ Chair\n- ☒ Table\n")
  })

  it("at the right of their text, where that is written from right to left", async () => {
    const codes = "<61> <05D0> <62> <05D1> <63> <05D2>"
    const map = `begincmap 1 begincodespacerange <00> <FF> endcodespacerange 3 beginbfchar ${codes} endbfchar endcmap`
    const objects = {
      3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 5 0 R >>",
      5: stream(map),
    }
    const words = text(300, 700, "aaa") + text(220, 700, "bbb") + text(170, 700, "ccc")
    const content = words + crossed(247, 699) + square(197, 699)
    expect(await markdownOf(pdfOf(pages([{ content }], { objects })))).toBe("אאא ☒ בבב ☐ גגג\n")
  })

  it("behind their text, and above one another as items", async () => {
    expect(await markdownOf(onePage(text(72, 700, "Insured") + crossed(130, 698)))).toBe("Insured ☒\n")
    const list = ["Lamp", "Chair", "Table"].map((word, at) => text(90, 700 - 12 * at, word)).join("")
    const boxes = square(74, 698) + crossed(74, 686) + square(74, 674)
    expect(await markdownOf(onePage(list + boxes))).toBe("- ☐ Lamp\n- ☒ Chair\n- ☐ Table\n")
  })

  it("in the cells of a table", async () => {
    const lines = [715, 695, 675].map((y) => `72 ${y} m 372 ${y} l S\n`).join("")
    const sides = [72, 222, 372].map((x) => `${x} 675 m ${x} 715 l S\n`).join("")
    const cells =
      text(76, 700, "Lamp") + text(240, 700, "sold") + text(76, 680, "Chair") + text(240, 680, "sold")
    const boxes = crossed(227, 699) + square(227, 679)
    expect(await markdownOf(onePage(lines + sides + cells + boxes))).toBe(
      "| Lamp | ☒ sold |\n| --- | --- |\n| Chair | ☐ sold |\n",
    )
  })

  it("none are places for single letters, side by side, and squares far from text", async () => {
    const comb = [0, 1, 2, 3].map((at) => square(130 + 9 * at, 698)).join("")
    expect(await markdownOf(onePage(text(72, 700, "Number") + comb))).toBe("Number\n")
    expect(await markdownOf(onePage(text(72, 700, "Number") + square(300, 400)))).toBe("Number\n")
  })

  it("that are fields of a form, by their state; the box that the page draws for one is the same", async () => {
    const shown = stream(
      "BT /Z 12 Tf 1 2 Td (4) Tj ET",
      "/Type /XObject /Subtype /Form /BBox [0 0 12 12] /Resources << /Font << /Z 9 0 R >> >>",
    )
    const empty = stream("", "/Type /XObject /Subtype /Form /BBox [0 0 12 12]")
    const field = (left: number, state: string) =>
      `<< /Type /Annot /Subtype /Widget /FT /Btn /T (f${left}) /AS /${state} /F 4 /Rect [${left} 698 ${left + 12} 710] /AP << /N << /Yes 7 0 R /Off 8 0 R >> >> >>`
    const content =
      text(72, 700, "Insured:") + text(155, 700, "yes") + text(205, 700, "no") + square(138, 698, 12)
    const pdf = pdfOf(
      pages([{ content, entries: "/Annots [6 0 R 20 0 R]" }], {
        catalog: "/AcroForm << /Fields [6 0 R 20 0 R] >>",
        objects: {
          6: field(138, "Yes"),
          7: shown,
          8: empty,
          9: "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>",
          20: field(188, "Off"),
        },
      }),
    )
    expect(await markdownOf(pdf)).toBe("Insured: ☒ yes ☐ no\n")
  })

  it("that are characters or drawn, below a small stamp or drawing that a reader has put there", async () => {
    const note = (subtype: string, left: number, side = 12) =>
      `<< /Type /Annot /Subtype /${subtype} /F 4 /Rect [${left} 698 ${left + side} ${698 + side}] >>`
    const page = (content: string, notes: ReadonlyArray<string>) =>
      markdownOf(
        pdfOf(
          pages([{ content, entries: "/Annots [20 0 R 21 0 R]" }], {
            objects: {
              4: "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>",
              20: notes[0] ?? "null",
              21: notes[1] ?? "null",
            },
          }),
        ),
      )
    const letters = answers + text(138, 700, "r", { font: "B" }) + text(188, 700, "r", { font: "B" })
    expect(await page(letters, [note("Stamp", 188)])).toBe("Insured: ❒ yes ☒ no\n")
    expect(await page(letters, [note("Ink", 138)])).toBe("Insured: ☒ yes ❒ no\n")
    expect(await page(letters, [note("Stamp", 138, 70), note("Text", 188)])).toBe("Insured: ❒ yes ❒ no\n")
    const drawn = answers + square(138, 698) + square(188, 698)
    expect(await page(drawn, [note("Stamp", 138)])).toBe("Insured: ☒ yes ☐ no\n")
  })
})
