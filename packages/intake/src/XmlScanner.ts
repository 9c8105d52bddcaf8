import type { IntakeLimits } from "./Limits.ts"
import {
  isName,
  nameBytes,
  nameStartBytes,
  ordinary,
  referencedCharacter,
  referenceEnd,
  sectionKinds,
  textKinds,
  valueKinds,
} from "./XmlCharacters.ts"
import type { XmlSource } from "./XmlSource.ts"
import { hashMultiplier } from "./XmlSpellings.ts"

const lineFeed = 0x0a
const tab = 0x09
const carriageReturn = 0x0d
const space = 0x20
const ampersand = 0x26
const numberSign = 0x23
const hyphen = 0x2d
const colonSign = 0x3a
const lessThan = 0x3c
const greaterThan = 0x3e
const question = 0x3f
const closingBracket = 0x5d
/** First byte of U+FFFE and U+FFFF, among others. */
const nonCharacterLead = 0xef

/** HTML has none that is longer. */
const characterNameBytesMax = 31

export const isWhite = (byte: number): boolean =>
  byte === space || byte === lineFeed || byte === carriageReturn || byte === tab

/**
 * Passes the smallest pieces of a document: each method takes the offset where a piece begins and returns
 * the one after it, or throws a `Refusal`.
 */
export class XmlScanner {
  readonly #source: XmlSource
  readonly #bytes: Buffer
  readonly #limits: IntakeLimits
  readonly #isCharacterName: (name: string) => boolean
  /** Whether the document names a definition elsewhere, which can declare names of characters. */
  isDefinedElsewhere = false
  /** Of the name that was passed last: where its colon stands, 0 if it has none. */
  colon = 0
  /** Of the name that was passed last. */
  hash = 0
  /** Whether the text, CDATA section or value that was passed last means something else than what is written. */
  isEscaped = false

  constructor(source: XmlSource, limits: IntakeLimits, isCharacterName: (name: string) => boolean) {
    this.#source = source
    this.#isCharacterName = isCharacterName
    this.#bytes = source.bytes
    this.#limits = limits
  }

  white(start: number): number {
    let at = start
    while (isWhite(this.#bytes[at] ?? 0)) at++
    return at
  }

  /** @param what for messages: "an element" */
  name(start: number, what: string): number {
    const bytes = this.#bytes
    let at = start
    let byte = bytes[at] ?? 0
    let seen = byte
    let hash = 0
    let colon = 0
    for (;;) {
      if (nameStartBytes[byte] !== 1) throw this.#unexpected(at, `in the name of ${what}`)
      do {
        hash = Math.imul(hash ^ byte, hashMultiplier)
        byte = bytes[++at] ?? 0
        seen |= byte
      } while (nameBytes[byte] === 1)
      if (byte !== colonSign || colon !== 0) break
      colon = at
      hash = Math.imul(hash ^ byte, hashMultiplier)
      byte = bytes[++at] ?? 0
      seen |= byte
    }
    if (at - start > this.#limits.xml_name_bytes_max) {
      const fault = `a name has ${at - start} bytes`
      throw this.#source.excess(start, fault, "xml_name_bytes_max", this.#limits.xml_name_bytes_max)
    }
    if (seen >= 0x80 && !isName(bytes.toString("utf8", start, at))) {
      throw this.#source.fault(start, `${this.#source.quoted(start, at)} is not a legal name`)
    }
    this.colon = colon
    this.hash = hash
    return at
  }

  /** Character data up to the next `<`. */
  text(start: number): number {
    const bytes = this.#bytes
    this.isEscaped = false
    let at = start
    for (;;) {
      while (textKinds[bytes[at] ?? 0] === ordinary) at++
      const byte = bytes[at] ?? 0
      if (byte === lessThan) break
      if (byte === ampersand) {
        this.isEscaped = true
        at = this.#reference(at)
      } else if (byte === carriageReturn) {
        this.isEscaped = true
        at++
      } else if (byte === closingBracket) {
        if (bytes[at + 1] === closingBracket && bytes[at + 2] === greaterThan) {
          throw this.#source.fault(at, "]]> stands in a text")
        }
        at++
      } else {
        at = this.#rare(at, "a text")
      }
    }
    this.#checkText(start, at)
    return at
  }

  /** An attribute's value up to its closing quote. */
  value(start: number, quote: number): number {
    const bytes = this.#bytes
    this.isEscaped = false
    let at = start
    for (;;) {
      while (valueKinds[bytes[at] ?? 0] === ordinary) at++
      const byte = bytes[at] ?? 0
      if (byte === quote) break
      if (byte === ampersand) {
        this.isEscaped = true
        at = this.#reference(at)
      } else if (byte === lessThan) {
        throw this.#source.fault(at, "< stands in the value of an attribute")
      } else if (isWhite(byte)) {
        this.isEscaped = true
        at++
      } else {
        at = this.#rare(at, "the value of an attribute")
      }
    }
    if (at - start > this.#limits.xml_attribute_bytes_max) {
      const fault = `the value of an attribute has ${at - start} bytes`
      const limit = this.#limits.xml_attribute_bytes_max
      throw this.#source.excess(start, fault, "xml_attribute_bytes_max", limit)
    }
    return at
  }

  /** The content of a CDATA section up to its `]]>`. */
  characterSection(start: number): number {
    const bytes = this.#bytes
    this.isEscaped = false
    for (let at = start; ; at++) {
      at = this.#section(at, "a CDATA section")
      const byte = bytes[at]
      if (byte === carriageReturn) this.isEscaped = true
      if (byte === closingBracket && bytes[at + 1] === closingBracket && bytes[at + 2] === greaterThan) {
        this.#checkText(start, at)
        return at
      }
    }
  }

  /** The content of a comment, and its end. */
  comment(start: number): number {
    const bytes = this.#bytes
    for (let at = start; ; at++) {
      at = this.#section(at, "a comment")
      if (bytes[at] !== hyphen || bytes[at + 1] !== hyphen) continue
      if (bytes[at + 2] === greaterThan) return at + 3
      throw this.#source.fault(at, "-- stands in a comment")
    }
  }

  /** A processing instruction from its `<?` on. */
  instruction(start: number): number {
    const bytes = this.#bytes
    const target = start + 2
    const end = this.name(target, "a processing instruction")
    if (/^xml$/i.test(bytes.toString("latin1", target, end))) {
      throw this.#source.fault(start, "an XML declaration stands not at the very start")
    }
    if (this.colon > 0 || (!isWhite(bytes[end] ?? 0) && bytes[end] !== question)) {
      throw this.#unexpected(this.colon || end, "in the name of a processing instruction")
    }
    for (let at = end; ; at++) {
      at = this.#section(at, "a processing instruction")
      if (bytes[at] === question && bytes[at + 1] === greaterThan) return at + 2
      if (at === end && bytes[at] === question) throw this.#unexpected(at, "in a processing instruction")
    }
  }

  #section(start: number, where: string): number {
    const bytes = this.#bytes
    let at = start
    for (;;) {
      while (sectionKinds[bytes[at] ?? 0] === ordinary) at++
      const byte = bytes[at] ?? 0
      if (byte >= space && byte !== nonCharacterLead) return at
      if (byte === carriageReturn) return at
      at = this.#rare(at, where)
    }
  }

  #checkText(start: number, end: number): void {
    if (end - start <= this.#limits.xml_text_bytes_max) return
    const fault = `a text has ${end - start} bytes`
    throw this.#source.excess(start, fault, "xml_text_bytes_max", this.#limits.xml_text_bytes_max)
  }

  #reference(at: number): number {
    const end = referenceEnd(this.#bytes, at)
    if (end >= 0 && referencedCharacter(this.#bytes, at, end) >= 0) return end + 1
    if (this.#isNamed(at, end)) return end + 1
    if (end < 0) throw this.#source.fault(at, "& begins no entity or character reference; write &amp;")
    const reference = this.#source.quoted(at, end + 1)
    throw this.#source.fault(at, `${reference} is not a predefined entity or a legal character`)
  }

  /** The reference is by a name, which a definition elsewhere can declare. */
  #isNamed(at: number, end: number): boolean {
    const start = at + 1
    const isName = end > start && end - start <= characterNameBytesMax && this.#bytes[start] !== numberSign
    return (
      this.isDefinedElsewhere && isName && this.#isCharacterName(this.#bytes.toString("latin1", start, end))
    )
  }

  /** A byte that is legal in most places, or is not legal anywhere, or is not there. */
  #rare(at: number, where: string): number {
    const bytes = this.#bytes
    const byte = bytes[at]
    if (byte === undefined) throw this.#source.fault(at, `the document ends inside of ${where}`)
    if (byte < space) throw this.#unexpected(at, `in ${where}`)
    if (byte === nonCharacterLead && bytes[at + 1] === 0xbf && (bytes[at + 2] ?? 0) >= 0xbe) {
      throw this.#source.fault(at, `U+FFF${bytes[at + 2] === 0xbe ? "E" : "F"} stands in ${where}`)
    }
    return at + 1
  }

  #unexpected(at: number, where: string): Error {
    return unexpected(this.#source, at, where)
  }
}

/** What is at `at` is not allowed there. */
export const unexpected = (source: XmlSource, at: number, where: string): Error => {
  const byte = source.bytes[at]
  if (byte === undefined) return source.fault(at, `the document ends ${where}`)
  if (byte < space && !isWhite(byte)) {
    return source.fault(
      at,
      `the control character U+00${byte.toString(16).toUpperCase().padStart(2, "0")} stands ${where}`,
    )
  }
  const [character = ""] = source.bytes.toString("utf8", at, at + 4)
  return source.fault(at, `${JSON.stringify(character)} stands ${where}`)
}
