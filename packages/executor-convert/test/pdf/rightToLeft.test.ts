import { describe, expect, it } from "vitest"
import { codesAt, pages, pdfOf, stream, text, withCharacters } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const [seen, lam, sign] = ["\u0633", "\u0644", "\u060c"]

/** What a line says whose shapes these are, from left to right: `a` and `b` are letters, `d` is a space. */
const read = (codes: string, ...others: ReadonlyArray<string>): Promise<string> =>
  markdownOf(withCharacters([seen, lam, ...others], codesAt([72, 700, codes])))

describe("file-md-json: text from right to left in a PDF", () => {
  it("has its signs at the words that they touch", async () => {
    expect(await read("cbadba", ".", " ")).toBe(`${seen}${lam} ${seen}${lam}.\n`)
    expect(await read("badcdba", ":", " ")).toBe(`${seen}${lam} : ${seen}${lam}\n`)
  })

  it("has the sign behind a number there, though that is read from left to right", async () => {
    expect(await read("cefdba", sign, " ", "1", "9")).toBe(`${seen}${lam} 19${sign}\n`)
  })

  it("has the first number of a range before the other, which stands at the left of it behind Arabic letters", async () => {
    // `c` is the hyphen, `e` and `f` are figures.
    expect(await read("fcedba", "-", " ", "1", "9")).toBe(`${seen}${lam} 1-9\n`)
    const hebrew = withCharacters(["\u05d0", " ", "1", "9", "-"], codesAt([72, 700, "cedbaa"]))
    expect(await markdownOf(hebrew)).toBe("\u05d0\u05d0 1-9\n")
  })

  it("has its brackets as they are read, whether the file says their shapes or their meaning", async () => {
    expect(await read("ebac", "(", " ", ")")).toBe(`(${seen}${lam})\n`)
    expect(await read("cbae", "(", " ", ")")).toBe(`(${seen}${lam})\n`)
    expect(await read("cbacbaebae", "(", " ", ")")).toBe(`(${seen}${lam}(${seen}${lam})${seen}${lam})\n`)
    expect(await read("effcdba", "(", " ", ")", "7")).toBe(`${seen}${lam} (77)\n`)
  })

  it("has several words of another script between its brackets, and the signs within a name where they are read", async () => {
    const word = `${seen}${lam}`
    // Each character is an object of its own, as browsers write them: `d` and `e` are brackets, `f` to `h` Latin.
    const apart = (codes: string) =>
      [...codes].map((code, at) => [72 + 10 * at, 700, code] as const).filter(([, , code]) => code !== "c")
    const characters = [seen, lam, " ", "(", ")", "x", "y", "_"]
    const set = (codes: string) => markdownOf(withCharacters(characters, codesAt(...apart(codes))))
    for (const brackets of ["de", "ed"]) {
      const [open = "", close = ""] = brackets
      expect(await set(`bac${open}ffcgg${close}cbacba`)).toBe(`${word} ${word} (xx yy) ${word}\n`)
    }
    expect(await set("bacffhggcbacba")).toBe(`${word} ${word} xx_yy ${word}\n`)
  })

  it("has names in other letters whole, also where most of the line is such, with the sign behind them and in their brackets", async () => {
    const word = `${seen}${lam}`
    const apart = (bottom: number, codes: string) =>
      [...codes].map((code, at) => [72 + 10 * at, bottom, code] as const).filter(([, , code]) => code !== "c")
    const characters = [seen, lam, " ", "(", ")", "x", "y", "-", "،", "!", ".", ";"]
    const text = [620, 600, 580].flatMap((bottom) => apart(bottom, "bacbacba"))
    const set = async (codes: string) => {
      const found = await markdownOf(withCharacters(characters, codesAt(...apart(700, codes), ...text)))
      return found.split("\n")[0]
    }
    expect(await set("ffhggcffhggcba")).toBe(`${word} xx-yy xx-yy`)
    expect(await set("bacffcggcdffecba")).toBe(`${word} xx yy (xx) ${word}`)
    expect(await set("bacdffecggcba")).toBe(`${word} (xx) yy ${word}`)
    expect(await set("idffecba")).toBe(`${word} (xx)،`)
    expect(await set("bacffggba")).toBe(`${word}xxyy ${word}`)
  })

  it("is not torn at a shape that stands for a letter and a mark", async () => {
    const marked = `/Span << /ActualText <FEFF0644064E> >> BDC\n${codesAt([82, 700, "b"])}EMC\n`
    const page = withCharacters([seen, lam, "\u064e"], codesAt([72, 700, "a"], [92, 700, "a"]) + marked, 0)
    expect(await markdownOf(page)).toBe(`${seen}${lam}\u064e${seen}\n`)
  })

  it("is not stretched, as lines are to be as long as others", async () => {
    expect(await read("bcca", "\u0640")).toBe(`${seen}${lam}\n`)
    expect(await read("cba", "\u0640")).toBe(`${seen}${lam}\u0640\n`)
  })
})

describe("file-md-json: a page from right to left in a PDF", () => {
  const characters = [seen, lam, ".", " ", "1", "2", "x", "y", "•"]
  const page = (
    ...places: ReadonlyArray<readonly [left: number, bottom: number, codes: string]>
  ): Promise<string> => markdownOf(withCharacters(characters, codesAt(...places)))

  it("has words and numbers of other scripts in their order", async () => {
    const word = `${seen}${lam}`
    expect(await page([72, 700, "badggdhhdbadba"])).toBe(`${word} ${word} xx yy ${word}\n`)
    expect(await page([72, 700, "badgdhdfedbadba"])).toBe(`${word} ${word} x y 21 ${word}\n`)
    const more = [300, 640, "bababadabababadbab"] as const
    expect(await page([72, 700, "ggdbadhhdgg"], more)).toContain(`xx ${word} yy xx`)
    expect(await page([72, 700, "gghhdggdhh"], more)).toContain("xxyy xx yy")
  })

  it("has the full stop of a line of other letters at its left side, as its lines end there", async () => {
    const more = [300, 640, "bababadabababadbab"] as const
    expect(await page([72, 700, "cgghdhgg"], more)).toContain("xxy yxx.")
  })

  it("has its lists and the items within these by how far they stand from the right", async () => {
    const marks = [400, 380, 400].map((left, at) => [left, 700 - 14 * at, "i"] as const)
    const items = ["bababab", "baba", "bababababab"].map((codes, at) => {
      const right = at === 1 ? 370 : 390
      return [right - 10 * codes.length, 700 - 14 * at, codes] as const
    })
    const written = await page(...marks, ...items)
    expect(written.split("\n").map((line) => line.search(/\S/))).toEqual([0, 2, 0, -1])
  })

  it("has the first column of its tables at the right", async () => {
    const rows = [0, 1, 2, 3].flatMap((row) => [
      [300, 700 - 20 * row, "baba"] as const,
      [200, 700 - 20 * row, row === 0 ? "ab" : "ef"] as const,
      [100, 700 - 20 * row, row === 0 ? "bb" : "fe"] as const,
    ])
    const written = await page(...rows)
    expect(written.split("\n")[2]).toBe(`| ${seen}${lam}${seen}${lam} | 12 | 21 |`)
  })

  it("has its code from left to right", async () => {
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    const mono = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"
    const map =
      "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <61> <05D0> endbfchar endcmap"
    const words = [700, 686, 672, 658]
      .map((bottom) => codesAt([72, bottom, "aaaaa aaaa aaaaaa aaa aaaaa"]))
      .join("")
    const code = ["if (lamp) {", "  light(lamp)", "}"].map((line, at) =>
      text(72, 620 - 14 * at, line, { font: "B" }),
    )
    const written = await markdownOf(
      pdfOf(pages([{ content: words + code.join("") }], { objects: { 3: font, 4: mono, 6: stream(map) } })),
    )
    expect(written).toContain("```\nif (lamp) {\n  light(lamp)\n}\n```")
  })

  it("has its columns from the right to the left", async () => {
    const column = (left: number, codes: string) =>
      Array.from({ length: 12 }, (_, at) => [left, 700 - 12 * at, codes] as const)
    const written = await page(
      ...column(330, "bababdbababdbababdbabab"),
      ...column(72, "aaaaadaaaaadaaaaadaaaaa"),
    )
    expect(written.indexOf(lam)).toBeGreaterThan(-1)
    expect(written.lastIndexOf(lam)).toBeLessThan(written.indexOf(seen.repeat(5)))
  })
})
