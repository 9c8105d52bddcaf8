import { compoundFile, type Lies, type Stream } from "./CompoundWriter.ts"
import { u16, u32 } from "./ZipWriter.ts"

/** Workbooks from before 2007: BIFF records, each a number, a length and data. */

const record = (number: number, data: Buffer): Buffer => Buffer.concat([u16(number, data.length), data])

const begin = (substream: number): Buffer =>
  record(0x0809, Buffer.concat([u16(0x0600, substream, 0x0dbb, 0x07cc), Buffer.alloc(8)]))
const end = record(0x000a, Buffer.alloc(0))

const workbookGlobals = 0x0005
const sheetCells = 0x0010

/** What FILEPASS says of XOR encryption. */
export const filePass = record(0x002f, u16(0, 0x1234, 0x5678))

/** A BIFF8 workbook of one sheet with one text; `kind` is the sheet's, 0 for cells and 1 for macros. */
export const biff8 = (text: string, kind = 0, before: Buffer = Buffer.alloc(0)): Buffer => {
  const name = "Sheet1"
  const head = Buffer.concat([begin(workbookGlobals), before])
  const strings = record(
    0x00fc,
    Buffer.concat([u32(1, 1), u16(text.length), Buffer.of(0), Buffer.from(text)]),
  )
  const boundBytes = 4 + 8 + name.length
  const sheetAt = head.length + boundBytes + strings.length + end.length
  const bound = record(
    0x0085,
    Buffer.concat([u32(sheetAt), Buffer.of(0, kind, name.length, 0), Buffer.from(name)]),
  )
  const cell = record(0x00fd, Buffer.concat([u16(0, 0, 0), u32(0)]))
  const dimensions = record(0x0200, Buffer.concat([u32(0, 1), u16(0, 1, 0)]))
  return Buffer.concat([head, bound, strings, end, begin(sheetCells), dimensions, cell, end])
}

/** A bare BIFF2 sheet with one text; `substream` 0x10 for cells and 0x40 for macros. */
export const biff2 = (text: string, substream = sheetCells): Buffer =>
  Buffer.concat([
    record(0x0009, u16(0x0002, substream)),
    record(0x0004, Buffer.concat([u16(0, 0), Buffer.of(0, 0, 0, text.length), Buffer.from(text)])),
    end,
  ])

export const xls = (
  workbook: Buffer = biff8("Hello from a legacy sheet"),
  more: ReadonlyArray<Stream> = [],
  lies: Lies = {},
): Buffer => compoundFile([{ name: "Workbook", data: workbook }, ...more], lies)
