import { convertLimits } from "../../Limits.ts"
import type { Pdfium } from "./Pdfium.ts"

/** An element of a tagged PDF, as far as it stands on one page. */
export interface Tag {
  /** Its type of the standard, such as `H1` or `TD`. */
  readonly type: string
  /** What is said in place of a picture, empty for nothing. */
  readonly alt: string
  readonly columns: number
  readonly rows: number
  /** In the order of reading; numbers are marked content of the page. */
  readonly children: ReadonlyArray<Tag | number>
}

/** What is marked as no part of the text, such as a running header: a number that no marked content has. */
export const artifact = -2
/** The same where it stands within the text, or in a document with one page: it is read as text that no tag tells of. */
export const readmitted = -3

const depthMax = 40
const spanMax = 100
const scratchBytes = 2_048
/** Types and names are short; what is said of a picture may fill the rest. */
const nameBytesMax = 128

/** The elements of a page; none where the document is not tagged, or has more of them than are read. */
export const readTags = (pdfium: Pdfium, page: number): ReadonlyArray<Tag> => {
  const tree = pdfium.FPDF_StructTree_GetForPage(page)
  if (tree === 0) return []
  const reader = new TagReader(pdfium)
  const tags = reader.read(tree)
  pdfium.FPDF_StructTree_Close(tree)
  return tags
}

class TagReader {
  readonly #pdfium: Pdfium
  readonly #scratch: number
  readonly #columns: number
  readonly #rows: number
  #left = convertLimits.pdf_page_tags_max

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium
    this.#scratch = pdfium.malloc(scratchBytes)
    this.#columns = pdfium.copy(Buffer.from("ColSpan\0"))
    this.#rows = pdfium.copy(Buffer.from("RowSpan\0"))
  }

  read(tree: number): ReadonlyArray<Tag> {
    const tags: Array<Tag> = []
    const count = this.#pdfium.FPDF_StructTree_CountChildren(tree)
    for (let index = 0; index < count && this.#left > 0; index++) {
      const element = this.#pdfium.FPDF_StructTree_GetChildAtIndex(tree, index)
      if (element !== 0) tags.push(this.#tag(element, 0))
    }
    for (const pointer of [this.#scratch, this.#columns, this.#rows]) this.#pdfium.free(pointer)
    return this.#left > 0 ? tags : []
  }

  #tag(element: number, depth: number): Tag {
    const pdfium = this.#pdfium
    const type = this.#text(
      pdfium.FPDF_StructElement_GetType(element, this.#scratch, nameBytesMax),
      nameBytesMax,
    )
    const isCell = type === "TD" || type === "TH"
    return {
      type,
      alt: hasAlternative.has(type)
        ? this.#text(pdfium.FPDF_StructElement_GetAltText(element, this.#scratch, scratchBytes), scratchBytes)
        : "",
      columns: isCell ? this.#span(element, this.#columns) : 1,
      rows: isCell ? this.#span(element, this.#rows) : 1,
      children: depth < depthMax ? this.#children(element, depth) : [],
    }
  }

  #children(element: number, depth: number): ReadonlyArray<Tag | number> {
    const children: Array<Tag | number> = []
    const count = this.#pdfium.FPDF_StructElement_CountChildren(element)
    for (let index = 0; index < count; index++) {
      if (--this.#left <= 0) break
      const child = this.#pdfium.FPDF_StructElement_GetChildAtIndex(element, index)
      if (child !== 0) children.push(this.#tag(child, depth + 1))
      else {
        const content = this.#pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index)
        if (content >= 0) children.push(content)
      }
    }
    return children
  }

  /** The text that was written into the scratch, `bytes` long with the zero at its end. */
  #text(bytes: number, bytesMax: number): string {
    if (bytes <= 2 || bytes > bytesMax) return ""
    return Buffer.from(this.#pdfium.view().buffer, this.#scratch, bytes - 2)
      .toString("utf16le")
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, " ")
  }

  /** The number that a cell gives for the columns or rows that it goes over. */
  #span(element: number, name: number): number {
    const pdfium = this.#pdfium
    const count = pdfium.FPDF_StructElement_GetAttributeCount(element)
    for (let index = 0; index < Math.min(count, attributesMax); index++) {
      const attribute = pdfium.FPDF_StructElement_GetAttributeAtIndex(element, index)
      const value = attribute === 0 ? 0 : pdfium.FPDF_StructElement_Attr_GetValue(attribute, name)
      if (value === 0 || pdfium.FPDF_StructElement_Attr_GetNumberValue(value, this.#scratch) === 0) continue
      const span = pdfium.view().getFloat32(this.#scratch, true)
      if (span >= 1) return Math.min(spanMax, Math.floor(span))
    }
    return 1
  }
}

const attributesMax = 16
const hasAlternative: ReadonlySet<string> = new Set(["Figure", "Formula"])

/** The number of the marked content that a text object belongs to: -1 for none, or `artifact`. */
export const contentOf = (pdfium: Pdfium, object: number, scratch: number): number => {
  const content = pdfium.FPDFPageObj_GetMarkedContentID(object)
  if (content >= 0) return content
  const count = Math.min(attributesMax, pdfium.FPDFPageObj_CountMarks(object))
  for (let index = 0; index < count; index++) {
    const mark = pdfium.FPDFPageObj_GetMark(object, index)
    if (mark === 0 || pdfium.FPDFPageObjMark_GetName(mark, scratch + 4, markBytesMax, scratch) === 0) continue
    const bytes = pdfium.view().getUint32(scratch, true)
    if (bytes !== artifactName.length * 2 + 2) continue
    const name = Buffer.from(pdfium.view().buffer, scratch + 4, bytes - 2).toString("utf16le")
    if (name === artifactName) return artifact
  }
  return -1
}

const artifactName = "Artifact"
const markBytesMax = 64
