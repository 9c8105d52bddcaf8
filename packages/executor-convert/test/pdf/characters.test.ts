import { describe, expect, it } from "vitest"
import { openPdf } from "../../src/pages.ts"
import { converted } from "../documents.ts"
import { codesAt, line, onePage, pages, pdfOf, stream, text, withCharacters } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

/** A font of Chinese that the file does not bring along. */
const missing = {
  3: "<< /Type /Font /Subtype /Type0 /BaseFont /SimSun /Encoding /GBK-EUC-H /DescendantFonts [6 0 R] >>",
  6: "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /DW 1000 /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 7 0 R >>",
  7: "<< /Type /FontDescriptor /FontName /SimSun /Flags 32 /StemV 88 /ItalicAngle 0 /Ascent 859 /Descent -141 /CapHeight 684 /FontBBox [-8 -145 1000 859] >>",
}

describe("file-md-json: characters of a PDF", () => {
  it("keeps characters beyond the first plane", async () => {
    expect(await markdownOf(withCharacters(["😀", "x"], codesAt([72, 700, "bab"])))).toBe("x😀x\n")
  })

  it("reads the ligatures of Calibri that are written as other characters by how wide they are", async () => {
    const codes = codesAt([72, 700, "cb"], [72, 660, "accbc"], [72, 620, "cba"])
    const read = async (sign: string, width: number, base = "Calibri") =>
      (await markdownOf(withCharacters(["o", "n", sign], codes, width, base))).trim().split(/\s+/)
    const known = ["tin", "otitinti", "tino"]
    expect(await read("N", 557)).toEqual(["Nn", ...known.slice(1)])
    expect(await read("ti", 557)).toEqual(known)
    expect(await read("N", 646)).toEqual(["Nn", "oNNnN", "Nno"])
    expect(await read("N", 557, "Times-Roman")).toEqual(["Nn", "oNNnN", "Nno"])
  })

  it("reads the parts of a bracket over several lines that have private characters as such: they are no bullets", async () => {
    const page = codesAt([72, 714, "ae"], [72, 700, "be"], [72, 686, "ce"], [72, 660, "ed"])
    const parts = ["\uf8eb", "\uf8ec", "\uf8ed", "\uf6d9", "x"]
    expect(await markdownOf(withCharacters(parts, page))).toBe("⎛x ⎜x ⎝x\n\nx©\n")
  })

  it("reads the private characters of Symbol as its signs", async () => {
    const formula = codesAt([72, 700, "abcda"])
    const signs = ["x", "\uf03d", "2", "\uf0b4"]
    expect(await markdownOf(withCharacters(signs, formula, undefined, "SymbolMT"))).toBe("x=2×x\n")
    expect(await markdownOf(withCharacters(signs, formula, undefined, "Arial"))).toBe("x\uf03d2\uf0b4x\n")
    // A minus is a bullet, too.
    const list = codesAt([72, 700, "a"], [92, 700, "bc"], [72, 680, "a"], [92, 680, "cb"])
    expect(await markdownOf(withCharacters(["\uf02d", "x", "y"], list, undefined, "SymbolMT"))).toBe(
      "- xy\n- yx\n",
    )
  })

  it("reads the ℓ of TeX, for which a file gives a grave accent", async () => {
    const read = (base: string) =>
      markdownOf(withCharacters(["x", "`"], codesAt([72, 700, "aba"]), undefined, base))
    expect(await read("CMMI10")).toBe("xℓx\n")
    expect(await read("Arial")).toBe("x\\`x\n")
  })

  it("leaves out the pieces that LaTeX puts pictures together from", async () => {
    const read = (base: string) =>
      markdownOf(
        withCharacters(
          ["❅"],
          codesAt([72, 700, "aa"]) + text(92, 700, "swerve", { font: "B" }),
          undefined,
          base,
        ),
      )
    expect(await read("ABCDEF+LINE10")).toBe("swerve\n")
    expect(await read("ABCDEF+Liner")).toBe("❅❅swerve\n")
  })

  it("reads a closing quotation mark that is lowered before a word as an opening one", async () => {
    const quoted = (bottom: number, left = 102) =>
      codesAt([72, 700, "aa"], [left, bottom, "b"], [112, 700, "aac"], [152, 700, "a"])
    const read = (page: string) => markdownOf(withCharacters(["x", "”", "“"], page))
    expect(await read(quoted(694))).toBe("xx „xx“ x\n")
    expect(await read(quoted(700, 92))).toBe("xx” xx“ x\n")
  })

  it("takes signs without a character for bullets that stand before lines of Chinese as wide as its characters", async () => {
    const page = codesAt([72, 700, "bcd"], [72, 660, "acbd"], [72, 640, "adcb"], [72, 600, "dbac"])
    expect(await markdownOf(withCharacters(["\u0001", "灯", "台", "港"], page))).toBe(
      "灯台港\n\n- 台灯港\n- 港台灯\n\n港灯\ufffd台\n",
    )
  })

  it("reads what is printed again at the same place once: a shadow, or letters made bold by a second copy", async () => {
    const shadow = text(101, 699, "Harvest report") + text(100, 700, "Harvest report")
    const rate = (left: number, sign: string): string =>
      text(left, 670, `Seeded rate${sign}`) + text(left + 100, 670, "140000")
    const again = rate(100, "") + rate(100.4, ":")
    const beside = text(100, 640, "bis bis")
    expect(await markdownOf(onePage(shadow + again + beside))).toBe(
      "Harvest report\n\nSeeded rate: 140000\n\nbis bis\n",
    )
  })

  it("joins the lines of a Chinese text, also where they are set wide, but not with its title, which ends earlier", async () => {
    const characters = [..."港口的灯塔在城市旁边它比城里所有的房子都老"]
    const codes = characters.map((_, index) => String.fromCharCode(0x61 + index)).join("")
    const rows = (leading: number, count: number) =>
      Array.from({ length: count }, (_, row) => [72, 680 - row * leading, codes] as const)
    const read = (leading: number, count: number) =>
      markdownOf(
        withCharacters(
          characters,
          codesAt([72, 680 + leading, codes.slice(0, 5)], ...rows(leading, count)),
          1000,
          "Courier",
        ),
      )
    const shown = (count: number) => `港口的灯塔\n\n${characters.join("").repeat(count)}\n`
    expect(await read(14, 3)).toBe(shown(3))
    expect(await read(22, 6)).toBe(shown(6))
  })

  it("takes the middle dot of Japanese for a bullet where a line begins with it, and not between words", async () => {
    const characters = [..."・灯台港町夜船"]
    const page = codesAt([72, 700, "abcd"], [72, 680, "aefga"], [72, 640, "bcaef"])
    expect(await markdownOf(withCharacters(characters, page))).toBe("- 灯台港\n- 町夜船・\n\n灯台・町夜\n")
  })

  it("takes Chinese for text, though its fonts say that all of their characters are equally wide", async () => {
    const words = "\\271\\253\\313\\276\\265\\304\\273\\341\\274\\306"
    const content =
      [700, 686, 672]
        .map((bottom) => text(72, bottom, "The accounts of the company", { font: "B" }))
        .join("") + codesAt([72, 640, words], [72, 626, words])
    const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    const objects = { ...missing, 4: helvetica, 7: missing[7].replace("/Flags 32", "/Flags 33") }
    const markdown = await markdownOf(pdfOf(pages([{ content }], { objects })))
    expect(markdown).toContain("公司的会计")
    expect(markdown).not.toContain("```")
  })

  const glyphs = (words: string): string =>
    [...words]
      .map((each) => (each === "ü" ? 129 : each.charCodeAt(0) - 29).toString(16).padStart(4, "0"))
      .join("")
  const unnamed = (font: number): Record<number, string> => ({
    [font]: `<< /Type /Font /Subtype /Type0 /BaseFont /AAAAA${font}+Arial /Encoding /Identity-H /DescendantFonts [1${font} 0 R] >>`,
    [10 + font]:
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAA${font}+Arial /DW 500 /CIDToGIDMap /Identity /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 2${font} 0 R >>`,
    [20 + font]:
      `<< /Type /FontDescriptor /FontName /AAAAA${font}+Arial /Flags 4 /StemV 88 /ItalicAngle 0 /Ascent 905 /Descent -212 /CapHeight 716 /FontBBox [-665 -325 2000 1006] >>`,
  })

  it("reads the numbers of glyphs as characters, in a font whose file says no more", async () => {
    const content = `BT /F 10 Tf 1 0 0 1 72 700 Tm <${glyphs("Die neue Brücke steht an der Straße in den Ort und ist gut".replace("ß", "ss"))}> Tj ET\n`
    expect(await markdownOf(pdfOf(pages([{ content }], { objects: unnamed(3) })))).toBe(
      "Die neue Brücke steht an der Strasse in den Ort und ist gut\n",
    )
  })

  /** Words without a space between them, in lines. */
  const placed = (font: string, bottom: number, words: string): string => {
    let left = 72
    return words
      .split(" ")
      .map((word) => {
        const drawn = `BT /${font} 10 Tf 1 0 0 1 ${left} ${bottom} Tm <${glyphs(word)}> Tj ET\n`
        left += 5 * word.length + 3
        return drawn
      })
      .join("")
  }

  it("reads them where the file has no spaces, also in a short text in another font", async () => {
    const content =
      placed("B", 730, "Die Lampen") +
      placed("F", 700, "Die neue Brücke steht am Hafen, und die Lampen der Stadt") +
      placed("F", 688, "sind x=12 und y_3, wie das Amt sie im Jahr 1904 gebaut hat.")
    const objects = { ...unnamed(3), ...unnamed(4) }
    expect(await markdownOf(pdfOf(pages([{ content }], { objects })))).toBe(
      "Die Lampen\n\nDie neue Brücke steht am Hafen, und die Lampen der Stadt sind x=12 und y_3, wie das Amt sie im Jahr 1904 gebaut hat.\n",
    )
  })

  it("leaves capitals what they are, also beside characters that are lost", async () => {
    const lines = ["THE NEW BRIDGE OF THE HARBOUR", "AND THE LAMPS OF THE CITY ARE", "AS OLD AS THE TOWN"]
    // The numbers of what is 29 further on are the characters themselves.
    const written = (line: string): string =>
      [...line].map((each) => String.fromCharCode(each === " " ? 32 : each.charCodeAt(0) + 29)).join("")
    const content = lines.map((line, at) => placed("F", 700 - 12 * at, `${written(line)} .`)).join("")
    const markdown = await markdownOf(pdfOf(pages([{ content }], { objects: unnamed(3) })))
    for (const word of ["BRIDGE", "LAMPS", "TOWN"]) expect(markdown).toContain(word)
  })

  const set = (name: string, codes: string) =>
    markdownOf(
      pdfOf(
        pages([{ content: text(72, 700, "Let", { font: "B" }) + text(108, 700, codes) }], {
          objects: {
            3: `<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+${name} /Encoding /WinAnsiEncoding >>`,
            4: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
          },
        }),
      ),
    )

  it("reads the signs of TeX's fonts, which have no such letters and digits", async () => {
    expect(await set("CMSY10", "hAi t 2")).toBe("Let ⟨A⟩ ⊔ ∈\n")
    expect(await set("CMMI10", "0:97;1=2")).toBe("Let 0.97,1/2\n")
    expect(await set("MSAM10", "X")).toBe("Let ✓\n")
    expect(await set("MSAM7", "IJ F")).toBe("Let ▶◀ ★\n")
    expect(await set("MathematicalPi-One", "188 263 1, a DmV x")).toBe("Let +°° −±× +< α ΔμΩ χ\n")
    expect(await set("ABCDEF+MathematicalPi-Four", "34 60")).toBe("Let ×÷ ±″\n")
    expect(await set("MathematicalPi-Five", "z")).toBe("Let ∼\n")
    expect(await set("Courier", "hAi t 2")).toBe("Let hAi t 2\n")
  })

  it("reads the signs of the fonts of journals, which files name after other letters", async () => {
    expect(await set("AdvP3F4C13", "20 mM")).toBe("Let 20 μM\n")
    expect(await set("AdvPS44A44B", "C e K")).toBe("Let + – −\n")
    expect(await set("AdvPS7DA6", ", 2 8")).toBe("Let < − °\n")
    expect(await set("AdvP4C4E74", "\xf0a\xde \xbc \xfe 0")).toBe("Let (⊣) = + ′\n")
    expect(await set("AdvP4C4E51", "0:97;1=2")).toBe("Let 0.97,1/2\n")
    expect(await set("AdvOT8608a8d1", "m \xbc 0:97")).toBe("Let m ¼ 0:97\n")
  })

  it("raises powers of Latin and Greek variables, and no marks behind words of two letters of Chinese or Korean", async () => {
    const power = "BT /F 10 Tf 1 0 0 1 72 700 Tm (ab) Tj 4 Ts /F 6 Tf (c) Tj ET"
    expect(await markdownOf(withCharacters(["\u4e2d", "\u56fd", "1"], power))).toBe("\u4e2d\u56fd1\n")
    expect(await markdownOf(withCharacters(["\uc0c1", "\ud574", "1"], power))).toBe("\uc0c1\ud5741\n")
    expect(await markdownOf(withCharacters(["\u0394", "x", "2"], power))).toBe("\u0394x\u00b2\n")
    expect(await markdownOf(withCharacters(["-", "\u{1d44f}", "2"], power))).toBe("-\u{1d44f}\u00b2\n")
  })

  it("raises the whole of a power that is set with spaces, and one that is hardly smaller but far up", async () => {
    const power = (size: number, behind: string) =>
      markdownOf(
        onePage(
          `BT /F 12 Tf 72 700 Td (the 2) Tj 5 Ts /F ${size} Tf (n - 1) Tj 0 Ts /F 12 Tf (${behind}) Tj ET\n`,
        ),
      )
    expect(await power(8, " of these")).toBe("the 2ⁿ⁻¹ of these\n")
    expect(await power(10.8, "\\), and so on")).toBe("the 2ⁿ⁻¹), and so on\n")
    expect(await power(12, " of these")).not.toContain("ⁿ")
  })

  it("reads the codes of DC fonts, which a file says as those of the Macintosh, as those of Windows", async () => {
    expect(await set("Dcr10", "\xecfolk wisdom\xee in \xd6les that di\xa7er, by Fern\xb7ndez")).toBe(
      "Let “folk wisdom” in files that differ, by Fernández\n",
    )
    expect(await set("Dcbx12", "re\xe1ect")).toBe("Let reflect\n")
    expect(await set("Decor10", "re\xe1ect")).toBe("Let reáect\n")
  })

  it("reads signs of MathTime that a file gives codes of its own by how wide and high they are", async () => {
    const drawn = (left: number, bottom: number, right: number, top: number): Promise<string> => {
      const font = `<< /Type /Font /Subtype /Type3 /BaseFont /ABCDEF+AdvP4C4E74 /FontBBox [0 -1000 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 2 /LastChar 2 /Widths [770] /Encoding << /Differences [2 /C7] >> /CharProcs << /C7 60 0 R >> >>`
      const box = `${left} ${bottom} ${right} ${top}`
      const objects = { 3: font, 60: stream(`770 0 ${box} d1 ${box} re f`) }
      const content = `${text(72, 700, "at", { font: "B" })}BT /F 12 Tf 92 700 Td (\x02) Tj ET\n${text(102, 700, "18", { font: "B" })}`
      return markdownOf(pdfOf(pages([{ content }], { objects })))
    }
    expect(await drawn(84, 229, 691, 271)).toBe("at −18\n")
    expect(await drawn(57, 0, 719, 666)).toBe("at ±18\n")
    expect(await drawn(57, -100, 719, 500)).toBe("at \ufffd 18\n")
  })

  it("reads the first signs of TeX's fonts by their codes, where these are as wide as they are there", async () => {
    const set = (width: number) =>
      markdownOf(
        withCharacters(
          ["P", "I", "\x14"],
          codesAt([72, 700, "a"], [86, 700, "c"], [100, 700, "b"]),
          width,
          "CMSY10",
        ),
      )
    expect(await set(778)).toBe("P ≤ I\n")
    expect(await set(500)).toBe("P I\n")
  })

  it("shows that a sign stands in a line that is not known, and leaves it out elsewhere", async () => {
    const known = ["a", "<", "1"]
    const within = withCharacters([...known, "\0"], codesAt([72, 700, "a"], [86, 700, "d"], [100, 700, "c"]))
    expect(await markdownOf(within)).toBe("a \ufffd 1\n")
    const alone = withCharacters([...known, "\0"], codesAt([72, 700, "a"], [300, 600, "d"]))
    expect(await markdownOf(alone)).toBe("a\n")
  })

  it("a sign that is not known parts no word where it stands at its letters, as a ligature does", async () => {
    const word = withCharacters(["a", "<", "1", "\0"], codesAt([72, 700, "ada"], [120, 700, "da"]))
    expect(await markdownOf(word)).toBe("a\ufffda \ufffda\n")
  })

  it("composes accents with their letters: those of Unicode, and those that are drawn over them", async () => {
    const characters = ["e", "\u0301", "´", "o", "¨", "ı", "x"]
    expect(await markdownOf(withCharacters(characters, codesAt([72, 700, "gabg"])))).toBe("xéx\n")
    const drawn = codesAt([72, 700, "g"], [82, 700, "c"], [82, 700, "a"], [92, 700, "g"])
    expect(await markdownOf(withCharacters(characters, drawn))).toBe("xéx\n")
    const behind = codesAt([72, 700, "g"], [82, 700, "d"], [82, 700, "e"], [92, 700, "g"])
    expect(await markdownOf(withCharacters(characters, behind))).toBe("xöx\n")
    const dotless = codesAt([72, 700, "g"], [82, 700, "c"], [82, 700, "f"], [92, 700, "g"])
    expect(await markdownOf(withCharacters(characters, dotless))).toBe("xíx\n")
    expect(await markdownOf(withCharacters(characters, codesAt([72, 700, "gcg"])))).toBe("x´x\n")
  })

  it("an accent that is written after the next letters is put onto the one that it stands over, and parts no word", async () => {
    const characters = ["J", "o", "s", "e", "´", "H", "r"]
    const behind = codesAt([72, 700, "abc"], [102, 700, "d"], [122, 700, "fg"], [102, 701, "e"])
    expect(await markdownOf(withCharacters(characters, behind))).toBe("José Hr\n")
    const before = codesAt([72, 700, "abc"], [132, 701, "e"], [102, 700, "d"], [122, 700, "fdg"])
    expect(await markdownOf(withCharacters(characters, before))).toBe("Jose Hér\n")
    const aside = codesAt([72, 700, "abcd"], [140, 700, "fg"], [116, 700, "e"])
    expect(await markdownOf(withCharacters(characters, aside))).toContain("´")
  })

  it("the large signs of TeX's fonts, whose files may say a letter for each, stand in the line that they hang into", async () => {
    const set = (characters: ReadonlyArray<string>, width: number, rise: number): Promise<string> =>
      markdownOf(withCharacters(characters, codesAt([72, 700 + rise, "a"]), width, "CMEX10"))
    expect(await set(["X"], 1444, 9)).toBe("∑\n")
    expect(await set(["p"], 1000, 8)).toBe("√\n")
    expect(await set(["["], 1111, 9)).toBe("⋃\n")
    expect(await set(["["], 417, 8)).toBe("[\n")
    const fonts = {
      3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      4: "<< /Type /Font /Subtype /TrueType /BaseFont /CMEX10 /FirstChar 88 /LastChar 88 /Widths [1444] >>",
    }
    const sum = text(72, 700, "f =", { size: 10 }) + text(90, 709.5, "X", { size: 10, font: "B" })
    const line = sum + text(106, 700, "g of all", { size: 10 })
    expect(await markdownOf(pdfOf(pages([{ content: line }], { objects: fonts })))).toBe("f = ∑ g of all\n")
  })

  it("the second of two slanted letters is read where each letter is written by itself, also in a smaller scale", async () => {
    const widths = { A: 611, f: 278, e: 444, c: 444, t: 278, d: 500, S: 500, a: 500 }
    const font = {
      3: "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Italic >>",
    }
    const set = (words: string, step = 1): string => {
      let left = 100
      return [...words]
        .map((each) => {
          const letter = each === " " ? "" : `BT /F 13 Tf 1 0 0 1 ${left} 900 Tm (${each}) Tj ET\n`
          left += (step * 13 * (Object.entries(widths).find(([key]) => key === each)?.[1] ?? 250)) / 1000
          return letter
        })
        .join("")
    }
    const page = (content: string): Promise<string> =>
      markdownOf(pdfOf(pages([{ content: `q .66 0 0 .66 0 0 cm\n${content}Q\n` }], { objects: font })))
    expect(await page(set("Affected Staff acted"))).toBe("Affected Staff acted\n")
    // Printed twice, to be bold.
    const twice = set("Aft").replaceAll(/^BT.*$/gm, (each) => `${each}\n${each.replace(" 900 ", " 900.2 ")}`)
    expect(await page(twice)).toBe("Aft\n")
  })

  it("an underscore that is drawn on the baseline, as TeX does, joins words; a line below them does not", async () => {
    const named = (bottom: number, length: number) => {
      const next = 96 + length + 0.6
      const rule = `q 0.4 w 96.3 ${bottom} m ${96.3 + length} ${bottom} l S Q\n`
      return markdownOf(
        onePage(text(72, 700, "base", { size: 10 }) + rule + text(next, 700, "commit", { size: 10 })),
      )
    }
    expect(await named(700.2, 2.99)).toBe("base_commit\n")
    expect(await named(700.2, 3.6)).toBe("base_commit\n")
    expect(await named(700.2, 6.6)).toBe("base__commit\n")
    expect(await named(698.5, 2.99)).toBe("base commit\n")
    expect(await named(703, 2.99)).toBe("base commit\n")
  })

  it("what is no character is left out, and lowers nothing", async () => {
    const written = withCharacters(["\ufdd0", "x", "\ufdd1"], codesAt([72, 700, "abc"]))
    expect(await markdownOf(written)).not.toMatch(/sub|[\ufdd0-\ufdef]/)
  })

  it("adds a space that lacks between two text objects which stand apart, where one of their words stands elsewhere", async () => {
    const letters = [..."abdefhkorst", " "]
    const at = (left: number, bottom: number, words: string) =>
      [
        left,
        bottom,
        [...words].map((each) => String.fromCharCode(0x61 + letters.indexOf(each))).join(""),
      ] as const
    const line = "the boats are at rest for the better trade"
    const above = Array.from({ length: 14 }, (_, index) => at(72, 720 - 14 * index, line))
    const read = async (first: string, second: string, gap: number) => {
      const apart = [at(72, 500, first), at(72 + 10 * first.length + gap, 500, second)]
      return (await markdownOf(withCharacters(letters, codesAt(...above, ...apart), 250)))
        .split(/trade\s+/)
        .at(-1)
    }
    expect(await read("breakfast", "for others", 1.5)).toBe("breakfast for others\n")
    expect(await read("breakfast", "for others", 0.5)).toBe("breakfastfor others\n")
    expect(await read("sker", "kets", 1.5)).toBe("skerkets\n")
    expect(await read("be", "tter", 1.5)).toBe("better\n")
    const capitals = async (first: string, second: string) => {
      const all = [..."abdefhkorst", ..."ABDEFHKORST", " "]
      const code = (words: string) =>
        [...words].map((each) => String.fromCharCode(0x61 + all.indexOf(each))).join("")
      const places: Array<readonly [number, number, string]> = Array.from({ length: 14 }, (_, index) => [
        72,
        720 - 14 * index,
        code(line),
      ])
      places.push([72, 500, code(first)], [72 + 10 * first.length + 1.5, 500, code(second)])
      return (await markdownOf(withCharacters(all, codesAt(...places), 250))).split(/trade\s+/).at(-1)
    }
    expect(await capitals("BOATS", "FOR")).toBe("BOATS FOR\n")
    expect(await capitals("DE", "AT")).toBe("DE AT\n")
    expect(await capitals("DE", "AB")).toBe("DEAB\n")
  })

  it("no space stands at the end of a line behind or before punctuation that has room of its own", async () => {
    const characters = ["中", "，", "（", "k"]
    const read = (first: string, second: string) =>
      markdownOf(withCharacters(characters, codesAt([72, 700, first], [72, 688, second])))
    expect(await read("aaaaaaab", "dddddddd")).toBe("中中中中中中中，kkkkkkkk\n")
    expect(await read("dddddddd", "caaaaaaa")).toBe("kkkkkkkk（中中中中中中中\n")
    expect(await read("aaaaaaaa", "dddddddd")).toBe("中中中中中中中中 kkkkkkkk\n")
  })

  it("ligatures do not end their words, each of whose letters is said to be as wide as all", async () => {
    const characters = ["ffi", "Th", "ff", "e", "c", " "]
    const written = withCharacters(characters, codesAt([72, 700, "bdfdadefecde"]), 250)
    expect(await markdownOf(written)).toBe("The effiec cffec\n")
  })

  it("a hyphen that its font lacks, which leaves room for it and says that it has no width, parts no word", async () => {
    const content = codesAt([72, 700, "a"], [82, 700, "c"], [85.3, 700, "b"])
    expect(await markdownOf(withCharacters(["K", "R", "\u2011"], content, 0))).toBe("K-R\n")
  })

  it("text that is too small to be read is none, unless most of the page is as small", async () => {
    const named = (size: number): string =>
      text(72, 700, "12B", { size }) +
      text(72, 700, "Lamps of the quay") +
      text(72, 660, "13BThey are lit.", { size })
    expect(await markdownOf(onePage(named(0.96) + text(72, 660, "They are lit.")))).toBe(
      "Lamps of the quay\n\nThey are lit.\n",
    )
    const small = text(72, 700, "All of this page is small.", { size: 1 }) + text(72, 690, "Lamps")
    expect(await markdownOf(onePage(small))).toContain("All of this page is small.")
  })

  it("a small raised digit behind a digit is one of a mark or a power, and not of the number", async () => {
    const power = text(72, 700, "8,935,112") + text(72 + 9 * 7.2, 705, "3", { size: 7 })
    expect(await markdownOf(onePage(power))).toBe("8,935,112³\n")
    const decimal = text(72, 700, "(mg/dL)") + text(72 + 7 * 7.2, 705, "-1.234", { size: 7 })
    expect(await markdownOf(onePage(decimal))).toBe("(mg/dL)⁻¹·²³⁴\n")
    const lowered = text(72, 700, "8,935,112") + text(72 + 9 * 7.2, 697, "3", { size: 7 })
    expect(await markdownOf(onePage(lowered))).toBe("8,935,112₃\n")
  })

  it("what stands beyond the sides of the page is left out, unless all of it does", async () => {
    const half = text(72, 700, "This half.") + text(700, 700, "The other half.") + text(72, -20, "A slug.")
    expect(await markdownOf(onePage(half))).toBe("This half.\n")
    expect(await markdownOf(onePage(text(700, 700, "The other half.")))).toBe("The other half.\n")
  })

  it("takes the shapes of Arabic letters apart into letters, in the order of reading", async () => {
    for (const shape of ["\ufefb", "\u0644\u0627"]) {
      expect(await markdownOf(withCharacters([shape, "\u0633"], codesAt([72, 700, "ab"])))).toBe(
        "\u0633\u0644\u0627\n",
      )
    }
  })

  it("lines from right to left are one paragraph, though their left ends are ragged", async () => {
    const lengths = [29, 26, 29, 26, 12]
    const lines = lengths.map((length, index) => {
      const codes = Array.from({ length }, (_, place) => ((length - place) % 5 === 0 ? "b" : "a")).join("")
      return [400 - 10 * length, 700 - 14 * index, codes] as const
    })
    const written = await markdownOf(withCharacters(["\u0633", " "], codesAt(...lines)))
    expect(written.trim().split("\n\n")).toHaveLength(1)
  })

  it("reads words from right to left in their order within a line from left to right", async () => {
    const line = codesAt([72, 700, "cccccdccccc"], [192, 700, "bbdaa"], [252, 700, "cccccdccccc"])
    expect(await markdownOf(withCharacters(["\u0633", "\u0644", "x", " "], line))).toBe(
      "xxxxx xxxxx \u0633\u0633 \u0644\u0644 xxxxx xxxxx\n",
    )
  })

  it("reads a line from right to left from its right end, though it has wide gaps, and numbers in it as they are", async () => {
    const line = codesAt([300, 700, "bda"], [200, 700, "3d4"], [72, 700, "ada"])
    expect(await markdownOf(withCharacters(["\u0633", "\u0644", "x", " "], line))).toBe(
      "\u0633 \u0644 3 4 \u0633 \u0633\n",
    )
  })

  it("keeps the order of words from right to left in the cells of a table", async () => {
    const grid = [60, 160, 260].map((x) => `${x} 650 m ${x} 710 l S\n`).join("")
    const across = [650, 680, 710].map((y) => `60 ${y} m 260 ${y} l S\n`).join("")
    const words = codesAt([180, 690, "bda"], [80, 690, "c"], [220, 660, "b"], [80, 660, "c"])
    const read = async (more: string) =>
      await markdownOf(withCharacters(["\u0633", "\u0644", "x", " "], grid + across + words + more))
    // On a page that is written from right to left, the first column is at the right.
    expect((await read("")).split("\n")[0]).toBe("| \u0633 \u0644 | x |")
    expect((await read(codesAt([72, 600, "cdcdc"]))).split("\n")[0]).toBe("| x | \u0633 \u0644 |")
  })

  it("reads each character of a font that the file does not bring along, also where it stands by itself", async () => {
    const codes = ["b9d8", "d3da", "d5e3", "bdad"]
    const content = codes
      .map((code, at) => `BT /F 20 Tf 1 0 0 1 ${72 + 20 * at} 700 Tm <${code}> Tj ET\n`)
      .join("")
    expect(await markdownOf(pdfOf(pages([{ content }], { objects: missing })))).toBe("关于浙江\n")
  })

  it("draws what such a font has in others, where no text was read", async () => {
    const pdf = pdfOf(pages([{ content: "BT /F 60 Tf 72 700 Td (2026) Tj ET" }], { objects: missing }))
    const drawn = (await openPdf(pdf)).picture(0, { scale: 0.5, pixelsMax: 1_000_000 })
    expect(drawn?.grey.some((level) => level < 128)).toBe(true)
  })

  it("puts no spaces between characters of Chinese and Japanese, also where a line ends", async () => {
    const characters = ["東", "京", "は", "大", "き", "い", "。", " "]
    const spread = codesAt(
      [72, 700, "a"],
      [86, 700, "b"],
      [100, 700, "c"],
      [72, 686, "d"],
      [84, 686, "e"],
      [96, 686, "fg"],
    )
    expect(await markdownOf(withCharacters(characters, spread))).toBe("東京は大きい。\n")
    expect(await markdownOf(withCharacters(characters, codesAt([72, 700, "abhde"])))).toBe("東京 大き\n")
  })

  it("keeps a space between Chinese words that is wider than the room between their characters", async () => {
    const characters = ["東", "京", "は", "大", "き", "い", "，"]
    const read = async (...places: ReadonlyArray<readonly [number, number, string]>) =>
      (await markdownOf(withCharacters(characters, codesAt(...places)))).trim()
    expect(await read([72, 700, "abc"], [104, 700, "def"])).toBe("東京は 大きい")
    expect(await read([72, 700, "abc"], [103, 700, "def"])).toBe("東京は大きい")
    expect(await read([72, 700, "abg"], [104, 700, "def"])).toBe("東京，大きい")
    const wide = (left: number, codes: string) =>
      [...codes].map((code, at) => [left + 11.5 * at, 700, code] as const)
    expect(await read(...wide(72, "abc"), ...wide(107.5, "def"))).toBe("東京は大きい")
  })

  it("puts a word of Korean together that the end of a line took apart, by the document's own words", async () => {
    const characters = ["한", "국", "어", "말", " "]
    const within = codesAt([72, 700, "abc"], [72, 660, "ddea"], [72, 646, "bc"])
    expect((await markdownOf(withCharacters(characters, within))).replace(/\s+/g, " ")).toContain(
      "말말 한국어",
    )
    const between = codesAt([72, 700, "abced"], [72, 660, "abc"], [72, 646, "d"])
    expect((await markdownOf(withCharacters(characters, between))).replace(/\s+/g, " ")).toContain(
      "한국어 말 한국어 말",
    )
  })

  it("tells by the endings of Korean words whether the end of a line parts two of them", async () => {
    const read = async (end: string, begin: string) => {
      const characters = [...new Set(`나라사람 ${end}${begin}`)]
      const codes = (text: string) =>
        [...text].map((each) => String.fromCharCode(0x61 + characters.indexOf(each))).join("")
      const content = codesAt(
        [72, 700, codes("나라 사람")],
        [72, 660, codes(`사람 나라 ${end}`)],
        [72, 646, codes(`${begin} 사람`)],
      )
      const markdown = await markdownOf(withCharacters(characters, content))
      return markdown.replace(/\s+/g, " ")
    }
    expect(await read("하늘나라를", "보았")).toContain("하늘나라를 보았 사람")
    expect(await read("나라", "에서")).toContain("나라에서 사람")
  })

  it("parts no word at a space of another object that stands elsewhere in the line, as word processors write them", async () => {
    const characters = ["한", "국", "어", "말", " ", ","]
    const words = "BT /F 10 Tf 1 0 0 1 72 700 Tm [(abc) -400 (dabcdd)] TJ ET\n"
    const spaces = "BT /F 10 Tf 1 0 0 1 102 700 Tm (e) Tj ET\n"
    const rest = codesAt([166, 700, "f"])
    expect(await markdownOf(withCharacters(characters, words + spaces + rest))).toBe("한국어 말한국어말말,\n")
  })

  it("has no space between letters of another script and the ending of a Korean word behind them", async () => {
    const characters = ["한", "국", "A", "b", " "]
    const line = (gap: number) =>
      markdownOf(
        withCharacters(characters, codesAt([72, 700, "abeab"], [132, 700, "cd"], [152 + gap, 700, "abeab"])),
      )
    expect(await line(2)).toContain("Ab한국 한국")
    expect(await line(3)).toContain("Ab 한국 한국")
  })

  it("parts words of Korean in condensed type, whose letters overlap, by gaps that are narrower than a space", async () => {
    const words = ["ab", "cda", "bd", "ca"]
    const set = (spacing: number, gap: number): Promise<string> => {
      const lines = [700, 686, 672, 658, 644].map((bottom) => {
        let left = 72
        return words.map((word) => {
          const start = left
          left += word.length * (10 + spacing) - spacing + gap
          return `BT /F 10 Tf ${spacing} Tc 1 0 0 1 ${start} ${bottom} Tm (${word}) Tj ET\n`
        })
      })
      return markdownOf(withCharacters(["한", "국", "어", "말"], lines.flat().join("")))
    }
    expect(await set(-1.1, 1.4)).toContain("한국 어말한 국말 어한")
    expect(await set(-1.1, 0.2)).toContain("한국어말한국말어한")
    expect(await set(0, 1.4)).toContain("한국어말한국말어한")
  })

  it("keeps letters of Hindi together that are drawn as several shapes, and parts words by the gaps between these", async () => {
    // A browser says the characters of a cluster once; each shape is as wide as its size.
    const hex = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase()
    const cluster = (text: string, left: number, ...more: ReadonlyArray<number>) =>
      `/Span << /ActualText <FEFF${hex(text)}> >> BDC\n${[left, ...more].map((each) => codesAt([each, 700, "a"])).join("")}EMC\n`
    const read = (content: string) => markdownOf(withCharacters(["ग", "क"], content))
    const word = cluster("लो", 72, 78) + codesAt([84, 700, "a"])
    expect(await read(word + codesAt([97, 700, "b"]))).toBe("लोग क\n")
  })

  describe("in Thai, Hindi or Persian as browsers write them, with spaces as objects of their own", () => {
    const hex = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase()
    const space = (left: number, bottom = 700) => `BT /B 10 Tf 1 0 0 1 ${left} ${bottom} Tm ( ) Tj ET\n`
    const told = (text: string, content: string) =>
      `/Span << /ActualText <FEFF${hex(text)}> >> BDC\n${content}EMC\n`
    /** Each shape is as wide as its size. */
    const cluster = (text: string, left: number, bottom = 700) =>
      told(text, codesAt([left, bottom, "a"]) + codesAt([left + 9, bottom, "a"]))
    const read = (content: string) => markdownOf(withCharacters(["ม", "ن"], content))

    it("says each cluster once, whatever its shapes overlap, and parts words where there is a space", async () => {
      const word = (left: number) => cluster("ผู้", left) + cluster("มี", left + 8)
      expect(await read(word(72) + space(100) + word(103) + space(131))).toBe("ผู้มี ผู้มี\n")
      expect(await read(space(60) + word(72) + word(98))).toBe("ผู้มีผู้มี\n")
    })

    it("puts a line of Thai at the one above without a space, if none was written", async () => {
      const lines = (end: string) => cluster("ผู้", 72) + end + cluster("มี", 72, 686)
      expect(await read(space(60) + lines(""))).toBe("ผู้มี\n")
      expect(await read(space(60) + lines(space(92)))).toBe("ผู้ มี\n")
    })

    it("keeps the sign that parts letters within a word", async () => {
      const joiner = (left: number) => told("\u200c", space(left))
      const hindi = cluster("क्", 72) + joiner(91) + cluster("लो", 91)
      expect(await read(hindi + space(111) + cluster("क्", 114))).toBe("क्\u200cलो क्\n")
      const atEnd = cluster("क्", 72) + joiner(91) + cluster("लो", 72, 686)
      expect(await read(atEnd + space(111))).toBe("क् लो\n")
      const persian = codesAt([91, 700, "b"]) + joiner(91) + codesAt([81, 700, "b"]) + space(78)
      expect(await read(persian)).toBe("ن\u200cن\n")
    })
  })

  describe("in Hindi or Thai as word processors write them, with all spaces of a line as one object", () => {
    const hex = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase()
    const told = (text: string, content: string) =>
      `/Span << /ActualText <FEFF${hex(text)}> >> BDC\n${content}EMC\n`
    const read = (content: string) => markdownOf(withCharacters(["ก", "ข", "ก็", "่", "क", "ख"], content))

    it("keeps the cluster in its word, and parts the words where a space is", async () => {
      const stray = "BT /B 10 Tf 1 0 0 1 78 700 Tm ( ) Tj ET\n"
      const word = codesAt([72, 700, "ef"]) + told("हि", codesAt([92, 700, "e"])) + codesAt([97, 700, "f"])
      expect(await read(stray + word + codesAt([110, 700, "ef"]))).toBe("कखहिख कख\n")
    })

    it("keeps a word that goes on behind a sign that stands back below its letter", async () => {
      const set = (gap: number) => `BT /F 10 Tf 1 0 0 1 72 700 Tm [(a) 300 (c) ${-300 - gap} (ba)] TJ ET\n`
      const readMarked = (gap: number) => markdownOf(withCharacters(["क", "ख", "\u0943"], set(gap), 0))
      expect(await readMarked(0)).toBe("कृखक\n")
      expect(await readMarked(300)).toBe("कृ खक\n")
    })

    it("has the sign over its letter that is an object of its own", async () => {
      const sign = codesAt([102, 700, "d"])
      const word = codesAt([72, 700, "ba"]) + told("่", sign) + codesAt([92, 700, "ab"])
      expect(await read(word)).toBe("ขก่กข\n")
    })
  })

  it("reads what a shape stands for where the document says so", async () => {
    const content = "/Span << /ActualText (Said) >> BDC BT /F 10 Tf 1 0 0 1 72 700 Tm (aa) Tj ET EMC\n"
    expect(await markdownOf(withCharacters(["x"], content))).toBe("Said\n")
  })
})

describe("file-md-json: text of a PDF that is none", () => {
  it("leaves out all of a font whose characters are unknown for a good part, with their count", async () => {
    const letters = [..."abcdefghijklmnop"]
    const map = letters.map((letter, index) => (index % 2 === 0 ? String.fromCharCode(14 + index) : letter))
    const content = `${codesAt([72, 600, "abcdefgh"], [72, 580, "ijklmnop"], [72, 560, "aceg bdfh"])}BT /B 10 Tf 1 0 0 1 72 700 Tm (Read this) Tj ET\n`
    const { markdown, warnings } = await converted(withCharacters(map, content), "a.pdf")
    expect(markdown).toBe("Read this\n")
    expect(warnings.find(({ code }) => code === "symbols_left_out")?.message).toContain(": 24.")
  })

  const words = (text: string, map: (letter: string) => string): Buffer => {
    const letters = [...new Set(text.replaceAll(" ", ""))]
    const codes = [...text].map((letter) =>
      letter === " " ? "\\040" : String.fromCharCode(0x61 + letters.indexOf(letter)),
    )
    const lines = Array.from({ length: 16 }, (_, index) => [72, 700 - 14 * index, codes.join("")] as const)
    return withCharacters(letters.map(map), codesAt(...lines))
  }
  const sentence = "this page tells how deep the water stands"

  it.each([
    ["letters that are shifted", (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 29)],
    ["characters of private use", (letter: string) => String.fromCharCode(0xf000 + letter.charCodeAt(0))],
    [
      "letters of several alphabets",
      (letter: string) =>
        String.fromCharCode([0x3b1, 0x431, 0x561, 0x62][letter.charCodeAt(0) % 4] ?? 0) + letter,
    ],
  ])("text_unreadable: warns of %s", async (_, map) => {
    const { codes, warnings } = await converted(words(sentence, map), "a.pdf")
    expect(codes).toContain("text_unreadable")
    expect(warnings.find(({ code }) => code === "text_unreadable")?.message).toContain(": 1.")
  })

  it("does not warn of text that is", async () => {
    expect(
      (
        await converted(
          words(sentence, (letter) => letter),
          "a.pdf",
        )
      ).codes,
    ).toEqual([])
  })

  it("marks text as struck where a line through its letters begins and ends with it", async () => {
    const shown = (...drawn: ReadonlyArray<string>) =>
      markdownOf(onePage(text(72, 700, "Pay ten of twelve crowns, at once.") + drawn.join("")))
    const through = (left: number, right: number, bottom = 703.2): string => line(left, bottom, right, bottom)
    // Courier: each character is 7.2 wide.
    expect(await shown(through(100.8, 122.4))).toBe("Pay ~~ten~~ of twelve crowns, at once.\n")
    expect(await shown(through(151.2, 252))).toBe("Pay ten of ~~twelve crowns,~~ at once.\n")
    const plain = "Pay ten of twelve crowns, at once.\n"
    expect(await shown(through(60, 500))).toBe(plain)
    expect(await shown(through(110, 180))).toBe(plain)
    expect(await shown(through(100.8, 122.4, 698.5))).toBe(plain)
    expect(await shown("1 1 1 RG\n", through(100.8, 122.4))).toBe(plain)
    expect(await shown("12 w\n", through(100.8, 122.4))).toBe(plain)
    const drawing = Array.from({ length: 200 }, (_, index) =>
      line(300, 600 - 2 * index, 320, 600 - 2 * index),
    )
    expect(await shown(through(100.8, 122.4), ...drawing)).toBe(plain)
  })

  it("is not struck by the lines of a ruled paper behind it, most of which go through no text", async () => {
    const words = ["A lamp of iron is on the table.", "A chair of wood is at the door."]
    const content = words.map((each, at) => text(72, 700 - 30 * at, each)).join("")
    const paper = (count: number): string =>
      Array.from({ length: count }, (_, at) => line(72, 704 - 30 * at, 295.2, 704 - 30 * at)).join("")
    expect(await markdownOf(onePage(content + paper(8)))).not.toContain("~~")
    expect((await markdownOf(onePage(content + paper(2)))).match(/~~/g)).toHaveLength(4)
  })

  it("struck text goes on over the end of a line, within which a word is put together again", async () => {
    const first = text(72, 700, "We meet in the old town hall of the har-")
    const second = text(72, 686, "bour office on Monday, unless it rains.")
    const struck = line(180, 703.2, 360, 703.2) + line(72, 689.2, 151.2, 689.2)
    expect(await markdownOf(onePage(first + second + struck))).toBe(
      "We meet in the ~~old town hall of the harbour office~~ on Monday, unless it rains.\n",
    )
  })
})
