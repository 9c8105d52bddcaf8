import JSZip from "jszip"

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const relationshipsNamespace = "http://schemas.openxmlformats.org/package/2006/relationships"
const contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

/** The same moment in every entry, so that the same parts make the same bytes. */
const date = new Date(Date.UTC(2024, 0, 1))

export interface SheetParts {
  readonly name?: string
  /** What stands in `sheetData`. */
  readonly rows?: string
  /** What stands before and behind it. */
  readonly before?: string
  readonly after?: string
  /** `hidden`, `veryHidden`. */
  readonly state?: string
  /** Relationships of the sheet; their targets are given from `xl/worksheets`. */
  readonly relationships?: ReadonlyArray<RelationshipParts>
}

export interface RelationshipParts {
  readonly id: string
  readonly type: string
  readonly target: string
  readonly external?: boolean
}

export interface WorkbookParts {
  readonly sheets: ReadonlyArray<SheetParts>
  /** What stands in `sst`. */
  readonly strings?: string
  /** What stands in `styleSheet`. */
  readonly styles?: string
  /** What stands before the sheets. */
  readonly properties?: string
  /** Further parts by name, and others in the place of those that are made. */
  readonly parts?: Readonly<Record<string, string>>
}

/** An XLSX workbook as small as can be. */
export const workbook = async ({
  sheets,
  strings = "",
  styles = "",
  properties = "",
  parts = {},
}: WorkbookParts): Promise<Buffer> => {
  const files: Record<string, string> = {
    "[Content_Types].xml": contentTypes(sheets.length),
    "_rels/.rels": relationships([{ id: "r1", type: "officeDocument", target: "xl/workbook.xml" }]),
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets>${sheets
      .map(
        ({ name = "Sheet", state }, index) =>
          `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"${state === undefined ? "" : ` state="${state}"`}/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      ...sheets.map((_, index) => ({
        id: `s${index}`,
        type: "worksheet",
        target: `worksheets/sheet${index}.xml`,
      })),
      { id: "strings", type: "sharedStrings", target: "sharedStrings.xml" },
      { id: "styles", type: "styles", target: "styles.xml" },
    ]),
    "xl/sharedStrings.xml": `<sst xmlns="${main}">${strings}</sst>`,
    "xl/styles.xml": `<styleSheet xmlns="${main}">${styles}</styleSheet>`,
  }
  for (const [index, { rows = "", before = "", after = "", relationships: own }] of sheets.entries()) {
    files[`xl/worksheets/sheet${index}.xml`] =
      `<worksheet xmlns="${main}" xmlns:r="${office}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`
    if (own !== undefined) files[`xl/worksheets/_rels/sheet${index}.xml.rels`] = relationships(own)
  }
  const zip = new JSZip()
  for (const [name, content] of Object.entries({ ...files, ...parts })) {
    zip.file(name, declaration + content, { date })
  }
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
}

/** A workbook of one sheet that is called `Sheet`. */
export const sheet = (rows: string, more: SheetParts & Omit<WorkbookParts, "sheets"> = {}): Promise<Buffer> =>
  workbook({ ...more, sheets: [{ ...more, rows }] })

/** A row of cells that say nothing of where they are. */
export const row = (...cells: ReadonlyArray<string>): string => `<row>${cells.join("")}</row>`

/** A cell with a text. */
export const text = (value: string): string =>
  `<c t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`

/** A cell with a number in a style of the workbook. */
export const number = (value: number | string, style = 0): string => `<c s="${style}"><v>${value}</v></c>`

/** A cell that refers to a shared string. */
export const shared = (index: number): string => `<c t="s"><v>${index}</v></c>`

/** Styles with these number formats: codes, or ids of those that every program knows; numbered from 0. */
export const formats = (...formats: ReadonlyArray<string | number>): string => {
  const codes = formats
    .map((format, index) =>
      typeof format === "number" ? "" : `<numFmt numFmtId="${200 + index}" formatCode="${escaped(format)}"/>`,
    )
    .join("")
  const styles = formats
    .map((format, index) => `<xf numFmtId="${typeof format === "number" ? format : 200 + index}"/>`)
    .join("")
  return `<numFmts>${codes}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${styles}</cellXfs>`
}

const escaped = (value: string): string =>
  value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\r", "&#13;")

export const relationships = (all: ReadonlyArray<RelationshipParts>): string =>
  `<Relationships xmlns="${relationshipsNamespace}">${all
    .map(
      ({ id, type, target, external = false }) =>
        `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ""}/>`,
    )
    .join("")}</Relationships>`

const contentTypes = (sheets: number): string =>
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
  Array.from(
    { length: sheets },
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index}.xml" ContentType="${contentType}.worksheet+xml"/>`,
  ).join("") +
  "</Types>"
