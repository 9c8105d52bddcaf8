import { describe, expect, it } from "vitest"
import { line, lines, type PdfObjects, pages, pdfOf, stream, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
const courier = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"

/** Text in Helvetica, code in Courier, and the letters of `ideographs` in a third font, as wide as its size. */
const ideographs = "灯在港口。등대는☂✔"
const hex = (letters: string): string => Buffer.from(letters, "utf16le").swap16().toString("hex")
const objects: PdfObjects = {
  3: helvetica,
  4: courier,
  60: `<< /Type /Font /Subtype /TrueType /BaseFont /DroidSansFallback /FirstChar 97 /LastChar 106 /Widths [${"1000 ".repeat(9)}838] /ToUnicode 61 0 R >>`,
  61: stream(
    `1 begincodespacerange <00> <ff> endcodespacerange 10 beginbfchar ${[...ideographs].map((each, at) => `<${(97 + at).toString(16)}> <${hex(each)}>`).join(" ")} endbfchar`,
  ),
}
const read = (content: string, entries = ""): Promise<string> => {
  const made = pages([{ content, entries }], { objects })
  const page = `${made[10]}`.replace("/B 4 0 R", "/B 4 0 R /C 60 0 R")
  return markdownOf(pdfOf({ ...made, 10: page }))
}
const code = (left: number, bottom: number, words: string, size = 10) =>
  text(left, bottom, words, { font: "B", size })
const chinese = (left: number, bottom: number, letters: string, size = 10): string =>
  `BT /C ${size} Tf 1 0 0 1 ${left} ${bottom} Tm (${[...letters].map((each) => String.fromCharCode(97 + ideographs.indexOf(each))).join("")}) Tj ET\n`
const rest = lines(
  Array.from({ length: 6 }, () => "The rest of the text is in another font, as most of it is."),
  { top: 400 },
)

describe("file-md-json: listings of a PDF", () => {
  it("hold comments and texts in Chinese, which is in another font of their size", async () => {
    const listing =
      code(72, 700, "let lamp = on") +
      code(72, 686, "//") +
      chinese(90, 686, "灯在港口。") +
      code(72, 672, 'print("') +
      chinese(114, 672, "灯在") +
      code(134, 672, '")')
    expect(await read(listing + rest)).toContain('```\nlet lamp = on\n// 灯在港口。\nprint("灯在")\n```')
  })

  it("hold comments in Korean, also behind a word in other letters, pictures in them, and lines that begin with a dash", async () => {
    const listing =
      code(72, 700, "- name: lamp") +
      code(72, 686, "- on: yes // lamp") +
      chinese(180, 686, "등대는") +
      chinese(216, 686, "대는") +
      code(72, 672, "- off: no //") +
      chinese(150, 672, "☂") +
      code(162, 672, "wet")
    expect(await read(listing + rest)).toContain(
      "```\n- name: lamp\n- on: yes // lamp 등대는 대는\n- off: no // ☂ wet\n```",
    )
  })

  it("are no sentences in Chinese that begin with code", async () => {
    const sentence = (bottom: number) => code(72, bottom, "lamp") + chinese(98, bottom, "灯在港口。")
    expect(await read(sentence(700) + sentence(686) + rest)).not.toContain("```")
  })

  it("are none of the addresses in footnotes, whose numbers are raised", async () => {
    const notes = ["https://lamps.org/src", "https://boats.org", "https://sails.org/all"]
    const page = (rise: number) =>
      text(72, 700, "See the sources of all of the lamps, boats and sails in the harbour.") +
      notes
        .map(
          (note, at) =>
            text(72, 120 + rise - 12 * at, `${at + 1}`, { size: 6 }) + code(78, 120 - 12 * at, note, 9),
        )
        .join("")
    expect(await read(page(4) + rest)).toContain(notes.map((note, at) => `${at + 1} ${note}`).join("\n\n"))
    expect(await read(page(0) + rest)).toContain(`\`\`\`\n${notes.join("\n")}\n\`\`\``)
  })

  it("stay so where their lines have grounds of their own and stand in columns", async () => {
    const ground = (left: number, bottom: number, width: number, height: number) =>
      `0.95 g ${left} ${bottom} ${width} ${height} re f 0 g\n`
    const settings = ["on", "colour", "height", "weight", "keeper", "mast"].map(
      (name) => `  lamp.${name.padEnd(10)} = ${name.slice(0, 2)}`,
    )
    const listing =
      ground(64, 622, 460, 94) +
      settings
        .map((each, at) => ground(72, 698 - 14 * at, 6 * each.length, 10) + code(72, 700 - 14 * at, each))
        .join("")
    const markdown = await read(listing + rest)
    expect(markdown).not.toContain("|")
    expect(markdown).toContain(`\`\`\`\n${settings.map((each) => each.trim()).join("\n")}\n\`\`\``)
  })

  it("stay so on a page of code alone whose lines have grounds as long as they are; longer ones are those of rows", async () => {
    const listing = [
      "function light(start, minutes) {",
      "    lamps.push([start, minutes])",
      "    return isDark(start)",
      "}",
      "",
      'light("07:15",30);    // off',
      'light("17:30",45);    // on',
      'light("18:00",15);    // on',
    ]
    const page = (right: number) =>
      listing
        .map((each, at) =>
          each === ""
            ? ""
            : `0.95 g 72 ${698 - 14 * at} ${right === 0 ? 6 * each.length : right} 10 re f 0 g\n` +
              code(72, 700 - 14 * at, each),
        )
        .join("")
    const set = (content: string) => markdownOf(pdfOf(pages([{ content }, { content: rest }], { objects })))
    expect(await set(page(0))).toContain(`\`\`\`\n${listing.join("\n")}\n\`\`\`\n`)
    expect(await set(page(400))).toContain("| light")
  })

  it("begin their lines with ticks, a space behind them, and are no list", async () => {
    const done = ["lamp-1                 lit", "lamp-of-the-harbour-1  lit", "lamp-of-ships-1        lit"]
    const listing = done.map((each, at) => chinese(72, 700 - 14 * at, "✔") + code(86.38, 700 - 14 * at, each))
    const markdown = await read(listing.join("") + rest)
    expect(markdown).toMatch(
      /^```\n✔ +lamp-1 +lit\n✔ +lamp-of-the-harbour-1 {2}lit\n✔ +lamp-of-ships-1 +lit\n```\n/,
    )
  })

  it("have no numbers of their lines, which are small, go up by one and stand before empty lines, too", async () => {
    const listing = (first: number, size = 6): string =>
      ["let lamp = on", "if (lamp) {", "", "  shine()", "}"]
        .map(
          (words, at) => text(60, 700 - 14 * at, `${first + at}`, { size }) + code(80, 700 - 14 * at, words),
        )
        .join("")
    const plain = "```\nlet lamp = on\nif (lamp) {\n\n  shine()\n}\n```"
    expect(await read(listing(1) + rest)).toContain(plain)
    expect(await read(listing(4) + rest)).toContain(plain)
    expect(await read(listing(1, 10) + rest)).toMatch(/4.{1,20}shine/)
  })

  it("have no numbers of their lines either where these are as large, and grey", async () => {
    const listing = ["let lamp = on", "if (lamp) {", "  shine()", "}"]
      .map(
        (words, at) =>
          `0.7 g\n${text(60, 700 - 14 * at, `${at + 1}`, { size: 10 })}0 g\n${code(80, 700 - 14 * at, words)}`,
      )
      .join("")
    expect(await read(listing + rest)).toContain("```\nlet lamp = on\nif (lamp) {\n  shine()\n}\n```")
  })

  it("have a line as one that was broken where it had no more space, as an arrow says", async () => {
    const listing = (arrow: string): string =>
      code(72, 700, "let lamp = light(") +
      code(90, 672, "close(lamp)") +
      text(74, 686, arrow, { size: 5 }) +
      code(90, 686, "oil, wick)")
    const whole = "```\nlet lamp = light( oil, wick)\n"
    expect(await read(listing(",!") + rest)).toContain(whole)
    expect(await read(listing("!") + rest)).not.toContain(whole)
  })

  it("are code also in a short document, whose other words are few, where they have the signs of code", async () => {
    const listing = (...lines: ReadonlyArray<string>): string =>
      lines.map((each, at) => code(72, 700 - 14 * at, each)).join("")
    const about = text(72, 740, "This is all there is about a lamp that is lit by hand.")
    const signed = [
      "let lamp = on;",
      "if (lamp) { shine(lamp); }",
      "let oil = 2; let wick = 3;",
      "close(lamp);",
    ]
    expect(await read(about + listing(...signed))).toContain(`\`\`\`\n${signed.join("\n")}\n\`\`\``)
    const typed = [
      "The lamp is on the quay,",
      "and it shines on the boats",
      "that have no oil, and wait",
      "for it.",
    ]
    expect(await read(about + listing(...typed))).not.toContain("```")
  })

  it("have names without the hyphen that was set behind a low line, where the line ends", async () => {
    const sentence = "This text is as long as the rest of the text, and has"
    const cut =
      text(72, 700, sentence) +
      code(352, 700, "LAMP_OF_-", 12) +
      code(72, 686, "BERGEN", 12) +
      text(120, 686, "in it, which goes on to its end.") +
      lines(
        Array.from(
          { length: 3 },
          () => "The rest of the text is in another font, as most of it is, and goes",
        ),
        {
          top: 672,
        },
      )
    expect(await read(cut)).toContain("and has `LAMP_OF_BERGEN` in it")
  })

  it("have comments below one another and empty lines, each on a ground of its own, between lines of their width", async () => {
    const lined: ReadonlyArray<readonly [code: string, comment: string]> = [
      ["{", "# A lamp."],
      ['  "oil": {', "# See 2.1."],
      ['    "kind": "of a      whale"', ""],
      ["  },", ""],
      ["", ""],
      ['  "wick": 3', "# See 2.2."],
      ["}", ""],
    ]
    const box = (top: number): string =>
      lined
        .map(([words, comment], at) => {
          const bottom = top - 14 * at
          const ground = `0.9 g 72 ${bottom - 4} 400 14 re f 0 g\n`
          const indent = words.length - words.trimStart().length
          return (
            ground +
            (words === "" ? "" : code(80 + 6 * indent, bottom, words.trimStart())) +
            (comment === "" ? "" : code(260, bottom, comment))
          )
        })
        .join("") +
      line(72, top + 10, 472, top + 10) +
      line(72, top - 14 * lined.length + 10, 472, top - 14 * lined.length + 10)
    const markdown = await read(box(700) + text(72, 580, "Below it is another one:") + box(550) + rest)
    expect(markdown).not.toContain("|")
    expect(markdown.match(/^```\n\{ {29}# A lamp\.$/gm)).toHaveLength(2)
    expect(markdown).toContain('  },\n\n  "wick": 3')
  })

  it("within a text keep the points that they end with", async () => {
    const sentence =
      text(72, 700, "It begins with") + code(156, 700, "lamp..", 12) + text(206, 700, "and goes on.")
    expect(await read(sentence + rest)).toContain("with `lamp..` and")
  })

  it("are no rows that go on below a table in its columns, nor what begins with the name of a space", async () => {
    const names = ["Lamp::Array", "Lamp::Buffer", "Lamp::Date", "Lamp::Error", "Lamp::Name"]
    const row = (bottom: number, ...cells: ReadonlyArray<string>) =>
      cells.map((each, at) => code(72 + 150 * at, bottom, each)).join("")
    const table =
      [716, 697, 677].map((y) => line(66, y, 400, y)).join("") +
      text(72, 702, "Class", { size: 10 }) +
      text(222, 702, "Parents of it", { size: 10 }) +
      row(682, "Lamp::Addon", "Lamp::Wrap") +
      names.map((name, at) => row(662 - 20 * at, name, "Lamp::Value")).join("")
    const markdown = await read(table + rest)
    expect(markdown.match(/---/g)).toHaveLength(2)
    expect(markdown.match(/^\| Lamp::\w+ \| Lamp::\w+ \|$/gm)).toHaveLength(6)
    expect(markdown).not.toContain("```")
  })
})
