import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { run, word } from "./word.ts"

const read = async (body: string) => converted(await word({ body }), "equations.docx")

/** In the place of A to D stands a run with that text. */
const filled = (equation: string): string => equation.replace(/>([A-D][^<]*)</g, "><m:r><m:t>$1</m:t></m:r><")

describe("DOCX: equations are LaTeX", () => {
  it("between dollars, in the line where they stand", async () => {
    const { markdown, codes } = await read(
      `<w:p>${run("a ")}<m:oMath><m:r><w:rPr><w:i/></w:rPr><m:t>x+1</m:t></m:r></m:oMath>${run(" b")}</w:p>`,
    )
    expect(markdown).toBe("a $x+1$ b\n")
    expect(codes).toEqual([])
  })

  it.each([
    ["fractions", "<m:f><m:num>A+B</m:num><m:den>C</m:den></m:f>", "\\frac{A+B}{C}"],
    [
      "binomials, which are no fractions",
      '<m:d><m:e><m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>A</m:num><m:den>B</m:den></m:f></m:e></m:d>',
      "\\binom{A}{B}",
    ],
    [
      "powers and indices",
      "<m:sSubSup><m:e>A</m:e><m:sub>B</m:sub><m:sup>C-D</m:sup></m:sSubSup>",
      "A_{B}^{C-D}",
    ],
    ["powers of more than one sign", "<m:sSup><m:e>AB</m:e><m:sup>C</m:sup></m:sSup>", "{AB}^{C}"],
    [
      "vectors and sets",
      '<m:r><m:rPr><m:sty m:val="b"/></m:rPr><m:t>e</m:t></m:r><m:r><m:rPr><m:scr m:val="double-struck"/></m:rPr><m:t>R</m:t></m:r>',
      "\\mathbf{e}\\mathbb{R}",
    ],
    ["roots", "<m:rad><m:deg>C</m:deg><m:e>A</m:e></m:rad>", "\\sqrt[C]{A}"],
    [
      "sums",
      '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>A</m:sub><m:sup>C</m:sup><m:e>B</m:e></m:nary>',
      "\\sum_{A}^{C}B",
    ],
    ["integrals without limits", "<m:nary><m:e>A</m:e></m:nary>", "\\int A"],
    [
      "brackets",
      '<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr><m:e>A</m:e></m:d>',
      "\\left[A\\right.",
    ],
    [
      "matrices",
      "<m:m><m:mr><m:e>A</m:e><m:e>B</m:e></m:mr><m:mr><m:e>C</m:e><m:e>D</m:e></m:mr></m:m>",
      "\\begin{matrix}A & B \\\\ C & D\\end{matrix}",
    ],
    ["accents", '<m:acc><m:accPr><m:chr m:val="&#x20d7;"/></m:accPr><m:e>A</m:e></m:acc>', "\\vec{A}"],
    ["functions", "<m:func><m:fName><m:r><m:t>sin</m:t></m:r></m:fName><m:e>A</m:e></m:func>", "\\sin A"],
    [
      "functions that are runs alone, and their powers, without invisible operators",
      '<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>sin\u2061</m:t></m:r><m:r><m:t>θ</m:t></m:r><m:sSup><m:e><m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>cos</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:r><m:t>x</m:t></m:r>',
      "\\sin\\theta\\cos^{2}x",
    ],
    [
      "names that only look like functions, and degrees",
      '<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>since</m:t></m:r><m:sSup><m:e><m:r><m:t>45</m:t></m:r></m:e><m:sup><m:r><m:t>∘</m:t></m:r></m:sup></m:sSup>',
      "since{45}^{\\circ}",
    ],
    ["signs of LaTeX", "<m:r><m:t>5%_{}</m:t></m:r>", "5\\%\\_\\{\\}"],
  ])("%s", async (_, equation, latex) => {
    const { markdown } = await read(`<w:p><m:oMath>${filled(equation)}</m:oMath></w:p>`)
    expect(markdown).toBe(`$${latex}$\n`)
  })
})
