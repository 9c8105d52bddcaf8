import JSZip from "jszip"

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaging = "http://schemas.openxmlformats.org/package/2006"
const contentType = "application/vnd.openxmlformats-officedocument.wordprocessingml"

const transitional = {
  w: "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
  r: office,
  m: "http://schemas.openxmlformats.org/officeDocument/2006/math",
}

/** The same things under the names of the strict variant of the standard. */
export const strict = {
  w: "http://purl.oclc.org/ooxml/wordprocessingml/main",
  r: "http://purl.oclc.org/ooxml/officeDocument/relationships",
  m: "http://purl.oclc.org/ooxml/officeDocument/math",
}

const others = {
  mc: "http://schemas.openxmlformats.org/markup-compatibility/2006",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
  pic: "http://schemas.openxmlformats.org/drawingml/2006/picture",
  c: "http://schemas.openxmlformats.org/drawingml/2006/chart",
  dgm: "http://schemas.openxmlformats.org/drawingml/2006/diagram",
  v: "urn:schemas-microsoft-com:vml",
  o: "urn:schemas-microsoft-com:office:office",
}

export interface WordParts {
  /** What stands in `w:body`. */
  readonly body: string
  /** What stands in `w:styles`, `w:numbering` and so on; without it the part is not there. */
  readonly styles?: string
  readonly numbering?: string
  readonly footnotes?: string
  readonly endnotes?: string
  readonly comments?: string
  readonly header?: string
  readonly footer?: string
  /** The data of a diagram (SmartArt), with the id `diagram`. */
  readonly diagram?: string
  /** A document inside of this one by its file, with the id `chunk`. */
  readonly chunk?: readonly [file: string, content: string | Uint8Array]
  /** Targets outside of the document, by id. */
  readonly links?: Readonly<Record<string, string>>
  readonly namespaces?: typeof transitional
  /** Further parts by name, and others in the place of those that are made. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | null>>
}

/** Parts beside the main one: their relationship type is their name, which is also that of their file. */
const roots = {
  styles: "styles",
  numbering: "numbering",
  footnotes: "footnotes",
  endnotes: "endnotes",
  comments: "comments",
  header: "hdr",
  footer: "ftr",
} as const

/** The same moment in every entry, so that the same parts make the same bytes. */
const date = new Date(Date.UTC(2024, 0, 1))

/** A Word document as small as can be. */
export const word = async (document: WordParts): Promise<Buffer> => {
  const { body, links = {}, namespaces = transitional, parts = {} } = document
  const declarations = Object.entries({ ...namespaces, ...others })
    .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
    .join("")
  const element = (name: string, content: string) =>
    `${declaration}<w:${name}${declarations}>${content}</w:${name}>`
  const beside = Object.entries(roots).flatMap(([name, root]) => {
    const content = name in document ? document[name as keyof typeof roots] : undefined
    return content === undefined ? [] : [{ name, xml: element(root, content) }]
  })
  const files: Record<string, string | Uint8Array | null> = {
    "[Content_Types].xml": contentTypes(beside.map(({ name }) => name)),
    "_rels/.rels": relationships(
      `<Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/>`,
    ),
    "word/document.xml": element("document", `<w:body>${body}<w:sectPr/></w:body>`),
    "word/_rels/document.xml.rels": relationships(
      beside
        .map(({ name }) => `<Relationship Id="${name}" Type="${office}/${name}" Target="${name}.xml"/>`)
        .join("") +
        (document.diagram === undefined
          ? ""
          : `<Relationship Id="diagram" Type="${office}/diagramData" Target="diagrams/data1.xml"/>`) +
        (document.chunk === undefined
          ? ""
          : `<Relationship Id="chunk" Type="${office}/aFChunk" Target="/word/${document.chunk[0]}"/>`) +
        externals(links),
    ),
    ...(document.chunk === undefined ? {} : { [`word/${document.chunk[0]}`]: document.chunk[1] }),
    ...(document.diagram === undefined ? {} : { "word/diagrams/data1.xml": document.diagram }),
    "word/_rels/footnotes.xml.rels": relationships(externals(links)),
    ...Object.fromEntries(beside.map(({ name, xml }) => [`word/${name}.xml`, xml])),
    ...parts,
  }
  const zip = new JSZip()
  for (const [name, content] of Object.entries(files)) {
    if (content !== null) zip.file(name, content, { date, createFolders: false })
  }
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
}

const contentTypes = (names: ReadonlyArray<string>): string =>
  `${declaration}<Types xmlns="${packaging}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  '<Default Extension="html" ContentType="text/html"/>' +
  '<Default Extension="mht" ContentType="message/rfc822"/>' +
  '<Default Extension="rtf" ContentType="application/rtf"/>' +
  // The type that Microsoft's library for documents gives to one inside of another.
  `<Default Extension="dat" ContentType="${contentType}.document.main+xml"/>` +
  `<Override PartName="/word/document.xml" ContentType="${contentType}.document.main+xml"/>` +
  `${names.map((name) => `<Override PartName="/word/${name}.xml" ContentType="${contentType}.${name}+xml"/>`).join("")}</Types>`

const relationships = (each: string): string =>
  `${declaration}<Relationships xmlns="${packaging}/relationships">${each}</Relationships>`

const externals = (links: Readonly<Record<string, string>>): string =>
  Object.entries(links)
    .map(
      ([id, target]) =>
        `<Relationship Id="${id}" Type="${office}/hyperlink" Target="${escapeXml(target)}" TargetMode="External"/>`,
    )
    .join("")

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** A run of text; `properties` is what stands in `w:rPr`. */
export const run = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`

/** A paragraph of runs, or of one run of text; `properties` is what stands in `w:pPr`. */
export const paragraph = (content: string, properties = ""): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${content.startsWith("<") ? content : run(content)}</w:p>`

/** A paragraph of a style. */
export const styled = (style: string, text: string): string => paragraph(text, `<w:pStyle w:val="${style}"/>`)

/** A paragraph in a list. */
export const item = (text: string, list: number, level = 0, properties = ""): string =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>${properties}`)

/** A level of a list: its number format, its text, its start. */
export const level = (index: number, format: string, text: string, start = 1, more = ""): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/>` +
  `<w:lvlText w:val="${text}"/>${more}</w:lvl>`

export const abstractList = (id: number, levels: string): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`

export const list = (id: number, abstractId: number, overrides = ""): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstractId}"/>${overrides}</w:num>`

/** A table cell of paragraphs, or of one paragraph of text; `properties` is what stands in `w:tcPr`. */
export const cell = (content: string, properties = ""): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith("<") ? content : paragraph(content)}</w:tc>`

export const row = (...cells: ReadonlyArray<string>): string => `<w:tr>${cells.join("")}</w:tr>`

export const table = (...rows: ReadonlyArray<string>): string =>
  `<w:tbl><w:tblPr/><w:tblGrid/>${rows.join("")}</w:tbl>`

/** A complex field with its result. */
export const field = (instruction: string, result: string): string =>
  '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
  `<w:r><w:instrText xml:space="preserve">${escapeXml(instruction)}</w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`

/** The content of a text box, as it lies in a drawing. */
export const textBox = (content: string): string =>
  `<w:r><w:drawing><w:txbxContent>${content}</w:txbxContent></w:drawing></w:r>`
