import { convertLimits } from "../../Limits.ts"
import type { Block, TextBlock } from "./Blocks.ts"
import { continued, textOf } from "./joinWords.ts"
import type { Pdfium } from "./Pdfium.ts"
import { apartFrom, withMark } from "./runInTitles.ts"

/** A bookmark: a title that should stand on a page. */
export interface Bookmark {
  readonly title: string
  /** From 1. */
  readonly level: number
}

/** The bookmarks of each page, by its index, in their order. */
export type Outline = ReadonlyMap<number, ReadonlyArray<Bookmark>>

const titleBytesMax = 1_024
const depthMax = 32

/** Letters and digits of a paragraph: where as many bookmarks, and such a share of them, have more, they name all texts. */
const paragraphMin = 150
const paragraphsMin = 3
const paragraphsShare = 0.25

/** None where the bookmarks name every paragraph, as some programs make them: they tell no titles. */
export const readOutline = (pdfium: Pdfium, document: number): Outline => {
  const outline = new Map<number, Array<Bookmark>>()
  let [all, paragraphs] = [0, 0]
  const scratch = pdfium.malloc(titleBytesMax)
  let left = convertLimits.pdf_bookmarks_max
  const visit = (parent: number, level: number): void => {
    let bookmark = pdfium.FPDFBookmark_GetFirstChild(document, parent)
    for (; bookmark !== 0 && left > 0; bookmark = pdfium.FPDFBookmark_GetNextSibling(document, bookmark)) {
      left--
      const page = pageOf(pdfium, document, bookmark)
      const title = titleOf(pdfium, bookmark, scratch)
      all++
      if (title === undefined || title.length > paragraphMin) paragraphs++
      if (page >= 0 && title !== undefined && title !== "") {
        const bookmarks = outline.get(page)
        if (bookmarks === undefined) outline.set(page, [{ title, level }])
        else bookmarks.push({ title, level })
      }
      if (level < depthMax) visit(bookmark, level + 1)
    }
  }
  visit(0, 1)
  pdfium.free(scratch)
  const areTexts = paragraphs >= paragraphsMin && paragraphs >= paragraphsShare * all
  return areTexts ? new Map() : outline
}

const pageOf = (pdfium: Pdfium, document: number, bookmark: number): number => {
  const direct = pdfium.FPDFBookmark_GetDest(document, bookmark)
  const action = direct === 0 ? pdfium.FPDFBookmark_GetAction(bookmark) : 0
  const destination = action === 0 ? direct : pdfium.FPDFAction_GetDest(document, action)
  return destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, destination)
}

/** Undefined for one that is longer than any title. */
const titleOf = (pdfium: Pdfium, bookmark: number, scratch: number): string | undefined => {
  const bytes = pdfium.FPDFBookmark_GetTitle(bookmark, scratch, titleBytesMax)
  if (bytes > titleBytesMax) return undefined
  if (bytes <= 2) return ""
  return titleKeyOf(Buffer.from(pdfium.view().buffer, scratch, bytes - 2).toString("utf16le"))
}

/** Letters and digits, however they are spaced: what a title and its bookmark have in common. */
export const titleKeyOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** A number before a title, which may stand in the text, in the bookmark, or in both. */
const withoutNumber = (key: string): string => key.replace(/^\d+/, "")

/** A title over several blocks, such as a number above a name. */
const partsMax = 3
const levelMax = 6

/** The blocks of a page, with those as headings that a bookmark of the page names. */
export const withHeadings = (
  blocks: ReadonlyArray<Block>,
  bookmarks: ReadonlyArray<Bookmark> = [],
): ReadonlyArray<Block> => {
  const open = Map.groupBy(
    bookmarks.filter(({ title }) => /\p{L}/u.test(title)),
    ({ title }) => withoutNumber(title),
  )
  if (open.size === 0) return blocks
  const found: Array<Block> = []
  for (let index = 0; index < blocks.length; index++) {
    const title = open.size === 0 ? undefined : titleAt(blocks, index, open)
    const block = blocks[index]
    if (title !== undefined) {
      take(title.bookmark, open)
      found.push(title.block)
      if (title.rest !== undefined) found.push(title.rest)
      index += title.parts - 1
    } else if (block !== undefined) found.push(block)
  }
  return found
}

/** Bookmarks that no title was found for, by their titles without a number. */
type Open = Map<string, Array<Bookmark>>

const take = ({ title }: Bookmark, open: Open): void => {
  const alike = open.get(withoutNumber(title))
  alike?.shift()
  if (alike?.length === 0) open.delete(withoutNumber(title))
}

interface Title {
  readonly bookmark: Bookmark
  readonly block: TextBlock
  readonly parts: number
  /** What stands behind a title that is the beginning of a paragraph. */
  readonly rest?: TextBlock
}

const titleAt = (blocks: ReadonlyArray<Block>, at: number, open: Open): Title | undefined =>
  wholeTitleAt(blocks, at, open) ?? runInTitle(blocks[at], open)

/** A title that is the beginning of a paragraph. */
const runInTitle = (block: Block | undefined, open: Open): Title | undefined => {
  if (block?.kind !== "text" || block.runIn === undefined || block.isNote === true) return undefined
  const [title, rest] = apartFrom(block, block.runIn.title)
  const bookmark = title && bookmarkOf(title.text, true, open)
  if (bookmark === undefined || title === undefined || rest === undefined) return undefined
  return { bookmark, parts: 1, block: { ...title, level: Math.min(levelMax, bookmark.level) }, rest }
}

const wholeTitleAt = (blocks: ReadonlyArray<Block>, at: number, open: Open): Title | undefined => {
  let whole: TextBlock | undefined
  for (let parts = 1; parts <= partsMax; parts++) {
    const block = blocks[at + parts - 1]
    if (block?.kind !== "text" || block.item === "bullet" || block.isNote === true) return undefined
    whole = whole === undefined ? numbered(block) : together(whole, numbered(block))
    const bookmark = bookmarkOf(whole.text, parts === 1, open)
    if (bookmark === undefined) continue
    const level =
      whole.level !== undefined && whole.level > 0 ? whole.level : Math.min(levelMax, bookmark.level)
    return { bookmark, parts, block: { ...whole, level } }
  }
  return undefined
}

/** The bookmark of a title, in which the letter or Roman number may lack that stands before the title of an annex or a section. */
const bookmarkOf = (text: string, isOne: boolean, open: Open): Bookmark | undefined => {
  const own = open.get(withoutNumber(titleKeyOf(text)))
  const unlettered = isOne ? open.get(titleKeyOf(text.replace(lettered, ""))) : undefined
  return (own ?? unlettered)?.[0]
}

const lettered =
  /^(?:(?:Appendix|Annex|Chapter|Section|Part) )?(?:[A-Z]|[IVX]{1,6}|[a-z](?=\)))(?:\.\d{1,3}){0,4}[.:)]? (?=\p{L})/u

/** With the number of an item as a part of its text. */
const numbered = (block: TextBlock): TextBlock =>
  typeof block.item === "number" ? withMark({ ...block, mark: block.mark ?? `${block.item}.` }) : block

const together = (first: TextBlock, second: TextBlock): TextBlock => {
  const spans = continued(first.spans, second.spans)
  return { ...first, spans, text: textOf(spans), lines: first.lines + second.lines, parts: [] }
}
