import type { IntakeLimits } from "./Limits.ts"
import { Refusal } from "./Refusal.ts"
import { readEnd } from "./ZipEnd.ts"
import { allOnes16, corrupt, extraField, withZip64 } from "./ZipFields.ts"
import { decodeName } from "./ZipName.ts"

/** One entry as the central directory declares it. Offsets and sizes are bytes. */
export interface ZipRecord {
  /** The name with `/` for `\`. */
  readonly name: string
  readonly nameBytes: Buffer
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressedBytes: number
  readonly expandedBytes: number
  /** Where the local header is. */
  readonly headerAt: number
}

/** The central directory, and where it begins: every entry lies before it. */
export interface ZipDirectory {
  readonly startsAt: number
  readonly records: ReadonlyArray<ZipRecord>
}

const recordSignature = 0x02014b50
const recordBytes = 46
const unicodePathField = 0x7075

/** Finds and reads the central directory. Nothing may stand after it but its end record and white space. */
export const readDirectory = (archive: Buffer, limits: IntakeLimits): ZipDirectory => {
  const bounds = readEnd(archive)
  if (bounds.entries > limits.archive_entries_max) {
    throw new Refusal(
      "archive_limit_exceeded",
      `The file holds ${bounds.entries} archive entries; at most ${limits.archive_entries_max} are allowed (archive_entries_max).`,
    )
  }
  const records: Array<ZipRecord> = []
  let at = bounds.startsAt
  for (let index = 0; index < bounds.entries; index++) {
    if (at + recordBytes > bounds.endsAt || archive.readUInt32LE(at) !== recordSignature) {
      throw corrupt(
        `its directory should list ${bounds.entries} entries, but entry ${index + 1} is not there`,
      )
    }
    const next = at + recordBytes + variableBytes(archive, at)
    if (next > bounds.endsAt) throw corrupt(`entry ${index + 1} reaches over the end of the directory`)
    records.push(readRecord(archive, at, limits))
    at = next
  }
  if (at !== bounds.endsAt) {
    throw corrupt(`its directory holds ${bounds.endsAt - at} bytes more than its ${bounds.entries} entries`)
  }
  return { startsAt: bounds.startsAt, records }
}

/** Length of name, extra fields and comment. */
const variableBytes = (archive: Buffer, at: number): number =>
  archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)

const readRecord = (archive: Buffer, at: number, limits: IntakeLimits): ZipRecord => {
  const flags = archive.readUInt16LE(at + 8)
  const extraAt = at + recordBytes + archive.readUInt16LE(at + 28)
  const extra = archive.subarray(extraAt, extraAt + archive.readUInt16LE(at + 30))
  const nameBytes = archive.subarray(at + recordBytes, extraAt)
  const name = decodeName(nameBytes, extraField(extra, unicodePathField), limits)
  const declared = {
    expanded: archive.readUInt32LE(at + 24),
    compressed: archive.readUInt32LE(at + 20),
    headerAt: archive.readUInt32LE(at + 42),
  }
  const sizes = withZip64(declared, extra)
  const disk = archive.readUInt16LE(at + 34)
  if (disk !== 0 && disk !== allOnes16) throw corrupt("it is one part of a split archive")
  return {
    name,
    nameBytes,
    flags,
    method: archive.readUInt16LE(at + 10),
    crc: archive.readUInt32LE(at + 16),
    compressedBytes: sizes.compressed,
    expandedBytes: sizes.expanded,
    headerAt: sizes.headerAt,
  }
}
