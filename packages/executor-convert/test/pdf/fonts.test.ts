import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { lines, onePage, type PdfObjects, pages, pdfOf, stream, text } from "./makePdf.ts"
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

  it("reads few letters as code in a font of a family with another one of equal widths", async () => {
    const bold = called("BookMaster-Bold", equal)
    const regular = called("BookMaster-Regular", equal)
    const objects: PdfObjects = { ...fonts(bold), 60: regular }
    const bottom = (index: number): number => 660 - 14 * index
    const content =
      paragraph(740) +
      ["<name", "<ships owner>", "</name>"]
        .map((each, index) => text(72, bottom(index), each, { font: "B" }))
        .join("") +
      `BT /C 12 Tf 1 0 0 1 115.2 ${bottom(0)} Tm (id="1">) Tj ET\n` +
      paragraph(580)
    const made = pages([{ content }], { objects })
    const read = (family: string): Promise<string> =>
      markdownOf(
        pdfOf({
          ...made,
          10: `${made[10]}`.replace("/B 4 0 R", "/B 4 0 R /C 60 0 R"),
          60: regular.replace("BookMaster", family),
        }),
      )
    const fenced = '```\n<name id="1">\n<ships owner>\n</name>\n```\n'
    expect(await read("BookMaster")).toContain(fenced)
    expect(await read("LampMaster")).not.toContain(fenced)
  })

  it("joins a text with its first words, which stand behind a title in a larger font", async () => {
    const rest = [
      "the harbour of the town, which has many lamps, came all the boats",
      "that had left it in the year before, and some of them were mended.",
    ]
    const read = (begin: string): Promise<string> => {
      const title = text(72, 700, "How boats come back to the harbour of the town.", { size: 12 })
      const below = rest.map((each, at) => text(72, 687 - 13 * at, each, { size: 11, font: "B" })).join("")
      return markdownOf(
        withFonts(times, title + text(338, 700, begin, { size: 11, font: "B" }) + below + paragraph(600)),
      )
    }
    expect(await read("Through")).toContain(`of the town. Through ${rest.join(" ")}`)
    expect(await read("")).not.toContain(`of the town. ${rest[0]}`)
  })

  it("tells fonts without a name apart, as browsers print them", async () => {
    const codes = Array.from({ length: 95 }, (_, index) => 32 + index)
    const drawn = (width: (code: number) => number): string => {
      const names = codes.map((each) => `/c${each}`).join(" ")
      const procedures = codes.map((each) => `/c${each} 60 0 R`).join(" ")
      return `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32 /LastChar 126 /Widths [${codes.map(width).join(" ")}] /Encoding << /Differences [32 ${names}] >> /CharProcs << ${procedures} >> /ToUnicode 61 0 R >>`
    }
    const letters = drawn((each) => (each === 0x69 ? 300 : 600))
    const objects: PdfObjects = {
      3: letters,
      4: drawn(() => 600),
      60: stream("600 0 0 0 500 700 d1 0 0 500 700 re f"),
      61: stream(
        "1 begincodespacerange <20> <7e> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange",
      ),
    }
    const content = paragraph(740) + code(660) + paragraph(600)
    const fenced = "```\nSELECT     name,\n           owner\nFROM       ships\n```\n"
    expect(await markdownOf(pdfOf(pages([{ content }], { objects })))).toContain(fenced)
    const same = pages([{ content }], { objects: { ...objects, 4: letters } })
    expect(await markdownOf(pdfOf(same))).not.toContain("```")
  })

  it("letters that a browser draws, as their font has no bold style, are bold, unless most of the page is drawn so", async () => {
    const codes = Array.from({ length: 95 }, (_, index) => 32 + index)
    const drawn = `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32 /LastChar 126 /Widths [${codes.map((each) => (each === 0x69 ? 300 : 600)).join(" ")}] /Encoding << /Differences [32 ${codes.map((each) => `/c${each}`).join(" ")}] >> /CharProcs << ${codes.map((each) => `/c${each} 60 0 R`).join(" ")} >> /ToUnicode 61 0 R >>`
    const objects: PdfObjects = {
      ...fonts(drawn),
      60: stream("600 0 0 0 500 700 d1 0 0 500 700 re f"),
      61: stream(
        "1 begincodespacerange <20> <7e> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange",
      ),
    }
    const content =
      text(72, 740, "Of the ships", { font: "B" }) +
      paragraph(716) +
      text(72, 660, "Of their crews", { font: "B" }) +
      paragraph(636)
    const madeBy = (producer: string, shown = content, more: PdfObjects = {}): Promise<string> =>
      markdownOf(
        pdfOf(
          pages([{ content: shown }], {
            objects: { ...objects, ...more, 70: `<< /Producer (${producer}) >>` },
          }),
          "/Info 70 0 R",
        ),
      )
    const headings = (markdown: string) => markdown.split("\n").filter((each) => each.startsWith("#"))
    expect(headings(await madeBy("Skia/PDF m120"))).toEqual(["# Of the ships", "# Of their crews"])
    expect(headings(await madeBy("Lamps 1.0"))).toEqual([])
    const all = content.replaceAll("/F 12", "/B 12")
    expect(headings(await madeBy("Skia/PDF m120", all))).toEqual([])
    // Where the text is drawn, too, what has the same letters in another font and is less is bold.
    const both = await madeBy("Skia/PDF m120", content, { 3: drawn })
    expect(headings(both)).toEqual(["# Of the ships", "# Of their crews"])
    // Beside code, text that is drawn is most of the text.
    const listing = lines(
      Array.from({ length: 20 }, (_, at) => `let ship${at + 10} = crewOf(harbour, ${at})`),
      { top: 600 },
    )
    const beside =
      text(72, 740, "This calls all of the ships", { font: "B" }) +
      listing +
      text(72, 300, "and these are their crews", { font: "B" })
    const courier = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    expect(headings(await madeBy("Skia/PDF m120", beside, { 3: courier }))).toEqual([])
  })

  it("fonts that a browser draws are of one face where their letters stand together, and the face of fewer letters is bold", async () => {
    const codes = Array.from({ length: 95 }, (_, index) => 32 + index)
    const widthOf = (letter: string): number => (/[filrt ]/.test(letter) ? 300 : 600)
    const drawn = `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32 /LastChar 126 /Widths [${codes.map((each) => widthOf(String.fromCharCode(each))).join(" ")}] /Encoding << /Differences [32 ${codes.map((each) => `/c${each}`).join(" ")}] >> /CharProcs << ${codes.map((each) => `/c${each} 60 0 R`).join(" ")} >> /ToUnicode 61 0 R >>`
    const objects: PdfObjects = {
      ...Object.fromEntries([3, 4, 7, 8].map((number) => [number, drawn])),
      10: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 11 0 R /Resources << /Font << /F 3 0 R /B 4 0 R /G 7 0 R /C 8 0 R >> >> >>",
      60: stream("600 0 0 0 500 700 d1 0 0 500 700 re f"),
      61: stream(
        "1 begincodespacerange <20> <7e> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange",
      ),
      70: "<< /Producer (Skia/PDF m120) >>",
    }
    /** Letters after the middle of the alphabet are in the second font of a face. */
    const shown = (top: number, words: string, [first, second]: readonly [string, string]): string => {
      let left = 72
      return [...words]
        .map((letter) => {
          const place = left
          left += 0.012 * widthOf(letter)
          const font = /[n-z]/i.test(letter) ? second : first
          return `BT /${font} 12 Tf 1 0 0 1 ${place} ${top} Tm (${letter}) Tj ET\n`
        })
        .join("")
    }
    const light = (top: number) =>
      [
        "hail a call of black bleak lead had filled each bag and each",
        "beach, be it a dark lake and a glad gleam, half a mile ahead",
        "and a chill fell, he hid a red flag.",
      ]
        .map((each, at) => shown(top - 14 * at, each, ["F", "G"]))
        .join("")
    const titles = ["Our snowy storms pour on us", "Of our sporty boats on tour"]
    const content = titles
      .map((title, at) => shown(740 - 100 * at, title, ["B", "C"]) + light(716 - 100 * at))
      .join("")
    const markdown = await markdownOf(pdfOf(pages([{ content }], { objects }), "/Info 70 0 R"))
    expect(markdown.split("\n").filter((each) => each.startsWith("#"))).toEqual(
      titles.map((title) => `# ${title}`),
    )
  })

  it("a part of a sentence in Chinese that is bold and goes on in the next line is no title", async () => {
    const letters = "灯在港口每夜亮着。"
    const hex = (each: string): string => Buffer.from(each, "utf16le").swap16().toString("hex")
    const map = stream(
      `1 begincodespacerange <00> <ff> endcodespacerange ${letters.length} beginbfchar ${[...letters].map((each, at) => `<${(97 + at).toString(16)}> <${hex(each)}>`).join(" ")} endbfchar`,
    )
    const named = (name: string): string =>
      `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /FirstChar 97 /LastChar 105 /Widths [${"1000 ".repeat(9)}] /ToUnicode 61 0 R >>`
    const objects: PdfObjects = { 3: named("SongFallback"), 4: named("SongFallback-Bold"), 61: map }
    const plain = "abcdefghabcdefghabcdefghabcdefghabcdefgh"
    const part = (left: number, bottom: number, codes: string, font: "F" | "B" = "F") =>
      text(left, bottom, codes, { font, size: 12 })
    const read = (content: string) => markdownOf(pdfOf(pages([{ content }], { objects })))
    const shown = [0, 1, 2].map((at) => part(72, 700 - 16 * at, plain)).join("")
    const last = part(72, 652, "abcdefghi", "B")
    expect(await read(shown + last)).not.toContain("#")
    const mixed = part(72, 652, "abcdefg", "B") + part(156, 652, "hi")
    expect(await read(shown + mixed)).not.toContain("#")
    expect(await read(part(72, 730, "abcd", "B") + shown)).toMatch(/^# 灯在港口\n/)
  })

  describe("in bitmap fonts of TeX, which count in dots and have no names", () => {
    const codes = Array.from({ length: 123 }, (_, index) => index)
    const dots = `<< /Type /Font /Subtype /Type3 /FontBBox [0 -10 24 30] /FontMatrix [1 0 0 1 0 0] /FirstChar 0 /LastChar 122 /Widths [${codes.map(() => 20).join(" ")}] /Encoding << /Differences [0 ${codes.map((each) => `/A${each}`).join(" ")}] >> /CharProcs << ${codes.map((each) => `/A${each} 60 0 R`).join(" ")} >> >>`
    const objects: PdfObjects = { 3: dots, 60: stream("20 0 0 -10 24 30 d1 0 0 20 28 re f") }
    const piece = (left: number, characters: string): string =>
      `BT /F 1 Tf 0.3 0 0 0.3 ${left} 700 Tm <${Buffer.from(characters, "latin1").toString("hex")}> Tj ET\n`
    const markdown = (...pieces: ReadonlyArray<string>): Promise<string> =>
      markdownOf(pdfOf(pages([{ content: pieces.join("") }], { objects })))

    it("letters that are set nearer or further apart are of one word", async () => {
      const pieces = [piece(72, "Mon"), piece(89.5, "te"), piece(101.8, "ns"), piece(118, "Carlo")]
      expect(await markdown(...pieces)).toBe("Montens Carlo\n")
    })

    it("a font that tells a wrong height alone has the size that it is shown at", async () => {
      const high = dots
        .replace("[0 -10 24 30]", "[0 -10000 24 30000]")
        .replace("[1 0 0 1 0 0]", "[0.03 0 0 0.03 0 0]")
      const shown = (left: number, characters: string): string =>
        piece(left, characters).replace("/F 1 Tf 0.3 0 0 0.3", "/F 10 Tf 1 0 0 1")
      const content = shown(72, "Mons") + shown(101, "Carlo")
      expect(await markdownOf(pdfOf(pages([{ content }], { objects: { ...objects, 3: high } })))).toBe(
        "Mons Carlo\n",
      )
    })

    it("the codes of ligatures stand for these where words are set, and else for signs", async () => {
      const words = piece(72, "con\x0cgures") + piece(132, "a\x0dow") + piece(162, "di\x0berent")
      expect(await markdown(words)).toBe("configures aflow different\n")
      expect(await markdown(piece(72, "k\x0cj"))).toContain("\ufffd")
    })

    it("so do those of the encoding for the languages of Europe, with its quotation marks and dashes", async () => {
      const words =
        piece(72, "con\x1cgures") + piece(132, "\x10a\x1dow\x11") + piece(174, "\x15") + piece(186, "\x1crst")
      expect(await markdown(words)).toBe("configures “aflow” – first\n")
      const old = piece(72, "con\x0cgures") + piece(132, "a\x0dow") + piece(162, "c\x1bur")
      expect(await markdown(old)).toContain("configures aflow c\ufffdur")
    })
  })

  it("reads text as text where its font calls itself one of equal widths, and is none", async () => {
    const flagged = (name: string, width: (each: number) => number): PdfObjects => ({
      ...fonts(called(name, width).replace("/Encoding", "/FontDescriptor 62 0 R /Encoding")),
      62: `<< /Type /FontDescriptor /FontName /${name} /Flags 33 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 700 /Descent -200 /CapHeight 700 /StemV 80 >>`,
    })
    const content = paragraph(740) + code(660) + paragraph(600)
    const markdown = (width: (each: number) => number): Promise<string> =>
      markdownOf(pdfOf(pages([{ content }], { objects: flagged("Rockwell", width) })))
    expect(await markdown(equal)).toContain("```")
    const narrow = (each: number): number => ("fijlrtI,".includes(String.fromCharCode(each)) ? 300 : 700)
    expect(await markdown(narrow)).not.toContain("```")
  })

  it("reads a ligature within a word as text where its font has nothing else, and the words around it the same name", async () => {
    const content =
      paragraph(740) +
      ["ling of lamps", "nding of ships", "ring of bricks"]
        .map(
          (rest, index) =>
            `BT /F 12 Tf 1 0 0 1 72 ${660 - 40 * index} Tm (It is the ) Tj /B 12 Tf (\\336) Tj /F 12 Tf (${rest} that counts here.) Tj ET\n`,
        )
        .join("")
    const widths = Array.from({ length: 96 }, (_, at) => (at % 3 === 0 ? 300 : 600)).join(" ")
    const named = (rest: string) => `<< /Type /Font /Subtype /TrueType /BaseFont /Verdana ${rest} >>`
    const objects = {
      3: named(`/Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 127 /Widths [${widths}]`),
      4: named("/Encoding /MacRomanEncoding /FirstChar 222 /LastChar 222 /Widths [728]"),
    }
    const markdown = await markdownOf(pdfOf(pages([{ content }], { objects })))
    for (const word of ["filing of", "finding of", "firing of"]) expect(markdown).toContain(word)
  })

  it("reads a letter as a bullet that is all of its font, each time before a line in another one", async () => {
    const item = (bottom: number, mark: string, words: string): string =>
      text(72, bottom, mark, { font: "B" }) + text(90, bottom, words)
    const list = (...marks: ReadonlyArray<string>): string =>
      ["lamps of the harbour", "ropes and sails", "masts"]
        .map((words, at) => item(700 - 14 * at, marks[at] ?? "", words))
        .join("")
    const symbols = called("GeneralSymbolsP04", equal)
    const markdown = (content: string): Promise<string> => markdownOf(withFonts(symbols, content))
    expect(await markdown(list("s", "s", "s"))).toBe("- lamps of the harbour\n- ropes and sails\n- masts\n")
    expect(await markdown(list("s", "t", "s"))).not.toContain("- lamps")
    const cells = list("s", "s", "s").replaceAll("(lamps of the harbour)", "(y)").replaceAll("(masts)", "(n)")
    expect(await markdown(cells)).not.toContain("- y")
    expect(await markdown(list("s", "s", "s") + text(72, 600, "signs", { font: "B" }))).not.toContain(
      "- lamps",
    )
  })

  it("keeps code in boxes of lines apart from the text between them", async () => {
    const courier = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    const listing = (top: number): string =>
      `70 ${top - 40} 450 56 re S\n` +
      ["fn main() {", '    let s = "ships";', "}"]
        .map((each, at) => text(76, top - 14 * at, each, { size: 10, font: "B" }))
        .join("")
    const between = (top: number): string =>
      text(72, top, "This makes a list of ships in a program.") +
      text(72, top - 14, "It has all of their names, and nothing but these, as far as they are known.") +
      text(452, top - 14, "It may be") +
      text(72, top - 28, "as long as you like, and ends with the last ship.")
    const content =
      "72 790 m 520 790 l S\n" +
      between(770) +
      listing(700) +
      between(630) +
      listing(560) +
      "72 480 m 520 480 l S\n"
    const markdown = await markdownOf(pdfOf(pages([{ content }], { objects: { 3: times, 4: courier } })))
    expect(markdown.match(/^```\nfn main\(\) \{\n {4}let s = "ships";\n\}\n```$/gm)).toHaveLength(2)
    expect(markdown).not.toContain("|")
  })

  it("knows the typewriter fonts of TeX by their names", async () => {
    for (const name of ["t1xtt", "tcxtt", "txtt", "SFTT1000", "LMTT10"]) {
      const font = `<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+${name} /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 127 /Widths [${Array.from({ length: 96 }, (_, at) => (at < 80 ? 600 : 500)).join(" ")}] >>`
      const content =
        paragraph(740) +
        text(72, 660, "d = a", { font: "B" }) +
        text(72, 646, "e = c", { font: "B" }) +
        paragraph(600)
      expect(await markdownOf(pdfOf(pages([{ content }], { objects: { 3: times, 4: font } })))).toContain(
        "```\nd = a\ne = c\n```",
      )
    }
  })

  it("reads a line of code as one though quotation marks in it are those of another font", async () => {
    const courier = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    const listing = ["error: use of a moved", " --> main.rs:11:30", "  = value of", "11 | let c = Cons(4);"]
      .map((each, at) => text(72, 640 - 12 * at, each, { size: 10, font: "B" }))
      .join("")
    const quoted =
      text(80.5 + 6 * 13, 616, "`", { size: 10 }) + text(84 + 6 * 13, 616, "a", { size: 10, font: "B" })
    const content =
      lines(["The compiler says what it has found, and where in the file that", "is, as compilers do."]) +
      listing +
      quoted +
      lines(["It is a help to those who read it."], { top: 580 })
    const objects = { 3: times, 4: courier }
    expect(await markdownOf(pdfOf(pages([{ content }], { objects })))).toMatch(
      /```\nerror: use of a moved\n --> main\.rs:11:30\n {2}= value of +`a\n11 \| let c = Cons\(4\);\n```/,
    )
  })

  it("takes an address for no code, also behind the number of a note", async () => {
    const font = called("BookMaster", equal)
    const page = (alone: string): string => paragraph(700) + text(72, 560, alone, { font: "B" })
    for (const address of ["http://lamps.example", "1 http://lamps.example"])
      expect(await markdownOf(withFonts(font, page(address)))).not.toContain("```")
    expect(await markdownOf(withFonts(font, page("migrate http://lamps.example")))).toContain("```")
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

  it.each([
    "Figure 3.",
    "Fig. 12:",
    "Table 1-2",
    "Table A4-12.",
    "Table B-3",
    "Abbildung 4",
    "Listing 7",
    "Example 2-1",
  ])("the title %s above or below is no row of a table", async (title) => {
    const words = text(72, 655, title) + text(300, 655, "What it shows")
    expect(await markdownOf(onePage(drawn + words))).toContain(`${table}\n`)
    expect(await markdownOf(withFonts(times, drawn + words))).toContain(`${table}\n`)
    const above = text(72, 722, title) + text(300, 722, "What it shows")
    expect(await markdownOf(onePage(drawn + above))).toContain(table)
  })

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

/** A TrueType font of these many glyphs, each as wide as its size, that draw nothing: as one of pictures without them. */
const blankFont = (glyphs: number): Buffer => {
  const words = (...numbers: ReadonlyArray<number>): Buffer => {
    const bytes = Buffer.alloc(2 * numbers.length)
    for (const [at, number] of numbers.entries()) bytes.writeUInt16BE(number, 2 * at)
    return bytes
  }
  const zeros = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => 0)
  const widths = Array.from({ length: glyphs }, () => [1000, 0]).flat()
  const tables: ReadonlyArray<readonly [tag: string, bytes: Buffer]> = [
    ["glyf", Buffer.alloc(4)],
    ["head", words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000, ...zeros(8), 0, 0, 1000, 1000, 0, 8, 2, 0, 0)],
    ["hhea", words(1, 0, 800, 0xff38, 0, 1000, ...zeros(11), glyphs)],
    ["hmtx", words(...widths)],
    ["loca", words(...zeros(glyphs + 1), 0)],
    ["maxp", words(1, 0, glyphs, ...zeros(13))],
  ]
  let offset = 12 + 16 * tables.length
  const records = tables.map(([tag, bytes]) => {
    const record = Buffer.alloc(16)
    record.write(tag, "latin1")
    record.writeUInt32BE(offset, 8)
    record.writeUInt32BE(bytes.length, 12)
    offset += Math.ceil(bytes.length / 4) * 4
    return record
  })
  const padded = tables.map(([, bytes]) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]))
  return Buffer.concat([words(1, 0, tables.length, 64, 2, 32), ...records, ...padded])
}

describe("file-md-json: emoji of a PDF in a font of pictures", () => {
  const document = (name: string): Buffer => {
    const map = [
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def",
      "1 begincodespacerange <0000> <FFFF> endcodespacerange",
      "2 beginbfchar <0001> <2705> <0002> <D83DDE4C> endbfchar",
      "endcmap CMapName currentdict /CMap defineresource pop end end",
    ].join("\n")
    const font = blankFont(3)
    const emoji = (left: number, bottom: number, glyph: number): string =>
      `BT /B 12 Tf 1 0 0 1 ${left} ${bottom} Tm <000${glyph}> Tj ET\n`
    const content =
      text(72, 700, "Lamps of iron") + emoji(150, 700, 1) + text(72, 680, "We mend them") + emoji(158, 680, 2)
    return pdfOf(
      pages([{ content }], {
        objects: {
          3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
          4: `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [60 0 R] /ToUnicode 61 0 R >>`,
          60: `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 62 0 R /DW 1000 /CIDToGIDMap /Identity >>`,
          61: stream(map),
          62: `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 /FontFile2 63 0 R >>`,
          63: stream(font, `/Length1 ${font.length}`),
        },
      }),
    )
  }

  it("are read though nothing is drawn of them; what is empty in another font is no text", async () => {
    expect(await markdownOf(document("AAAAAA+NotoColorEmoji"))).toBe("Lamps of iron ✅ We mend them 🙌\n")
    expect(await markdownOf(document("AAAAAA+Blank"))).not.toMatch(/✅|🙌/u)
  })
})

describe("file-md-json: fonts of icons in a PDF", () => {
  /** Codes `a` to `d` are pictures: two that Unicode has, and two that it has not. */
  const document = (name: string, content: string): Buffer => {
    const codes = [0xf00c, 0xf0e0, 0xf3c5, 0xf09b]
    const map = [
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def",
      "1 begincodespacerange <00> <FF> endcodespacerange",
      `4 beginbfchar ${codes.map((code, at) => `<${(0x61 + at).toString(16)}> <${code.toString(16)}>`).join(" ")} endbfchar`,
      "endcmap CMapName currentdict /CMap defineresource pop end end",
    ].join("\n")
    return pdfOf(
      pages([{ content }], {
        objects: {
          ...fonts(
            `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /FirstChar 97 /LastChar 100 /Widths [1000 1000 1000 1000] /ToUnicode 60 0 R >>`,
          ),
          60: stream(map),
        },
      }),
    )
  }
  const icon = (left: number, bottom: number, code: string): string =>
    text(left, bottom, code, { size: 10, font: "B" })

  it("are signs of Unicode where it has them, and are left out and counted where not", async () => {
    const content =
      icon(72, 700, "c") +
      text(90, 700, "Bergen") +
      icon(150, 700, "b") +
      text(168, 700, "office@lamps.example") +
      icon(320, 700, "a") +
      text(340, 700, "open")
    const { markdown, codes } = await converted(document("FontAwesome5Free-Solid", content), "a.pdf")
    expect(markdown).toBe("Bergen ✉ office@lamps.example ✓ open\n")
    expect(codes).toContain("symbols_left_out")
    expect(await markdownOf(document("Ships", content))).not.toContain("✉")
  })

  it("are bullets where the same one stands below itself, and no mark of an item where it stands once", async () => {
    const rows = ["Lamps of iron", "Chairs of wood", "Tables of oak"]
    const list = (sign: (at: number) => string): string =>
      rows
        .map((row, at) => icon(72, 700 - 14 * at, sign(at)) + text(90, 700 - 14 * at, row, { size: 10 }))
        .join("")
    expect(
      await markdownOf(
        document(
          "FontAwesome",
          list(() => "d"),
        ),
      ),
    ).toBe(rows.map((row) => `- ${row}\n`).join(""))
    const once = icon(72, 700, "d") + text(90, 700, "Lamps of iron", { size: 10 })
    expect(await markdownOf(document("FontAwesome", once))).toBe("Lamps of iron\n")
  })
})
