import { readXml, xmlClose, xmlEnd, xmlText, xmlVocabulary } from "@atelier/intake/bytes"
import type { SheetWarnings } from "./SheetWarnings.ts"
import type { SheetWriter } from "./SheetWriter.ts"

const vocabulary = xmlVocabulary(
  {
    xdr: [
      "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
      "http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing",
    ],
    a: ["http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main"],
    c: [
      "http://schemas.openxmlformats.org/drawingml/2006/chart",
      "http://purl.oclc.org/ooxml/drawingml/chart",
    ],
    mc: ["http://schemas.openxmlformats.org/markup-compatibility/2006"],
  },
  ["xdr:pic", "xdr:txBody", "a:p", "a:t", "a:br", "c:chart", "mc:Fallback"],
)

const picture = vocabulary.number("xdr:pic")
const textBody = vocabulary.number("xdr:txBody")
const paragraph = vocabulary.number("a:p")
const text = vocabulary.number("a:t")
const lineBreak = vocabulary.number("a:br")
const chart = vocabulary.number("c:chart")
const fallback = vocabulary.number("mc:Fallback")

/** Writes the text of boxes and shapes that lie over the cells of a sheet, a paragraph for each. */
export const writeDrawing = (
  bytes: Uint8Array,
  source: string,
  writer: SheetWriter,
  warnings: SheetWarnings,
): void => {
  let shape = ""
  const xml = readXml(bytes, { vocabulary, source, textIn: [text] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText) shape += xml.text()
    else if (token === xmlClose) {
      if (xml.element === paragraph) shape += "\n"
      else if (xml.element === textBody) {
        writer.text(shape)
        shape = ""
      }
    } else if (xml.element === fallback) xml.skip()
    else if (xml.element === lineBreak) shape += "\n"
    else if (xml.element === picture) warnings.image()
    else if (xml.element === chart) warnings.chart()
  }
}
