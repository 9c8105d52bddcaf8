import { Budget, DocumentWarnings } from "@atelier/executor/flow"
import { openPackage, readXml, xmlEnd, xmlStart, xmlText } from "@atelier/intake/bytes"
import type { ConvertFormat } from "./Format.ts"
import { Notes } from "./flow/Notes.ts"
import { ListStyles } from "./odt/ListStyles.ts"
import { OdtEquations } from "./odt/OdtEquations.ts"
import { OdtStyles } from "./odt/OdtStyles.ts"
import { type OdtDocument, OdtText } from "./odt/OdtText.ts"
import { element, vocabulary } from "./odt/vocabulary.ts"

const stylesPart = "styles.xml"

/**
 * OpenDocument texts: headings, paragraphs with bold and italic text, links and equations, lists with their numbers,
 * tables, text boxes and notes, in the order of the text. What is left out becomes a warning.
 */
export const convert: ConvertFormat = ({ bytes, markdown, warnings }) => {
  const { archive, mainPart } = openPackage(bytes, "odt")
  const document: OdtDocument = {
    styles: new OdtStyles(),
    listStyles: new ListStyles(),
    notes: new Notes(),
    equations: new OdtEquations((part) => archive.read(part)),
    warnings: new DocumentWarnings(warnings),
    budget: new Budget(markdown.bytesMax),
  }
  const styles = archive.read(stylesPart)
  if (styles !== undefined) readStyles(document, styles)
  const content = archive.read(mainPart) ?? new Uint8Array()
  new OdtText(document, readXml(content, { vocabulary, source: mainPart, isLenient: true }), markdown).read()
  document.notes.writeTo(markdown)
}

/** Reads the styles that all documents share; what is text there belongs to headers and footers. */
const readStyles = ({ styles, listStyles, warnings }: OdtDocument, bytes: Uint8Array): void => {
  const { paragraph, heading, span, link } = element
  const xml = readXml(bytes, {
    vocabulary,
    source: stylesPart,
    isLenient: true,
    textIn: [paragraph, heading, span, link],
  })
  let hasText = false
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText) hasText ||= /\p{L}/u.test(xml.text())
    if (token !== xmlStart) continue
    if (xml.element === element.fontFace) styles.readFontFace(xml)
    else if (xml.element === element.defaultStyle) styles.readDefault(xml)
    else if (xml.element === element.style) styles.read(xml)
    else if (xml.element === element.listStyle || xml.element === element.outlineStyle) listStyles.read(xml)
  }
  if (hasText) warnings.headersAndFooters()
}
