import { escapeMarkdown } from "@atelier/executor/parsing"
import {
  type Relationship,
  readXml,
  type XmlReader,
  xmlClose,
  xmlEnd,
  xmlStart,
  xmlText,
} from "@atelier/intake/bytes"
import { type CellText, cellMarkdown, struckMarkdown } from "./CellText.ts"
import { cellAt } from "./cellReference.ts"
import { general, type NumberFormat } from "./NumberFormat.ts"
import type { SharedStrings } from "./SharedStrings.ts"
import type { SheetRows } from "./SheetRows.ts"
import type { SheetWarnings } from "./SheetWarnings.ts"
import { isTrue, spreadsheetml } from "./spreadsheetml.ts"
import { decodeCharacters, readString } from "./xlsxStrings.ts"
import type { CellStyle } from "./xlsxStyles.ts"

/** What the sheets of a workbook have in common. */
export interface Workbook {
  readonly strings: SharedStrings
  /** By the number of a cell's style. */
  readonly styles: ReadonlyArray<CellStyle>
  readonly numbers: NumberFormat
}

const columns = spreadsheetml.number("x:col")
const row = spreadsheetml.number("x:row")
const cell = spreadsheetml.number("x:c")
const formula = spreadsheetml.number("x:f")
const value = spreadsheetml.number("x:v")
const inlineString = spreadsheetml.number("x:is")
const text = spreadsheetml.number("x:t")
const mergedCell = spreadsheetml.number("x:mergeCell")
const hyperlink = spreadsheetml.number("x:hyperlink")

interface WorksheetPart {
  readonly bytes: Uint8Array
  readonly name: string
  readonly relationships: ReadonlyMap<string, Relationship>
}

/** Reads the cells of one worksheet part into `rows`. */
export class WorksheetReader {
  private readonly workbook: Workbook
  private readonly relationships: ReadonlyMap<string, Relationship>
  private readonly warnings: SheetWarnings
  private readonly xml: XmlReader
  private readonly rows: SheetRows
  private row = -1
  private column = -1

  constructor(workbook: Workbook, part: WorksheetPart, rows: SheetRows, warnings: SheetWarnings) {
    this.workbook = workbook
    this.relationships = part.relationships
    this.rows = rows
    this.warnings = warnings
    this.xml = readXml(part.bytes, { vocabulary: spreadsheetml, source: part.name, textIn: [value, text] })
  }

  /** Throws a `Refusal`. */
  read(): void {
    const { xml } = this
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token !== xmlStart) continue
      if (xml.element === row) this.readRow()
      else if (xml.element === columns) this.readColumns()
      else if (xml.element === mergedCell) this.readMerged()
      else if (xml.element === hyperlink) this.readHyperlink()
    }
    if (this.rows.hasHiddenCells) this.warnings.hiddenCells()
  }

  private readColumns(): void {
    if (!isTrue(this.xml.attribute("hidden"))) return
    this.rows.hideColumns(Number(this.xml.attribute("min")) - 1, Number(this.xml.attribute("max")))
  }

  private readMerged(): void {
    const [start = "", end = ""] = (this.xml.attribute("ref") ?? "").split(":", 2)
    const [first, last] = [cellAt(start), cellAt(end)]
    if (first === undefined || last === undefined) return
    this.rows.merge({
      firstRow: first.row,
      firstColumn: first.column,
      lastRow: last.row,
      lastColumn: last.column,
    })
  }

  private readRow(): void {
    const { xml } = this
    const end = xml.depth - 1
    const stated = Number(xml.attribute("r"))
    this.row = Number.isInteger(stated) && stated > 0 ? stated - 1 : this.row + 1
    this.column = -1
    const isHidden = isTrue(xml.attribute("hidden"))
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlStart && xml.element === cell) this.readCell()
      else if (token === xmlClose && xml.depth === end) break
    }
    this.rows.endRow(this.row, { repeated: 1, isHidden })
  }

  private readCell(): void {
    const { xml } = this
    const end = xml.depth - 1
    this.column = cellAt(xml.attribute("r") ?? "")?.column ?? this.column + 1
    const type = xml.attribute("t")
    const style = this.workbook.styles[Number(xml.attribute("s") ?? 0)]
    let stored: string | undefined
    let inline: CellText | undefined
    let hasFormula = false
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlText) stored = (stored ?? "") + xml.text()
      else if (token === xmlClose) {
        if (xml.depth === end) break
      } else if (xml.element === formula) hasFormula = true
      else if (xml.element === value) stored ??= ""
      else if (xml.element === inlineString) inline = readString(xml)
    }
    if (inline !== undefined) {
      this.add(cellMarkdown(inline), style)
      return
    }
    if (stored === undefined || stored.trim() === "") {
      if (hasFormula && stored === undefined) this.warnings.formulaWithoutValue()
      return
    }
    this.add(this.inlineOf(stored, type, style), style)
  }

  private add(inline: string, style: CellStyle | undefined): void {
    if (inline.trim() === "") return
    this.rows.cell(this.column, style?.isStruck === true ? struckMarkdown(inline) : inline)
  }

  /** What the cell shows, as Markdown. */
  private inlineOf(stored: string, type = "n", style: CellStyle | undefined): string {
    switch (type) {
      case "s":
        return this.workbook.strings.at(Number(stored))
      case "b":
        return isTrue(stored.trim()) ? "TRUE" : "FALSE"
      case "n":
        return this.number(stored, style)
      case "d":
        // A time of midnight is a date.
        return escapeMarkdown(stored.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, "").replace("T", " "))
      default:
        return escapeMarkdown(decodeCharacters(stored))
    }
  }

  private number(stored: string, style: CellStyle | undefined): string {
    const number = Number(stored)
    if (Number.isNaN(number)) return escapeMarkdown(stored)
    return escapeMarkdown(this.workbook.numbers.text(number, style?.code ?? general))
  }

  /** A link over several cells is that of its first cell. */
  private readHyperlink(): void {
    const relationship = this.relationships.get(this.xml.attribute("r:id") ?? "")
    const at = cellAt((this.xml.attribute("ref") ?? "").split(":", 1)[0] ?? "")
    if (relationship?.external === true && at !== undefined) {
      this.rows.link(at.row, at.column, relationship.target)
    }
  }
}
