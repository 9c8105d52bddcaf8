import JSZip from "jszip"

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const mediaType = "application/vnd.oasis.opendocument.text"

const openDocument = (name: string): string => `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`

const namespaces = Object.entries({
  office: openDocument("office"),
  text: openDocument("text"),
  table: openDocument("table"),
  draw: openDocument("drawing"),
  style: openDocument("style"),
  fo: openDocument("xsl-fo-compatible"),
  svg: openDocument("svg-compatible"),
  xlink: "http://www.w3.org/1999/xlink",
  field: "urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0",
  dc: "http://purl.org/dc/elements/1.1/",
})
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join("")

export interface OpenDocumentParts {
  /** What stands in `office:text`. */
  readonly text: string
  /** What stands in `office:automatic-styles` of the content. */
  readonly automatic?: string
  /** What stands in `office:styles`, and in `office:master-styles`, of the styles. */
  readonly styles?: string
  readonly master?: string
  /** Further parts by name, and others in the place of those that are made. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>
}

/** The same moment in every entry, so that the same parts make the same bytes. */
const date = new Date(Date.UTC(2024, 0, 1))

/** An OpenDocument text as small as can be. */
export const openDocumentText = async ({
  text,
  automatic = "",
  styles = "",
  master = "",
  parts = {},
}: OpenDocumentParts): Promise<Buffer> => {
  const root = (name: string, content: string) =>
    `${declaration}<office:${name}${namespaces} office:version="1.3">${content}</office:${name}>`
  const zip = new JSZip()
  zip.file("mimetype", mediaType, { date, compression: "STORE" })
  const files = {
    "content.xml": root(
      "document-content",
      `<office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:text>${text}</office:text></office:body>`,
    ),
    "styles.xml": root(
      "document-styles",
      `<office:styles>${styles}</office:styles><office:master-styles>${master}</office:master-styles>`,
    ),
    "META-INF/manifest.xml":
      `${declaration}<manifest:manifest xmlns:manifest="${openDocument("manifest")}" manifest:version="1.3">` +
      `<manifest:file-entry manifest:full-path="/" manifest:media-type="${mediaType}"/></manifest:manifest>`,
    ...parts,
  }
  for (const [name, content] of Object.entries(files)) zip.file(name, content, { date, createFolders: false })
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
}

export const paragraph = (content: string, style = ""): string =>
  `<text:p${style === "" ? "" : ` text:style-name="${style}"`}>${content}</text:p>`

export const heading = (level: number, content: string, attributes = ""): string =>
  `<text:h text:outline-level="${level}" ${attributes}>${content}</text:h>`

export const span = (style: string, content: string): string =>
  `<text:span text:style-name="${style}">${content}</text:span>`

/** A style; `properties` are attributes of its text. */
export const style = (family: string, name: string, properties = "", attributes = ""): string =>
  `<style:style style:family="${family}" style:name="${name}" ${attributes}><style:text-properties ${properties}/></style:style>`

export const list = (items: string, attributes = ""): string =>
  `<text:list ${attributes}>${items}</text:list>`

/** An item with a paragraph, and whatever follows it. */
export const item = (content: string, more = "", attributes = ""): string =>
  `<text:list-item ${attributes}>${paragraph(content)}${more}</text:list-item>`

export const numberLevel = (level: number, attributes: string, name = "list-level-style-number"): string =>
  `<text:${name} text:level="${level}" ${attributes}/>`

export const cell = (content: string, attributes = ""): string =>
  `<table:table-cell ${attributes}>${content.startsWith("<") || content === "" ? content : paragraph(content)}</table:table-cell>`

export const row = (cells: string, attributes = ""): string =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`

export const table = (...rows: ReadonlyArray<string>): string =>
  `<table:table><table:table-column/>${rows.join("")}</table:table>`
