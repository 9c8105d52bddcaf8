import { nameContent } from "./ContentName.ts"
import { holdsMacros, isEncrypted, isOther } from "./DocumentRefusals.ts"
import { openLegacyDocument, workbookName } from "./LegacyOffice.ts"
import { quote } from "./Quote.ts"
import { Refusal } from "./Refusal.ts"
import { detectSignature } from "./Signature.ts"

/** Begin-of-file records of BIFF 2, 3, 4, and 5 to 8. */
const recordBegin: ReadonlyArray<number> = [0x0009, 0x0209, 0x0409, 0x0809]
const recordFilePass = 0x002f
const recordBoundSheet = 0x0085

/** What a begin-of-file record begins, and what kind a sheet is in the list of sheets: a module, an Excel 4 sheet. */
const substreamsOfMacros: ReadonlyArray<number> = [0x0006, 0x0040]
const sheetsOfMacros: ReadonlyArray<number> = [6, 1]

/**
 * Checks that a file is an Excel workbook of before 2007: BIFF records, in a compound file or bare. Throws a
 * `Refusal`: `file_type_not_accepted` (another format), `file_macro` (a VBA project, a macro sheet),
 * `file_encrypted`, `file_corrupt`.
 */
export const inspectXls = (bytes: Uint8Array): void => {
  if (detectSignature(bytes)?.format !== "cfb") {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (!beginsWorkbook(file)) throw isOther(nameContent(bytes), workbookName)
    checkRecords(file)
    return
  }
  const { name, file } = openLegacyDocument(bytes)
  if (name !== workbookName) throw isOther(name, workbookName)
  const project = file.allNames.find((entry) => /^_VBA_PROJECT(_CUR)?$/i.test(entry))
  if (project !== undefined) throw holdsMacros(quote(project))
  for (const entry of ["Workbook", "Book"]) {
    const stream = file.read(entry)
    if (stream === undefined) continue
    if (!beginsWorkbook(stream)) {
      throw new Refusal("file_corrupt", `The workbook is damaged: its stream ${quote(entry)} begins as none.`)
    }
    checkRecords(stream)
  }
}

const beginsWorkbook = (stream: Buffer): boolean => {
  if (stream.length < 8 || !recordBegin.includes(stream.readUInt16LE(0))) return false
  const bytes = stream.readUInt16LE(2)
  return bytes >= 4 && bytes <= 16
}

/** Visits all records: a number, a length and that many bytes. */
const checkRecords = (stream: Buffer): void => {
  for (let at = 0; at + 4 <= stream.length; ) {
    const record = stream.readUInt16LE(at)
    const start = at + 4
    at = start + stream.readUInt16LE(at + 2)
    if (record === recordFilePass && at > start) throw isEncrypted()
    if (isMacroSheet(stream, record, start)) throw holdsMacros("a macro sheet")
  }
}

const isMacroSheet = (stream: Buffer, record: number, dataAt: number): boolean => {
  if (dataAt + 6 > stream.length) return false
  if (record === recordBoundSheet) return sheetsOfMacros.includes(stream.readUInt8(dataAt + 5))
  return recordBegin.includes(record) && substreamsOfMacros.includes(stream.readUInt16LE(dataAt + 2))
}
