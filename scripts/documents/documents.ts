import type { Part } from "./ZipWriter.ts"

/** Small documents of each accepted kind, as parts that a fixture changes before it packs them. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relationshipTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const openXml = "application/vnd.openxmlformats-officedocument"

export const xml = (name: string, body: string): Part => ({ name, data: declaration + body })

/** `[Content_Types].xml` with overrides, part by part. */
export const contentTypes = (overrides: Readonly<Record<string, string>>, defaults = ""): Part =>
  xml(
    "[Content_Types].xml",
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${defaults}${Object.entries(
      overrides,
    )
      .map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
      .join("")}</Types>`,
  )

/** A part of relationships: targets by their type, `rId1` and on. */
export const relationships = (
  name: string,
  targets: ReadonlyArray<readonly [type: string, target: string]>,
): Part =>
  xml(
    name,
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
      .map(
        ([type, target], index) =>
          `<Relationship Id="rId${index + 1}" Type="${relationshipTypes}/${type}" Target="${target}"/>`,
      )
      .join("")}</Relationships>`,
  )

export const documentType = `${openXml}.wordprocessingml.document.main+xml`
const wordNamespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

/** `word/document.xml` with this inside of its body. */
export const wordDocument = (body: string): Part =>
  xml("word/document.xml", `<w:document xmlns:w="${wordNamespace}"><w:body>${body}</w:body></w:document>`)

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

export const docx = (
  document: Part = wordDocument(paragraph("Hello from a document.")),
): ReadonlyArray<Part> => [
  contentTypes({ "word/document.xml": documentType }),
  relationships("_rels/.rels", [["officeDocument", "word/document.xml"]]),
  document,
]

export const presentationType = `${openXml}.presentationml.presentation.main+xml`
const slideNamespaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

const emptyTree = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'

/** The XML of a slide with one title. */
export const slide = (title: string): string =>
  `${declaration}<p:sld ${slideNamespaces}><p:cSld><p:spTree>${emptyTree}<p:sp><p:nvSpPr><p:cNvPr id="2" name="Title"/><p:cNvSpPr/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="500000"/><a:ext cx="8000000" cy="1000000"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${title}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`

export const pptx = (
  slides: ReadonlyArray<string | Buffer> = [slide("Hello from a slide")],
  mainType = presentationType,
): ReadonlyArray<Part> => {
  const names = slides.map((_, index) => `slides/slide${index + 1}.xml`)
  const list = names.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 2}"/>`).join("")
  const types = `${openXml}.presentationml`
  return [
    contentTypes({
      "ppt/presentation.xml": mainType,
      "ppt/slideMasters/slideMaster1.xml": `${types}.slideMaster+xml`,
      "ppt/slideLayouts/slideLayout1.xml": `${types}.slideLayout+xml`,
      "ppt/theme/theme1.xml": `${openXml}.theme+xml`,
      ...Object.fromEntries(names.map((name) => [`ppt/${name}`, `${types}.slide+xml`])),
    }),
    relationships("_rels/.rels", [["officeDocument", "ppt/presentation.xml"]]),
    xml(
      "ppt/presentation.xml",
      `<p:presentation ${slideNamespaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${list}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    ),
    relationships("ppt/_rels/presentation.xml.rels", [
      ["slideMaster", "slideMasters/slideMaster1.xml"],
      ...names.map((name) => ["slide", name] as const),
    ]),
    ...slides.flatMap((data, index) => [
      { name: `ppt/${names[index]}`, data },
      relationships(`ppt/slides/_rels/slide${index + 1}.xml.rels`, [
        ["slideLayout", "../slideLayouts/slideLayout1.xml"],
      ]),
    ]),
    ...slideMaster,
  ]
}

const colors = "dk1 lt1 dk2 lt2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink"
  .split(" ")
  .map((name) => `<a:${name}><a:srgbClr val="${name === "lt1" ? "FFFFFF" : "000000"}"/></a:${name}>`)
  .join("")
const font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>'
const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'.repeat(3)

/** Master, layout and theme, without which programs do not show a slide. */
const slideMaster: ReadonlyArray<Part> = [
  xml(
    "ppt/slideMasters/slideMaster1.xml",
    `<p:sldMaster ${slideNamespaces}><p:cSld><p:spTree>${emptyTree}</p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
  ),
  relationships("ppt/slideMasters/_rels/slideMaster1.xml.rels", [
    ["slideLayout", "../slideLayouts/slideLayout1.xml"],
    ["theme", "../theme/theme1.xml"],
  ]),
  xml(
    "ppt/slideLayouts/slideLayout1.xml",
    `<p:sldLayout ${slideNamespaces} type="blank"><p:cSld><p:spTree>${emptyTree}</p:spTree></p:cSld></p:sldLayout>`,
  ),
  relationships("ppt/slideLayouts/_rels/slideLayout1.xml.rels", [
    ["slideMaster", "../slideMasters/slideMaster1.xml"],
  ]),
  xml(
    "ppt/theme/theme1.xml",
    `<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Plain"><a:themeElements><a:clrScheme name="Plain">${colors}</a:clrScheme><a:fontScheme name="Plain"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst>${fill}</a:fillStyleLst><a:lnStyleLst>${"<a:ln/>".repeat(3)}</a:lnStyleLst><a:effectStyleLst>${"<a:effectStyle><a:effectLst/></a:effectStyle>".repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`,
  ),
]

const workbookType = `${openXml}.spreadsheetml.sheet.main+xml`
const sheetNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

/** `xl/worksheets/sheet1.xml` with these rows. */
export const worksheet = (rows: string): Part =>
  xml(
    "xl/worksheets/sheet1.xml",
    `<worksheet xmlns="${sheetNamespace}"><sheetData>${rows}</sheetData></worksheet>`,
  )

export const row = (text: string): string =>
  `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`

export const xlsx = (
  sheet: Part = worksheet(row("Hello from a sheet")),
  mainType = workbookType,
): ReadonlyArray<Part> => [
  contentTypes({
    "xl/workbook.xml": mainType,
    "xl/worksheets/sheet1.xml": `${openXml}.spreadsheetml.worksheet+xml`,
  }),
  relationships("_rels/.rels", [["officeDocument", "xl/workbook.xml"]]),
  xml(
    "xl/workbook.xml",
    `<workbook xmlns="${sheetNamespace}" xmlns:r="${relationshipTypes}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ),
  relationships("xl/_rels/workbook.xml.rels", [["worksheet", "worksheets/sheet1.xml"]]),
  sheet,
]

const oasis = "urn:oasis:names:tc:opendocument:xmlns"

/** The parts of an OpenDocument file. `encryption` stands in the manifest's entry of `content.xml`. */
const openDocument = (mimetype: string, body: string, encryption = ""): ReadonlyArray<Part> => [
  { name: "mimetype", data: mimetype, stored: true },
  xml(
    "META-INF/manifest.xml",
    `<manifest:manifest xmlns:manifest="${oasis}:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mimetype}"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">${encryption}</manifest:file-entry></manifest:manifest>`,
  ),
  xml(
    "styles.xml",
    `<office:document-styles xmlns:office="${oasis}:office:1.0" office:version="1.2"><office:styles/></office:document-styles>`,
  ),
  xml(
    "content.xml",
    `<office:document-content xmlns:office="${oasis}:office:1.0" xmlns:text="${oasis}:text:1.0" xmlns:table="${oasis}:table:1.0" office:version="1.2"><office:body>${body}</office:body></office:document-content>`,
  ),
]

export const encryptionData =
  '<manifest:encryption-data manifest:checksum-type="SHA1/1K" manifest:checksum="AAAA"><manifest:algorithm manifest:algorithm-name="Blowfish CFB" manifest:initialisation-vector="AAAA"/><manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:iteration-count="1024" manifest:salt="AAAA"/></manifest:encryption-data>'

const oasisType = "application/vnd.oasis.opendocument"

export const odt = (encryption?: string, mimetype = `${oasisType}.text`): ReadonlyArray<Part> =>
  openDocument(
    mimetype,
    "<office:text><text:p>Hello from an OpenDocument text.</text:p></office:text>",
    encryption,
  )

export const ods = (encryption?: string, mimetype = `${oasisType}.spreadsheet`): ReadonlyArray<Part> =>
  openDocument(
    mimetype,
    '<office:spreadsheet><table:table table:name="Sheet1"><table:table-row><table:table-cell office:value-type="string"><text:p>Hello from an OpenDocument sheet</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>',
    encryption,
  )

/** The parts with the part of one name changed. */
export const changed = (
  parts: ReadonlyArray<Part>,
  name: string,
  change: Partial<Part>,
): ReadonlyArray<Part> => {
  if (!parts.some((part) => part.name === name)) throw new Error(`There is no part ${name}.`)
  return parts.map((part) => (part.name === name ? { ...part, ...change } : part))
}
