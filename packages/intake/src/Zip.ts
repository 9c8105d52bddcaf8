import { crc32, inflateRawSync } from "node:zlib"
import { type IntakeLimits, intakeLimits } from "./Limits.ts"
import { quote } from "./Quote.ts"
import { Refusal } from "./Refusal.ts"
import { detectSignature } from "./Signature.ts"
import { readDirectory, type ZipRecord } from "./ZipDirectory.ts"
import { entryCorrupt, locateEntries, methodDeflate, type ZipEntry } from "./ZipLayout.ts"
import { nameKey } from "./ZipName.ts"

/** A ZIP archive whose directory was checked; names are unique, relative and use `/`. */
export interface ZipArchive {
  /** The names of the files, in the order of the directory; folders have none. */
  readonly names: ReadonlyArray<string>
  /** Bytes of all entries together when they are inflated, as the directory says. */
  readonly expandedBytes: number
  /** Names are found without regard to the case of ASCII letters, as OPC wants it. */
  readonly has: (name: string) => boolean
  /** The name as the archive spells it; undefined if there is none. */
  readonly find: (name: string) => string | undefined
  /** The entry's bytes, inflated, counted and CRC-checked; undefined if there is none. Throws a `Refusal`. */
  readonly read: (name: string) => Uint8Array | undefined
  /**
   * Inflates every entry, including those that are never read, hands each file to `visit`, and keeps none. Throws a
   * `Refusal`.
   */
  readonly verify: (visit?: (name: string, bytes: Uint8Array) => void) => void
}

/**
 * Reads the directory of an archive. Throws a `Refusal`: `file_corrupt`, `file_encrypted`,
 * `archive_limit_exceeded` (document-tools 8).
 */
export const openZip = (bytes: Uint8Array, limits: IntakeLimits = intakeLimits): ZipArchive => {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  checkBeginning(archive)
  const directory = readDirectory(archive, limits)
  const expandedBytes = checkExpandedBytes(directory.records, limits)
  checkDuplicates(directory.records)
  const entries = locateEntries(archive, directory)
  const files = new Map(
    entries.filter((entry) => !isFolder(entry)).map((entry) => [nameKey(entry.name), entry]),
  )
  const find = (name: string) => files.get(name) ?? files.get(nameKey(name))
  /** How much an entry may expand to, if all others keep to their word. */
  const roomFor = (entry: ZipEntry) => limits.archive_expanded_bytes_max - expandedBytes + entry.expandedBytes
  const read = (entry: ZipEntry) => readEntry(archive, entry, roomFor(entry), limits)
  return {
    names: [...files.values()].map(({ name }) => name),
    expandedBytes,
    has: (name) => find(name) !== undefined,
    find: (name) => find(name)?.name,
    read: (name) => {
      const entry = find(name)
      return entry && read(entry)
    },
    verify: (visit) => {
      for (const entry of entries) {
        const bytes = read(entry)
        if (!isFolder(entry)) visit?.(entry.name, bytes)
      }
    },
  }
}

const isFolder = (entry: ZipEntry): boolean => entry.name.endsWith("/")

/** An archive may follow on another file, a program that unpacks it say; a document never does. */
const checkBeginning = (archive: Buffer): void => {
  const beginning = archive.toString("latin1", 0, 4)
  if (beginning === "PK\x03\x04" || beginning === "PK\x05\x06") return
  const found = detectSignature(archive)
  throw new Refusal(
    "file_corrupt",
    found === undefined
      ? "The file does not begin as a ZIP archive."
      : `The file does not begin as a ZIP archive: it is ${found.name}.`,
  )
}

const checkExpandedBytes = (records: ReadonlyArray<ZipRecord>, limits: IntakeLimits): number => {
  let total = 0
  for (const record of records) total += record.expandedBytes
  if (total > limits.archive_expanded_bytes_max) {
    throw new Refusal(
      "archive_limit_exceeded",
      `The ${records.length} archive entries of the file expand to ${total} bytes; at most ${limits.archive_expanded_bytes_max} are allowed (archive_expanded_bytes_max).`,
    )
  }
  return total
}

const checkDuplicates = (records: ReadonlyArray<ZipRecord>): void => {
  const keys = new Set<string>()
  for (const record of records) {
    const key = nameKey(record.name)
    if (keys.has(key)) throw entryCorrupt(record, "is there twice")
    keys.add(key)
  }
}

const readEntry = (archive: Buffer, entry: ZipEntry, room: number, limits: IntakeLimits): Uint8Array => {
  const data = archive.subarray(entry.dataAt, entry.dataAt + entry.compressedBytes)
  const bytes = entry.method === methodDeflate ? inflate(data, entry, room, limits) : data
  if (bytes.length !== entry.expandedBytes) {
    throw entryCorrupt(entry, `should expand to ${entry.expandedBytes} bytes, but expands to ${bytes.length}`)
  }
  if (crc32(bytes) !== entry.crc) throw entryCorrupt(entry, "has another checksum than its headers say")
  return bytes
}

/** Never gives more than `room` bytes, whatever the data and its header say. */
const inflate = (data: Buffer, entry: ZipEntry, room: number, limits: IntakeLimits): Buffer => {
  try {
    return inflateRawSync(data, {
      maxOutputLength: Math.max(room, 1),
      // Most entries then come out in one piece, which costs less than half of the time.
      chunkSize: Math.min(Math.max(entry.expandedBytes + 1, pieceBytesMin), pieceBytesMax),
      rejectGarbageAfterEnd: true,
    })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ERR_BUFFER_TOO_LARGE") throw overRoom(entry, limits)
    throw entryCorrupt(
      entry,
      code === "ERR_TRAILING_JUNK_AFTER_STREAM_END"
        ? "holds more bytes than its compressed data"
        : "is no valid deflate data",
    )
  }
}

const pieceBytesMin = 64
const pieceBytesMax = 256 * 1024

const overRoom = (entry: ZipEntry, limits: IntakeLimits): Refusal =>
  new Refusal(
    "archive_limit_exceeded",
    `The archive entry ${quote(entry.name)} should expand to ${entry.expandedBytes} bytes, but brings the file to more than ${limits.archive_expanded_bytes_max} expanded bytes; at most ${limits.archive_expanded_bytes_max} are allowed (archive_expanded_bytes_max).`,
  )
