/**
 * The parsing module of scan-md-json. A document is read page by page, each as a job of its own, so that other
 * documents take their turns between its pages; a last job makes the result. What reads PDFs and recognises text is
 * loaded by the first job that needs it.
 */
import {
  type DocumentInput,
  type DocumentOutput,
  MarkdownWriter,
  type ParseInput,
  readDocument,
  Warnings,
  writeResults,
} from "@atelier/executor/parsing"
import type { PdfDocument } from "@atelier/executor-convert/pages"
import { Refusal } from "@atelier/intake/bytes"
import { fewSizes } from "./fontSize.ts"
import { scanLimits } from "./Limits.ts"
import { pictureHead } from "./pictures.ts"
import type { PagePicture } from "./Recognizer.ts"
import { decodePage, encodePage, type ScannedPage, scannedPage } from "./ScannedPage.ts"

/** Checks a PDF as file-md-json does, or the head of a picture. Throws a `Refusal`. */
export const inspect = async (input: DocumentInput): Promise<{ readonly contentType: string }> => {
  const bytes = readDocument(input)
  if (!isPdf(input)) return { contentType: pictureHead(bytes).contentType }
  await openScan(bytes)
  return { contentType: "application/pdf" }
}

const isPdf = ({ filename }: DocumentInput): boolean => filename.toLowerCase().endsWith(".pdf")

const openScan = async (bytes: Uint8Array): Promise<PdfDocument> => {
  const { openPdf } = await import("@atelier/executor-convert/pages")
  const document = await openPdf(bytes)
  if (document.pageCount <= scanLimits.scan_pages_max) return document
  throw new Refusal(
    "archive_limit_exceeded",
    `The PDF has ${document.pageCount} pages; at most ${scanLimits.scan_pages_max} are recognised.`,
  )
}

/** The input of `readPage`; no interface, so that it counts as JSON. */
export type PageInput = DocumentInput & {
  /** From 0. */
  readonly page: number
  readonly languages: ReadonlyArray<string>
  readonly write: (name: "words", bytes: Uint8Array) => void
}

/** Reads one page, and tells how many there are. A page that cannot be drawn has no words. Throws a `Refusal`. */
export const readPage = async (input: PageInput): Promise<{ readonly pages: number }> => {
  const bytes = readDocument(input)
  const { pages, pixelsHigh, scale, picture } = isPdf(input)
    ? await pdfPage(bytes, input.page)
    : picturePage(bytes)
  const { recognize } = await import("./Recognizer.ts")
  const read = picture === undefined ? nothing : await recognize(picture, input.languages)
  if (read === undefined)
    throw new Refusal("file_corrupt", "The picture is damaged so that it cannot be read.")
  input.write("words", encodePage(scannedPage(read, pixelsHigh / scale, scale)))
  return { pages }
}

const nothing = { lines: [], confidence: 0 }

interface DrawnPage {
  readonly pages: number
  readonly pixelsHigh: number
  /** Pixels for each point. */
  readonly scale: number
  readonly picture: PagePicture | undefined
}

const pointsPerInch = 72
/** What Tesseract reads best. */
const dotsPerInch = 300

const pdfPage = async (bytes: Uint8Array, index: number): Promise<DrawnPage> => {
  const document = await openScan(bytes)
  const pages = document.pageCount
  const pixelsMax = Math.min(scanLimits.scan_page_pixels_max, Math.floor(scanLimits.scan_pixels_max / pages))
  const drawn = document.picture(index, { scale: dotsPerInch / pointsPerInch, pixelsMax })
  if (drawn === undefined) return { pages, pixelsHigh: 0, scale: 1, picture: undefined }
  const { width, height, scale, grey } = drawn
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`)
  const picture = { bytes: Buffer.concat([head, grey]), orientation: 1 }
  return { pages, pixelsHigh: height, scale, picture }
}

/** A picture does not tell its size in print: it is taken for a page as long as a sheet of A4. */
const longSidePoints = 842

const picturePage = (bytes: Uint8Array): DrawnPage => {
  const { width, height, orientation } = pictureHead(bytes)
  const scale = Math.max(width, height) / longSidePoints
  const picture = { bytes, orientation }
  // From 5 on, a picture lies on its side.
  return { pages: 1, pixelsHigh: orientation > 4 ? width : height, scale, picture }
}

/** The input of `parse`: the pages that were read come as files, `page0` and so on. */
export type ScanInput = ParseInput & { readonly pageCount: number } & {
  readonly [page: `page${number}`]: Uint8Array
}

/** The text of all pages (document-tools 2.5). Throws a `Refusal`. */
export const parse = async (input: ScanInput): Promise<DocumentOutput> => {
  const { writePages } = await import("@atelier/executor-convert/pages")
  const pages = Array.from({ length: input.pageCount }, (_, index) =>
    decodePage(input[`page${index}`] ?? new Uint8Array()),
  )
  const markdown = new MarkdownWriter(input.resultBytesMax)
  const warnings = new Warnings()
  warnOfConfidence(pages, warnings)
  writePages(withFewSizes(pages), markdown, warnings)
  if (markdown.isEmpty) warnings.add("no_text", () => "No text was recognised.")
  return writeResults(input, {
    markdown,
    structureSource: "scan:tesseract",
    capabilities: { ocr: true },
    warnings: warnings.list,
    inputBytes: input.document.length,
    parts: { pages: markdown.parts },
  })
}

const withFewSizes = (pages: ReadonlyArray<ScannedPage>): ReadonlyArray<ScannedPage> => {
  const letters = new Map<number, number>()
  for (const { words } of pages) {
    for (const { size, text } of words) letters.set(size, (letters.get(size) ?? 0) + text.length)
  }
  const sizeOf = fewSizes(letters)
  return pages.map((page) => ({
    ...page,
    words: page.words.map((word) => ({ ...word, size: sizeOf(word.size) })),
  }))
}

/** Below it a page has mistakes in many of its lines. */
const confidenceLow = 75

const warnOfConfidence = (pages: ReadonlyArray<ScannedPage>, warnings: Warnings): void => {
  const read = pages.flatMap(({ confidence, words }, index) =>
    words.length === 0 ? [] : [{ number: index + 1, confidence }],
  )
  if (read.length > 0) {
    const each = read.map(({ number, confidence }) => `${number}: ${confidence}`).join(", ")
    warnings.add(
      "text_recognized",
      () => `The text was recognised in pictures. Confidence of 100, by page: ${each}.`,
    )
  }
  const low = read.filter(({ confidence }) => confidence < confidenceLow).map(({ number }) => number)
  if (low.length > 0) {
    warnings.add(
      "recognition_uncertain",
      () => `Much of the text of these pages may be wrong: ${low.join(", ")}.`,
    )
  }
  const without = pages.flatMap(({ words }, index) => (words.length === 0 ? [index + 1] : []))
  if (without.length > 0 && read.length > 0) {
    warnings.add("pages_without_text", () => `No text was recognised on these pages: ${without.join(", ")}.`)
  }
}
