import { lowered, raised, strike } from "@atelier/executor/flow"
import type { BiffRecords } from "./BiffRecords.ts"
import { BiffText } from "./BiffText.ts"
import type { CellText } from "./CellText.ts"
import { codePageDecoder } from "./codePages.ts"
import { builtInFormat, NumberFormat } from "./NumberFormat.ts"
import { SharedStrings } from "./SharedStrings.ts"

const recordFormat2 = 0x001e
const recordFont = 0x0031
const recordDateMode = 0x0022
const recordCodePage = 0x0042
const recordCellFormat2 = 0x0043
const recordBoundSheet = 0x0085
const recordCellFormat = 0x00e0
const recordSharedStrings = 0x00fc
const recordCellFormat3 = 0x0243
const recordFormat = 0x041e
const recordCellFormat4 = 0x0443

/** Kinds of sheets. */
const sheetChart = 2

/** A sheet as the workbook lists it. */
export interface BoundSheet {
  readonly name: string
  readonly isHidden: boolean
  readonly isChart: boolean
  /** Where in the stream it begins. */
  readonly at: number
}

/** Whether a record begins a sheet or another part of the stream. */
export const isBegin = (type: number): boolean =>
  type === 0x0809 || type === 0x0409 || type === 0x0209 || type === 0x0009

/** Numbers of a font and of a number format. */
interface CellFormat {
  readonly font: number
  readonly format: number
}

/** What the sheets of a workbook have in common: its records are taken as they come. */
export class BiffWorkbook {
  /** Version of the format: 2 to 5, 8. */
  readonly version: number
  readonly sheets: Array<BoundSheet> = []
  private readonly codes = new Map<number, string>()
  private readonly cellFormats: Array<CellFormat> = []
  /** What fonts say of text, as sums of bits. */
  private readonly fonts: Array<number> = []
  private decode = codePageDecoder(1252)
  private shared = new SharedStrings([])
  private formatter = new NumberFormat(false)

  /** @param begin the record that begins the stream */
  constructor(begin: BiffRecords) {
    const version = begin.type >> 8
    this.version = version < 8 ? Math.max(2, version) : wordAt(begin.data, 0) >= 0x0600 ? 8 : 5
  }

  get strings(): SharedStrings {
    return this.shared
  }

  get numbers(): NumberFormat {
    return this.formatter
  }

  /** The number format's code of the cells with this format. */
  formatCode(cellFormat: number): string {
    return this.formatCodeOf(this.cellFormats[cellFormat]?.format ?? 0)
  }

  /** Whether the font of the cells with this format is struck. */
  isStruck(cellFormat: number): boolean {
    return (formatOfFont(this.fonts, this.cellFormats[cellFormat]?.font ?? 0) & strike) !== 0
  }

  /** The code of a number format. */
  formatCodeOf(id: number): string {
    return this.codes.get(id) ?? builtInFormat(id)
  }

  /** Takes the record if it concerns the workbook. */
  take(records: BiffRecords): void {
    const { data } = records
    switch (records.type) {
      case recordCodePage:
        this.decode = codePageDecoder(wordAt(data, 0))
        return
      case recordDateMode:
        this.formatter = new NumberFormat(wordAt(data, 0) === 1)
        return
      case recordFormat2:
        this.codes.set(this.codes.size, this.text(data, 0, 1))
        return
      case recordFormat:
        if (this.version === 4) this.codes.set(this.codes.size, this.text(data, 2, 1))
        else this.codes.set(wordAt(data, 0), this.text(data, 2, this.version === 8 ? 2 : 1))
        return
      case recordFont:
        this.fonts.push(fontFormat(data))
        return
      case recordCellFormat:
        this.cellFormats.push({ font: wordAt(data, 0), format: wordAt(data, 2) })
        return
      case recordCellFormat3:
      case recordCellFormat4:
        this.cellFormats.push({ font: data[0] ?? 0, format: data[1] ?? 0 })
        return
      case recordCellFormat2:
        this.cellFormats.push({ font: data[0] ?? 0, format: (data[2] ?? 0) & 0x3f })
        return
      case recordSharedStrings:
        this.shared = readSharedStrings(records.continued(), this.fonts)
        return
      case recordBoundSheet:
        this.sheets.push({
          name: this.text(data, 6, 1),
          isHidden: ((data[4] ?? 0) & 0x03) !== 0,
          isChart: data[5] === sheetChart,
          at: wordAt(data, 0) + wordAt(data, 2) * 0x1_0000,
        })
    }
  }

  /** A string with its length, a byte or a word, before it. */
  text(data: Buffer, at: number, lengthBytes: 1 | 2): string {
    const length = lengthBytes === 1 ? (data[at] ?? 0) : wordAt(data, at)
    const start = at + lengthBytes
    if (this.version === 8) return new BiffText([data], start).unicode(length)
    return this.decode(data.subarray(start, start + length))
  }
}

/** 0 behind the end. */
export const wordAt = (data: Buffer, at: number): number => (data[at] ?? 0) + (data[at + 1] ?? 0) * 0x100

/** Of a font of version 8. */
const fontFormat = (data: Buffer): number => {
  const position = wordAt(data, 8)
  return (
    ((wordAt(data, 2) & fontStruck) === 0 ? 0 : strike) |
    (position === fontRaised ? raised : position === fontLowered ? lowered : 0)
  )
}

const fontStruck = 0x08
const fontRaised = 1
const fontLowered = 2

/** No font has this number: those behind it count one more than there are. */
const absentFont = 4

const formatOfFont = (fonts: ReadonlyArray<number>, font: number): number =>
  fonts[font > absentFont ? font - 1 : font] ?? 0

/** Totals come first, then the strings. */
const readSharedStrings = (parts: ReadonlyArray<Buffer>, fonts: ReadonlyArray<number>): SharedStrings => {
  const strings: Array<CellText> = []
  const text = new BiffText(parts, 8)
  const formatOf = (font: number): number => formatOfFont(fonts, font)
  while (!text.isAtEnd) strings.push(text.formatted(text.word(), formatOf))
  return new SharedStrings(strings)
}
