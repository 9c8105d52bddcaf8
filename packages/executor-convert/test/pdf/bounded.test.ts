import { MarkdownWriter, Warnings } from "@atelier/executor/parsing"
import { describe, expect, it } from "vitest"
import { movedAccents } from "../../src/embedded/pdf/accents.ts"
import { algorithmsIn } from "../../src/embedded/pdf/algorithms.ts"
import { type Block, blocksOf, lineOfWords, type TextBlock } from "../../src/embedded/pdf/Blocks.ts"
import { rightsBeside } from "../../src/embedded/pdf/besidePictures.ts"
import { withBrokenLines } from "../../src/embedded/pdf/brokenLines.ts"
import { edgesOf, piecesOf, rowsOfCells } from "../../src/embedded/pdf/Cells.ts"
import { regionsOf } from "../../src/embedded/pdf/Columns.ts"
import { codeLines } from "../../src/embedded/pdf/codeLines.ts"
import { colouredIn } from "../../src/embedded/pdf/colouredTitles.ts"
import { withEntries } from "../../src/embedded/pdf/contentsEntries.ts"
import { removeCopies } from "../../src/embedded/pdf/copies.ts"
import { withoutCoveredDots } from "../../src/embedded/pdf/coveredDots.ts"
import type { Drawing } from "../../src/embedded/pdf/Drawing.ts"
import { Faces } from "../../src/embedded/pdf/Faces.ts"
import { fontOf } from "../../src/embedded/pdf/Fonts.ts"
import { Furniture } from "../../src/embedded/pdf/Furniture.ts"
import { figuresIn } from "../../src/embedded/pdf/figureTexts.ts"
import { filledGridsIn } from "../../src/embedded/pdf/filledGrids.ts"
import { sidesOfFills } from "../../src/embedded/pdf/filledRows.ts"
import { withFractions } from "../../src/embedded/pdf/fractions.ts"
import { framesOf, partsByFrames } from "../../src/embedded/pdf/frames.ts"
import { fromLeftToRight } from "../../src/embedded/pdf/fromLeftToRight.ts"
import { withoutFurnitureRules } from "../../src/embedded/pdf/furnitureRules.ts"
import { gridTables } from "../../src/embedded/pdf/Grid.ts"
import { Hyphens } from "../../src/embedded/pdf/Hyphens.ts"
import { headInColumns } from "../../src/embedded/pdf/headInColumns.ts"
import { levelsBySize } from "../../src/embedded/pdf/headingLevels.ts"
import { headRows } from "../../src/embedded/pdf/headRows.ts"
import { addBlocks } from "../../src/embedded/pdf/joinBlocks.ts"
import { joinWords, lineEndHyphen, lineEndWrap, textOf } from "../../src/embedded/pdf/joinWords.ts"
import { areContents } from "../../src/embedded/pdf/Leaders.ts"
import { rowsOf, segmentsOf } from "../../src/embedded/pdf/Lines.ts"
import { hangingNumbers, letteredMarks, repeatedMarks } from "../../src/embedded/pdf/ListMark.ts"
import { joinLetterspaced } from "../../src/embedded/pdf/letterspacing.ts"
import { withoutListingNumbers } from "../../src/embedded/pdf/listingNumbers.ts"
import { withListsBeside } from "../../src/embedded/pdf/listsBeside.ts"
import { withMarks, withTickBoxes } from "../../src/embedded/pdf/Marks.ts"
import { marginNotes } from "../../src/embedded/pdf/marginNotes.ts"
import { narrowColumns } from "../../src/embedded/pdf/narrowColumns.ts"
import { notesAtRight } from "../../src/embedded/pdf/notesAtRight.ts"
import { NumbersInPlace } from "../../src/embedded/pdf/numbersInPlace.ts"
import { type Outline, withHeadings } from "../../src/embedded/pdf/Outline.ts"
import { layersOf } from "../../src/embedded/pdf/Page.ts"
import { pastFigures } from "../../src/embedded/pdf/pastFigures.ts"
import { ruledTables } from "../../src/embedded/pdf/RuledTables.ts"
import type { Rule, Ruling } from "../../src/embedded/pdf/Ruling.ts"
import { readBlocks } from "../../src/embedded/pdf/readBlocks.ts"
import { joinFromTheRight } from "../../src/embedded/pdf/rightToLeftSigns.ts"
import { nameLetterBullets } from "../../src/embedded/pdf/shapes.ts"
import { sidewaysIn } from "../../src/embedded/pdf/sideways.ts"
import { withSignsBeside } from "../../src/embedded/pdf/signsBeside.ts"
import { wideLeadingOfPage } from "../../src/embedded/pdf/stacks.ts"
import { withStampedBoxes, withStampedTicks } from "../../src/embedded/pdf/stampedTicks.ts"
import { tablesIn } from "../../src/embedded/pdf/Tables.ts"
import type { Tag } from "../../src/embedded/pdf/Tags.ts"
import { withFields } from "../../src/embedded/pdf/TextFields.ts"
import { shapesInOrder } from "../../src/embedded/pdf/tagOrder.ts"
import { textTables } from "../../src/embedded/pdf/textTables.ts"
import { withTypedTables } from "../../src/embedded/pdf/typedTables.ts"
import { withUnderscores } from "../../src/embedded/pdf/underscores.ts"
import type { Layer, Word } from "../../src/embedded/pdf/Word.ts"
import { withoutWhiteWords } from "../../src/embedded/pdf/whiteWords.ts"
import { withWrappedTexts } from "../../src/embedded/pdf/wrappedTexts.ts"
import { writeBlocks } from "../../src/embedded/pdf/writeBlocks.ts"
import { convertLimits } from "../../src/Limits.ts"
import { line, pages, pdfOf, pictureObject, stream, text, withCharacters } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const upTo = <A>(count: number, make: (index: number) => A): Array<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const font = fontOf("Helvetica", new Map())

const word = (characters: string, left: number, baseline: number, more: Partial<Word> = {}): Word => ({
  text: characters,
  left,
  right: left + 6 * characters.length,
  baseline,
  size: 10,
  bold: false,
  italic: false,
  font,
  mono: false,
  order: 0,
  content: -1,
  link: "",
  hyphenated: false,
  spaced: false,
  ...more,
})

/** Words in the order of the document. */
const inOrder = (words: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  words.map((each, order) => ({ ...each, order }))

const linesOf = (count: number, ...texts: ReadonlyArray<string>) =>
  upTo(count, (index) => lineOfWords(texts.map((each, at) => word(each, 50 + 20 * at, 12 * index))))

const textBlock = (characters: string, more: Partial<TextBlock> = {}): TextBlock => ({
  kind: "text",
  text: characters,
  spans: [{ text: characters, link: "" }],
  size: 10,
  left: 50,
  bold: false,
  italic: false,
  family: "helvetica",
  lines: 1,
  isParted: false,
  parts: [],
  ...more,
})

const written = (blocks: ReadonlyArray<Block>): string => {
  const markdown = new MarkdownWriter(100_000_000)
  writeBlocks(blocks, 1, markdown)
  return markdown.toString()
}

const rule = (at: number, from: number, to: number): Rule => ({ at, from, to })

const ruling = (some: Partial<Ruling>): Ruling => ({
  horizontal: [],
  vertical: [],
  fills: [],
  marks: [],
  boxes: [],
  dashes: [],
  pictures: [],
  ...some,
})

const area = (left: number, top: number, side: number) => ({
  left,
  right: left + side,
  top,
  bottom: top + side,
})

/** As long as a parsing process has for a document: what grows faster than its input takes longer, or more memory. */
const timeout = 60_000

describe("what a crafted PDF asks for takes a time that grows with its text", () => {
  it("a word that does not end", { timeout }, async () => {
    const hebrew = upTo(40, () => `(${"a".repeat(4_000)}) Tj `).join("")
    const characters = "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <61> <05D0> endbfchar"
    const objects = {
      3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 5 0 R >>",
      5: stream(`begincmap ${characters} endcmap`),
    }
    const content = `BT /F 1 Tf 1 0 0 1 20 700 Tm ${hebrew} ET`
    const markdown = await markdownOf(pdfOf(pages([{ content }], { objects })))
    expect(markdown.replace(/\s/g, "")).toBe("א".repeat(160_000))
  })

  it("lines that begin with the same letter, counted or not, or with a number", { timeout }, () => {
    expect(letteredMarks(linesOf(30_000, "b)", "Words")).size).toBe(0)
    expect(repeatedMarks(linesOf(50_000, "q", "Words")).size).toBe(50_000)
    expect(hangingNumbers(linesOf(50_000, "7", "Words")).size).toBe(0)
  })

  it("words that are printed at one place, of which the dots of leaders stay", { timeout }, () => {
    const letters = upTo(100_000, (order) =>
      word(String.fromCharCode(0x4e00 + (order % 9)), 50, 12, { order }),
    )
    removeCopies(letters)
    expect(letters.length).toBeLessThan(100_000)
    const long = upTo(2_000, (order) => word(`${"a".repeat(1_999)}${order % 10}`, 50, 12, { order }))
    removeCopies(long)
    expect(long.map(({ text }) => text.at(-1)).sort()).toEqual([..."0123456789"])
    const dots = upTo(10, (order) => word(".", 50, 12, { order }))
    removeCopies(dots)
    expect(dots).toHaveLength(10)
  })

  it("a word of dots in a paragraph", { timeout }, () => {
    const dots = word(`${".".repeat(300_000)}x`, 50, 12)
    const region = {
      segments: segmentsOf(inOrder([dots, word("below", 50, 24)])),
      left: 50,
      right: 2_000_000,
    }
    expect(blocksOf(region, false, undefined)).toHaveLength(1)
  })

  it("rows that seem to begin a table: four times as many are looked at about four times as often", () => {
    const spaced = (line: string, left: number, baseline: number) => {
      const parts = line.split(" ")
      return parts.map((part, at) => word(part, left + 6 * parts.slice(0, at).join(" ").length + 3, baseline))
    }
    const looksAt = (count: number): number => {
      const words = upTo(count, (index) => [
        ...spaced(index % 11 === 0 ? "Left side of it goes on" : "these are words of a text", 50, 12 * index),
        ...(index % 11 === 0 ? spaced("and right side of it here", 300, 12 * index) : []),
      ])
      let looks = 0
      const rows = new Proxy(rowsOf(segmentsOf(inOrder(words.flat()))), {
        get: (target, key) => {
          looks++
          return Reflect.get(target, key)
        },
      })
      const tableAt = tablesIn(rows)
      for (let index = 0; index < count; index++) expect(tableAt(index)).toBeUndefined()
      return looks
    }
    expect(looksAt(2_000)).toBeLessThan(6 * looksAt(500))
  })

  it("rows of cells that are written one by one and make no table, and cells of one row", { timeout }, () => {
    const count = 60_000
    const twoColumns = upTo(count, (row) => [word("row", 72, 14 * row), word("text", 200, 14 * row)])
    expect(textTables(inOrder(twoColumns.flat()), [])).toEqual([])
    const oneRow = upTo(count, (column) => word("cell", 40 * column, 700))
    expect(textTables(inOrder(oneRow), [])).toEqual([])
    const paragraphs = upTo(count, (line) => word("text", 200, 700 + 25 * line))
    expect(textTables(inOrder([word("row", 72, 700), ...paragraphs]), [])).toEqual([])
    const rules = upTo(count, (at): Rule => ({ at: at / 1000, from: 0, to: 1 }))
    expect(textTables(inOrder(upTo(500, (row) => word("row", 72, 14 * row))), rules)).toEqual([])
  })

  it("tables inside of one another, of which none has the words of another", { timeout }, () => {
    const count = 300
    const frames = upTo(count, (index) => 10 * index)
    const rule = (at: number, from: number, to: number): Rule => ({ at, from, to })
    const end = 10 * (2 * count + 40)
    const horizontal = frames.flatMap((at) => [rule(at, at, end - at), rule(end - at, at, end - at)])
    const vertical = frames.flatMap((at) => [
      rule(at, at, end - at),
      ...upTo(9, (column) => rule(at + 0.9 * (column + 1), at, end - at)),
      rule(end - at, at, end - at),
    ])
    const words = upTo(8_000, (index) =>
      word("a", (index % 90) * (end / 90), Math.floor(index / 90) * (end / 90)),
    )
    const tables = gridTables(words, ruling({ horizontal, vertical: vertical.slice(0, 1_500) }))
    const told = tables.flatMap((table) => [...table.words])
    expect(new Set(told).size).toBe(told.length)
  })

  it("what stands beside a cell of many lines in columns is written once", () => {
    const rows = upTo(61, (row) => 1_300 + 20 * row)
    const horizontal = [0, ...rows].map((at) => rule(at, 0, 500))
    const sides = upTo(6, (index) => 100 * index)
    const vertical = [
      ...[0, 100, 500].map((at) => rule(at, 0, 1_300)),
      ...sides.map((at) => rule(at, 1_300, 2_500)),
    ]
    const beside = upTo(8, (line) => word("b".repeat(50), 5, 20 + 12 * line, { right: 90 }))
    const lines = upTo(100, (line) => sides.slice(1, 5).map((left) => word("a", left + 20, 20 + 12 * line)))
    const below = rows
      .slice(0, 60)
      .map((top) => sides.slice(0, 5).map((left) => word("c", left + 20, top + 12)))
    const words = inOrder([...beside, ...lines.flat(), ...below.flat()])
    const tables = gridTables(words, ruling({ horizontal, vertical }))
    const told = tables.flatMap(({ cells }) => cells.flat(2).map(({ text }) => text))
    expect(tables[0]?.cells).toHaveLength(160)
    expect(told.join("").match(/b/g)).toHaveLength(400)
  })

  it("values in more columns than a table has", { timeout }, () => {
    const horizontal = [0, 160].map((at) => rule(at, 0, 4_000_200))
    const vertical = [0, 100, 4_000_200].map((at) => rule(at, 0, 160))
    const values = upTo(8, (line) =>
      upTo(100_000, (index) => word("1K", 120 + 40 * index, 12 + 12 * line, { right: 130 + 40 * index })),
    )
    const tables = gridTables(
      inOrder([word("b", 20, 20), ...values.flat()]),
      ruling({ horizontal, vertical }),
    )
    expect(tables).toEqual([])
  })

  it("frames, and words in and beside them", { timeout }, () => {
    const side = (at: number, from: number, to: number): Rule => ({ at, from, to })
    const horizontal = upTo(150, (index) => [0, 30].map((height) => side(40 * index + height, 0, 100))).flat()
    const vertical = upTo(150, (index) => [0, 100].map((at) => side(at, 40 * index, 40 * index + 30))).flat()
    expect(framesOf(ruling({ horizontal, vertical }))).toEqual([])
    const frames = framesOf(ruling({ horizontal: horizontal.slice(0, 48), vertical: vertical.slice(0, 48) }))
    expect(frames).toHaveLength(24)
    const words = inOrder(upTo(100_000, (index) => word("a", 10 * (index % 20), index / 64)))
    const parts = partsByFrames(words, [], frames)
    expect(parts.reduce((sum, part) => sum + part.words.length, 0)).toBe(100_000)
  })

  it("a name with signs within, in a line from right to left", { timeout }, () => {
    const arabic = upTo(60_000, () => word("\u0633", 5_000_000, 12))
    const parts = upTo(100_000, (index) => word(index % 2 === 0 ? "a" : "-", 4_000_000 - 6 * index, 12))
    const words = [...inOrder([...arabic, ...parts])]
    joinFromTheRight(words)
    expect(words.reduce((sum, { text }) => sum + text.length, 0)).toBe(160_000)
    expect(words.reduce((most, { text }) => Math.max(most, text.length), 0)).toBeLessThan(2_010)
  })

  it("words of code on one line", { timeout }, () => {
    const row = rowsOf(
      segmentsOf(inOrder(upTo(30_000, (index) => word("ab", 20 * index, 12, { mono: true })))),
    )
    expect(codeLines(row).lines[0]).toMatch(/^ab( +ab){29999}$/)
  })

  it("words of a row above columns, of notes in a margin, and lines beside pictures", { timeout }, () => {
    const [row] = rowsOf(segmentsOf(inOrder(upTo(60_000, (index) => word("ab", 14 * index, 12)))))
    const columns = upTo(90, (index) => ({ left: 1_000 * index, right: 1_000 * index + 500 }))
    expect(row?.segments.map(({ words }) => words.length)).toEqual([60_000])
    expect(row && headInColumns(row, columns)).toBeUndefined()
    const text = upTo(80_000, (index) => word("text", 200 + 30 * (index % 8), 14 * Math.floor(index / 8)))
    const notes = upTo(40_000, (index) =>
      word("note", 30 + 30 * (index % 4), 8 * Math.floor(index / 4), { size: 7 }),
    )
    expect(marginNotes([...text, ...notes])).toHaveLength(40_000)
    const small = upTo(40_000, (index) =>
      word("note", 900 + 30 * (index % 4), 28 * Math.floor(index / 4), { size: 7 }),
    )
    expect(
      notesAtRight([
        ...text,
        ...text.map((each) => ({ ...each, baseline: each.baseline + 140_000 })),
        ...small,
      ]).length,
    ).toBeGreaterThan(0)
    const pictures = upTo(200, (index) => ({ left: 300, right: 500, top: 5 * index, bottom: 240_000 }))
    expect(rightsBeside(linesOf(20_000, "a", "b", "c"), { left: 50, right: 500, pictures }).size).toBe(20_000)
  })

  it("letters of Korean, and hyphens, before the ends of lines", { timeout }, () => {
    const korean = `${"가".repeat(150_000)} 가${lineEndWrap}나 ${"가".repeat(150_000)}`
    expect(new Hyphens(() => [korean]).resolved(korean)).toBe(korean.replace(lineEndWrap, " "))
    const lines = upTo(300_000, (index) => ({ words: [word("a-", 50, 12 * index)] }))
    expect(textOf(joinWords(lines))).toBe(`${`a${lineEndHyphen}`.repeat(299_999)}a-`)
  })

  it("texts that go on and on in the next column", { timeout }, () => {
    const blocks: Array<Block> = []
    for (let index = 0; index < 60_000; index++) addBlocks(blocks, [textBlock("word of it that goes on")])
    expect(blocks.length).toBeGreaterThan(1)
    expect(blocks.map((block) => (block.kind === "text" ? block.text : "")).join(" ")).toHaveLength(
      60_000 * 24 - 1,
    )
  })

  it("rows of a table that goes on and on in the next column", { timeout }, () => {
    const row = [[{ text: "Words", link: "" }], [{ text: "Values", link: "" }]]
    const blocks: Array<Block> = [{ kind: "table", sides: [50, 300, 600], rows: [row], size: 10 }]
    const parts = [50, 300].map((left) => ({ left, right: left + 100, spans: [{ text: "Words", link: "" }] }))
    for (let index = 0; index < 100_000; index++) addBlocks(blocks, [textBlock("Words Words", { parts })])
    expect(blocks).toMatchObject([{ rows: { length: 100_001 } }])
  })

  it("a sentence that goes on past a table each time", { timeout }, () => {
    const place = { indent: 0, textIndent: 0, isFlush: true, room: 0, wordWidth: 30, beginsBold: false }
    const text = (index: number): Block =>
      textBlock("words of a sentence that is not over at the end of its column and", { place, page: index })
    const table: Block = { kind: "table", sides: [50, 300], rows: [], size: 10 }
    const blocks = upTo(100_000, (index) => (index % 2 === 0 ? text(index) : table))
    expect(pastFigures(blocks).length).toBeGreaterThan(50_000)
  })

  it("drawings beside one another with many words, and many captions", { timeout }, () => {
    const drawn = upTo(100_000, (index) => ({
      ...word("Words", 50 + (index % 10), 12 * index),
      drawing: index % 199,
    }))
    const captions = upTo(20_000, (index) => [
      word("Figure", 300, 60 * index),
      word(`${index}`, 340, 60 * index),
    ]).flat()
    const text = upTo(50_000, (index) => word("text", 500, 60 * index))
    expect(figuresIn(inOrder([...drawn, ...captions, ...text]))).toHaveLength(0)
  })

  it("a sign beside each of many lines", { timeout }, () => {
    const lines = upTo(100_000, (index) => word(index % 9_000 === 0 ? "TIP" : "Words", 50, 12 * index))
    expect(withSignsBeside(inOrder(lines))).toHaveLength(100_000)
  })

  it("bookmarks, and blocks that are not among them", { timeout }, () => {
    const bookmarks = upTo(5_000, (index) => ({ title: `title${index}`, level: 1 }))
    const blocks = upTo(80_000, (index) => textBlock(`Words ${index}`))
    expect(withHeadings([...blocks, textBlock("Title 7")], bookmarks).at(-1)).toMatchObject({ level: 1 })
  })

  it("lines that are set wide, as many as a page may have letters", { timeout }, () => {
    const close = upTo(400_000, (index) => ({ baseline: 11 * index, size: 10, segments: [] }))
    const wide = upTo(200_000, (index) => ({ baseline: 4_400_000 + 20 * index, size: 10, segments: [] }))
    expect(wideLeadingOfPage([...close, ...wide])).toBe(0)
  })

  it("accents that stand over no letter", { timeout }, () => {
    const page = {
      count: 500_000,
      codeAt: (index: number) => (index % 2 === 0 ? 0xb4 : 0x65),
      extentAt: (index: number) => ({ left: 10 * index, right: 10 * index + 1, baseline: 0 }),
    }
    expect(movedAccents(page).letters.size).toBe(0)
    const codes = [0xb4, 0x11_0000, -1, 0xd800]
    const damaged = { ...page, count: 4, codeAt: (index: number) => codes[index] ?? 0 }
    expect(movedAccents(damaged).letters.size).toBe(0)
  })

  it("short lines on the baseline of many words", { timeout }, () => {
    const words = inOrder(upTo(20_000, (index) => word("w", 9 * index, 100)))
    const dash = (index: number) => ({
      left: 9 * index + 6.2,
      right: 9 * index + 8.8,
      top: 99.9,
      bottom: 100,
    })
    const joined = (count: number, at = dash) =>
      withUnderscores(words, { horizontal: [], dashes: upTo(count, at) })
    expect(joined(200_000)).toHaveLength(20_000)
    expect(joined(90)).toHaveLength(20_000 - 90)
    // Those in one gap are no name, and a name has an end.
    expect(joined(150, () => dash(0))).toHaveLength(20_000)
    const rows = inOrder(
      upTo(20_000, (index) => word("w", 9 * (index % 100), 100 + 20 * Math.floor(index / 100))),
    )
    const below = upTo(20_000, (index) => {
      const at = 100 + 20 * Math.floor(index / 100)
      return { ...dash(index % 100), top: at - 0.1, bottom: at }
    })
    const names = withUnderscores(rows, { horizontal: [], dashes: below })
    expect(Math.max(...names.map(({ text }) => text.length))).toBeLessThan(2_010)
  })

  it("lines of fractions beside one another, within one another and in one place", { timeout }, () => {
    const shown = (words: ReadonlyArray<Word>, horizontal: ReadonlyArray<Rule>): ReadonlyArray<Word> =>
      withFractions(inOrder(words), ruling({ horizontal, vertical: upTo(20_000, () => rule(0, 0, 1)) })).words
    const parts = (left: number, top: number) => [word("a", left, top - 4), word("b", left, top + 9)]
    const lettersOf = (words: ReadonlyArray<Word>): number => words.map(({ text }) => text).join("").length
    const many = upTo(450, (index) => ({
      left: 100 + 15 * (index % 30),
      top: 100 + 60 * Math.floor(index / 30),
    }))
    const texts = upTo(20_000, (index) =>
      word("word", 600 + 30 * (index % 20), 100 + 12 * Math.floor(index / 20)),
    )
    const beside = [
      ...many.flatMap(({ left, top }) => [
        ...(left === 100 ? [word("=", 90, top + 2.5)] : []),
        ...parts(left, top),
      ]),
      ...texts,
    ]
    const found = shown(
      beside,
      many.map(({ left, top }) => rule(top, left, left + 6)),
    )
    expect(found.filter(({ text }) => text === "a/b")).toHaveLength(450)
    // Each word is written once.
    const within = [word("√", 50, 100), word("=", 60, 102), ...parts(100, 100)]
    const nested = shown(
      within,
      upTo(450, (index) => rule(100 - index / 50, 100 - index / 100, 106)),
    )
    expect(lettersOf(nested)).toBeLessThan(2_000)
    const place = upTo(390, (index) => word("a", 100 + (index % 7), 90 + (index % 30)))
    expect(
      shown(
        place,
        upTo(500, () => rule(100, 100, 112)),
      ).length,
    ).toBeLessThanOrEqual(390)
    const lines = upTo(30_000, (index) => rule(index, 100, 106))
    expect(shown(beside, lines)).toHaveLength(beside.length)
  })

  it("titles in a font of their own", { timeout }, () => {
    const paragraph = textBlock(`${"These are words. ".repeat(20)}End.`, { lines: 3 })
    const titles = upTo(40_000, (index) => [textBlock(`Title ${index}`, { family: "times" }), paragraph])
    expect(written(titles.flat()).match(/^# Title /gm)).toHaveLength(40_000)
  })

  it("items that are each further in than the last", { timeout }, () => {
    const items = upTo(20_000, (index) => textBlock("Words", { item: "bullet", left: 6 * index }))
    expect(written(items).length).toBeLessThan(20_000 * 30)
  })

  it("texts that go on and on below the text of an item", { timeout }, () => {
    const place = { indent: 0, textIndent: 18, isFlush: true, room: 400, wordWidth: 6, beginsBold: false }
    const item = textBlock("Item", { item: "bullet", left: 32, place })
    const texts = upTo(400_000, () => textBlock("w", { place: { ...place, indent: 18 } }))
    expect(written([item, ...texts]).match(/^ {2}w/gm)).toHaveLength(400_000)
  })

  it("words of a line, and boxes and bullets behind them", { timeout }, () => {
    const words = inOrder(upTo(160_000, (index) => word("w", 10 * index, 12)))
    const places = upTo(5_000, (index) => area(1_600_010 + 30 * index, 6, 5))
    expect(withMarks(words, places)).toBe(words)
    const boxes = upTo(2_000, (index) => ({ ...area(1_600_200 + 30 * index, 4, 9), isTicked: false }))
    expect(withTickBoxes(words, boxes)).toBe(words)
  })

  it("fields of a form, and words in none of them", { timeout }, () => {
    const words = inOrder(upTo(160_000, (index) => word("w", 10 * (index % 100), 12 * (index / 100))))
    const text = { layers: [{ words: [...words], cos: 1, sin: 0 }], lost: 0 }
    const fields = upTo(2_000, (index) => ({
      left: 0,
      right: 9,
      bottom: 10 * index,
      top: 10 * index + 9,
      lines: ["a"],
    }))
    expect(withFields(text, fields).layers).toHaveLength(1)
  })

  it("letters that are each all of their font, before lines", { timeout }, () => {
    const fonts = new Map()
    const words = upTo(30_000, (index) => {
      const own = fontOf(`F${index}`, fonts)
      return upTo(3, (at) => word("a", 50, 12 * (3 * index + at), { font: own }))
    }).flat()
    nameLetterBullets([...words, ...upTo(1_000, (index) => word("lamp", 70, 12 * index))])
    expect(words.filter(({ text }) => text === "•").length).toBeLessThan(1_000)
  })

  it("two columns of lines, none of which stand beside one another", { timeout }, () => {
    const lines = upTo(40_000, (index) =>
      word("a line of four", index % 2 === 0 ? 50 : 400, 12 * index, { size: index % 2 === 0 ? 10 : 6 }),
    )
    expect(regionsOf(segmentsOf(inOrder(lines)), true).length).toBeGreaterThan(0)
  })

  it("cells of two lines each, beside one another", { timeout }, () => {
    const cells = upTo(2, (column) =>
      upTo(60_000, (index) =>
        [0, 11].map((down) => word("of two", 50 + 200 * column, 40 * index + down)),
      ).flat(),
    )
    const rows = rowsOfCells(piecesOf(inOrder(cells.flat()), [200]), false, false)
    expect(rows.length).toBeGreaterThan(0)
  })

  it("labels in the middle of cells, and words that their cells have no room for", { timeout }, () => {
    const rows = upTo(40_000, (row) => [
      word("label", 50, 60 * row + 11),
      ...upTo(3, (index) => word("of a text", 250, 60 * row + 11 * index)),
    ]).flat()
    expect(rowsOfCells(piecesOf(inOrder(rows), [200]), false, false)).toHaveLength(40_000)
    const cut = `${`Commercia${lineEndWrap}l `.repeat(60_000)}${"a".repeat(150_000)} commercial`
    expect(new Hyphens(() => [cut]).resolved(cut)).toBe(cut.replaceAll(lineEndWrap, ""))
  })

  it("a cell whose lines go on and on", { timeout }, () => {
    const cell = upTo(150_000, (index) => word("on", 50, 11 * index))
    const rows = rowsOfCells(piecesOf(inOrder([...cell, word("beside", 250, 5)]), [200]), false, false)
    expect(rows.flat().length).toBeGreaterThan(100_000)
  })

  it("rows that are each the rest of the text above", { timeout }, () => {
    const rows = upTo(150_000, (at) => [
      { column: 1, baseline: 12 * at, size: 10, words: upTo(4, (x) => word("on", 20 * x, 12 * at)) },
    ])
    expect(withWrappedTexts(rows)).toHaveLength(1)
  })

  it("lines of a cell that stand now closer, now further apart", { timeout }, () => {
    const cell = upTo(200_000, (index) => word("on", 50, 11 * index + (index % 2)))
    const rows = rowsOfCells(piecesOf(inOrder([...cell, word("beside", 250, 5)]), [200]), false, false)
    expect(rows.flat().length).toBeGreaterThan(100_000)
  })

  it("lines below some of as many columns, with the sign of a currency", { timeout }, () => {
    const wide = upTo(3, (line) => upTo(10_000, (index) => word("$", 20 * index, 12 * line)))
    const below = upTo(200_000, (line) => [word("a", 0, 12 * line + 48)])
    expect(edgesOf([...wide, ...below])).toHaveLength(9_999)
  })

  it("words in as many columns", { timeout }, () => {
    const words = upTo(4, (line) => upTo(150_000, (index) => word("a", 20 * index, 12 * line)))
    const edges = upTo(149_999, (index) => 20 * index + 13)
    expect(piecesOf(inOrder(words.flat()), edges)).toHaveLength(600_000)
  })

  it("words of a head over as many columns", { timeout }, () => {
    const columns = upTo(20_000, (index) => ({ left: 20 * index, right: 20 * index + 6 }))
    const words = upTo(12, (line) => columns.map(({ left }) => word("a", left, 12 * line)))
    expect(headRows(inOrder(words.flat()), columns)).toBeUndefined()
  })

  it("a long text of a head over some columns is written once", () => {
    const columns = upTo(4, (index) => ({ left: 100 * index, right: 100 * index + 60 }))
    const below = columns.map(({ left }) => word("under", left, 24))
    const cellsOver = (name: string) => {
      const heads = [0, 200].map((left) => word(name, left + 10, 0, { right: left + 150 }))
      return headRows(inOrder([...heads, ...below]), columns)?.[0]?.map(({ column }) => column)
    }
    expect(cellsOver("a".repeat(256))).toEqual([0, 1, 2, 3])
    expect(cellsOver("a".repeat(257))).toEqual([0, 2])
  })

  it("characters of an address, or stops, at the end of a line", { timeout }, () => {
    const stops = `${".".repeat(300_000)}y`
    const lines = [`${"/".repeat(300_000)}x`, stops].map((each) => ({ words: [word(each, 50, 12)] }))
    expect(textOf(joinWords(lines)).length).toBeGreaterThan(600_000)
    const linked = ["https://", stops].map((each) => ({ words: [word(each, 50, 12, { link: "https://" })] }))
    expect(textOf(joinWords(linked)).length).toBeGreaterThan(300_000)
  })

  it("cells between those of the line above", { timeout }, () => {
    const line = (shift: number, baseline: number) =>
      upTo(100_000, (index) => word("o", 20 * index + shift, baseline))
    expect(edgesOf([line(0, 12), line(10, 18)])).toEqual([])
  })
})

describe("how much a crafted PDF asks for does not matter", () => {
  const many = (lines: number): ReadonlyArray<Word> =>
    inOrder(
      upTo(lines, (index) =>
        upTo(100, (at) => word("a", 50 + at + (at < 50 ? 0 : 50), 2 * index, { size: 1.5 })),
      ).flat(),
    )

  it("words between the lines of a table", { timeout }, () => {
    const words = many(1_400).map((each) => ({ ...each, right: each.left + 0.5 }))
    const horizontal = upTo(6, (index) => rule(index * 560 - 0.7, 40, 300))
    expect(ruledTables(words, ruling({ horizontal }), []).length).toBeLessThan(2)
  })

  it("words in one cell that stands sideways", { timeout }, () => {
    const table = { ...area(0, 0, 1_000_000), sides: [0, 1_000_000], cells: [], words: new Set<Word>() }
    const line = inOrder(upTo(140_000, (index) => word("a", 6 * index - 840_000, 100)))
    expect(sidewaysIn({ words: [...line], cos: 0, sin: 1 }, [table], 0).words.length).toBeLessThan(2)
  })

  it("colours behind lines of code and behind nothing", { timeout }, () => {
    const words = inOrder(upTo(300_000, (index) => word("w", 10, 12 * index, { mono: index > 0 })))
    const fills = upTo(300_000, (index) => ({
      left: 9,
      right: 90,
      top: 12 * index - 9,
      bottom: 12 * index + 2,
    }))
    expect(ruledTables(words, ruling({ fills }), [])).toEqual([])
  })

  it("signs below one another, and labels beside others like them", { timeout }, () => {
    const count = 50_000
    const signs = upTo(count, (index) => word(")", 50 + 40 * (index % 2), 12 * index, { order: index }))
    expect(regionsOf(segmentsOf(signs), true).length).toBeLessThan(10)
    const labels = upTo(count, (index) =>
      word(index % 50 === 0 ? "By:" : "Name", 50 + 100 * (index % 2), 12 * (index >> 1), { order: index }),
    )
    expect(regionsOf(segmentsOf(labels), true).length).toBeLessThan(count)
  })

  it("tables beside words that are in none of them", { timeout }, () => {
    const beside = upTo(150_000, (index) =>
      word("w", 2_000 + 10 * (index % 100), 12 * Math.floor(index / 100)),
    )
    const inside = upTo(300, (index) =>
      [15, 35].flatMap((down) => [
        word("Name", 30, 60 * index + down),
        word("Value", 120, 60 * index + down),
      ]),
    )
    const horizontal = upTo(300, (index) =>
      [0, 20, 40].map((down) => rule(60 * index + down, 20, 200 + 5 * index)),
    )
    const tables = ruledTables(
      inOrder([...beside, ...inside.flat()]),
      ruling({ horizontal: horizontal.flat() }),
      [],
    )
    expect(tables.length).toBeGreaterThan(10)
  })

  it("numbers at the ends of pages that may count these", { timeout }, () => {
    const numbersInPlace = new NumbersInPlace()
    const pageOf = (page: number) => {
      const numbers = upTo(30_000, (index) =>
        word(`${index % 10_000}`, 10 * (index % 300), 5 + (index % 7), { order: 2 * index }),
      )
      const words = [...numbers, word(`text ${page}`, 50, 400, { order: 70_000 })]
      const digest = `${page}`
      const nothing = { aside: [], tagged: new Set<Word>() }
      return { ...nothing, words, size: 10, digest, top: 0, bottom: 800, isOnly: false }
    }
    for (const first of [0, 8, 16])
      expect(
        numbersInPlace.find(
          upTo(8, (index) => pageOf(first + index)),
          first,
        ),
      ).toEqual([])
  })

  it("entries of contents that begin with a number without an end", { timeout }, () => {
    const entry = lineOfWords([word(`${"1".repeat(400_000)}....5`, 0, 0)]).words
    expect(areContents([entry, entry, entry])).toBe(true)
  })

  it("titles that begin an item whose text goes on further out, line by line", { timeout }, () => {
    const first = [word("1)", 20, 0), word("Quays", 40, 0, { bold: true })]
    const rest = upTo(100_000, (index) => word("are", 80 + index, 0))
    const below = upTo(100_000, (index) => word("Walls", 0, 12 * (index + 1), { right: 100_080 }))
    const region = { segments: segmentsOf(inOrder([...first, ...rest, ...below])), left: 0, right: 100_090 }
    const [block] = blocksOf(region, false, undefined)
    expect(block).toMatchObject({ runIn: { title: { text: "Quays", bold: true } } })
  })

  it("columns that stand no further apart than words", { timeout }, () => {
    const beginsApart = true
    const cells = (index: number): ReadonlyArray<Word> =>
      upTo(index % 60 === 59 ? 150 : 20, (at) =>
        word(`${index} ${at}`, 30 * at, 12 * index, { right: 30 * at + 27, beginsApart }),
      )
    const blocksIn = (words: ReadonlyArray<Word>): ReadonlyArray<Block> =>
      blocksOf({ segments: segmentsOf(inOrder(words)), left: 0, right: 5_000 }, false, undefined)
    const tables = blocksIn(upTo(10_000, cells).flat())
    expect(tables.filter(({ kind }) => kind === "table").length).toBeGreaterThan(100)
    const ragged = upTo(20_000, (index) => [
      word("a", 0, 12 * index),
      word("b", 8 + (index % 8), 12 * index, { beginsApart }),
    ])
    expect(blocksIn(ragged.flat()).some(({ kind }) => kind === "table")).toBe(false)
    // As many cells as characters that a page may have.
    const pairs = upTo(convertLimits.pdf_page_characters_max / 2, (index) => [
      word("ab"[index % 2] ?? "", 0, 12 * index, { right: 5 }),
      word("c", 8, 12 * index, { right: 13, beginsApart }),
    ])
    const found = narrowColumns(rowsOf(segmentsOf(pairs.flat())), 0, () => false)
    expect(found?.edges).toHaveLength(1)
  })

  const drawing: Drawing = {
    strokes: upTo(20_000, (index) => ({ isHorizontal: true, at: 2 * index, from: 0, to: 100 })),
    fills: [],
    marks: [],
    boxes: [],
    dashes: [],
    pictures: [],
    grounds: [],
  }

  it("stamps over boxes: with more of them than a form has, none is looked for", { timeout }, () => {
    const stamps = upTo(100_000, (index) => ({ left: 0, right: 9, bottom: index, top: index + 9 }))
    const layer: Layer = { words: upTo(100_000, (index) => word("☐", 500, index)), cos: 1, sin: 0 }
    const boxes = upTo(100_000, (index) => ({
      left: 500,
      right: 509,
      bottom: index,
      top: index + 9,
      isTicked: false,
    }))
    expect(withStampedTicks([layer], stamps)).toEqual([layer])
    expect(withStampedBoxes({ ...drawing, boxes }, stamps).boxes).toBe(boxes)
  })

  it("signs in the gaps of a line, dots behind its words, and numbers before lines of code", {
    timeout,
  }, () => {
    const spaced = upTo(60_000, (index) => word("a", 30 * index, 0))
    const signs = upTo(60_000, (index) => word("(", 30 * index + 12, 0))
    expect(segmentsOf(inOrder([...spaced, ...signs])).length).toBeGreaterThan(0)
    expect(rowsOf(segmentsOf(inOrder([...spaced, ...signs])))).toHaveLength(1)
    expect(fromLeftToRight(inOrder([...spaced, ...signs]))[1]?.text).toBe("(")
    const dots = upTo(200_000, (index) => word(".", 2 * index, 0, { right: 2 * index + 1 }))
    expect(withoutCoveredDots(inOrder([...dots, ...spaced]))).toHaveLength(spaced.length)
    const code = upTo(60_000, (index) => [
      word(`${(index % 9_000) + 1}`, 10, 12 * index, { size: 5, right: 20 }),
      word("a", 40, 12 * index, { mono: true }),
    ]).flat()
    expect(withoutListingNumbers(inOrder(code))).toHaveLength(60_000)
  })

  it("cells with a colour, beside one another and below heads", { timeout }, () => {
    const cell = (column: number, row: number, width = 20) => ({
      left: 20 * column,
      right: 20 * column + width,
      top: 20 * row,
      bottom: 20 * row + 20,
    })
    const cells = upTo(800, (index) => cell(index % 40, Math.floor(index / 40)))
    expect(filledGridsIn(cells, [])).toHaveLength(1)
    expect(filledGridsIn([...cells, cell(0, 40)], [])).toHaveLength(0)
    // A head, and rows that have a colour in every other column.
    const rows = upTo(2_000, (row) =>
      upTo(row === 0 ? 90 : 45, (index) => cell(row === 0 ? index : 2 * index, row)),
    ).flat()
    expect(sidesOfFills(rows)).toHaveLength(4_000)
    // One row, whose cells leave room between them.
    expect(sidesOfFills(upTo(150_000, (index) => cell(2 * index, 0)))).toHaveLength(300_000)
  })

  it("algorithms whose lines have more words than a page, and more of them than a page has", {
    timeout,
  }, () => {
    const heights = [100, 112, 124]
    const numbers = (left: number) =>
      heights.map((height, index) => word(`${index + 1}:`, left, height, { right: left + 5 }))
    const long = heights.flatMap((height) =>
      upTo(70_000, (index) =>
        word(index === 0 ? "return" : "x", 20 + index / 100, height, { right: 20 + index / 100 }),
      ),
    )
    expect(algorithmsIn(inOrder([...numbers(10), ...long]))[0]?.words.size).toBe(210_003)
    const many = upTo(600, (index) => numbers(-3 * index)).flat()
    expect(algorithmsIn(inOrder([...many, ...long]))).toHaveLength(0)
  })

  it("shapes of a slide that hold the same text, each many times", { timeout }, () => {
    const tag = (type: string, children: Tag["children"]): Tag => ({
      type,
      alt: "",
      columns: 1,
      rows: 1,
      children,
    })
    const shapes = upTo(300, () =>
      tag("Sect", [
        tag(
          "P",
          upTo(150, () => 1),
        ),
      ]),
    )
    const words = upTo(100_000, (index) => word("a", index % 500, index % 700, { content: 1 }))
    expect(shapesInOrder([tag("Slide", shapes)], words)).toBeUndefined()
  })

  it("titles in a colour that come back, between lines of many sizes", { timeout }, () => {
    const blocks = upTo(200_000, (index) =>
      index % 2 > 0
        ? textBlock("The lamps are lit at dusk, and put out at dawn.", { size: 10 + index, colour: 0 })
        : textBlock("Lamps", { size: 10.5, bold: true, colour: 0xff0000 }),
    )
    expect(colouredIn(blocks, 10).size).toBe(100_000)
  })

  it("arrows before lines of code, lines of algorithms, entries of contents, and lines beside a header", {
    timeout,
  }, () => {
    const arrows = upTo(60_000, (index) => word("↪", 30 * index, 12, { right: 30 * index + 5 }))
    const code = upTo(60_000, (index) => word("a", 30 * index + 10, 12, { mono: true }))
    expect(withBrokenLines(inOrder([...arrows, ...code]))).toHaveLength(60_000)
    const entries = upTo(100_000, (index) =>
      textBlock(`${index} Lamps`, { isEntry: index % 2 > 0, left: index % 2 > 0 ? 90 : 50 }),
    )
    expect(withEntries(entries)).toHaveLength(100_000)
    const steps = upTo(2_000, (index) => [
      word(`${(index % 999) + 1}:`, 10, 12 * index, { right: 25 }),
      ...upTo(40, (at) => word("if", 40 + 20 * at, 12 * index, { size: at === 0 ? 10_000 : 10 })),
    ]).flat()
    expect(algorithmsIn(inOrder(steps)).length).toBeGreaterThan(1)
    const words = upTo(100_000, (index) => word("a", index, 100))
    const header = upTo(100_000, (index) => word("a", index, 50))
    const rules = upTo(20, (index) => rule(52 + index, 200_000, 300_000))
    expect(withoutFurnitureRules(rules, words, header)).toHaveLength(20)
    expect(withoutFurnitureRules([...rules, rule(53, 0, 10)], words, header)).toHaveLength(21)
  })

  it("sizes of headings: where they are more than say anything, none is held against another", {
    timeout,
  }, () => {
    const headings = upTo(100_000, (index) => textBlock(`Lamps ${index}`, { size: 10 + index, page: index }))
    expect(headings.map(levelsBySize(headings)).at(-1)).toBe(1)
  })

  it("rows with the same items beside one another, bars of a table in one word, and white words on many grounds", {
    timeout,
  }, () => {
    const answers = upTo(25_000, (index) => [
      word("•", 0, 11 * index),
      word("Yes", 12, 11 * index),
      word("•", 300, 11 * index),
      word("No", 312, 11 * index),
    ])
    expect(withListsBeside(segmentsOf(answers.flat()))).toHaveLength(1)
    const mono = { mono: true }
    const bars = [
      word("-".repeat(20), 0, 0, mono),
      word("|".repeat(convertLimits.pdf_page_characters_max), 0, 12, mono),
      word("-".repeat(20), 0, 24, mono),
    ]
    expect(withTypedTables(bars, ruling({})).words).toHaveLength(3)
    const words = upTo(convertLimits.pdf_page_characters_max, (index) =>
      word("a", 0, index, { colour: index % 2 === 0 ? 0 : 0xffffff }),
    )
    const grounds = upTo(501, (index) => ({ left: 900, right: 901, bottom: -index, top: 1 - index }))
    const [layer] = withoutWhiteWords([{ words, cos: 1, sin: 0 }], grounds)
    expect(layer?.words).toHaveLength(Math.ceil(words.length / 2))
  })

  it("letters of one line that is set wide", { timeout }, () => {
    const letters = upTo(200_000, (index) => word("amore"[index % 5] ?? "", 10 * index, 12))
    joinLetterspaced(letters)
    expect(letters).toHaveLength(1)
  })

  it("directions of the names on a map: what is drawn is turned for few of them", () => {
    const layers = upTo(100, (degrees): Layer => {
      const angle = (degrees * Math.PI) / 180
      return { words: [word("Street", 50, 12)], cos: Math.cos(angle), sin: Math.sin(angle) }
    })
    const turned = layersOf(layers, drawing, 0).filter(({ ruling: { horizontal } }) => horizontal.length > 0)
    expect(turned.length).toBeLessThan(10)
  })

  it("pages that draw much: few of them are held together", () => {
    let held = 0
    let most = 0
    const forget = () => {
      held = 0
    }
    const outline: Outline = Object.assign(new Map(), { get: forget })
    const layers = [{ words: [word("Street", 50, 12)], cos: 1, sin: 0 }]
    const sides = { turns: 0, top: 0, bottom: 800, lost: 0, isEmpty: false, isCrowded: false, tags: [] }
    const page = () => {
      most = Math.max(most, ++held)
      return { layers, drawing, ...sides }
    }
    readBlocks({ pageCount: 40, outline: () => outline, page }, new MarkdownWriter(1_000_000), new Warnings())
    expect(most).toBeLessThan(20)
  })

  it("letters of an Indian script without a space: words end", { timeout }, async () => {
    const at = (left: number, code: string) => `BT /F 10 Tf 1 0 0 1 ${left} 700 Tm (${code}) Tj ET\n`
    const space = "BT /B 10 Tf 1 0 0 1 60 700 Tm ( ) Tj ET\n"
    const cluster = `/Span << /ActualText <FEFF0915> >> BDC\n${at(62, "a")}${at(63, "a")}EMC\n`
    const letters = upTo(20_000, (index) => at(72 + 9 * index, "a")).join("")
    const markdown = await markdownOf(withCharacters(["क", "ख"], space + cluster + letters))
    const lengths = markdown.split(/\s/).map(({ length }) => length)
    expect(markdown.length).toBeGreaterThan(20_000)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2_000)
  })

  it("fonts that are drawn: those of one face are found in one go", { timeout }, () => {
    const drawn = upTo(30_000, (index) => fontOf(`${index}`, new Map()))
    const faces = new Faces()
    for (const [index, each] of drawn.entries()) {
      const [first = each, before = each] = [drawn[0], drawn[index - 1]]
      faces.join(first, each)
      faces.join(before, each)
      if (index % 2 === 1) faces.part(before, each)
    }
    const found = faces.found().flatMap((pair) => pair.flatMap(({ fonts }) => fonts))
    expect(new Set(found).size).toBe(drawn.length)
  })

  it("directions of the same text on all pages", { timeout }, () => {
    const aside = upTo(359, () => upTo(8, (index) => word("Text 7 of it", 50, 100 * index)))
    const page = {
      words: [word("Text", 50, 12)],
      aside,
      size: 12,
      tagged: new Set<never>(),
      digest: "",
      top: 0,
      bottom: 800,
      isOnly: false,
    }
    expect(
      new Furniture().find(
        upTo(32, (index) => ({ ...page, digest: `${index}` })),
        0,
      ).lines,
    ).toBeLessThan(32 * 359)
  })

  it("words, lines and pictures at places that no page reaches, where numbers have no next one", {
    timeout,
  }, async () => {
    const far = (times: number): string => "1000000 0 0 1000000 0 0 cm ".repeat(times)
    const words = text(0.0001, 0.0001, "a far word", { size: 0.00001 }) + line(0.0001, 0.0001, 0.0002, 0.0001)
    for (const times of [1, 2, 3, 5, 7]) {
      const content = `q ${far(times)}${words}Q q ${far(times)}1 0 0 1 0 0 cm /I Do Q ${text(72, 700, "A near word")}`
      expect(await markdownOf(pdfOf(pages([{ content }], { objects: pictureObject })))).toContain(
        "A near word",
      )
    }
  })
})
