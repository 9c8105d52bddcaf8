import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { convertLimits } from "../../Limits.ts"
import { type ElementHandler, OpenElements } from "./OpenElements.ts"

/** Where the elements and the text of a document go, in order; every start has its end. */
export interface HtmlHandler extends ElementHandler {
  text(text: string): void
}

const attributesRead: ReadonlySet<string> = new Set([
  "alt",
  "alttext",
  "class",
  "colspan",
  "hidden",
  "href",
  "open",
  "role",
  "rowspan",
  "start",
  "style",
  "value",
])

/**
 * Reads HTML of any quality in one pass: end tags may be missing, nested wrongly or too many. Elements deeper than
 * `html_depth_max` are passed over, though not their text.
 */
export const readHtml = (html: string, handler: HtmlHandler): void => {
  const reader = new HtmlReader(html, handler)
  const tokenizer = new Tokenizer({}, reader)
  tokenizer.write(html)
  tokenizer.end()
}

class HtmlReader implements TokenizerCallbacks {
  private readonly html: string
  private readonly elements: OpenElements
  private readonly handler: HtmlHandler
  private name = ""
  private attributes: Map<string, string> | undefined
  private attribute: string | undefined
  private value = ""
  /** The text that was not passed on yet. */
  private textStart = 0
  private textEnd = 0

  constructor(html: string, handler: HtmlHandler) {
    this.html = html
    this.handler = handler
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
    this.name = this.html.slice(start, end).toLowerCase()
    this.attributes = undefined
  }

  onattribname(start: number, end: number): void {
    const name = end - start > longestName ? "" : this.html.slice(start, end).toLowerCase()
    this.attribute = attributesRead.has(name) ? name : undefined
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
    if (attribute === undefined || value.length > convertLimits.html_attribute_characters_max) return
    this.attributes ??= new Map()
    if (!this.attributes.has(attribute)) this.attributes.set(attribute, value)
  }

  onopentagend(): void {
    this.endText()
    this.elements.start(this.name, this.attributes)
  }

  /** Only in SVG and MathML does the slash mean what it says. */
  onselfclosingtag(): void {
    this.endText()
    const isClosed = this.elements.isForeign
    this.elements.start(this.name, this.attributes)
    if (isClosed) this.elements.end(this.name)
  }

  onclosetag(start: number, end: number): void {
    this.endText()
    const name = this.html.slice(start, end).toLowerCase()
    if (name === "br") this.elements.start(name, undefined)
    else this.elements.end(name)
  }

  onend(): void {
    this.endText()
    this.elements.endAll()
  }

  isInForeignContext(): boolean {
    return this.elements.isForeign
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.endText()
    if (this.elements.isForeign) this.handler.text(this.html.slice(start, end - endOffset))
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private endText(): void {
    if (this.textEnd > this.textStart) this.handler.text(this.html.slice(this.textStart, this.textEnd))
    this.textStart = this.textEnd
  }
}

const longestName = Math.max(...[...attributesRead].map(({ length }) => length))
