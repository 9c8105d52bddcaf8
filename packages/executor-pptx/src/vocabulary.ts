import { mathElements } from "@atelier/executor/flow"
import { xmlVocabulary } from "@atelier/intake/bytes"

/** ISO/IEC 29500: the transitional namespaces, and the strict ones that mean the same. */
const namespaces = {
  p: [
    "http://schemas.openxmlformats.org/presentationml/2006/main",
    "http://purl.oclc.org/ooxml/presentationml/main",
  ],
  a: ["http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main"],
  r: [
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
  ],
  m: [
    "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "http://purl.oclc.org/ooxml/officeDocument/math",
  ],
  mc: ["http://schemas.openxmlformats.org/markup-compatibility/2006"],
  dgm: [
    "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "http://purl.oclc.org/ooxml/drawingml/diagram",
  ],
}

const levels = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((level) => `a:lvl${level}pPr`)

/** Every element of slides, layouts, masters, notes, diagrams and the presentation that decides what is text, and where. */
export const vocabulary = xmlVocabulary(namespaces, [
  ...levels,
  "a:t",
  "a:p",
  "a:fld",
  "a:br",
  "a:pPr",
  "a:buNone",
  "a:buChar",
  "a:buBlip",
  "a:buAutoNum",
  "a:rPr",
  "a:latin",
  "a:sym",
  "a:hlinkClick",
  "a:tbl",
  "a:gridCol",
  "a:tr",
  "a:tc",
  "a:graphicData",
  "m:oMath",
  "p:sld",
  "p:sp",
  "p:ph",
  "p:pic",
  "p:cNvPr",
  "p:oleObj",
  "p:control",
  "a:audioCd",
  "a:wavAudioFile",
  "a:audioFile",
  "a:videoFile",
  "a:quickTimeFile",
  "p:set",
  "p:anim",
  "p:animClr",
  "p:animEffect",
  "p:animMotion",
  "p:animRot",
  "p:animScale",
  "p:bodyStyle",
  "p:sldId",
  "mc:AlternateContent",
  "mc:Choice",
  "mc:Fallback",
  "p:grpSp",
  "p:graphicFrame",
  "p:xfrm",
  "a:xfrm",
  "a:off",
  "a:ext",
  "a:chOff",
  "a:chExt",
  "dgm:relIds",
  ...mathElements,
])
