import JSZip from "jszip"

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaging = "http://schemas.openxmlformats.org/package/2006"
const contentType = "application/vnd.openxmlformats-officedocument.presentationml"

/** The namespaces of slides, with the prefixes that everybody uses. */
export const namespaces = {
  p: "http://schemas.openxmlformats.org/presentationml/2006/main",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
  r: office,
  mc: "http://schemas.openxmlformats.org/markup-compatibility/2006",
  m: "http://schemas.openxmlformats.org/officeDocument/2006/math",
  a14: "http://schemas.microsoft.com/office/drawing/2010/main",
  c: "http://schemas.openxmlformats.org/drawingml/2006/chart",
}

const declarations = Object.entries(namespaces)
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join("")

export interface RelationshipParts {
  readonly type: string
  readonly target: string
  readonly external?: boolean
}

export interface SlideParts {
  /** What stands in the shape tree. */
  readonly tree?: string
  /** What stands behind the shape tree: animations, transitions. */
  readonly after?: string
  /** Attributes of `p:sld`. */
  readonly attributes?: string
  /** By id. */
  readonly relationships?: Readonly<Record<string, RelationshipParts>>
  /** The part as it is, in the place of all that. */
  readonly part?: string | Uint8Array
}

export interface DeckParts {
  readonly slides: ReadonlyArray<SlideParts | string>
  /** Further parts by name, and others in the place of those that are made. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | null>>
  /** Where the presentation looks for its slides, if not where they are. */
  readonly target?: (number: number) => string
}

/** The same moment in every entry, so that the same parts make the same bytes. */
const date = new Date(Date.UTC(2024, 0, 1))

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** A presentation as small as can be; a slide that is a string is its shape tree. */
export const deck = async ({ slides, parts = {}, target }: DeckParts): Promise<Buffer> => {
  const found = slides.map((slide) => (typeof slide === "string" ? { tree: slide } : slide))
  const numbers = found.map((_, index) => index + 1)
  const files: Record<string, string | Uint8Array | null> = {
    "[Content_Types].xml": contentTypes(numbers),
    "_rels/.rels": relationshipsXml({ rId1: { type: "officeDocument", target: "ppt/presentation.xml" } }),
    "ppt/presentation.xml": presentationXml(numbers.map((number) => `rId${number}`)),
    "ppt/_rels/presentation.xml.rels": relationshipsXml(
      Object.fromEntries(
        numbers.map((number) => [
          `rId${number}`,
          { type: "slide", target: target?.(number) ?? `slides/slide${number}.xml` },
        ]),
      ),
    ),
  }
  for (const [index, slide] of found.entries()) {
    files[`ppt/slides/slide${index + 1}.xml`] = slide.part ?? slideXml(slide)
    if (slide.relationships !== undefined) {
      files[`ppt/slides/_rels/slide${index + 1}.xml.rels`] = relationshipsXml(slide.relationships)
    }
  }
  const zip = new JSZip()
  for (const [name, content] of Object.entries({ ...files, ...parts })) {
    if (content !== null) zip.file(name, content, { date, createFolders: false })
  }
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
}

const contentTypes = (numbers: ReadonlyArray<number>): string =>
  `${declaration}<Types xmlns="${packaging}/content-types">` +
  `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Default Extension="xml" ContentType="application/xml"/>` +
  `<Override PartName="/ppt/presentation.xml" ContentType="${contentType}.presentation.main+xml"/>` +
  `${numbers.map((number) => `<Override PartName="/ppt/slides/slide${number}.xml" ContentType="${contentType}.slide+xml"/>`).join("")}</Types>`

/** @param ids of the slides' relationships, in the order of the slides */
export const presentationXml = (ids: ReadonlyArray<string>): string =>
  `${declaration}<p:presentation${declarations}><p:sldIdLst>` +
  `${ids.map((id, index) => `<p:sldId id="${256 + index}" r:id="${id}"/>`).join("")}</p:sldIdLst></p:presentation>`

export const relationshipsXml = (relationships: Readonly<Record<string, RelationshipParts>>): string => {
  const each = Object.entries(relationships).map(
    ([id, { type, target, external }]) =>
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${escapeXml(target)}"${external === true ? ' TargetMode="External"' : ""}/>`,
  )
  return `${declaration}<Relationships xmlns="${packaging}/relationships">${each.join("")}</Relationships>`
}

export const slideXml = ({ tree = "", after = "", attributes = "" }: SlideParts): string =>
  `${declaration}<p:sld${declarations} ${attributes}><p:cSld><p:spTree>` +
  `<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${tree}</p:spTree></p:cSld>${after}</p:sld>`

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** A run of text. */
export const run = (text: string, properties = ""): string =>
  `<a:r><a:rPr lang="en-US">${properties}</a:rPr><a:t>${escapeXml(text)}</a:t></a:r>`

/** A paragraph of runs; `properties` is what stands in `a:pPr`. */
export const paragraph = (runs: string, properties = "", level?: number): string => {
  const attributes = level === undefined ? "" : ` lvl="${level}"`
  return `<a:p><a:pPr${attributes}>${properties}</a:pPr>${runs}<a:endParaRPr lang="en-US"/></a:p>`
}

/** A shape with paragraphs; `placeholder` are the attributes of its `p:ph`, absent for a text box. */
export const shape = (paragraphs: string, placeholder?: string, properties = "", listStyle = ""): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape">${properties}</p:cNvPr><p:cNvSpPr/>` +
  `<p:nvPr>${placeholder === undefined ? "" : `<p:ph ${placeholder}/>`}</p:nvPr></p:nvSpPr><p:spPr/>` +
  `<p:txBody><a:bodyPr/><a:lstStyle>${listStyle}</a:lstStyle>${paragraphs}</p:txBody></p:sp>`

/** A text box with a line for each text. */
export const textBox = (...texts: ReadonlyArray<string>): string =>
  shape(texts.map((text) => paragraph(run(text))).join(""))

export const title = (text: string): string => shape(paragraph(run(text)), 'type="title"')

/** A table cell; `attributes` say what is merged. */
export const cell = (text: string, attributes = ""): string =>
  `<a:tc ${attributes}><a:txBody><a:bodyPr/><a:lstStyle/>${text
    .split("\n")
    .map((line) => paragraph(run(line)))
    .join("")}</a:txBody><a:tcPr/></a:tc>`

/** A table of rows of cells. */
export const table = (columns: number, ...rows: ReadonlyArray<string>): string =>
  graphic(
    "http://schemas.openxmlformats.org/drawingml/2006/table",
    `<a:tbl><a:tblPr firstRow="1"/><a:tblGrid>${'<a:gridCol w="1000"/>'.repeat(columns)}</a:tblGrid>` +
      `${rows.map((row) => `<a:tr h="1000">${row}</a:tr>`).join("")}</a:tbl>`,
  )

export const graphic = (uri: string, content: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="Graphic"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>` +
  `<p:xfrm/><a:graphic><a:graphicData uri="${uri}">${content}</a:graphicData></a:graphic></p:graphicFrame>`

/** A picture; `properties` is what stands in its `p:nvPr`. */
export const picture = (properties = ""): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture"/><p:cNvPicPr/><p:nvPr>${properties}</p:nvPr></p:nvPicPr>` +
  `<p:blipFill><a:blip r:embed="rId9"/></p:blipFill><p:spPr/></p:pic>`

/** Parts of a layout with its master, by name. */
export const layoutParts = (layout: string, master: string): Readonly<Record<string, string>> => ({
  "ppt/slideLayouts/slideLayout1.xml": `${declaration}<p:sldLayout${declarations}><p:cSld><p:spTree>${layout}</p:spTree></p:cSld></p:sldLayout>`,
  "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relationshipsXml({
    rId1: { type: "slideMaster", target: "../slideMasters/slideMaster1.xml" },
  }),
  "ppt/slideMasters/slideMaster1.xml": `${declaration}<p:sldMaster${declarations}>${master}</p:sldMaster>`,
})

/** What makes a slide use that layout. */
export const usesLayout: Readonly<Record<string, RelationshipParts>> = {
  rId1: { type: "slideLayout", target: "../slideLayouts/slideLayout1.xml" },
}

/** A page of speaker notes with a text and the slide's number. */
export const notesXml = (text: string): string =>
  `${declaration}<p:notes${declarations}><p:cSld><p:spTree>${shape(paragraph(run(text)), 'type="body" idx="1"')}` +
  `${shape(paragraph('<a:fld id="{1}" type="slidenum"><a:t>1</a:t></a:fld>'), 'type="sldNum" idx="5"')}</p:spTree></p:cSld></p:notes>`
