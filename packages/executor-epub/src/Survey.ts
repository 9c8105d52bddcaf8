import { type HtmlAttributes, type HtmlHandler, readXhtml } from "@atelier/executor/html"
import { epubLimits } from "./Limits.ts"
import { keyOf, placeOf } from "./places.ts"
import { bookAttributes, typesOf } from "./types.ts"

/** An element of the book: elements of a document are counted from 1 in the order in which they start. */
export interface ElementPlace {
  readonly document: number
  readonly element: number
}

/** An element that has an id. */
export interface IdPlace extends ElementPlace {
  /** The element, or where it stands in a line the block around it. */
  readonly block: number
  /** It says of itself that it is a note. */
  readonly isNote: boolean
}

/** A link to a place in the book. */
export interface BookLink extends ElementPlace {
  /** The block around it. */
  readonly block: number
  /** Key of the place that it leads to. */
  readonly target: string
  /** Keys of the ids of the link, of the element around it and of its block. */
  readonly around: ReadonlyArray<string>
  readonly isReference: boolean
  readonly isBackLink: boolean
  text: string
}

interface OpenElement {
  readonly key: string | undefined
  /** The innermost block with its key. */
  readonly block: number
  readonly blockKey: string | undefined
}

/** What is found in all documents of a book before any is written: where ids are, and which links there are. */
export class Survey {
  readonly ids = new Map<string, IdPlace>()
  readonly links: Array<BookLink> = []
  /** Lists for readers' programs: of printed pages, of landmarks. */
  readonly leftOut: Array<ElementPlace> = []

  read(xhtml: string, path: string, document: number): void {
    readXhtml(xhtml, new DocumentSurvey(this, path, document), bookAttributes)
  }
}

const outermost: OpenElement = { key: undefined, block: 0, blockKey: undefined }

class DocumentSurvey implements HtmlHandler {
  private readonly survey: Survey
  private readonly path: string
  private readonly document: number
  private element = 0
  private readonly open: Array<OpenElement> = [outermost]
  private link: { readonly found: BookLink; readonly depth: number } | undefined

  constructor(survey: Survey, path: string, document: number) {
    this.survey = survey
    this.path = path
    this.document = document
  }

  start(name: string, attributes: HtmlAttributes): void {
    const element = ++this.element
    const around = this.open.at(-1) ?? outermost
    const types = typesOf(attributes)
    const id = attributes.get("id") ?? (name === "a" ? attributes.get("name") : undefined)
    const key = id === undefined || id === "" ? undefined : keyOf({ path: this.path, id })
    const isNote = types.some((type) => noteTypes.has(type))
    const isBlock = isNote || noteBlocks.has(name)
    const open = isBlock
      ? { key, block: element, blockKey: key }
      : { key, block: around.block, blockKey: around.blockKey }
    this.open.push(open)
    const { ids, leftOut } = this.survey
    if (key !== undefined && ids.size < epubLimits.epub_ids_max && !ids.has(key))
      ids.set(key, { document: this.document, element, block: open.block, isNote })
    if (name === "nav" && types.some((type) => /^(?:page-list|landmarks|doc-pagelist)$/.test(type)))
      leftOut.push({ document: this.document, element })
    if (name === "a") this.startLink(attributes.get("href"), element, types, around, open)
  }

  text(text: string): void {
    if (this.link !== undefined && this.link.found.text.length < longestMarker) this.link.found.text += text
  }

  end(): void {
    if (this.link?.depth === this.open.length) this.link = undefined
    this.open.pop()
  }

  private startLink(
    href: string | undefined,
    element: number,
    types: ReadonlyArray<string>,
    around: OpenElement,
    open: OpenElement,
  ): void {
    const place = href === undefined ? undefined : placeOf(this.path, href)
    const { links } = this.survey
    if (place === undefined || place.id === "" || links.length === epubLimits.epub_links_max) return
    const found: BookLink = {
      document: this.document,
      element,
      block: open.block,
      target: keyOf(place),
      around: [open.key, around.key, open.blockKey].filter((key) => key !== undefined),
      isReference: types.some((type) => /^(?:doc-)?noteref$/.test(type)),
      isBackLink: types.some((type) => /^(?:(?:doc-)?backlink|referrer)$/.test(type)),
      text: "",
    }
    links.push(found)
    this.link = { found, depth: this.open.length }
  }
}

/** What can be the whole of a note, where nothing says so. */
const noteBlocks: ReadonlySet<string> = new Set(["aside", "dd", "div", "li", "p"])

const noteTypes: ReadonlySet<string> = new Set([
  "doc-endnote",
  "doc-footnote",
  "endnote",
  "footnote",
  "note",
  "rearnote",
])

const longestMarker = 16
