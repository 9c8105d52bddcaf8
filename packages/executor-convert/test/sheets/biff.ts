import library from "@e965/xlsx"

/** One record: a number, a length, and that many bytes. */
export const record = (type: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const data = Buffer.concat(parts)
  return Buffer.concat([words(type, data.length), data])
}

export const words = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value & 0xffff, index * 2)
  return bytes
}

export const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value | 0)
  return bytes
}

export const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

export const bytes = (...values: ReadonlyArray<number>): Buffer => Buffer.from(values)
export const latin = (text: string): Buffer => Buffer.from(text, "latin1")
export const wide = (text: string): Buffer => Buffer.from(text, "utf16le")

export const begin = (kind: number, version = 0x0600): Buffer =>
  record(0x0809, words(version, kind, 0x0dbb, 0x07cc), long(0), long(6))
export const end = record(0x000a)

export const kinds = { workbook: 0x0005, sheet: 0x0010, chart: 0x0020 } as const

export interface BiffSheetParts {
  readonly name?: string
  readonly records: ReadonlyArray<Buffer>
  /** 0 visible, 1 hidden, 2 very hidden. */
  readonly visibility?: number
  /** 0 cells, 2 chart. */
  readonly kind?: number
}

export interface BiffWorkbookParts {
  readonly sheets: ReadonlyArray<BiffSheetParts>
  /** Records of the workbook. */
  readonly records?: ReadonlyArray<Buffer>
  /** 0x0500 for Excel 5 and 95, 0x0600 for Excel 97 to 2003. */
  readonly version?: number
  /** Where each sheet is said to begin, instead of where it does. */
  readonly starts?: ReadonlyArray<number>
}

/** An XLS workbook as small as can be. */
export const biffWorkbook = ({
  sheets,
  records = [],
  version = 0x0600,
  starts,
}: BiffWorkbookParts): Uint8Array => {
  const streams = sheets.map(({ records: own, kind = 0 }) =>
    Buffer.concat([begin(kind === 2 ? kinds.chart : kinds.sheet, version), ...own, end]),
  )
  const list = (positions: ReadonlyArray<number>) =>
    sheets.map(({ name = "Sheet", visibility = 0, kind = 0 }, index) =>
      record(
        0x0085,
        long(positions[index] ?? 0),
        bytes(visibility, kind, name.length),
        version === 0x0600 ? bytes(0) : bytes(),
        latin(name),
      ),
    )
  const head = [begin(kinds.workbook, version), ...records]
  const headBytes = Buffer.concat([...head, ...list([]), end]).length
  const positions = streams.map((_, index) =>
    streams.slice(0, index).reduce((sum, { length }) => sum + length, headBytes),
  )
  return compoundFile(Buffer.concat([...head, ...list(starts ?? positions), end, ...streams]), version)
}

const compoundFile = (stream: Buffer, version: number): Uint8Array => {
  const file = library.CFB.utils.cfb_new()
  library.CFB.utils.cfb_add(file, version === 0x0600 ? "/Workbook" : "/Book", stream)
  return new Uint8Array(library.CFB.write(file, { type: "buffer" }))
}

/** A workbook that another program has written, in this version of the format. */
export const foreignWorkbook = (
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  bookType: "biff2" | "biff5" | "biff8",
): Uint8Array => {
  const workbook = library.utils.book_new()
  library.utils.book_append_sheet(workbook, library.utils.aoa_to_sheet(rows.map((row) => [...row])), "Sheet1")
  return new Uint8Array(library.write(workbook, { type: "buffer", bookType }))
}

export const number = (row: number, column: number, value: number, format = 0): Buffer =>
  record(0x0203, words(row, column, format), double(value))

/** A string in the record of its cell. */
export const label = (row: number, column: number, text: string): Buffer =>
  record(0x0204, words(row, column, 0, text.length), bytes(1), wide(text))

/** A formula with the eight bytes of its result. */
export const formula = (row: number, column: number, result: Buffer): Buffer =>
  record(0x0006, words(row, column, 0), result, words(0, 0, 0), words(0))

/** Formats of cells: a number format's code, or its id; numbered from 0. */
export const formats = (...formats: ReadonlyArray<string | number>): ReadonlyArray<Buffer> => [
  ...formats.flatMap((format, index) =>
    typeof format === "number"
      ? []
      : [record(0x041e, words(200 + index, format.length), bytes(0), latin(format))],
  ),
  ...formats.map((format, index) =>
    record(0x00e0, words(0, typeof format === "number" ? format : 200 + index), Buffer.alloc(16)),
  ),
]
