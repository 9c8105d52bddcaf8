import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { DocumentPart } from "@atelier/executor/parsing"
import { describe, expect, it } from "vitest"
import { openPdf } from "../src/pages.ts"
import { converted } from "./documents.ts"
import { lines, pages, pdfOf, text } from "./pdf/makePdf.ts"
import { cell, row as odsRow, spreadsheet, table } from "./sheets/spreadsheet.ts"
import { number, row, text as sheetText, workbook } from "./sheets/workbook.ts"

interface WithParts {
  readonly markdown: string
  readonly json: Readonly<Record<string, unknown>>
  readonly parts: ReadonlyArray<DocumentPart>
  readonly slices: ReadonlyArray<string>
}

const withParts = async (bytes: Uint8Array, filename: string, kind = "pages"): Promise<WithParts> => {
  const { markdown, json } = await converted(bytes, filename, { pageOffsets: true })
  const parts = json[kind] as ReadonlyArray<DocumentPart>
  return { markdown, json, parts, slices: parts.map(({ start, end }) => markdown.slice(start, end)) }
}

/** In order, without overlap, from 1, and nothing but empty lines between. */
const expectWhole = ({ markdown, parts }: WithParts): void => {
  expect(parts.map((part) => part.number)).toEqual(parts.map((_, index) => index + 1))
  let at = 0
  for (const { start, end } of parts) {
    expect(markdown.slice(at, start).trim()).toBe("")
    expect(end).toBeGreaterThanOrEqual(start)
    at = end
  }
  expect(markdown.slice(at).trim()).toBe("")
}

const slicesOf = async (list: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const read = await withParts(pdfOf(pages(list.map((content) => ({ content })))), "a.pdf")
  expectWhole(read)
  return read.slices
}

describe("documents.page_offsets: the pages of a PDF", () => {
  it("are all there, those without text too", async () => {
    const one = text(72, 700, "First.")
    const two = text(72, 700, "Second.")
    expect(await slicesOf(["", one, "", "", two, ""])).toEqual(["", "First.", "", "", "Second.", ""])
  })

  it("stand right where running headers and page numbers were left out", async () => {
    const page = (count: number, words: string) =>
      text(200, 760, "A running header") + text(72, 700, words) + text(300, 30, `${count}`)
    const read = await slicesOf([page(1, "One."), page(2, "Two."), page(3, "Three.")])
    expect(read).toEqual(["One.", "Two.", "Three."])
  })

  it("a sentence that goes on over the end of a page is of the page where it begins", async () => {
    const [first, second] = await slicesOf([
      lines(["A paragraph at the end of a page that", "has no end on it, because it goes"]),
      lines(["on here."]) + text(72, 500, "Another one."),
    ])
    expect(first).toMatch(/because it goes on here\.$/)
    expect(second).toBe("Another one.")
  })

  it("a table that goes on is parted between its rows, and its repeated head is left out", async () => {
    const at = (bottom: number, ...cells: ReadonlyArray<string>) =>
      cells.map((each, index) => text(72 + 150 * index, bottom, each)).join("")
    const rule = (bottom: number) => `72 ${bottom} m 500 ${bottom} l S\n`
    const sheet = (from: number) =>
      rule(716) +
      at(700, "Port", "Ships", "Goods") +
      rule(694) +
      [0, 1, 2]
        .map((each) => at(680 - 20 * each, `Port ${from + each}`, "12", "34") + rule(674 - 20 * each))
        .join("")
    const [first, second, third] = await slicesOf([sheet(1), sheet(4), text(72, 700, "The end.")])
    expect(first).toMatch(/^\| Port \| Ships \| Goods \|\n.*\n(\| Port [123] .*\|\n?){3}$/)
    expect(second).toMatch(/^(\| Port [456] .*\|\n?){3}$/)
    expect(third).toBe("The end.")
  })

  it("footnotes are of the page on which they stand, and what goes on around them of the one before", async () => {
    const note = text(72, 200, "1", { size: 4 }) + text(78, 198, "A note of few words.", { size: 7 })
    const [first, second] = await slicesOf([
      lines(["A sentence of the first page that is", "long, and goes on at the top of the"], { size: 9 }) +
        note,
      lines(["second page, where it ends."], { size: 9 }) + text(72, 500, "Another one.", { size: 9 }),
    ])
    expect(first).toContain("at the top of the second page, where it ends.")
    expect(first).toContain("1 A note of few words.")
    expect(second).toBe("Another one.")
  })

  it("are not there by default, nor in documents without pages, and the other fields are the same", async () => {
    const pdf = pdfOf(pages([{ content: text(72, 700, "One.") }]))
    const { json } = await converted(pdf, "a.pdf")
    expect(Object.keys(json)).not.toContain("pages")
    const { pages: found, ...others } = (await withParts(pdf, "a.pdf")).json
    expect(found).toEqual([{ number: 1, start: 0, end: 4 }])
    expect(others).toEqual(json)
    const html = await converted("<p>One.", "a.html", { pageOffsets: true })
    expect(Object.keys(html.json)).toEqual(Object.keys(json))
  })
})

describe("documents.page_offsets: the sheets of a workbook", () => {
  const expected = [
    { number: 1, name: "A & b", start: 0, end: 43 },
    { number: 2, name: "Empty", start: 45, end: 53 },
    { number: 3, name: "Last", start: 55, end: 65 },
  ]

  it("have their names, in XLSX and in ODS", async () => {
    const xlsx = workbook({
      sheets: [
        { name: "A &amp; b", rows: row(sheetText("x"), number(1)) + row(sheetText("y"), number(2)) },
        { name: "Empty" },
        { name: "Last", rows: row(sheetText("z")) },
      ],
    })
    const ods = spreadsheet({
      content:
        table("A &amp; b", odsRow(cell("x") + cell("1")) + odsRow(cell("y") + cell("2"))) +
        table("Empty", "") +
        table("Last", odsRow(cell("z"))),
    })
    for (const [document, name] of [
      [xlsx, "a.xlsx"],
      [ods, "a.ods"],
    ] as const) {
      const read = await withParts(await document, name, "sheets")
      expectWhole(read)
      expect(read.parts).toEqual(expected)
    }
  })
})

const corpus = fileURLToPath(new URL("../../../../shared/corpus", import.meta.url))

/** Documents below a folder of the corpus by the end of their names; those that are refused are left to other tests. */
const documentsOf = (extension: string): ReadonlyArray<string> =>
  ["markitdown", "officeparser", `poi${extension.replace(".", "/")}`].flatMap((folder) =>
    existsSync(join(corpus, folder))
      ? readdirSync(join(corpus, folder))
          .filter((name) => extname(name) === extension)
          .map((name) => join(corpus, folder, name))
      : [],
  )

const readOf = async (path: string, kind: string): Promise<WithParts | undefined> => {
  try {
    return await withParts(readFileSync(path), path, kind)
  } catch {
    return undefined
  }
}

/** Words of some letters, without those of links' targets. */
const wordsOf = (markdown: string): ReadonlyArray<string> =>
  markdown
    .replace(/\]\([^)]*\)/g, "]")
    .toLowerCase()
    .match(/[\p{L}\p{N}]{4,}/gu) ?? []

/** A sentence that goes on over the end of a page is of the first one. */
const ownMin = 0.8
/** What is said of a picture stands nowhere on the page. */
const nearMin = 0.85

describe.skipIf(!existsSync(corpus))("documents.page_offsets: the corpus (needs ../shared/corpus)", () => {
  it("the slice of a page has the words that stand on it", async () => {
    for (const path of documentsOf(".pdf")) {
      const read = await readOf(path, "pages")
      expect(read, path).toBeDefined()
      if (read === undefined) continue
      expectWhole(read)
      const document = await openPdf(readFileSync(path))
      expect(read.parts).toHaveLength(document.pageCount)
      const onPages = read.slices.map((_, index) =>
        (document.page(index)?.layers ?? [])
          .flatMap(({ words }) => words.map((word) => word.text))
          .join("")
          .toLowerCase(),
      )
      for (const [index, slice] of read.slices.entries()) {
        const words = wordsOf(slice)
        const own = words.filter((word) => onPages[index]?.includes(word))
        const near = words.filter((word) => `${onPages[index]}${onPages[index + 1]}`.includes(word))
        expect(own.length, `${path} ${index + 1}`).toBeGreaterThanOrEqual(ownMin * words.length)
        expect(near.length, `${path} ${index + 1}`).toBeGreaterThanOrEqual(nearMin * words.length)
      }
    }
  })

  it.each([".xlsx", ".xls", ".ods"])(
    "the slices of %s files begin with the names of their sheets",
    async (extension) => {
      let found = 0
      for (const path of documentsOf(extension)) {
        const read = await readOf(path, "sheets")
        if (read === undefined) continue
        expectWhole(read)
        found += read.parts.length
        for (const [index, { name = "" }] of read.parts.entries()) {
          const [heading = ""] = (read.slices[index] ?? "").split("\n")
          if (/^\w(?:[\w ]*\w)?$/.test(name)) expect(heading.replaceAll("\\", ""), path).toBe(`## ${name}`)
        }
      }
      expect(found).toBeGreaterThan(0)
    },
  )
})
