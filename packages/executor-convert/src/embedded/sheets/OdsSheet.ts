import { Inline, strike } from "@atelier/executor/flow"
import { collapseSpaces } from "@atelier/executor/html"
import { escapeMarkdown } from "@atelier/executor/parsing"
import { type XmlReader, xmlClose, xmlEnd, xmlStart, xmlText } from "@atelier/intake/bytes"
import { struckMarkdown } from "./CellText.ts"
import { columnsMax, rowsMax } from "./cellReference.ts"
import { generalText } from "./NumberFormat.ts"
import { folderOf } from "./odsCharts.ts"
import { opendocument } from "./opendocument.ts"
import type { SheetRows } from "./SheetRows.ts"
import type { SheetWarnings } from "./SheetWarnings.ts"

const table = opendocument.number("table:table")
const column = opendocument.number("table:table-column")
const row = opendocument.number("table:table-row")
const cell = opendocument.number("table:table-cell")
const coveredCell = opendocument.number("table:covered-table-cell")
const paragraph = opendocument.number("text:p")
const span = opendocument.number("text:span")
const anchor = opendocument.number("text:a")
const lineBreak = opendocument.number("text:line-break")
const spaces = opendocument.number("text:s")
const tab = opendocument.number("text:tab")
const annotation = opendocument.number("office:annotation")
const frame = opendocument.number("draw:frame")
const image = opendocument.number("draw:image")
const object = opendocument.number("draw:object")
const oleObject = opendocument.number("draw:object-ole")

/** What the sheets of a spreadsheet have in common. */
interface Spreadsheet {
  /** Folders of the package that hold charts. */
  readonly charts: ReadonlySet<string>
  /** What styles say of text, as sums of bits, by name. */
  readonly formats: ReadonlyMap<string, number>
}

/** Reads the `table:table` that has just started, its cells into `rows`. */
export class OdsSheet {
  /** Text of boxes and shapes, as Markdown. */
  readonly shapes: Array<string> = []
  private readonly xml: XmlReader
  private readonly rows: SheetRows
  private readonly spreadsheet: Spreadsheet
  private readonly warnings: SheetWarnings
  /** 1 for columns whose cells are struck unless they have a style of their own. */
  private struckColumns: Uint8Array | undefined
  /** Whether the cells of the row are struck that have no style of their own; undefined where the columns tell. */
  private rowStrikes: boolean | undefined
  private columns = 0
  private row = 0
  private column = 0

  constructor(xml: XmlReader, rows: SheetRows, spreadsheet: Spreadsheet, warnings: SheetWarnings) {
    this.xml = xml
    this.rows = rows
    this.spreadsheet = spreadsheet
    this.warnings = warnings
  }

  read(): void {
    const { xml } = this
    const end = xml.depth - 1
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlClose && xml.depth === end) break
      if (token !== xmlStart) continue
      if (xml.element === row) this.readRow()
      else if (xml.element === column) this.readColumn()
      else this.readShape()
    }
    if (this.rows.hasHiddenCells) this.warnings.hiddenCells()
  }

  private readColumn(): void {
    const first = this.columns
    this.columns += this.repeated("table:number-columns-repeated", columnsMax)
    if (this.isHidden()) this.rows.hideColumns(first, this.columns)
    if (this.strikes("table:default-cell-style-name")) {
      this.struckColumns ??= new Uint8Array(columnsMax)
      this.struckColumns.fill(1, first, this.columns)
    }
  }

  private readRow(): void {
    const { xml } = this
    const end = xml.depth - 1
    const repeated = this.repeated("table:number-rows-repeated", rowsMax)
    const isHidden = this.isHidden()
    this.rowStrikes = this.strikes("table:default-cell-style-name")
    this.column = 0
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlClose && xml.depth === end) break
      if (token !== xmlStart) continue
      if (xml.element === cell) this.readCell()
      else if (xml.element === coveredCell) {
        this.column += this.repeated("table:number-columns-repeated", columnsMax)
        xml.skip()
      }
    }
    this.rows.endRow(this.row, { repeated, isHidden })
    this.row += repeated
  }

  private readCell(): void {
    const repeated = this.repeated("table:number-columns-repeated", columnsMax - this.column)
    const columns = this.repeated("table:number-columns-spanned", columnsMax - this.column)
    const rows = this.repeated("table:number-rows-spanned", rowsMax)
    if (columns > 1 || rows > 1) {
      this.rows.merge({
        firstRow: this.row,
        firstColumn: this.column,
        lastRow: this.row + rows - 1,
        lastColumn: this.column + columns - 1,
      })
    }
    const isStruck =
      this.strikes("table:style-name") ?? this.rowStrikes ?? this.struckColumns?.[this.column] === 1
    const value = this.readValue()
    const shown = this.readContent()
    const inline = shown ?? value ?? ""
    if (inline.trim() !== "")
      this.rows.cell(this.column, isStruck ? struckMarkdown(inline) : inline, repeated)
    this.column += repeated
  }

  /**
   * The paragraphs of the cell that has just started; undefined if it has none. What lies over the cell is written
   * separately.
   */
  private readContent(): string | undefined {
    const { xml } = this
    const depth = xml.depth
    let lines: string | undefined
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlClose && xml.depth < depth) break
      if (token !== xmlStart) continue
      if (xml.element === paragraph && xml.depth === depth + 1) {
        const line = this.readParagraph()
        lines = lines === undefined ? line : `${lines}\n${line}`
      } else this.readShape()
    }
    return lines
  }

  private readParagraph(): string {
    const { xml } = this
    const end = xml.depth - 1
    const inline = new Inline()
    const formats = [0]
    let link = ""
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlText) inline.add(collapseSpaces(xml.text()), formats.at(-1) ?? 0, link)
      else if (token === xmlClose) {
        if (xml.depth === end) break
        if (xml.element === anchor) link = ""
        else if (xml.element === span) formats.pop()
      } else if (xml.element === span) {
        const own = this.spreadsheet.formats.get(xml.attribute("text:style-name") ?? "") ?? 0
        formats.push((formats.at(-1) ?? 0) | own)
      } else if (xml.element === anchor) link = xml.attribute("xlink:href") ?? ""
      else if (xml.element === lineBreak) inline.add("\n", 0, link)
      else if (xml.element === spaces || xml.element === tab) inline.add(" ", 0, link)
      else if (xml.element === annotation) this.passComment()
    }
    return inline.toMarkdown()
  }

  /** What has just started and is neither row nor cell nor paragraph of a cell. */
  private readShape(): void {
    const { xml } = this
    if (xml.element === annotation) this.passComment()
    else if (xml.element === frame) this.readFrame()
    // A table inside of a cell exists in text documents only.
    else if (xml.element === table) xml.skip()
    else if (xml.element === paragraph) {
      const shape = this.readParagraph()
      if (shape.trim() !== "") this.shapes.push(shape)
    }
  }

  /** A text box, or an object or image in one or several forms of which the first counts. */
  private readFrame(): void {
    const { xml } = this
    const end = xml.depth - 1
    let isNoticed = false
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlClose && xml.depth === end) break
      if (token !== xmlStart) continue
      const { element } = xml
      if (element === object || element === oleObject || element === image) {
        if (!isNoticed) this.noticeObject()
        isNoticed = true
        xml.skip()
      } else this.readShape()
    }
  }

  private noticeObject(): void {
    const { xml } = this
    if (xml.element === image) this.warnings.image()
    else if (this.spreadsheet.charts.has(folderOf(xml.attribute("xlink:href") ?? ""))) this.warnings.chart()
    else this.warnings.embeddedDocument()
  }

  private passComment(): void {
    this.warnings.comment()
    this.xml.skip()
  }

  /** What the cell that has just started holds, for programs that do not say how it is shown. */
  private readValue(): string | undefined {
    const { xml } = this
    const number = Number(xml.attribute("office:value"))
    switch (xml.attribute("office:value-type")) {
      case "float":
        return generalText(number)
      case "percentage":
        return `${generalText(number * 100)}%`
      case "currency":
        return escapeMarkdown(`${generalText(number)} ${xml.attribute("office:currency") ?? ""}`)
      case "date":
        return escapeMarkdown(xml.attribute("office:date-value")?.replace("T", " ") ?? "")
      case "time":
        return escapeMarkdown(timeOf(xml.attribute("office:time-value") ?? ""))
      case "boolean":
        return xml.attribute("office:boolean-value") === "true" ? "TRUE" : "FALSE"
      case "string":
        return escapeMarkdown(xml.attribute("office:string-value") ?? "")
      default:
        if (xml.attribute("table:formula") !== undefined) this.warnings.formulaWithoutValue()
        return undefined
    }
  }

  /** Whether the style that the element names strikes text out; undefined if it names none. */
  private strikes(attribute: string): boolean | undefined {
    const name = this.xml.attribute(attribute)
    if (name === undefined) return undefined
    return ((this.spreadsheet.formats.get(name) ?? 0) & strike) !== 0
  }

  private isHidden(): boolean {
    return (this.xml.attribute("table:visibility") ?? "visible") !== "visible"
  }

  private repeated(name: string, max: number): number {
    const count = Number(this.xml.attribute(name) ?? 1)
    return count >= 1 ? Math.min(Math.trunc(count), max) : 1
  }
}

/** `PT12H30M00S` as 12:30:00. */
const timeOf = (duration: string): string => {
  const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M(\d+)/.exec(duration) ?? []
  return seconds === undefined ? duration : `${hours}:${minutes}:${seconds}`
}
