import type { IntakeLimits } from "./Limits.ts"
import { XmlAttributes } from "./XmlAttributes.ts"
import { XmlNames } from "./XmlNames.ts"
import { openElementAt, openLengthAt, openNameAt, openSize, openStartAt, type XmlTag } from "./XmlOpen.ts"
import { isWhite, unexpected, XmlScanner } from "./XmlScanner.ts"
import type { XmlSource } from "./XmlSource.ts"
import { type XmlToken, xmlClose, xmlEnd, xmlStart, xmlText } from "./XmlToken.ts"
import type { XmlVocabulary } from "./XmlVocabulary.ts"

const exclamation = 0x21
const quotation = 0x22
const apostrophe = 0x27
const slash = 0x2f
const lessThan = 0x3c
const equals = 0x3d
const greaterThan = 0x3e
const question = 0x3f

const commentStart = "<!--"
const sectionStart = "<![CDATA["
const sectionEndBytes = 3
const documentTypeBytesMax = 262_144
const identifier = `[ \\t\\r\\n]+(?:"[^"<>]{0,1024}"|'[^'<>]{0,1024}')`
const elsewhere = `[ \\t\\r\\n]+(?:SYSTEM|PUBLIC${identifier})${identifier}`
/** A name and an identifier of a definition elsewhere (XML 1.0, 2.8), up to the definitions of its own. */
const documentType = new RegExp(
  `<!DOCTYPE[ \\t\\r\\n]+[^\\s"'<>[\\]]{1,1024}(${elsewhere})?[ \\t\\r\\n]*(?:\\[|>)`,
  "y",
)
/** What defines nothing that a text could refer to: the names of formats, and of files in them that are no text. */
const harmless = new RegExp(
  `[ \\t\\r\\n]*<!(?:NOTATION[ \\t\\r\\n]+[^\\s"'<>%&;]{1,1024}[ \\t\\r\\n]+(?:SYSTEM${identifier}|PUBLIC${identifier}(?:${identifier})?)|ENTITY[ \\t\\r\\n]+[^\\s"'<>%&;]{1,1024}${elsewhere}[ \\t\\r\\n]+NDATA[ \\t\\r\\n]+[^\\s"'<>%&;]{1,1024})[ \\t\\r\\n]*>`,
  "y",
)
const documentTypeEnd = /[ \t\r\n]*\][ \t\r\n]*>/y

/** The end of `form` in a text, if it stands at this place. */
const after = (form: RegExp, text: string, at: number): number | undefined => {
  form.lastIndex = at
  return form.test(text) ? form.lastIndex : undefined
}
const anyDeclaration = /^<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i

/** Reads a document piece by piece, with all checks. */
export class XmlParser {
  readonly source: XmlSource
  readonly bytes: Buffer
  readonly names: XmlNames
  readonly attributes: XmlAttributes
  readonly #limits: IntakeLimits
  readonly #scanner: XmlScanner
  #hasRoot = false
  #hasType = false
  position: number
  depth = 0
  /** The elements that are open, see XmlOpen. */
  open: Int32Array
  /** The tag that was read last. */
  readonly tag: XmlTag = {
    start: 0,
    end: 0,
    nameStart: 0,
    nameEnd: 0,
    element: 0,
    isEmpty: false,
    hasPrefixes: false,
    hasDeclarations: false,
  }
  /** Whether the tag that was read last is of an empty element that is still open. */
  isEmpty = false
  textStart = 0
  textEnd = 0
  /** Whether the text that was read last means something else than what is written. */
  isTextEscaped = false
  isSection = false

  constructor(
    source: XmlSource,
    vocabulary: XmlVocabulary,
    limits: IntakeLimits,
    open: Int32Array,
    isCharacterName: (name: string) => boolean,
  ) {
    this.source = source
    this.position = source.start
    this.names = new XmlNames(source.bytes, vocabulary)
    this.attributes = new XmlAttributes(source, this.names)
    this.open = open
    this.bytes = source.bytes
    this.#limits = limits
    this.#scanner = new XmlScanner(source, limits, isCharacterName)
  }

  /** Reads the next piece, and after an empty element its close; undefined for what is never reported. */
  step(): XmlToken | undefined {
    if (this.isEmpty) {
      this.isEmpty = false
      this.#close()
      return xmlClose
    }
    const bytes = this.bytes
    if (this.depth === 0 && this.#isAtEnd()) return xmlEnd
    const at = this.position
    if (bytes[at] !== lessThan) return this.#text()
    const following = bytes[at + 1]
    if (following === slash) return this.#endTag()
    if (following === exclamation) return this.#exclamation()
    if (following !== question) return this.#startTag()
    this.position = this.#scanner.instruction(at)
    return undefined
  }

  /** Reads attributes from the end of the element's name to the end of the start tag. */
  readAttributes(start: number): number {
    const bytes = this.bytes
    this.attributes.clear()
    for (let at = start; ; ) {
      const next = this.#scanner.white(at)
      const byte = bytes[next]
      if (byte === greaterThan) return next + 1
      if (byte === slash && bytes[next + 1] === greaterThan) return next + 2
      if (next === at) throw unexpected(this.source, at, "in a start tag, where white space is needed")
      at = this.#attribute(next)
    }
  }

  /** Passes white space outside of the root element, and refuses what else may not stand there. */
  #isAtEnd(): boolean {
    const { length } = this.bytes
    while (this.position < length && isWhite(this.bytes[this.position] ?? 0)) this.position++
    const at = this.position
    if (at < length) {
      if (this.bytes[at] === lessThan) return false
      throw unexpected(this.source, at, "outside of the root element")
    }
    if (!this.#hasRoot) throw this.source.fault(at, "there is no root element")
    return true
  }

  #text(): XmlToken {
    this.textStart = this.position
    this.textEnd = this.#scanner.text(this.position)
    this.isTextEscaped = this.#scanner.isEscaped
    this.isSection = false
    this.position = this.textEnd
    return xmlText
  }

  #startTag(): XmlToken {
    const scanner = this.#scanner
    const start = this.position + 1
    const end = scanner.name(start, "an element")
    const { colon, hash } = scanner
    if (this.depth === 0 && this.#hasRoot) {
      const name = this.source.quoted(start, end)
      throw this.source.fault(start, `a second root element, ${name}, stands after the first`)
    }
    this.#hasRoot = true
    this.position = this.readAttributes(end)
    this.isEmpty = this.bytes[this.position - 2] === slash
    this.attributes.resolve(this.depth + 1)
    if (!this.names.resolve(start, colon, end, hash)) {
      const name = this.source.quoted(start, end)
      throw this.source.fault(start, `the prefix of the element ${name} is not declared`)
    }
    this.#open(start, end)
    const { tag } = this
    tag.start = start - 1
    tag.end = this.position
    tag.nameStart = start
    tag.nameEnd = end
    tag.element = this.names.element
    tag.isEmpty = this.isEmpty
    tag.hasPrefixes = this.attributes.hasPrefixes
    tag.hasDeclarations = this.attributes.hasDeclarations
    return xmlStart
  }

  #attribute(start: number): number {
    const bytes = this.bytes
    const scanner = this.#scanner
    let at = scanner.name(start, "an attribute")
    this.attributes.addName(start, scanner.colon, at, scanner.hash)
    if (this.attributes.count > this.#limits.xml_attributes_max) {
      const fault = `an element has ${this.attributes.count} attributes or more`
      throw this.source.excess(start, fault, "xml_attributes_max", this.#limits.xml_attributes_max)
    }
    if (bytes[at] !== equals) at = scanner.white(at)
    if (bytes[at] !== equals)
      throw unexpected(this.source, at, "after the name of an attribute, where = is needed")
    at++
    if (bytes[at] !== quotation && bytes[at] !== apostrophe) at = scanner.white(at)
    const quote = bytes[at]
    if (quote !== quotation && quote !== apostrophe) {
      throw unexpected(this.source, at, "before the value of an attribute, where a quote is needed")
    }
    const end = scanner.value(at + 1, quote)
    this.attributes.addValue(at + 1, end, scanner.isEscaped)
    return end + 1
  }

  #endTag(): XmlToken {
    const bytes = this.bytes
    const start = this.position + 2
    if (this.depth === 0) throw this.source.fault(start, "an end tag stands outside of the root element")
    const open = (this.depth - 1) * openSize
    const opened = this.open[open + openStartAt] ?? 0
    const length = this.open[open + openLengthAt] ?? 0
    for (let index = 0; index < length; index++) {
      if (bytes[start + index] !== bytes[opened + index]) throw this.#mismatch(start)
    }
    const end = start + length
    const at = bytes[end] === greaterThan ? end : this.#scanner.white(end)
    if (bytes[at] !== greaterThan) {
      throw at === end ? this.#mismatch(start) : unexpected(this.source, at, "in an end tag")
    }
    this.position = at + 1
    this.#close()
    this.tag.nameStart = start
    this.tag.nameEnd = end
    return xmlClose
  }

  #mismatch(start: number): Error {
    const end = this.#scanner.name(start, "an end tag")
    const open = (this.depth - 1) * openSize
    const opened = this.open[open + openStartAt] ?? 0
    const expected = this.source.quoted(opened, opened + (this.open[open + openLengthAt] ?? 0))
    const found = this.source.quoted(start, end)
    return this.source.fault(start, `the end tag ${found} stands where ${expected} is open`)
  }

  #open(start: number, end: number): void {
    if (this.depth >= this.#limits.xml_depth_max) {
      const fault = `elements are nested ${this.depth + 1} deep`
      throw this.source.excess(start, fault, "xml_depth_max", this.#limits.xml_depth_max)
    }
    const open = this.depth * openSize
    if (open === this.open.length) {
      const more = new Int32Array(this.open.length * 2)
      more.set(this.open)
      this.open = more
    }
    this.open[open + openNameAt] = 0
    this.open[open + openStartAt] = start
    this.open[open + openLengthAt] = end - start
    this.open[open + openElementAt] = this.names.element
    this.depth++
  }

  #close(): void {
    const { namespaces } = this.names
    if (namespaces.declaredDepth === this.depth) namespaces.leave()
    this.depth--
    this.tag.element = this.open[this.depth * openSize + openElementAt] ?? 0
  }

  /**
   * The end of a document type declaration that defines nothing, or only what no text can refer to, undefined for
   * anything else. Nothing is fetched.
   */
  #plainDocumentType(at: number): number | undefined {
    if (this.#hasType || !this.source.isLenient) return undefined
    const text = this.bytes.toString("latin1", at, at + documentTypeBytesMax)
    documentType.lastIndex = 0
    const type = documentType.exec(text)
    if (type === null) return undefined
    this.#scanner.isDefinedElsewhere = type[1] !== undefined
    const begun = documentType.lastIndex
    if (text[begun - 1] === ">") return at + begun
    let end = begun
    for (let next: number | undefined = begun; next !== undefined; next = after(harmless, text, end))
      end = next
    const closed = after(documentTypeEnd, text, end)
    return closed && at + closed
  }

  /** A comment, a CDATA section, or a document type declaration that defines nothing. */
  #exclamation(): XmlToken | undefined {
    const at = this.position
    const scanner = this.#scanner
    const beginning = this.bytes.toString("latin1", at, at + sectionStart.length)
    if (beginning.startsWith(commentStart)) {
      this.position = scanner.comment(at + commentStart.length)
      return undefined
    }
    if (beginning === sectionStart && this.depth > 0) {
      this.textStart = at + sectionStart.length
      this.textEnd = scanner.characterSection(this.textStart)
      this.isTextEscaped = scanner.isEscaped
      this.isSection = true
      this.position = this.textEnd + sectionEndBytes
      return this.textEnd > this.textStart ? xmlText : undefined
    }
    const type = this.#hasRoot ? undefined : this.#plainDocumentType(at)
    if (type !== undefined) {
      this.position = type
      this.#hasType = true
      return undefined
    }
    if (anyDeclaration.test(beginning)) {
      throw this.source.fault(
        at,
        "a document type declaration with definitions, or out of place, is not accepted",
      )
    }
    const found = this.source.quoted(at, at + sectionStart.length)
    throw this.source.fault(at, `${found} is neither a comment nor a CDATA section`)
  }
}
