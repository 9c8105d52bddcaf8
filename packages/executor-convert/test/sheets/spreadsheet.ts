import JSZip from "jszip"

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const mediaType = "application/vnd.oasis.opendocument.spreadsheet"

const openDocument = (name: string): string => `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`

const namespaces = Object.entries({
  office: openDocument("office"),
  text: openDocument("text"),
  table: openDocument("table"),
  draw: openDocument("drawing"),
  style: openDocument("style"),
  fo: openDocument("xsl-fo-compatible"),
  xlink: "http://www.w3.org/1999/xlink",
  dc: "http://purl.org/dc/elements/1.1/",
})
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join("")

/** The same moment in every entry, so that the same parts make the same bytes. */
const date = new Date(Date.UTC(2024, 0, 1))

export interface SpreadsheetParts {
  /** What stands in `office:spreadsheet`. */
  readonly content: string
  /** What stands in `office:automatic-styles`. */
  readonly automatic?: string
  /** Further entries of the manifest. */
  readonly manifest?: string
}

/** An ODS workbook as small as can be. */
export const spreadsheet = ({
  content,
  automatic = "",
  manifest = "",
}: SpreadsheetParts): Promise<Buffer> => {
  const zip = new JSZip()
  zip.file("mimetype", mediaType, { date, compression: "STORE" })
  zip.file(
    "content.xml",
    `${declaration}<office:document-content${namespaces} office:version="1.3"><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:spreadsheet>${content}</office:spreadsheet></office:body></office:document-content>`,
    { date },
  )
  zip.file(
    "META-INF/manifest.xml",
    `${declaration}<manifest:manifest xmlns:manifest="${openDocument("manifest")}" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mediaType}"/>${manifest}</manifest:manifest>`,
    { date },
  )
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
}

/** A workbook of one sheet that is called `Sheet`. */
export const sheet = (content: string, more: Partial<SpreadsheetParts> = {}): Promise<Buffer> =>
  spreadsheet({ ...more, content: table("Sheet", content) })

export const table = (name: string, content: string, attributes = ""): string =>
  `<table:table table:name="${name}"${attributes}>${content}</table:table>`

export const row = (cells: string, attributes = ""): string =>
  `<table:table-row${attributes}>${cells}</table:table-row>`

/** A cell with paragraphs, which are XML already. */
export const cell = (...paragraphs: ReadonlyArray<string>): string =>
  `<table:table-cell office:value-type="string">${paragraphs.map((each) => `<text:p>${each}</text:p>`).join("")}</table:table-cell>`

/** A cell that several columns repeat. */
export const cells = (count: number | string, text: string): string =>
  `<table:table-cell table:number-columns-repeated="${count}">${text === "" ? "" : `<text:p>${text}</text:p>`}</table:table-cell>`

/** A cell with a value, and without what it shows. */
export const value = (type: string, attributes: string): string =>
  `<table:table-cell office:value-type="${type}" ${attributes}/>`

export const rowsRepeated = (count: number | string): string => ` table:number-rows-repeated="${count}"`
