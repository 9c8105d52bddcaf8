import { quote } from "./Quote.ts"
import { Refusal } from "./Refusal.ts"
import type { ZipDirectory, ZipRecord } from "./ZipDirectory.ts"
import { allOnes32, corrupt, withZip64 } from "./ZipFields.ts"

/** An entry whose local header agrees with the directory. */
export interface ZipEntry extends ZipRecord {
  /** Where its data begins. */
  readonly dataAt: number
}

const headerSignature = 0x04034b50
const headerBytes = 30
const descriptorSignature = 0x08074b50

const flagEncrypted = 0x0001
const flagDescriptor = 0x0008
const flagPatch = 0x0020
const flagStrongEncryption = 0x0040
const flagUtf8 = 0x0800
const flagMaskedHeader = 0x2000

const methodStored = 0
export const methodDeflate = 8

/**
 * Checks that the entries lie one behind the other from the first byte of the file to the directory, with
 * nothing between, before or over one another, and that each local header says what the directory says: so
 * there is only one way to read the archive.
 */
export const locateEntries = (archive: Buffer, directory: ZipDirectory): ReadonlyArray<ZipEntry> => {
  const entries = directory.records.map((record) => locateEntry(archive, record, directory.startsAt))
  let at = 0
  for (const entry of entries.toSorted((one, other) => one.headerAt - other.headerAt)) {
    if (entry.headerAt < at) {
      throw entryCorrupt(entry, `overlaps the entry before it, which ends at byte ${at}`)
    }
    if (entry.headerAt > at) throw foreignBytes(at, entry.headerAt)
    at = endOf(archive, entry, directory.startsAt)
  }
  if (at > directory.startsAt) throw corrupt("its last entry overlaps the directory")
  if (at < directory.startsAt) throw foreignBytes(at, directory.startsAt)
  return entries
}

export const entryCorrupt = (entry: ZipRecord, fault: string): Refusal =>
  new Refusal("file_corrupt", `The archive entry ${quote(entry.name)} ${fault}.`)

const foreignBytes = (from: number, to: number): Refusal =>
  corrupt(`${to - from} bytes from byte ${from} on belong to no entry of it`)

const locateEntry = (archive: Buffer, record: ZipRecord, directoryAt: number): ZipEntry => {
  checkKind(record)
  const { headerAt } = record
  if (headerAt + headerBytes > directoryAt || archive.readUInt32LE(headerAt) !== headerSignature) {
    throw entryCorrupt(record, `should begin at byte ${headerAt}, but no entry begins there`)
  }
  const nameAt = headerAt + headerBytes
  const extraAt = nameAt + archive.readUInt16LE(headerAt + 26)
  const dataAt = extraAt + archive.readUInt16LE(headerAt + 28)
  if (dataAt + record.compressedBytes > directoryAt) throw entryCorrupt(record, "reaches over the directory")
  if (!archive.subarray(nameAt, extraAt).equals(record.nameBytes)) throw disagreement(record, "another name")
  const flags = archive.readUInt16LE(headerAt + 6)
  // Some programs set the flag for UTF-8 names in the directory alone.
  if ((flags | flagUtf8) !== (record.flags | flagUtf8)) throw disagreement(record, "other flags")
  if (archive.readUInt16LE(headerAt + 8) !== record.method) throw disagreement(record, "another method")
  checkLocalSizes(archive, record, archive.subarray(extraAt, dataAt))
  return { ...record, dataAt }
}

/** Where a data descriptor follows, the header may leave checksum and sizes to it. */
const checkLocalSizes = (archive: Buffer, record: ZipRecord, extra: Buffer): void => {
  const { headerAt } = record
  const crc = archive.readUInt32LE(headerAt + 14)
  const declared = {
    compressed: archive.readUInt32LE(headerAt + 18),
    expanded: archive.readUInt32LE(headerAt + 22),
    headerAt: 0,
  }
  const isLeftOpen = (value: number) => value === 0 || value === allOnes32
  if (
    (record.flags & flagDescriptor) !== 0 &&
    crc === 0 &&
    isLeftOpen(declared.compressed) &&
    isLeftOpen(declared.expanded)
  ) {
    return
  }
  const sizes = withZip64(declared, extra)
  if (crc !== record.crc) throw disagreement(record, "another checksum")
  if (sizes.compressed !== record.compressedBytes) throw disagreement(record, "another compressed size")
  if (sizes.expanded !== record.expandedBytes) throw disagreement(record, "another size")
}

const disagreement = (record: ZipRecord, what: string): Refusal =>
  entryCorrupt(record, `has ${what} in its own header than in the directory`)

const checkKind = (record: ZipRecord): void => {
  if ((record.flags & (flagEncrypted | flagStrongEncryption | flagMaskedHeader)) !== 0) {
    throw new Refusal("file_encrypted", `The archive entry ${quote(record.name)} is encrypted.`)
  }
  if ((record.flags & flagPatch) !== 0) throw entryCorrupt(record, "is a patch of another file")
  if (record.method !== methodStored && record.method !== methodDeflate) {
    throw entryCorrupt(
      record,
      `is compressed by method ${record.method}; accepted are 0 (stored) and 8 (deflate)`,
    )
  }
  if (record.method === methodStored && record.compressedBytes !== record.expandedBytes) {
    throw entryCorrupt(
      record,
      `is stored in ${record.compressedBytes} bytes, but should have ${record.expandedBytes}`,
    )
  }
  if (record.name.endsWith("/") && record.expandedBytes > 0) {
    throw entryCorrupt(record, `is a folder, but holds ${record.expandedBytes} bytes`)
  }
}

/** Where the entry ends, with its data descriptor: a checksum and two sizes of 4 or 8 bytes, with or without a signature. */
const endOf = (archive: Buffer, entry: ZipEntry, directoryAt: number): number => {
  const at = entry.dataAt + entry.compressedBytes
  if ((entry.flags & flagDescriptor) === 0) return at
  for (const [sizeBytes, signatureBytes] of descriptorForms) {
    const end = at + signatureBytes + 4 + 2 * sizeBytes
    if (end > directoryAt || !isNextHeader(archive, end, directoryAt)) continue
    if (signatureBytes > 0 && archive.readUInt32LE(at) !== descriptorSignature) continue
    const valuesAt = at + signatureBytes
    const compressed = readSize(archive, valuesAt + 4, sizeBytes)
    const expanded = readSize(archive, valuesAt + 4 + sizeBytes, sizeBytes)
    if (
      archive.readUInt32LE(valuesAt) === entry.crc &&
      compressed === entry.compressedBytes &&
      expanded === entry.expandedBytes
    ) {
      return end
    }
  }
  throw entryCorrupt(entry, "has a data descriptor that is missing or disagrees with the directory")
}

const descriptorForms = [
  [4, 4],
  [4, 0],
  [8, 4],
  [8, 0],
] as const

const isNextHeader = (archive: Buffer, at: number, directoryAt: number): boolean =>
  at === directoryAt || (at + headerBytes <= directoryAt && archive.readUInt32LE(at) === headerSignature)

/** The upper half of a size of 8 bytes is 0 for anything within bounds. */
const readSize = (archive: Buffer, at: number, bytes: 4 | 8): number =>
  archive.readUInt32LE(at) + (bytes === 8 ? archive.readUInt32LE(at + 4) * 0x1_0000_0000 : 0)
