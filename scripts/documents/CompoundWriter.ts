import { u16, u32 } from "./ZipWriter.ts"

/** A stream, or a storage of streams, of a compound file (OLE2). */
export interface Stream {
  readonly name: string
  readonly data?: Buffer
  readonly children?: ReadonlyArray<Stream>
}

/** What the file claims in place of the true values. */
export interface Lies {
  /** Sector numbers: what follows on the first sector of the directory, and on that of the first stream. */
  readonly afterDirectory?: number
  readonly afterStream?: number
  readonly firstDirectory?: number
  /** The directory's entry that the first stream names as its neighbour. */
  readonly neighbour?: number
  /** Length of the first stream. */
  readonly bytes?: number
}

const sectorBytes = 512
const endOfChain = 0xffff_fffe
const free = 0xffff_ffff
const none = 0xffff_ffff
const storage = 1
const stream = 2
const root = 5

interface Row {
  readonly name: string
  readonly type: number
  readonly child: number
  readonly right: number
  readonly data: Buffer
}

/** Every row of the directory: the root, then each storage's children behind it, linked as neighbours. */
const rowsOf = (streams: ReadonlyArray<Stream>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  const add = (children: ReadonlyArray<Stream>): number => {
    const first = rows.length
    for (const _ of children)
      rows.push({ name: "", type: 0, child: none, right: none, data: Buffer.alloc(0) })
    children.forEach(({ name, data, children: inner }, index) => {
      rows[first + index] = {
        name,
        type: inner === undefined ? stream : storage,
        child: inner === undefined ? none : add(inner),
        right: index + 1 < children.length ? first + index + 1 : none,
        data: data ?? Buffer.alloc(0),
      }
    })
    return children.length === 0 ? none : first
  }
  rows.push({ name: "Root Entry", type: root, child: none, right: none, data: Buffer.alloc(0) })
  const child = add(streams)
  rows[0] = { name: "Root Entry", type: root, child, right: none, data: Buffer.alloc(0) }
  return rows
}

/**
 * A compound file of sectors of 512 bytes: a table of one sector, which is enough for 64 KiB, the directory,
 * then the streams, each padded to 4,096 bytes, under which they would have to lie in small sectors.
 */
export const compoundFile = (streams: ReadonlyArray<Stream>, lies: Lies = {}): Buffer => {
  const rows = rowsOf(streams)
  const directorySectors = Math.ceil(rows.length / 4)
  const table: Array<number> = [0xffff_fffd]
  const link = (count: number): number => {
    const first = table.length
    for (let index = 1; index < count; index++) table.push(first + index)
    table.push(endOfChain)
    return first
  }
  const directoryAt = link(directorySectors)
  const firsts = rows.map(({ type, data }) =>
    type === stream ? link(padded(data).length / sectorBytes) : endOfChain,
  )
  const streamAt = firsts.find((first) => first !== endOfChain) ?? 0
  if (lies.afterDirectory !== undefined) table[directoryAt] = lies.afterDirectory
  if (lies.afterStream !== undefined) table[streamAt] = lies.afterStream
  const directory = Buffer.concat(
    rows.map((row, index) => writeRow(row, firsts[index] ?? endOfChain, index === 1 ? lies : {})),
  )
  return Buffer.concat([
    header(lies.firstDirectory ?? directoryAt),
    u32(...table, ...Array.from({ length: sectorBytes / 4 - table.length }, () => free)),
    directory,
    Buffer.alloc(directorySectors * sectorBytes - directory.length),
    ...rows.filter(({ type }) => type === stream).map(({ data }) => padded(data)),
  ])
}

const smallBytes = 4096

const padded = (data: Buffer): Buffer => {
  const bytes = Math.max(smallBytes, Math.ceil(data.length / sectorBytes) * sectorBytes)
  return Buffer.concat([data, Buffer.alloc(bytes - data.length)])
}

const header = (directoryAt: number): Buffer =>
  Buffer.concat([
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    Buffer.alloc(16),
    u16(0x3e, 3, 0xfffe, 9, 6, 0, 0, 0),
    u32(0, 1, directoryAt, 0, smallBytes, endOfChain, 0, endOfChain, 0, 0),
    u32(...Array.from({ length: 108 }, () => free)),
  ])

const writeRow = ({ name, type, child, right, data }: Row, first: number, lies: Lies): Buffer => {
  const text = Buffer.from(`${name}\0`, "utf16le")
  return Buffer.concat([
    text,
    Buffer.alloc(64 - text.length),
    u16(text.length),
    Buffer.of(type, 1),
    u32(none, lies.neighbour ?? right, child),
    Buffer.alloc(36),
    u32(first, lies.bytes ?? (type === stream ? padded(data).length : 0), 0),
  ])
}
