import { isUtf8 } from "node:buffer"
import { quote, quotedUnitsMax } from "./Quote.ts"
import { Refusal } from "./Refusal.ts"
import { firstInvalidUtf8, hasByteOrderMark } from "./Utf8.ts"
import { XmlStrings } from "./XmlStrings.ts"

const lineFeed = 0x0a
const lessThan = 0x3c
const greaterThan = 0x3e
const question = 0x3f

const markBytes = 3
const declarationBytesMax = 1_024
/** More than `quote` shows, in UTF-8. */
const quotedBytesMax = 4 * (quotedUnitsMax + 1)
const plainName = /^[\w./[\]-]{1,100}$/

/** The bytes of a document as UTF-8, and how to speak of a place in them. */
export class XmlSource {
  readonly bytes: Buffer
  readonly strings: XmlStrings
  /** Where the markup begins: after the byte order mark and the XML declaration. */
  readonly start: number
  /** A plain document type and any encoding are accepted, which are none in Office packages (ECMA-376, part 2). */
  readonly isLenient: boolean
  readonly #name: string

  /** Throws `file_corrupt` for what is not in UTF-8, UTF-16 or, if it may be, the encoding that it declares. */
  constructor(input: Uint8Array, name: string, isLenient = false) {
    this.isLenient = isLenient
    this.#name = plainName.test(name) ? name : quote(name)
    this.bytes = this.#utf8(Buffer.from(input.buffer, input.byteOffset, input.byteLength))
    this.strings = new XmlStrings(this.bytes)
    this.start = this.#declarationEnd(hasByteOrderMark(this.bytes) ? markBytes : 0)
  }

  /** A `file_corrupt` that names the line. */
  fault(at: number, fault: string): Refusal {
    return new Refusal("file_corrupt", `${this.#place(at)}: ${fault}.`)
  }

  /** An `archive_limit_exceeded` that names line, value and limit. */
  excess(at: number, fault: string, limit: string, bound: number): Refusal {
    return new Refusal(
      "archive_limit_exceeded",
      `${this.#place(at)}: ${fault}; the limit ${limit} is ${bound}.`,
    )
  }

  /** The document's text at a place, cut short and quoted for a message. */
  quoted(start: number, end: number): string {
    return quote(this.bytes.toString("utf8", start, Math.min(end, start + quotedBytesMax)))
  }

  #place(at: number): string {
    let line = 1
    for (let index = 0; index < at; index++) if (this.bytes[index] === lineFeed) line++
    return `${this.#name}, line ${line}`
  }

  #utf8(bytes: Buffer): Buffer {
    const wide = wideEncoding(bytes)
    if (wide !== undefined) return this.#transcoded(bytes, wide)
    const declared = this.isLenient ? declaredEncoding(bytes) : undefined
    if (declared !== undefined) return this.#transcoded(bytes, declared)
    if (isUtf8(bytes)) return bytes
    const fault = `byte ${firstInvalidUtf8(bytes)} is not valid UTF-8; XML must be UTF-8 or UTF-16`
    throw new Refusal("file_corrupt", `${this.#name}: ${fault}.`)
  }

  #transcoded(bytes: Buffer, encoding: string): Buffer {
    try {
      return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes))
    } catch {
      const fault = `the text is not valid ${encoding.toUpperCase()}`
      throw new Refusal("file_corrupt", `${this.#name}: ${fault}.`)
    }
  }

  /** Checks the XML declaration, if there is one (XML 1.0, 2.8). */
  #declarationEnd(start: number): number {
    const { bytes } = this
    if (bytes[start] !== lessThan || bytes[start + 1] !== question) return start
    const last = bytes.indexOf(greaterThan, start)
    const end = last < 0 ? bytes.length : last + 1
    const written = bytes.toString("latin1", start, Math.min(end, start + declarationBytesMax))
    if (!declarationStart.test(written)) return start
    const found = declaration.exec(written)
    if (found === null) throw this.fault(start, "the XML declaration is not well-formed")
    const encoding = found[3] ?? found[4]
    if (encoding === undefined || unicode.test(encoding)) return end
    const known = this.isLenient ? "it is not known" : "accepted are UTF-8 and UTF-16"
    if (!this.isLenient || decodable(encoding) === undefined) {
      throw this.fault(start, `the encoding ${quote(encoding)} is declared; ${known}`)
    }
    return end
  }
}

/** The characters of an XML document. Throws a `Refusal` (`file_corrupt`). */
export const decodeXml = (bytes: Uint8Array): string =>
  new XmlSource(bytes, "the document", true).bytes.toString()

/** UTF-16 by its byte order mark, or by how `<?` looks in it. */
const wideEncoding = (bytes: Buffer): "utf-16le" | "utf-16be" | undefined => {
  const first = bytes[0]
  const second = bytes[1]
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  if (first === lessThan && second === 0 && bytes[2] === question && bytes[3] === 0) return "utf-16le"
  const isBigEndian = first === 0 && second === lessThan && bytes[2] === 0 && bytes[3] === question
  return isBigEndian ? "utf-16be" : undefined
}

const white = "[ \\t\\r\\n]"
const setting = (name: string, value: string) =>
  `${white}+${name}${white}*=${white}*(?:"(${value})"|'(${value})')`
const declarationStart = new RegExp(`^<\\?xml${white}`)
const declaration = new RegExp(
  `^<\\?xml${setting("version", "1\\.[0-9]+")}(?:${setting("encoding", "[A-Za-z][A-Za-z0-9._-]*")})?` +
    `(?:${setting("standalone", "yes|no")})?${white}*\\?>$`,
)
const unicode = /^(?:utf-?8|utf-?16(?:le|be)?|(?:us-)?ascii)$/i

/** The standard name of an encoding, undefined where it cannot be read. */
const decodable = (label: string): string | undefined => {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** An encoding other than UTF-8 and UTF-16 that the XML declaration names. */
const declaredEncoding = (bytes: Buffer): string | undefined => {
  const start = hasByteOrderMark(bytes) ? markBytes : 0
  const written = bytes.toString("latin1", start, start + declarationBytesMax)
  const label = /^<\?xml[^>]*?\sencoding[ \t\r\n]*=[ \t\r\n]*["']([A-Za-z][A-Za-z0-9._-]*)["']/.exec(
    written,
  )?.[1]
  if (label === undefined || unicode.test(label)) return undefined
  const encoding = decodable(label)
  return encoding?.startsWith("utf-") ? undefined : encoding
}
