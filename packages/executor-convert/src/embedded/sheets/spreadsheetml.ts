import { type XmlReader, xmlVocabulary } from "@atelier/intake/bytes"

/** What is read of the parts of a workbook, in transitional and strict files. */
export const spreadsheetml = xmlVocabulary(
  {
    x: [
      "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
      "http://purl.oclc.org/ooxml/spreadsheetml/main",
    ],
    r: [
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
      "http://purl.oclc.org/ooxml/officeDocument/relationships",
    ],
  },
  [
    // workbook
    "x:workbookPr",
    "x:sheet",
    // shared and inline strings
    "x:si",
    "x:is",
    "x:t",
    "x:rPh",
    "x:r",
    "x:vertAlign",
    "x:strike",
    // styles
    "x:numFmts",
    "x:numFmt",
    "x:fonts",
    "x:font",
    "x:cellXfs",
    "x:xf",
    // worksheet
    "x:col",
    "x:row",
    "x:c",
    "x:f",
    "x:v",
    "x:mergeCell",
    "x:hyperlink",
    // comments
    "x:comment",
  ],
)

/** Whether the property that has just started is set. */
export const isOn = (xml: XmlReader): boolean => {
  const value = xml.attribute("val")
  return value === undefined || isTrue(value)
}

/** A truth value of XML Schema, false where it is absent. */
export const isTrue = (value: string | undefined): boolean => value === "1" || value === "true"
