import {
  openPackage,
  Refusal,
  type Relationship,
  readXml,
  relationshipsOf,
  xmlEnd,
  xmlStart,
  type ZipArchive,
} from "@atelier/intake/bytes"
import { writeDrawing } from "./drawing.ts"
import { NumberFormat } from "./NumberFormat.ts"
import { SharedStrings } from "./SharedStrings.ts"
import { SheetRows } from "./SheetRows.ts"
import type { SheetWarnings } from "./SheetWarnings.ts"
import type { SheetWriter } from "./SheetWriter.ts"
import { isTrue, spreadsheetml } from "./spreadsheetml.ts"
import { type Workbook, WorksheetReader } from "./xlsxSheet.ts"
import { readStrings } from "./xlsxStrings.ts"
import { readStyles } from "./xlsxStyles.ts"

const workbookProperties = spreadsheetml.number("x:workbookPr")
const sheetEntry = spreadsheetml.number("x:sheet")
const comment = spreadsheetml.number("x:comment")

interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  readonly relationship: Relationship
}

/** Reads a workbook sheet by sheet, each from the archive to Markdown before the next. Throws a `Refusal`. */
export const convertXlsx = (bytes: Uint8Array, writer: SheetWriter, warnings: SheetWarnings): void => {
  const { archive, mainPart, relationships } = openPackage(bytes, "xlsx")
  new XlsxConversion(archive, writer, warnings).convert(mainPart, relationships)
}

class XlsxConversion {
  private readonly archive: ZipArchive
  private readonly writer: SheetWriter
  private readonly warnings: SheetWarnings
  /** Parts that were read: none is read again, however many sheets share it. */
  private readonly passed = new Set<string>()

  constructor(archive: ZipArchive, writer: SheetWriter, warnings: SheetWarnings) {
    this.archive = archive
    this.writer = writer
    this.warnings = warnings
  }

  convert(mainPart: string, relationships: ReadonlyMap<string, Relationship>): void {
    const { sheets, date1904 } = this.readWorkbook(mainPart, relationships)
    const strings = this.partOfType(relationships, "sharedStrings")
    const styles = this.partOfType(relationships, "styles")
    const workbook: Workbook = {
      strings: new SharedStrings(strings === undefined ? [] : readStrings(strings.bytes, strings.name)),
      styles: styles === undefined ? [] : readStyles(styles.bytes, styles.name),
      numbers: new NumberFormat(date1904),
    }
    for (const sheet of sheets) this.convertSheet(workbook, sheet)
  }

  private readWorkbook(mainPart: string, relationships: ReadonlyMap<string, Relationship>) {
    const sheets: Array<Sheet> = []
    let date1904 = false
    const xml = readXml(this.read(mainPart), { vocabulary: spreadsheetml, source: mainPart, textIn: [] })
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token !== xmlStart) continue
      if (xml.element === workbookProperties) date1904 = isTrue(xml.attribute("date1904"))
      else if (xml.element === sheetEntry) {
        const name = xml.attribute("name") ?? ""
        const relationship = relationships.get(xml.attribute("r:id") ?? "")
        if (relationship === undefined) throw sheetFault(name, "is not in the workbook")
        sheets.push({ name, isHidden: (xml.attribute("state") ?? "visible") !== "visible", relationship })
      }
    }
    return { sheets, date1904 }
  }

  private convertSheet(workbook: Workbook, { name, isHidden, relationship }: Sheet): void {
    const { archive, writer, warnings } = this
    const part = relationship.target
    if (relationship.external || !archive.has(part)) throw sheetFault(name, "is not in the workbook")
    if (this.passed.has(part)) throw sheetFault(name, "is in the workbook twice")
    this.passed.add(part)
    if (isHidden) warnings.hiddenSheet()
    writer.sheet(name)
    const relationships = relationshipsOf(archive, part)
    if (relationship.type === "worksheet") {
      const rows = new SheetRows(name, writer.bytesMax)
      const worksheet = { bytes: this.read(part), name: part, relationships }
      new WorksheetReader(workbook, worksheet, rows, warnings).read()
      writer.rows(rows)
    }
    for (const attached of relationships.values()) this.convertAttached(attached)
  }

  /** What belongs to a sheet and lies outside of its cells. */
  private convertAttached({ type, target, external }: Relationship): void {
    const { archive, writer, warnings } = this
    if (external || !archive.has(target) || this.passed.has(target)) return
    if (type === "comments") {
      this.passed.add(target)
      this.countComments(target)
    } else if (type === "drawing") {
      this.passed.add(target)
      writeDrawing(this.read(target), target, writer, warnings)
    } else if (type === "oleObject" || type === "package") warnings.embeddedDocument()
  }

  private countComments(part: string): void {
    const xml = readXml(this.read(part), { vocabulary: spreadsheetml, source: part, textIn: [] })
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlStart && xml.element === comment) this.warnings.comment()
    }
  }

  /** The part that a workbook has at most one of. */
  private partOfType(relationships: ReadonlyMap<string, Relationship>, type: string) {
    const found = [...relationships.values()].find((relationship) => relationship.type === type)
    if (found === undefined || found.external || !this.archive.has(found.target)) return undefined
    return { name: found.target, bytes: this.read(found.target) }
  }

  private read(part: string): Uint8Array {
    const bytes = this.archive.read(part)
    if (bytes !== undefined) return bytes
    throw new Refusal("file_corrupt", `The workbook has no part ${JSON.stringify(part.slice(0, 100))}.`)
  }
}

const sheetFault = (name: string, fault: string): Refusal =>
  new Refusal("file_corrupt", `The sheet ${JSON.stringify(name.slice(0, 100))} ${fault}.`)
