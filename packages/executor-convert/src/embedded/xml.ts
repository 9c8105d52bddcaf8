import { verifyXml } from "@atelier/intake/bytes"
import type { ConvertFormat } from "./Format.ts"
import { DocumentWarnings } from "./flow/DocumentWarnings.ts"
import { findProse } from "./xml/prose.ts"
import { XmlOutline } from "./xml/XmlOutline.ts"
import { readTags } from "./xml/XmlTags.ts"

/**
 * XML of any kind as an outline: the root is the heading, each element an item with its name, its attributes and
 * its text, inside that of its parent. The source itself is available from text-md-json. Throws a `Refusal`.
 */
export const convert: ConvertFormat = ({ bytes, markdown, warnings }) => {
  verifyXml(bytes)
  const xml = decodeXml(bytes)
  const outline = new XmlOutline(markdown, new DocumentWarnings(warnings), findProse(xml))
  readTags(xml, outline)
}

const lessThan = 0x3c

/** The characters of an XML document that is known to be well-formed, which is UTF-8 or UTF-16. */
const decodeXml = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes)

const encodingOf = ([first, second]: Uint8Array): string => {
  if ((first === 0xff && second === 0xfe) || (first === lessThan && second === 0)) return "utf-16le"
  return (first === 0xfe && second === 0xff) || (first === 0 && second === lessThan) ? "utf-16be" : "utf-8"
}
