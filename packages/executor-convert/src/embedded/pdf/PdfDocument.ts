import { Refusal } from "@atelier/intake/bytes"
import { convertLimits } from "../../Limits.ts"
import type { Box } from "./Box.ts"
import { extendBlankEmoji } from "./blankEmoji.ts"
import { type Drawing, emptyDrawing, everywhere, readDrawing, type TickBox } from "./Drawing.ts"
import { withoutIcons } from "./iconFonts.ts"
import { readLinks } from "./Links.ts"
import { type Outline, readOutline } from "./Outline.ts"
import { isBroken, type Pdfium, startPdfium } from "./Pdfium.ts"
import { drawPage, type Picture, type PictureSize } from "./Picture.ts"
import { isOfSkia } from "./producer.ts"
import { readStamps, withStampedBoxes, withStampedTicks } from "./stampedTicks.ts"
import { readTags, type Tag } from "./Tags.ts"
import { readTextFields, withFields } from "./TextFields.ts"
import { readTickFields } from "./TickFields.ts"
import { type KnownOfPage, middleOf, mostWordsFirst, type PageText, readWords } from "./Words.ts"
import { hasWhiteWords, withoutWhiteWords } from "./whiteWords.ts"
import { readAnnotations, rectangleBytes, rectangleOf } from "./widgets.ts"

export interface PdfPage extends PageText {
  /** It shows nothing at all: no text, no picture, no drawing. */
  readonly isEmpty: boolean
  readonly drawing: Drawing
  /** What its document says of its structure; nothing where it is not tagged. */
  readonly tags: ReadonlyArray<Tag>
  /** How many quarters of a turn, clockwise, it is shown turned by. */
  readonly turns: number
  /** Heights of its upper and lower side as it is shown, which grow downwards. */
  readonly top: number
  readonly bottom: number
  /** It has too many annotations for any to be read. */
  readonly isCrowded: boolean
}

/** Pages one by one, wherever their words come from. */
export interface PageReader {
  readonly pageCount: number
  /** Its bookmarks. Throws a `Refusal`. */
  readonly outline: () => Outline
  /** The page at `index`, from 0, or undefined if it cannot be read. Throws a `Refusal`. */
  readonly page: (index: number) => PdfPage | undefined
}

export interface PdfDocument extends PageReader {
  /** Files that are attached to it, or 0 where it cannot be told. */
  readonly attachmentCount: number
  readonly scriptCount: number
  /** The same page as it is printed. Throws a `Refusal`. */
  readonly picture: (index: number, size: PictureSize) => Picture | undefined
}

const passwordError = 4
const securityError = 5

/**
 * Opens a PDF; one that is encrypted without a password is opened like any other. Throws a `Refusal`:
 * `file_encrypted`, `file_corrupt`, or `archive_limit_exceeded` where it is too large to be read.
 */
export const openPdf = async (bytes: Uint8Array): Promise<PdfDocument> => {
  const pdfium = await startPdfium()
  return guarded(pdfium, () => {
    const document = pdfium.FPDF_LoadMemDocument(pdfium.copy(bytes), bytes.length, 0)
    if (document === 0) throw notOpened(pdfium)
    const pageCount = pdfium.FPDF_GetPageCount(document)
    if (pageCount < 1) throw new Refusal("file_corrupt", "The PDF has no pages, or they cannot be found.")
    if (pageCount > convertLimits.pdf_pages_max) {
      throw new Refusal(
        "archive_limit_exceeded",
        `The PDF has ${pageCount} pages; at most ${convertLimits.pdf_pages_max} are allowed.`,
      )
    }
    const areShapesHeavy = isOfSkia(pdfium, document)
    return {
      pageCount,
      attachmentCount: Math.max(0, pdfium.FPDFDoc_GetAttachmentCount(document)),
      scriptCount: Math.max(0, pdfium.FPDFDoc_GetJavaScriptActionCount(document)),
      outline: () => guarded(pdfium, () => readOutline(pdfium, document)),
      page: (index) => guarded(pdfium, () => readPage(pdfium, document, index, areShapesHeavy)),
      picture: (index, size) =>
        guarded(pdfium, () => withPage(pdfium, document, index, (page) => drawPage(pdfium, page, size))),
    }
  })
}

/**
 * A document that crashes the reader is treated as corrupt. Once memory was refused, that takes precedence: PDFium then
 * stops, or says that there is no such document or page, as if the file were damaged.
 */
const guarded = <A>(pdfium: Pdfium, read: () => A): A => {
  const ended = attempt(read)
  if (pdfium.isOutOfMemory()) {
    throw new Refusal(
      "archive_limit_exceeded",
      `Reading the PDF takes more than the ${convertLimits.pdf_memory_bytes_max} bytes of memory that are allowed.`,
    )
  }
  if ("value" in ended) return ended.value
  if (!isBroken(ended.thrown)) throw ended.thrown
  throw new Refusal("file_corrupt", "The PDF is damaged so that it cannot be read.")
}

const attempt = <A>(read: () => A): { readonly value: A } | { readonly thrown: unknown } => {
  try {
    return { value: read() }
  } catch (thrown) {
    return { thrown }
  }
}

const notOpened = (pdfium: Pdfium): Refusal => {
  switch (pdfium.FPDF_GetLastError()) {
    case passwordError:
      return new Refusal("file_encrypted", "The PDF is encrypted and opens only with a password.")
    case securityError:
      return new Refusal("file_encrypted", "The PDF is encrypted in a way that is not supported.")
    default:
      return new Refusal("file_corrupt", "The file begins like a PDF but has no structure that can be read.")
  }
}

const readPage = (
  pdfium: Pdfium,
  document: number,
  index: number,
  areShapesHeavy: boolean,
): PdfPage | undefined => {
  pdfium.readFonts()
  const found = withPage(pdfium, document, index, (pointer) => {
    const isCrowded = isCrowdedPage(pdfium, pointer)
    const links = isCrowded ? [] : readLinks(pdfium, document, pointer)
    const tags = readTags(pdfium, pointer)
    const stamps = isCrowded ? [] : readStamps(pdfium, pointer)
    const shown = isCrowded ? [] : readShown(pdfium, pointer)
    const text = textOf(pdfium, pointer, { links, isTagged: tags.length > 0, areShapesHeavy })
    const drawing = readDrawing(pdfium, document, pointer, hasWhiteWords(text.layers))
    return {
      ...text,
      links,
      stamps,
      drawing: withTickFields(
        withStampedBoxes(drawing ?? emptyDrawing, stamps),
        isCrowded ? [] : readTickFields(pdfium, pointer),
      ),
      fields: isCrowded ? [] : readTextFields(pdfium, pointer),
      ...sidesOf(pdfium, pointer),
      tags,
      isEmpty: pdfium.FPDFPage_CountObjects(pointer) < 1,
      isCrowded,
      shown,
      isFlattened: shown.length > 0 && pdfium.FPDFPage_Flatten(pointer, 0) === flattened,
    }
  })
  if (found === undefined) return undefined
  const { fields, isFlattened, shown, links, stamps, ...page } = found
  // Fields that are filled in and notes on the page have become a part of it.
  const whole = isFlattened
    ? withPage(pdfium, document, index, (pointer) =>
        textOf(pdfium, pointer, { links, isTagged: page.tags.length > 0, areShapesHeavy }, true),
      )
    : undefined
  const isMore = whole !== undefined && wordsIn(whole) > wordsIn(page)
  const read: PdfPage = isMore ? { ...page, ...whole, isEmpty: false } : page
  const layers = withoutWhiteWords(read.layers, [...read.drawing.grounds, ...shown])
  const ticked = { ...read, layers: withStampedTicks(layers, stamps) }
  return fields.length === 0 ? ticked : { ...ticked, ...withFields(ticked, fields) }
}

/** A field covers the box that the page draws for it. */
const withTickFields = (drawing: Drawing, fields: ReadonlyArray<TickBox>): Drawing => {
  if (fields.length === 0) return drawing
  const isCovered = ({ left, right, bottom, top }: TickBox): boolean => {
    const [x, y] = [(left + right) / 2, (bottom + top) / 2]
    return fields.some((field) => x > field.left && x < field.right && y > field.bottom && y < field.top)
  }
  const others = drawing.boxes.filter((box) => !isCovered(box))
  return { ...drawing, boxes: [...fields, ...others] }
}

/** The sides of a page; heights grow downwards. */
interface Sides {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const boxOf = (pdfium: Pdfium, page: number): Sides => {
  const scratch = pdfium.malloc(16)
  pdfium.FPDF_GetPageBoundingBox(page, scratch)
  const view = pdfium.view()
  const number = (at: number): number => view.getFloat32(scratch + 4 * at, true)
  const box = { left: number(0), right: number(2), top: -number(1), bottom: -number(3) }
  pdfium.free(scratch)
  return box
}

const sidesOf = (pdfium: Pdfium, page: number): Pick<PdfPage, "turns" | "top" | "bottom"> => {
  const { left, right, top, bottom } = boxOf(pdfium, page)
  const turns = pdfium.FPDFPage_GetRotation(page) & 3
  if (turns === 1) return { turns, top: left, bottom: right }
  if (turns === 2) return { turns, top: -bottom, bottom: -top }
  return turns === 3 ? { turns, top: -right, bottom: -left } : { turns, top, bottom }
}

const flattened = 1

const withPage = <A>(
  pdfium: Pdfium,
  document: number,
  index: number,
  read: (page: number) => A,
): A | undefined => {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (page === 0) return undefined
  const found = read(page)
  pdfium.FPDF_ClosePage(page)
  return found
}

const textOf = (pdfium: Pdfium, page: number, known: KnownOfPage, isFlattened = false): PageText => {
  extendBlankEmoji(pdfium, page)
  const textPage = pdfium.FPDFText_LoadPage(page)
  if (textPage === 0) return { layers: [], lost: 0 }
  const text = withoutIcons(readWords(pdfium, page, textPage, known, isFlattened))
  pdfium.FPDFText_ClosePage(textPage)
  return onPage(text, boxOf(pdfium, page))
}

/** The text without what stands beyond the sides of the page, such as the other half of a spread, unless all of it does. */
const onPage = (text: PageText, { left, right, top, bottom }: Sides): PageText => {
  const layers = text.layers.map(({ words, cos, sin }) => ({
    words: words.filter((word) => {
      const [x, y] = middleOf(word, { cos, sin })
      return x > left - outside && x < right + outside && -y > top - outside && -y < bottom + outside
    }),
    cos,
    sin,
  }))
  const filled = layers.filter(({ words }) => words.length > 0)
  return filled.length === 0 ? text : { ...text, layers: mostWordsFirst(filled) }
}

/** Points: what touches the edge is seen. */
const outside = 2

const wordsIn = ({ layers }: PageText): number => layers.reduce((sum, { words }) => sum + words.length, 0)

const isCrowdedPage = (pdfium: Pdfium, page: number): boolean =>
  pdfium.FPDFPage_GetAnnotCount(page) > convertLimits.pdf_page_annotations_max

/** Kinds of annotations whose text is seen on the page: free text, stamps and the fields of forms. */
const shownAnnotations: ReadonlySet<number> = new Set([3, 13, 20])

const readShown = (pdfium: Pdfium, page: number): ReadonlyArray<Box> =>
  readAnnotations(
    pdfium,
    page,
    shownAnnotations,
    rectangleBytes,
    (annotation, scratch) => rectangleOf(pdfium, annotation, scratch) ?? everywhere,
  )
