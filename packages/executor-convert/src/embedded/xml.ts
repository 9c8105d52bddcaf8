import { DocumentWarnings } from "@atelier/executor/flow"
import { decodeXml, verifyXml } from "@atelier/intake/bytes"
import type { ConvertFormat } from "./Format.ts"
import { isCharacterName } from "./xml/characterNames.ts"
import { Jats } from "./xml/Jats.ts"
import { findProse } from "./xml/prose.ts"
import { UsPatent } from "./xml/UsPatent.ts"
import { UsPatentBefore2005 } from "./xml/UsPatentBefore2005.ts"
import { XmlOutline } from "./xml/XmlOutline.ts"
import { readTags } from "./xml/XmlTags.ts"

/**
 * XML: articles in JATS and patents of the United States as they are read, with headings, lists and tables; any other
 * as an outline, in which the root is the heading, and each element an item with its name, its attributes and its
 * text, inside that of its parent. The source itself is available from text-md-json. Throws a `Refusal`.
 */
export const convert: ConvertFormat = ({ bytes, markdown, warnings }) => {
  verifyXml(bytes, { isLenient: true, isCharacterName })
  const xml = decodeXml(bytes)
  const said = new DocumentWarnings(warnings)
  const Vocabulary = vocabularyOf(xml)
  if (Vocabulary === undefined) readTags(xml, new XmlOutline(markdown, said, findProse(xml)))
  else {
    const translation = new Vocabulary(xml, markdown, markdown.bytesMax, said)
    readTags(xml, translation)
    translation.finish()
  }
}

const vocabularyOf = (xml: string): typeof Jats | typeof UsPatent | undefined => {
  const [root = "", first = ""] = firstNames(xml)
  if (root === "us-patent-application" || root === "us-patent-grant") return UsPatent
  if (root === "patent-application-publication" || root === "PATDOC") return UsPatentBefore2005
  const isArticle = root === "article" && /^(?:processing-meta|front|front-stub|body)$/.test(first)
  return isArticle || (root === "pmc-articleset" && first === "article") ? Jats : undefined
}

/** The local names of the root and of the first element in it. The document is known to be well-formed. */
const firstNames = (xml: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const [, name] of xml.matchAll(markup)) {
    if (name !== undefined) names.push(name.slice(name.indexOf(":") + 1))
    if (names.length === 2) break
  }
  return names
}

const markup = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![A-Z][^>]*>|<([^\s/>!?]+)/g
