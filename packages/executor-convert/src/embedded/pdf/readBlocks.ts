import { createHash } from "node:crypto"
import type { MarkdownWriter, Warnings } from "@atelier/executor/parsing"
import { Refusal } from "@atelier/intake/bytes"
import { convertLimits } from "../../Limits.ts"
import type { Block } from "./Blocks.ts"
import { byReading, median } from "./Cells.ts"
import { withoutCodeMarks } from "./codeWords.ts"
import { type Furnished, Furniture } from "./Furniture.ts"
import { addBlocks } from "./joinBlocks.ts"
import type { Spans } from "./joinWords.ts"
import { marginNotes } from "./marginNotes.ts"
import { notesAtRight } from "./notesAtRight.ts"
import { withHeadings } from "./Outline.ts"
import { blocksIn, layersOf, type PageLayer } from "./Page.ts"
import type { PageReader, PdfPage } from "./PdfDocument.ts"
import { pastFigures } from "./pastFigures.ts"
import { isReadable } from "./Readability.ts"
import { artifact, readmitted, type Tag } from "./Tags.ts"
import { areBelieved, placesOf } from "./tagPlaces.ts"
import type { Role } from "./tagTypes.ts"
import type { Word } from "./Word.ts"

/** Pages are looked at together for what comes back on them, as many as these or this many characters or shapes. */
const pagesTogether = 32
const charactersTogether = 400_000
const shapesTogether = 200_000

/** The blocks of all pages, in their order, each with the number of the page where it begins. Warns of what is left out. Throws a `Refusal`. */
export const readBlocks = (
  document: PageReader,
  { bytesMax }: MarkdownWriter,
  warnings: Warnings,
): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const found: Found = {
    unreadable: [],
    withoutText: [],
    garbled: [],
    lost: 0,
    lines: 0,
    furnished: 0,
    words: 0,
    mono: 0,
    signed: 0,
  }
  const furniture = new Furniture()
  const outline = document.outline()
  const isOnly = document.pageCount === 1
  let characters = 0
  for (let index = 0; index < document.pageCount; ) {
    const pages: Array<ReadPage> = []
    const most = characters + charactersTogether
    let shapes = 0
    while (
      index < document.pageCount &&
      pages.length < pagesTogether &&
      characters < most &&
      shapes < shapesTogether
    ) {
      const page = document.page(index++)
      count(page, index, found, warnings)
      characters += charactersOf(page)
      if (characters > bytesMax) throw tooLarge(bytesMax)
      const read = readOf(page)
      shapes += shapesOf(read)
      pages.push(read)
    }
    countMono(pages, found)
    const first = index - pages.length
    for (const [at, page] of blocksOfPages(pages, first, furniture, found, isOnly).entries()) {
      const number = first + at + 1
      const placed = withHeadings(page, outline.get(first + at)).map((block) => ({ ...block, page: number }))
      addBlocks(blocks, placed)
    }
  }
  if (found.unreadable.length === document.pageCount) {
    throw new Refusal("file_corrupt", "No page of the PDF can be read.")
  }
  warn(found, blocks.length > 0, warnings)
  return pastFigures(isTypewritten(found) ? blocks.map(typewritten) : blocks)
}

/** A block of a typewritten document, in which no words are code. */
const typewritten = (block: Block): Block => {
  const plain = (spans: Spans): Spans =>
    spans.map(({ text, link }) => ({ text: withoutCodeMarks(text), link }))
  if (block.kind === "text") return { ...block, spans: plain(block.spans) }
  return block.kind === "table" ? { ...block, rows: block.rows.map((row) => row.map(plain)) } : block
}

interface ReadPage {
  readonly page: Omit<PdfPage, "drawing"> | undefined
  readonly layers: ReadonlyArray<PageLayer>
}

const readOf = (page: PdfPage | undefined): ReadPage => {
  if (page === undefined) return { page, layers: [] }
  const { drawing, ...kept } = page
  return { page: kept, layers: layersOf(page.layers, drawing, page.turns) }
}

const shapesOf = ({ layers }: ReadPage): number =>
  layers.reduce(
    (sum, { ruling: { horizontal, fills, marks } }) => sum + horizontal.length + fills.length + marks.length,
    0,
  )

/** What is said in warnings; pages by their numbers. */
interface Found {
  readonly unreadable: Array<number>
  readonly withoutText: Array<number>
  readonly garbled: Array<number>
  lost: number
  /** Lines of page furniture, and the pages that had some. */
  lines: number
  furnished: number
  /** Words, and those of them in a font of equal widths. */
  words: number
  mono: number
  /** Of these, those with a sign that code has, and prose hardly. */
  signed: number
}

const count = (page: PdfPage | undefined, number: number, found: Found, warnings: Warnings): void => {
  if (page === undefined) found.unreadable.push(number)
  else if (page.layers.length === 0 && !page.isEmpty) found.withoutText.push(number)
  else if (!isReadable(page)) found.garbled.push(number)
  found.lost += page?.lost ?? 0
  if (page?.isCrowded === true) warnings.add("form_fields_left_out", fieldsLeftOut)
}

const countMono = (pages: ReadonlyArray<ReadPage>, found: Found): void => {
  for (const { page } of pages) {
    for (const { words } of page?.layers ?? []) {
      found.words += words.length
      for (const { mono, text } of words) {
        if (!mono) continue
        found.mono++
        if (signOfCode.test(text)) found.signed++
      }
    }
  }
}

/**
 * A document is typewritten where more than half of its words are in a font of equal widths, unless much stands in
 * another one: the text around its code. Few words are such a text where the others have the signs of code.
 */
const isTypewritten = ({ words, mono, signed }: Found): boolean => {
  if (mono <= monoShareMax * words) return false
  const isCode = signed >= signedMin * mono && words - mono >= fewWordsMin
  return mono > codeShareMax * words || (words - mono < textWordsMin && !isCode)
}

const monoShareMax = 0.5
const codeShareMax = 0.85
const textWordsMin = 100
const signOfCode = /[{}<>=;]/
const signedMin = 0.1
const fewWordsMin = 10

const charactersOf = (page: PdfPage | undefined): number =>
  (page?.layers ?? []).reduce(
    (sum, { words }) => words.reduce((inLayer, { text }) => inLayer + text.length, sum),
    0,
  )

const blocksOfPages = (
  pages: ReadonlyArray<ReadPage>,
  first: number,
  furniture: Furniture,
  found: Found,
  isOnly: boolean,
): ReadonlyArray<ReadonlyArray<Block>> => {
  const furnished = furniture.find(
    pages.map(({ page, layers }) => ({
      words: layers.find(({ isUpright }) => isUpright)?.words ?? [],
      aside: layers.filter(({ isUpright }) => !isUpright).map(({ words }) => words),
      size: median(layers.flatMap(({ allWords }) => allWords.map(({ size }) => size))),
      tagged: taggedIn(page?.tags ?? [], layers),
      digest: digestOf(layers),
      top: page?.top ?? 0,
      bottom: page?.bottom ?? 0,
      isOnly,
    })),
    first,
  )
  // A document that has nothing else has only this to say.
  const isAll =
    first === 0 &&
    pages.every(({ layers }) =>
      layers.every(({ allWords }) => allWords.every((word) => furnished.words.has(word))),
    )
  const { words, aside, lines } = isAll ? unfurnished : furnished
  found.lines += lines
  const hasCode = !isTypewritten(found)
  return pages.map(({ page, layers }) => {
    const tags = page?.tags ?? []
    if (tags.length > 0)
      for (const layer of layers) if (layer.isUpright) readmitArtifacts(layer.allWords, isOnly)
    const marked = tags.length === 0 ? [] : layers.map((layer) => artifactsIn(layer.allWords))
    const leftOut = marked.length === 0 ? words : new Set([...words, ...marked.flat()])
    for (const some of marked) found.lines += byReading(some.filter((word) => !words.has(word))).length
    if (layers.some((layer) => layer.allWords.some((word) => leftOut.has(word)))) found.furnished++
    const [main] = layers
    return layers.flatMap((layer) => {
      const kept = layer.allWords.filter((word) => aside.has(word))
      const rest = (): ReadonlyArray<Word> =>
        layer.allWords.filter((word) => !leftOut.has(word) && !aside.has(word))
      const apart = tags.length === 0 && layer === main ? [...kept, ...notesIn(rest())] : kept
      const out = apart.length === 0 ? leftOut : new Set([...leftOut, ...apart])
      const blocks = [...blocksIn(layer, out, hasCode, layer.isUpright ? tags : [])]
      if (apart.length > 0) {
        const lines = { ...layer, words: apart, allWords: apart, tables: [], figures: [] }
        blocks.push(...blocksIn(lines, leftOut, hasCode, []).map(asNote))
      }
      return layer === main ? blocks : blocks.map(asNote)
    })
  })
}

/** Those in the margins at the sides of the text. */
const notesIn = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const notes = marginNotes(words)
  return notes.length > 0 ? notes : notesAtRight(words)
}

const unfurnished: Furnished = { words: new Set(), aside: new Set(), lines: 0 }

/** Of all words, as their text is too long to be kept. */
const digestOf = (layers: ReadonlyArray<PageLayer>): string => {
  const hash = createHash("sha256")
  for (const { allWords } of layers) for (const { text } of allWords) hash.update(`${text} `)
  return hash.digest("base64")
}

/** Words that the tags of a page, where they are believed, call headings or put in a table: no furniture is among them. */
const taggedIn = (tags: ReadonlyArray<Tag>, layers: ReadonlyArray<PageLayer>): ReadonlySet<Word> => {
  const words = tags.length === 0 ? [] : layers.flatMap(({ allWords }) => allWords)
  const places = placesOf(tags)
  if (!areBelieved(places, words)) return new Set()
  return new Set(words.filter(({ content }) => toldOfText.has(places.get(content))))
}

const toldOfText: ReadonlySet<Role | undefined> = new Set<Role>(["heading", "table"])

/** What stands along the side of a page, such as the stamp of an archive, is no part of its text, which goes on past it. */
const asNote = (block: Block): Block => (block.kind === "text" ? { ...block, isNote: true } : block)

/** With a larger share of the words, what is marked as no part of the text is believed to be one. */
const artifactsMax = 0.5

const artifactsIn = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const marked = words.filter(({ content }) => content === artifact)
  return marked.length > artifactsMax * words.length ? [] : marked
}

/** As a share of the usual size: what is larger is a part of the design. */
const artifactSizeMax = 1.2

/**
 * Within the text, from its first line to its last and between its sides, programs mark parts of it as no part of it,
 * such as what they have filled in: they are text that no tag tells of. So is a header or footer of a document with one
 * page (`isOnly`), which stands nowhere else.
 */
const readmitArtifacts = (words: ReadonlyArray<Word>, isOnly: boolean): void => {
  const text = words.filter(({ content }) => content >= 0)
  if (text.length === 0 || text.length === words.length) return
  const sides = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  const usualSize = median(text.map(({ size }) => size))
  for (const { left, right, baseline } of text) {
    sides.left = Math.min(sides.left, left)
    sides.right = Math.max(sides.right, right)
    sides.top = Math.min(sides.top, baseline)
    sides.bottom = Math.max(sides.bottom, baseline)
  }
  for (const word of words) {
    const isInside =
      word.left >= sides.left - 1 &&
      word.right <= sides.right + 1 &&
      word.baseline > sides.top + word.size &&
      word.baseline < sides.bottom - word.size &&
      word.size <= artifactSizeMax * usualSize
    const isBeyond = word.baseline < sides.top || word.baseline > sides.bottom
    if (word.content === artifact && (isInside || (isOnly && isBeyond))) word.content = readmitted
  }
}

const tooLarge = (bytesMax: number): Refusal =>
  new Refusal(
    "result_too_large",
    `The text of the PDF has more than ${bytesMax} bytes, which are allowed at most.`,
  )

const warn = (found: Found, hasText: boolean, warnings: Warnings): void => {
  const { unreadable, withoutText, garbled, lost, lines, furnished } = found
  if (unreadable.length > 0) {
    warnings.add("pages_unreadable", () => `Pages that cannot be read were left out: ${listed(unreadable)}.`)
  }
  if (garbled.length > 0) {
    warnings.add(
      "text_unreadable",
      () =>
        `The text of these pages is not what they show, because a font does not say which characters its shapes are: ${listed(garbled)}.`,
    )
  }
  if (lost > 0) {
    warnings.add(
      "symbols_left_out",
      () => `Characters that have a meaning in their own font only were left out: ${lost}.`,
    )
  }
  if (withoutText.length > 0 && hasText) {
    warnings.add(
      "pages_without_text",
      () => `Pages without a text layer: ${listed(withoutText)}. Nothing is recognised in pictures.`,
    )
  }
  if (lines > 0) {
    warnings.add(
      "headers_footers_left_out",
      () =>
        `Running headers, footers and page numbers were left out: ${lines} line(s) on ${furnished} page(s).`,
    )
  }
}

const fieldsLeftOut = (pageCount: number): string =>
  `Form fields and notes were left out on pages with more than ${convertLimits.pdf_page_annotations_max} of them: ${pageCount}.`

const listedMax = 20

const listed = (pages: ReadonlyArray<number>): string => {
  const more = pages.length - listedMax
  return pages.slice(0, listedMax).join(", ") + (more > 0 ? ` and ${more} more` : "")
}
