import { xmlVocabulary } from "@atelier/intake/bytes"

const names: Array<string> = []

/** The next number: those of a vocabulary are counted from 1, in the order of its names. */
const number = (name: string): number => names.push(name)

/** Every element of OpenDocument text that means something here; all others are passed through to what they hold. */
export const element = {
  paragraph: number("text:p"),
  heading: number("text:h"),
  span: number("text:span"),
  link: number("text:a"),
  spaces: number("text:s"),
  tab: number("text:tab"),
  lineBreak: number("text:line-break"),
  printedNumber: number("text:number"),
  variable: number("text:variable-set"),
  userVariable: number("text:user-field-get"),
  rubyText: number("text:ruby-text"),
  hiddenText: number("text:hidden-text"),
  hiddenParagraph: number("text:hidden-paragraph"),
  script: number("text:script"),
  fieldMark: number("field:fieldmark"),
  fieldParameter: number("field:param"),

  list: number("text:list"),
  listItem: number("text:list-item"),
  listHeader: number("text:list-header"),

  section: number("text:section"),
  contentsSource: number("text:table-of-content-source"),
  alphabeticalSource: number("text:alphabetical-index-source"),
  illustrationsSource: number("text:illustration-index-source"),
  tablesSource: number("text:table-index-source"),
  objectsSource: number("text:object-index-source"),
  userIndexSource: number("text:user-index-source"),
  bibliographySource: number("text:bibliography-source"),

  note: number("text:note"),
  noteCitation: number("text:note-citation"),
  annotation: number("office:annotation"),
  creator: number("dc:creator"),
  trackedChanges: number("text:tracked-changes"),
  changedRegion: number("text:changed-region"),

  table: number("table:table"),
  row: number("table:table-row"),
  cell: number("table:table-cell"),
  coveredCell: number("table:covered-table-cell"),

  frame: number("draw:frame"),
  textBox: number("draw:text-box"),
  image: number("draw:image"),
  object: number("draw:object"),
  oleObject: number("draw:object-ole"),
  customShape: number("draw:custom-shape"),
  rectangle: number("draw:rect"),
  line: number("draw:line"),
  polyline: number("draw:polyline"),
  polygon: number("draw:polygon"),
  regularPolygon: number("draw:regular-polygon"),
  path: number("draw:path"),
  circle: number("draw:circle"),
  ellipse: number("draw:ellipse"),
  connector: number("draw:connector"),
  caption: number("draw:caption"),
  measure: number("draw:measure"),
  title: number("svg:title"),
  description: number("svg:desc"),
  forms: number("office:forms"),
  scripts: number("office:scripts"),
  eventListeners: number("office:event-listeners"),

  fontFace: number("style:font-face"),
  defaultStyle: number("style:default-style"),
  style: number("style:style"),
  textProperties: number("style:text-properties"),
  paragraphProperties: number("style:paragraph-properties"),
  listStyle: number("text:list-style"),
  outlineStyle: number("text:outline-style"),
  levelProperties: number("style:list-level-properties"),
  labelAlignment: number("style:list-level-label-alignment"),
  bulletLevel: number("text:list-level-style-bullet"),
  imageLevel: number("text:list-level-style-image"),
  numberLevel: number("text:list-level-style-number"),
  outlineLevel: number("text:outline-level-style"),
}

const openDocument = (name: string) => [`urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`]

export const vocabulary = xmlVocabulary(
  {
    office: openDocument("office"),
    text: openDocument("text"),
    table: openDocument("table"),
    draw: openDocument("drawing"),
    style: openDocument("style"),
    fo: openDocument("xsl-fo-compatible"),
    svg: openDocument("svg-compatible"),
    field: ["urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"],
    xlink: ["http://www.w3.org/1999/xlink"],
    dc: ["http://purl.org/dc/elements/1.1/"],
  },
  names,
)
