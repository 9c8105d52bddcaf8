const lessThan = 0x3c

/** The characters of an XML document that is known to be well-formed, which is UTF-8 or UTF-16. */
export const decodeXml = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes)

const encodingOf = ([first, second]: Uint8Array): string => {
  if ((first === 0xff && second === 0xfe) || (first === lessThan && second === 0)) return "utf-16le"
  return (first === 0xfe && second === 0xff) || (first === 0 && second === lessThan) ? "utf-16be" : "utf-8"
}
