import { type IntakeLimits, intakeLimits } from "./Limits.ts"
import { resolvedText } from "./XmlCharacters.ts"
import { type LaneOwner, XmlLane } from "./XmlLane.ts"
import { openElementAt, openSize } from "./XmlOpen.ts"
import { XmlParser } from "./XmlParser.ts"
import { XmlSource } from "./XmlSource.ts"
import type { XmlStrings } from "./XmlStrings.ts"
import { type XmlToken, xmlClose, xmlEnd, xmlStart, xmlText } from "./XmlToken.ts"
import { type XmlVocabulary, xmlVocabulary } from "./XmlVocabulary.ts"

export { type XmlToken, xmlClose, xmlEnd, xmlStart, xmlText } from "./XmlToken.ts"
export { type XmlVocabulary, xmlVocabulary } from "./XmlVocabulary.ts"

/**
 * A pull reader over the bytes of one XML document (UTF-8 or UTF-16, by byte order mark or declaration).
 * It checks that the document is well-formed and within the limits, without allocating for what is not
 * read. A self-closing element comes as a start and a close; a text may come in several pieces. `next`
 * throws a `Refusal`, and the same one again if it is called once more: `file_corrupt` with the line, also for
 * a document type declaration and for a prefix that is not declared, or `archive_limit_exceeded` with the limit.
 */
export interface XmlReader {
  readonly next: () => XmlToken
  /** Number of the element that started or closed, 0 if it is not in the vocabulary. */
  readonly element: number
  /** Elements that are open; the one that started is counted, the one that closed is not. */
  readonly depth: number
  /** The qualified name as written, for messages and unknown elements. */
  readonly name: () => string
  /**
   * After a start: the attribute's value with its entities resolved. `name` is as in the vocabulary: `r:id`;
   * without prefix: no namespace.
   */
  readonly attribute: (name: string) => string | undefined
  /** After a text: the characters, entities resolved, line ends normalised; CDATA sections come as text too. */
  readonly text: () => string
  /** After a start: passes everything up to the close of that element, which the next `next` does not report. */
  readonly skip: () => void
}

export interface XmlReaderOptions {
  readonly vocabulary?: XmlVocabulary
  readonly limits?: IntakeLimits
  /** For messages: what is being read, "word/document.xml". */
  readonly source?: string
  /** A document type that defines nothing, and any encoding that is declared, are accepted. */
  readonly isLenient?: boolean
  /**
   * Only elements of the vocabulary, and text directly inside of elements with these numbers, are reported;
   * everything is checked all the same. Absent: everything is reported.
   */
  readonly textIn?: ReadonlyArray<number>
}

export const readXml = (bytes: Uint8Array, options: XmlReaderOptions = {}): XmlReader =>
  new Reader(new XmlSource(bytes, options.source ?? "XML", options.isLenient), options)

export interface XmlCheckOptions extends Omit<XmlReaderOptions, "vocabulary" | "textIn"> {
  /**
   * Names of characters that a definition elsewhere, which is not read, can declare: they may be referred to in a
   * document whose type names one. Absent: only the five predefined names.
   */
  readonly isCharacterName?: (name: string) => boolean
}

/**
 * Reads to the end and reports nothing: the document is well-formed and within the limits, or a `Refusal` is
 * thrown.
 */
export const verifyXml = (bytes: Uint8Array, options: XmlCheckOptions = {}): void => {
  const { isCharacterName, source, isLenient, limits } = options
  const reported = { ...(limits === undefined ? {} : { limits }), textIn: [] }
  new Reader(new XmlSource(bytes, source ?? "XML", isLenient), reported, isCharacterName).next()
}

const noCharacterName = (_: string): boolean => false

const slash = 0x2f
const greaterThan = 0x3e
/** A lane is worth its cost from this length on. */
const laneBytesMin = 1_024

const noVocabulary = xmlVocabulary({}, [])
const eventSize = 4
const noEvents = new Int32Array(0)
/** Room for the elements that are open at the same time in most documents. */
const openStart = 16 * openSize

class Reader implements XmlReader, LaneOwner {
  element = 0
  depth = 0
  readonly #bytes: Buffer
  readonly #strings: XmlStrings
  readonly #vocabulary: XmlVocabulary
  readonly #parser: XmlParser
  /** For each element number 1 if its text is reported; undefined: everything is reported. */
  readonly #textIn: Uint8Array | undefined
  #lane: XmlLane | undefined
  /** Whether the lane may be able to go on from where the parser is. */
  #isLaneOpen = false
  /** The events of the lane that are still to be reported. */
  #tape: Int32Array
  #tapeAt = 0
  #tapeEnd = 0
  /** Why the document is refused, once it is. */
  #fault: unknown
  #nameStart = 0
  #nameLength = 0
  /** After a start: where its attributes begin if none was read yet, -1 if they are read; else 0. */
  #attributesAt = 0
  #textStart = 0
  #textEnd = 0
  #isTextEscaped = false
  #isSection = false

  constructor(source: XmlSource, options: XmlReaderOptions, isCharacterName = noCharacterName) {
    const { vocabulary = noVocabulary, limits = intakeLimits, textIn } = options
    this.#bytes = source.bytes
    this.#strings = source.strings
    this.#vocabulary = vocabulary
    if (textIn !== undefined) {
      this.#textIn = new Uint8Array(vocabulary.size + 1)
      for (const number of textIn) this.#textIn[number] = 1
    }
    if (source.bytes.length >= laneBytesMin && XmlLane.serves(limits, vocabulary)) {
      this.#lane = XmlLane.take(this, limits.xml_depth_max, this.#textIn)
    }
    const open = this.#lane?.open ?? new Int32Array(openStart)
    this.#parser = new XmlParser(source, vocabulary, limits, open, isCharacterName)
    this.#tape = this.#lane?.tape ?? noEvents
  }

  next(): XmlToken {
    if (this.#tapeAt < this.#tapeEnd) return this.#replay()
    if (this.#fault !== undefined) throw this.#fault
    for (;;) {
      if (this.#isLaneOpen && this.#runLane()) return this.#replay()
      const token = this.#step()
      if (token !== undefined) return token
    }
  }

  name(): string {
    return this.#strings.slice(this.#nameStart, this.#nameStart + this.#nameLength)
  }

  attribute(name: string): string | undefined {
    const at = this.#attributesAt
    // Most elements have none.
    if (at === 0 || (at > 0 && this.#bytes[at] === greaterThan)) return undefined
    const wanted = this.#vocabulary.attribute(name)
    const { attributes } = this.#parser
    if (at > 0) {
      this.#parser.readAttributes(at)
      attributes.resolve(this.depth)
      this.#attributesAt = -1
    }
    return attributes.find(wanted)
  }

  text(): string {
    if (!this.#isTextEscaped) return this.#strings.slice(this.#textStart, this.#textEnd)
    return resolvedText(this.#bytes, this.#textStart, this.#textEnd, this.#isSection ? "cdata" : "text")
  }

  skip(): void {
    for (const outside = this.depth - 1; this.depth > outside; ) this.next()
  }

  /** Another reader takes the lane: what it holds of this one is copied, and the parser goes on alone. */
  loseLane(): void {
    this.#parser.open = this.#parser.open.slice()
    this.#tape = this.#tape.slice(0, this.#tapeEnd)
    this.#lane = undefined
    this.#isLaneOpen = false
  }

  /** Reports the next event of the lane. */
  #replay(): XmlToken {
    const tape = this.#tape
    const at = this.#tapeAt
    this.#tapeAt = at + eventSize
    const head = tape[at] ?? 0
    const start = tape[at + 2] ?? 0
    const last = tape[at + 3] ?? 0
    this.depth = tape[at + 1] ?? 0
    if ((head & 3) === xmlText) {
      this.#attributesAt = 0
      this.#textStart = start
      this.#textEnd = last
      this.#isTextEscaped = head > xmlText
      this.#isSection = false
      return xmlText
    }
    this.element = head >> 2
    this.#nameLength = last
    if ((head & 3) === xmlStart) {
      this.#nameStart = start + 1
      this.#attributesAt = start + 1 + last
      return xmlStart
    }
    this.#nameStart = start + (this.#bytes[start + 1] === slash ? 2 : 1)
    this.#attributesAt = 0
    return xmlClose
  }

  /** Lets the lane go on; true if it has something to report. */
  #runLane(): boolean {
    const parser = this.#parser
    const lane = this.#lane
    if (lane === undefined || parser.depth === 0 || parser.isEmpty) return false
    this.#isLaneOpen = lane.run(parser)
    this.#tapeAt = 0
    this.#tapeEnd = lane.tapeEnd
    return this.#tapeEnd > 0
  }

  /** Reads one piece with all checks; undefined if it is not reported. */
  #step(): XmlToken | undefined {
    const parser = this.#parser
    const token = this.#stepOrEnd()
    this.#isLaneOpen = this.#lane !== undefined
    this.#attributesAt = 0
    this.depth = parser.depth
    if (token === undefined) return undefined
    if (token === xmlText) return this.#takeText()
    if (token === xmlEnd) return xmlEnd
    const { tag } = parser
    if (token === xmlStart) this.#lane?.note(parser)
    this.element = tag.element
    this.#nameStart = tag.nameStart
    this.#nameLength = tag.nameEnd - tag.nameStart
    if (token === xmlStart) this.#attributesAt = -1
    return this.element !== 0 || this.#textIn === undefined ? token : undefined
  }

  /** At the end of the document and at a fault others may have the lane. */
  #stepOrEnd(): XmlToken | undefined {
    try {
      const token = this.#parser.step()
      if (token !== xmlEnd) return token
    } catch (fault) {
      this.#fault = fault
    }
    this.#lane?.release()
    this.#lane = undefined
    if (this.#fault !== undefined) throw this.#fault
    return xmlEnd
  }

  #takeText(): XmlToken | undefined {
    const parser = this.#parser
    const element = parser.open[(this.depth - 1) * openSize + openElementAt] ?? 0
    if (this.#textIn !== undefined && this.#textIn[element] !== 1) return undefined
    this.#textStart = parser.textStart
    this.#textEnd = parser.textEnd
    this.#isTextEscaped = parser.isTextEscaped
    this.#isSection = parser.isSection
    return xmlText
  }
}
