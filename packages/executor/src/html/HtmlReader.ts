import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { markdownLimits } from "../Limits.ts"
import { type ElementHandler, OpenElements } from "./OpenElements.ts"

/** Where the elements and the text of a document go, in order; every start has its end. */
export interface HtmlHandler extends ElementHandler {
  text(text: string): void
}

/** Attributes that HTML is converted by. */
const converted: ReadonlySet<string> = new Set([
  "alt",
  "alttext",
  "aria-hidden",
  "class",
  "close",
  "colspan",
  "encoding",
  "hidden",
  "href",
  "linethickness",
  "open",
  "role",
  "rowspan",
  "start",
  "style",
  "type",
  "value",
])

/**
 * Reads HTML of any quality in one pass: end tags may be missing, nested wrongly or too many. Elements deeper than
 * `html_depth_max` are passed over, though not their text.
 */
export const readHtml = (html: string, handler: HtmlHandler): void =>
  read(html, new HtmlReader(html, handler, false))

/**
 * The same for XHTML, where an element may close itself, CDATA sections are text and names may have a prefix, which
 * is passed over. Entities are those of HTML; what a document type defines beyond them stays as it is written.
 *
 * @param attributes names that the handler looks at beside those that HTML is converted by, in lower case
 */
export const readXhtml = (
  xhtml: string,
  handler: HtmlHandler,
  attributes: ReadonlyArray<string> = [],
): void => {
  const html = withoutDefinitions(xhtml)
  read(html, new HtmlReader(html, handler, true, attributes))
}

const read = (html: string, reader: HtmlReader): void => {
  const tokenizer = new Tokenizer({ recognizeSelfClosing: reader.isXhtml }, reader)
  tokenizer.write(html)
  tokenizer.end()
}

/** Without the definitions inside of a document type, which would be read as text. */
const withoutDefinitions = (xhtml: string): string =>
  xhtml.replace(/(<!DOCTYPE[^[<>]*)\[[^\]]*\]\s*(?=>)/i, "$1")

class HtmlReader implements TokenizerCallbacks {
  private readonly html: string
  private readonly elements: OpenElements
  private readonly handler: HtmlHandler
  readonly isXhtml: boolean
  private readonly attributesRead: ReadonlySet<string>
  private name = ""
  private attributes: Map<string, string> | undefined
  private attribute: string | undefined
  private value = ""
  /** The text that was not passed on yet. */
  private textStart = 0
  private textEnd = 0

  constructor(html: string, handler: HtmlHandler, isXhtml: boolean, attributes: ReadonlyArray<string> = []) {
    this.html = html
    this.handler = handler
    this.isXhtml = isXhtml
    this.attributesRead = attributes.length === 0 ? converted : new Set([...converted, ...attributes])
    this.elements = new OpenElements(handler)
  }

  /** Text comes in pieces wherever a character might have meant more. */
  ontext(start: number, end: number): void {
    if (start !== this.textEnd) {
      this.endText()
      this.textStart = start
    }
    this.textEnd = end
  }

  ontextentity(code: number): void {
    this.endText()
    this.handler.text(String.fromCodePoint(code))
  }

  onopentagname(start: number, end: number): void {
    this.name = this.nameOf(start, end)
    this.attributes = undefined
  }

  onattribname(start: number, end: number): void {
    const name = end - start > longestName ? "" : this.html.slice(start, end).toLowerCase()
    this.attribute = this.attributesRead.has(name) ? name : undefined
    this.value = ""
  }

  onattribdata(start: number, end: number): void {
    if (this.attribute !== undefined) this.value += this.html.slice(start, end)
  }

  onattribentity(code: number): void {
    if (this.attribute !== undefined) this.value += String.fromCodePoint(code)
  }

  onattribend(): void {
    const { attribute, value } = this
    this.attribute = undefined
    if (attribute === undefined || value.length > markdownLimits.html_attribute_characters_max) return
    this.attributes ??= new Map()
    if (!this.attributes.has(attribute)) this.attributes.set(attribute, value)
  }

  onopentagend(): void {
    this.endText()
    this.elements.start(this.name, this.attributes)
  }

  /** In HTML only SVG and MathML have a slash that means what it says. */
  onselfclosingtag(): void {
    this.endText()
    const isClosed = this.isInForeignContext()
    this.elements.start(this.name, this.attributes)
    if (isClosed) this.elements.end(this.name)
  }

  onclosetag(start: number, end: number): void {
    this.endText()
    const name = this.nameOf(start, end)
    if (name === "br" && !this.isXhtml) this.elements.start(name, undefined)
    else this.elements.end(name)
  }

  onend(): void {
    this.endText()
    this.elements.endAll()
  }

  isInForeignContext(): boolean {
    return this.isXhtml || this.elements.isForeign
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.endText()
    if (this.isInForeignContext()) this.handler.text(this.html.slice(start, end - endOffset))
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private nameOf(start: number, end: number): string {
    const name = this.html.slice(start, end).toLowerCase()
    return this.isXhtml ? name.slice(name.lastIndexOf(":") + 1) : name
  }

  private endText(): void {
    if (this.textEnd > this.textStart) this.handler.text(this.html.slice(this.textStart, this.textEnd))
    this.textStart = this.textEnd
  }
}

/** No attribute that anyone reads has a longer name. */
const longestName = 32
