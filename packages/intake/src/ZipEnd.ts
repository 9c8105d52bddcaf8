import { allOnes16, allOnes32, corrupt, readUInt64 } from "./ZipFields.ts"

const endBytes = 22
const endMark = Buffer.from("PK\x05\x06", "latin1")
const zip64LocatorSignature = 0x07064b50
const zip64LocatorBytes = 20
const zip64EndSignature = 0x06064b50
const zip64EndBytes = 56

/** What the end of an archive says of its directory; offsets are bytes. */
export interface DirectoryBounds {
  readonly entries: number
  readonly startsAt: number
  readonly endsAt: number
}

/** Reads the end record of an archive, and that of ZIP64 where there is one. */
export const readEnd = (archive: Buffer): DirectoryBounds => {
  const at = findEnd(archive)
  const plain: DeclaredEnd = {
    disks: [archive.readUInt16LE(at + 4), archive.readUInt16LE(at + 6)],
    counts: [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)],
    bytes: archive.readUInt32LE(at + 12),
    startsAt: archive.readUInt32LE(at + 16),
  }
  const isWide = valuesOf(plain).some((value, index) => value === allOnes(index))
  const isPlain = !isWide && (plain.startsAt + plain.bytes === at || !hasZip64Locator(archive, at))
  if (isPlain) return boundsOf(plain, at)
  const { declared, endsAt } = readZip64End(archive, at)
  const wide = valuesOf(declared)
  if (valuesOf(plain).some((value, index) => value !== allOnes(index) && value !== wide[index])) {
    throw corrupt("its end record and that of ZIP64 disagree")
  }
  return boundsOf(declared, endsAt)
}

interface DeclaredEnd {
  /** Number of this disk, and of the disk where the directory begins. */
  readonly disks: readonly [number, number]
  /** Entries on this disk, and all. */
  readonly counts: readonly [number, number]
  readonly bytes: number
  readonly startsAt: number
}

const valuesOf = ({ disks, counts, bytes, startsAt }: DeclaredEnd) => [...disks, ...counts, bytes, startsAt]

/** What stands in the plain record for a value of ZIP64: the last two have 32 bits, the others 16. */
const allOnes = (index: number): number => (index < 4 ? allOnes16 : allOnes32)

const boundsOf = ({ disks, counts, bytes, startsAt }: DeclaredEnd, endsAt: number): DirectoryBounds => {
  const [here, entries] = counts
  if (disks.some((disk) => disk !== 0) || here !== entries) {
    throw corrupt("it is one part of a split archive")
  }
  if (startsAt + bytes !== endsAt) {
    throw corrupt(
      `its directory should end at byte ${startsAt + bytes}, but the end record is at byte ${endsAt}`,
    )
  }
  return { entries, startsAt, endsAt }
}

/** Position of the end record: the last one, with its comment and white space, as some programs add, behind it. */
const findEnd = (archive: Buffer): number => {
  const at = archive.lastIndexOf(endMark)
  if (at < 0) throw corrupt("it has no end record, so it was cut short or is no archive")
  if (at + endBytes > archive.length) throw corrupt("it was cut short within its end record")
  const commentEnd = at + endBytes + archive.readUInt16LE(at + 20)
  if (commentEnd > archive.length) throw corrupt("it was cut short within its comment")
  for (let behind = commentEnd; behind < archive.length; behind++) {
    if (!isWhiteSpace(archive[behind])) {
      throw corrupt(`${archive.length - commentEnd} bytes that belong to nothing stand behind its end record`)
    }
  }
  return at
}

const isWhiteSpace = (byte: number | undefined): boolean =>
  byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09

const hasZip64Locator = (archive: Buffer, endAt: number): boolean =>
  endAt >= zip64LocatorBytes && archive.readUInt32LE(endAt - zip64LocatorBytes) === zip64LocatorSignature

const readZip64End = (archive: Buffer, endAt: number) => {
  if (!hasZip64Locator(archive, endAt)) {
    throw corrupt("its end record speaks of a ZIP64 record that is not there")
  }
  const locatorAt = endAt - zip64LocatorBytes
  const at = readUInt64(archive, locatorAt + 8)
  const isThere = at + zip64EndBytes <= locatorAt && archive.readUInt32LE(at) === zip64EndSignature
  if (!isThere || at + 12 + readUInt64(archive, at + 4) !== locatorAt) {
    throw corrupt("its ZIP64 end record is not where its locator says")
  }
  if (archive.readUInt32LE(locatorAt + 4) !== 0) throw corrupt("it is one part of a split archive")
  const declared: DeclaredEnd = {
    disks: [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20)],
    counts: [readUInt64(archive, at + 24), readUInt64(archive, at + 32)],
    bytes: readUInt64(archive, at + 40),
    startsAt: readUInt64(archive, at + 48),
  }
  return { declared, endsAt: at }
}
