import type { DocumentWarnings } from "@atelier/executor/flow"
import { type Blocks, Cell, collapseSpaces, HtmlContent, textOf } from "@atelier/executor/html"
import { Notes } from "../flow/Notes.ts"
import type { XmlAttribute, XmlHandler } from "./XmlTags.ts"

/** Ends what an element began. */
export type End = () => void

export const nothing: End = () => {}

/** The attributes of an element by their local names. */
export type Attributes = ReadonlyMap<string, string>

const noAttributes: Attributes = new Map()

/**
 * Reads the elements of a vocabulary as those of HTML that look like them. Names count without their prefixes.
 */
export abstract class Translation implements XmlHandler {
  private readonly to: Blocks
  private readonly bytesMax: number
  private readonly warnings: DocumentWarnings
  private readonly notes = new Notes()
  private readonly ends: Array<End> = []
  /** Names of the elements that are open and read. */
  private readonly path: Array<string> = []
  /** Open elements that are passed over: the outermost one and all inside of it. */
  private unread = 0
  private readonly collections: Array<Array<string>> = []
  private content: HtmlContent
  private lastCharacter = " "
  /** Everything within an equation is read as it is. */
  private isMath = false

  constructor(to: Blocks, bytesMax: number, warnings: DocumentWarnings) {
    this.to = to
    this.bytesMax = bytesMax
    this.warnings = warnings
    this.content = new HtmlContent(to, bytesMax, warnings, false)
  }

  /** A processing instruction, as it is written between its question marks. */
  instruction(_: string): void {}

  /** How the element ends, undefined if it and what is inside are passed over. */
  protected abstract begin(name: string, attributes: Attributes): End | undefined

  start(name: string, attributes: ReadonlyArray<XmlAttribute>): void {
    if (this.unread > 0) {
      this.unread++
      return
    }
    const local = localName(name)
    const named =
      attributes.length === 0
        ? noAttributes
        : new Map(attributes.map((attribute) => [localName(attribute.name), attribute.value]))
    const end = this.isMath ? this.element(local, named) : this.begin(local, named)
    if (end === undefined) this.unread = 1
    else {
      this.ends.push(end)
      this.path.push(local)
    }
  }

  end(): void {
    if (this.unread > 0) {
      this.unread--
      return
    }
    this.path.pop()
    this.ends.pop()?.()
  }

  text(text: string): void {
    if (this.unread > 0 || text === "") return
    this.lastCharacter = text.at(-1) ?? " "
    const collection = this.collections.at(-1)
    if (collection === undefined) this.content.text(text)
    else collection.push(text)
  }

  /** To be called at the end of the document. */
  finish(): void {
    this.content.finish()
    this.notes.writeTo({
      heading: () => {},
      paragraph: (inline) => this.to.paragraph(inline),
      listItem: () => {},
      quote: () => {},
      table: () => {},
      code: () => {},
      block: () => {},
    })
  }

  /** The name of the element around the one that starts; empty outside of the root. */
  protected get parent(): string {
    return this.path.at(-1) ?? ""
  }

  /** How many elements are open and read. */
  protected get depth(): number {
    return this.path.length
  }

  protected isInside(name: string): boolean {
    return this.path.includes(name)
  }

  /** An element of HTML from here on. */
  protected element(name: string, attributes: Attributes = noAttributes): End {
    if (this.collections.length > 0) return nothing
    this.content.start(name, attributes)
    if (name !== "math") return () => this.content.end()
    this.isMath = true
    return () => {
      this.isMath = false
      this.content.end()
    }
  }

  /** A paragraph of inline Markdown. */
  protected paragraph(inline: string): void {
    if (inline === "") return
    const end = this.element("p")
    this.markdown(inline)
    end()
  }

  /** A block of its own with this text. */
  protected block(name: string, text: string): void {
    if (text.trim() === "") return
    this.content.start(name, noAttributes)
    this.content.text(text)
    this.content.end()
    this.lastCharacter = " "
  }

  protected markdown(inline: string): void {
    if (inline === "") return
    this.content.markdown(inline)
    this.lastCharacter = "$"
  }

  /** Keeps the text of the element, without the marks in it, for `done`. */
  protected collect(done: (text: string) => void): End {
    const collection: Array<string> = []
    this.collections.push(collection)
    this.lastCharacter = " "
    return () => {
      this.collections.pop()
      done(collapseSpaces(collection.join("")).trim())
    }
  }

  protected get isCollecting(): boolean {
    return this.collections.length > 0
  }

  /** Elements that stand side by side are words of their own. */
  protected separate(separator = " "): void {
    if (!/\s/.test(this.lastCharacter)) this.text(separator)
  }

  protected get endsInWord(): boolean {
    return /[\p{L}\p{N}.)]/u.test(this.lastCharacter)
  }

  /** The text of the element is a note at the end, to which a reference is left here. */
  protected note(): End {
    const outer = this.content
    const cell = new Cell(this.bytesMax)
    this.content = new HtmlContent(cell, this.bytesMax, this.warnings, false)
    return () => {
      this.content.finish()
      this.content = outer
      const text = textOf(cell.content).trim()
      if (text !== "") this.markdown(this.notes.add(text))
    }
  }
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1)
