import { decodeXml, verifyXml } from "@atelier/intake/bytes"
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
  verifyXml(bytes, { isLenient: true })
  const xml = decodeXml(bytes)
  const outline = new XmlOutline(markdown, new DocumentWarnings(warnings), findProse(xml))
  readTags(xml, outline)
}
