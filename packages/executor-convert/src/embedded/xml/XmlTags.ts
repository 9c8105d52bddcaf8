import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { withNamedCharacters } from "./characterNames.ts"

export interface XmlAttribute {
  readonly name: string
  readonly value: string
}

/** Where the elements and the text of a document go, in order; every start has its end. */
export interface XmlHandler {
  start(name: string, attributes: ReadonlyArray<XmlAttribute>): void
  end(): void
  text(text: string): void
  /** A processing instruction, as it is written between its question marks. */
  instruction?(text: string): void
}

/** Reads XML that is known to be well-formed and within the bounds. */
export const readTags = (xml: string, handler: XmlHandler): void => {
  const tokenizer = new Tokenizer({ xmlMode: true }, new XmlTags(xml, handler))
  tokenizer.write(xml)
  tokenizer.end()
}

const noAttributes: ReadonlyArray<XmlAttribute> = []

class XmlTags implements TokenizerCallbacks {
  private readonly xml: string
  private readonly handler: XmlHandler
  private name = ""
  private attributes: Array<XmlAttribute> | undefined
  private attribute = ""
  private value = ""
  /** Elements that are open: outside of the root the parts of a document type that define something are no text. */
  private depth = 0

  constructor(xml: string, handler: XmlHandler) {
    this.xml = xml
    this.handler = handler
  }

  ontext(start: number, end: number): void {
    if (this.depth > 0) this.handler.text(withNamedCharacters(this.xml.slice(start, end)))
  }

  ontextentity(code: number): void {
    this.handler.text(String.fromCodePoint(code))
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.handler.text(this.xml.slice(start, end - endOffset))
  }

  onopentagname(start: number, end: number): void {
    this.name = this.xml.slice(start, end)
    this.attributes = undefined
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.xml.slice(start, end)
    this.value = ""
  }

  onattribdata(start: number, end: number): void {
    this.value += withNamedCharacters(this.xml.slice(start, end))
  }

  onattribentity(code: number): void {
    this.value += String.fromCodePoint(code)
  }

  onattribend(): void {
    this.attributes ??= []
    this.attributes.push({ name: this.attribute, value: this.value })
  }

  onopentagend(): void {
    this.depth++
    this.handler.start(this.name, this.attributes ?? noAttributes)
  }

  onselfclosingtag(): void {
    this.onopentagend()
    this.onclosetag()
  }

  onclosetag(): void {
    this.depth--
    this.handler.end()
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(start: number, end: number): void {
    this.handler.instruction?.(this.xml.slice(start, end).replace(/^\?|\?$/g, ""))
  }
  onend(): void {}
}
