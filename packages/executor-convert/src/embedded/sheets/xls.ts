import { openCompoundFile, Refusal } from "@atelier/intake/bytes"
import { BiffRecords } from "./BiffRecords.ts"
import { BiffSheet } from "./BiffSheet.ts"
import { BiffWorkbook, isBegin, wordAt } from "./BiffWorkbook.ts"
import { SheetRows } from "./SheetRows.ts"
import type { SheetWarnings } from "./SheetWarnings.ts"
import type { SheetWriter } from "./SheetWriter.ts"

const recordEnd = 0x000a
const recordSheetHeader = 0x008f

const substreamSheet = 0x0010

/** First byte of a compound file; without one the workbook lies bare. */
const compoundFile = 0xd0

/** Reads a workbook of Excel 2.0 to 2003, sheet by sheet. Throws a `Refusal`. */
export const convertXls = (bytes: Uint8Array, writer: SheetWriter, warnings: SheetWarnings): void => {
  const isBare = bytes[0] !== compoundFile
  const stream = isBare ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : workbookOf(bytes)
  const records = new BiffRecords(stream)
  records.advance()
  const workbook = new BiffWorkbook(records)
  const conversion = new XlsConversion(workbook, writer, warnings)
  if (isBare) conversion.convertBare(records)
  else conversion.convertListed(records, stream)
}

/** The stream of a compound file that holds the workbook: some files hold another one for older programs. */
const workbookOf = (bytes: Uint8Array): Buffer => {
  const file = openCompoundFile(bytes)
  const stream = file.read("Workbook") ?? file.read("Book")
  if (stream === undefined) throw new Refusal("file_corrupt", "The file holds no workbook.")
  return stream
}

class XlsConversion {
  private readonly workbook: BiffWorkbook
  private readonly writer: SheetWriter
  private readonly warnings: SheetWarnings

  constructor(workbook: BiffWorkbook, writer: SheetWriter, warnings: SheetWarnings) {
    this.workbook = workbook
    this.writer = writer
    this.warnings = warnings
  }

  /** Version 5 and later: a part for the whole workbook, which lists the sheets, then a part for each. */
  convertListed(records: BiffRecords, stream: Buffer): void {
    while (records.advance() && records.type !== recordEnd) this.workbook.take(records)
    let bytesRead = 0
    for (const { at, name, isHidden, isChart } of this.workbook.sheets) {
      const own = new BiffRecords(stream, at)
      if (!own.advance() || !isBegin(own.type)) throw sheetFault(name, "is not in the workbook")
      if (isHidden) this.warnings.hiddenSheet()
      if (isChart) this.warnings.chart()
      this.convertSheet(name, isChart, own)
      bytesRead += own.position - at
      if (bytesRead > stream.length) throw sheetFault(name, "overlaps another sheet")
    }
  }

  /** Versions 2 to 4: sheets one behind the other, each complete in itself. */
  convertBare(records: BiffRecords): void {
    let name = "Sheet1"
    do {
      if (records.type === recordSheetHeader) name = this.workbook.text(records.data, 4, 1)
      else if (isBegin(records.type) && wordAt(records.data, 2) === substreamSheet) {
        this.convertSheet(name, false, records)
      } else this.workbook.take(records)
    } while (records.advance())
  }

  private convertSheet(name: string, isChart: boolean, records: BiffRecords): void {
    const { writer } = this
    writer.sheet(name)
    const rows = new SheetRows(name, writer.bytesMax)
    const sheet = new BiffSheet(records, this.workbook, rows, this.warnings)
    sheet.read()
    // A sheet that is a chart has copies of the cells that it shows.
    if (!isChart) writer.rows(rows)
    for (const shape of sheet.shapes) writer.text(shape)
  }
}

const sheetFault = (name: string, fault: string): Refusal =>
  new Refusal("file_corrupt", `The sheet ${JSON.stringify(name.slice(0, 100))} ${fault}.`)
