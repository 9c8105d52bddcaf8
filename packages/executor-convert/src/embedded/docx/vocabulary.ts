import { mathElements } from "@atelier/executor/flow"
import { xmlVocabulary } from "@atelier/intake/bytes"

const names: Array<string> = []

/** The next number: those of a vocabulary are counted from 1, in the order of its names. */
const number = (name: string): number => names.push(name)

/** Every element of Word that means something here; all others are passed through to what they hold. */
export const element = {
  alternateContent: number("mc:AlternateContent"),
  choice: number("mc:Choice"),
  fallback: number("mc:Fallback"),

  paragraph: number("w:p"),
  paragraphProperties: number("w:pPr"),
  paragraphStyle: number("w:pStyle"),
  numbering: number("w:numPr"),
  numberingId: number("w:numId"),
  level: number("w:ilvl"),
  outlineLevel: number("w:outlineLvl"),
  indentation: number("w:ind"),
  frame: number("w:framePr"),

  run: number("w:r"),
  runProperties: number("w:rPr"),
  runStyle: number("w:rStyle"),
  fonts: number("w:rFonts"),
  bold: number("w:b"),
  italic: number("w:i"),
  vanish: number("w:vanish"),
  strike: number("w:strike"),
  doubleStrike: number("w:dstrike"),
  verticalAlignment: number("w:vertAlign"),

  text: number("w:t"),
  tab: number("w:tab"),
  positionedTab: number("w:ptab"),
  lineBreak: number("w:br"),
  carriageReturn: number("w:cr"),
  noBreakHyphen: number("w:noBreakHyphen"),
  symbol: number("w:sym"),
  footnoteReference: number("w:footnoteReference"),
  endnoteReference: number("w:endnoteReference"),
  commentReference: number("w:commentReference"),

  hyperlink: number("w:hyperlink"),
  simpleField: number("w:fldSimple"),
  fieldCharacter: number("w:fldChar"),
  checkBox: number("w:checkBox"),
  checked: number("w:checked"),
  checkedByDefault: number("w:default"),
  instruction: number("w:instrText"),
  ruby: number("w:ruby"),
  rubyText: number("w:rt"),

  inserted: number("w:ins"),
  movedHere: number("w:moveTo"),
  deleted: number("w:del"),
  movedAway: number("w:moveFrom"),
  paragraphPropertiesChange: number("w:pPrChange"),
  runPropertiesChange: number("w:rPrChange"),

  contentControlProperties: number("w:sdtPr"),
  contentControlEndProperties: number("w:sdtEndPr"),

  table: number("w:tbl"),
  gridColumn: number("w:gridCol"),
  gridChange: number("w:tblGridChange"),
  row: number("w:tr"),
  rowProperties: number("w:trPr"),
  columnsBefore: number("w:gridBefore"),
  cell: number("w:tc"),
  cellProperties: number("w:tcPr"),
  columns: number("w:gridSpan"),
  merged: number("w:vMerge"),

  textBox: number("w:txbxContent"),
  picture: number("pic:pic"),
  legacyPicture: number("v:imagedata"),
  shape: number("v:shape"),
  wordArt: number("v:textpath"),
  chart: number("c:chart"),
  diagram: number("dgm:relIds"),
  embeddedObject: number("o:OLEObject"),
  embeddedDocument: number("w:altChunk"),
  subDocument: number("w:subDoc"),

  documentProperties: number("wp:docPr"),

  math: number("m:oMath"),
  mathText: number("m:t"),

  style: number("w:style"),
  styleName: number("w:name"),
  basedOn: number("w:basedOn"),
  abstractNumbering: number("w:abstractNum"),
  numberingInstance: number("w:num"),
  abstractNumberingId: number("w:abstractNumId"),
  numberingStyleLink: number("w:numStyleLink"),
  numberingLevel: number("w:lvl"),
  levelOverride: number("w:lvlOverride"),
  startOverride: number("w:startOverride"),
  start: number("w:start"),
  numberFormat: number("w:numFmt"),
  levelText: number("w:lvlText"),
  levelRestart: number("w:lvlRestart"),
  legalNumbering: number("w:isLgl"),
  footnote: number("w:footnote"),
  endnote: number("w:endnote"),
  comment: number("w:comment"),
}

const ooxml = (transitional: string, strict: string) => [
  `http://schemas.openxmlformats.org/${transitional}`,
  `http://purl.oclc.org/ooxml/${strict}`,
]

export const vocabulary = xmlVocabulary(
  {
    w: ooxml("wordprocessingml/2006/main", "wordprocessingml/main"),
    r: ooxml("officeDocument/2006/relationships", "officeDocument/relationships"),
    m: ooxml("officeDocument/2006/math", "officeDocument/math"),
    pic: ooxml("drawingml/2006/picture", "drawingml/picture"),
    wp: ooxml("drawingml/2006/wordprocessingDrawing", "drawingml/wordprocessingDrawing"),
    c: ooxml("drawingml/2006/chart", "drawingml/chart"),
    dgm: ooxml("drawingml/2006/diagram", "drawingml/diagram"),
    mc: ["http://schemas.openxmlformats.org/markup-compatibility/2006"],
    v: ["urn:schemas-microsoft-com:vml"],
    o: ["urn:schemas-microsoft-com:office:office"],
  },
  [...names, ...mathElements.filter((name) => name !== "m:t")],
)
