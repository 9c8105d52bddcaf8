import { xmlVocabulary } from "@atelier/intake/bytes"

const namespace = (name: string): ReadonlyArray<string> => [
  `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`,
]

/** Elements of `content.xml` whose characters are text; fields hold what they last showed. */
const texts = [
  "text:p",
  "text:span",
  "text:a",
  "text:meta",
  "text:ruby-base",
  "text:sheet-name",
  "text:title",
  "text:date",
  "text:time",
  "text:file-name",
  "text:page-number",
  "text:page-count",
]

/** What is read of the `content.xml` of a spreadsheet. */
export const opendocument = xmlVocabulary(
  {
    office: namespace("office"),
    table: namespace("table"),
    text: namespace("text"),
    draw: namespace("drawing"),
    style: namespace("style"),
    fo: namespace("xsl-fo-compatible"),
    xlink: ["http://www.w3.org/1999/xlink"],
  },
  [
    ...texts,
    "style:style",
    "style:table-properties",
    "style:text-properties",
    "table:tracked-changes",
    "table:dde-link",
    "table:table",
    "table:table-column",
    "table:table-row",
    "table:table-cell",
    "table:covered-table-cell",
    "text:line-break",
    "text:s",
    "text:tab",
    "office:annotation",
    "draw:frame",
    "draw:image",
    "draw:object",
    "draw:object-ole",
  ],
)

export const opendocumentTexts = texts.map((name) => opendocument.number(name))
