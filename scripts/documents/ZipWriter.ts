import { crc32, deflateRawSync } from "node:zlib"

/** What a header claims about its entry. */
export interface Claims {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressed: number
  readonly expanded: number
  readonly extra: Buffer
}

/** One entry; its headers are truthful where they are not told otherwise. */
export interface Part {
  readonly name: string
  readonly data: string | Buffer
  readonly stored?: boolean
  /** Stands in the archive in place of the compressed data. */
  readonly compressed?: Buffer
  readonly descriptor?: "signed" | "bare" | "wide"
  /** What both headers claim, the one before the data, and the one in the directory. */
  readonly both?: Partial<Claims>
  readonly local?: Partial<Claims>
  readonly central?: Partial<Claims> & { readonly headerAt?: number }
  /** Stands before the entry and belongs to nothing. */
  readonly before?: Buffer
}

/** The end of an archive. */
export interface End {
  /** Stands before the archive, whose offsets count from its own beginning if `shifted` is not set. */
  readonly before?: Buffer
  readonly comment?: string
  readonly behind?: string
  readonly disk?: number
  /** With the records of ZIP64, whether they are needed or not, in place of the plain values or beside them. */
  readonly zip64?: "instead" | "beside"
  /** Entries by the plain record, where ZIP64's are beside it. */
  readonly plainEntries?: number
  readonly entries?: number
  readonly directoryAt?: number
}

export const flagEncrypted = 0x0001
const flagDescriptor = 0x0008
const flagUtf8 = 0x0800
/** 1 January 1980. */
const date = 0x0021
const all16 = 0xffff
const all32 = 0xffff_ffff

export const u16 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2))
  return bytes
}

export const u32 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4))
  return bytes
}

export const u64 = (...values: ReadonlyArray<number>): Buffer =>
  Buffer.concat(values.map((value) => u32(value % 2 ** 32, Math.floor(value / 2 ** 32))))

/** An extra field of a header. */
export const extraField = (id: number, data: Buffer): Buffer => Buffer.concat([u16(id, data.length), data])

/** An archive of these parts, in this order. */
export const zip = (parts: ReadonlyArray<Part>, end: End = {}): Buffer => {
  const pieces: Array<Buffer> = [end.before ?? Buffer.alloc(0)]
  const directory: Array<Buffer> = []
  let at = pieces[0]?.length ?? 0
  for (const part of parts) {
    const { before, entry, record } = writeEntry(part, at)
    pieces.push(before, entry)
    directory.push(record)
    at += before.length + entry.length
  }
  const records = Buffer.concat(directory)
  return Buffer.concat([...pieces, records, writeEnd(parts.length, records.length, at, end)])
}

const writeEntry = (part: Part, at: number) => {
  const data = Buffer.from(part.data)
  const compressed = part.compressed ?? (part.stored ? data : deflateRawSync(data, { level: 9 }))
  const truth: Claims = {
    name: part.name,
    flags: (/[^ -~]/.test(part.name) ? flagUtf8 : 0) | (part.descriptor === undefined ? 0 : flagDescriptor),
    method: part.stored ? 0 : 8,
    crc: crc32(data),
    compressed: compressed.length,
    expanded: data.length,
    extra: Buffer.alloc(0),
  }
  const before = part.before ?? Buffer.alloc(0)
  const headerAt = at + before.length
  const open = part.descriptor === undefined ? {} : { crc: 0, compressed: 0, expanded: 0 }
  const central = { ...truth, ...part.both, ...part.central }
  const local = { ...truth, ...open, ...part.both, ...part.local }
  const name = Buffer.from(local.name)
  return {
    before,
    entry: Buffer.concat([
      u32(0x04034b50),
      fields(local),
      u16(name.length, local.extra.length),
      name,
      local.extra,
      compressed,
      writeDescriptor(central, part.descriptor),
    ]),
    record: writeRecord(central, part.central?.headerAt ?? headerAt),
  }
}

/** Version, flags, method, time, checksum and sizes, which both headers have. */
const fields = (claims: Claims): Buffer =>
  Buffer.concat([
    u16(20, claims.flags, claims.method, 0, date),
    u32(claims.crc, claims.compressed, claims.expanded),
  ])

const writeRecord = (claims: Claims, headerAt: number): Buffer => {
  const name = Buffer.from(claims.name)
  return Buffer.concat([
    u32(0x02014b50),
    u16(20),
    fields(claims),
    u16(name.length, claims.extra.length, 0, 0, 0),
    u32(0, headerAt),
    name,
    claims.extra,
  ])
}

const writeDescriptor = (claims: Claims, form: Part["descriptor"]): Buffer => {
  if (form === undefined) return Buffer.alloc(0)
  const sizes = (form === "wide" ? u64 : u32)(claims.compressed, claims.expanded)
  return Buffer.concat([form === "bare" ? Buffer.alloc(0) : u32(0x08074b50), u32(claims.crc), sizes])
}

const writeEnd = (parts: number, bytes: number, at: number, end: End): Buffer => {
  const entries = end.entries ?? parts
  const directoryAt = end.directoryAt ?? at
  const disk = end.disk ?? 0
  const comment = Buffer.from(end.comment ?? "")
  const plain = (count: number, size: number, offset: number) =>
    Buffer.concat([
      u32(0x06054b50),
      u16(disk, disk, count, count),
      u32(size, offset),
      u16(comment.length),
      comment,
      Buffer.from(end.behind ?? ""),
    ])
  if (end.zip64 === undefined) return plain(entries, bytes, directoryAt)
  return Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45, 45),
    u32(disk, disk),
    u64(entries, entries, bytes, directoryAt),
    u32(0x07064b50, disk),
    u64(at + bytes),
    u32(1),
    end.zip64 === "beside"
      ? plain(end.plainEntries ?? entries, bytes, directoryAt)
      : plain(all16, all32, all32),
  ])
}
