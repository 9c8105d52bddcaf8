/** The class of a byte in the loops of the XML reader; `ordinary` bytes are skipped. */
export const ordinary = 0
const illegal = 1
/** Bytes that end a loop or need a closer look. */
const special = 2

const byteTable = (kindOf: (byte: number) => number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte))

const codesOf = (characters: string): ReadonlySet<number> => new Set(Buffer.from(characters))

/** Control characters that XML does not allow; U+FFFE and U+FFFF begin with the byte 0xEF. */
const isControl = (byte: number): boolean => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d

const kinds = (specials: string): Uint8Array => {
  const codes = codesOf(specials)
  return byteTable((byte) => {
    if (isControl(byte)) return illegal
    return byte === 0xef || codes.has(byte) ? special : ordinary
  })
}

export const textKinds: Uint8Array = kinds("<&]\r")
export const valueKinds: Uint8Array = kinds("<&\"'\t\n\r")
/** Comments, processing instructions and CDATA sections. */
export const sectionKinds: Uint8Array = kinds("-?]\r")

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
const nameStarts = codesOf(letters)
const nameRest = codesOf(`${letters}0123456789-.`)

/** 1 for what a name without colon may begin with; what is not ASCII is looked at by `isName`. */
export const nameStartBytes: Uint8Array = byteTable((byte) => (byte >= 0x80 || nameStarts.has(byte) ? 1 : 0))
export const nameBytes: Uint8Array = byteTable((byte) => (byte >= 0x80 || nameRest.has(byte) ? 1 : 0))

const startCharacters =
  "A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}-\\u{200d}" +
  "\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}"
const part = `[${startCharacters}][${startCharacters}\\-.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}-\\u{2040}]*`
const qualifiedName = new RegExp(`^${part}(?::${part})?$`, "u")

/** XML 1.0 (fifth edition) 2.3 with Namespaces 1.0: `local` or `prefix:local`. */
export const isName = (name: string): boolean => qualifiedName.test(name)

/** XML 1.0 (fifth edition) 2.2. */
const isCharacter = (code: number): boolean =>
  code >= 0x20
    ? code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
    : code === 0x09 || code === 0x0a || code === 0x0d

const semicolon = 0x3b
const hash = 0x23
const carriageReturn = 0x0d
const lineFeed = 0x0a
const tab = 0x09
const space = 0x20
const ampersand = 0x26

/** Offset of the semicolon that ends the reference at `at`, -1 if it has none. */
export const referenceEnd = (bytes: Uint8Array, at: number): number => {
  let end = at + 1
  if (bytes[end] === hash) end++
  while (((bytes[end] ?? 0) | 0x20) >= 0x30 && nameBytes[bytes[end] ?? 0] === 1) end++
  return bytes[end] === semicolon ? end : -1
}

const isBytes = (bytes: Uint8Array, at: number, end: number, expected: string): boolean => {
  if (end - at !== expected.length) return false
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected.charCodeAt(index)) return false
  }
  return true
}

const predefined: ReadonlyArray<readonly [string, number]> = [
  ["amp", 0x26],
  ["lt", 0x3c],
  ["gt", 0x3e],
  ["quot", 0x22],
  ["apos", 0x27],
]

/** The character that a reference means, -1 if it is none of the predefined and no legal character. */
export const referencedCharacter = (bytes: Uint8Array, at: number, end: number): number => {
  if (bytes[at + 1] !== hash) {
    for (const [name, code] of predefined) if (isBytes(bytes, at + 1, end, name)) return code
    return -1
  }
  const hexadecimal = bytes[at + 2] === 0x78
  const first = at + (hexadecimal ? 3 : 2)
  if (first >= end) return -1
  let code = 0
  for (let index = first; index < end; index++) {
    const digit = digitOf(bytes[index] ?? 0)
    if (digit < 0 || (!hexadecimal && digit > 9)) return -1
    code = code * (hexadecimal ? 16 : 10) + digit
    if (code > 0x10ffff) return -1
  }
  return isCharacter(code) ? code : -1
}

const digitOf = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = (byte | 0x20) - 0x61
  return letter >= 0 && letter < 6 ? letter + 10 : -1
}

/** For texts of the usual length. */
const scratch = Buffer.alloc(4_096)

/**
 * The characters of a checked range: line ends as line feeds, and if it is no CDATA section, references
 * resolved. White space in an attribute's value becomes spaces (XML 1.0, 2.11 and 3.3.3). What comes out is
 * never longer than what goes in.
 */
export const resolvedText = (
  bytes: Uint8Array,
  start: number,
  end: number,
  kind: "text" | "cdata" | "attribute",
): string => {
  const output = end - start <= scratch.length ? scratch : Buffer.allocUnsafe(end - start)
  let length = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === ampersand && kind !== "cdata") {
      const semicolonAt = referenceEnd(bytes, at)
      length = putCharacter(output, length, referencedCharacter(bytes, at, semicolonAt))
      at = semicolonAt
    } else if (byte === carriageReturn) {
      output[length++] = kind === "attribute" ? space : lineFeed
      if (bytes[at + 1] === lineFeed) at++
    } else {
      output[length++] = kind === "attribute" && (byte === tab || byte === lineFeed) ? space : byte
    }
  }
  return output.toString("utf8", 0, length)
}

const putCharacter = (output: Uint8Array, at: number, code: number): number => {
  if (code < 0x80) {
    output[at] = code
    return at + 1
  }
  if (code < 0x800) {
    output[at] = 0xc0 | (code >> 6)
    output[at + 1] = 0x80 | (code & 0x3f)
    return at + 2
  }
  if (code < 0x10000) {
    output[at] = 0xe0 | (code >> 12)
    output[at + 1] = 0x80 | ((code >> 6) & 0x3f)
    output[at + 2] = 0x80 | (code & 0x3f)
    return at + 3
  }
  output[at] = 0xf0 | (code >> 18)
  output[at + 1] = 0x80 | ((code >> 12) & 0x3f)
  output[at + 2] = 0x80 | ((code >> 6) & 0x3f)
  output[at + 3] = 0x80 | (code & 0x3f)
  return at + 4
}
