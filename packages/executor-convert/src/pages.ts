/**
 * Pages for other document tools, inside a parsing process: PDFs as pictures, and words that have their places on pages
 * as Markdown.
 */
import type { MarkdownWriter, Warnings } from "@atelier/executor/parsing"
import { emptyDrawing } from "./embedded/pdf/Drawing.ts"
import { fontOf } from "./embedded/pdf/Fonts.ts"
import type { PdfPage } from "./embedded/pdf/PdfDocument.ts"
import { readBlocks } from "./embedded/pdf/readBlocks.ts"
import { writeBlocks } from "./embedded/pdf/writeBlocks.ts"

export type { PdfDocument } from "./embedded/pdf/PdfDocument.ts"
export type { Picture } from "./embedded/pdf/Picture.ts"
export { inspectPdf as openPdf } from "./embedded/pdf.ts"

/** A word in its place. Lengths are points; heights grow downwards. */
export interface PlacedWord {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  /** Size of its font. */
  readonly size: number
  /** A hyphen, which is not part of `text`, stands at the end of the line. */
  readonly hyphenated: boolean
}

/** A page of words in the order of reading. */
export interface PlacedWords {
  /** In points. */
  readonly height: number
  readonly words: ReadonlyArray<PlacedWord>
}

/** Writes pages as the text of a PDF is written: headings, lists, tables and columns by the places of the words. */
export const writePages = (
  pages: ReadonlyArray<PlacedWords>,
  markdown: MarkdownWriter,
  warnings: Warnings,
): void => {
  const page = (index: number): PdfPage | undefined => {
    const found = pages[index]
    return found === undefined ? undefined : pageOf(found)
  }
  const outline = () => new Map()
  const document = { pageCount: pages.length, outline, page }
  writeBlocks(readBlocks(document, markdown, warnings), document.pageCount, markdown)
}

const pageOf = ({ height, words }: PlacedWords): PdfPage => ({
  layers: words.length === 0 ? [] : [{ words: words.map(wordOf), cos: 1, sin: 0 }],
  lost: 0,
  isEmpty: words.length === 0,
  isCrowded: false,
  drawing: emptyDrawing,
  tags: [],
  turns: 0,
  top: 0,
  bottom: height,
})

const unknownFont = fontOf("", new Map())

const wordOf = (word: PlacedWord, order: number): PdfPage["layers"][number]["words"][number] => ({
  ...word,
  order,
  bold: false,
  italic: false,
  font: unknownFont,
  mono: false,
  content: -1,
  link: "",
  spaced: true,
})
