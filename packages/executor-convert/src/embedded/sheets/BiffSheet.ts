import { escapeMarkdown } from "@atelier/executor/parsing"
import type { BiffRecords } from "./BiffRecords.ts"
import { BiffText } from "./BiffText.ts"
import { type BiffWorkbook, isBegin, wordAt } from "./BiffWorkbook.ts"
import { hyperlinkTarget } from "./biffHyperlink.ts"
import { struckMarkdown } from "./CellText.ts"
import type { SheetRows } from "./SheetRows.ts"
import type { SheetWarnings } from "./SheetWarnings.ts"

const recordInteger2 = 0x0002
const recordNumber2 = 0x0003
const recordLabel2 = 0x0004
const recordBoolean2 = 0x0005
const recordFormula = 0x0006
const recordString2 = 0x0007
const recordEnd = 0x000a
const recordNote = 0x001c
const recordObject = 0x005d
const recordColumns = 0x007d
const recordNumbers = 0x00bd
const recordMerged = 0x00e5
const recordRichLabel = 0x00d6
const recordSharedLabel = 0x00fd
const recordTextObject = 0x01b6
const recordHyperlink = 0x01b8
const recordNumber = 0x0203
const recordLabel = 0x0204
const recordBoolean = 0x0205
const recordFormula3 = 0x0206
const recordString = 0x0207
const recordRow = 0x0208
const recordShortNumber = 0x027e
const recordFormula4 = 0x0406

/**
 * Where a cell's value stands: behind row, column and the number of a format, or, in version 2, three bytes of
 * format.
 */
const valueAt = 6
const value2At = 7

const substreamChart = 0x0020

const objectPicture = 8
const objectNote = 0x19

const rowHidden = 0x20
const columnHidden = 0x01

/** A result of a formula that is no number begins with its kind and ends with this word. */
const noNumber = 0xffff
const resultString = 0
const resultBoolean = 1
const resultError = 2

const errors: ReadonlyMap<number, string> = new Map([
  [0x00, "#NULL!"],
  [0x07, "#DIV/0!"],
  [0x0f, "#VALUE!"],
  [0x17, "#REF!"],
  [0x1d, "#NAME?"],
  [0x24, "#NUM!"],
  [0x2a, "#N/A"],
])

/** Reads one sheet, whose begin-of-file record is the current one, up to its end; its cells go into `rows`. */
export class BiffSheet {
  /** Text of boxes and shapes. */
  readonly shapes: Array<string> = []
  private readonly records: BiffRecords
  private readonly workbook: BiffWorkbook
  private readonly rows: SheetRows
  private readonly warnings: SheetWarnings
  private readonly hiddenRows = new Set<number>()
  private row = 0
  /** Of the formula whose result, a string, follows. */
  private awaited: Place | undefined
  private object = 0

  constructor(records: BiffRecords, workbook: BiffWorkbook, rows: SheetRows, warnings: SheetWarnings) {
    this.records = records
    this.workbook = workbook
    this.rows = rows
    this.warnings = warnings
  }

  read(): void {
    const { records } = this
    while (records.advance() && records.type !== recordEnd) {
      if (isBegin(records.type)) this.passSubstream()
      else if (!this.readCell(records.type, records.data)) this.readOther(records.type, records.data)
    }
    this.endRow()
    if (this.rows.hasHiddenCells) this.warnings.hiddenCells()
  }

  /** A chart can appear in the middle of a sheet. */
  private passSubstream(): void {
    const { records } = this
    if (wordAt(records.data, 2) === substreamChart) this.warnings.chart()
    for (let depth = 1; depth > 0 && records.advance(); ) {
      if (isBegin(records.type)) depth++
      else if (records.type === recordEnd) depth--
    }
  }

  /** False if the record is no cell. */
  private readCell(type: number, data: Buffer): boolean {
    const { workbook } = this
    const is2 = type < recordFormula || (type <= recordString2 && workbook.version === 2)
    const at = is2 ? value2At : valueAt
    switch (type) {
      case recordInteger2:
        this.number(data, at, wordAt(data, at))
        return true
      case recordNumber2:
      case recordNumber:
        this.number(data, at, doubleAt(data, at))
        return true
      case recordShortNumber:
        this.number(data, at, shortNumberAt(data, at))
        return true
      case recordNumbers:
        this.numbers(data)
        return true
      case recordLabel2:
      case recordLabel:
      case recordRichLabel:
        this.add(data, escapeMarkdown(workbook.text(data, at, is2 ? 1 : 2)))
        return true
      case recordSharedLabel:
        this.add(data, workbook.strings.at(wordAt(data, at) + wordAt(data, at + 2) * 0x1_0000))
        return true
      case recordBoolean2:
      case recordBoolean:
        this.add(data, data[at + 1] === 1 ? errorText(data[at]) : booleanText(data[at]))
        return true
      case recordFormula:
      case recordFormula3:
      case recordFormula4:
        this.formula(data, at)
        return true
      case recordString2:
      case recordString:
        this.formulaString()
        return true
      default:
        return false
    }
  }

  private readOther(type: number, data: Buffer): void {
    switch (type) {
      case recordRow:
        if ((wordAt(data, 12) & rowHidden) !== 0) this.hiddenRows.add(wordAt(data, 0))
        return
      case recordColumns:
        if ((wordAt(data, 8) & columnHidden) !== 0) {
          this.rows.hideColumns(wordAt(data, 0), wordAt(data, 2) + 1)
        }
        return
      case recordHyperlink: {
        const target = hyperlinkTarget(data)
        if (target !== undefined) this.rows.link(wordAt(data, 0), wordAt(data, 4), target)
        return
      }
      case recordMerged:
        this.mergedCells(data)
        return
      case recordNote:
        this.warnings.comment()
        return
      case recordObject:
        this.object = wordAt(data, 4)
        if (this.object === objectPicture) this.warnings.image()
        return
      case recordTextObject:
        this.textObject()
        return
      default:
        this.workbook.take(this.records)
    }
  }

  private mergedCells(data: Buffer): void {
    const count = Math.min(wordAt(data, 0), Math.floor((data.length - 2) / 8))
    for (let at = 2; at < 2 + 8 * count; at += 8) {
      this.rows.merge({
        firstRow: wordAt(data, at),
        lastRow: wordAt(data, at + 2),
        firstColumn: wordAt(data, at + 4),
        lastColumn: wordAt(data, at + 6),
      })
    }
  }

  private add(data: Buffer, inline: string, { column, format } = placeOf(data)): void {
    const row = wordAt(data, 0)
    if (row !== this.row) this.endRow()
    this.row = row
    if (inline.trim() !== "") this.rows.cell(column, this.shown(inline, format))
  }

  /** Cells of version 2 say nothing of a font here. */
  private shown(inline: string, format: number): string {
    const { workbook } = this
    return workbook.version > 2 && workbook.isStruck(format) ? struckMarkdown(inline) : inline
  }

  private endRow(): void {
    this.rows.endRow(this.row, { repeated: 1, isHidden: this.hiddenRows.has(this.row) })
  }

  private number(data: Buffer, at: number, value: number): void {
    this.add(data, escapeMarkdown(this.workbook.numbers.text(value, this.formatCode(data, at))))
  }

  private formatCode(data: Buffer, at: number): string {
    const { workbook } = this
    if (at === valueAt) return workbook.formatCode(wordAt(data, 4))
    if (workbook.version === 2) return workbook.formatCodeOf((data[5] ?? 0) & 0x3f)
    return workbook.formatCode((data[4] ?? 0) & 0x3f)
  }

  /** Numbers of several columns that follow one another: formats and numbers in turn, then the last column. */
  private numbers(data: Buffer): void {
    const { workbook } = this
    const first = wordAt(data, 2)
    for (let at = 4; at + 6 < data.length; at += 6) {
      const text = workbook.numbers.text(shortNumberAt(data, at + 2), workbook.formatCode(wordAt(data, at)))
      this.add(data, escapeMarkdown(text), { column: first + (at - 4) / 6, format: wordAt(data, at) })
    }
  }

  private formula(data: Buffer, at: number): void {
    this.awaited = undefined
    const kind = wordAt(data, at + 6) === noNumber ? data[at] : undefined
    if (kind === undefined) this.number(data, at, doubleAt(data, at))
    else if (kind === resultBoolean) this.add(data, booleanText(data[at + 2]))
    else if (kind === resultError) this.add(data, errorText(data[at + 2]))
    else if (kind === resultString) {
      this.add(data, "")
      this.awaited = placeOf(data)
    }
  }

  private formulaString(): void {
    const { workbook } = this
    const text =
      workbook.version === 8
        ? this.continuedText()
        : workbook.text(this.records.data, 0, workbook.version === 2 ? 1 : 2)
    if (this.awaited !== undefined && text.trim() !== "") {
      const { column, format } = this.awaited
      this.rows.cell(column, this.shown(escapeMarkdown(text), format))
    }
    this.awaited = undefined
  }

  private continuedText(): string {
    const text = new BiffText(this.records.continued())
    return text.unicode(text.word())
  }

  /** The text of a box follows in records of its own, and so does that of a comment. */
  private textObject(): void {
    const length = wordAt(this.records.data, 10)
    const text = new BiffText(this.records.continued().slice(1))
    if (this.object === objectNote || length === 0) return
    this.shapes.push(text.characters(length, (text.byte() & 1) !== 0))
  }
}

/** Where a cell stands in its row, and the number of its format. */
interface Place {
  readonly column: number
  readonly format: number
}

const placeOf = (data: Buffer): Place => ({ column: wordAt(data, 2), format: wordAt(data, 4) })

const booleanText = (value: number | undefined): string => (value === 0 ? "FALSE" : "TRUE")

const errorText = (code: number | undefined): string => errors.get(code ?? 0) ?? "#N/A"

const doubleAt = (data: Buffer, at: number): number => (at + 8 > data.length ? 0 : data.readDoubleLE(at))

/** The upper 30 bits of a double or an integer, of which two bits tell, also whether it counts hundredths. */
const shortNumberAt = (data: Buffer, at: number): number => {
  if (at + 4 > data.length) return 0
  const bits = data.readInt32LE(at)
  const value = (bits & 2) === 0 ? upperDouble(bits & ~3) : bits >> 2
  return (bits & 1) === 0 ? value : value / 100
}

const scratch = new DataView(new ArrayBuffer(8))

const upperDouble = (bits: number): number => {
  scratch.setInt32(0, bits)
  return scratch.getFloat64(0)
}
